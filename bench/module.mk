# Every bench/bench_NAME.c is one program, run by itself; tool_NAME.c, here and in store/, are programs that the scripts run; the other
# sources are what they share.
BENCH_MAINS    := $(wildcard bench/bench_*.c bench/tool_*.c bench/store/tool_*.c)
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(BENCH_MAINS))
BENCH_SHARED   := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(BENCH_MAINS),$(wildcard bench/*.c)))

# An archive, so that a program loads no library that only another one's sources ask for.
$(BUILD)/bench/libbench.a: $(BENCH_SHARED)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BENCH_PROGRAMS): %: %.o $(BUILD)/bench/libbench.a $(ARCHIVES)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -o $@ $< -Wl,--start-group $(BUILD)/bench/libbench.a $(filter-out $(BUILD)/libcli.a,$(ARCHIVES)) -Wl,--end-group $(LDFLAGS) $(LIBS)

$(BUILD)/bench/store/tool_sqlite: LIBS += -lsqlite3
$(BUILD)/bench/store/tool_rrd: LIBS += -lrrd

-include $(BENCH_PROGRAMS:%=%.d) $(BENCH_SHARED:.o=.d)

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)
