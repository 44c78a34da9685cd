#include "crawler/block_page.h"

#include "crawler/page_judge.h"
#include "tests/unit/table.h"

#define LONG_TEXT                                                                                                                \
    "Prices of our machines, with all that is to be known of them. Prices of our machines, with all that is to be known of "     \
    "them. "                                                                                                                     \
    "Prices of our machines, with all that is to be known of them. Prices of our machines, with all that is to be known of "     \
    "them. "                                                                                                                     \
    "Prices of our machines, with all that is to be known of them. Prices of our machines, with all that is to be known of "     \
    "them. "                                                                                                                     \
    "Prices of our machines, with all that is to be known of them. Prices of our machines, with all that is to be known of "     \
    "them. "
#define LONG LONG_TEXT LONG_TEXT LONG_TEXT LONG_TEXT

static const struct row {
    const char *name;
    const char *text;
    bool is_json;
    enum block_kind kind;
    const char *reason; /* its beginning */
} pages[] = {
    {"Cloudflare", "<html><head><title>Just a moment...</title></head><body></body></html>", false, BLOCK_PAGE, "challenge"},
    {"Cloudflare's script on a long page", "<html>" LONG "<script>window._cf_chl_opt={}</script></html>", false, BLOCK_PAGE,
     "challenge"},
    {"Aliyun's firewall", "<html><script>var arg1='..';acw_sc__v2</script></html>", false, BLOCK_PAGE, "challenge"},
    {"sliding captcha", "<html><body>请完成下方滑动验证后继续</body></html>", false, BLOCK_PAGE, "captcha"},
    {"visits too often", "<html><body>您的访问过于频繁，请稍后再试</body></html>", false, BLOCK_PAGE, "rate limit"},
    {"captcha script on a short page",
     "<html><script src=https://a/captcha.js></script><body>Please wait while we check something</body></html>", false,
     BLOCK_PAGE, "captcha"},
    {"login", "<html><title>登录</title><body>请先登录后再继续查看您要的内容</body></html>", false, BLOCK_PAGE, "login"},
    {"password field", "<html><body><form>Name and word, please <input TYPE=\"PASSWORD\"></form></body></html>", false,
     BLOCK_PAGE, "login"},
    {"cookie wall", "<html><body>You have to enable cookies before we let you see this page</body></html>", false, BLOCK_PAGE,
     "cookie wall"},
    {"soft 404", "<html><title>Page not found</title><body>Sorry, we looked everywhere for it and did not find it</body></html>",
     false, BLOCK_PAGE, "soft 404"},
    {"Chinese soft 404", "<html><body>抱歉，您访问的页面不存在或者已经删除了，请返回首页继续浏览其他内容</body></html>", false,
     BLOCK_PAGE, "soft 404"},
    {"maintenance", "<html><body>系统维护中，预计今天晚上十点恢复，给您带来的不便敬请谅解，谢谢</body></html>", false, BLOCK_PAGE,
     "maintenance"},
    {"empty shell",
     "<html><head><script>var a = 'a long script that nobody sees, for it is none of the text';</script>"
     "<style>body { color: red; background: a long style too }</style></head><body><div id=app></div></body></html>",
     false, BLOCK_PAGE, "empty shell"},
    {"nothing", "  \n ", false, BLOCK_PAGE, "empty page"},
    {"only a comment", "<html><!-- a comment of more than forty characters is still not text --></html>", false, BLOCK_PAGE,
     "empty shell"},
    {"comment without an end", "<html><!-- ", false, BLOCK_PAGE, "empty shell"},
    {"JSON error", "{\"error\": {\"message\": \"boom\"}}", true, BLOCK_SOFT_ERROR, "the answer reports an error"},
    {"JSON code", "{\"code\":500,\"msg\":\"系统异常\"}", true, BLOCK_SOFT_ERROR, "the answer reports an error"},
    {"JSON without success", "{\"success\":false,\"data\":null}", true, BLOCK_SOFT_ERROR, "the answer reports an error"},
    {"JSON that wants a login", "{\"code\":401,\"msg\":\"未登录\"}", true, BLOCK_PAGE, "login"},
    {"GraphQL errors", "{\"errors\":[{\"message\":\"x\"}],\"data\":null}", true, BLOCK_SOFT_ERROR, "the answer reports an error"},

    {"a price page with a login link", "<html><body><a href=/login>请登录</a>" LONG "</body></html>", false, BLOCK_NONE, NULL},
    {"a price page with a captcha script", "<html><script src=geetest.js></script>" LONG "</html>", false, BLOCK_NONE, NULL},
    {"words enough", "<html><body>There is something here, though it is not what we came for.</body></html>", false, BLOCK_NONE,
     NULL},
    {"empty list", "{\"code\":0,\"data\":[]}", true, BLOCK_NONE, NULL},
    {"good code as a text", "{\"code\":\"200\",\"data\":[]}", true, BLOCK_NONE, NULL},
    {"error is null", "{\"error\":null,\"items\":[]}", true, BLOCK_NONE, NULL},
    {"errors is empty", "{\"errors\":[],\"items\":[]}", true, BLOCK_NONE, NULL},
    {"an array", "[]", true, BLOCK_NONE, NULL},
    {"unclosed tag", "<html><body>There is something here, though it is not what we came for.<a", false, BLOCK_NONE, NULL},
};

