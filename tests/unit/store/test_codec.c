/* Encoded shapes: what goes in comes out, and any bytes at all are either decoded or refused. */
#include "../table.h"

#include "again.h"
#include "fixture.h"
#include "store/run_block_impl.h"

enum { HOSTILE_ROUNDS = 400, MUTATIONS = 60 };

/* ---- numbers ---- */

struct number_row {
    const char *name;
    int64_t nano;
    size_t bytes; /* how long it is as money */
};

static const struct number_row numbers[] = {
    {"nothing", 0, 2},
    {"one nano", 1, 2},
    {"minus one", -1, 2},
    {"1.57: three digits and a power of ten", 1570000000, 3},
    {"1074", 1074000000000, 3},
    {"0.00000222", 2220, 3},
    {"nine digits behind the point", 1123456789, 6},
    {"the largest", INT64_MAX, 11},
    {"the smallest", INT64_MIN, 11},
};

static void check_number(void **state)
{
    const struct number_row *row = *state;
    struct strbuf buf;
    strbuf_init(&buf, 100);
    enc_nano(&buf, row->nano);
    assert_int_equal(buf.len, row->bytes);
    enc_int(&buf, row->nano);
    enc_uint(&buf, (uint64_t)row->nano);
    struct dec dec = dec_begin(strbuf_str(&buf), NULL);
    assert_true(dec_nano(&dec) == row->nano);
    assert_true(dec_int(&dec) == row->nano);
    assert_true(dec_uint(&dec) == (uint64_t)row->nano);
    assert_int_equal(dec_end(&dec), GT_OK);
    strbuf_done(&buf);
}

struct bad_row {
    const char *name;
    const char *bytes;
    size_t len;
};

#define BYTES(literal) literal, sizeof(literal) - 1

