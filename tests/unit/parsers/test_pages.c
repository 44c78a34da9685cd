/* Real pages, where they are at hand, by every extractor: no crash, no leak, no listing without a label; and what is cut anywhere is read
 * or refused. */
#include <dirent.h>

#include "tests/unit/parsers/page.h"

#define FOLDER "../shared/data/pages/raw"

enum { CUTS = 4 };

static const struct section_case {
    const char *name;
    const char *section;
} SECTIONS[] = {
    {"table, all rows", "extract = table\nrows = //tr\nlabel = td[1]\nprice = td[last()]\nvariant = .//td"},
    {"table, header words", "extract = table\nrows = //table//tr\nlabel = GPU\nprice = price\ncards = 1"},
    {"table, transposed", "extract = table\nrows = //table\ntransposed = yes\nlabel = #1\nprice = #2"},
    {"json, all members", "extract = json\nrows = .. | objects | {label: (keys|join(\" \"))}"},
    {"json in scripts", "extract = json\njson_in = //script[contains(@type,'json')]\nrows = .. | objects | {label: (keys|join(\" \"))}"},
    {"markdown", "extract = markdown\nlabel = 1\nprice = 2"},
    {"text", "extract = text\nrows = /(?<label>[A-Z]\\w+)[^\\n$¥]{0,80}(?<price>[$¥]\\s?[\\d.,]+)/"},
    {"follow", "extract = table\nlabel = td[1]\nfollow = //a[position() < 30]/@href"},
    {"auto", "extract = auto"},
};

static void read_one(const char *section, struct gt_str body)
{
    struct page_run run;
    const struct page_input page = {.body = body, .url = GT_STR("https://example.com/"), .content_type = GT_STR("")};
    page_read(&run, section, &page);
    if (run.err == GT_OK) {
        for (size_t i = 0; i < run.extraction.count; i++) {
            bool has_label = false;
            for (size_t j = 0; j < run.extraction.listings[i].field_count; j++)
                has_label = has_label || gt_str_is(run.extraction.listings[i].fields[j].name, "label");
            assert_true(has_label);
        }
    } else {
        assert_true(run.info.text[0] != '\0');
    }
    page_done(&run);
}

static void read_file(const char *name, struct strbuf *bytes)
{
    char path[512];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    strbuf_clear(bytes);
    char chunk[8192];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) strbuf_add(bytes, (struct gt_str){chunk, got});
    fclose(file);
}

static void check_section(void **state)
{
    const struct section_case *row = *state;
    struct strbuf bytes;
    size_t pages = 0;
    DIR *folder = opendir(FOLDER);
    if (folder == NULL) {
        print_message("skipped: no pages\n");
        skip();
    }
    strbuf_init(&bytes, PAGE_BYTES_MAX);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        read_file(entry->d_name, &bytes);
        for (size_t cut = 1; cut <= CUTS; cut++) read_one(row->section, gt_str_slice(strbuf_str(&bytes), 0, bytes.len * cut / CUTS));
        pages++;
    }
    closedir(folder);
    assert_true(pages > 0);
    strbuf_done(&bytes);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(SECTIONS, check_section);
}
