/* The extractor `auto`: pages that nobody wrote rules for, in the shapes that such pages have, and pages that sell nothing. What is
 * compared are the offers that pricing/ reads out of the listings. */
#include "pricing/listing.h"
#include "tests/unit/parsers/page.h"

#define H "<!doctype html><html><body>"

/* Offers, a line each: card, count when known, prices with currency and period when known, role when it is not `list`. */
static const struct shape_case {
    const char *name;
    const char *body;
    const char *expected; /* NULL: no offer at all */
} SHAPES[] = {
    {"a table with units in the cells",
     H "<table><tr><th>型号<th>价格<tr><td>RTX 4090<td>1.98元/时<tr><td>A100 80G<td>6.8元/时</table>",
     "NVIDIA-RTX-4090 x1 1.98 CNY/hour\nNVIDIA-A100-80G x1 6.8 CNY/hour\n"},
    {"units in the headings, two periods",
     H "<table><tr><td>规格<td>GPU<td>按量（元/小时）<td>包年包月（元/月）<tr><td>p1.2x<td>1*Tesla P40<td>11.94<td>4,300<tr><td>p1.12x<td>4*Tesla V100"
       "<td>71.4<td>25,700</table>",
     "NVIDIA-P40 x1 11.94 CNY/hour, 4300 CNY/month\nNVIDIA-V100 x4 71.4 CNY/hour, 25700 CNY/month\n"},
    {"the card only in the heading of the column that counts it",
     H "<table><tr><th>型号<th>GPU<br>(Tesla M40)<th>按量计费<tr><td>GN2.large<td>1 颗<td>13.86 元/小时<tr><td>GN2.2xlarge<td>2 颗<td>27.71 元/小时</table>",
     "NVIDIA-M40 x1 13.86 CNY/hour\nNVIDIA-M40 x2 27.71 CNY/hour\n"},
    {"the card only in the section's heading",
     H "<h2>NVIDIA Tesla V100 GPUs</h2><table><tr><th>Size<th>GPUs<th>Price/hr<tr><td>v.small<td>1<td>$3.06<tr><td>v.large<td>4<td>$12.24"
       "</table>",
     "NVIDIA-V100 x1 3.06 USD/hour\nNVIDIA-V100 x4 12.24 USD/hour\n"},
    {"a machine name in the row says more than the heading",
     H "<h2>P3: NVIDIA Tesla V100 GPUs</h2><table><tr><th>Size<th>GPUs<th>Price/hr<tr><td>p3.2xlarge<td>1<td>$3.06<tr><td>p3.8xlarge<td>4<td>$12.24"
       "</table>",
     "NVIDIA-V100-SXM2-16G x1 3.06 USD/hour\nNVIDIA-V100-SXM2-16G x4 12.24 USD/hour\n"},
    {"the unit only in the line above, columns are regions",
     H "<p>价格单位：元/卡/小时</p><table><tr><td>型号<td>显存<td>北京<td>上海<tr><td>A800<td>80G<td>7.8<td>7.5</table>",
     "NVIDIA-A800-80G x1 7.8 CNY/hour\nNVIDIA-A800-80G x1 7.5 CNY/hour\n"},
    {"offers are columns",
     H "<table><tr><td><td>A100 40G<td>T4<tr><td>显存<td>40GB<td>16GB<tr><td>按量（元/小时）<td>12.5<td>3.1<tr><td>包月（元/月）<td>6500<td>1500</table>",
     "NVIDIA-A100-40G x1 12.5 CNY/hour, 6500 CNY/month\nNVIDIA-T4 x1 3.1 CNY/hour, 1500 CNY/month\n"},
    {"sellers are columns",
     H "<h2>On-demand (one card, $/hr)</h2><table><tr><th>GPU<th>Alpha<th>Beta<tr><td>B200<td>$6.89<td>—<tr><td>H100 SXM<td>$4.19<td>$3.90</table>",
     "NVIDIA-B200 x1 6.89 USD/hour\nNVIDIA-H100-SXM x1 4.19 USD/hour\nNVIDIA-H100-SXM x1 3.9 USD/hour\n"},
    {"a model over several rows",
     H "<table><tr><th>Model<th>GPUs<th>Price per hour<tr><td rowspan=2>NVIDIA T4<td>1<td>$0.35<tr><td>2<td>$0.70</table>",
     "NVIDIA-T4 x1 0.35 USD/hour\nNVIDIA-T4 x2 0.7 USD/hour\n"},
    {"a count beside the name against a column that says otherwise",
     H "<table><tr><th>Instance<th>GPU<th>Price Per Hour<tr><td>1x NVIDIA A10<td>1<td>$0.60 / hr<tr><td>8x Tesla V100<td>1<td>$4.40 / hr</table>",
     "NVIDIA-A10 x1 0.6 USD/hour\nNVIDIA-V100 x8 4.4 USD/hour\n"},
    {"memory of the node is not that of the card",
     H "<table><tr><th>Hardware<th>GPU memory<th>Hourly price<tr><td>1x NVIDIA A100<td>80 GB<td>$2.50<tr><td>4x NVIDIA A100<td>320 GB<td>$10.00</table>",
     "NVIDIA-A100-80G x1 2.5 USD/hour\nNVIDIA-A100-80G x4 10 USD/hour\n"},
    {"a sentence that prices a plan, on a page about one card",
     "Virtual machines with L40S cards, billed per hour.\n\nPricing starts at $900/mo ($1.35/hr) for an instance with 1 GPU card, 64 GB of memory and 500 GB of disk.\n",
     "NVIDIA-L40S x1 900 USD/month, 1.35 USD/hour\n"},
    {"clauses of a sentence below a heading that names the card", "租用 GPU，按小时计费。\n\n## A100 80G\n\n按量计费 6.8元/小时，包月 3600元。\n",
     "NVIDIA-A100-80G x1 6.8 CNY/hour\nNVIDIA-A100-80G x1 3600 CNY/month\n"},
    {"one card, two lines, and things beside it", "# L40S rental\n\n- Hourly: $0.86\n- Monthly: $560\n- Windows: $20/month\n- Static IP: $3/month\n", "NVIDIA-L40S x1 0.86 USD/hour, 560 USD/month\n"},
    {"a feature that counts cards and ends like a sentence",
     H "<p>On demand</p><div><div>$1.95/hr</div><div>Pay for what you use.</div><div>1-256 HGX H100 GPUs for bursts and experiments.</div></div>",
     "NVIDIA-H100-SXM 1.95 USD/hour\n"},
    {"machines that count cards without a name", "| Instance | GPU | vCPUs | Hourly cost |\n|---|---|---|---|\n| gx2.small | 1 | 4 | $0.37 / hr |\n| c4.small | 0 | 4 | $0.11 / hr |\n",
     "? 0.37 USD/hour\n"},
    {"half a year, by the month beside it", "| GPU | Monthly | Half-year | Yearly |\n|---|---|---|---|\n| RTX 4090 | $290 | $1,650 | $2,900 |\n| L40S | $690 | $3,800 | $6,900 |\n",
     "NVIDIA-RTX-4090 x1 290 USD/month, 1650 USD/month, 2900 USD/year\nNVIDIA-L40S x1 690 USD/month, 3800 USD/month, 6900 USD/year\n"},
    {"a month's price for those who stay longer", "| GPU | Month | Half year | Year |\n|---|---|---|---|\n| RTX 4090 | $290 | $250 | $220 |\n| L40S | $690 | $620 | $590 |\n",
     "NVIDIA-RTX-4090 x1 290 USD/month\nNVIDIA-L40S x1 690 USD/month\n"},
    {"hours' prices for those who stay six months", "| GPU | Per hour | 3 months | 6 months |\n|---|---|---|---|\n| A40 | $0.79 | $0.71 | $0.67 |\n| L4 | $0.44 | $0.39 | $0.37 |\n",
     "NVIDIA-A40 x1 0.79 USD/hour, 0.71 USD/hour for 3 months, 0.67 USD/hour for 6 months\n"
     "NVIDIA-L4 x1 0.44 USD/hour, 0.39 USD/hour for 3 months, 0.37 USD/hour for 6 months\n"},
    {"support beside cards that come with it", "| GPU | Price |\n|---|---|\n| A100 80G, support included | $1.79/hour |\n| L40S premium support | $49/hour |\n",
     "NVIDIA-A100-80G x1 1.79 USD/hour\n"},
    {"parts of cards, by a fraction, a profile or the memory",
     "| GPU | VRAM | Price per hour |\n|---|---|---|\n| A100 (1/7) | 10 GB | $0.31 |\n| A100 80GB MIG 3g.40gb | 40 GB | $0.99 |\n| H100 slice | 40 GB | $1.24 |\n"
     "| RTX 4090 (1/8) | 24 GB | $0.41 |\n",
     "NVIDIA-A100 1/7 0.31 USD/hour\nNVIDIA-A100-80G 3/7 0.99 USD/hour\nNVIDIA-H100 1/2 1.24 USD/hour\nNVIDIA-RTX-4090 x1 0.41 USD/hour\n"},
    {"a struck-out price beside the new one",
     H "<table><tr><th>GPU<th>Price<tr><td>RTX 4090<td><del>$0.50/hr</del> $0.39/hr<tr><td>RTX 3090<td><del>$0.30/hr</del> $0.22/hr</table>",
     "NVIDIA-RTX-4090 x1 0.5 USD/hour, 0.39 USD/hour sale\nNVIDIA-RTX-3090 x1 0.3 USD/hour, 0.22 USD/hour sale\n"},
    {"a unit column",
     H "<table><tr><th>What<th>Unit<th>Internal<th>External<tr><td>CPU<td>core*hour<td>0.006 EUR<td>0.012 EUR<tr><td>A100<td>GPU*hour<td>0.20 EUR"
       "<td>0.50 EUR</table>",
     "NVIDIA-A100 x1 0.2 EUR/hour\nNVIDIA-A100 x1 0.5 EUR/hour\n"},
    {"a card without a name, by the hour",
     H "<table><tr><th>Concept<th>Unit<th>Price<tr><td>CPU usage<td>CPU hour<td>0.001 €<tr><td>GPU usage<td>GPU hour<td>0.032 €</table>",
     "? 0.032 EUR/hour\n"},
    {"hidden tabs",
     H "<div id=h><table><tr><td>RTX 4090<td>￥1.98/小时<tr><td>A100<td>￥6.5/小时</table></div><div style='display:none'><table><tr><td>RTX 4090<td>￥1080/月"
       "<tr><td>A100<td>￥3500/月</table></div>",
     "NVIDIA-RTX-4090 x1 1.98 /hour\nNVIDIA-A100 x1 6.5 /hour\nNVIDIA-RTX-4090 x1 1080 /month\nNVIDIA-A100 x1 3500 /month\n"},
    {"cards of a page",
     H "<div class=c><h4>RTX A6000</h4><h1>$0.79<small>/hr</small></h1><p>or $450/month</p><ul><li>48 GB VRAM<li>Free egress</ul></div><div class=c>"
       "<h4>8x H100 SXM</h4><h1>$19.92<small>/hr</small></h1><ul><li>640 GB VRAM</ul></div>",
     "NVIDIA-RTX-A6000 x1 0.79 USD/hour, 450 USD/month\nNVIDIA-H100-SXM x8 19.92 USD/hour\n"},
    {"cards in Chinese, number and unit in elements of their own",
     H "<div class=i><div>RTX 3090</div><div>显存 24GB</div><div><span>1.39</span><em>元/时</em></div></div><div class=i><div>RTX 4090</div><div>显存 24GB</div><div>"
       "<span>1.98</span><em>元/时</em></div></div>",
     "NVIDIA-RTX-3090 x1 1.39 CNY/hour\nNVIDIA-RTX-4090 x1 1.98 CNY/hour\n"},
    {"a price over several spans",
     H "<div><span>RTX 4090</span><span><b>$</b><b>0</b><b>.34</b><i>/hr</i></span></div><div><span>RTX 3090</span><span><b>$</b><b>0</b><b>.22</b><i>/hr</i>"
       "</span></div>",
     "NVIDIA-RTX-4090 x1 0.34 USD/hour\nNVIDIA-RTX-3090 x1 0.22 USD/hour\n"},
    {"sections with several prices",
     H "<section><h3>NVIDIA H100</h3><ul><li>On-demand: $2.49/hr<li>Spot: $1.49/hr</ul></section><section><h3>NVIDIA A100 80GB</h3><ul><li>On-demand: $1.29/hr"
       "</ul></section>",
     "NVIDIA-H100 x1 2.49 USD/hour, 1.49 USD/hour spot\nNVIDIA-A100-80G x1 1.29 USD/hour\n"},
    {"a definition list", H "<dl><dt>Tesla T4<dd>1.2元/小时<dt>Tesla V100<dd>3.5元/小时</dl>",
     "NVIDIA-T4 x1 1.2 CNY/hour\nNVIDIA-V100 x1 3.5 CNY/hour\n"},
    {"name and price in one line each", H "<ul><li>B200 $0.00167 / second<li>H100 $0.000944 / second</ul>",
     "NVIDIA-B200 x1 0.00167 USD/second\nNVIDIA-H100 x1 0.000944 USD/second\n"},
    {"rows of blocks with a header beside them",
     H "<div><div>Model</div><div>Count</div><div>Price per hour</div></div><div><div><p><div>NVIDIA L40S</div><div>8</div><div>$18.00</div></p></div></div>", NULL},
    {"rows of blocks, wrapped, with a header before the list",
     H "<div class=h><div>GPU</div><div>GPU count</div><div>Price per hour</div></div><div><div><div><div>NVIDIA L40S</div><div>8</div><div>$18.00</div></div></div>"
       "<div><div><div>NVIDIA B200</div><div>8</div><div>$68.80</div></div></div></div>",
     "NVIDIA-L40S x8 18 USD/hour\nNVIDIA-B200 x8 68.8 USD/hour\n"},
    {"node rows by the month",
     H "<table><tr><th>机型<th>月租<tr><td>8卡H800<td>85000元/月<tr><td>8卡A800 NVLink<td>4.5万元/月<tr><td>存储服务器<td>1200元/月</table>",
     "NVIDIA-H800 x8 85000 CNY/month\nNVIDIA-A800 x8 45000 CNY/month\n"},
    {"a markdown table", "# GPU\n\n| GPU | Pricing | 1 Hour | 1 Month |\n|---|---|---|---|\n| A100 | Spot | $1.99 | - |\n| A100 | On-Demand | $2.92 | $1500 |\n",
     "NVIDIA-A100 x1 1.99 USD/hour\nNVIDIA-A100 x1 2.92 USD/hour, 1500 USD/month\n"},
    {"HTML within markdown", "# Prices\n\n<table><tr><th>GPU</th><th>Cost per hour</th></tr><tr><td>A40</td><td>$1.28</td></tr><tr><td>RTX A5000</td><td>$0.77"
                             "</td></tr></table>\n",
     "NVIDIA-A40 x1 1.28 USD/hour\nNVIDIA-RTX-A5000 x1 0.77 USD/hour\n"},
    {"a markdown list", "Our rates:\n\n- **RTX 3090**: $0.22/hr\n- **RTX 4090**: $0.34/hr (24 GB)\n- Storage: $0.05/GB/month\n",
     "NVIDIA-RTX-3090 x1 0.22 USD/hour\nNVIDIA-RTX-4090 x1 0.34 USD/hour\n"},
    {"headings with prices below", "# Prices\n### A100 80GB\n- On-demand: $1.89/hr\n### H100\n- On-demand: $2.99/hr\n### Storage\n- Volume: $0.10/GB/month\n",
     "NVIDIA-A100-80G x1 1.89 USD/hour\nNVIDIA-H100 x1 2.99 USD/hour\n"},
    {"lines of text", "8*910B - 15000/月\n8*H20 - 20000/月\n", "ASCEND-910B x8 15000 /month\nNVIDIA-H20 x8 20000 /month\n"},
    {"separated values", "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice\ng4dn.xlarge,T4,1.0,0.526,0.1578\nm5.large,,,0.096,0.04\n",
     "NVIDIA-T4 x1 0.526 , 0.1578  spot\n"},
    {"JSON: a list", "{\"data\":[{\"gpu_type\":\"H100-80GB\",\"usd_per_gpu_hour\":2.69},{\"gpu_type\":\"A100-40GB\",\"usd_per_gpu_hour\":1.19}]}",
     "NVIDIA-H100-80G x1 2.69 USD/hour\nNVIDIA-A100-40G x1 1.19 USD/hour\n"},
    {"JSON: models as keys", "{\"gpu\":{\"A100-80GB\":{\"on_demand\":4.10,\"spot_discount\":0.70},\"T4\":{\"on_demand\":0.35,\"spot_discount\":0.5}}}",
     "NVIDIA-A100-80G x1 4.1 \nNVIDIA-T4 x1 0.35 \n"},
    {"JSON: a member for each model",
     "{\"data\":[{\"name\":\"Alpha\",\"costv100\":\"$3.06\",\"costt4\":\"$0.53\",\"costxyz\":\"$1\"},{\"name\":\"Beta\",\"costv100\":\"$2.48\",\"costt4\":\"-\"}]}",
     "NVIDIA-V100 x1 3.06 USD\nNVIDIA-T4 x1 0.53 USD\nNVIDIA-V100 x1 2.48 USD\n"},
    {"JSON: prices in a list within",
     "{\"list\":[{\"gpuModel\":\"A100-SXM4-80GB\",\"gpuNum\":8,\"prices\":[{\"type\":\"hour\",\"price\":\"52\",\"unit\":\"元/小时\"},{\"type\":\"month\",\"price\":\"26000\","
     "\"unit\":\"元/月\"}]}]}",
     "NVIDIA-A100-SXM4-80G x8 52 CNY/hour, 26000 CNY/month\n"},
    {"JSON: a list of lists", "{\"columns\":[\"provider\",\"gpu\",\"count\",\"usd_per_hour\"],\"rows\":[[\"alpha\",\"H100\",8,18.5],[\"beta\",\"A100 80GB\",1,1.29]]}",
     "NVIDIA-H100 x8 18.5 USD/hour\nNVIDIA-A100-80G x1 1.29 USD/hour\n"},
    {"section rows across the table",
     H "<table><tr><th>GPU<th>On-demand<th>Reserved<tr><td colspan=3>NVIDIA<tr><td>H100 SXM<td>$2.49 /GPU/hr<td>Contact us<tr><td colspan=3>AMD<tr><td>MI300X"
       "<td>$2.99 /GPU/hr<td>Contact us</table>",
     "NVIDIA-H100-SXM x1 2.49 USD/hour\nAMD-MI300X x1 2.99 USD/hour\n"},
    {"JSON in a script of an empty page",
     H "<div id=app></div><script type='application/json'>{\"plans\":[{\"gpu\":{\"name\":\"RTX 4090\",\"vram\":24},\"pricePerHour\":0.39},{\"gpu\":{\"name\":\"H100 SXM\"},"
       "\"pricePerHour\":2.39}]}</script>",
     "NVIDIA-RTX-4090 x1 0.39 /hour\nNVIDIA-H100-SXM x1 2.39 /hour\n"},
    {"a variable in a script",
     H "<script>(function(){var a={b:1};})();window.S={list:[{title:'NVIDIA L40S',hourly:'$0.99/hr'},{title:'NVIDIA A10',hourly:'$0.49/hr'}]};</script>",
     "NVIDIA-L40S x1 0.99 USD/hour\nNVIDIA-A10 x1 0.49 USD/hour\n"},
    {"a fraction of a cent with all its digits", H "<ul><li>T4 $0.00000222/s<li>A10 $0.00000306/s</ul>",
     "NVIDIA-T4 x1 0.00000222 USD/second\nNVIDIA-A10 x1 0.00000306 USD/second\n"},
    {"a plan that is called like a card", H "<div><p>入门型<p>38元/月</div><div><p>高配 A10<p>98元/月</div>", NULL},
    {"values named by their place", "[[\"Reactive\",1],{\"data\":2,\"gone\":-1},[3,8],{\"gpu\":4,\"hourly\":5,\"currency\":6,\"next\":7},\"RTX 4090\",0.39,\"USD\",null,"
     "{\"gpu\":9,\"hourly\":10,\"currency\":6},\"A100 80GB\",1.15]",
     "NVIDIA-RTX-4090 x1 0.39 USD/hour\nNVIDIA-A100-80G x1 1.15 USD/hour\n"},
    {"values named by their place, going round in a circle", "[{\"data\":1,\"all\":0},{\"gpu\":2,\"hourly\":0,\"all\":1},\"RTX 4090 rent\",\"per hour\"]", NULL},
    {"a term beside the hour that is less than it",
     H "<table><tr><th>GPU<th>Hourly<th>1+ months<tr><td>H100 SXM<td>$2.99<td>$2.20<tr><td>B200<td>$5.50<td>$4.50</table>",
     "NVIDIA-H100-SXM x1 2.99 USD/hour\nNVIDIA-H100-SXM x1 2.2 USD/hour\nNVIDIA-B200 x1 5.5 USD/hour\nNVIDIA-B200 x1 4.5 USD/hour\n"},
    {"decimal commas whose currency is in the caption",
     H "<table><caption>Tarifs en € par heure de GPU</caption><tr><th>GPU<th>Public<th>Privé<tr><td>V100<td>0,30<td>0,75<tr><td>H100<td>1,30<td>2,90</table>",
     "NVIDIA-V100 x1 0.3 EUR/hour\nNVIDIA-V100 x1 0.75 EUR/hour\nNVIDIA-H100 x1 1.3 EUR/hour\nNVIDIA-H100 x1 2.9 EUR/hour\n"},
    {"sellers inside JSON of a card", "[{\"gpu\":\"H100\",\"providers\":[{\"name\":\"A\",\"usd_hr\":1.99},{\"name\":\"B\",\"usd_hr\":2.99}]},"
     "{\"gpu\":\"RTX 4090\",\"providers\":[{\"name\":\"A\",\"usd_hr\":0.37}]}]",
     "NVIDIA-H100 x1 1.99 USD/hour\nNVIDIA-H100 x1 2.99 USD/hour\nNVIDIA-RTX-4090 x1 0.37 USD/hour\n"},
    {"a table of prices alone below its card's name",
     H "<div><h3>2x RTX 4090</h3><table><tr><td>Hour<td>Day<td>Month<tr><td>€1.85<td>€41.00<td>€820.00</table></div>"
       "<div><h3>8x A100</h3><table><tr><td>Hour<td>Day<td>Month<tr><td>€16.40<td>€385.00<td>€8,900.00</table></div>",
     "NVIDIA-RTX-4090 x2 1.85 EUR/hour, 41 EUR/day, 820 EUR/month\nNVIDIA-A100 x8 16.4 EUR/hour, 385 EUR/day, 8900 EUR/month\n"},
    {"tables that only place things",
     H "<table><tr><td><table><tr><td>RTX3060显卡服务器<tr><td>内存：32G<tr><td>优惠价：599元/月</table><td><table><tr><td>RTX3090显卡服务器<tr><td>内存：64G<tr><td>优惠价："
       "1399元/月</table></table>",
     "NVIDIA-RTX-3060 599 CNY/month sale\nNVIDIA-RTX-3090 1399 CNY/month sale\n"},
    {"cards counted in Korean", H "<table><tr><th>GPU<th>Price per hour<tr><td>A100 8개<td>$12.40<tr><td>V100 1개<td>$1.20</table>",
     "NVIDIA-A100 x8 12.4 USD/hour\nNVIDIA-V100 x1 1.2 USD/hour\n"},
    {"a count of offers is none of cards", "[{\"gpu\":\"H100\",\"offer_count\":14,\"price_per_hour\":1.49},{\"gpu\":\"RTX 4090\",\"offer_count\":9,\"price_per_hour\":0.18}]",
     "NVIDIA-H100 x1 1.49 /hour\nNVIDIA-RTX-4090 x1 0.18 /hour\n"},
    {"instalments", H "<ul><li>拯救者 RTX 4060 本 <b>12期 ¥749/月</b><li>枪神 RTX 4090 本 <b>24期 ¥1,041/月</b></ul><p>立即购买 包邮", NULL},
    {"a fee paid once is no price", H "<ul><li><h3>NVIDIA L4</h3><p>184 € mtl.<br>zzgl. 264 € einmalig<li><h3>NVIDIA L40S</h3><p>384 € mtl.<br>zzgl. 94 € einmalig</ul>",
     "NVIDIA-L4 x1 184 EUR/month\nNVIDIA-L40S x1 384 EUR/month\n"},
    {"what it costs to run a card",
     H "<p>At an electricity price of $0.16 per kWh.<table><tr><th>GPU<th>TDP<th>Cost per hour<tr><td>RTX 4090<td>450 W<td>$0.072<tr><td>H100<td>700 W<td>$0.112</table>",
     NULL},
    {"an amount that no hour of the card can cost", "{\"list\":[{\"gpu_name\":\"RTX 4090\",\"payg_price\":2720},{\"gpu_name\":\"RTX 3090\",\"payg_price\":1390}]}", NULL},
    {"counts among the parts of a cell",
     H "<table><tr><th>Machine<th>Parts<th>Per hour<tr><td colspan=3>NVIDIA L4<tr><td>m-1<td>GPUs: 2 vCPUs: 24<td>$1.46<tr><td>m-2<td>GPUs: 4 vCPUs: 48<td>$2.92"
       "</table>",
     "NVIDIA-L4 x2 1.46 USD/hour\nNVIDIA-L4 x4 2.92 USD/hour\n"},
    {"two units in one heading", "| GPU | Price (monthly / hourly) |\n|---|---|\n| L4 24GB | $410.40 / $0.57 |\n| H100 | $1,993 / $2.77 |\n",
     "NVIDIA-L4 x1 410.4 USD/month, 0.57 USD/hour\nNVIDIA-H100 x1 1993 USD/month, 2.77 USD/hour\n"},
    {"YAML", "plans:\n  - gpu: RTX 4090\n    price: 0.47\n    unit: USD/hour\n  - gpu: B200\n    price: 4.36\n    unit: USD/hour\n",
     "NVIDIA-RTX-4090 x1 0.47 USD/hour\nNVIDIA-B200 x1 4.36 USD/hour\n"},
    {"units glued to figures, an hour and a month in one cell",
     H "<table><tr><th>GPU<th>On demand<tr><td>L40S<td><div>$1.17<span>per hour</span></div><div>$854.10<span>per month</span></div><tr><td>B200<td><div>$3.99"
       "<span>per hour</span></div><div>$2,912.70<span>per month</span></div></table>",
     "NVIDIA-L40S x1 1.17 USD/hour, 854.1 USD/month\nNVIDIA-B200 x1 3.99 USD/hour, 2912.7 USD/month\n"},
    {"JSON that is a text in JSON",
     H "<div id=app>GPU servers</div><script>push([1,\"7:{\\\"plans\\\":[{\\\"gpu\\\":\\\"L40S\\\",\\\"price\\\":{\\\"USD\\\":{\\\"hour\\\":1.2}}},"
       "{\\\"gpu\\\":\\\"H100\\\",\\\"price\\\":{\\\"USD\\\":{\\\"hour\\\":2.3}}}]}\"])</script>",
     "NVIDIA-L40S x1 1.2 USD/hour\nNVIDIA-H100 x1 2.3 USD/hour\n"},
    {"a column of prices whose figures are models' numbers", H "<h1>显卡租赁</h1><table><tr><th>型号<th>月租（元）<tr><td>A100<td>5090<tr><td>L40S<td>3060</table>",
     "NVIDIA-A100 x1 5090 CNY/month\nNVIDIA-L40S x1 3060 CNY/month\n"},
    {"what others get, shares and totals beside the price",
     "[{\"gpuType\":\"h100\",\"gpuCount\":8,\"costPerHourCents\":2392,\"providerCostPerHourCents\":2010,\"rental_rate\":0.93,\"total_gpu_count\":41},"
     "{\"gpuType\":\"a100\",\"gpuCount\":2,\"costPerHourCents\":276,\"providerCostPerHourCents\":222,\"rental_rate\":0.97,\"total_gpu_count\":13}]",
     "NVIDIA-H100 x8 23.92 /hour\nNVIDIA-A100 x2 2.76 /hour\n"},
    {"disks called as cards are", H "<h1>Disks</h1><table><tr><th>Disk<th>Price per month<tr><td>P4<td>$5.10<tr><td>P40<td>$248.00</table>", NULL},
    {"a shop", H "<div class=p><h3>GeForce RTX 4090</h3><span>$1,799.00</span><button>Add to cart</button><p>In stock</p></div><div class=p><h3>GeForce RTX 3060</h3>"
                 "<span>$289.00</span><button>Add to cart</button></div>", NULL},
    {"a shop's table", H "<table><tr><th>型号<th>显存<th>价格<tr><td>RTX 4090 猛禽<td>24GB<td>¥12999<tr><td>RTX 3060<td>12GB<td>¥2199</table><p>京东自营，质保三年", NULL},
    {"benchmarks with list prices of hardware", "| GPU | VRAM | TFLOPS | MSRP |\n|---|---|---|---|\n| RTX 4090 | 24 GB | 82.6 | $1,599 |\n| RTX 3060 | 12 GB | 12.7 | $329 |\n", NULL},
    {"a buying guide that also speaks of renting", "| GPU | Good for | Price (new) |\n|---|---|---|\n| RTX 3060 | hobby | $280 |\n| RTX 4090 | LoRA | $1,600 |\n\nCloud GPUs "
                                                    "rent from $0.30 per hour.\n", NULL},
    {"news", H "<h1>GPU租赁价格大跌</h1><p>近日，RTX 4090 时租价格从 3 元跌至 1.7 元，H100 时租普遍在 15 元以上。</p><ul><li><a>H100租赁价格跌至每小时2美元以下</a><li><a>A100 云服务器上涨至 5 "
               "元/小时</a></ul>", NULL},
    {"a log of changes", H "<ul><li>2024-05-01: Added H100, price reduced to $2.49/hr<li>2023-12-01: A100 now from $1.29/hr in all regions</ul>", NULL},
    {"prices per token", "| Model | GPU | Input | Output |\n|---|---|---|---|\n| L-70B | H100 | $0.59 / 1M tokens | $0.79 / 1M tokens |\n", NULL},
    {"what a training run costs", H "<p>Training on a V100 costs around $3.06 per hour, so 10 hours cost $30.60.</p><table><tr><th>Model<th>GPU<th>Hours<th>Total cost<tr>"
                                    "<td>BERT<td>V100<td>10<td>$30.60<tr><td>GPT<td>A100<td>100<td>$410</table>", NULL},
    {"what a card earns", H "<table><tr><th>GPU<th>Hashrate<th>Daily profit<tr><td>RTX 4090<td>120 MH/s<td>$1.20<tr><td>RTX 3090<td>100 MH/s<td>$0.80</table>", NULL},
    {"hours and what they cost", "| Model | Hardware | Training time (hours) | Cost |\n|---|---|---|---|\n| 7B | 8x A100 | 24 | $380 |\n| 1B | 1x A100 | 10 | $20 |\n", NULL},
    {"an article with headings", H "<h1>Best GPUs</h1><p>Renting a card costs $0.40/hr.</p><h3>RTX 3090</h3><p>Around $800 used.</p><h3>A100</h3><p>Cloud only: about $1.5 per "
                                   "hour.</p>", NULL},
    {"licences", "## GPU licences\n\n| GPU | Per GPU and year |\n|---|---|\n| A100 | $4,500 |\n| H100 | $4,500 |\n", NULL},
    {"what some hours a month cost", "### Case: 90 h a month on an RTX 4090\n\n| Seller | Monthly cost |\n|---|---|\n| A | $40 |\n| B | $65 |\n", NULL},
    {"a bill", H "<p>Billing</p><table><tr><th>GPU<th>Usage<th>Amount<tr><td>H100<td>3 h<td>$7.47<tr><td>A100<td>4 h<td>$5.16</table>", NULL},
    {"a machine without its card", "| Machine | GPU | Machine $/h | GPU $/h |\n|---|---|---|---|\n| m4 | T4 | $0.10 | $0.35 |\n| m8 | L4 | $0.20 | $0.60 |\n",
     "NVIDIA-T4 x1 0.35 USD/hour\nNVIDIA-L4 x1 0.6 USD/hour\n"},
    {"a machine with its card", "| GPU | GPU $/h | Node $/h |\n|---|---|---|\n| 8x H100 | $2.50 | $20.00 |\n| 8x A100 | $1.25 | $10.00 |\n",
     "NVIDIA-H100 x8 2.5 USD/hour\nNVIDIA-H100 x8 20 USD/hour\nNVIDIA-A100 x8 1.25 USD/hour\nNVIDIA-A100 x8 10 USD/hour\n"},
    {"a price at full load beside what a thousand calls come to",
     "| GPU | Price/h at 100% utilization | $/1,000 | at 30% |\n|---|---|---|---|\n| H100 | $2.10 | $0.05 | $0.15 |\n| A100 | $1.32 | $0.03 | $0.09 |\n",
     "NVIDIA-H100 x1 2.1 USD/hour\nNVIDIA-A100 x1 1.32 USD/hour\n"},
    {"what it costs its owner", "| GPU | Our cost/h | Price/h |\n|---|---|---|\n| H100 | $1.40 | $2.50 |\n| A100 | $0.70 | $1.30 |\n",
     "NVIDIA-H100 x1 2.5 USD/hour\nNVIDIA-A100 x1 1.3 USD/hour\n"},
    {"a cost that is the dearer one", "| GPU | Price/h | Node cost/h |\n|---|---|---|\n| 8x H100 | $2.50 | $20.00 |\n| 8x A100 | $1.25 | $10.00 |\n",
     "NVIDIA-H100 x8 2.5 USD/hour\nNVIDIA-H100 x8 20 USD/hour\nNVIDIA-A100 x8 1.25 USD/hour\nNVIDIA-A100 x8 10 USD/hour\n"},
    {"a unit for all tables", "All prices are per GPU and month.\n\n## A\n\n| GPU | Price |\n|---|---|\n| L4 | $300 |\n\n## B\n\n| GPU | Price |\n|---|---|\n| L40S | $600 |\n",
     "NVIDIA-L4 x1 300 USD/month\nNVIDIA-L40S x1 600 USD/month\n"},
    {"a unit for one heading", "## Old\n\nPrices are per GPU and month.\n\n## Cards\n\n| GPU | Price |\n|---|---|\n| L4 | $300 |\n| L40S | $600 |\n", NULL},
    {"a time of something else above", "GPU servers. Delivery takes two days.\n\n| GPU | Price |\n|---|---|\n| L4 | $300 |\n| L40S | $600 |\n", NULL},
    {"cards counted among features", "const P = [{name: 'A100', monthly: 6400, specs: ['8x NVIDIA A100 80GB', 'NVMe']}, {name: 'H100', monthly: 13900, specs: ['8x NVIDIA H100 80GB']}]",
     "NVIDIA-A100-80G x8 6400 /month\nNVIDIA-H100-80G x8 13900 /month\n"},
    {"a map of plans", "export default {unit: 'USD/hour', plans: {a: {gpu: '1 x RTX 4090', price: 0.42}, b: {gpu: '4 x RTX 4090', price: 1.62}}}",
     "NVIDIA-RTX-4090 x1 0.42 USD/hour\nNVIDIA-RTX-4090 x4 1.62 USD/hour\n"},
    {"a line that lists cards and prices", "# GPUs\n\nRent RTX 4090 from $0.34/hr, A100 from $1.19/hr and H100 from $1.99/hr. No commitment.\n",
     "NVIDIA-RTX-4090 x1 0.34 USD/hour\nNVIDIA-A100 x1 1.19 USD/hour\nNVIDIA-H100 x1 1.99 USD/hour\n"},
    {"a line that compares prices", "# GPUs\n\nRenting an A100 was $1.19/hr, an H100 is $1.99/hr and an L4 was $0.50/hr.\n", NULL},
    {"cards that share a price", "# GPUs\n\nRent an A100 or H100, from $1.99/hr, and an L4 and an L40S, from $0.50/hr.\n", NULL},
    {"a unit on the line above", "NVIDIA L40S\n64 GB RAM\nfrom monthly\n489 €\nNVIDIA H100\n128 GB RAM\nfrom monthly\n1490 €\n",
     "NVIDIA-L40S x1 489 EUR/month\nNVIDIA-H100 x1 1490 EUR/month\n"},
    {"a list below a table", "| GPU | $/hr |\n|---|---|\n| L4 | $0.70 |\n\nReserved:\n\n- H200: $3.35/GPU/hr\n- B200: $4.70/GPU/hr\n",
     "NVIDIA-L4 x1 0.7 USD/hour\nNVIDIA-H200 x1 3.35 USD/hour\nNVIDIA-B200 x1 4.7 USD/hour\n"},
    {"prose below a table", "| GPU | $/hr |\n|---|---|\n| L4 | $0.70 |\n\nH200 at Beta: $3.35/hr\n\nB200 at Beta: $4.70/hr\n", "NVIDIA-L4 x1 0.7 USD/hour\n"},
    {"a list with a card left open", "| GPU | $/hr |\n|---|---|\n| A4000, A4500, RTX 4000 | $0.40 |\n",
     "NVIDIA-RTX-A4000 x1 0.4 USD/hour\nNVIDIA-RTX-A4500 x1 0.4 USD/hour\n"},
    {"a table that places offers", H "<p>GPU rental</p><table><tr><td>RTX 3090<br>$0.22/hr<td>RTX 4090<br>$0.36/hr<tr><td>RTX 5090<br>$0.62/hr<td>L4<br>$0.50/hr</table>",
     "NVIDIA-RTX-3090 x1 0.22 USD/hour\nNVIDIA-RTX-4090 x1 0.36 USD/hour\nNVIDIA-RTX-5090 x1 0.62 USD/hour\nNVIDIA-L4 x1 0.5 USD/hour\n"},
    {"hours of a card and what they came to", "| Item | Amount |\n|---|---|\n| H100, 6 hours | $14.94 |\n| A100, 10 hours | $13.90 |\n\nPaid for GPU instances.\n", NULL},
    {"ten thousands in the sentence above", "单位：万元/月\n\n| 型号 | 1年 | 3年 |\n|---|---|---|\n| H100 8卡 | 6.8 | 6.2 |\n| A800 8卡 | 3.1 | 2.8 |\n",
     "NVIDIA-H100 x8 68000 CNY/month for 12 months, 62000 CNY/month for 36 months\nNVIDIA-A800 x8 31000 CNY/month for 12 months, 28000 CNY/month for 36 months\n"},
    {"a component with its price", "<CardGrid>\n<Card title=\"RTX A5000\" price=\"$0.29/hr\">\n<Card title=\"H200 SXM\" price=\"$3.49/hr\">\n</CardGrid>\n",
     "NVIDIA-RTX-A5000 x1 0.29 USD/hour\nNVIDIA-H200-SXM x1 3.49 USD/hour\n"},
    {"storage", "| Class | Price |\n|---|---|\n| Standard | $0.02/GB/month |\n| Archive | $0.004/GB/month |\n", NULL},
    {"machines without cards", H "<table><tr><th>机型<th>CPU<th>内存<th>价格<tr><td>HS20<td>56核<td>244GB<td>7681.60元/月<tr><td>HM20<td>56核<td>492GB<td>15891.60元/月</table>", NULL},
    {"specifications alone", "| GPU | VRAM | Bandwidth |\n|---|---|---|\n| A100 | 80 GB | 2039 GB/s |\n| H100 | 80 GB | 3350 GB/s |\n", NULL},
    {"prices on request", H "<table><tr><th>GPU<th>Price<tr><td>H100<td>Contact sales<tr><td>B200<td>Contact sales</table>", NULL},
    {"pairs of keys and values",
     H "<table><tr><th>GPU<td>2x RTX A5000<tr><th>Memory<td>128 GB<tr><th>Setup<td>€79.00<tr><th>Price<td>€ 399.00 / month</table>",
     "NVIDIA-RTX-A5000 x2 399 EUR/month\n"},
    {"a header in a table of its own",
     H "<table><thead><tr><th>GPU<th>单价（元/卡/小时）</table><table><tbody><tr><td>A40<td>3.14<tr><td>L40<td>4.82</table>",
     "NVIDIA-A40 x1 3.14 CNY/hour\nNVIDIA-L40 x1 4.82 CNY/hour\n"},
    {"data in attributes",
     H "<p>Price per hour<div data-gpu='RTX A4000' data-hourly-price='0.15' data-currency='USD'></div><div data-gpu='RTX A6000' data-hourly-price='0.50' "
       "data-currency='USD'></div>",
     "NVIDIA-RTX-A4000 x1 0.15 USD/hour\nNVIDIA-RTX-A6000 x1 0.5 USD/hour\n"},
    {"prices by number of cards below one name",
     H "<details><summary>L40S 48GB</summary><ul><li>1 GPU - $1.09/hour<li>4 GPUs - $4.36/hour</ul></details><details><summary>T4</summary><ul><li>1 GPU - $0.35/hour"
       "<li>2 GPUs - $0.70/hour</ul></details>",
     "NVIDIA-L40S x1 1.09 USD/hour\nNVIDIA-L40S x4 4.36 USD/hour\nNVIDIA-T4 x1 0.35 USD/hour\nNVIDIA-T4 x2 0.7 USD/hour\n"},
    {"a unit in the sentence above a list", "价格单位：元/卡/小时\n\n- RTX 4090：1.98\n- A800 80GB：5.88\n",
     "NVIDIA-RTX-4090 x1 1.98 CNY/hour\nNVIDIA-A800-80G x1 5.88 CNY/hour\n"},
    {"marks of footnotes", H "<table><tr><th>GPU<th>EUR per hour<tr><td>L4<td>0.75*<tr><td>P100<td>1.24†</table>",
     "NVIDIA-L4 x1 0.75 EUR/hour\nNVIDIA-P100 x1 1.24 EUR/hour\n"},
    {"free cards are no count of cards sold",
     H "<div class=c><h4>RTX 4090</h4><i>余 36 卡</i><b>1.98元/小时</b></div><div class=c><h4>A800 80G</h4><i>余 128 卡</i><b>5.88元/小时</b></div>",
     "NVIDIA-RTX-4090 x1 1.98 CNY/hour\nNVIDIA-A800-80G x1 5.88 CNY/hour\n"},
    {"prices that name their cards", "| Cloud | Cheapest |\n|---|---|\n| Alpha | RTX 3090 from $0.12/hr |\n| Beta | A10 at $0.75/hr |\n",
     "NVIDIA-RTX-3090 x1 0.12 USD/hour\nNVIDIA-A10 x1 0.75 USD/hour\n"},
    {"several cards in one name, each to be had at the price", "| GPU | Per hour |\n|---|---|\n| A6000, A40 | $0.52 |\n| V100、T4 | $0.30 |\n",
     "NVIDIA-RTX-A6000 x1 0.52 USD/hour\nNVIDIA-A40 x1 0.52 USD/hour\nNVIDIA-V100 x1 0.3 USD/hour\nNVIDIA-T4 x1 0.3 USD/hour\n"},
    {"a name with a slash that names one card", "| GPU | Per hour |\n|---|---|\n| RTX 4090 / 24GB | $0.40 |\n| A100 / 80GB | $1.30 |\n",
     "NVIDIA-RTX-4090 x1 0.4 USD/hour\nNVIDIA-A100-80G x1 1.3 USD/hour\n"},
    {"the price in the foot of a card, no fee to set it up",
     H "<div><div><div><div class=p><header>RTX A4000 Server</header><ul><li>64 GB RAM</ul><footer>$209.00 USD<br>Monthly<br>$0.00 Setup Fee</footer></div>"
       "<div class=p><header>RTX A5000 Server</header><ul><li>64 GB RAM</ul><footer>$269.00 USD<br>Monthly<br>$0.00 Setup Fee</footer></div></div></div></div>",
     "NVIDIA-RTX-A4000 209 USD/month\nNVIDIA-RTX-A5000 269 USD/month\n"},
    {"a filter with as many entries as there are cards",
     H "<div><div><i>All</i><i>4090</i></div><ul><li><b>RTX 4090</b><p>$0.40/hr</p><li><b>A100 80GB</b><p>$1.30/hr</p></ul></div>",
     "NVIDIA-RTX-4090 x1 0.4 USD/hour\nNVIDIA-A100-80G x1 1.3 USD/hour\n"},
    {"a box drawn of lines", "│ NAME │ GPU │ GPUS │ PRICE/HOUR │\n├──────┼─────┼──────┼────────────┤\n│ g1   │ A10 │ 1    │ $0.75      │\n│ g2   │ H100 │ 8   │ $19.92     │\n",
     "NVIDIA-A10 x1 0.75 USD/hour\nNVIDIA-H100 x8 19.92 USD/hour\n"},
    {"a wiki's table", "{| class=\"wikitable\"\n! GPU !! Price per GPU hour\n|-\n| V100 32 GB || 0.60 €\n|-\n| A100 80 GB || 1.45 €\n|}\n",
     "NVIDIA-V100-32G x1 0.6 EUR/hour\nNVIDIA-A100-80G x1 1.45 EUR/hour\n"},
    {"AsciiDoc, the header apart", "|===\n|Flavour |GPU |Price per hour\n\n|g1 |1x L40S |€1.20\n|g2 |1x A30 |€0.70\n|===\n",
     "NVIDIA-L40S x1 1.2 EUR/hour\nNVIDIA-A30 x1 0.7 EUR/hour\n"},
    {"an object a line", "{\"gpu\":\"RTX 4090\",\"num_gpus\":4,\"price_per_hour_usd\":1.52}\n{\"gpu\":\"A100 80GB\",\"num_gpus\":1,\"price_per_hour_usd\":0.98}\n",
     "NVIDIA-RTX-4090 x4 1.52 USD/hour\nNVIDIA-A100-80G x1 0.98 USD/hour\n"},
    {"parts of an offer between commas", H "<p>H100 SXM 80G*8，2T内存，报价：7.5万/台/月，现货</p><p>H200 141G*8，2T内存，报价：9.2万/台/月，现货</p><p>算力出租",
     "NVIDIA-H100-SXM x8 75000 /month\nNVIDIA-H200 x8 92000 /month\n"},
    {"sentences that say what a card costs and no more", H "<p>Rental:<p>An H100 instance costs $2.85 per hour.<p>An L4 instance costs $0.52 per hour.",
     "NVIDIA-H100 x1 2.85 USD/hour\nNVIDIA-L4 x1 0.52 USD/hour\n"},
    {"sentences that report or reckon", H "<p>Rental:<p>An H100 instance costs about $2.85 per hour.<p>An L4 instance would cost $0.52 per hour.<p>A T4 was at $0.35 per hour.",
     NULL},
    {"counts with an x before them", H "<h2>NVIDIA L40S</h2><table><tr><th>GPUs<th>vCPUs<th>Price<tr><td>x1<td>26<td>$0.86/hr<tr><td>x2<td>52<td>$1.72/hr</table>",
     "NVIDIA-L40S x1 0.86 USD/hour\nNVIDIA-L40S x2 1.72 USD/hour\n"},
    {"memory that says whose it is tells which card it is",
     "| Machine | | Per hour |\n|---|---|---|\n| RTX5000 | 16 GB GPU | $0.82 |\n| RTX4000 | 8 GB GPU | $0.56 |\n",
     "NVIDIA-QUADRO-RTX-5000 x1 0.82 USD/hour\nNVIDIA-QUADRO-RTX-4000 x1 0.56 USD/hour\n"},
    {"memory that tells the share of a card, or that there are two",
     "[{\"gpu_type\":\"A40\",\"gpu_vram_gb\":2,\"hourly_cost\":0.075},{\"gpu_type\":\"A40\",\"gpu_vram_gb\":48,\"hourly_cost\":1.712},"
     "{\"gpu_type\":\"A40\",\"gpu_vram_gb\":96,\"hourly_cost\":3.424}]",
     "NVIDIA-A40 1/24 0.075 /hour\nNVIDIA-A40 x1 1.712 /hour\nNVIDIA-A40 x2 3.424 /hour\n"},
    {"a card for games with other memory is no share",
     "[{\"gpu_type\":\"RTX 4090\",\"gpu_vram_gb\":24,\"hourly_cost\":0.4},{\"gpu_type\":\"RTX 4090\",\"gpu_vram_gb\":12,\"hourly_cost\":0.3}]",
     "NVIDIA-RTX-4090 x1 0.4 /hour\nNVIDIA-RTX-4090 x1 0.3 /hour\n"},
    {"of two names the one that leaves nothing open",
     "[{\"model\":\"H100\",\"name\":\"H100 SXM5 80GB\",\"price_per_hour\":\"2.29\"},{\"model\":\"B200\",\"name\":\"B200 SXM6 180GB\",\"price_per_hour\":\"4.49\"}]",
     "NVIDIA-H100-SXM x1 2.29 /hour\nNVIDIA-B200 x1 4.49 /hour\n"},
    {"a fee behind its colon after the month and the hour",
     H "<div><div><b>GEX1</b><p>NVIDIA RTX™ 4000 SFF Ada, 20 GB</p><p>max. 184,00 €/mtl. 0,2949 €/h Einrichtungsgebühr: 79,00 €</p></div><div><b>GEX2</b><p>NVIDIA RTX "
       "PRO™ 6000, 96 GB</p><p>max. 889,00 €/mtl. 1,4247 €/h Einrichtungsgebühr: 0,00 €</p></div></div>",
     "NVIDIA-RTX-4000-ADA x1 184 EUR/month, 0.2949 EUR/hour\nNVIDIA-RTX-PRO-6000 x1 889 EUR/month, 1.4247 EUR/hour\n"},
    {"so much a month for so many months of a store's card",
     H "<ul><li>MSI RTX 4090 24GB <p>or $154.08/mo. for 12 mos. with Store Card</p><li>PNY L40S 48GB <p>or $699.92/mo. for 12 mos. with Store Card</p></ul>", NULL},
    {"cards that are free of those there are", H "<table><tr><th>GPU<th>空闲<th>价格<tr><td>RTX 4090<td>3/8 卡<td>1.68元/时<tr><td>A800 80G<td>8/8 卡<td>5.20元/时</table>",
     "NVIDIA-RTX-4090 x1 1.68 CNY/hour\nNVIDIA-A800-80G x1 5.2 CNY/hour\n"},
    {"prices of the parts of a machine", "[{\"gpuModel\":\"V100\",\"gpuPriceHr\":\"0.39\",\"vcpuPriceHr\":\"0.0015\",\"memoryGibPriceHr\":\"0.0025\"},"
     "{\"gpuModel\":\"H100\",\"gpuPriceHr\":\"2.45\",\"vcpuPriceHr\":\"0.002\",\"memoryGibPriceHr\":\"0.003\"}]",
     "NVIDIA-V100 x1 0.39 /hour\nNVIDIA-H100 x1 2.45 /hour\n"},
    {"ranges of bare numbers", "| GPU | Range, $/GPU-hour |\n|---|---|\n| H100 SXM | 1.89 – 3.99 |\n| L40S | 0.59 – 1.40 |\n",
     "NVIDIA-H100-SXM x1 1.89 USD/hour\nNVIDIA-L40S x1 0.59 USD/hour\n"},
    {"a raised figure between amount and unit", H "<table><tr><td>H100 SXM5<td>$2.49<sup>1</sup> / GPU-hr<tr><td>H200<td>$3.29<sup>1</sup> / GPU-hr</table>",
     "NVIDIA-H100-SXM x1 2.49 USD/hour\nNVIDIA-H200 x1 3.29 USD/hour\n"},
    {"the hour in a sentence behind the table", H "<table><tr><th>Model<th>Price<tr><td>T4<td>$0.35 per GPU<tr><td>V100<td>$2.48 per GPU</table><p>Prices are per hour.",
     "NVIDIA-T4 x1 0.35 USD/hour\nNVIDIA-V100 x1 2.48 USD/hour\n"},
    {"cards among the features of a membership",
     H "<div><h3>Pro</h3><p>Faster GPUs (L4, A100)</p><p>$11.99 per month</p></div><div><h3>Pro+</h3><p>Priority A100</p><p>$49.99 per month</p></div>", NULL},
    {"what was spent in a month", H "<table><tr><th>GPUs<th>Monthly spend<tr><td>24x A100<td>$41,200<tr><td>40x L4<td>$16,900</table>", NULL},
    {"a second of video", "{\"models\":[{\"name\":\"w\",\"gpu\":\"H100\",\"cost_per_second_of_video\":0.05},{\"name\":\"k\",\"gpu\":\"H200\",\"cost_per_second_of_video\":0.09}]}",
     NULL},
    {"pay beside what is worked with", H "<h1>Salaries</h1><table><tr><th>Role<th>Cluster<th>Hourly<tr><td>Engineer<td>H100<td>$85/hr<tr><td>Artist<td>A100<td>$38/hr</table>"
     "<p>From 90 job adverts. Open positions: apply now", NULL},
    {"support by the year", H "<table><tr><th>Server<th>Next business day, per year<tr><td>8x H100<td>$9,800<tr><td>4x L40S<td>$2,400</table>", NULL},
    {"hours that a tier has", H "<h1>GPU limits</h1><table><tr><th>Tier<th>GPUs<th>Max hours per month<tr><td>1<td>T4<td>100<tr><td>2<td>A100<td>500</table>", NULL},
    {"energy by the day", "| GPU | Watts | kWh per day |\n|---|---|---|\n| RTX 3060 | 170 | 4.08 |\n| A100 | 400 | 9.6 |\n", NULL},
    {"servers called as cards are, told by their processors",
     H "<h1>Servers</h1><table><tr><th>Server<th>Processor<th>Hourly<tr><td>A10<td>EPYC 7302P<td>$0.35<tr><td>A40<td>EPYC 7443P<td>$0.68</table>", NULL},
    {"models by the image and the minute of speech",
     "{\"data\":[{\"id\":\"f\",\"hardware\":\"H100\",\"pricing\":{\"unit\":\"image\",\"price\":0.9}},{\"id\":\"w\",\"hardware\":\"A100\",\"pricing\":{\"unit\":\"audio "
     "minute\",\"price\":0.6}}]}", NULL},
    {"columns of plain text", "Rates in USD per GPU hour\n\nGPU   Inside  Outside\n====  ======  =======\nA100  0.52    1.47\nL40S  0.31    0.88\n",
     "NVIDIA-A100 x1 0.52 USD/hour\nNVIDIA-A100 x1 1.47 USD/hour\nNVIDIA-L40S x1 0.31 USD/hour\nNVIDIA-L40S x1 0.88 USD/hour\n"},
    {"JSON: the unit stands above", "{\"unit\":\"usd_per_gpu_hour\",\"shops\":{\"alpha\":{\"H100\":2.69,\"A10\":0.75},\"beta\":{\"H100\":2.99,\"L4\":0.43}}}",
     "NVIDIA-H100 x1 2.69 USD/hour\nNVIDIA-A10 x1 0.75 USD/hour\nNVIDIA-H100 x1 2.99 USD/hour\nNVIDIA-L4 x1 0.43 USD/hour\n"},
    {"JSON: sizes of one thing",
     "{\"gpus\":[{\"model\":\"H100\",\"pricing\":[{\"count\":1,\"hourly\":2.99},{\"count\":8,\"hourly\":23.92}]},{\"model\":\"A10\",\"pricing\":[{\"count\":1,"
     "\"hourly\":0.75}]}]}",
     "NVIDIA-H100 x1 2.99 /hour\nNVIDIA-H100 x8 23.92 /hour\nNVIDIA-A10 x1 0.75 /hour\n"},
    {"a script's variable names the card", "const H100_PRICING = [\n  {provider: 'alpha', dollar_per_gpu_hour: 2.69},\n  {provider: 'beta', dollar_per_gpu_hour: 2.99},\n];\n",
     "NVIDIA-H100 x1 2.69 USD/hour\nNVIDIA-H100 x1 2.99 USD/hour\n"},
    {"what energy costs", H "<p>At $0.12/kWh electricity:<table><tr><th>GPU<th>Cost per day<tr><td>RTX 4090<td>$1.30<tr><td>RTX 3060<td>$0.49</table>", NULL},
    {"instalments", H "<div class=p><h3>RTX 4090 整机</h3><p>￥26,999</p><p>24期免息 ￥1,124.96/月</p></div><div class=p><h3>RTX 5080 整机</h3><p>￥17,999</p><p>24期免息 ￥749.96/月</p></div>", NULL},
    {"a place for one's own machines", H "<h1>托管（自带设备）</h1><table><tr><th>设备<th>托管费<tr><td>4U 8卡 4090 服务器<td>2800元/月<tr><td>6U 8卡 H100 服务器<td>5600元/月</table>", NULL},
    {"seats in an internet cafe", H "<h1>网咖收费</h1><table><tr><th>配置<th>会员价<th>散客价<tr><td>RTX 3060<td>5元/小时<td>8元/小时<tr><td>RTX 4070<td>10元/小时<td>15元/小时</table>", NULL},
    {"a membership", H "<div class=t><h2>Ultimate</h2><p>RTX 4080 rig, 4K at 240 FPS</p><p>$19.99 / month</p></div><div class=t><h2>Basic</h2><p>RTX 3060 rig, 60 FPS</p><p>$9.99 / month</p></div>"
                      "<p>Cancel your membership at any time.", NULL},
    {"free machines as a map", "{\"regions\":[{\"region\":\"us\",\"gpus\":{\"H100\":2,\"A100\":4}},{\"region\":\"eu\",\"gpus\":{\"H100\":1,\"A100\":3}}]}", NULL},
    {"a header of two rows below a title",
     H "<table><tr><td colspan=3>租用价格（元）<tr><td rowspan=2>显卡<td colspan=2>租金<tr><td>包周<td>包月<tr><td>RTX 3090<td>180<td>650</table>",
     "NVIDIA-RTX-3090 x1 180 CNY/week, 650 CNY/month\n"},
    {"titles among rows", H "<div><h3>A40</h3><div><i>1 GPU</i><b>$0.40/hr</b></div><div><i>2 GPUs</i><b>$0.80/hr</b></div><div><i>4 GPUs</i><b>$1.60/hr</b></div>"
                            "<h3>L4</h3><div><i>1 GPU</i><b>$0.50/hr</b></div></div>",
     "NVIDIA-A40 x1 0.4 USD/hour\nNVIDIA-A40 x2 0.8 USD/hour\nNVIDIA-A40 x4 1.6 USD/hour\nNVIDIA-L4 x1 0.5 USD/hour\n"},
    {"specifications in a table, the price outside",
     H "<article><h3>S1</h3><table><tr><th>CPU<td>16<tr><th>GPU<td>2x Tesla T4</table><p>From € 639.00 /month</article>"
       "<article><h3>S2</h3><table><tr><th>CPU<td>32<tr><th>GPU<td>4x L40S</table><p>From € 3,299.00 /month</article>",
     "NVIDIA-T4 x2 639 EUR/month\nNVIDIA-L40S x4 3299 EUR/month\n"},
    {"cents and unit in blocks of their own", H "<div class=c><h3>L4</h3><div><b>$</b><b>1</b><div>10</div><i>/hour</i></div></div>"
                                                "<div class=c><h3>A40</h3><div><b>$</b><b>0</b><div>45</div><i>/hour</i></div></div>",
     "NVIDIA-L4 x1 1.1 USD/hour\nNVIDIA-A40 x1 0.45 USD/hour\n"},
    {"as many as can be had", H "<div class=c><h3>H100</h3><p>Up to 8 GPUs</p><p>$2.25/hr</p></div><div class=c><h3>A100</h3><p>Up to 8 GPUs</p><p>$1.20/hr</p></div>",
     "NVIDIA-H100 x1 2.25 USD/hour\nNVIDIA-A100 x1 1.2 USD/hour\n"},
    {"JSON: cells that hold texts", "{\"head\":[{\"t\":\"GPU\"},{\"t\":\"Rent\"}],\"rows\":[{\"c\":[{\"t\":\"L4\"},{\"t\":\"$0.70/hr\"}]},{\"c\":[{\"t\":\"T4\"},{\"t\":\"$0.35/hr\"}]}]}",
     "NVIDIA-L4 x1 0.7 USD/hour\nNVIDIA-T4 x1 0.35 USD/hour\n"},
    {"JSON: a unit in each term's object", "[{\"gpu\":\"L20\",\"by\":{\"hour\":{\"price\":3,\"unit\":\"元/时\"},\"day\":{\"price\":70,\"unit\":\"元/天\"}}}]",
     "NVIDIA-L20 x1 3 CNY/hour, 70 CNY/day\n"},
    {"a row that counts cards without a name", H "<table><tr><th>Name<th>Card Qty<th>Price /hr<tr><td>bm-y<td>8<td>$3.05<tr><td>vm-y<td>1<td>$0.95</table>",
     "? 3.05 USD/hour\n? 0.95 USD/hour\n"},
    {"a card on request before a heading and options", H "<p>gpu cloud</p><dl><dt>H100 x8<dd>¥3,000,000/月<dt>H200 x8<dd>Ask</dl><h2>Options</h2><p>Disk 100 GB: ¥2,200/月", "NVIDIA-H100 x8 3000000 /month\n"},
    {"sold at once or by the month", H "<div class=p><h3>RTX 4090 PC</h3><p>£4,299</p><p>or £143.30 per month</p><p>In stock</p></div>"
                                       "<div class=p><h3>RTX 5090 PC</h3><p>£6,199</p><p>or £206.63 per month</p><p>In stock</p></div>", NULL},
    {"a unit of a caption elsewhere", H "<p>图：租金走势（单位：元/卡时）</p><ul><li>B300 单机售价400万元</li><li>H100 单机售价200万元</li></ul>", NULL},
    {"so many times so much a month", H "<div class=p><h3>RTX 5080</h3><p>4 × 299,75 € par mois</p></div><div class=p><h3>RTX 4070</h3><p>4 × 140,00 € par mois</p></div>", NULL},
    {"what something else costs beside one card", H "<p>GPU clusters on demand, hourly</p><ul><li>Control plane: $0.10/hour</li></ul><p>Works with L40S nodes</p>", NULL},
    {"a log with one price by itself", "# Changelog of the GPU cloud, hourly on-demand\n\n## 2026-08-01\n\n- RTX 5090 available in EU-2 at $0.69/hr\n", NULL},
    {"an article that compares a card", H "<h1>A100 vs your laptop</h1><p>On-demand cloud instances, hourly</p><p>Rates start at $1.10 per hour at Cirrus.</p>", NULL},
    {"what a shop for renting out costs",
     "Sell RTX 4090 instances by the hour, on demand.\n\nPricing starts at $99 per month for a GPU shop, licence and updates aside.\n", NULL},
    {"a question about a price", H "<h1>Is $1.10/h too much for an H100 in the cloud?</h1><p>On-demand instances are billed hourly</p><p>I pay $0.95/h for mine.</p>", NULL},
    {"two cards on the page, a sentence that names none",
     "Virtual machines with L40S and H100 cards, billed per hour.\n\nPricing starts at $1.35 per hour for an instance with 1 GPU card.\n", NULL},
    {"an amount for which nobody lets the card", "Instances with H100 cards are billed per hour.\n\nPricing starts at $20 per month for GPU accounts of the portal.\n", NULL},
    {"what a task comes to, without a time", "| 方案 | 成本 |\n|---|---|\n| 云上 RTX 4090 | ¥12-18 |\n| 云上 A100 | ¥25-40 |\n\n云 GPU 按量计费，租用。\n", NULL},
    {"what is done about cards, by the month",
     "GPU cloud, billed per hour\n\n- Support for A100 nodes: $120/month\n- Care for up to 4 L40S: $300/month\n- Setup of an H100: $99/month\n", NULL},
    {"what is done about cards, in sentences", H "<p>Instances are billed per hour. Priority support for A100 instances is $200 per month.</p>", NULL},
    {"a slice in a sentence, of a size that it does not say", H "<p>Instances are billed per hour. A slice of an H100 costs $0.65 per hour, on demand.</p>", NULL},
    {"parts of cards whose size nothing tells",
     "| GPU | VRAM | Price per hour |\n|---|---|---|\n| A100 MIG | 20 GB | $0.62 |\n| H100 slice | - | $0.88 |\n", NULL},
    {"a page that is nothing", H "<p>Hello", NULL},
};

