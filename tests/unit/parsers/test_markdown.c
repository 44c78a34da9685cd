/* The extractor `markdown`. */
#include "tests/unit/parsers/page.h"

#define MD "text/markdown"
#define RULES "extract = markdown\nlabel = 型号\nprice = 价格\n"

static const struct page_case CASES[] = {
    {"a table", RULES, "# 价格\n\n| 型号 | 价格（元/时） |\n|---|---:|\n| A100 | 9.9 |\n| H20 | 7 |\n\nend",
     "label=A100{型号}; price=9.9{价格（元/时）}\nlabel=H20{型号}; price=7{价格（元/时）}\n", GT_OK, NULL, MD},
    {"without pipes at the ends", RULES, "型号 | 价格\n--- | ---\nA100 | 9.9\n", "label=A100{型号}; price=9.9{价格}\n", GT_OK, NULL, MD},
    {"an escaped pipe", RULES, "|型号|价格|\n|-|-|\n|A\\|B|9|\n", "label=A|B{型号}; price=9{价格}\n", GT_OK, NULL, MD},
    {"a dash column too many", RULES, "|型号|价格|\n|-|-|-|\n|A|9|\n", "label=A{型号}; price=9{价格}\n", GT_OK, NULL, MD},
    {"a cell too many is kept", "extract = markdown\nlabel = 型号\nprice = 3", "|型号|价格|\n|-|-|\n|A|9|8|\n", "label=A{型号}; price=8\n", GT_OK, NULL, MD},
    {"marks are taken off", RULES, "|型号|价格|\n|-|-|\n|[**A100**](http://x/a) `80G`|&yen;9<br>8&nbsp;折|\n",
     "label=A100 80G{型号}; price=¥9 8 折{价格}\n", GT_OK, NULL, MD},
    {"a star in a name stays", RULES, "|型号|价格|\n|-|-|\n|8*910B|9|\n", "label=8*910B{型号}; price=9{价格}\n", GT_OK, NULL, MD},
    {"columns by number, cards as a number", "extract = markdown\nlabel = 1\nprice = #2\ncards = 8", "|a|b|\n|-|-|\n|A|9|\n",
     "label=A{a}; price=9{b}; cards=8\n", GT_OK, NULL, MD},
    {"the table with the words", "extract = markdown\ntable = GPU price\nlabel = 1\nprice = 2", "|CPU|Price|\n|-|-|\n|c|1|\n\n|GPU|Price|\n|-|-|\n|g|2|\n",
     "label=g{GPU}; price=2{Price}\n", GT_OK, NULL, MD},
    {"several tables", RULES, "|型号|价格|\n|-|-|\n|A|1|\n\n|区域|名称|\n|-|-|\n|x|y|\n\n|型号|价格|\n|-|-|\n|B|2|\n",
     "label=A{型号}; price=1{价格}\nlabel=B{型号}; price=2{价格}\n", GT_OK, NULL, MD},
    {"a table in fenced code is text", RULES, "```\n|型号|价格|\n|-|-|\n|A|1|\n```\n", NULL, GT_ENOROWS, "header", MD},
    {"carriage returns", RULES, "|型号|价格|\r\n|-|-|\r\n|A|1|\r\n", "label=A{型号}; price=1{价格}\n", GT_OK, NULL, MD},
    {"a rule of dashes is no table", RULES, "text\n---\n| a |\n", NULL, GT_ENOROWS, NULL, MD},
    {"no column of that name", RULES, "|a|b|\n|-|-|\n|A|1|\n", NULL, GT_ENOROWS, NULL, MD},
    {"rows that are left out", RULES "skip = ^CPU", "|型号|价格|\n|-|-|\n|CPU|1|\n|A|1|\n", "label=A{型号}; price=1{价格}\n", GT_OK, NULL, MD},
    {"an empty rule is none", "extract = markdown\nlabel =  ", "|a|b|\n|-|-|\n|A|1|\n", NULL, GT_ENOROWS, NULL, MD},
};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page);
}
