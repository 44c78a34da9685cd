/* Workbooks by libxlsxwriter: a sheet for each part of the report, numbers as numbers, texts as texts and never formulas. The file is
 * put together in memory, since the library writes to a path alone. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xlsxwriter.h>

#include "common/civil.h"
#include "common/utf8.h"
#include "pricing/money.h"
#include "reports/sink_writer.h"

enum {
    SHEETS_MAX = 64,
    SHEET_NAME_SIGNS = 31, /* Excel's limits from here on */
    SHEET_ROWS_MAX = 1048576,
    CELL_BYTES_MAX = 32767, /* characters in truth; bytes are never fewer */
    LINKS_MAX = 60000,      /* a sheet may have 65,530 */
    LINK_BYTES_MAX = 2000,
    FORMATS_MAX = 2000, /* notes behind numbers are formats of their own; past it they are left out */
    FORMAT_BYTES_MAX = 255,
    COLUMN_WIDTH_MAX = 60,
    COPY_STEP = 64 * 1024,
    PATH_BYTES = 64,
    TEXT_BYTES = 64,
    EPOCH_1900_DAYS = 25569, /* 1970-01-01 in Excel's count of days */
};

/* One number format, made once. */
struct known_format {
    char *code;
    lxw_format *format;
};

struct xlsx_state {
    lxw_workbook *book;
    lxw_worksheet *sheet;
    lxw_format *bold, *title, *marked, *link;
    struct known_format formats[FORMATS_MAX];
    size_t format_count;
    char names[SHEETS_MAX][SHEET_NAME_SIGNS * 4 + 1];
    size_t sheet_count;
    lxw_row_t row; /* the next free one of the sheet */
    size_t links;
    double widths[SINK_COLUMNS_MAX]; /* of the sheet's columns so far */
    int fd;                          /* the file in memory; -1: it could not be made */
    char path[PATH_BYTES];
    lxw_error failed; /* sticky */
};

static void note(struct xlsx_state *state, lxw_error error)
{
    if (state->failed == LXW_NO_ERROR) state->failed = error;
}

/* A NUL-closed copy, printable and cut to what a cell may hold. */
static const char *cell_words_of(struct sink_writer *writer, struct gt_str text)
{
    struct gt_str printable = sink_printable(writer, text);
    size_t len = printable.len;
    while (len > CELL_BYTES_MAX || (len < printable.len && ((unsigned char)printable.ptr[len] & 0xC0) == 0x80)) len--;
    const char *words = arena_dup(writer->scratch, gt_str_slice(printable, 0, len)).ptr;
    if (words == NULL) writer->is_out_of_memory = true;
    return words != NULL ? words : "";
}

/* ---- sheets ---- */

static void sheet_close(struct xlsx_state *state)
{
    if (state->sheet == NULL) return;
    for (size_t i = 0; i < SINK_COLUMNS_MAX; i++)
        if (state->widths[i] > 0) note(state, worksheet_set_column(state->sheet, (lxw_col_t)i, (lxw_col_t)i, state->widths[i], NULL));
    memset(state->widths, 0, sizeof state->widths);
}

static bool is_name_taken(const struct xlsx_state *state, const char *name)
{
    for (size_t i = 0; i < state->sheet_count; i++)
        if (strcasecmp(state->names[i], name) == 0) return true;
    return false;
}

/* A heading as a sheet's name: without the signs that Excel refuses, short, and not there yet. */
static void sheet_name(const struct xlsx_state *state, struct gt_str heading, char *name)
{
    char base[SHEET_NAME_SIGNS * 4 + 1];
    size_t len = 0, signs = 0, step;
    enum { NUMBER_SIGNS = 4 };
    for (size_t at = 0; at < heading.len && signs < SHEET_NAME_SIGNS - NUMBER_SIGNS; at += step, signs++) {
        utf8_decode(heading, at, &step);
        bool is_refused = strchr("[]:*?/\\'", heading.ptr[at]) != NULL;
        if (is_refused) base[len++] = ' ';
        else memcpy(base + len, heading.ptr + at, step);
        len += is_refused ? 0 : step;
    }
    base[len] = '\0';
    if (len == 0) snprintf(base, sizeof base, "Sheet");
    snprintf(name, sizeof base, "%s", base);
    for (unsigned n = 2; is_name_taken(state, name); n++) snprintf(name, sizeof base, "%.*s %u", (int)sizeof base - 12, base, n);
}