static void print_amount(struct strbuf *out, int64_t nano)
{
    size_t from = out->len;
    strbuf_addf(out, "%lld.%09lld", (long long)(nano / NANO), (long long)(nano % NANO));
    while (out->len > from && out->ptr[out->len - 1] == '0') out->len--;
    if (out->ptr[out->len - 1] == '.') out->len--;
}

static void print_quote(struct strbuf *out, const struct quote *quote)
{
    print_amount(out, quote->amount_nano);
    strbuf_addf(out, " %s", quote->currency.code);
    if (quote->period != PERIOD_NONE) strbuf_addf(out, "/%s", word_text(VOCABULARY_PERIOD, (int)quote->period));
    if (quote->role != ROLE_LIST) strbuf_addf(out, " %s", word_text(VOCABULARY_ROLE, (int)quote->role));
    if (quote->months > 0) strbuf_addf(out, " for %d months", quote->months);
}

static void print_offer(struct strbuf *out, const struct offer *offer)
{
    strbuf_adds(out, offer->attributes.sku[0] != '\0' ? offer->attributes.sku : "?");
    if (offer->attributes.cards > 0 && offer->attributes.sku[0] != '\0') strbuf_addf(out, " x%d", offer->attributes.cards);
    if (offer->attributes.slice_den > 0) strbuf_addf(out, " %d/%d", offer->attributes.slice_num, offer->attributes.slice_den);
    for (size_t i = 0; i < offer->record.quote_count; i++) {
        strbuf_adds(out, i > 0 ? ", " : " ");
        print_quote(out, &offer->record.quotes[i]);
    }
    strbuf_addc(out, '\n');
}

