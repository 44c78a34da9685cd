#include "parsers/page_kind.h"

/* Types by a part of their name, in the order tried. */
static const struct {
    struct gt_str part;
    enum page_kind kind;
} TYPES[] = {
    {{"html", 4}, PAGE_HTML},     {{"json", 4}, PAGE_JSON}, {{"javascript", 10}, PAGE_TEXT}, {{"ecmascript", 10}, PAGE_TEXT},
    {{"markdown", 8}, PAGE_TEXT}, {{"csv", 3}, PAGE_TEXT},  {{"xml", 3}, PAGE_HTML},
};

static bool contains_nocase(struct gt_str text, struct gt_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if (gt_str_eq_nocase(gt_str_slice(text, i, part.len), part)) return true;
    }
    return false;
}

/* A tag that begins a document: `<!doctype`, `<html` and the like. */
static bool begins_markup(struct gt_str text)
{
    static const struct gt_str BEGINNINGS[] = {{"<!doctype", 9}, {"<html", 5}, {"<head", 5}, {"<body", 5},  {"<!--", 4},
                                               {"<?xml", 5},     {"<meta", 5}, {"<div", 4},  {"<table", 6}, {"<section", 8}};
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof BEGINNINGS[0]; i++) {
        if (gt_str_eq_nocase(gt_str_slice(text, 0, BEGINNINGS[i].len), BEGINNINGS[i])) return true;
    }
    return false;
}

/* `{"`, `[{`, `[` before a value: what JSON begins with and markdown (`[link]`) does not. */
static bool begins_json(struct gt_str text)
{
    if (text.len < 2 || (text.ptr[0] != '{' && text.ptr[0] != '[')) return false;
    struct gt_str rest = gt_str_trim(gt_str_slice(text, 1, SIZE_MAX));
    return rest.len > 0 && strchr(text.ptr[0] == '{' ? "\"}" : "{[\"]-0123456789", rest.ptr[0]) != NULL;
}

/* The server's word where it is one that is known; else the first bytes. */
enum page_kind page_kind(const struct decoded_page *page)
{
    struct gt_str type = page->input->content_type, rest = type;
    gt_str_split(&rest, ';', &type);
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (contains_nocase(type, TYPES[i].part)) return TYPES[i].kind;
    }
    struct gt_str text = gt_str_trim(page->text);
    if (begins_markup(text)) return PAGE_HTML;
    return begins_json(text) ? PAGE_JSON : PAGE_TEXT;
}
