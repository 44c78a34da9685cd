/* Style, script, icon and API description as bytes of the program: C17 has no #embed, so the assembler takes them in. web/module.mk knows
 * what this file depends on. */
#include "web/asset.h"

#include <stdint.h>

#include "reports/html_text.h"
#include "web/route.h"

#define ASSET(name, path)                                                                                                           \
    __asm__(".section .rodata\n.global web_bytes_" #name "\n.global web_bytes_" #name "_end\nweb_bytes_" #name ":\n.incbin \"" path \
            "\"\nweb_bytes_" #name "_end:\n.byte 0\n.previous\n");                                                                  \
    extern const char web_bytes_##name[], web_bytes_##name##_end[];                                                                 \
    struct gt_str web_asset_##name(void)                                                                                            \
    {                                                                                                                               \
        return (struct gt_str){web_bytes_##name, (size_t)((uintptr_t)web_bytes_##name##_end - (uintptr_t)web_bytes_##name)};        \
    }

ASSET(style, "web/page.css")
ASSET(script, "web/page.js")
ASSET(icon, "web/icon.svg")
ASSET(openapi, "docs/openapi.json")

/* Failures of the FILE are the caller's to see. */
static void put(FILE *file, struct gt_str text)
{
    fwrite(text.ptr, 1, text.len, file);
}

static enum gt_err style_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    (void)view, (void)info;
    put(file, gt_str_from(html_style()));
    put(file, web_asset_style());
    return GT_OK;
}

static enum gt_err script_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    (void)view, (void)info;
    put(file, web_asset_script());
    return GT_OK;
}

static enum gt_err icon_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    (void)view, (void)info;
    put(file, web_asset_icon());
    return GT_OK;
}

static enum gt_err openapi_render(const struct web_view *view, FILE *file, struct gt_errinfo *info)
{
    (void)view, (void)info;
    put(file, web_asset_openapi());
    return GT_OK;
}

const struct web_route web_route_style = {"/page.css", WEB_KIND_FILE, "text/css; charset=utf-8", 0, NULL, style_render};
const struct web_route web_route_script = {"/page.js", WEB_KIND_FILE, "text/javascript; charset=utf-8", 0, NULL, script_render};
const struct web_route web_route_icon = {"/icon.svg", WEB_KIND_FILE, "image/svg+xml", 0, NULL, icon_render};
const struct web_route web_route_openapi = {"/openapi.json", WEB_KIND_FILE, "application/json", 0, NULL, openapi_render};