static const struct bad_row bad_numbers[] = {
    {"no bytes", BYTES("")},
    {"never ends", BYTES("\x80\x80\x80")},
    {"eleven bytes", BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")},
    {"more than 64 bits", BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02")},
    {"a longer way to write 1", BYTES("\x81\x00")},
    {"something left over", BYTES("\x01\x01")},
};

static void check_bad_number(void **state)
{
    const struct bad_row *row = *state;
    struct dec dec = dec_begin((struct gt_str){row->bytes, row->len}, NULL);
    dec_uint(&dec);
    assert_int_equal(dec_end(&dec), GT_ECORRUPT);
}

/* ---- texts ---- */

struct text_row {
    const char *name;
    size_t len;     /* of a text of one letter again and again */
    size_t len_max; /* of texts of this kind */
    size_t room;    /* of the buffer, in which a byte stands already */
    size_t kept;    /* of the text; SIZE_MAX: the buffer refuses it */
    size_t bytes;   /* with their length */
};

static const struct text_row texts[] = {
    {"none", 0, 9, 100, 0, 1},
    {"as long as it may be", 9, 9, 100, 9, 10},
    {"one letter more", 10, 9, 100, 9, 10},
    {"the longest whose length is a byte", 127, 500, 1000, 127, 128},
    {"the first whose length is two", 128, 500, 1000, 128, 130},
    {"that fills the buffer", 9, 9, 11, 9, 10},
    {"one byte too many for the buffer", 9, 9, 10, SIZE_MAX, 0},
    {"a long one that fills the buffer", 300, 500, 303, 300, 302},
    {"a long one that is a byte too long", 300, 500, 302, SIZE_MAX, 0},
};

static void check_text(void **state)
{
    const struct text_row *row = *state;
    char letters[500];
    struct strbuf buf;
    memset(letters, 'x', sizeof letters);
    strbuf_init(&buf, row->room);
    enc_byte(&buf, 7);
    enc_text(&buf, (struct gt_str){letters, row->len}, row->len_max);
    assert_int_equal(buf.err, row->kept == SIZE_MAX ? GT_ELIMIT : GT_OK);
    if (row->kept != SIZE_MAX) {
        assert_int_equal(buf.len, 1 + row->bytes);
        struct dec dec = dec_begin(strbuf_str(&buf), NULL);
        assert_int_equal(dec_byte(&dec), 7);
        assert_true(gt_str_eq(dec_text(&dec, row->len_max), (struct gt_str){letters, row->kept}));
        assert_int_equal(dec_end(&dec), GT_OK);
    }
    strbuf_done(&buf);
}

struct skip_row {
    const char *name;
    const char *bytes;
    size_t len;
    unsigned count;
    size_t left; /* bytes behind what is passed over; SIZE_MAX: damage */
};

static const struct skip_row skips[] = {
    {"none", BYTES("\x05"), 0, 1},
    {"one of two", BYTES("\x05\x06"), 1, 1},
    {"the last of eight bytes", BYTES("\x01\x02\x03\x04\x05\x06\x07\x08\x09"), 8, 1},
    {"one that goes on behind eight bytes", BYTES("\x01\x02\x03\x04\x05\x06\x07\x88\x01\x02"), 8, 1},
    {"one of ten bytes", BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02"), 1, 1},
    {"twenty", BYTES("\x01\x81\x01\x01\x01\x01\x01\x01\x01\x01\x01\x81\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x07\x07"), 20, 2},
    {"more than there are", BYTES("\x05\x06"), 3, SIZE_MAX},
    {"more than there are in eight bytes", BYTES("\x01\x02\x03\x04\x05\x06\x07\x08"), 9, SIZE_MAX},
    {"one that never ends", BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80"), 1, SIZE_MAX},
    {"of nothing", BYTES(""), 1, SIZE_MAX},
};

static void check_skip(void **state)
{
    const struct skip_row *row = *state;
    struct dec dec = dec_begin((struct gt_str){row->bytes, row->len}, NULL);
    dec_skip(&dec, row->count);
    assert_int_equal(dec.err, row->left == SIZE_MAX ? GT_ECORRUPT : GT_OK);
    if (row->left != SIZE_MAX) assert_int_equal(dec.end - dec.at, row->left);
}

static const struct bad_row bad_money[] = {
    {"19 zeroes", BYTES("\x13\x02")},
    {"a power of ten of nothing", BYTES("\x01\x00")},
    {"a zero that belongs to the power", BYTES("\x00\x14")},
    {"too large with its zeroes", BYTES("\x12\xc6\x01")},
};

static void check_bad_money(void **state)
{
    const struct bad_row *row = *state;
    struct dec dec = dec_begin((struct gt_str){row->bytes, row->len}, NULL);
    assert_true(dec_nano(&dec) == 0);
    assert_int_equal(dec_end(&dec), GT_ECORRUPT);
}

/* ---- whole shapes, drawn at random ---- */

static struct gt_str draw_text(struct arena *arena, uint64_t *random, int len_max)
{
    int len = random_below(random, len_max + 1);
    char *text = arena_alloc(arena, (size_t)len + 1);
    for (int i = 0; i < len; i++) text[i] = (char)random_below(random, 256);
    return (struct gt_str){text, (size_t)len};
}

static int64_t draw_number(uint64_t *random)
{
    int64_t number = (int64_t)(random_next(random) >> random_below(random, 64));
    return random_below(random, 2) == 0 ? number : -(number >> 1);
}

static struct currency draw_currency(uint64_t *random)
{
    static const char codes[][CURRENCY_MAX] = {"", "CNY", "USD", "X-SDD"};
    struct currency currency;
    memcpy(currency.code, codes[random_below(random, 4)], CURRENCY_MAX);
    return currency;
}

static const struct condition *draw_conditions(struct arena *arena, uint64_t *random, size_t *ret_count)
{
    size_t count = (size_t)random_below(random, CONDITIONS_MAX + 1);
    struct condition *conditions = arena_array(arena, count, sizeof *conditions);
    for (size_t i = 0; i < count; i++)
        conditions[i] = (struct condition){(enum cond_kind)random_below(random, COND_WORDS), draw_number(random),
                                           draw_text(arena, random, 8)};
    *ret_count = count;
    return conditions;
}

static struct quote draw_quote(struct arena *arena, uint64_t *random)
{
    struct quote quote = {.amount_nano = draw_number(random),
                          .amount_high_nano = random_below(random, 3) == 0 ? draw_number(random) : 0,
                          .currency = draw_currency(random),
                          .period = (enum period)random_below(random, PERIOD_WORDS),
                          .period_count = (int32_t)draw_number(random),
                          .basis = (enum basis)random_below(random, BASIS_WORDS),
                          .cards = (int32_t)draw_number(random),
                          .role = (enum role)random_below(random, ROLE_WORDS),
                          .bound = (enum bound)random_below(random, BOUND_WORDS),
                          .months = (int32_t)draw_number(random),
                          .is_upfront = (uint8_t)random_below(random, 2),
                          .tax = (enum tax)random_below(random, TAX_WORDS)};
    quote.conditions = draw_conditions(arena, random, &quote.condition_count);
    quote.raw = draw_text(arena, random, 20);
    quote.where = draw_text(arena, random, 20);
    return quote;
}

static struct discount draw_discount(struct arena *arena, uint64_t *random)
{
    struct discount discount = {.factor_nano = draw_number(random),
                                .factor_alt_nano = draw_number(random),
                                .amount_off_nano = draw_number(random),
                                .currency = draw_currency(random),
                                .stacks = (enum stacks)random_below(random, STACKS_WORDS),
                                .is_inferred = (uint8_t)random_below(random, 2),
                                .is_upto = (uint8_t)random_below(random, 2)};
    discount.conditions = draw_conditions(arena, random, &discount.condition_count);
    discount.raw = draw_text(arena, random, 20);
    return discount;
}

static struct offer_record draw_record(struct arena *arena, uint64_t *random)
{
    struct offer_record record = {.availability = (enum availability)random_below(random, AVAIL_WORDS),
                                  .currency = draw_currency(random),
                                  .hour_list_nano = draw_number(random),
                                  .month_list_nano = draw_number(random),
                                  .quote_count = (size_t)random_below(random, OFFER_QUOTES_MAX + 1),
                                  .discount_count = (size_t)random_below(random, OFFER_DISCOUNTS_MAX + 1)};
    struct quote *quotes = arena_array(arena, record.quote_count, sizeof *quotes);
    struct discount *discounts = arena_array(arena, record.discount_count, sizeof *discounts);
    for (size_t i = 0; i < record.quote_count; i++) quotes[i] = draw_quote(arena, random);
    for (size_t i = 0; i < record.discount_count; i++) discounts[i] = draw_discount(arena, random);
    record.quotes = quotes;
    record.discounts = discounts;
    return record;
}

static void draw_run(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct run_row_stored row = {.seq = 1000,
                                 .t_unix_s = draw_number(random),
                                 .status = (enum part_status)random_below(random, STATUS_WORDS),
                                 .is_good = random_below(random, 2) == 0,
                                 .is_content = true,
                                 .good_before = (uint64_t)random_below(random, 1000),
                                 .latency_ms = draw_number(random),
                                 .rows_found = 12,
                                 .offers_seen = 7};
    struct step *steps = arena_array(arena, 20, sizeof *steps);
    row.step_count = (size_t)random_below(random, 20);
    for (size_t i = 0; i < row.step_count; i++)
        steps[i] = (struct step){.code = (enum step_code)(1 + random_below(random, STEP_CODES - 1)),
                                 .offer = (uint32_t)i * 3,
                                 .kinds = (uint32_t)random_below(random, 1 << CHANGE_WORDS),
                                 .after = 5,
                                 .first = 9};
    row.steps = steps;
    enc_run(buf, &row);
}

/* One shape: drawn and encoded, decoded and encoded again. */
struct shape_row {
    const char *name;
    void (*draw)(struct arena *arena, uint64_t *random, struct strbuf *buf);
    again_fn *again;
};

static void record_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct offer_record record = draw_record(arena, random);
    enc_record(buf, &record);
}

static void attributes_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct offer_attributes attributes = {.sku = "NVIDIA-RTX-4090",
                                          .sku_status = SKU_EXACT,
                                          .vram_gb = (int32_t)draw_number(random),
                                          .vram_printed_gb = (int32_t)draw_number(random),
                                          .cards = (int32_t)draw_number(random),
                                          .delivery = DELIVERY_VM,
                                          .candidates = draw_text(arena, random, 40),
                                          .interconnect = draw_text(arena, random, 9)};
    enc_attributes(buf, &attributes);
}

static void identity_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct offer_identity identity = {.part = draw_text(arena, random, 9),
                                      .label = draw_text(arena, random, 30),
                                      .plan = draw_text(arena, random, 9),
                                      .region = draw_text(arena, random, 9),
                                      .variant = draw_text(arena, random, 9),
                                      .key = draw_text(arena, random, 9)};
    enc_identity(buf, draw_text(arena, random, 9), &identity);
}

static void page_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct run_page page = {.warc_file = (uint32_t)random_below(random, 1000),
                            .warc_offset = draw_number(random),
                            .record_id = draw_text(arena, random, 30)};
    if (random_below(random, 2) == 0) page.record_id = GT_STR("urn:uuid:0123abcd-4567-89ef-0123-456789abcdef");
    if (random_below(random, 2) == 0) digest_of(7, page.sha256);
    enc_page(buf, &page);
}

