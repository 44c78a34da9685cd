# Every bench/bench_NAME.c is one program, run by itself; tool_NAME.c, here and in store/, are programs that the scripts run; the other
# sources are what they share.
BENCH_MAINS    := $(wildcard bench/bench_*.c bench/tool_*.c bench/store/tool_*.c)
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(BENCH_MAINS))
BENCH_SHARED   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(BENCH_MAINS),$(wildcard bench/*.c)))

$(BENCH_PROGRAMS): %: %.o $(BENCH_SHARED) $(ARCHIVES)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -o $@ $< $(BENCH_SHARED) -Wl,--start-group $(filter-out $(BUILD)/libcli.a,$(ARCHIVES)) -Wl,--end-group $(LDFLAGS) $(LIBS)

$(BUILD)/bench/store/tool_sqlite: LIBS += -lsqlite3
$(BUILD)/bench/store/tool_rrd: LIBS += -lrrd

-include $(BENCH_PROGRAMS:%=%.d) $(BENCH_SHARED:.o=.d)

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)
