# The index of the vocabulary is made from it: C cannot, since a literal's characters are no constant expressions.
CFLAGS_pricing := -I$(BUILD)

$(BUILD)/pricing/price_word_groups.def: pricing/price_word.def pricing/price_word_groups.awk
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f pricing/price_word_groups.awk $< > $@.new && mv $@.new $@

$(BUILD)/pricing/price_word.o: $(BUILD)/pricing/price_word_groups.def
