/* A text of lines, so that it can be read in a dump of the store. */
#include "crawler/validators.h"

#include "common/digest.h"
#include "common/strbuf.h"

/* Lines of `word rest`; a "page" line begins a page. A version in front: a value of another one is as good as none. */
static const char version_line[] = "validators 1";

/* Sixty-five pages of the longest addresses and tags fit. */
enum { VALUE_BYTES_MAX = 1024 * 1024 };

struct gt_str validators_key(struct gt_str site, struct gt_str part, struct arena *arena)
{
    return arena_printf(arena, "%.*s\n%.*s", GT_STR_ARG(site), GT_STR_ARG(part));
}

/* One line. A text that holds a line break would be read back as something else, so the whole value is given up. */
static void add_line(struct strbuf *buf, const char *word, struct gt_str text)
{
    if (text.len == 0) return;
    if (memchr(text.ptr, '\n', text.len) != NULL && buf->err == GT_OK) buf->err = GT_EFORMAT;
    strbuf_addf(buf, "%s %.*s\n", word, GT_STR_ARG(text));
}

/* The lines of one page. */
static void add_page(struct strbuf *buf, const struct known_page *page)
{
    char hex[SHA256_HEX_MAX];
    digest_hex(page->body_sha256, sizeof page->body_sha256, hex);
    add_line(buf, "page", page->url);
    if (!gt_str_eq(page->url, page->final_url)) add_line(buf, "final", page->final_url);
    add_line(buf, "etag", page->etag);
    add_line(buf, "modified", page->modified);
    add_line(buf, "wire", page->wire_digest);
    add_line(buf, "body", gt_str_from(hex));
    add_line(buf, "record", page->record_id);
    strbuf_addf(buf, "date %lld\n", (long long)page->record_unix_s);
}

/* With the version of the rules: entity tags of a page that was read by others would let the new ones never see it. */
struct gt_str validators_print(const struct known_part *known, struct arena *arena)
{
    struct strbuf buf;
    struct gt_str value = {NULL, 0};
    strbuf_init(&buf, VALUE_BYTES_MAX);
    strbuf_addf(&buf, "%s\n", version_line);
    add_line(&buf, "rule", known->rule_version);
    strbuf_addf(&buf, "full %lld\n", (long long)known->full_unix_s);
    for (size_t i = 0; i < known->page_count; i++) add_page(&buf, &known->pages[i]);
    if (buf.err == GT_OK) value = arena_dup(arena, strbuf_str(&buf));
    strbuf_done(&buf);
    return value;
}

/* A decimal number of at most 18 digits. */
static bool number_read(struct gt_str text, int64_t *ret_number)
{
    int64_t number = 0;
    bool is_negative = text.len > 0 && text.ptr[0] == '-';
    struct gt_str digits = gt_str_slice(text, is_negative, SIZE_MAX);
    if (digits.len == 0 || digits.len > 18) return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9') return false;
        number = number * 10 + (digits.ptr[i] - '0');
    }
    *ret_number = is_negative ? -number : number;
    return true;
}

/* One line of a page. Words that are not known are passed over. */
static bool page_line(struct known_page *page, struct gt_str word, struct gt_str text)
{
    if (gt_str_is(word, "body")) return digest_hex_read(text, page->body_sha256, sizeof page->body_sha256);
    if (gt_str_is(word, "date")) return number_read(text, &page->record_unix_s);
    if (gt_str_is(word, "final")) page->final_url = text;
    else if (gt_str_is(word, "etag")) page->etag = text;
    else if (gt_str_is(word, "modified")) page->modified = text;
    else if (gt_str_is(word, "wire")) page->wire_digest = text;
    else if (gt_str_is(word, "record")) page->record_id = text;
    return true;
}

/* One line of the value. False for one that cannot be: then nothing of the value is believed. */
static bool line_read(struct known_part *known, struct gt_str line)
{
    size_t blank = gt_str_find(line, GT_STR(" "), 0);
    struct gt_str word = gt_str_slice(line, 0, blank), text = {NULL, 0};
    if (blank != SIZE_MAX) text = gt_str_slice(line, blank + 1, SIZE_MAX);
    if (gt_str_is(word, "rule")) {
        known->rule_version = text;
        return true;
    }
    if (gt_str_is(word, "full")) return number_read(text, &known->full_unix_s);
    if (gt_str_is(word, "page")) {
        if (known->page_count == VALIDATOR_PAGES_MAX) return false;
        known->pages[known->page_count++] = (struct known_page){.url = text, .final_url = text};
        return true;
    }
    return known->page_count > 0 ? page_line(&known->pages[known->page_count - 1], word, text) : true;
}

/* What cannot be read is no memory: the page is then fetched in full, once. */
bool validators_parse(struct gt_str value, struct known_part *ret_known)
{
    struct gt_str rest = value, line;
    ret_known->rule_version = (struct gt_str){NULL, 0};
    ret_known->full_unix_s = 0;
    ret_known->page_count = 0;
    if (!gt_str_split(&rest, '\n', &line) || !gt_str_is(line, version_line)) return false;
    while (gt_str_split(&rest, '\n', &line))
        if (line.len > 0 && !line_read(ret_known, line)) return false;
    return ret_known->page_count > 0;
}

const struct known_page *validators_find(const struct known_part *known, struct gt_str url)
{
    for (size_t i = 0; i < known->page_count; i++)
        if (gt_str_eq(known->pages[i].url, url)) return &known->pages[i];
    return NULL;
}
