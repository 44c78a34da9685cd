# Every bench/bench_NAME.c is one program; the other sources are what they share.
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/bench_*.c))
BENCH_SHARED   := $(filter-out $(wildcard bench/bench_*.c),$(wildcard bench/*.c))

$(BUILD)/bench/%: bench/%.c $(BENCH_SHARED) $(wildcard bench/*.h) $(ARCHIVES)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) $(LTO) -Wno-maybe-uninitialized -o $@ $< $(BENCH_SHARED) -Wl,--start-group $(filter-out $(BUILD)/libcli.a,$(ARCHIVES)) -Wl,--end-group $(LDFLAGS) $(LIBS)

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)