static void check_shape(void **state)
{
    const struct shape_case *row = *state;
    struct page_run run;
    struct strbuf out;
    struct reading reading = {0};
    const struct page_input page = {.body = gt_str_from(row->body), .url = GT_STR(""), .content_type = GT_STR("")};
    const struct site_facts facts = {.scale_num = 1, .scale_den = 1, .hours_per_month = 720};
    strbuf_init(&out, 1 << 16);
    page_read(&run, "extract = auto", &page);
    assert_int_equal(run.err, row->expected != NULL ? GT_OK : GT_ENOROWS);
    if (run.err == GT_OK) {
        assert_int_equal(listing_read(run.extraction.listings, run.extraction.count, &facts, GT_STR(""), run.arena, &reading), GT_OK);
        for (size_t i = 0; i < reading.offer_count; i++) {
            print_offer(&out, &reading.offers[i]);
            assert_true(reading.offers[i].confidence_permille >= 400 && reading.offers[i].confidence_permille < 1000);
            assert_true(reading.offers[i].reasons.len > 0);
        }
        assert_str(strbuf_str(&out), row->expected);
    }
    strbuf_done(&out);
    page_done(&run);
}

/* Rules that find nothing: what `auto` finds is kept, and the part is drifted. */
static const struct {
    const char *name;
    const char *section;
    const char *body;
    enum gt_err err;
    bool is_drifted;
    const char *extractor;
} FALLBACKS[] = {
    {"rules that fit", "extract = table\nrows = //tr\nlabel = td[1]\nprice = td[2]", H "<table><tr><td>RTX 4090<td>1.98元/时</table>", GT_OK, false, "table"},
    {"rules that find no row", "extract = table\nrows = //tr[@class='offer']\nlabel = td[1]",
     H "<table><tr><td>RTX 4090<td>1.98元/时<tr><td>A100<td>6元/时</table>", GT_OK, true, "auto"},
    {"rules that find rows without a label", "extract = table\nrows = //tr\nlabel = td[9]",
     H "<table><tr><td>RTX 4090<td>1.98元/时<tr><td>A100<td>6元/时</table>", GT_OK, true, "auto"},
    {"rows without a label, nothing for auto either", "extract = table\nrows = //tr\nlabel = td[9]", H "<table><tr><td>a<td>b</table>", GT_OK, true, "table"},
    {"nothing for either", "extract = table\nrows = //tr\nlabel = td[1]", H "<p>x", GT_ENOROWS, false, "table"},
};

