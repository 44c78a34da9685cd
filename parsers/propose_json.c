/* Arrays of JSON objects, and objects whose keys are the labels, by a jq program; in the page itself or in a script of it. All
 * arrays that lie at one path (`.regions[].cards[]`) are taken together. */
#include <libxml/tree.h>
#include <stdio.h>

#include "common/strbuf.h"
#include "parsers/html_tree.h"
#include "parsers/jnode.h"
#include "parsers/propose_example.h"

enum {
    PATH_MAX_BYTES = 400,
    PATHS_MAX = 64, /* paths of one page that hold objects */
    SCRIPTS_MAX = 200,
    DEPTH_MAX = 24,
    NESTED_MAX = 4, /* objects within a row that are looked into */
    LIST_MAX = 8,   /* members of a list within a row that are places of their own */
    SCRIPT_BYTES_MIN = 40,
    NAME_BYTES_MAX = 64, /* of a variable */
    PROGRAM_BYTES_MAX = 8 * 1024,
    TRIES_MAX = 50, /* brackets of a script that may begin a value */
};

/* Rows at one path, and what they hold. */
struct path_rows {
    struct gt_str path;                       /* jq, up to the rows: ".data.list[]"; with keys as rows: ".cards | to_entries[]" */
    struct gt_str places[PROPOSE_PLACES_MAX]; /* jq paths within a row: ".price.hour" */
    size_t place_count;
    struct example *examples;
    size_t example_count;
    bool has_keys;
};

/* Where the JSON is: lines of a section before `rows`. */
struct holder {
    struct propose *propose;
    struct gt_str lines;
    struct path_rows *paths;
    size_t path_count;
};

/* ---- paths ---- */

/* Adds ".key" or "[\"odd key\"]". */
static void add_key(struct strbuf *path, struct gt_str key)
{
    bool is_plain = key.len > 0 && !(key.ptr[0] >= '0' && key.ptr[0] <= '9');
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        is_plain &= c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    }
    if (is_plain) {
        strbuf_addf(path, ".%.*s", GT_STR_ARG(key));
        return;
    }
    /* jq 1.6 wants the dot at the beginning only. */
    strbuf_adds(path, path->len == 0 ? ".[\"" : "[\"");
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        if (c == '"' || c == '\\') strbuf_addc(path, '\\');
        if ((unsigned char)c >= ' ') strbuf_addc(path, c);
        else path->err = GT_EFORMAT; /* nothing that a section should quote */
    }
    strbuf_adds(path, "\"]");
}

/* Rows of all arrays at one path are one list: prices by region lie in an array a region. */
static struct path_rows *path_find(struct holder *holder, struct gt_str path, bool has_keys)
{
    for (size_t i = 0; i < holder->path_count; i++)
        if (gt_str_eq(holder->paths[i].path, path)) return &holder->paths[i];
    if (holder->path_count == PATHS_MAX) return NULL;
    struct path_rows *rows = &holder->paths[holder->path_count];
    rows->path = arena_dup(holder->propose->arena, path);
    rows->has_keys = has_keys;
    rows->examples = arena_array(holder->propose->arena, holder->propose->count + 1, sizeof *rows->examples);
    if (rows->path.ptr == NULL || rows->examples == NULL) return NULL;
    holder->path_count++;
    return rows;
}

/* ---- rows ---- */

/* The number of the place with this path, a new one where it is not known; SIZE_MAX past the limit. */
static size_t place_of(struct path_rows *rows, struct gt_str path, struct arena *arena)
{
    for (size_t i = 0; i < rows->place_count; i++)
        if (gt_str_eq(rows->places[i], path)) return i;
    if (rows->place_count == PROPOSE_PLACES_MAX) return SIZE_MAX;
    rows->places[rows->place_count] = arena_dup(arena, path);
    return rows->places[rows->place_count].ptr != NULL ? rows->place_count++ : SIZE_MAX;
}

/* Past the limit of places a row is no list of prices, and the rest is not looked at. */
static void put_cell(struct path_rows *rows, struct gt_str path, struct gt_str text, struct gt_str *cells, struct arena *arena)
{
    size_t place = place_of(rows, path, arena);
    if (place != SIZE_MAX) cells[place] = text;
}

