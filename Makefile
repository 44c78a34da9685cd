# gputape: one Makefile with the rules, one module.mk a folder with what is special there.
#
#   make                 build ./gputape (installs build packages when some are missing)
#   make demo            the sample market, eight weeks of crawls, reports and alerts
#   make check           every test that needs no server and no network
#   make fuzz T=60       new inputs for every reader of strangers' bytes, T seconds each
#   make bench PART="…"  what it costs beside others: bench/README.md
#   make lint            conventions, static analysis that takes seconds; make analyze: that which takes minutes
#   SANITIZE=address,undefined make check      in a build folder of its own
#   DEV=1 make           fast builds for work on the code (-O1)

SHELL      := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS  += --no-builtin-rules --no-print-directory
# The first make alone decides how many jobs there are; those that it starts share them.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS  += -j$(shell nproc)
endif

# V=1 shows whole command lines.
Q          := $(if $(V),,@)
SAY        := @$(if $(V),true,printf '  %s %s\n')

.DEFAULT_GOAL := all
.PHONY: all deps demo check check-full torture lint analyze bench install clean format

comma      := ,
VERSION    := $(shell cat VERSION)
SANITIZE   ?=
DEV        ?=
ifneq ($(SANITIZE),)
VARIANT    := san-$(subst $(comma),-,$(SANITIZE))
else ifneq ($(DEV),)
VARIANT    := dev
else
VARIANT    := release
endif
BUILD      ?= build/$(VARIANT)

CC         := gcc
AR         := ar
WARN       := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Werror
# Without -ftrivial-auto-var-init=zero: GCC 12.2 (Debian 12) then clears padding in the wrong place and cuts the first pointer of a local
# struct that begins with an array of five structs and ends in padding, at -O0 to -O2.
HARDEN     := -fstack-protector-strong -fPIE
DEFINES    := -D_GNU_SOURCE -DGPUTAPE_VERSION='"$(VERSION)"'
LDFLAGS    := -pie -Wl,-z,relro,-z,now,--as-needed
ifneq ($(SANITIZE),)
OPT        := -O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE) -fno-sanitize-recover=all
LDFLAGS    += -fsanitize=$(SANITIZE)
else ifneq ($(DEV),)
OPT        := -O1 -g
else
OPT        := -O2 -g -D_FORTIFY_SOURCE=3
endif
# xml2-config and pkg-config would be one more package each; Debian's paths are fixed.
INCLUDES   := -I. -isystem /usr/include/libxml2
CFLAGS     := -std=c17 $(OPT) $(WARN) $(HARDEN) $(DEFINES) $(INCLUDES)

# Folders in the order in which they may know each other: a folder's library is linked before those it uses.
FOLDERS    := common pricing parsers net crawler store reports export clickhouse alerts web cli
LINK_ORDER := cli web alerts clickhouse export reports store crawler net parsers pricing common
LIBS       :=

# What each folder may know (tests/lint checks it; unit tests link just that).
KNOWS_common  :=
KNOWS_pricing := common
KNOWS_parsers := pricing common
KNOWS_net     := common
KNOWS_crawler := net parsers pricing common
KNOWS_store   := pricing common
KNOWS_reports := store pricing common
KNOWS_export  := store pricing common
KNOWS_clickhouse := export store net pricing common
KNOWS_alerts  := reports store net pricing common
KNOWS_web     := reports store pricing common
KNOWS_cli     := web alerts clickhouse export reports store crawler net parsers pricing common

include $(wildcard $(addsuffix /module.mk,$(FOLDERS)))

folder_sources = $(sort $(wildcard $(1)/*.c) $(wildcard $(1)/*/*.c))
objects_of     = $(patsubst %.c,$(BUILD)/%.o,$(call folder_sources,$(1)))
SOURCES    := $(foreach f,$(FOLDERS),$(call folder_sources,$(f)))
OBJECTS    := $(SOURCES:%.c=$(BUILD)/%.o)
ARCHIVES   := $(foreach f,$(LINK_ORDER),$(if $(call folder_sources,$(f)),$(BUILD)/lib$(f).a))
PROGRAM    := $(BUILD)/gputape

include tests/module.mk tests/fuzz/module.mk $(wildcard bench/module.mk)

all: deps
	@$(MAKE) gputape

# The packages, checked before every build; instant when all are there.
deps:
	@tests/deps build

gputape: $(PROGRAM)
	@cmp -s $< $@ || cp $< $@

$(PROGRAM): $(ARCHIVES)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -o $@ -Wl,--start-group $(ARCHIVES) -Wl,--end-group $(LDFLAGS) $(LIBS)

define archive_rule
$(BUILD)/lib$(1).a: $(call objects_of,$(1))
	@rm -f $$@
	$$(Q)$(AR) rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(eval $(call archive_rule,$(f))))

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY) CC $<
	$(Q)$(CC) $(CFLAGS) $(CFLAGS_$(firstword $(subst /, ,$*))) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)

clean:
	rm -rf build gputape

# The data that lets a clone check itself: everything below is run, nothing is timed.
demo: deps-demo
	@$(MAKE) gputape
	@tests/demo

deps-demo deps-check deps-full deps-lint deps-bench deps-fuzz:
	@tests/deps $(@:deps-%=%)

check: deps-check
	@$(MAKE) gputape unit fuzz-replays
	@GPUTAPE=$(abspath $(PROGRAM)) tests/run -j 2 $(UNIT_TESTS) $(FUZZ_REPLAYS) $(wildcard tests/cli/*.t)

# What needs more than a stranger's machine wants to run, beside `make check`: packages beside the program, a browser, every system call failed or killed at, sanitizers over everything.
check-full: deps-full
	@$(MAKE) gputape
	@GPUTAPE=$(abspath $(PROGRAM)) tests/run -j 2 $(wildcard tests/full/*.t)
	@$(MAKE) SANITIZE=address,undefined check

torture: deps-check
	@$(MAKE) gputape unit
	@BUILD=$(BUILD) tests/faults/torture

# By a fast build of its own: what lint asks of the program does not hang on optimisation.
lint: deps-lint
	@$(MAKE) DEV=1 build/dev/gputape bench-programs
	@tests/lint/run build/dev build/dev/gputape

analyze: deps-lint
	@$(MAKE) DEV=1 build/dev/gputape
	@tests/lint/run build/dev build/dev/gputape analyze

bench: deps-bench
	@$(MAKE) gputape bench-programs
	@bench/run $(BUILD) $(PART)

format:
	@git ls-files '*.c' '*.h' | grep -v '^pricing/words' | xargs clang-format -i

PREFIX     ?= /usr/local
install: gputape
	install -D -m 755 gputape $(DESTDIR)$(PREFIX)/bin/gputape
	install -D -m 644 sites.conf $(DESTDIR)$(PREFIX)/share/gputape/sites.conf
	install -D -m 644 clickhouse/clickhouse.sql $(DESTDIR)$(PREFIX)/share/gputape/clickhouse.sql
	install -D -m 644 man/gputape.1 $(DESTDIR)$(PREFIX)/share/man/man1/gputape.1
	install -D -m 644 man/sites.conf.5 $(DESTDIR)$(PREFIX)/share/man/man5/sites.conf.5