static void check_fallback(void **state)
{
    const __typeof__(FALLBACKS[0]) *row = *state;
    struct page_run run;
    const struct page_input page = {.body = gt_str_from(row->body), .url = GT_STR(""), .content_type = GT_STR("text/html")};
    page_read(&run, row->section, &page);
    assert_int_equal(run.err, row->err);
    assert_int_equal(run.extraction.is_drifted, row->is_drifted);
    assert_str(run.extraction.extractor, row->extractor);
    page_done(&run);
}

/* Amounts of more digits than can be kept: told with the reason, whatever else the page holds. */
static const struct refusal_case {
    const char *name, *body;
    size_t listings;
    const char *expected; /* "REASON RAW" lines */
} REFUSALS[] = {
    {"JSON: the only amount of a list", "[{\"gpu\":\"H100\",\"price_per_hour\":2.12345678912}]", 0, "precision 2.12345678912\n"},
    {"JSON: one of two amounts", "[{\"gpu\":\"H100\",\"price_per_hour\":2.12345678912},{\"gpu\":\"A100\",\"price_per_hour\":1.12345678}]", 1,
     "precision 2.12345678912\n"},
    {"JSON: too large", "[{\"gpu\":\"H100\",\"price_per_hour\":12345678901234567}]", 0, "out-of-range 12345678901234567\n"},
    {"a cell with its currency", H "<table><tr><th>GPU<th>Rent<tr><td>H100<td>$2.12345678912/hr</table>", 0, "precision $2.12345678912/hr\n"},
    {"a line", "- H100: $2.12345678912/hr\n- A100: $1.20/hr\n- B200: $3.20/hr\n", 2, "precision $2.12345678912/hr\n"},
    {"nine decimals are kept", "[{\"gpu\":\"H100\",\"price_per_hour\":2.123456789}]", 1, ""},
    {"zeros behind the ninth are no digits", "[{\"gpu\":\"H100\",\"price_per_hour\":2.12345678900}]", 1, ""},
    {"a long number in a column of something else", "[{\"gpu\":\"H100\",\"price_per_hour\":2.5,\"latitude\":48.137154321987}]", 1, ""},
    {"a long number in a line of something else", "- H100: $2.10/hr\n- A100: $1.20/hr\n- 48.137154321987\n", 2, ""},
};