/* The scalars of a row, those of objects within it too. */
static void put_scalars(struct path_rows *rows, const struct jnode *object, struct gt_str above, int depth, struct gt_str *cells,
                        struct arena *arena);

/* The scalars of objects in a short list within a row: `.prices[0].amount`. */
static void put_list(struct path_rows *rows, const struct jnode *list, struct gt_str above, int depth, struct gt_str *cells,
                     struct arena *arena)
{
    size_t number = 0;
    for (const struct jnode *child = list->children; child != NULL && list->count <= LIST_MAX; child = child->next, number++) {
        struct gt_str own = arena_printf(arena, "%.*s[%zu]", GT_STR_ARG(above), number);
        if (own.ptr != NULL && child->kind == JNODE_OBJECT) put_scalars(rows, child, own, depth + 1, cells, arena);
    }
}

static void put_scalars(struct path_rows *rows, const struct jnode *object, struct gt_str above, int depth, struct gt_str *cells,
                        struct arena *arena)
{
    for (const struct jnode *child = object->children; child != NULL; child = child->next) {
        struct strbuf path;
        strbuf_init(&path, PATH_MAX_BYTES);
        strbuf_add(&path, above);
        add_key(&path, child->key);
        struct gt_str own = strbuf_str(&path);
        if (path.err == GT_OK && (child->kind == JNODE_STRING || child->kind == JNODE_NUMBER))
            put_cell(rows, own, child->text, cells, arena);
        else if (path.err == GT_OK && child->kind == JNODE_OBJECT && depth < NESTED_MAX)
            put_scalars(rows, child, own, depth + 1, cells, arena);
        else if (path.err == GT_OK && child->kind == JNODE_ARRAY && depth < NESTED_MAX)
            put_list(rows, child, own, depth, cells, arena);
        strbuf_done(&path);
    }
}

/* A scalar of the object that the row lies in: `$p.name`. */
static void put_own(struct path_rows *rows, const struct jnode *child, struct gt_str *cells, struct arena *arena)
{
    struct strbuf path;
    if (child->kind != JNODE_STRING && child->kind != JNODE_NUMBER) return;
    strbuf_init(&path, PATH_MAX_BYTES);
    strbuf_adds(&path, "$p");
    add_key(&path, child->key);
    if (path.err == GT_OK) put_cell(rows, strbuf_str(&path), child->text, cells, arena);
    strbuf_done(&path);
}

/* A key with blanks for its hyphens and underscores. */
static struct gt_str words_of(struct gt_str key, struct arena *arena)
{
    struct gt_str copy = arena_dup(arena, key);
    char *bytes = (char *)(uintptr_t)copy.ptr; /* the arena's, ours */
    for (size_t i = 0; i < copy.len; i++)
        if (bytes[i] == '-' || bytes[i] == '_') bytes[i] = ' ';
    return copy;
}

/* Takes a row as an example when it holds the listing that comes next. `key` is what it is called in the object around it. */
static void use_row(struct holder *holder, struct path_rows *rows, const struct jnode *row, const struct jnode *parent,
                    struct gt_str key)
{
    struct propose *propose = holder->propose;
    if (rows->example_count == propose->count) return;
    struct gt_str *cells = arena_array(propose->arena, PROPOSE_PLACES_MAX, sizeof *cells);
    if (cells == NULL) return;
    if (key.len > 0) put_cell(rows, GT_STR(".key"), key, cells, propose->arena);
    /* `auto` reads a key as words. */
    if (key.len > 0)
        put_cell(rows, GT_STR("(.key | gsub(\"[-_]\"; \" \"))"), words_of(key, propose->arena), cells, propose->arena);
    struct gt_str above = key.len > 0 ? GT_STR(".value") : GT_STR("");
    if (row->kind == JNODE_OBJECT) put_scalars(rows, row, above, 0, cells, propose->arena);
    else put_cell(rows, above, row->text, cells, propose->arena);
    for (const struct jnode *child = parent != NULL ? parent->children : NULL; child != NULL; child = child->next)
        put_own(rows, child, cells, propose->arena);
    const struct listing *next = &propose->listings[rows->example_count];
    if (propose_is_row(cells, rows->place_count, next)) rows->examples[rows->example_count++] = (struct example){next, cells};
}

