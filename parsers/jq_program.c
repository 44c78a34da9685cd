#include "parsers/jq_program.h"

#include <jq.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/strbuf.h"
#include "parsers/field_rules.h"

enum { ORIGIN_ARENA_MAX = JQ_PROGRAM_BYTES_MAX + 16 * 1024 };

struct jq_program {
    struct arena *arena; /* of origin */
    struct conf_value origin;
    jq_state *jq; /* NULL until it is compiled */
    size_t results;
    char message[256]; /* the first that libjq reported */
};

/* What would make a result depend on more than the page. One line, so that libjq's line numbers stay those of the program. */
static const char PRELUDE[] =
    "def now: error(\"now is out of reach\"); def localtime: error(\"localtime is out of reach\");"
    "def strflocaltime(f): error(\"strflocaltime is out of reach\"); def env: error(\"env is out of reach\");"
    "def input: error(\"input is out of reach\"); def inputs: error(\"inputs is out of reach\"); def debug: .; def stderr: .;"
    "def input_filename: error(\"input_filename is out of reach\"); def input_line_number: error(\"input_line_number is out of "
    "reach\");"
    "def halt: error(\"halt is out of reach\"); def halt_error: error(\"halt is out of reach\");"
    "def halt_error(code): error(\"halt is out of reach\"); def get_search_list: error(\"get_search_list is out of reach\");"
    "def modulemeta: error(\"modulemeta is out of reach\"); {} as $ENV | (";

/* libjq's own way is to print. The first message says what is wrong; the second only counts errors. */
static void keep_message(void *user, jv message)
{
    struct jq_program *program = user;
    if (program->message[0] == '\0' && jv_get_kind(message) == JV_KIND_STRING) {
        const char *text = jv_string_value(message);
        if (strncmp(text, "jq: error: ", 11) == 0) text += 11;
        snprintf(program->message, sizeof program->message, "%.*s", (int)strcspn(text, "\n"), text);
    }
    jv_free(message);
}

/* Compiles with an empty environment: libjq reads $HOME/.jq before any program and copies the environment for $ENV. */
static bool compile_alone(jq_state *jq, const char *text)
{
    char *nothing[] = {NULL};
    char **before = environ;
    environ = nothing;
    int rc = jq_compile(jq, text);
    environ = before;
    return rc != 0;
}

/* Kept as text until it is first needed: compiling is slow, and a crawl fetches only the sites that are due. */
enum gt_err jq_program_new(const struct conf_value *origin, struct jq_program **ret_program, struct gt_errinfo *info)
{
    if (origin->text.len > JQ_PROGRAM_BYTES_MAX) return conf_fail(origin, info, "the jq program is too long (JQ_PROGRAM_BYTES_MAX)");
    struct jq_program *program = calloc(1, sizeof *program);
    if (program != NULL) program->arena = arena_new(ORIGIN_ARENA_MAX);
    if (program == NULL || program->arena == NULL || !conf_value_copy(origin, program->arena, &program->origin)) {
        jq_program_free(program);
        return gt_fail(info, GT_ENOMEM, "no memory for a jq program");
    }
    *ret_program = program;
    return GT_OK;
}

const struct conf_value *jq_program_origin(const struct jq_program *program)
{
    return &program->origin;
}

enum gt_err jq_program_compile(struct jq_program *program, struct gt_errinfo *info)
{
    enum gt_err err = GT_ENOMEM;
    struct strbuf text;
    if (program->jq != NULL) return GT_OK;
    strbuf_init(&text, sizeof PRELUDE + JQ_PROGRAM_BYTES_MAX + 8);
    strbuf_adds(&text, PRELUDE);
    strbuf_add(&text, program->origin.text);
    strbuf_adds(&text, "\n)"); /* on a line of its own: a comment may end the program */
    jq_state *jq = text.err == GT_OK ? jq_init() : NULL;
    if (jq == NULL) {
        gt_fail(info, GT_ENOMEM, "no memory for a jq program");
        goto out;
    }
    program->message[0] = '\0';
    jq_set_error_cb(jq, keep_message, program);
    if (!compile_alone(jq, text.ptr)) {
        char message[sizeof program->message + 8];
        snprintf(message, sizeof message, "jq: %s", program->message);
        err = conf_fail(&program->origin, info, message);
        goto out;
    }
    program->jq = jq;
    jq = NULL;
    err = GT_OK;
out:
    if (jq != NULL) jq_teardown(&jq);
    strbuf_done(&text);
    return err;
}

void jq_program_free(struct jq_program *program)
{
    if (program == NULL) return;
    if (program->jq != NULL) jq_teardown(&program->jq);
    arena_free(program->arena);
    free(program);
}

static jv jv_from_text(struct gt_str text)
{
    return jv_string_sized(text.ptr != NULL ? text.ptr : "", (int)text.len);
}