static void check_refusal(void **state)
{
    const struct refusal_case *row = *state;
    struct page_run run;
    struct strbuf out;
    const struct page_input page = {.body = gt_str_from(row->body), .url = GT_STR(""), .content_type = GT_STR("")};
    strbuf_init(&out, 1 << 16);
    page_read(&run, "extract = auto", &page);
    assert_int_equal(run.err, GT_OK);
    assert_int_equal(run.extraction.count, row->listings);
    assert_int_equal(run.extraction.is_drifted, row->listings == 0);
    for (size_t i = 0; i < run.extraction.refused_count; i++)
        strbuf_addf(&out, "%.*s %.*s\n", GT_STR_ARG(run.extraction.refused[i].reason), GT_STR_ARG(run.extraction.refused[i].raw));
    assert_str(strbuf_str(&out), row->expected);
    strbuf_done(&out);
    page_done(&run);
}

/* Tables as long as catalogues are: the last row is read, or the page is refused, never cut. */
static const struct long_case {
    const char *name;
    size_t rows; /* before the last */
    enum gt_err err;
} LONGS[] = {
    {"a catalogue", 30000, GT_OK},
    {"more cells than a grid may have", 260000, GT_ELIMIT},
};

static void check_long(void **state)
{
    const struct long_case *row = *state;
    struct page_run run;
    struct strbuf text;
    strbuf_init(&text, 16 << 20);
    strbuf_adds(&text, "InstanceType,AcceleratorName,AcceleratorCount,Price\n");
    for (size_t i = 0; i < row->rows; i++) strbuf_adds(&text, "m5.large,,,0.096\n");
    strbuf_adds(&text, "g4dn.xlarge,T4,1.0,0.526\n");
    const struct page_input page = {.body = strbuf_str(&text), .url = GT_STR(""), .content_type = GT_STR("text/csv; charset=utf-8")};
    page_read(&run, "extract = auto", &page);
    assert_int_equal(run.err, row->err);
    if (row->err == GT_OK) assert_int_equal(run.extraction.count, 1);
    strbuf_done(&text);
    page_done(&run);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(SHAPES, check_shape) + TABLE_RUN(FALLBACKS, check_fallback) + TABLE_RUN(REFUSALS, check_refusal) +
           TABLE_RUN(LONGS, check_long);
}
