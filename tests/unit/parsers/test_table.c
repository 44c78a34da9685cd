/* The extractor `table`. */
#include "tests/unit/parsers/page.h"

#define ROWS "extract = table\nrows = //tr[td]\n"

static const struct page_case CASES[] = {
    {"cells by position", ROWS "label = td[1]\nprice = td[2]", "<table><tr><td>A100</td><td>¥9.9/时</td></tr></table>",
     "label=A100; price=¥9.9/时\n", GT_OK, NULL, NULL},
    {"a heading is passed along", ROWS "label = td[1]\nprice = td[2]",
     "<table><tr><th>型号<th>价格（元/月）<tr><td>A100<td>5000</table>", "label=A100{型号}; price=5000{价格（元/月）}\n", GT_OK, NULL, NULL},
    {"cells by header words with a slash in them", ROWS "label = 型号\nprice = 价格（元/月）",
     "<table><tr><th>型号<th>价格(元/月)<tr><td>A100<td>5000</table>", "label=A100{型号}; price=5000{价格(元/月)}\n", GT_OK, NULL, NULL},
    {"a header of plain cells", "extract = table\nrows = //tr\nlabel = 型号\nprice = 价格",
     "<table><tr><td>型号</td><td>价格 元/时</td></tr><tr><td>A100</td><td>9</td></tr></table>", "label=A100{型号}; price=9{价格 元/时}\n",
     GT_OK, NULL, NULL},
    {"the same heading wins over one that contains it", ROWS "label = 型号\nprice = 价格",
     "<table><tr><th>型号<th>原价格<th>价格<tr><td>A100<td>9<td>8</table>", "label=A100{型号}; price=8{价格}\n", GT_OK, NULL, NULL},
    {"colspan shifts the columns behind it", ROWS "label = 型号\nprice = 单价",
     "<table><tr><th colspan=2>配置<th>型号<th>单价<tr><td>a<td>b<td>A100<td>7</table>", "label=A100{型号}; price=7{单价}\n", GT_OK, NULL, NULL},
    {"rowspan carries a cell down", ROWS "label = 型号\nprice = 单价\nregion = 地区",
     "<table><tr><th>地区<th>型号<th>单价<tr><td rowspan=2>北京<td>A100<td>7<tr><td>H20<td>8</table>",
     "label=A100{型号}; price=7{单价}; region=北京{地区}\nlabel=H20{型号}; price=8{单价}; region=北京{地区}\n", GT_OK, NULL, NULL},
    {"two header rows are joined", ROWS "label = 型号\nprice.hour = 价格 时\nprice.month = 价格 月",
     "<table><tr><th rowspan=2>型号<th colspan=2>价格<tr><th>时<th>月<tr><td>A100<td>7<td>4000</table>",
     "label=A100{型号}; price.hour=7{价格 时}; price.month=4000{价格 月}\n", GT_OK, NULL, NULL},
    {"a second header in mid-table names the rows below it", ROWS "label = td[1]\nprice = td[2]",
     "<table><tr><th>A<th>元/时<tr><td>x<td>1<tr><th>A<th>元/月<tr><td>y<td>2</table>", "label=x{A}; price=1{元/时}\nlabel=y{A}; price=2{元/月}\n",
     GT_OK, NULL, NULL},
    {"the caption stands behind the heading", ROWS "label = td[1]\nprice = td[2]",
     "<table><caption>单位：元/小时</caption><tr><th>型号<th>价格<tr><td>A100<td>7</table>",
     "label=A100{型号 | 单位：元/小时}; price=7{价格 | 单位：元/小时}\n", GT_OK, NULL, NULL},
    {"offers that are columns", "extract = table\nrows = //table\ntransposed = yes\nlabel = #1\nprice = 时价\ncards = 1",
     "<table><tr><th>规格<td>A100<td>H20<tr><th>时价（元）<td>9<td>7</table>",
     "label=A100{规格}; price=9{时价（元）}; cards=1\nlabel=H20{规格}; price=7{时价（元）}; cards=1\n", GT_OK, NULL, NULL},
    {"a literal and a plain number", ROWS "label = 'RTX 4090'\nprice = td[1]\ncards = 8\nregion = \"北京\"", "<table><tr><td>9</table>",
     "label=RTX 4090; price=9; cards=8; region=北京\n", GT_OK, NULL, NULL},
    {"a column by number", ROWS "label = #2\nprice = 1", "<table><tr><td>9<td>A100</table>", "label=A100; price=9\n", GT_OK, NULL, NULL},
    {"every node of a price is a price", ROWS "label = td[1]\nprice = td[2]/span", "<table><tr><td>A<td><span>1元/时</span><span>500元/月</span></table>",
     "label=A; price=1元/时; price=500元/月\n", GT_OK, NULL, NULL},
    {"variants are joined", ROWS "label = td[1]\nprice = td[2]\nvariant = td[3]\n  td[4]",
     "<table><tr><td>A<td>1<td>16核<td>64G</table>", "label=A; price=1; variant=16核 | 64G\n", GT_OK, NULL, NULL},
    {"blocks that are no table", "extract = table\nrows = //div[@class='card']\nlabel = .//h3\nprice = .//b\nkey = @data-id",
     "<div class=card data-id=k1><h3>RTX 4090</h3><p><b>¥1.98</b>/时</div>", "label=RTX 4090; price=¥1.98; key=k1\n", GT_OK, NULL, NULL},
    {"an XPath that makes a text", ROWS "label = concat(td[1],' ',td[2])\nprice = td[3]", "<table><tr><td>A100<td>80G<td>9</table>",
     "label=A100 80G; price=9\n", GT_OK, NULL, NULL},
    {"an element that is named elsewhere", ROWS "label = td[1]\nprice = td[2]\nplan = id(ancestor::div/@aria-labelledby)",
     "<p id=t>8x</p><p id=t>second</p><div aria-labelledby=t><table><tr><td>A<td>1</table></div>", "label=A; price=1; plan=8x\n", GT_OK, NULL, NULL},
    {"rows of a named table", "extract = table\ntable = //table[@id='gpu']\nlabel = td[1]\nprice = td[2]",
     "<table><tr><td>CPU<td>1</table><table id=gpu><tr><td>A100<td>2</table>", "label=A100; price=2\n", GT_OK, NULL, NULL},
    {"rows that are left out", ROWS "skip = /对象存储/\nlabel = td[1]\nprice = td[2]", "<table><tr><td>对象存储<td>1<tr><td>A100<td>2</table>",
     "label=A100; price=2\n", GT_OK, NULL, NULL},
    {"spans that touch are kept apart", ROWS "label = td[1]\nprice = td[2]",
     "<table><tr><td><span>RTX 4090</span><span>24GB</span><td><b>¥1</b><i>.96</i>/时</table>", "label=RTX 4090 24GB; price=¥1.96/时\n", GT_OK, NULL,
     NULL},
    {"a footnote is no digit", ROWS "label = td[1]\nprice = td[2]", "<table><tr><td>A<td>1.96<sup>2</sup></table>", "label=A; price=1.96 2\n", GT_OK,
     NULL, NULL},
    {"a comment does not cut a text", ROWS "label = td[1]\nprice = td[2]", "<table><tr><td>A<td>¥1<!-- -->.96</table>", "label=A; price=¥1.96\n",
     GT_OK, NULL, NULL},
    {"a nested table is a table of its own", "extract = table\nrows = //table[@id='o']/tr | //table[@id='o']/tbody/tr\nlabel = td[1]\nprice = td[2]",
     "<table id=o><tr><td>A<td><table><tr><td>5</table></table>", "label=A; price=5\n", GT_OK, NULL, NULL},
    {"a row without a label is refused alone", ROWS "label = td[1]\nprice = td[2]", "<table><tr><td><td>1<tr><td>A<td>2</table>", "label=A; price=2\n",
     GT_OK, NULL, NULL},
    {"no row", ROWS "label = td[1]", "<p>nothing here", NULL, GT_ENOROWS, "no row", NULL},
    {"an empty page", ROWS "label = td[1]", "  \n", NULL, GT_EFORMAT, "empty", NULL},
    {"a broken XPath", "extract = table\nrows = //tr[\nlabel = td[1]", "x", NULL, GT_ECONF, "sites.conf:3: rows: XPath", NULL},
    {"a broken field rule", ROWS "label = td[1", "x", NULL, GT_ECONF, "sites.conf:4: label: XPath", NULL},
    {"an unknown function fails when it runs", ROWS "label = string(nonsense(.))", "<table><tr><td>x</table>", NULL, GT_EFORMAT, "XPath", NULL},
    {"a quote that is not closed", ROWS "label = 'x", "x", NULL, GT_ECONF, "sites.conf:4: label: the quote", NULL},
    {"column 0", ROWS "label = #0", "x", NULL, GT_ECONF, "count from 1", NULL},
    {"absolute rows beside a table", "extract = table\ntable = //table\nrows = //tr\nlabel = td[1]", "x", NULL, GT_ECONF, "begin with", NULL},
    {"a broken skip", ROWS "label = td[1]\nskip = /(/", "x", NULL, GT_ECONF, "skip: regex", NULL},
    {"an unknown charset", ROWS "charset = utf-99", "x", NULL, GT_ECONF, "no such encoding", NULL},
};

/* What surrounds the listings. */
static void check_counts(void **state)
{
    (void)state;
    struct page_run run;
    const struct page_input page = {.body = GT_STR("<table><tr><td>A<td>1<tr><td><td>2<tr><td>C<td>3</table>"),
                                    .url = GT_STR(""), .content_type = GT_STR("text/html")};
    page_read(&run, ROWS "label = td[1]\nprice = td[2]\nrows_min = 5", &page);
    assert_int_equal(run.err, GT_OK);
    assert_int_equal(run.extraction.rows_found, 3);
    assert_int_equal(run.extraction.count, 2);
    assert_int_equal(run.extraction.refused_count, 1);
    assert_str(run.extraction.refused[0].reason, "no-label");
    assert_str(run.extraction.refused[0].raw, "2");
    assert_str(run.extraction.extractor, "table");
    assert_str(run.extraction.charset, "windows-1252 (detected)");
    assert_true(run.extraction.is_drifted);
    page_done(&run);
}

static const struct {
    const char *name;
} COUNTS[] = {{"rows found, read and refused are counted; too few mean drift"}};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page) + TABLE_RUN(COUNTS, check_counts);
}