/* Where a value lies: its path, and the member of an array that it lies in, with that one's path. */
struct spot {
    struct gt_str path;
    const struct jnode *parent; /* NULL: it lies in none */
    size_t parent_len;          /* bytes of the path that are the parent's */
};

/* The members of an array, or of an object by their keys; `with_parent`: together with what the member around them says. */
static void use_members(struct holder *holder, const struct jnode *node, const struct spot *spot, bool has_keys, bool with_parent)
{
    struct strbuf own;
    struct gt_str path = spot->path, inner = gt_str_slice(path, spot->parent_len, SIZE_MAX);
    const struct jnode *parent = with_parent ? spot->parent : NULL;
    if (with_parent && (parent == NULL || inner.len == 0)) return;
    strbuf_init(&own, PATH_MAX_BYTES);
    if (parent != NULL) strbuf_addf(&own, "%.*s | . as $p | ", (int)spot->parent_len, path.ptr);
    strbuf_addf(&own, "%s%.*s%s", path.len == 0 ? "." : "", GT_STR_ARG(parent != NULL ? inner : path),
                has_keys ? " | to_entries[]" : "[]");
    struct path_rows *rows = own.err == GT_OK ? path_find(holder, strbuf_str(&own), has_keys) : NULL;
    strbuf_done(&own);
    for (const struct jnode *child = node->children; rows != NULL && child != NULL; child = child->next)
        use_row(holder, rows, child, parent, has_keys ? child->key : GT_STR(""));
}

/* Every array of objects and every object is a list of rows until the listings say otherwise. */
static void walk(struct holder *holder, const struct jnode *node, const struct spot *spot, int depth)
{
    bool is_array = node->kind == JNODE_ARRAY,
         is_list = is_array && node->children != NULL && node->children->kind == JNODE_OBJECT;
    if (depth > DEPTH_MAX || (!is_array && node->kind != JNODE_OBJECT)) return;
    for (int with_parent = 0; with_parent < 2; with_parent++) {
        if (is_list) use_members(holder, node, spot, false, with_parent != 0);
        if (!is_array && node->count > 1) use_members(holder, node, spot, true, with_parent != 0);
    }
    for (const struct jnode *child = node->children; child != NULL; child = child->next) {
        struct strbuf inner;
        strbuf_init(&inner, PATH_MAX_BYTES);
        strbuf_add(&inner, spot->path);
        if (is_array) strbuf_adds(&inner, spot->path.len == 0 ? ".[]" : "[]");
        else add_key(&inner, child->key);
        struct spot below = {strbuf_str(&inner), spot->parent, spot->parent_len};
        if (is_array && child->kind == JNODE_OBJECT) below = (struct spot){strbuf_str(&inner), child, inner.len};
        if (inner.err == GT_OK) walk(holder, child, &below, depth + 1);
        strbuf_done(&inner);
    }
}

/* ---- candidates ---- */

/* A text as jq writes it. */
static void add_text(struct strbuf *program, struct gt_str text)
{
    strbuf_addc(program, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\') strbuf_addc(program, '\\');
        strbuf_addc(program, text.ptr[i]);
    }
    strbuf_addc(program, '"');
}

/* A place; of a price in cents a hundredth of it. */
static void add_value(struct strbuf *program, struct gt_str place, struct gt_str name)
{
    bool is_cents =
        gt_str_starts(name, GT_STR("price")) &&
        (gt_str_ends(place, GT_STR("Cents")) || gt_str_ends(place, GT_STR("_cents")) || gt_str_ends(place, GT_STR(".cents")));
    strbuf_addf(program, is_cents ? "(%.*s / 100)" : "%.*s", GT_STR_ARG(place));
}