static void facts_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct facts facts = {.title = draw_text(arena, random, 9),
                          .url = draw_text(arena, random, 30),
                          .kind = KIND_MARKET,
                          .net_rules = {.hours_per_month = 730, .round_month_nano = draw_number(random)},
                          .is_sample = true};
    enc_facts(buf, &facts);
}

static enum gt_err run_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct run_row_stored row;
    enum gt_err err = dec_run(&(struct run_place){1000, 1780000000, bytes}, arena, &row);
    if (err == GT_OK) enc_run(buf, &row);
    return err;
}

static void latest_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct part_state state;
    part_state_init(&state, arena, false);
    state.facts = 3;
    for (int i = random_below(random, 30); i > 0; i--) {
        struct slot *slot = part_slot_add(&state, (uint32_t)(1 + state.count * 2));
        slot->is_listed = true;
        slot->good.record = (uint32_t)random_below(random, 3);
        slot->good.first = slot->good.record != 0 ? (uint64_t)random_below(random, 1000) : 0;
        slot->good.shown = slot->good.first + (uint64_t)random_below(random, 9);
        slot->listed_since = (uint64_t)random_below(random, 1000);
        slot->doubt.record = (uint32_t)random_below(random, 3);
        slot->doubt.attr = (uint32_t)random_below(random, 3);
    }
    enc_latest(buf, &state);
}

