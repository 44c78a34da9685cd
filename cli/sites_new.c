/* sites new: a section for a page that has none. The page is fetched once, as a crawl would fetch it, or read from a file. What is
 * printed is what was run: the whole section is read back and compared before it goes out. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page.h"
#include "cli/sites.h"
#include "common/file.h"
#include "common/utf8.h"
#include "crawler/jail.h"
#include "crawler/robots.h"
#include "net/header.h"
#include "net/http.h"
#include "net/url.h"

enum { NAME_BYTES_MAX = 32, FETCH_TIMEOUT_MS = 60 * 1000 };

/* The page that a section is wanted for. */
struct new_page {
    struct page_input input;
    struct url url;                 /* has no href for a file without --url */
    struct http_response *response; /* NULL for a file */
    char *bytes;                    /* of a file */
    struct jail *jail;              /* where it is read */
};

/* ---- fetching ---- */

/* The client hands over each answer once; there is one request at a time. */
static void take_response(void *ctx, struct http_response *response)
{
    struct http_response **ret = ctx;
    *ret = response;
}

/* What a crawl calls itself: [defaults], else the program's own name. */
static struct gt_str user_agent(struct cli *cli)
{
    const struct conf_section *defaults = conf_find(cli->conf, "defaults", (struct gt_str){NULL, 0});
    const struct conf_value *value = defaults != NULL ? conf_get(defaults, "user_agent") : NULL;
    size_t count;
    const struct conf_key *keys = conf_key_table(&count);
    if (value != NULL) return value->text;
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].section, "site") == 0 && strcmp(keys[i].name, "user_agent") == 0) return gt_str_from(keys[i].fallback);
    return GT_STR("gputape");
}

/* One request and its answer; NULL with a message when there was none. */
static struct http_response *fetch(struct cli *cli, struct http_client *client, struct gt_str address)
{
    struct http_response *response = NULL;
    struct http_request request = {
        .url = address, .user_agent = user_agent(cli), .timeout_ms = FETCH_TIMEOUT_MS, .redirects_max = HTTP_REDIRECTS_MAX};
    enum gt_err err = http_client_add(client, &request, take_response, &response, &cli->info);
    if (err == GT_OK) err = http_client_run(client, NULL, 0, &cli->info);
    if (err == GT_OK && response == NULL) gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    return response;
}

/* RFC 9309: no file allows everything, a file that cannot be had nothing. */
static enum gt_err ask_robots(struct cli *cli, struct http_client *client, const struct url *url)
{
    struct url address;
    enum gt_err err = url_resolve(url, GT_STR("/robots.txt"), cli->arena, &address, &cli->info);
    struct http_response *response = err == GT_OK ? fetch(cli, client, address.href) : NULL;
    if (response == NULL) return err != GT_OK ? err : GT_ENOMEM;
    struct gt_str token = robots_agent_token(user_agent(cli));
    if (response->err != GT_OK) {
        err = gt_fail(&cli->info, response->err, "%.*s: %.*s", GT_STR_ARG(address.href), GT_STR_ARG(response->detail));
    } else if (response->status >= 500 || response->status == 429) {
        err = gt_fail(&cli->info, GT_EREFUSED, "%.*s answers %d: nothing may be fetched there now", GT_STR_ARG(address.href),
                      (int)response->status);
    } else if (response->status == 200) {
        struct robots_verdict verdict = robots_match(response->body, token, url->href);
        if (!verdict.is_allowed)
            err = gt_fail(&cli->info, GT_EREFUSED, "robots.txt of %.*s forbids it: %.*s", GT_STR_ARG(url->host),
                          GT_STR_ARG(utf8_printable(verdict.rule, cli->arena)));
    }
    http_response_free(response);
    return err;
}

/* The page itself; anything but a whole answer with status 200 is no page. */
static enum gt_err fetch_page(struct cli *cli, struct http_client *client, struct new_page *page)
{
    page->response = fetch(cli, client, page->url.href);
    if (page->response == NULL) return GT_ENOMEM;
    struct page_case in = {.response = page->response};
    struct page_verdict verdict = {0};
    jail_page_judge(page->jail, &in, cli->arena, &verdict);
    if (verdict.status != STATUS_OK)
        return gt_fail(&cli->info, GT_ENET, "%.*s: %.*s", GT_STR_ARG(page->url.href), GT_STR_ARG(verdict.reason));
    page->input.body = page->response->body;
    page->input.url = page->response->url;
    page->input.content_type = header_find(page->response->head, "Content-Type", 0);
    return GT_OK;
}