/* Depth is bounded by the reader (JNODE_DEPTH_MAX). */
static jv jv_from_node(const struct jnode *node)
{
    switch (node->kind) {
    case JNODE_NULL: return jv_null();
    case JNODE_FALSE: return jv_false();
    case JNODE_TRUE: return jv_true();
    case JNODE_STRING: return jv_from_text(node->text);
    case JNODE_NUMBER: {
        char literal[32];
        if (jnode_needs_text(node->text)) return jv_from_text(node->text);
        snprintf(literal, sizeof literal, "%.*s", GT_STR_ARG(node->text));
        return jv_parse(literal);
    }
    case JNODE_ARRAY: {
        jv array = jv_array_sized((int)node->count);
        for (const struct jnode *child = node->children; child != NULL; child = child->next)
            array = jv_array_append(array, jv_from_node(child));
        return array;
    }
    case JNODE_OBJECT: {
        jv object = jv_object();
        for (const struct jnode *child = node->children; child != NULL; child = child->next)
            object = jv_object_set(object, jv_from_text(child->key), jv_from_node(child));
        return object;
    }
    }
    return jv_null();
}

static struct gt_str copy_string(jv string, struct arena *arena)
{
    struct gt_str text = {jv_string_value(string), (size_t)jv_string_length_bytes(jv_copy(string))};
    struct gt_str copy = arena_dup(arena, text);
    jv_free(string);
    return copy;
}

static struct jnode *node_from_jv(jv value, struct arena *arena, int depth);

/* Appends the members of an array or object; false when the arena is full. */
static bool copy_members(jv value, struct jnode *node, struct arena *arena, int depth)
{
    bool is_object = node->kind == JNODE_OBJECT;
    jv keys = is_object ? jv_keys(jv_copy(value)) : jv_null();
    int count = is_object ? jv_object_length(jv_copy(value)) : jv_array_length(jv_copy(value));
    struct jnode **tail = &node->children;
    bool is_whole = depth < JNODE_DEPTH_MAX;
    for (int i = 0; i < count && is_whole; i++) {
        jv key = is_object ? jv_array_get(jv_copy(keys), i) : jv_null();
        jv member = is_object ? jv_object_get(jv_copy(value), jv_copy(key)) : jv_array_get(jv_copy(value), i);
        struct jnode *child = node_from_jv(member, arena, depth + 1);
        if (child != NULL && is_object) child->key = copy_string(jv_copy(key), arena);
        jv_free(key);
        is_whole = child != NULL && (!is_object || child->key.ptr != NULL);
        if (!is_whole) break;
        *tail = child;
        tail = &child->next;
        node->count++;
    }
    jv_free(keys);
    return is_whole;
}

/* Copies a result out of libjq's memory and frees it; NULL when the arena is full or the value too deep. */
static struct jnode *node_from_jv(jv value, struct arena *arena, int depth)
{
    static const enum jnode_kind KINDS[] = {
        [JV_KIND_INVALID] = JNODE_NULL, [JV_KIND_NULL] = JNODE_NULL,     [JV_KIND_FALSE] = JNODE_FALSE,
        [JV_KIND_TRUE] = JNODE_TRUE,    [JV_KIND_NUMBER] = JNODE_NUMBER, [JV_KIND_STRING] = JNODE_STRING,
        [JV_KIND_ARRAY] = JNODE_ARRAY,  [JV_KIND_OBJECT] = JNODE_OBJECT,
    };
    struct jnode *node = arena_alloc(arena, sizeof *node);
    bool is_whole = node != NULL;
    if (is_whole) {
        node->kind = KINDS[jv_get_kind(value)];
        if (node->kind == JNODE_STRING) node->text = copy_string(jv_copy(value), arena);
        if (node->kind == JNODE_NUMBER) node->text = copy_string(jv_dump_string(jv_copy(value), 0), arena);
        if (node->kind == JNODE_STRING || node->kind == JNODE_NUMBER) is_whole = node->text.ptr != NULL;
        else if (node->kind == JNODE_ARRAY || node->kind == JNODE_OBJECT) is_whole = copy_members(value, node, arena, depth);
    }
    jv_free(value);
    return is_whole ? node : NULL;
}

enum gt_err jq_program_start(struct jq_program *program, const struct jnode *input, struct gt_errinfo *info)
{
    enum gt_err err = jq_program_compile(program, info);
    if (err != GT_OK) return err;
    program->results = 0;
    program->message[0] = '\0';
    jq_start(program->jq, jv_from_node(input), 0);
    return GT_OK;
}

/* The text of an error that a program raised: a string as it is, other values as JSON. */
static enum gt_err fail_run(jv result, struct gt_errinfo *info)
{
    jv message = jv_invalid_get_msg(result);
    if (jv_get_kind(message) != JV_KIND_STRING) message = jv_dump_string(message, 0);
    enum gt_err err = gt_fail(info, GT_EFORMAT, "jq: %.400s", jv_string_value(message));
    jv_free(message);
    return err;
}

/* Results are counted: `repeat` in a program would never end. */
enum gt_err jq_program_next(struct jq_program *program, struct arena *arena, struct jnode **ret_node, struct gt_errinfo *info)
{
    *ret_node = NULL;
    jv result = jq_next(program->jq);
    if (!jv_is_valid(result)) {
        if (jv_invalid_has_msg(jv_copy(result))) return fail_run(result, info);
        jv_free(result);
        return GT_OK;
    }
    if (++program->results > JQ_RESULTS_MAX) {
        jv_free(result);
        return gt_fail(info, GT_ELIMIT, "the jq program yields more than JQ_RESULTS_MAX (%d) results", JQ_RESULTS_MAX);
    }
    *ret_node = node_from_jv(result, arena, 0);
    return *ret_node != NULL ? GT_OK : gt_fail(info, GT_ELIMIT, "the results of the jq program are too large or too deep");
}
