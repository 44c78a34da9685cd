/* The text of sites.conf to sections. A file is read into a configuration of its own first: a failed one leaves nothing behind. */
#include <stdio.h>
#include <stdlib.h>

#include "common/conf_internal.h"
#include "common/file.h"
#include "common/utf8.h"

enum { MESSAGE_MAX = 512, SECTION_NAME_MAX = 64 };

struct reader {
    struct conf *conf; /* of this file alone */
    const char *file;  /* in the final configuration's arena */
    int line;
    struct conf_section *section;
    struct conf_value *value; /* the one that an indented line continues; NULL after a blank or a heading */
    struct gt_errinfo *info;
};

static enum gt_err fail(const struct reader *reader, const char *what, struct gt_str text, const char *nearest)
{
    if (nearest != NULL)
        return gt_fail(reader->info, GT_ECONF, "%s:%d: %s \"%.*s\", did you mean \"%s\"?", reader->file, reader->line, what,
                       GT_STR_ARG(text), nearest);
    return gt_fail(reader->info, GT_ECONF, "%s:%d: %s \"%.*s\"", reader->file, reader->line, what, GT_STR_ARG(text));
}

/* Kinds that sections may have; those without a name first. */
static const char *const kinds[] = {"defaults", "fx", "site", "alert", "channel", "report", "holding"};
enum { KINDS_WITHOUT_NAME = 2, KIND_TOTAL = sizeof kinds / sizeof kinds[0] };