/* robots.txt first: an address that it forbids is not asked for at all. */
static enum gt_err open_url(struct cli *cli, const struct arguments *args, struct new_page *page)
{
    struct http_client *client = NULL;
    struct http_settings settings = {.connect_to = argument_all(args, "--connect-to"), .ca_file = argument_get(args, "--cacert")};
    enum gt_err err = url_parse(gt_str_from(args->words[1]), cli->arena, &page->url, &cli->info);
    if (err == GT_OK) err = http_client_new(&settings, &client, &cli->info);
    if (err == GT_OK) err = ask_robots(cli, client, &page->url);
    if (err == GT_OK) err = fetch_page(cli, client, page);
    http_client_free(client);
    return err;
}

/* A saved page may come with its address, for the section's `url` and its name. */
static enum gt_err open_file(struct cli *cli, const struct arguments *args, struct new_page *page)
{
    size_t len = 0;
    const char *url = argument_get(args, "--url"), *type = argument_get(args, "--content-type");
    enum gt_err err = file_read(args->words[1], FILE_ARG_BYTES_MAX, &page->bytes, &len, &cli->info);
    if (err == GT_OK && url != NULL) err = url_parse(gt_str_from(url), cli->arena, &page->url, &cli->info);
    page->input.body = (struct gt_str){page->bytes, len};
    page->input.url = page->url.href;
    page->input.content_type = type != NULL ? gt_str_from(type) : cli_content_type(args->words[1]);
    return err;
}

/* ---- the section ---- */

/* The part of a host that names who runs it: "jygpu" of www.jygpu.com, "tencent" of cloud.tencent.com.cn. */
static struct gt_str name_of_host(struct gt_str host)
{
    static const char *const second[] = {"com", "co", "net", "org", "gov", "edu", "ac"};
    struct gt_str labels[64], rest = host, label;
    size_t count = 0;
    while (count < sizeof labels / sizeof labels[0] && gt_str_split(&rest, '.', &label)) labels[count++] = label;
    if (count < 2) return host;
    size_t at = count - 2;
    for (size_t i = 0; i < sizeof second / sizeof second[0]; i++)
        if (count > 2 && gt_str_is(labels[count - 2], second[i])) at = count - 3;
    return labels[at];
}

/* "prices.2026-09.html" is called prices. */
static struct gt_str name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct gt_str name = gt_str_from(slash != NULL ? slash + 1 : path);
    size_t dot = gt_str_find(name, GT_STR("."), 0);
    return dot != SIZE_MAX && dot > 0 ? gt_str_slice(name, 0, dot) : name;
}

/* A name that a section may have and none has yet. */
static struct gt_str name_of(struct cli *cli, const struct arguments *args, const struct new_page *page)
{
    char name[NAME_BYTES_MAX + 1];
    size_t len = 0;
    struct gt_str from = page->url.host.len > 0 ? name_of_host(page->url.host) : name_of_file(args->words[1]);
    for (size_t i = 0; i < from.len && len < NAME_BYTES_MAX; i++) {
        unsigned char c = (unsigned char)from.ptr[i];
        if (c < 0x80 && isalnum(c)) name[len++] = (char)tolower(c);
        else if (len > 0 && name[len - 1] != '_') name[len++] = '_';
    }
    while (len > 0 && name[len - 1] == '_') len--;
    name[len] = '\0';
    struct gt_str base = len > 0 ? arena_printf(cli->arena, "%s", name) : GT_STR("new_site"), unique = base;
    for (int n = 2; conf_find(cli->conf, "site", unique) != NULL && n < 100; n++)
        unique = arena_printf(cli->arena, "%.*s_%d", GT_STR_ARG(base), n);
    return unique;
}

