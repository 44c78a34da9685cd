#include "web/feed_text.h"

#include "common/utf8.h"

void feed_text(struct out *out, struct gt_str text, struct arena *arena)
{
    struct gt_str printable = text.len > 0 ? utf8_printable(text, arena) : text;
    size_t from = 0, step;
    for (size_t at = 0; at < printable.len; at += step) {
        const char *entity = NULL;
        int32_t c = utf8_decode(printable, at, &step);
        if (c == '&') entity = "&amp;";
        else if (c == '<') entity = "&lt;";
        else if (c == '>') entity = "&gt;";
        else if (c == '"') entity = "&quot;";
        else if (c == 0xFFFE || c == 0xFFFF) entity = "\\u{FFFE}";
        if (entity == NULL) continue;
        out_str(out, gt_str_slice(printable, from, at - from));
        out_text(out, entity);
        from = at + step;
    }
    out_str(out, gt_str_slice(printable, from, SIZE_MAX));
}