static void check_page(void **state)
{
    const struct row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    struct gt_str reason = {NULL, 0};
    enum block_kind kind = block_page_find(gt_str_from(row->text), row->is_json, arena, &reason);
    assert_int_equal(kind, row->kind);
    if (kind != BLOCK_NONE) assert_true(gt_str_starts(reason, gt_str_from(row->reason)));
    arena_free(arena);
}

/* What transport and status alone say. */
static const struct answer_row {
    const char *name;
    enum gt_err err;
    int32_t status;
    const char *head, *body;
    bool is_length_known;
    bool is_settled; /* nothing to extract */
    int verdict;     /* a status, when settled */
    bool is_refetchable;
} answers[] = {
    {"a page", GT_OK, 200, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "<html>x</html>", true, false, 0, false},
    {"until close, with its end", GT_OK, 200, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "<html>x</html>\n", false,
     false, 0, false},
    {"until close, JSON with its end", GT_OK, 200, "HTTP/1.1 200 OK\r\n\r\n", "{\"a\":1}", false, false, 0, false},
    {"until close, plain text", GT_OK, 200, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", "abc", false, false, 0, false},
    {"until close, no end", GT_OK, 200, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "<html><table><tr>", false, true,
     STATUS_INCOMPLETE, false},
    {"until close, JSON without an end", GT_OK, 200, "HTTP/1.1 200 OK\r\n\r\n", "{\"a\":[1,2", false, true, STATUS_INCOMPLETE,
     false},
    {"empty", GT_OK, 200, "HTTP/1.1 200 OK\r\n\r\n", "", true, true, STATUS_BLOCKED, false},
    {"blanks", GT_OK, 200, "HTTP/1.1 200 OK\r\n\r\n", " \r\n\t ", true, true, STATUS_BLOCKED, false},
    {"203", GT_OK, 203, "HTTP/1.1 203 x\r\n\r\n", "<html>x</html>", true, true, STATUS_FAILED, false},
    {"204", GT_OK, 204, "HTTP/1.1 204 x\r\n\r\n", "", true, true, STATUS_FAILED, false},
    {"206", GT_OK, 206, "HTTP/1.1 206 x\r\n\r\n", "<html>", true, true, STATUS_INCOMPLETE, false},
    {"404 with a login form", GT_OK, 404, "HTTP/1.1 404 x\r\n\r\n", "<html>请登录</html>", true, true, STATUS_FAILED, false},
    {"401 that wants a login", GT_OK, 401, "HTTP/1.1 401 x\r\n\r\n", "<html>请登录</html>", true, true, STATUS_BLOCKED, false},
    {"403 without words", GT_OK, 403, "HTTP/1.1 403 x\r\n\r\n", "", true, true, STATUS_FAILED, false},
    {"429", GT_OK, 429, "HTTP/1.1 429 x\r\n\r\n", "", true, true, STATUS_FAILED, true},
    {"500", GT_OK, 500, "HTTP/1.1 500 x\r\n\r\n", "", true, true, STATUS_FAILED, true},
    {"503 challenge", GT_OK, 503, "HTTP/1.1 503 x\r\n\r\n", "<html>Checking your browser</html>", true, true, STATUS_BLOCKED,
     true},
    {"524", GT_OK, 524, "HTTP/1.1 524 x\r\n\r\n", "", true, true, STATUS_FAILED, true},
    {"501 is for good", GT_OK, 501, "HTTP/1.1 501 x\r\n\r\n", "", true, true, STATUS_FAILED, false},
    {"cut", GT_EINCOMPLETE, 200, "HTTP/1.1 200 OK\r\n\r\n", "<html>", true, true, STATUS_INCOMPLETE, true},
    {"too large", GT_ELIMIT, 200, "HTTP/1.1 200 OK\r\n\r\n", "<html>", true, true, STATUS_INCOMPLETE, false},
    {"time-out", GT_ETIMEOUT, 0, "", "", false, true, STATUS_FAILED, true},
    {"private address", GT_EREFUSED, 0, "", "", false, true, STATUS_FAILED, false},
};

static void check_answer(void **state)
{
    const struct answer_row *row = *state;
    struct arena *arena = arena_new(1 << 20);
    bool is_transient = row->err == GT_EINCOMPLETE || row->err == GT_ETIMEOUT;
    struct http_response response = {.err = row->err,
                                     .status = row->status,
                                     .head = gt_str_from(row->head),
                                     .wire = gt_str_from(row->body),
                                     .body = gt_str_from(row->body),
                                     .is_length_known = row->is_length_known,
                                     .is_refetchable = is_transient,
                                     .detail = gt_str_from(row->err != GT_OK ? "why" : "")};
    struct page_case judged = {.response = &response};
    struct page_verdict verdict;
    assert_int_equal(page_judge_answer(&judged, arena, &verdict), row->is_settled);
    if (row->is_settled) assert_int_equal(verdict.status, row->verdict);
    if (row->is_settled) assert_true(verdict.reason.len > 0);
    assert_int_equal(page_is_refetchable(&response), row->is_refetchable);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(pages, check_page) + TABLE_RUN(answers, check_answer);
}