/* One line, without what a reader of the file would take for something else. */
static struct gt_str title_of(struct cli *cli, const struct proposal *proposal, struct gt_str name)
{
    struct gt_str title = utf8_printable(proposal->title, cli->arena);
    return title.len > 0 && gt_str_find(title, GT_STR("\n"), 0) == SIZE_MAX ? title : name;
}

/* Keys in the order of the shipped file. Nothing is proven by one page, so `proof` says unproven. */
static struct gt_str section_text(struct cli *cli, const struct arguments *args, const struct new_page *page,
                                  const struct proposal *proposal)
{
    struct gt_str name = name_of(cli, args, page), title = title_of(cli, proposal, name);
    bool is_known = gt_str_starts(proposal->rules, GT_STR("currency = "));
    const char *market = gt_str_starts(proposal->rules, GT_STR("currency = CNY")) ? "market = domestic\n" : "market = overseas\n";
    struct gt_str url = page->url.href.len > 0 ? arena_printf(cli->arena, "url = %.*s\n", GT_STR_ARG(page->url.href))
                                               : GT_STR("# url = the address of the page\n");
    return arena_printf(cli->arena, "[site %.*s]\ntitle = %.*s\nkind = vertical\n%s%.*s%.*sproof = unproven\n",
                        GT_STR_ARG(name), GT_STR_ARG(title), is_known ? market : "", GT_STR_ARG(url),
                        GT_STR_ARG(proposal->rules));
}

/* The comment is what was measured, not what was hoped for. */
static void print_section(struct cli *cli, const struct proposal *proposal, struct gt_str text, bool is_same)
{
    const char *what = proposal->offers == 1 ? "offer" : "offers";
    if (proposal->is_auto)
        fprintf(cli->out, "# %zu %s. No rules were found that read the same: the section leaves the page to `auto`.\n", proposal->offers, what);
    else if (is_same) fprintf(cli->out, "# %zu %s: these rules were run over the page and read what `auto` reads.\n", proposal->offers, what);
    if (!is_same) fprintf(cli->out, "# Run over the page, it does NOT read what `auto` reads alone: check it with `sites check --file`.\n");
    fprintf(cli->out, "%.*s", GT_STR_ARG(text));
}

/* A page without offers is told as such: an empty section would look like success. */
static enum gt_err propose(struct cli *cli, const struct arguments *args, const struct new_page *page)
{
    struct proposal proposal = {0};
    bool is_same = false;
    struct gt_str currency = gt_str_from(argument_get(args, "--currency"));
    enum gt_err err = jail_section_propose(page->jail, &page->input, currency, cli->arena, &proposal, &cli->info);
    if (err == GT_ENOROWS) {
        struct gt_str reason = arena_printf(cli->arena, "%s", cli->info.text);
        return gt_fail(&cli->info, err, "nothing to propose: %.*s", GT_STR_ARG(reason));
    }
    if (err != GT_OK) return err;
    struct gt_str text = section_text(cli, args, page, &proposal);
    if (text.ptr == NULL) return gt_fail(&cli->info, GT_ENOMEM, "out of memory");
    /* the section is read back as sites.conf would be and run over the page */
    err = jail_section_compare(page->jail, text, &page->input, currency, cli->arena, &is_same, &cli->info);
    if (err == GT_OK) print_section(cli, &proposal, text, is_same);
    return err;
}

int sites_new_run(struct cli *cli, const struct arguments *args)
{
    struct new_page page = {.response = NULL};
    if (args->word_count != 2) return cli_usage(cli, "sites new wants an address or a file");
    struct gt_str word = gt_str_from(args->words[1]);
    bool is_url = gt_str_starts(word, GT_STR("http://")) || gt_str_starts(word, GT_STR("https://"));
    const char *currency = argument_get(args, "--currency");
    if (currency != NULL && strlen(currency) != 3) return cli_usage(cli, "--currency wants an ISO code such as CNY");
    enum gt_err err = jail_new(NULL, 0, &page.jail, &cli->info);
    if (err == GT_OK) err = is_url ? open_url(cli, args, &page) : open_file(cli, args, &page);
    if (err == GT_OK) err = propose(cli, args, &page);
    http_response_free(page.response);
    jail_free(page.jail);
    free(page.bytes);
    return exit_from_err(err);
}
