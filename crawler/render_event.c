/* What the browser says: targets that come and go, the page's progress, answers to what it was asked. */
#include "common/clock.h"
#include "crawler/render_internal.h"

/* True for a message of the page itself, not of a frame or worker in it. */
static bool is_page(const struct render *render, struct gt_str session)
{
    return render->session.len > 0 && gt_str_eq(session, render->session);
}

/* A copy that outlives the message. */
static struct gt_str keep(struct render *render, struct gt_str text)
{
    struct gt_str copy = arena_dup(render->arena, text);
    if (copy.ptr == NULL) render_fail(render, GT_ENOMEM, "render: out of memory");
    return copy;
}

/* ---- targets ---- */

/* Sets up what is only of the page's own, and sends it on its way. */
static void page_begin(struct render *render, struct gt_str session)
{
    const struct render_settings *settings = &render->settings;
    render->session = keep(render, session);
    render_command(render, KIND_ANY, "Page.enable", session, NULL);
    render_command(render, KIND_ANY, "Network.enable", session, json_pack("{s:i, s:i}", "maxTotalBufferSize", 0, "maxResourceBufferSize", 0));
    render_command(render, KIND_ANY, "Network.setBypassServiceWorker", session, json_pack("{s:b}", "bypass", 1));
    render_command(render, KIND_ANY, "Emulation.setUserAgentOverride", session,
                   json_pack("{s:s%, s:s%}", "userAgent", settings->user_agent.ptr, settings->user_agent.len, "acceptLanguage",
                             settings->language.ptr, settings->language.len));
}

/* A target has come, and waits. Each is told to hold its requests before it may run; a second page is closed unseen. */
static void target_attached(struct render *render, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    struct gt_str session = render_pipe_text(params, "sessionId"), type = render_pipe_text(target, "type");
    bool is_first = gt_str_is(type, "page") && render->session.len == 0;
    if (gt_str_is(type, "page") && !is_first) {
        struct gt_str id = render_pipe_text(target, "targetId");
        render->result.popups++;
        render_command(render, KIND_ANY, "Target.closeTarget", GT_STR(""), json_pack("{s:s%}", "targetId", id.ptr, id.len));
        return;
    }
    if (is_first) {
        render->target = keep(render, render_pipe_text(target, "targetId"));
        page_begin(render, session);
    }
    render_command(render, KIND_ANY, "Fetch.enable", session, json_pack("{s:[{s:s}]}", "patterns", "urlPattern", "*"));
    render_command(render, KIND_ANY, "Target.setAutoAttach", session,
                   json_pack("{s:b, s:b, s:b}", "autoAttach", 1, "waitForDebuggerOnStart", 1, "flatten", 1));
    render_command(render, KIND_ANY, "Runtime.runIfWaitingForDebugger", session, NULL);
    struct gt_str url = render->settings.url;
    if (is_first) render_command(render, KIND_NAVIGATE, "Page.navigate", session, json_pack("{s:s%}", "url", url.ptr, url.len));
}

/* ---- the page ---- */

/* Where the page is now; what is no web address (an error page of the browser's own) is not told. */
static void frame_navigated(struct render *render, const json_t *params)
{
    const json_t *frame = json_object_get(params, "frame");
    struct gt_str url = render_pipe_text(frame, "url");
    bool is_web = gt_str_starts(url, GT_STR("http://")) || gt_str_starts(url, GT_STR("https://"));
    if (!gt_str_eq(render_pipe_text(frame, "id"), render->target) || !is_web || url.len > RENDER_URL_BYTES_MAX) return;
    render->result.url = keep(render, url);
    render->is_loaded = false;
}

/* alert(), confirm(), prompt() and "leave this page?": nobody is there, the answer is no. */
static void dialog_opened(struct render *render, struct gt_str session)
{
    render->result.dialogs++;
    render_command(render, KIND_ANY, "Page.handleJavaScriptDialog", session, json_pack("{s:b}", "accept", 0));
}