/* Names become parts of keys, file names and addresses: nothing in them may need quoting. Bytes above ASCII are Chinese names. */
static bool is_name(struct gt_str name)
{
    if (name.len == 0 || name.len > SECTION_NAME_MAX) return false;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (!(c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.'))
            return false;
    }
    return true;
}

/* A section that stands twice is refused: which of the two holds would depend on their order, and nobody would see it. */
static enum gt_err read_heading(struct reader *reader, struct gt_str line)
{
    if (line.ptr[line.len - 1] != ']') return fail(reader, "a section heading that is not closed:", line, NULL);
    struct gt_str rest = gt_str_trim(gt_str_slice(line, 1, line.len - 2)), kind = {NULL, 0};
    gt_str_split(&rest, ' ', &kind);
    struct gt_str name = gt_str_trim(rest);
    size_t at = 0;
    while (at < KIND_TOTAL && !gt_str_is(kind, kinds[at])) at++;
    if (at == KIND_TOTAL) return fail(reader, "unknown kind of section", kind, nearest_word(kind, kinds, KIND_TOTAL));
    if (at < KINDS_WITHOUT_NAME ? name.len > 0 : !is_name(name))
        return fail(reader, at < KINDS_WITHOUT_NAME ? "this section has no name:"
                                                    : "a section needs a name of letters, digits, '-', '_', '.':", name, NULL);
    if (conf_find(reader->conf, kinds[at], name) != NULL) return fail(reader, "this section stands twice in the file:", line, NULL);
    reader->section = conf_section_make(reader->conf, kind, name);
    if (reader->section == NULL) return gt_fail(reader->info, GT_ELIMIT, "%s:%d: too many sections", reader->file, reader->line);
    reader->section->file = reader->file;
    reader->section->line = reader->line;
    return GT_OK;
}

/* Checked when the value is complete: at the next key, heading or the end. */
static enum gt_err check_value(struct reader *reader)
{
    struct conf_value *value = reader->value;
    reader->value = NULL;
    if (value == NULL) return GT_OK;
    const struct conf_key *key = conf_key_find(reader->section->kind, value->name);
    char message[MESSAGE_MAX];
    if (key == NULL || conf_value_check(key, value->text, message, sizeof message)) return GT_OK;
    return gt_fail(reader->info, GT_ECONF, "%s:%d: %.*s takes %s, not \"%.*s\"", reader->file, value->line,
                   GT_STR_ARG(value->name), message, GT_STR_ARG(value->text));
}

/* A key that the table does not know stops the reading: passed over, a typing error would be a rule that silently does nothing. */
static enum gt_err read_pair(struct reader *reader, struct gt_str line)
{
    struct gt_str rest = line, name = {NULL, 0};
    if (memchr(line.ptr, '=', line.len) == NULL) return fail(reader, "neither a section, a `key = value` nor a comment:", line, NULL);
    gt_str_split(&rest, '=', &name);
    if (reader->section == NULL) return fail(reader, "a key before the first section:", name, NULL);
    if (conf_key_find(reader->section->kind, name) == NULL)
        return fail(reader, "unknown key", name, conf_key_nearest(reader->section->kind, name));
    if (conf_section_own(reader->section, name) != NULL) return fail(reader, "this key stands twice in its section:", name, NULL);
    struct conf_value value = {arena_dup(reader->conf->arena, name), gt_str_trim(rest), reader->file, reader->line};
    if (!conf_section_set(reader->section, &value)) return gt_fail(reader->info, GT_ELIMIT, "%s:%d: too many keys", reader->file, reader->line);
    reader->value = conf_section_own(reader->section, name);
    return GT_OK;
}

static enum gt_err read_continuation(struct reader *reader, struct gt_str line)
{
    struct conf_value *value = reader->value;
    if (value == NULL) return fail(reader, "an indented line continues a value, and there is none above:", line, NULL);
    value->text = value->text.len == 0 ? line
                                       : arena_printf(reader->conf->arena, "%.*s\n%.*s", GT_STR_ARG(value->text), GT_STR_ARG(line));
    return GT_OK;
}

static enum gt_err read_line(struct reader *reader, struct gt_str raw)
{
    if (raw.ptr == NULL) return GT_OK; /* an empty text may have no memory */
    struct gt_str line = gt_str_trim(raw);
    if (raw.len > CONF_LINE_BYTES_MAX) return gt_fail(reader->info, GT_ECONF, "%s:%d: the line is too long", reader->file, reader->line);
    if (memchr(raw.ptr, '\0', raw.len) != NULL || !utf8_is_valid(raw))
        return gt_fail(reader->info, GT_ECONF, "%s:%d: not UTF-8 text", reader->file, reader->line);
    if (line.len == 0 || line.ptr[0] == '#') return GT_OK;
    if (raw.ptr[0] == ' ' || raw.ptr[0] == '\t') return read_continuation(reader, line);
    enum gt_err err = check_value(reader);
    if (err != GT_OK) return err;
    return line.ptr[0] == '[' ? read_heading(reader, line) : read_pair(reader, line);
}

/* Lays the sections of a good file over what was there. */
static enum gt_err merge(struct conf *conf, const struct conf *from, struct gt_errinfo *info)
{
    for (size_t i = 0; i < from->section_count; i++) {
        const struct conf_section *source = from->sections[i];
        struct conf_section *section = conf_section_make(conf, source->kind, source->name);
        if (section == NULL) return gt_fail(info, GT_ELIMIT, "too many sections");
        section->file = source->file;
        section->line = source->line;
        for (size_t k = 0; k < source->value_count; k++) {
            struct conf_value value = source->values[k];
            value.name = arena_dup(conf->arena, value.name);
            value.text = arena_dup(conf->arena, value.text);
            if (!conf_section_set(section, &value)) return gt_fail(info, GT_ELIMIT, "too many keys");
        }
    }
    return GT_OK;
}

/* Into a configuration of its own first: of a file with an error in it nothing is taken over. A mark of byte order is what editors on Windows
 * leave. */
enum gt_err conf_read_text(struct conf *conf, const char *name, struct gt_str text, struct gt_errinfo *info)
{
    struct reader reader = {.conf = conf_new(), .info = info};
    struct gt_str file = arena_dup(conf->arena, gt_str_from(name));
    enum gt_err err = GT_OK;
    if (reader.conf == NULL || file.ptr == NULL) err = gt_fail(info, GT_ENOMEM, "out of memory");
    reader.file = file.ptr;
    if (gt_str_starts(text, GT_STR("\xEF\xBB\xBF"))) text = gt_str_slice(text, 3, SIZE_MAX);
    for (size_t at = 0; err == GT_OK && at < text.len;) {
        size_t end = gt_str_find(text, GT_STR("\n"), at);
        if (end == SIZE_MAX) end = text.len;
        reader.line++;
        err = read_line(&reader, gt_str_slice(text, at, end - at));
        at = end + 1;
    }
    if (err == GT_OK) err = check_value(&reader);
    if (err == GT_OK) err = merge(conf, reader.conf, info);
    conf_free(reader.conf);
    return err;
}

enum gt_err conf_read_file(struct conf *conf, const char *path, struct gt_errinfo *info)
{
    char *bytes = NULL;
    size_t len = 0;
    enum gt_err err = file_read(path, CONF_FILE_BYTES_MAX, &bytes, &len, info);
    if (err == GT_OK) err = conf_read_text(conf, path, (struct gt_str){bytes, len}, info);
    free(bytes);
    return err;
}
