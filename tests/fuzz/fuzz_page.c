/* Pages to offers. Input: a byte for the rules, a Content-Type line, then the page. Whatever a page is, its listings have labels,
 * texts are clean, offers keep to the shapes, the same page gives the same, and what is read can be stored. */
#include "common/utf8.h"
#include "parsers/extract.h"
#include "pricing/listing.h"
#include "store/codec.h"
#include "tests/fuzz/fuzz.h"

enum { ARENA_BYTES_MAX = EXTRACT_ARENA_MAX, RULES = 6 };

/* One section an extractor; the sixth, `auto`, needs none. */
static const char rules_text[] = "[site 0]\nurl = https://x.example/\ncurrency = CNY\nextract = table\nrows = "
                                 "//table//tr[td]\nlabel = td[1]\nprice.hour = td[2]\n"
                                 "price.month = td[3]\nstock = td[4]\nfollow = //a/@href\n"
                                 "[site 1]\nurl = https://x.example/\nextract = table\nlabel = 型号\nprice = 价格\nvram = 显存\n"
                                 "[site 2]\nurl = https://x.example/\nextract = json\nrows = .. | objects | select(.price?) | "
                                 "{label: .name, price: .price, region: .region}\n"
                                 "currency = USD\nperiod = hour\n"
                                 "[site 3]\nurl = https://x.example/\nextract = markdown\nlabel = GPU\nprice = Price\n"
                                 "[site 4]\nurl = https://x.example/\nextract = text\nrows = /(?<label>RTX "
                                 "\\d+)[^\\n]{0,40}?(?<price>[¥$][\\d.]+[^\\n]{0,20})/\n";

static bool is_clean(struct gt_str text)
{
    for (size_t at = 0, len = 0; at < text.len; at += len) {
        int32_t c = utf8_decode(text, at, &len);
        if (c == 0 || (c == 0xFFFD && len != 3)) return false;
    }
    return true;
}

static void check_listings(const struct extraction *extraction)
{
    FUZZ_CHECK("lists fit", extraction->count <= LISTINGS_MAX && extraction->follow_count <= EXTRACT_FOLLOW_MAX);
    for (size_t i = 0; i < extraction->follow_count; i++) {
        struct gt_str url = extraction->follow[i];
        FUZZ_CHECK("what is followed is an address",
                   gt_str_starts(url, GT_STR("https://")) || gt_str_starts(url, GT_STR("http://")));
    }
    for (size_t i = 0; i < extraction->count; i++) {
        const struct listing *listing = &extraction->listings[i];
        FUZZ_CHECK("fields fit", listing->field_count > 0 && listing->field_count <= LISTING_FIELDS_MAX);
        FUZZ_CHECK("a label", listing_get(listing, "label").len > 0);
        FUZZ_CHECK("a confidence in permille", listing->confidence_permille >= 0 && listing->confidence_permille <= 1000);
        for (size_t j = 0; j < listing->field_count; j++) {
            const struct listing_field *field = &listing->fields[j];
            bool is_good = is_clean(field->text) && is_clean(field->header);
            if (!is_good)
                fprintf(stderr, "%.*s|%.*s|%.*s\n", GT_STR_ARG(field->name), GT_STR_ARG(field->text), GT_STR_ARG(field->header));
            FUZZ_CHECK("clean texts", is_good);
        }
    }
}

/* What is read can be stored and comes back. */
static void check_stored(const struct offer_record *record, struct arena *arena)
{
    struct strbuf buf, twice;
    struct offer_record again;
    strbuf_init(&buf, CODEC_VALUE_MAX);
    strbuf_init(&twice, CODEC_VALUE_MAX);
    enc_record(&buf, record);
    FUZZ_CHECK("a record can be stored", buf.err == GT_OK);
    FUZZ_CHECK("and read back", dec_record(strbuf_str(&buf), arena, &again) == GT_OK);
    enc_record(&twice, &again);
    FUZZ_CHECK("as it was", gt_str_eq(strbuf_str(&buf), strbuf_str(&twice)));
    strbuf_done(&buf);
    strbuf_done(&twice);
}

