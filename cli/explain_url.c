/* explain url: how an address is normalised, and what the address policy says where its host is a printed IP address. */
#include "cli/explain.h"
#include "net/address.h"
#include "net/url.h"

/* The host is judged as an address only where it is one: a name says nothing before it is resolved, and that is the client's. */
static int run(struct cli *cli, const struct arguments *args)
{
    struct url url;
    if (args->word_count != 2) return cli_usage(cli, "explain url wants one address");
    enum gt_err err = url_parse(gt_str_from(args->words[1]), cli->arena, &url, &cli->info);
    if (err != GT_OK) return exit_from_err(err);
    struct gt_str host = url.host;
    if (host.len > 2 && host.ptr[0] == '[') host = arena_dup(cli->arena, gt_str_slice(host, 1, host.len - 2));
    enum address_class class = address_of_text(host.ptr);
    fprintf(cli->out, "%.*s\norigin %.*s\ntarget %.*s\n", GT_STR_ARG(url.href), GT_STR_ARG(url.origin), GT_STR_ARG(url.target));
    if (class != ADDRESS_UNKNOWN)
        fprintf(cli->out, "address %.*s: %s, %s\n", GT_STR_ARG(host), address_class_text(class),
                class == ADDRESS_PUBLIC ? "may be connected to" : "refused unless the site allows it");
    return EXIT_DONE;
}

const struct explainer explainer_url = {"url", "URL", run};
