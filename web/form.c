#include "web/form.h"

#include "reports/html_text.h"
#include "web/page.h"

/* How a parameter is asked for. */
enum field {
    FIELD_NONE, /* not at all */
    FIELD_KEPT, /* kept as it is, not shown */
    FIELD_TEXT,
    FIELD_PERSONA,
    FIELD_CURRENCY,
    FIELD_SORT,
    FIELD_DATE,
    FIELD_WEEK,
    FIELD_MODEL,
    FIELD_METHOD,
    FIELD_PRECISION,
    FIELD_NUMBER,
};

static const struct {
    enum field field;
    struct gt_str label[LANG_COUNT];
} fields[WEB_PARAMS] = {
#define PARAM(id, name, kind, zh, en) [WEB_##id] = {kind, {{zh, sizeof(zh) - 1}, {en, sizeof(en) - 1}}},
#include "web/params.def"
#undef PARAM
};

/* Choices of a field: what is sent, and the word for it (WEB_WORDS: the value itself). */
struct choice {
    const char *value;
    enum web_word word;
};
static const struct choice personas[] = {{"individual", WEB_WORDS}, {"startup", WEB_WORDS},  {"inference", WEB_WORDS}, {"training", WEB_WORDS},
                                         {"domestic", WEB_WORDS},   {"overseas", WEB_WORDS}, {"pay=hour", WEB_WORDS},  {NULL, WEB_WORDS}};
static const struct choice currencies[] = {{"CNY", WEB_WORDS}, {"USD", WEB_WORDS}, {"EUR", WEB_WORDS}, {NULL, WEB_WORDS}};
static const struct choice sorts[] = {
    {"price", WEB_WORD_SORT_PRICE}, {"site", WEB_WORD_SORT_SITE}, {"age", WEB_WORD_SORT_AGE}, {"hour", WEB_WORD_SORT_HOUR}, {NULL, WEB_WORDS}};

static const struct choice methods[] = {
    {"infer", WEB_WORD_METHOD_INFER}, {"lora", WEB_WORD_METHOD_LORA}, {"qlora", WEB_WORD_METHOD_QLORA}, {"full", WEB_WORD_METHOD_FULL},
    {NULL, WEB_WORDS}};
static const struct choice precisions[] = {{"", WEB_WORD_PRECISION_OWN}, {"fp16", WEB_WORDS}, {"bf16", WEB_WORDS}, {"fp8", WEB_WORDS},
                                           {"int8", WEB_WORDS},          {"int4", WEB_WORDS}, {NULL, WEB_WORDS}};

static void put_attribute(struct sink_writer *writer, const char *name, struct gt_str value)
{
    if (value.len == 0) return;
    out_printf(&writer->out, " %s=\"", name);
    html_text(writer, value);
    out_text(&writer->out, "\"");
}

static void put_options(struct sink_writer *writer, const struct choice *choices, struct gt_str chosen, enum gt_lang lang)
{
    for (; choices->value != NULL; choices++) {
        out_text(&writer->out, "<option");
        if (choices->value[0] == '\0') out_text(&writer->out, " value=\"\"");
        put_attribute(writer, "value", gt_str_from(choices->value));
        if (gt_str_is(chosen, choices->value)) out_text(&writer->out, " selected");
        out_text(&writer->out, ">");
        html_text(writer, choices->word != WEB_WORDS ? web_word(lang, choices->word) : gt_str_from(choices->value));
        out_text(&writer->out, "</option>");
    }
}

/* A text field, with an example under it and suggestions where there are some. */
static void put_input(struct sink_writer *writer, enum web_param param, struct gt_str value, struct gt_str hint, const struct choice *suggestions,
                      enum gt_lang lang)
{
    const char *name = web_param_name(param);
    const char *type = fields[param].field == FIELD_DATE ? "date" : param == WEB_Q ? "search" : "text";
    out_printf(&writer->out, "<input type=\"%s\" id=\"f-%s\" name=\"%s\" autocomplete=\"off\" spellcheck=\"false\"", type, name, name);
    put_attribute(writer, "value", value);
    if (hint.len > 0) out_printf(&writer->out, " aria-describedby=\"h-%s\"", name);
    if (fields[param].field == FIELD_MODEL) out_text(&writer->out, " required");
    if (suggestions != NULL) out_printf(&writer->out, " list=\"l-%s\"", name);
    out_text(&writer->out, ">");
    if (hint.len > 0) {
        out_printf(&writer->out, "<small id=\"h-%s\">", name);
        html_element(writer, "", hint, "</small>");
    }
    if (suggestions == NULL) return;
    out_printf(&writer->out, "<datalist id=\"l-%s\">", name);
    put_options(writer, suggestions, (struct gt_str){NULL, 0}, lang);
    out_text(&writer->out, "</datalist>");
}

