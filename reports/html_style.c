/* The style sheet of the html report. Colours are Okabe and Ito's palette (readable with any colour blindness), darkened or
 * lightened for contrast on white and on dark; lines differ by dashes too. */
#include "reports/html_text.h"

#define LIGHT                                                                                                                    \
    "--bg:#fff;--ink:#1b1f24;--soft:#59636e;--line:#d5dae0;--band:#f5f7f9;--head:#eef1f4;--link:#0a58a6;--warn:#8a4b00;"         \
    "--c0:#0072b2;--c1:#c24e00;--c2:#00795a;--c3:#a8457f;--c4:#2a8fc7;--c5:#a66f00;--c6:#1b1f24;--c7:#6b4a1f;"

#define DARK                                                                                                                     \
    "--bg:#14171b;--ink:#e4e7eb;--soft:#a2abb5;--line:#343b43;--band:#1a1e23;--head:#20252b;--link:#7ab8f5;--warn:#f0b35a;"      \
    "--c0:#56b4e9;--c1:#ff8f4a;--c2:#2cc295;--c3:#e39acb;--c4:#a5dcff;--c5:#f2c14e;--c6:#e4e7eb;--c7:#c9a06c;"

const char *html_style(void)
{
    return ":root{color-scheme:light dark;" LIGHT "}\n"
           "@media screen and (prefers-color-scheme:dark){:root{" DARK "}}\n"
           "*{box-sizing:border-box}\n"
           "body{margin:0 auto;max-width:1180px;padding:20px 16px 48px;background:var(--bg);color:var(--ink);"
           "font:15px/1.55 -apple-system,\"Segoe UI\",\"Noto Sans CJK SC\",\"Source Han Sans SC\",\"PingFang SC\","
           "\"Microsoft YaHei\",\"WenQuanYi Zen Hei\",sans-serif}\n"
           "h1{font-size:22px;line-height:1.3;margin:0 0 6px}h2{font-size:18px;margin:34px 0 8px;padding-top:14px;"
           "border-top:1px solid var(--line)}h3{font-size:15px;margin:22px 0 6px}p{margin:5px 0}\n"
           ".sub{color:var(--soft)}.notice{background:#b00020;color:#fff;font-weight:700;padding:6px 12px;border-radius:4px;"
           "margin:0 0 14px}\n"
           ".scroll{overflow-x:auto;margin:8px 0 18px}.scroll:focus-visible{outline:2px solid var(--link)}\n"
           "table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;min-width:50%}\n"
           "caption{text-align:left;font-weight:600;padding:6px 0}\n"
           "th,td{padding:5px 12px 5px 8px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\n"
           "th{background:var(--head);font-weight:600;white-space:nowrap}td{white-space:nowrap}td.w{white-space:normal;"
           "min-width:14em;max-width:34em;overflow-wrap:anywhere}\n"
           "tbody tr:nth-child(even){background:var(--band)}.n{text-align:right}.m{color:var(--warn)}.note{color:var(--soft)}\n"
           "a{color:var(--link);text-underline-offset:2px}\n"
           "figure{margin:10px 0 22px}figcaption{font-weight:600;margin-bottom:4px}.chart{width:100%;max-width:860px;height:auto;"
           "display:block}\n"
           ".chart text{font-size:12px;fill:var(--soft)}.grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--soft);"
           "stroke-width:1}\n"
           ".l{fill:none;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}\n"
           ".k0{stroke:var(--c0)}.k1{stroke:var(--c1)}.k2{stroke:var(--c2)}.k3{stroke:var(--c3)}.k4{stroke:var(--c4);"
           "stroke-dasharray:7 4}.k5{stroke:var(--c5);stroke-dasharray:7 4}.k6{stroke:var(--c6);stroke-dasharray:2 4}"
           ".k7{stroke:var(--c7);stroke-dasharray:10 3 2 3}.o{stroke-width:1.3;stroke-dasharray:1 4}\n"
           ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 22px;margin:4px 0 0;padding:0;font-size:13px}"
           ".legend svg{width:30px;height:10px;vertical-align:middle;margin-right:6px}\n"
           "@media print{@page{size:A4;margin:12mm}:root{color-scheme:light}body{max-width:none;padding:0;font-size:10pt}"
           "table{font-size:8pt;width:100%}.scroll{overflow:visible}th,td{padding:2pt 3pt}th{white-space:normal}"
           "td.w{min-width:0}h2{break-after:avoid;margin-top:16pt}h3,caption,figcaption{break-after:avoid}"
           "tr,figure{break-inside:avoid}thead{display:table-header-group}a{color:inherit;text-decoration:none}"
           ".notice{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";
}
