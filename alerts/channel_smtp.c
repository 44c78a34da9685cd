/* smtp: a mail to some people. Plain text in UTF-8; the subject is the message's title. A report has its picture and its HTML with it. */
#include <stdlib.h>
#include <time.h>

#include "alerts/message.h"
#include "alerts/post.h"
#include "common/clock.h"
#include "common/digest.h"
#include "common/strbuf.h"
#include "net/mail.h"

enum {
    MAIL_BYTES_MAX = 32 * 1024 * 1024,
    LINE_BYTES = 57,    /* 76 signs of Base64, by RFC 2045 */
    ID_BYTES = 16,
    SUBJECT_BYTES = 42, /* of UTF-8 in one encoded word: 75 signs at most (RFC 2047) */
};

static enum gt_err check(const struct conf_section *section, struct gt_errinfo *info)
{
    const struct conf_value *url = conf_get(section, "url");
    enum gt_err err = post_check_key(section, "url", info);
    if (err == GT_OK) err = post_check_key(section, "mail_from", info);
    if (err == GT_OK) err = post_check_key(section, "mail_to", info);
    if (err != GT_OK) return err;
    if (!gt_str_starts(url->text, GT_STR("smtp://")) && !gt_str_starts(url->text, GT_STR("smtps://")))
        return conf_fail(url, info, "a mail server's address begins with smtp:// or smtps://");
    if (!mail_address_is_plain(conf_text(section, "mail_from"))) return conf_fail(conf_get(section, "mail_from"), info, "not one mail address");
    struct gt_str rest = conf_text(section, "mail_to"), address;
    size_t count = 0;
    while (rest.len > 0 && gt_str_split(&rest, ' ', &address)) {
        if (address.len == 0) continue;
        if (!mail_address_is_plain(address)) return conf_fail(conf_get(section, "mail_to"), info, "not a mail address (they are divided by blanks)");
        if (++count > MAIL_RECIPIENTS_MAX) return conf_fail(conf_get(section, "mail_to"), info, "too many (MAIL_RECIPIENTS_MAX)");
    }
    return GT_OK;
}

/* Between the parts of a mail; no line of Base64 begins with hyphens. */
#define BOUNDARY "=_gputape_part"

/* Bytes as lines of Base64. */
static void add_base64(struct strbuf *mail, struct gt_str bytes)
{
    char line[DIGEST_BASE64_MAX(LINE_BYTES)];
    for (size_t at = 0; at < bytes.len; at += LINE_BYTES) {
        struct gt_str part = gt_str_slice(bytes, at, LINE_BYTES);
        digest_base64((const uint8_t *)part.ptr, part.len, line);
        strbuf_addf(mail, "%s\r\n", line);
    }
}

/* "=?UTF-8?B?…?=" words, cut between characters. */
static void add_subject(struct strbuf *mail, struct gt_str subject)
{
    char word[DIGEST_BASE64_MAX(SUBJECT_BYTES)];
    strbuf_adds(mail, "Subject:");
    for (size_t at = 0; at < subject.len;) {
        struct gt_str part = gt_str_cut(gt_str_slice(subject, at, SIZE_MAX), SUBJECT_BYTES);
        digest_base64((const uint8_t *)part.ptr, part.len, word);
        strbuf_addf(mail, " =?UTF-8?B?%s?=\r\n", word);
        at += part.len;
    }
}

/* "Mon, 30 Nov 2026 08:00:00 +0000". The program sets no locale: the names are English. */
static void add_date(struct strbuf *mail)
{
    time_t now = (time_t)(clock_real_ms() / 1000);
    struct tm tm;
    char date[sizeof "Mon, 30 Nov 2026 08:00:00 +0000"];
    if (gmtime_r(&now, &tm) == NULL || strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S +0000", &tm) == 0) return;
    strbuf_addf(mail, "Date: %s\r\n", date);
}

/* The id follows from what is said: a repeat after a crash is the same mail to a reader that drops doubles. */
static void add_id(struct strbuf *mail, const struct message *message, struct gt_str from)
{
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_MAX];
    struct gt_str domain = gt_str_slice(from, gt_str_find(from, GT_STR("@"), 0) + 1, SIZE_MAX);
    if (digest_sha256(message->text, digest) != GT_OK) return;
    digest_hex(digest, ID_BYTES, hex);
    strbuf_addf(mail, "Message-ID: <%s@%.*s>\r\n", hex, GT_STR_ARG(domain));
}