static void stock_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct stock *items = arena_array(arena, 30, sizeof *items);
    size_t count = (size_t)random_below(random, 30);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct stock){
            .offer = (uint32_t)(i + 1) * 2, .units = draw_number(random), .confidence_permille = random_below(random, 1001)};
    enc_stock(buf, (uint32_t)random_below(random, STOCK_KEY_EVERY), items, count);
}

static struct gt_str draw_run_bytes(struct arena *arena, uint64_t *random)
{
    struct strbuf buf;
    strbuf_init(&buf, RUN_BYTES_MAX);
    draw_run(arena, random, &buf);
    struct gt_str bytes = arena_dup(arena, strbuf_str(&buf));
    strbuf_done(&buf);
    return bytes;
}

/* Clocks jump; the last rows may lie behind others of the stream. Only what is packed has to consist of runs. */
static void draw_block(struct arena *arena, uint64_t *random, bool is_packed, struct strbuf *buf)
{
    struct run_place rows[40];
    struct run_block block = {.is_packed = is_packed, .rows = rows, .count = 1 + (size_t)random_below(random, 40), .earliest_unix_s = INT64_MAX, .latest_unix_s = INT64_MIN};
    for (size_t i = 0; i < block.count; i++) {
        rows[i] = (struct run_place){i > 0 ? rows[i - 1].seq + 1 + (uint64_t)random_below(random, 900) : 1000,
                                     1780000000 + random_below(random, 100000),
                                     is_packed ? draw_run_bytes(arena, random) : draw_text(arena, random, 40)};
        if (rows[i].t_unix_s < block.earliest_unix_s) block.earliest_unix_s = rows[i].t_unix_s;
        if (rows[i].t_unix_s > block.latest_unix_s) block.latest_unix_s = rows[i].t_unix_s;
    }
    block.so_far_unix_s = block.latest_unix_s + random_below(random, 3) * 500;
    enc_block(buf, &block);
}

