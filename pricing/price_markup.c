/* Cells are cut from pages whose markup was written twice ("&amp;nbsp;"), from Markdown and from JSON that holds HTML. What is left
 * of it stands between an amount and its unit, where one unknown word is enough to part them: "$3.49* / hr". */
#include "pricing/price_markup.h"

#include <stdbool.h>
#include <string.h>

enum { TAG_BYTES_MAX = 128 /* a longer "<…>" is a comparison, or text */ };

/* What a named character becomes; blanks fill the rest of its bytes. */
static const struct {
    const char *name, *sign;
} entities[] = {
    {"&nbsp;", ""}, {"&ensp;", ""},   {"&emsp;", ""},    {"&thinsp;", ""}, {"&#160;", ""},   {"&#xa0;", ""},
    {"&#8239;", ""}, {"&#x202f;", ""}, {"&#8201;", ""}, {"&#x2009;", ""}, {"&#47;", "/"}, {"&sol;", "/"},
    {"&yen;", "¥"}, {"&#165;", "¥"},  {"&#65509;", "¥"}, {"&euro;", "€"},  {"&pound;", "£"}, {"&dollar;", "$"},
    {"&amp;", "&"}, {"&quot;", "\""}, {"&middot;", "·"}, {"&times;", "×"},
};

/* A letter that can begin a tag's name; the text is in small letters. */
static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Overwrites a named character at `at`. Returns its bytes, 0 when none stands there. */
static size_t entity_blank(char *bytes, size_t at, size_t len)
{
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        size_t size = strlen(entities[i].name);
        if (size > len - at || memcmp(bytes + at, entities[i].name, size) != 0) continue;
        memset(bytes + at, ' ', size);
        memcpy(bytes + at, entities[i].sign, strlen(entities[i].sign));
        return size;
    }
    return 0;
}

/* "<del>" and "</b>", but not "< 5 元": a name must follow the bracket. */
static size_t tag_blank(char *bytes, size_t at, size_t len)
{
    size_t name = at + 1 < len && bytes[at + 1] == '/' ? at + 2 : at + 1;
    if (name >= len || !is_letter(bytes[name])) return 0;
    size_t most = len - at < TAG_BYTES_MAX ? len - at : TAG_BYTES_MAX;
    const char *end = memchr(bytes + at, '>', most);
    if (end == NULL) return 0;
    size_t size = (size_t)(end - (bytes + at)) + 1;
    memset(bytes + at, ' ', size);
    return size;
}

/* Two or more of a kind are emphasis; nothing is multiplied by "**". */
static size_t emphasis_blank(char *bytes, size_t at, size_t len)
{
    size_t size = 1;
    while (at + size < len && bytes[at + size] == bytes[at]) size++;
    if (size > 1) memset(bytes + at, ' ', size);
    return size;
}

/* "$3.49* / hr" and "¥1.98*起": a single star glued to a figure refers to a foot note when no figure or name follows that it
 * could multiply: "2*H100" and "8* 910B" do. */
static void note_blank(char *bytes, size_t at, size_t len)
{
    size_t next = at + 1;
    if (at == 0 || bytes[at - 1] < '0' || bytes[at - 1] > '9') return;
    while (next < len && bytes[next] == ' ') next++;
    bool is_unit = next < len && (bytes[next] == '/' || bytes[next] == '(' || bytes[next] == ',');
    bool is_per = len - at > 4 && next + 3 < len && memcmp(bytes + next, "per", 3) == 0;
    if (is_unit || is_per) bytes[at] = ' ';
}

/* "449,- per maand", "1.290,–": a dash for no cents. Nothing of the number may follow it. */
static size_t dash_blank(char *bytes, size_t at, size_t len)
{
    size_t end = at + 1;
    if (at == 0 || bytes[at - 1] < '0' || bytes[at - 1] > '9') return 0;
    while (end < len && (bytes[end] == '-' || (len - end >= 3 && memcmp(bytes + end, "–", 3) == 0)))
        end += bytes[end] == '-' ? 1 : 3;
    bool is_end = end > at + 1 && (end == len || bytes[end] == ' ' || bytes[end] == '/' || (unsigned char)bytes[end] >= 0x80);
    if (!is_end) return 0;
    memset(bytes + at, ' ', end - at);
    return end - at;
}

/* Blanked in place, byte for byte: offsets stay those of the printed text. */
void price_markup_blank(char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t size = 0;
        if (bytes[at] == '&') size = entity_blank(bytes, at, len);
        else if (bytes[at] == '<') size = tag_blank(bytes, at, len);
        else if (bytes[at] == ',' || bytes[at] == '.') size = dash_blank(bytes, at, len);
        else if (bytes[at] == '*') size = emphasis_blank(bytes, at, len);
        if (size == 1 && bytes[at] == '*') note_blank(bytes, at, len);
        at += size > 0 ? size : 1;
    }
}
