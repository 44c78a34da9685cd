/* The extractor `json`, and the tree that keeps digits. */
#include "parsers/jnode.h"
#include "tests/unit/parsers/page.h"

#define JSON "application/json"
#define ROWS "extract = json\nrows = .data[] | {label: .n, \"price.hour\": .p}\n"

static const struct page_case CASES[] = {
    {"an object a row", ROWS, "{\"data\":[{\"n\":\"A100\",\"p\":\"9.90\"}]}", "label=A100; price.hour=9.90\n", GT_OK, NULL, JSON},
    {"small decimals keep their digits", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":0.00000222}]}", "label=A; price.hour=0.00000222\n", GT_OK, NULL, JSON},
    {"more digits than a double has", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":1.11000000000000009770}]}",
     "label=A; price.hour=1.11000000000000009770\n", GT_OK, NULL, JSON},
    {"trailing zeros stay", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":3.10}]}", "label=A; price.hour=3.10\n", GT_OK, NULL, JSON},
    {"an exponent stays as printed", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":1.64e-4}]}", "label=A; price.hour=1.64e-4\n", GT_OK, NULL, JSON},
    {"sixteen digits", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":9007199254740993}]}", "label=A; price.hour=9007199254740993\n", GT_OK, NULL, JSON},
    {"whole numbers can be reckoned with", "extract = json\nrows = .[] | {label: .n, cards: (.c * 2)}", "[{\"n\":\"A\",\"c\":4}]", "cards=8; label=A\n",
     GT_OK, NULL, JSON},
    {"null is no field", ROWS, "{\"data\":[{\"n\":\"A\",\"p\":null}]}", "label=A\n", GT_OK, NULL, JSON},
    {"truth values", "extract = json\nrows = .[] | {label: .n, stock: .s}", "[{\"n\":\"A\",\"s\":true}]", "label=A; stock=true\n", GT_OK, NULL, JSON},
    {"a list is several fields", "extract = json\nrows = .[] | {label: .n, price: .p}", "[{\"n\":\"A\",\"p\":[\"1元/时\",\"9元/天\"]}]",
     "label=A; price=1元/时; price=9元/天\n", GT_OK, NULL, JSON},
    {"rules rename keys and add literals", "extract = json\nrows = .[]\nlabel = n\nprice.hour = p\ncards = 8\nregion = '北京'",
     "[{\"n\":\"A\",\"p\":1}]", "label=A; cards=8; region=北京; price.hour=1\n", GT_OK, NULL, JSON},
    {"rows default to the members", "extract = json\nlabel = n", "[{\"n\":\"A\"},{\"n\":\"B\"}]", "label=A\nlabel=B\n", GT_OK, NULL, JSON},
    {"a value a line", "extract = json\nrows = {label: .n}", "{\"n\":\"A\"}\n{\"n\":\"B\"}\n", "label=A\nlabel=B\n", GT_OK, NULL, JSON},
    {"a guard before the JSON", "extract = json\nrows = {label: .n}", ")]}',\n{\"n\":\"A\"}", "label=A\n", GT_OK, NULL, JSON},
    {"a call around the JSON", "extract = json\nrows = {label: .n}", "cb({\"n\":\"A\"});", "label=A\n", GT_OK, NULL, "text/javascript"},
    {"a script element", "extract = json\njson_in = //script[@id='d']\nrows = {label: .n}",
     "<html><script id=d type='application/json'>{\"n\":\"A</b>100\"}</script>", "label=A</b>100\n", GT_OK, NULL, NULL},
    {"an attribute", "extract = json\njson_in = //div/@data-p\nrows = {label: .n}", "<div data-p='{&quot;n&quot;:&quot;A&quot;}'></div>", "label=A\n", GT_OK,
     NULL, NULL},
    {"several elements", "extract = json\njson_in = //script\nrows = {label: .n}", "<script>{\"n\":1}</script><script>{\"n\":2}</script>",
     "label=1\nlabel=2\n", GT_OK, NULL, NULL},
    {"a variable in a script of the page", "extract = json\njson_var = window.__DATA__\nrows = {label: .n}",
     "<script>if(window.__DATA__==null){}window.__DATA__ = {n:'A',};</script>", "label=A\n", GT_OK, NULL, NULL},
    {"a variable within one element", "extract = json\njson_in = //script[2]\njson_var = P\nrows = .[] | {label: .}",
     "<body><script>var P=[1]</script><script>var P=[2,]; var OP=[3]</script>", "label=2\n", GT_OK, NULL, NULL},
    {"a member of an object in a script", "extract = json\njson_var = prices\nrows = .[] | {label: .}", "<script>new Vue({data:{prices:['a']}})</script>",
     "label=a\n", GT_OK, NULL, NULL},
    {"every call", "extract = json\njson_var = push\nrows = {label: .[1]}", "<script>f.push([0,\"a\"]);f.push([0,\"b\"])</script>", "label=a\nlabel=b\n",
     GT_OK, NULL, NULL},
    {"JSON.parse of a text", "extract = json\njson_var = D\nrows = {label: .n, price: .p}", "<script>D=JSON.parse('{\"n\":\"\\u0041\",\"p\":0.50}')</script>",
     "label=A; price=0.50\n", GT_OK, NULL, NULL},
    {"a text that holds JSON", "extract = json\nrows = {label: .n, price: .p}", "\"{\\\"n\\\":\\\"A\\\",\\\"p\\\":0.50}\"", "label=A; price=0.50\n", GT_OK,
     NULL, JSON},
    {"comments, commas and CDATA", "extract = json\njson_in = //script\nrows = .[] | {label: .n}",
     "<script>//<![CDATA[\n/* x */ [{\"n\":\"A\", /* y */},]; //]]></script>", "label=A\n", GT_OK, NULL, NULL},
    {"rows that are left out", "extract = json\nskip = CPU\nrows = .[] | {label: .}", "[\"CPU\",\"A100\"]", "label=A100\n", GT_OK, NULL, JSON},
    {"a comment at the end of the program", "extract = json\nrows = .[] | {label: .} # all", "[\"A\"]", "label=A\n", GT_OK, NULL, JSON},
    {"definitions in the program", "extract = json\nrows = def f: {label: .}; .[] | f", "[\"A\"]", "label=A\n", GT_OK, NULL, JSON},
    {"the environment is empty", "extract = json\nrows = {label: \"x\\($ENV|length)\"}", "1", "label=x0\n", GT_OK, NULL, JSON},
    {"now", "extract = json\nrows = {label: now}", "1", NULL, GT_EFORMAT, "now is out of reach", JSON},
    {"env", "extract = json\nrows = {label: env.HOME}", "1", NULL, GT_EFORMAT, "env is out of reach", JSON},
    {"input", "extract = json\nrows = {label: input}", "1", NULL, GT_EFORMAT, "input is out of reach", JSON},
    {"import", "extract = json\nrows = import \"a\" as a; {label: 1}", "1", NULL, GT_ECONF, "sites.conf:3: rows: jq:", JSON},
    {"a broken program", "extract = json\nrows = .[ | 1", "1", NULL, GT_ECONF, "sites.conf:3: rows: jq: syntax error", JSON},
    {"a program that does not fit the page", "extract = json\nrows = .a.b.c[] | {label: .}", "{\"a\":[1]}", NULL, GT_EFORMAT, "Cannot index array", JSON},
    {"rows before an error are no result", "extract = json\nrows = .[] | {label: .n}", "[{\"n\":\"A\"},5]", NULL, GT_EFORMAT, "Cannot index number",
     JSON},
    {"a key that is no field", "extract = json\nrows = .[] | {lable: .}", "[\"A\"]", NULL, GT_ECONF, "sites.conf:3: rows: the program yields a key \"lable\"",
     JSON},
    {"a row that is no object", "extract = json\nrows = .[]", "[1]", NULL, GT_ECONF, "no object", JSON},
    {"too many results", "extract = json\nrows = range(1000000) | {label: .}", "1", NULL, GT_ELIMIT, "JQ_RESULTS_MAX", JSON},
    {"JSON that is cut", ROWS, "{\"data\":[{\"n\":\"A100\",\"p\":9.", NULL, GT_EFORMAT, "middle", JSON},
    {"JSON that breaks off", ROWS, "{\"data\":[{\"n\" \"A100\"}]}", NULL, GT_EFORMAT, "at byte 14", JSON},
    {"markup where JSON was to be", ROWS, "<!doctype html><p>503", NULL, GT_EFORMAT, "markup", JSON},
    {"no variable of that name", "extract = json\njson_var = D\nrows = .", "<script>E={}</script>", NULL, GT_EFORMAT, "json_var", NULL},
    {"no element", "extract = json\njson_in = //script[@id='x']\nrows = .", "<script>E={}</script>", NULL, GT_EFORMAT, "json_in", NULL},
    {"no row", "extract = json\nrows = .[] | {label: .}", "[]", NULL, GT_ENOROWS, "no row", JSON},
};

