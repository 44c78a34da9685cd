#include "net/mail.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "common/arena.h"

enum { MAIL_ARENA_BYTES = 64 * 1024, CONNECT_MS = 15 * 1000 };

/* Nothing that SMTP or a header reads as syntax: such an address could name a second recipient. */
bool mail_address_is_plain(struct gt_str address)
{
    size_t at = gt_str_find(address, GT_STR("@"), 0);
    if (address.len == 0 || address.len > MAIL_ADDRESS_BYTES_MAX || at == SIZE_MAX || at == 0 || at + 1 == address.len) return false;
    for (size_t i = 0; i < address.len; i++) {
        unsigned char c = (unsigned char)address.ptr[i];
        if (c <= 0x20 || c == 0x7F || c == '<' || c == '>' || c == '"' || c == ',' || c == ';' || c == '\\') return false;
    }
    return gt_str_find(address, GT_STR("@"), at + 1) == SIZE_MAX;
}

/* Hands the message to libcurl piece by piece. */
struct upload {
    struct gt_str rest;
};

static size_t give(char *buffer, size_t size, size_t count, void *ctx)
{
    struct upload *upload = ctx;
    size_t len = size * count < upload->rest.len ? size * count : upload->rest.len;
    if (len > 0) memcpy(buffer, upload->rest.ptr, len);
    upload->rest = gt_str_slice(upload->rest, len, SIZE_MAX);
    return len;
}

static bool recipients(const struct mail *mail, struct arena *arena, struct curl_slist **ret_list)
{
    for (size_t i = 0; i < mail->to_count; i++) {
        struct gt_str angled = arena_printf(arena, "<%.*s>", GT_STR_ARG(mail->to[i]));
        struct curl_slist *longer = angled.ptr != NULL ? curl_slist_append(*ret_list, angled.ptr) : NULL;
        if (longer == NULL) return false;
        *ret_list = longer;
    }
    return true;
}

static void set_options(CURL *curl, const struct mail *mail, struct arena *arena, struct curl_slist *to, struct upload *upload)
{
    curl_easy_setopt(curl, CURLOPT_URL, arena_dup(arena, mail->url).ptr);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_USE_SSL, (long)(mail->allow_plain ? CURLUSESSL_TRY : CURLUSESSL_ALL));
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, arena_printf(arena, "<%.*s>", GT_STR_ARG(mail->from)).ptr);
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(curl, CURLOPT_READDATA, upload);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->message.len);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)mail->timeout_ms);
    if (mail->ca_file.len > 0) curl_easy_setopt(curl, CURLOPT_CAINFO, arena_dup(arena, mail->ca_file).ptr);
    if (mail->user.len > 0) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, arena_dup(arena, mail->user).ptr);
        curl_easy_setopt(curl, CURLOPT_PASSWORD, arena_dup(arena, mail->password).ptr);
    }
}

/* The server's words may repeat an address: only the kind of failure is told. */
static enum gt_err mail_fail(CURLcode code, int32_t reply, struct gt_errinfo *info)
{
    if (code == CURLE_OUT_OF_MEMORY) return gt_fail(info, GT_ENOMEM, "out of memory");
    if (code == CURLE_OPERATION_TIMEDOUT) return gt_fail(info, GT_ETIMEOUT, "the mail server did not answer in time");
    if (reply >= 400) return gt_fail(info, GT_ENET, "the mail server answered with %d", reply);
    return gt_fail(info, GT_ENET, "the mail was not taken: %s", curl_easy_strerror(code));
}

/* An address that is none is refused before a connection is made: it will not become better by trying again. */
enum gt_err mail_send(const struct mail *mail, int32_t *ret_reply, struct gt_errinfo *info)
{
    struct upload upload = {mail->message};
    struct curl_slist *to = NULL;
    struct arena *arena = arena_new(MAIL_ARENA_BYTES);
    CURL *curl = curl_easy_init();
    enum gt_err err = arena != NULL && curl != NULL ? GT_OK : gt_fail(info, GT_ENOMEM, "out of memory");
    bool is_plain = mail_address_is_plain(mail->from) && mail->to_count > 0 && mail->to_count <= MAIL_RECIPIENTS_MAX;
    for (size_t i = 0; i < mail->to_count && is_plain; i++) is_plain = mail_address_is_plain(mail->to[i]);
    *ret_reply = 0;
    if (err == GT_OK && !is_plain) err = gt_fail(info, GT_EREFUSED, "an address of the mail is none");
    if (err == GT_OK && !recipients(mail, arena, &to)) err = gt_fail(info, GT_ENOMEM, "out of memory");
    if (err != GT_OK) goto out;
    set_options(curl, mail, arena, to, &upload);
    CURLcode code = curl_easy_perform(curl);
    long reply = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply);
    *ret_reply = (int32_t)reply;
    if (code != CURLE_OK) err = mail_fail(code, *ret_reply, info);
out:
    curl_slist_free_all(to);
    curl_easy_cleanup(curl);
    arena_free(arena);
    return err;
}