/* `name: .path`, of several prices by NAMING_UNION `name: [.a, .b]`. */
static void add_member(const struct path_rows *rows, const struct propose_field *fields, const struct gt_str *names, size_t count,
                       size_t at, struct strbuf *program)
{
    bool is_dotted = gt_str_find(names[at], GT_STR("."), 0) != SIZE_MAX, is_list = false;
    for (size_t k = at + 1; k < count; k++) is_list |= gt_str_eq(names[k], names[at]) && !gt_str_is(names[at], "variant");
    strbuf_addf(program, "%s%.*s%s: %s", is_dotted ? "\"" : "", GT_STR_ARG(names[at]), is_dotted ? "\"" : "", is_list ? "[" : "");
    for (size_t k = at; k < count; k++) {
        if (!gt_str_eq(names[k], names[at]) || (k > at && !is_list)) continue;
        if (k > at) strbuf_adds(program, ", ");
        if (fields[k].place == PROPOSE_LITERAL) add_text(program, propose_text(fields[k].listing, &fields[k]));
        else add_value(program, rows->places[fields[k].place], names[at]);
    }
    if (is_list) strbuf_addc(program, ']');
}

/* `ROWS | {label: .a, "price.hour": .b}`; empty when two fields would have one name. */
static struct gt_str program_of(struct holder *holder, const struct path_rows *rows, const struct propose_field *fields,
                                size_t count, enum propose_naming naming)
{
    struct gt_str names[PROPOSE_FIELDS_MAX];
    struct strbuf text;
    bool is_twice = false, is_first = true;
    strbuf_init(&text, PROGRAM_BYTES_MAX);
    strbuf_addf(&text, "rows = %.*s | {", GT_STR_ARG(rows->path));
    for (size_t i = 0; i < count; i++) {
        bool is_repeat = false;
        names[i] = propose_name(holder->propose, &fields[i], naming);
        for (size_t k = 0; k < i; k++) is_repeat |= gt_str_eq(names[k], names[i]);
        is_twice |= is_repeat && naming != NAMING_UNION && !gt_str_is(names[i], "variant");
    }
    for (size_t i = 0; i < count; i++) {
        bool is_repeat = false;
        for (size_t k = 0; k < i; k++) is_repeat |= gt_str_eq(names[k], names[i]);
        if (is_repeat) continue;
        if (!is_first) strbuf_adds(&text, ", ");
        is_first = false;
        add_member(rows, fields, names, count, i, &text);
    }
    strbuf_adds(&text, "}\n");
    struct gt_str copy = is_twice || text.err != GT_OK ? GT_STR("") : arena_dup(holder->propose->arena, strbuf_str(&text));
    strbuf_done(&text);
    return copy;
}

/* Only where one path gave all listings: rules for half of a page would read half of it. */
static void add_candidates(struct holder *holder)
{
    struct propose *propose = holder->propose;
    for (size_t i = 0; i < holder->path_count; i++) {
        struct propose_field fields[PROPOSE_FIELDS_MAX];
        const struct path_rows *rows = &holder->paths[i];
        if (rows->example_count < propose->count) continue;
        struct propose_field chosen[PROPOSE_FIELDS_MAX];
        size_t all = propose_places(rows->examples, rows->example_count, rows->place_count, fields);
        for (int at = 0; at < CHOICE_COUNT * NAMING_COUNT && all > 0; at++) {
            size_t count = propose_choose(fields, all, (enum propose_choice)(at / NAMING_COUNT), chosen);
            enum propose_naming naming = (enum propose_naming)(at % NAMING_COUNT);
            struct gt_str line = count > 0 ? program_of(holder, rows, chosen, count, naming) : GT_STR("");
            if (line.len > 0)
                propose_add(propose, arena_printf(propose->arena, "extract = json\n%.*s%.*s", GT_STR_ARG(holder->lines),
                                                  GT_STR_ARG(line)));
        }
    }
}

/* Paths are counted anew for each value: two scripts may hold the same names. */
static void use_value(struct propose *propose, const struct jnode *value, struct gt_str lines)
{
    struct holder holder = {.propose = propose, .lines = lines};
    holder.paths = arena_array(propose->arena, PATHS_MAX, sizeof *holder.paths);
    if (holder.paths == NULL || lines.ptr == NULL) return;
    walk(&holder, value, &(struct spot){GT_STR(""), NULL, 0}, 0);
    add_candidates(&holder);
}