/* Past SHEETS_MAX the last sheet goes on. */
static void sheet_open(struct xlsx_state *state, struct gt_str heading)
{
    if (state->book == NULL || state->sheet_count == SHEETS_MAX) return;
    char name[SHEET_NAME_SIGNS * 4 + 1];
    sheet_close(state);
    sheet_name(state, heading, name);
    lxw_worksheet *sheet = workbook_add_worksheet(state->book, name);
    if (sheet == NULL) {
        note(state, LXW_ERROR_MEMORY_MALLOC_FAILED);
        return;
    }
    snprintf(state->names[state->sheet_count++], sizeof state->names[0], "%s", name);
    state->sheet = sheet;
    state->row = 0;
    state->links = 0;
}

static void write_line(struct sink_writer *writer, struct gt_str text, lxw_format *format)
{
    struct xlsx_state *state = writer->state;
    if (state->sheet == NULL || text.len == 0) return;
    if (state->row >= SHEET_ROWS_MAX) {
        note(state, LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE);
        return;
    }
    note(state, worksheet_write_string(state->sheet, state->row++, 0, cell_words_of(writer, text), format));
}

/* ---- numbers ---- */

/* A format by its code; NULL (the general one) past FORMATS_MAX. */
static lxw_format *format_of(struct xlsx_state *state, const char *code, bool is_marked)
{
    char key[FORMAT_BYTES_MAX + 2];
    snprintf(key, sizeof key, "%c%s", is_marked ? '!' : ' ', code);
    for (size_t i = 0; i < state->format_count; i++)
        if (strcmp(state->formats[i].code, key) == 0) return state->formats[i].format;
    if (state->format_count == FORMATS_MAX) return is_marked ? state->marked : NULL;
    struct known_format made = {strdup(key), workbook_add_format(state->book)};
    if (made.code == NULL || made.format == NULL) {
        free(made.code);
        note(state, LXW_ERROR_MEMORY_MALLOC_FAILED);
        return NULL;
    }
    format_set_num_format(made.format, code);
    if (is_marked) format_set_font_color(made.format, LXW_COLOR_GRAY);
    state->formats[state->format_count++] = made;
    return made.format;
}

/* A number's format with the note behind it, which stays a note: `0.00"(另解1130)"`. */
static const char *with_note(struct sink_writer *writer, const char *code, struct gt_str note_text)
{
    struct gt_str words = sink_printable(writer, note_text);
    bool is_plain = words.len > 0 && words.len + strlen(code) + 2 < FORMAT_BYTES_MAX && gt_str_find(words, GT_STR("\""), 0) == SIZE_MAX;
    if (!is_plain) return code;
    const char *joined = arena_printf(writer->scratch, "%s\"%.*s\"", code, GT_STR_ARG(words)).ptr;
    if (joined == NULL) writer->is_out_of_memory = true;
    return joined != NULL ? joined : code;
}

/* Places behind the point that an amount is shown with: as many as people see elsewhere, all where there is no limit. */
static const char *money_code(const struct column *column, int64_t nano)
{
    static const char *const codes[] = {"#,##0", "#,##0.0", "#,##0.00", "#,##0.000", "#,##0.0000"};
    enum { CODES = sizeof codes / sizeof codes[0] };
    int64_t step = NANO;
    int places = 0, limit = column->decimals > 0 && column->decimals < CODES ? column->decimals : CODES - 1;
    while (places < limit && nano % step != 0) step /= 10, places++;
    return nano % step != 0 && column->decimals == 0 ? "General" : codes[places];
}

/* Excel's count of days in the report's zone: a workbook knows no zones. */
static double days_of(const struct sink_writer *writer, int64_t t_unix_s)
{
    return (double)(t_unix_s + writer->head.zone_offset_s) / CIVIL_DAY_S + EPOCH_1900_DAYS;
}