static void put_select(struct sink_writer *writer, const char *name, const struct choice *choices, struct gt_str value, enum gt_lang lang)
{
    out_printf(&writer->out, "<select id=\"f-%s\" name=\"%s\">", name, name);
    put_options(writer, choices, value, lang);
    out_text(&writer->out, "</select>");
}

/* A number of `advise`, in the range that the server takes. */
static void put_number(struct sink_writer *writer, enum web_param param, struct gt_str value)
{
    const char *name = web_param_name(param);
    int64_t low, high;
    (void)advice_word_range((enum advice_word)param, &low, &high);
    out_printf(&writer->out, "<input type=\"number\" id=\"f-%s\" name=\"%s\" min=\"%lld\" max=\"%lld\" autocomplete=\"off\"", name, name,
               (long long)low, (long long)high);
    put_attribute(writer, "value", value);
    out_text(&writer->out, ">");
}

/* A parameter that the page keeps but does not ask for rides along hidden, so that sending the form loses nothing. */
static void put_field(struct sink_writer *writer, enum web_param param, struct gt_str value, enum gt_lang lang)
{
    const char *name = web_param_name(param);
    if (fields[param].field == FIELD_KEPT) {
        if (value.len == 0) return;
        out_printf(&writer->out, "<input type=\"hidden\" name=\"%s\"", name);
        put_attribute(writer, "value", value);
        out_text(&writer->out, ">\n");
        return;
    }
    out_printf(&writer->out, "<div class=\"field\"><label for=\"f-%s\">", name);
    html_text(writer, fields[param].label[lang]);
    out_text(&writer->out, "</label>");
    switch (fields[param].field) {
    case FIELD_PERSONA: put_input(writer, param, value, web_word(lang, WEB_WORD_PERSONA_HINT), personas, lang); break;
    case FIELD_CURRENCY: put_input(writer, param, value, web_word(lang, WEB_WORD_CURRENCY_HINT), currencies, lang); break;
    case FIELD_WEEK: put_input(writer, param, value, web_word(lang, WEB_WORD_WEEK_HINT), NULL, lang); break;
    case FIELD_SORT: put_select(writer, name, sorts, value, lang); break;
    case FIELD_METHOD: put_select(writer, name, methods, value, lang); break;
    case FIELD_PRECISION: put_select(writer, name, precisions, value, lang); break;
    case FIELD_NUMBER: put_number(writer, param, value); break;
    case FIELD_MODEL: put_input(writer, param, value, web_word(lang, WEB_WORD_MODEL_HINT), NULL, lang); break;
    case FIELD_TEXT: put_input(writer, param, value, web_word(lang, WEB_WORD_QUERY_HINT), NULL, lang); break;
    default: put_input(writer, param, value, (struct gt_str){NULL, 0}, NULL, lang); break;
    }
    out_text(&writer->out, "</div>\n");
}

/* Only what the route takes: a field that changes nothing would look as if it did. */
void web_form_write(struct sink_writer *writer, const struct web_view *view)
{
    bool has_fields = false;
    enum gt_lang lang = view->input.lang;
    for (unsigned i = 0; i < WEB_PARAMS; i++)
        has_fields |= (view->route->params & 1U << i) != 0 && fields[i].field > FIELD_KEPT;
    if (!has_fields) return;
    out_printf(&writer->out, "<form method=\"get\" action=\"%s\" role=\"search\"", view->route->path);
    put_attribute(writer, "aria-label", web_word(lang, WEB_WORD_FILTER));
    out_text(&writer->out, ">\n");
    for (unsigned i = 0; i < WEB_PARAMS; i++)
        if (((view->route->params | WEB_BIT(LANG)) & 1U << i) != 0 && fields[i].field != FIELD_NONE)
            put_field(writer, (enum web_param)i, view->request->params[i], lang);
    out_text(&writer->out, "<button type=\"submit\">");
    html_text(writer, web_word(lang, WEB_WORD_APPLY));
    out_text(&writer->out, "</button>\n</form>\n");
}