static void check_offers(const struct reading *reading, struct arena *arena)
{
    for (size_t i = 0; i < reading->offer_count; i++) {
        const struct offer *offer = &reading->offers[i];
        const struct offer_record *record = &offer->record;
        FUZZ_CHECK("an offer has a label", offer->identity.label.len > 0 && offer->identity.label.len <= OFFER_TEXT_MAX);
        FUZZ_CHECK("lists fit", record->quote_count <= OFFER_QUOTES_MAX && record->discount_count <= OFFER_DISCOUNTS_MAX);
        FUZZ_CHECK("prices are not negative", record->hour_list_nano >= 0 && record->month_list_nano >= 0);
        FUZZ_CHECK("counts are counts",
                   offer->attributes.cards >= 0 && offer->attributes.cards <= CARDS_MAX && offer->stock >= -1);
        for (size_t j = 0; j < record->quote_count; j++) FUZZ_CHECK("no negative amount", record->quotes[j].amount_nano >= 0);
        check_stored(record, arena);
    }
    for (size_t i = 0; i < reading->refused_count; i++) FUZZ_CHECK("a refusal has a reason", reading->refused[i].reason.len > 0);
}

static void check_page(const struct site_rules *rules, const struct site_facts *facts, const struct page_input *page)
{
    struct arena *arena = arena_new(ARENA_BYTES_MAX);
    struct extraction extraction = {0}, again = {0};
    struct reading reading, reading_again;
    struct gt_errinfo info = {0};
    if (arena == NULL) exit(1);
    enum gt_err err = page_extract(rules, page, arena, &extraction, &info);
    FUZZ_CHECK("a known result", err == GT_OK || err == GT_ENOROWS || err == GT_EFORMAT || err == GT_ELIMIT);
    FUZZ_CHECK("a failure has a sentence", err == GT_OK || info.text[0] != '\0');
    if (err == GT_OK) {
        check_listings(&extraction);
        FUZZ_CHECK("the same again", page_extract(rules, page, arena, &again, &info) == GT_OK && again.count == extraction.count);
        err = listing_read(extraction.listings, extraction.count, facts, GT_STR("page"), arena, &reading);
        FUZZ_CHECK("read, or too much", err == GT_OK || err == GT_ELIMIT);
    }
    if (err == GT_OK) {
        check_offers(&reading, arena);
        err = listing_read(again.listings, again.count, facts, GT_STR("page"), arena, &reading_again);
        FUZZ_CHECK("the same offers again", err == GT_OK && reading.offer_count == reading_again.offer_count);
    }
    arena_free(arena);
}

/* The compiled rules, made once: compiling costs more than most pages. */
struct fuzz_rules {
    struct conf *conf;
    struct site_rules *rules[RULES];
    struct site_facts facts[RULES];
};

static struct fuzz_rules made;

/* libjq points at the end of its memory only, which looks lost to the leak detector: so it is given back. */
static void rules_done(void)
{
    for (size_t i = 0; i < RULES; i++) site_rules_free(made.rules[i]);
    conf_free(made.conf);
}

static void rules_make(struct fuzz_rules *ret)
{
    struct gt_errinfo info = {0};
    ret->conf = conf_new();
    enum gt_err err = ret->conf != NULL ? conf_read_text(ret->conf, "rules", GT_STR(rules_text), &info) : GT_ENOMEM;
    for (size_t i = 0; i < RULES && err == GT_OK; i++) {
        char name[] = {(char)('0' + i), '\0'};
        const struct conf_section *section = conf_find(ret->conf, "site", gt_str_from(name));
        err = section != NULL ? site_rules_new(section, &ret->rules[i], &info) : site_rules_auto(&ret->rules[i], &info);
        if (err == GT_OK) err = site_facts_from_conf(section, &ret->facts[i], &info);
    }
    if (err != GT_OK) fprintf(stderr, "%s\n", info.text);
    FUZZ_CHECK("the rules compile", err == GT_OK && atexit(rules_done) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (made.conf == NULL) rules_make(&made);
    if (size == 0) return 0;
    struct gt_str rest = fuzz_input(data + 1, size - 1);
    struct gt_str type = fuzz_copy(fuzz_line(&rest)), body = fuzz_copy(rest);
    const struct page_input page = {.body = body, .url = GT_STR("https://x.example/prices/"), .content_type = type};
    size_t which = data[0] % RULES;
    check_page(made.rules[which], &made.facts[which], &page);
    fuzz_free(type);
    fuzz_free(body);
    return 0;
}