/* ---- scripts ---- */

/* The name that a value is assigned to, right before `at`: "var prices = ", "window.__DATA__="; "" when there is none. */
static struct gt_str variable_before(struct gt_str text, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", text.ptr[at - 1]) != NULL) at--;
    if (at == 0 || text.ptr[at - 1] != '=') return GT_STR("");
    for (at--; at > 0 && strchr(" \t\r\n", text.ptr[at - 1]) != NULL;) at--;
    size_t end = at;
    while (at > 0 &&
           (text.ptr[at - 1] == '_' || text.ptr[at - 1] == '$' || (text.ptr[at - 1] >= '0' && text.ptr[at - 1] <= '9') ||
            ((text.ptr[at - 1] | 0x20) >= 'a' && (text.ptr[at - 1] | 0x20) <= 'z')))
        at--;
    return end - at <= NAME_BYTES_MAX ? gt_str_slice(text, at, end - at) : GT_STR("");
}

/* Which script it is: by its id, by what is in it, by its number. */
static struct gt_str script_path(struct propose *propose, const struct _xmlNode *script, struct gt_str variable, size_t number)
{
    struct gt_str id = html_attribute(script, "id");
    if (id.len > 0 && gt_str_find(id, GT_STR("'"), 0) == SIZE_MAX)
        return arena_printf(propose->arena, "json_in = //script[@id='%.*s']\n", GT_STR_ARG(id));
    if (variable.len > 0) return arena_printf(propose->arena, "json_in = //script[contains(., '%.*s')]\n", GT_STR_ARG(variable));
    return arena_printf(propose->arena, "json_in = (//script)[%zu]\n", number);
}

/* A script that is JSON, and values that it assigns. */
static void use_script(struct propose *propose, const struct _xmlNode *script, struct gt_str text, size_t number)
{
    size_t at = 0;
    struct jnode *value;
    if (jnode_read(text, &at, propose->arena, &value, NULL) == GT_OK && gt_str_trim(gt_str_slice(text, at, SIZE_MAX)).len == 0) {
        use_value(propose, value, script_path(propose, script, GT_STR(""), number));
        return;
    }
    at = 0;
    for (int tries = 0; tries < TRIES_MAX && at < text.len; tries++) {
        while (at < text.len && text.ptr[at] != '{' && text.ptr[at] != '[') at++;
        size_t from = at;
        struct gt_str variable = variable_before(text, from);
        if (at == text.len) return;
        if (variable.len == 0 || jnode_read(text, &at, propose->arena, &value, NULL) != GT_OK) {
            at = from + 1;
            continue;
        }
        struct gt_str path = script_path(propose, script, variable, number);
        use_value(propose, value, arena_printf(propose->arena, "%.*sjson_var = %.*s\n", GT_STR_ARG(path), GT_STR_ARG(variable)));
    }
}

/* In the page's order; most have one that holds everything. */
static void use_scripts(struct propose *propose)
{
    struct _xmlDoc *doc = NULL;
    size_t number = 0;
    if (html_tree_parse(propose->text, propose->arena, &doc, NULL) != GT_OK) return;
    xmlNodePtr root = xmlDocGetRootElement(doc);
    for (xmlNodePtr node = root; node != NULL && number < SCRIPTS_MAX; node = html_next(node, root, true)) {
        if (!html_is(node, "script")) continue;
        number++;
        if (node->children == NULL || node->children->content == NULL) continue;
        struct gt_str text = gt_str_trim(gt_str_from((const char *)node->children->content));
        if (text.len >= SCRIPT_BYTES_MIN) use_script(propose, node, text, number);
    }
    html_tree_free(doc);
}

void propose_json(struct propose *propose)
{
    size_t at = 0;
    struct jnode *value;
    struct gt_str text = gt_str_trim(propose->text);
    if (text.len > 0 && text.ptr[0] == '<') {
        use_scripts(propose);
        return;
    }
    if (jnode_read(text, &at, propose->arena, &value, NULL) == GT_OK) use_value(propose, value, GT_STR(""));
}
