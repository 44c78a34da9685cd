# Every tests/fuzz/fuzz_NAME.c is built twice: replay_NAME runs the seeds (make check), fuzz_NAME is driven by libFuzzer (make fuzz).
FUZZ_NAMES    := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_ARCHIVES := $(filter $(addprefix $(BUILD)/lib,$(addsuffix .a,alerts reports store crawler net parsers pricing common)),$(ARCHIVES))
FUZZ_REPLAYS  := $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz/replay_%)
FUZZ_PROGRAMS := $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz/fuzz_%)
FUZZ_LINK      = -Wl,--start-group $(FUZZ_ARCHIVES) -Wl,--end-group $(LDFLAGS) $(LIBS)
# Seconds a target, and which ones.
T             ?= 60
TARGETS       ?= $(FUZZ_NAMES)
FUZZ_MAKE      = $(MAKE) CC='$(FUZZ_CC)' AR=ar WARN=-w SANITIZE=address,undefined,fuzzer-no-link
FUZZ_CC       ?= clang

$(BUILD)/tests/fuzz/replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c tests/fuzz/fuzz.h $(FUZZ_ARCHIVES) Makefile tests/fuzz/module.mk
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -DFUZZ_SEEDS='"tests/fuzz/seeds/$*"' -o $@ $< tests/fuzz/replay.c $(FUZZ_LINK)

$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(FUZZ_ARCHIVES) Makefile tests/fuzz/module.mk
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_LINK)

.PHONY: fuzz fuzz-programs fuzz-replays
fuzz-programs: $(FUZZ_PROGRAMS)
fuzz-replays: $(FUZZ_REPLAYS)

fuzz: deps-fuzz
	@$(FUZZ_MAKE) fuzz-programs
	@tests/fuzz/run build/san-address-undefined-fuzzer-no-link $(T) $(TARGETS)
