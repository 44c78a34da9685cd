/* Terminal tables: two blanks between columns, no rules, figures under each other, Chinese characters two columns wide. */
#include "common/utf8.h"
#include "reports/sink_writer.h"
#include "reports/text_layout.h"

/* One rendered row: a cell_shown for each column. */
struct text_row {
    struct cell_shown *cells;
};

struct text_state {
    struct text_row *rows;
    size_t row_count, row_cap;
    struct gt_str caption;
    struct gt_str titles[SINK_COLUMNS_MAX]; /* printable */
    bool has_output;                        /* a blank line goes before the next heading */
    bool has_left_out;                      /* some table lost extra columns: said once at the end */
};

static size_t width_limit(const struct sink_writer *writer)
{
    return writer->head.width > 0 ? (size_t)writer->head.width : 0;
}

/* Prints text over as many lines as it needs. */
static void print_wrapped(struct sink_writer *writer, struct gt_str text)
{
    struct gt_str rest = sink_printable(writer, text);
    size_t limit = width_limit(writer);
    do {
        out_str(&writer->out, text_line_take(&rest, limit > 0 ? limit : SIZE_MAX));
        out_fill(&writer->out, 1, '\n');
    } while (rest.len > 0);
    ((struct text_state *)writer->state)->has_output = true;
}

/* Title and terms share a line: the first screen is short of them. */
static void print_title(struct sink_writer *writer)
{
    const struct report_head *head = &writer->head;
    struct gt_str line = head->title;
    if (head->terms.len > 0)
        line = arena_printf(writer->scratch, "%.*s%s%.*s", GT_STR_ARG(head->title), head->lang == LANG_ZH ? "|" : " | ",
                            GT_STR_ARG(head->terms));
    if (line.ptr == NULL) writer->is_out_of_memory = true;
    print_wrapped(writer, line);
}

static void text_begin(struct sink_writer *writer)
{
    if (writer->head.is_sample) out_text(&writer->out, "*** " STORE_SAMPLE_NOTICE " ***\n");
    if (writer->head.title.len > 0) print_title(writer);
    if (writer->head.subtitle.len > 0) print_wrapped(writer, writer->head.subtitle);
}

static void text_heading(struct sink_writer *writer, int level, struct gt_str text)
{
    struct text_state *state = writer->state;
    struct gt_str line = text;
    if (level <= 1) line = arena_printf(writer->scratch, "== %.*s ==", GT_STR_ARG(text));
    if (line.ptr == NULL) writer->is_out_of_memory = true;
    if (state->has_output) out_fill(&writer->out, 1, '\n');
    print_wrapped(writer, line);
}

static void text_paragraph(struct sink_writer *writer, struct gt_str text)
{
    print_wrapped(writer, text);
}

/* Titles may come from a page (a class of its label's own), so they are made printable like any cell. */
static void text_table_begin(struct sink_writer *writer, const char *key, struct gt_str caption)
{
    (void)key;
    struct text_state *state = writer->state;
    state->rows = NULL;
    state->row_count = state->row_cap = 0;
    state->caption = caption;
    for (size_t i = 0; i < writer->column_count; i++) state->titles[i] = sink_printable(writer, writer->columns[i].title);
}

/* A cell as its column shows it: a note stands apart only where figures stand under each other. */
static struct cell_shown shown_in(struct sink_writer *writer, const struct column *column, const struct cell *cell)
{
    struct cell_shown shown = cell_show(writer, column, cell);
    if (column->is_right || shown.note.len == 0) return shown;
    struct gt_str joined = arena_printf(writer->scratch, "%.*s%.*s", GT_STR_ARG(shown.main), GT_STR_ARG(shown.note));
    if (joined.ptr == NULL) writer->is_out_of_memory = true;
    return (struct cell_shown){.main = joined};
}

static void text_row(struct sink_writer *writer, const struct cell *cells)
{
    struct text_state *state = writer->state;
    struct text_row row = {.cells = arena_array(writer->scratch, writer->column_count, sizeof *row.cells)};
    void *rows = state->rows;
    if (row.cells == NULL || !arena_grow(writer->scratch, &rows, state->row_count, &state->row_cap, sizeof *state->rows)) {
        writer->is_out_of_memory = true;
        return;
    }
    state->rows = rows;
    for (size_t i = 0; i < writer->column_count; i++) row.cells[i] = shown_in(writer, &writer->columns[i], &cells[i]);
    state->rows[state->row_count++] = row;
}

/* Widths of one column: of the figures, of what stands behind them, of both together, of the widest word. */
struct parts {
    size_t main, note, both, word;
};

/* What the column needs, over all rows. A table is therefore held in memory until its end. */
static struct parts measure(const struct sink_writer *writer, size_t column)
{
    const struct text_state *state = writer->state;
    struct parts widest = {0};
    for (size_t i = 0; i < state->row_count; i++) {
        size_t main = utf8_width(state->rows[i].cells[column].main), note = utf8_width(state->rows[i].cells[column].note);
        if (main > widest.main) widest.main = main;
        if (note > widest.note) widest.note = note;
        if (main + note > widest.both) widest.both = main + note;
        size_t word = text_word_width(state->rows[i].cells[column].main);
        if (word > widest.word) widest.word = word;
    }
    /* Right-aligned figures end in one line, their notes begin there. */
    if (writer->columns[column].is_right) widest.word = widest.both = widest.main + widest.note;
    return widest;
}