/* The value of a number and the code of its format; false for what is no number to a workbook. */
static bool number_of(struct sink_writer *writer, const struct column *column, const struct cell *cell, double *ret_value, const char **ret_code)
{
    switch (cell->kind) {
    case CELL_MONEY: *ret_value = (double)cell->number / NANO; *ret_code = money_code(column, cell->number); break;
    case CELL_PERCENT: *ret_value = (double)cell->number / NANO / 100; *ret_code = "+0.0%;-0.0%;0.0%"; break;
    case CELL_COUNT: *ret_value = (double)cell->number; *ret_code = "0"; break;
    case CELL_TIME: *ret_value = days_of(writer, cell->number); *ret_code = "yyyy-mm-dd hh:mm"; break;
    case CELL_DAY: *ret_value = floor(days_of(writer, cell->number)); *ret_code = "yyyy-mm-dd"; break;
    case CELL_DAY_SHORT: *ret_value = floor(days_of(writer, cell->number)); *ret_code = "mm-dd"; break;
    case CELL_AGE: *ret_value = (double)cell->number / CIVIL_DAY_S; *ret_code = "[h]:mm"; break;
    case CELL_NONE:
    case CELL_TEXT:
    case CELL_LIST:
    case CELL_BOOL: return false;
    }
    return true;
}

/* ---- the sink ---- */

/* A time of its own would make two equal reports differ: the report's is given. */
static void book_describe(struct sink_writer *writer)
{
    struct xlsx_state *state = writer->state;
    lxw_doc_properties properties = {.title = (char *)(uintptr_t)cell_words_of(writer, writer->head.title),
                                     .comments = writer->head.is_sample ? STORE_SAMPLE_NOTICE : NULL,
                                     .created = (time_t)writer->head.now_unix_s};
    note(state, workbook_set_properties(state->book, &properties));
}

static void xlsx_begin(struct sink_writer *writer)
{
    struct xlsx_state *state = writer->state;
    state->fd = memfd_create("gputape-report", MFD_CLOEXEC);
    if (state->fd < 0) return;
    snprintf(state->path, sizeof state->path, "/proc/self/fd/%d", state->fd);
    lxw_workbook_options options = {.constant_memory = LXW_FALSE, .tmpdir = NULL, .use_zip64 = LXW_FALSE};
    state->book = workbook_new_opt(state->path, &options);
    if (state->book == NULL) return;
    state->bold = workbook_add_format(state->book);
    state->title = workbook_add_format(state->book);
    state->marked = workbook_add_format(state->book);
    state->link = workbook_get_default_url_format(state->book);
    if (state->bold == NULL || state->title == NULL || state->marked == NULL) note(state, LXW_ERROR_MEMORY_MALLOC_FAILED);
    else {
        format_set_bold(state->bold);
        format_set_bottom(state->bold, LXW_BORDER_THIN);
        format_set_bold(state->title);
        format_set_font_size(state->title, 14);
        format_set_font_color(state->marked, LXW_COLOR_GRAY);
    }
    book_describe(writer);
    sheet_open(state, label(writer->head.lang, LABEL_SHEET_FIRST));
    if (writer->head.is_sample) write_line(writer, GT_STR(STORE_SAMPLE_NOTICE), state->bold);
    write_line(writer, writer->head.title, state->title);
    write_line(writer, writer->head.terms, NULL);
    write_line(writer, writer->head.subtitle, NULL);
}

/* The report's parts are sheets; what is below them stands in bold. */
static void xlsx_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    struct xlsx_state *state = writer->state;
    if (level == 1) sheet_open(state, text);
    else state->row++;
    write_line(writer, text, level == 1 ? state->title : state->bold);
}

static void xlsx_paragraph(struct sink_writer *writer, struct gt_str text)
{
    write_line(writer, text, NULL);
}

static void widen(struct xlsx_state *state, size_t column, struct gt_str text)
{
    enum { ROOM = 2 };
    double width = (double)utf8_width(text) + ROOM;
    if (width > COLUMN_WIDTH_MAX) width = COLUMN_WIDTH_MAX;
    if (width > state->widths[column]) state->widths[column] = width;
}

static void xlsx_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    struct xlsx_state *state = writer->state;
    (void)key;
    write_line(writer, caption, state->bold);
    if (state->sheet == NULL || state->row >= SHEET_ROWS_MAX) return;
    for (size_t i = 0; i < writer->column_count; i++) {
        widen(state, i, writer->columns[i].title);
        note(state, worksheet_write_string(state->sheet, state->row, (lxw_col_t)i, cell_words_of(writer, writer->columns[i].title), state->bold));
    }
    state->row++;
}