static void add_part(struct strbuf *mail, const char *type, const char *disposition, const char *name, struct gt_str bytes)
{
    strbuf_addf(mail, "--" BOUNDARY "\r\nContent-Type: %s\r\nContent-Transfer-Encoding: base64\r\n", type);
    strbuf_addf(mail, "Content-Disposition: %s; filename=\"%s\"\r\n\r\n", disposition, name);
    add_base64(mail, bytes);
}

static void add_mail(struct strbuf *mail, const struct message *message, struct gt_str from, const struct gt_str *to, size_t to_count)
{
    strbuf_addf(mail, "From: %.*s\r\nTo: ", GT_STR_ARG(from));
    for (size_t i = 0; i < to_count; i++) strbuf_addf(mail, "%s%.*s", i > 0 ? ",\r\n " : "", GT_STR_ARG(to[i]));
    strbuf_adds(mail, "\r\n");
    add_subject(mail, message->title);
    add_date(mail);
    add_id(mail, message, from);
    strbuf_adds(mail, "MIME-Version: 1.0\r\nAuto-Submitted: auto-generated\r\n");
    bool has_html = message->html.len > 0;
    if (has_html) strbuf_adds(mail, "Content-Type: multipart/mixed; boundary=\"" BOUNDARY "\"\r\n\r\n--" BOUNDARY "\r\n");
    strbuf_adds(mail, "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n");
    add_base64(mail, message->text);
    if (!has_html) return;
    /* the picture first: readers show it under the text */
    if (message->png.len > 0) add_part(mail, "image/png", "inline", "gputape-report.png", message->png);
    add_part(mail, "text/html; charset=utf-8", "attachment", "gputape-report.html", message->html);
    strbuf_adds(mail, "--" BOUNDARY "--\r\n");
}

static enum delivery_result send(const struct channel *channel, const struct message *message, int64_t *ret_hold_s,
                                 struct gt_errinfo *why)
{
    struct gt_str to[MAIL_RECIPIENTS_MAX], rest = conf_text(channel->section, "mail_to"), address;
    struct post_secret password = {NULL, 0};
    struct strbuf text;
    int32_t reply = 0;
    (void)ret_hold_s;
    struct mail mail = {.url = conf_text(channel->section, "url"),
                        .user = conf_text(channel->section, "user"),
                        .from = conf_text(channel->section, "mail_from"),
                        .to = to,
                        .ca_file = conf_text(channel->section, "ca_file"),
                        .timeout_ms = conf_duration_ms(channel->section, "timeout", CHANNEL_TIMEOUT_DEFAULT_MS),
                        .allow_plain = conf_bool(channel->section, "allow_private", false)};
    while (rest.len > 0 && mail.to_count < MAIL_RECIPIENTS_MAX && gt_str_split(&rest, ' ', &address))
        if (address.len > 0) to[mail.to_count++] = address;
    if (mail.user.len > 0 && !post_secret_read(channel->section, "secret_file", &password, why)) return DELIVERY_LATER;
    mail.password = (struct gt_str){password.bytes, password.len};
    strbuf_init(&text, MAIL_BYTES_MAX);
    add_mail(&text, message, mail.from, to, mail.to_count);
    mail.message = strbuf_str(&text);
    enum gt_err err = text.err == GT_OK ? mail_send(&mail, &reply, why) : gt_fail(why, GT_ENOMEM, "out of memory");
    strbuf_done(&text);
    post_secret_free(&password);
    if (err == GT_OK) return DELIVERY_DONE;
    return err == GT_EREFUSED || reply / 100 == 5 ? DELIVERY_NEVER : DELIVERY_LATER;
}

const struct channel_type channel_smtp = {.name = "smtp", .check = check, .takes_pictures = true, .send = send};