static void block_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    draw_block(arena, random, false, buf);
}

static void packed_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    draw_block(arena, random, true, buf);
}

/* Some doubted, beside what stands or alone. */
static void price_row_draw(struct arena *arena, uint64_t *random, struct strbuf *buf)
{
    struct offer_price price = {.offer_id = 0};
    (void)arena;
    enc_price_row(buf);
    for (int count = random_below(random, 40); count > 0; count--) {
        uint64_t last = price.offer_id;
        bool is_second = last != 0 && !price.is_doubted && random_below(random, 4) == 0;
        price = (struct offer_price){.offer_id = is_second ? last : last + 1 + (uint64_t)random_below(random, 20),
                                     .price = {draw_number(random), random_below(random, 2) == 0, (enum availability)random_below(random, AVAIL_WORDS)},
                                     .is_doubted = is_second || random_below(random, 4) == 0};
        enc_price(buf, last, &price);
    }
}

static enum gt_err block_again(struct gt_str bytes, struct arena *arena, struct strbuf *buf)
{
    struct run_block block = {.rows = NULL};
    (void)arena;
    enum gt_err err = dec_block(bytes, 1000, &block);
    if (err == GT_OK) enc_block(buf, &block);
    run_block_done(&block);
    return err;
}

static const struct shape_row shapes[] = {
    {"a record", record_draw, record_again},
    {"attributes", attributes_draw, attributes_again},
    {"an identity", identity_draw, identity_again},
    {"a page", page_draw, page_again},
    {"facts", facts_draw, facts_again},
    {"a run's row", draw_run, run_again},
    {"a block of runs", block_draw, block_again},
    {"a packed block of runs", packed_draw, block_again},
    {"a latest block", latest_draw, latest_again},
    {"the prices beside it", price_row_draw, price_row_again},
    {"a row of stock counts", stock_draw, stock_again},
};

/* Bytes with a few of them changed, cut off or added. */
static struct gt_str damage(struct arena *arena, uint64_t *random, struct gt_str bytes)
{
    struct gt_str copy = arena_dup(arena, bytes);
    char *at = (char *)(uintptr_t)copy.ptr;
    for (int i = random_below(random, 4); i >= 0 && copy.len > 0; i--)
        at[random_below(random, (int)copy.len)] = (char)random_below(random, 256);
    if (random_below(random, 4) == 0) copy.len = (size_t)random_below(random, (int)copy.len + 1);
    return copy;
}

/* Decoded and encoded again, the bytes are the same; damaged ones are refused, or mean something that can be encoded. */
static void check_shape(void **state)
{
    const struct shape_row *row = *state;
    uint64_t random = 42;
    struct arena *arena = arena_new(FIXTURE_ARENA_MAX);
    struct strbuf first, second;
    size_t refused = 0;
    strbuf_init(&first, CODEC_VALUE_MAX);
    strbuf_init(&second, CODEC_VALUE_MAX);
    for (int i = 0; i < HOSTILE_ROUNDS; i++) {
        arena_clear(arena);
        strbuf_clear(&first);
        strbuf_clear(&second);
        row->draw(arena, &random, &first);
        assert_int_equal(first.err, GT_OK);
        assert_int_equal(row->again(strbuf_str(&first), arena, &second), GT_OK);
        assert_true(gt_str_eq(strbuf_str(&first), strbuf_str(&second)));
        for (int j = 0; j < MUTATIONS; j++) {
            strbuf_clear(&second);
            enum gt_err err = row->again(damage(arena, &random, strbuf_str(&first)), arena, &second);
            assert_true(err == GT_ECORRUPT || (err == GT_OK && second.err == GT_OK));
            refused += err != GT_OK;
        }
    }
    assert_true(refused > HOSTILE_ROUNDS);
    strbuf_done(&first);
    strbuf_done(&second);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(numbers, check_number) + TABLE_RUN(bad_numbers, check_bad_number) + TABLE_RUN(bad_money, check_bad_money) + TABLE_RUN(texts, check_text) +
           TABLE_RUN(skips, check_skip) + TABLE_RUN(shapes, check_shape);
}
