# Every bench/bench_NAME.c is one program, run by itself; bench/tool_NAME.c are programs that the scripts run; the other sources are
# what they share.
BENCH_MAINS    := $(wildcard bench/bench_*.c bench/tool_*.c)
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(BENCH_MAINS))
BENCH_SHARED   := $(filter-out $(BENCH_MAINS),$(wildcard bench/*.c))

$(BUILD)/bench/%: bench/%.c $(BENCH_SHARED) $(wildcard bench/*.h) $(ARCHIVES)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -o $@ $< $(BENCH_SHARED) -Wl,--start-group $(filter-out $(BUILD)/libcli.a,$(ARCHIVES)) -Wl,--end-group $(LDFLAGS) $(LIBS)

$(BUILD)/bench/tool_store_sqlite: LIBS += -lsqlite3

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)