/* Prints pieces of a cell padded to its column; `gap` blanks owed from before are printed only when something follows, so
 * that no line ends in blanks. */
static void put_padded(struct sink_writer *writer, size_t *owed, size_t before, struct gt_str main, struct gt_str note,
                       size_t width)
{
    size_t used = before + utf8_width(main) + utf8_width(note);
    if (main.len + note.len > 0) {
        out_fill(&writer->out, *owed + before, ' ');
        out_str(&writer->out, main);
        out_str(&writer->out, note);
        *owed = 0;
    } else {
        used = 0;
    }
    *owed += used < width ? width - used : 0;
}

/* How far a right-aligned figure stands in: titles end where the figures end. */
static size_t indent_of(const struct column *column, const struct parts *parts, size_t width, size_t main_width,
                        size_t note_width)
{
    if (!column->is_right) return 0;
    size_t room = width > parts->note ? width - parts->note : 0;
    if (main_width > room) room = width > note_width ? width - note_width : 0;
    return room > main_width ? room - main_width : 0;
}

/* One screen line of a row (or of the titles); what does not fit into its column gives its next piece, and stays for the
 * lines after it. Figures are never broken. True while some cell has more. */
static bool print_line(struct sink_writer *writer, struct cell_shown *cells, bool is_title, const struct text_width *widths,
                       const struct parts *parts)
{
    size_t owed = 0;
    bool has_more = false;
    for (size_t i = 0; i < writer->column_count; i++) {
        if (widths[i].is_left_out) continue;
        struct cell_shown piece = cells[i];
        cells[i] = (struct cell_shown){0};
        if ((is_title || !widths[i].is_right) && utf8_width(piece.main) > widths[i].width) {
            cells[i].main = piece.main;
            piece.main = text_line_take(&cells[i].main, widths[i].width);
            has_more |= cells[i].main.len > 0;
        }
        size_t main = utf8_width(piece.main), note = utf8_width(piece.note);
        size_t in = indent_of(&writer->columns[i], &parts[i], widths[i].width, main, note);
        put_padded(writer, &owed, in, piece.main, piece.note, widths[i].width);
        owed += TEXT_GAP;
    }
    out_fill(&writer->out, 1, '\n');
    return has_more;
}

/* Titles, then rows, each over as many lines as it needs. */
static void print_table(struct sink_writer *writer, const struct text_width *widths, const struct parts *parts)
{
    struct text_state *state = writer->state;
    struct cell_shown titles[SINK_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < writer->column_count; i++) titles[i].main = state->titles[i];
    while (print_line(writer, titles, true, widths, parts)) {
    }
    for (size_t i = 0; i < state->row_count; i++)
        while (print_line(writer, state->rows[i].cells, false, widths, parts)) {
        }
}

static void text_table_end(struct sink_writer *writer)
{
    struct text_state *state = writer->state;
    struct text_width widths[SINK_COLUMNS_MAX] = {0};
    struct parts parts[SINK_COLUMNS_MAX] = {0};
    if (writer->is_out_of_memory) return;
    for (size_t i = 0; i < writer->column_count; i++) {
        parts[i] = measure(writer, i);
        widths[i] = (struct text_width){.cells = parts[i].both,
                                        .title = utf8_width(state->titles[i]),
                                        .word = parts[i].word,
                                        .title_word = text_word_width(state->titles[i]),
                                        .is_right = writer->columns[i].is_right,
                                        .is_extra = writer->columns[i].is_extra,
                                        .is_wrapped = writer->columns[i].is_wrapped};
    }
    text_columns_fit(widths, writer->column_count, width_limit(writer));
    for (size_t i = 0; i < writer->column_count; i++) state->has_left_out |= widths[i].is_left_out;
    if (state->caption.len > 0) print_wrapped(writer, state->caption);
    print_table(writer, widths, parts);
    state->has_output = true;
}

static void text_end(struct sink_writer *writer)
{
    const struct text_state *state = writer->state;
    if (state->has_left_out) {
        out_fill(&writer->out, 1, '\n');
        print_wrapped(writer, label(writer->head.lang, LABEL_COLUMNS_LEFT_OUT));
    }
    if (writer->head.is_sample) out_text(&writer->out, "*** " STORE_SAMPLE_NOTICE " ***\n");
}

const struct sink sink_text = {
    .name = "text",
    .extension = ".txt",
    .media_type = "text/plain; charset=utf-8",
    .state_bytes = sizeof(struct text_state),
    .begin = text_begin,
    .heading = text_heading,
    .paragraph = text_paragraph,
    .table_begin = text_table_begin,
    .row = text_row,
    .table_end = text_table_end,
    .end = text_end,
};