/* One event. */
static void event_take(struct render *render, struct gt_str name, struct gt_str session, const json_t *params)
{
    if (gt_str_is(name, "Fetch.requestPaused")) {
        render_request_take(render, session, params);
    } else if (gt_str_is(name, "Target.attachedToTarget")) {
        target_attached(render, params);
    } else if (gt_str_is(name, "Page.javascriptDialogOpening")) {
        dialog_opened(render, session);
    } else if (gt_str_is(name, "Network.webSocketCreated")) {
        /* it goes to the closed proxy, which hears only where it leads */
        render_refusal_note(render, render_pipe_text(params, "url"), GT_STR("a web socket"));
    } else if (gt_str_is(name, "Page.windowOpen")) {
        render->result.popups++;
    } else if (is_page(render, session) && gt_str_is(name, "Page.frameNavigated")) {
        frame_navigated(render, params);
    } else if (is_page(render, session) && gt_str_is(name, "Page.loadEventFired")) {
        render->is_loaded = true;
        render->busy_mono_ms = clock_mono_ms();
    } else if (is_page(render, session) && gt_str_is(name, "Inspector.targetCrashed")) {
        render_fail(render, GT_ELIMIT, "render: the page's process crashed, most often for want of memory");
    }
}

/* ---- answers ---- */

/* The document's node is there: looks for the selector in it, or reads it. */
static void document_known(struct render *render, const json_t *result)
{
    json_int_t node = json_integer_value(json_object_get(json_object_get(result, "root"), "nodeId"));
    struct gt_str wait = render->settings.wait;
    if (wait.len > 0)
        render_command(render, KIND_SELECT, "DOM.querySelector", render->session,
                       json_pack("{s:I, s:s%}", "nodeId", node, "selector", wait.ptr, wait.len));
    else render_command(render, KIND_HTML, "DOM.getOuterHTML", render->session, json_pack("{s:I, s:b}", "nodeId", node, "includeShadowDOM", 1));
}

/* The selector was looked for. Once it is there, the page is read without it. */
static void selector_known(struct render *render, const json_t *result)
{
    if (json_integer_value(json_object_get(result, "nodeId")) <= 0) return;
    render->settings.wait = GT_STR("");
    render->is_question_open = true;
    render_command(render, KIND_DOCUMENT, "DOM.getDocument", render->session, json_pack("{s:i}", "depth", 0));
}

/* The page, as it stands. */
static void html_known(struct render *render, const json_t *result)
{
    struct gt_str html = render_pipe_text(result, "outerHTML");
    if (html.len > render->settings.dom_bytes_max) {
        render_fail(render, GT_ELIMIT, "render: the page is larger than %zu bytes", render->settings.dom_bytes_max);
        return;
    }
    render->result.dom = keep(render, html);
    render->is_done = true;
}

/* An answer with an error. The page may have gone on to another document in between: then it is asked again. */
static void error_take(struct render *render, int kind, const json_t *error)
{
    struct gt_str message = gt_str_slice(render_pipe_text(error, "message"), 0, 200);
    if (kind == KIND_CREATE) render_fail(render, GT_EINTERNAL, "render: the browser opens no page: %.*s", GT_STR_ARG(message));
    /* "DOM Error while querying"; a node that has gone in between is told in other words */
    if (kind == KIND_SELECT && gt_str_find(message, GT_STR("querying"), 0) != SIZE_MAX)
        render_fail(render, GT_EUSAGE, "render_wait is no CSS selector: %.*s", GT_STR_ARG(render->settings.wait));
}

/* One answer. */
static void answer_take(struct render *render, int kind, const json_t *message)
{
    const json_t *result = json_object_get(message, "result"), *error = json_object_get(message, "error");
    if (kind == KIND_DOCUMENT || kind == KIND_SELECT || kind == KIND_HTML) render->is_question_open = false;
    if (error != NULL) {
        error_take(render, kind, error);
    } else if (kind == KIND_NAVIGATE) {
        /* a refused request has been told by then, and this is its echo */
        struct gt_str why = render_pipe_text(result, "errorText");
        if (why.len > 0) render_fail(render, GT_EREFUSED, "render: the browser does not show the page: %.*s", GT_STR_ARG(why));
    } else if (kind == KIND_DOCUMENT) {
        render->is_question_open = true;
        document_known(render, result);
    } else if (kind == KIND_SELECT) {
        selector_known(render, result);
    } else if (kind == KIND_HTML) {
        html_known(render, result);
    }
}

void render_message(void *ctx, json_t *message)
{
    struct render *render = ctx;
    int kind = render_pipe_kind(message);
    if (render->is_done) return;
    if (kind >= 0) answer_take(render, kind, message);
    else event_take(render, render_pipe_text(message, "method"), render_pipe_text(message, "sessionId"), json_object_get(message, "params"));
}
