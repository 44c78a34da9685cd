/* What `auto` takes for a price among the members of JSON, and what it leaves. */
#include "tests/unit/parsers/page.h"

#define JSON "application/json"
#define PAGE(body, expected) "extract = auto", "{\"about\":\"GPU cloud, rent on demand\",\"rows\":[" body "]}", expected, GT_OK, NULL, JSON
#define MAP(body, expected) "extract = auto", "{\"about\":\"GPU cloud, rent on demand\",\"n1\":{\"has\":{" body "}}}", expected, GT_OK, NULL, JSON
#define NONE(body) "extract = auto", "{\"about\":\"GPU cloud, rent on demand\",\"rows\":[" body "]}", NULL, GT_ENOROWS, NULL, JSON
#define TWO "{\"gpu\":\"H100\",\"hourly\":2.1},{\"gpu\":\"A40\",\"hourly\":0.4}"
#define TOLD "label=H100; price=2.1{hourly}\nlabel=A40; price=0.4{hourly}\n"

static const struct page_case CASES[] = {
    {"a remark that tells which machine the card was split off", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"note\":\"per-GPU from x5=8xH100\"},"
                                                                      "{\"gpu\":\"A40\",\"hourly\":0.4,\"note\":\"half of 8x A40\"}", TOLD)},
    {"a remark that tells that the whole machine is sold", PAGE("{\"gpu\":\"H100\",\"hourly\":18.4,\"note\":\"8x H100, whole node\"},"
                                                                "{\"gpu\":\"A40\",\"hourly\":0.4,\"note\":\"\"}",
     "label=H100; cards=8; price=18.4{hourly}\nlabel=A40; price=0.4{hourly}\n")},
    {"statistics beside the price", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"price_min\":1.9,\"price_max\":2.9,\"median_price\":2.2,\"price_p25\":2},"
                                         "{\"gpu\":\"A40\",\"hourly\":0.4,\"price_min\":0.3,\"price_max\":0.6,\"median_price\":0.4,\"price_p25\":0.3}", TOLD)},
    {"the least of several prices, and no price by the minute", PAGE("{\"gpu\":\"H100\",\"min_price\":1.9},{\"gpu\":\"A40\",\"min_price\":0.3}",
     "label=H100; price=1.9{minimum price}\nlabel=A40; price=0.3{minimum price}\n")},
    {"a price by the minute", PAGE("{\"gpu\":\"H100\",\"price_per_min\":0.035},{\"gpu\":\"A40\",\"price_per_min\":0.007}",
     "label=H100; price=0.035{price per min}\nlabel=A40; price=0.007{price per min}\n")},
    {"terms beside an hour", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"sixMonthPrice\":1.8},{\"gpu\":\"A40\",\"hourly\":0.4,\"sixMonthPrice\":0.3}",
     "label=H100; price=2.1{hourly}; price=1.8{hourly | 6 month Price commitment}\n"
     "label=A40; price=0.4{hourly}; price=0.3{hourly | 6 month Price commitment}\n")},
    {"terms beside a price that names no time", PAGE("{\"gpu\":\"H100\",\"price\":2.1,\"threeYearPrice\":1.8},{\"gpu\":\"A40\",\"price\":0.4,\"threeYearPrice\":0.3}",
     "label=H100; price=2.1{price}; price=1.8{price | 3 year Price commitment}\n"
     "label=A40; price=0.4{price}; price=0.3{price | 3 year Price commitment}\n")},
    {"a year that costs more than what names no time", PAGE("{\"gpu\":\"H100\",\"price\":2.1,\"oneYearPrice\":15500},{\"gpu\":\"A40\",\"price\":0.4,\"oneYearPrice\":3100}",
     "label=H100; price=2.1{price}; price=15500{one Year Price}\nlabel=A40; price=0.4{price}; price=3100{one Year Price}\n")},
    {"what three years come to, which is for no time that a price has", PAGE("{\"gpu\":\"H100\",\"price\":2.1,\"threeYearPrice\":45500},"
                                                                              "{\"gpu\":\"A40\",\"price\":0.4,\"threeYearPrice\":9100}",
     "label=H100; price=2.1{price}\nlabel=A40; price=0.4{price}\n")},
    {"instalments below the price of a purchase", NONE("{\"gpu\":\"H100\",\"price\":27000,\"sixMonthPrice\":4600},{\"gpu\":\"A40\",\"price\":4100,\"sixMonthPrice\":700}")},
    {"kinds of one offer at one price", PAGE("{\"gpu\":\"A40\",\"hourly\":0.4,\"kind\":\"own\"},{\"gpu\":\"A40\",\"hourly\":0.4,\"kind\":\"hosted\"}",
     "label=A40; variant=own; price=0.4{hourly}\nlabel=A40; variant=hosted; price=0.4{hourly}\n")},
    {"ways to rent that are not offered", PAGE("{\"gpu\":\"H100\",\"ownCloud\":true,\"peerCloud\":false,\"ownHourly\":2.1,\"peerHourly\":1.1},"
                                               "{\"gpu\":\"A40\",\"ownCloud\":false,\"peerCloud\":true,\"ownHourly\":0.4,\"peerHourly\":0.3}",
     "label=H100; variant=own Cloud; price=2.1{own Hourly}\nlabel=A40; variant=peer Cloud; price=0.3{peer Hourly}\n")},
    {"a no that is of something else", PAGE("{\"gpu\":\"H100\",\"gpuShared\":false,\"gpuHourly\":2.1},{\"gpu\":\"A40\",\"gpuShared\":false,\"gpuHourly\":0.4}",
     "label=H100; price=2.1{gpu Hourly}\nlabel=A40; price=0.4{gpu Hourly}\n")},
    {"all of it not offered", NONE("{\"gpu\":\"H100\",\"spot\":false,\"spotHourly\":2.1},{\"gpu\":\"A40\",\"spot\":false,\"spotHourly\":0.4}")},
    {"a card without a name among named ones", PAGE("{\"gpu\":\"A40\",\"price\":0.4},{\"gpu\":\"NPU\",\"price\":0.3}", "label=A40; price=0.4{price}\nlabel=NPU; price=0.3{price}\n")},
    {"… at a price that no hour of theirs can cost", PAGE("{\"gpu\":\"A40\",\"price\":0.4},{\"gpu\":\"NPU\",\"price\":300}", "label=A40; price=0.4{price}\n")},
    {"averages and guesses among sellers", PAGE("{\"gpu\":\"H100\",\"seller\":\"Market average\",\"hourly\":2.6},{\"gpu\":\"H100\",\"seller\":\"Uno (est.)\",\"hourly\":2.4},"
                                                "{\"gpu\":\"H100\",\"seller\":\"Due\",\"hourly\":2.1}", "label=H100; variant=Due; price=2.1{hourly}\n")},
    {"two names of one card, of which one leaves less open", PAGE("{\"id\":\"H100 80GB\",\"shown\":\"H100 PCIe\",\"hourly\":2.1},{\"id\":\"A40\",\"shown\":\"A40 48GB\",\"hourly\":0.4}",
     "label=H100 PCIe; price=2.1{hourly}\nlabel=A40; price=0.4{hourly}\n")},
    {"… and two names of different cards", PAGE("{\"id\":\"H100 80GB\",\"like\":\"A100 PCIe 80GB\",\"hourly\":2.1},{\"id\":\"A40\",\"like\":\"A10\",\"hourly\":0.4}",
     "label=H100 80GB; price=2.1{hourly}\nlabel=A40; price=0.4{hourly}\n")},
    {"cards as keys, an amount of cards beside the price", MAP("\"a40\":{\"amount\":2,\"price\":0.4},\"h100-pcie\":{\"amount\":8,\"price\":2.1}",
     "label=a40; price=0.4{price}\nlabel=h100 pcie; price=2.1{price}\n")},
    {"one card as the only key", MAP("\"a40\":{\"amount\":2,\"price\":0.4}", "label=a40; price=0.4{price}\n")},
    {"amounts of cards without a price", NONE("{\"gpu\":\"A40\",\"amount\":2,\"free\":1},{\"gpu\":\"L4\",\"amount\":1,\"free\":1}")},
    {"places with a price each", PAGE("{\"gpu\":\"H100\",\"regions\":[{\"name\":\"oslo\",\"hourly\":2.1},{\"name\":\"bonn\",\"hourly\":2.3}]},"
                                      "{\"gpu\":\"A40\",\"regions\":[{\"name\":\"oslo\",\"hourly\":0.4}]}",
     "label=H100; variant=oslo; price=2.1{hourly}\nlabel=H100; variant=bonn; price=2.3{hourly}\nlabel=A40; variant=oslo; price=0.4{hourly}\n")},
    {"places without a price", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"regions\":[{\"name\":\"oslo\"},{\"name\":\"bonn\"}]},{\"gpu\":\"A40\",\"hourly\":0.4,\"regions\":[{\"name\":\"oslo\"}]}",
     TOLD)},
    {"what it cost earlier", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"priceHistory\":[{\"day\":\"2026-01-01\",\"hourly\":2.9}]},"
                                  "{\"gpu\":\"A40\",\"hourly\":0.4,\"priceHistory\":[{\"day\":\"2026-01-01\",\"hourly\":0.9}]}", TOLD)},
    {"… told beside what it costs", "extract = auto", "{\"history\":[{\"gpu\":\"H100\",\"hourly\":2.9},{\"gpu\":\"A40\",\"hourly\":0.9}],\"now\":[" TWO "]}", TOLD, GT_OK, NULL, JSON},
    {"… and nothing else", "extract = auto", "{\"history\":[" TWO "]}", TOLD, GT_OK, NULL, JSON},
    {"support beside the card", PAGE("{\"gpu\":\"H100\",\"hourly\":2.1,\"support_price_hour\":0.9},{\"gpu\":\"A40\",\"hourly\":0.4,\"support_price_hour\":0.9}", TOLD)},
    {"an amount of money", PAGE("{\"gpu\":\"H100\",\"amount\":2.1},{\"gpu\":\"A40\",\"amount\":0.4}", "label=H100; price=2.1{amount}\nlabel=A40; price=0.4{amount}\n")},
    {"what somebody is ready to pay", NONE("{\"gpu\":\"H100\",\"max_price_per_hour\":2.1},{\"gpu\":\"A40\",\"target_price\":0.4}")},
    {"nothing but guesses", NONE("{\"gpu\":\"H100\",\"seller\":\"Forecast 2027\",\"hourly\":2.6},{\"gpu\":\"A40\",\"seller\":\"Forecast 2027\",\"hourly\":0.4}")},
};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page);
}
