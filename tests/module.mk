# Every tests/unit/FOLDER/test_NAME.c is one program, linked with the libraries of that folder and those it may know.
UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
# test_jail puts pages that crash their reader in the place of page_extract, in its own program only.
UNIT_LDFLAGS_test_jail := -Wl,--wrap=page_extract
UNIT_TESTS   := $(UNIT_SOURCES:%.c=$(BUILD)/%)

define unit_rule
$(1)_archives := $(filter $(addprefix $(BUILD)/lib,$(addsuffix .a,$(1) $(KNOWS_$(1)))),$(ARCHIVES))
$(BUILD)/tests/unit/$(1)/%: tests/unit/$(1)/%.c $$($(1)_archives) Makefile tests/module.mk
	@mkdir -p $$(@D)
	$$(SAY) LD $$@
	$$(Q)$$(CC) $$(CFLAGS) -MMD -MP -o $$@ $$< -Wl,--start-group $$($(1)_archives) -Wl,--end-group $$(LDFLAGS) $$(UNIT_LDFLAGS_$$*) -lcmocka $$(LIBS)
endef
$(foreach f,$(FOLDERS),$(eval $(call unit_rule,$(f))))

.PHONY: unit
unit: $(UNIT_TESTS)
-include $(UNIT_TESTS:=.d)