static void write_link(struct sink_writer *writer, size_t column, const struct cell *cell, const char *words)
{
    struct xlsx_state *state = writer->state;
    const char *address = arena_dup(writer->scratch, cell->link).ptr;
    if (address == NULL) {
        writer->is_out_of_memory = true;
        return;
    }
    state->links++;
    note(state, worksheet_write_url_opt(state->sheet, state->row, (lxw_col_t)column, address, state->link, words, NULL));
}

static void write_cell(struct sink_writer *writer, size_t at, const struct cell *cell)
{
    struct xlsx_state *state = writer->state;
    double value = 0;
    const char *code = "General";
    struct cell_shown shown = cell_show(writer, &writer->columns[at], cell);
    if (cell->kind == CELL_NONE) return;
    widen(state, at, shown.main);
    if (number_of(writer, &writer->columns[at], cell, &value, &code)) {
        lxw_format *format = format_of(state, with_note(writer, code, cell->text), cell->is_marked);
        note(state, worksheet_write_number(state->sheet, state->row, (lxw_col_t)at, value, format));
        return;
    }
    const char *words = cell_words_of(writer, shown.main);
    bool is_link = sink_is_link(cell->link) && cell->link.len <= LINK_BYTES_MAX && state->links < LINKS_MAX;
    if (is_link) write_link(writer, at, cell, words);
    else note(state, worksheet_write_string(state->sheet, state->row, (lxw_col_t)at, words, cell->is_marked ? state->marked : NULL));
}

static void xlsx_row(struct sink_writer *writer, const struct cell *cells)
{
    struct xlsx_state *state = writer->state;
    if (state->sheet == NULL) return;
    if (state->row >= SHEET_ROWS_MAX) {
        note(state, LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE);
        return;
    }
    for (size_t i = 0; i < writer->column_count; i++) write_cell(writer, i, &cells[i]);
    state->row++;
    arena_clear(writer->scratch);
}

static void xlsx_table_end(struct sink_writer *writer)
{
    struct xlsx_state *state = writer->state;
    state->row++;
}

/* From memory to the report's FILE. */
static void copy_out(struct sink_writer *writer)
{
    struct xlsx_state *state = writer->state;
    char *bytes = malloc(COPY_STEP);
    off_t at = 0;
    ssize_t n = -1;
    while (bytes != NULL && (n = pread(state->fd, bytes, COPY_STEP, at)) > 0) {
        out_str(&writer->out, (struct gt_str){bytes, (size_t)n});
        at += n;
    }
    if (bytes == NULL) writer->is_out_of_memory = true;
    else if (n < 0) out_break(&writer->out, errno);
    free(bytes);
}

/* The library's own files in $TMPDIR can find no room, too. */
static int errno_of(lxw_error error)
{
    switch (error) {
    case LXW_ERROR_MEMORY_MALLOC_FAILED: return ENOMEM;
    case LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE: return EFBIG;
    default: return ENOSPC;
    }
}

static void xlsx_end(struct sink_writer *writer)
{
    struct xlsx_state *state = writer->state;
    if (writer->head.is_sample) write_line(writer, GT_STR(STORE_SAMPLE_NOTICE), state->bold);
    sheet_close(state);
    if (state->book != NULL) note(state, workbook_close(state->book));
    if (state->book == NULL || state->fd < 0) out_break(&writer->out, EIO);
    else if (state->failed != LXW_NO_ERROR) out_break(&writer->out, errno_of(state->failed));
    else copy_out(writer);
    if (state->fd >= 0) close(state->fd);
    for (size_t i = 0; i < state->format_count; i++) free(state->formats[i].code);
}

const struct sink sink_xlsx = {
    .name = "xlsx",
    .extension = ".xlsx",
    .media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    .is_data = false,
    .state_bytes = sizeof(struct xlsx_state),
    .begin = xlsx_begin,
    .heading = xlsx_heading,
    .paragraph = xlsx_paragraph,
    .table_begin = xlsx_table_begin,
    .row = xlsx_row,
    .table_end = xlsx_table_end,
    .end = xlsx_end,
};