/* Values that scripts hold, printed back as the tree has them. */
static const struct value_case {
    const char *name;
    const char *text;
    const char *expected; /* NULL: refused */
} VALUES[] = {
    {"escapes", "\"a\\n\\t\\\"\\\\\\/\\u00e9\"", "\"a\n\t\"\\/é\""},
    {"a pair of surrogates", "\"\\uD83D\\uDE00\"", "\"😀\""},
    {"a lone surrogate", "\"\\uD83Dx\"", "\"\xEF\xBF\xBDx\""},
    {"U+0000", "\"a\\u0000b\"", "\"a\xEF\xBF\xBD" "b\""},
    {"raw line ends in a string", "\"a\nb\"", "\"a\nb\""},
    {"single quotes and backticks", "['a\"',`b`]", "[\"a\"\",\"b\"]"},
    {"bare and numeric keys", "{a:1,'b':2,3:4,$x_1:5}", "{a:1,b:2,3:4,$x_1:5}"},
    {"numbers JSON does not have", "[.5,+1,5.,-0]", "[.5,1,5.,-0]"},
    {"words of scripts", "[undefined,NaN,!0,!1,void 0,true,null]", "[null,null,true,false,null,true,null]"},
    {"a hole", "[1,,2]", "[1,null,2]"},
    {"a word that begins like null", "[nullx]", NULL},
    {"a number that runs into letters", "[24GB]", NULL},
    {"a bare minus", "[-]", NULL},
    {"a missing colon", "{\"a\" 1}", NULL},
    {"a missing comma", "[1 2]", NULL},
    {"an open string", "[\"a]", NULL},
    {"an open list", "[1,2", NULL},
    {"a call", "[f(1)]", NULL},
    {"nothing", "  ", NULL},
};

