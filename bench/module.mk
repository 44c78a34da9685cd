# Every bench/bench_NAME.c is one program; the pages it works on are made by bench/pages.c.
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(wildcard bench/bench_*.c))

$(BUILD)/bench/%: bench/%.c bench/pages.c bench/pages.h $(ARCHIVES)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) $(CFLAGS) -fno-lto -o $@ $< bench/pages.c -Wl,--start-group $(filter-out $(BUILD)/libcli.a,$(ARCHIVES)) -Wl,--end-group $(LDFLAGS) $(LIBS)

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)