static void print_node(const struct jnode *node, struct strbuf *out)
{
    static const char *const WORDS[] = {"null", "false", "true"};
    if (node->kind <= JNODE_TRUE) strbuf_adds(out, WORDS[node->kind]);
    else if (node->kind == JNODE_NUMBER) strbuf_add(out, node->text);
    else if (node->kind == JNODE_STRING) strbuf_addf(out, "\"%.*s\"", GT_STR_ARG(node->text));
    if (node->kind < JNODE_ARRAY) return;
    strbuf_addc(out, node->kind == JNODE_ARRAY ? '[' : '{');
    for (const struct jnode *child = node->children; child != NULL; child = child->next) {
        if (child != node->children) strbuf_addc(out, ',');
        if (node->kind == JNODE_OBJECT) strbuf_addf(out, "%.*s:", GT_STR_ARG(child->key));
        print_node(child, out);
    }
    strbuf_addc(out, node->kind == JNODE_ARRAY ? ']' : '}');
}

static void check_value(void **state)
{
    const struct value_case *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct strbuf out;
    struct jnode *node;
    size_t at = 0;
    strbuf_init(&out, 1 << 16);
    enum gt_err err = jnode_read(gt_str_from(row->text), &at, arena, &node, NULL);
    assert_int_equal(err, row->expected != NULL ? GT_OK : GT_EFORMAT);
    if (row->expected != NULL) {
        print_node(node, &out);
        assert_str(strbuf_str(&out), row->expected);
    }
    strbuf_done(&out);
    arena_free(arena);
}

/* Depth: JNODE_DEPTH_MAX lists in one another are read, one more is not. */
static const struct depth_case {
    const char *name;
    size_t depth;
    enum gt_err err;
} DEPTHS[] = {
    {"one", 1, GT_OK},
    {"as deep as allowed", JNODE_DEPTH_MAX, GT_OK},
    {"one too deep", JNODE_DEPTH_MAX + 1, GT_ELIMIT},
    {"a hundred thousand", 100000, GT_ELIMIT},
};

static void check_depth(void **state)
{
    const struct depth_case *row = *state;
    struct arena *arena = arena_new(64 << 20);
    char *text = malloc(row->depth * 2);
    struct jnode *node;
    size_t at = 0;
    assert_non_null(text);
    memset(text, '[', row->depth);
    memset(text + row->depth, ']', row->depth);
    assert_int_equal(jnode_read((struct gt_str){text, row->depth * 2}, &at, arena, &node, NULL), row->err);
    free(text);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page) + TABLE_RUN(VALUES, check_value) + TABLE_RUN(DEPTHS, check_depth);
}
