/* What `auto` takes out of sentences and of lists beside tables, and what it leaves in them. */
#include "tests/unit/parsers/page.h"

#define MD "text/markdown; charset=utf-8"
#define RENT "Rent by the hour, on demand: a GPU cloud with spot instances.\n\n"
#define TABLE "| GPU | Price per hour |\n|---|---|\n| H100 | $2.10 |\n| A40 | $0.40 |\n\n"
#define TOLD "label=H100; price=$2.10{Price per hour}\nlabel=A40; price=$0.40{Price per hour}\n"
#define NONE(body) "extract = auto", RENT body, NULL, GT_ENOROWS, NULL, MD

static const struct page_case CASES[] = {
    {"a price goes to the nearest card before it", "extract = auto", RENT "- Pricing: A100 ~$1.20/hr, H100 ~$2.30/hr.\n",
     "label=Pricing: A100; price=Pricing: A100 ~$1.20/hr\nlabel=H100; price=H100 ~$2.30/hr\n", GT_OK, NULL, MD},
    {"remarks before and behind", "extract = auto", RENT "- Alpha bills second by second, whoever it may be; H100 from $2.30/hr; no long contracts for anybody at all, and no minimum.\n",
     "label=H100; price=H100 from $2.30/hr\n", GT_OK, NULL, MD},
    {"the card in a clause before its amount", "extract = auto", RENT "The box in Reno (two Xeons, NVIDIA RTX A4000, 10G unmetered) is listed at $1,557 per quarter.\n",
     "label=RTX A4000; price=10G unmetered) is listed at $1,557 per quarter.\n", GT_OK, NULL, MD},
    {"a term is of all prices of the sentence", "extract = auto", RENT "Spot capacity of the B300 lands around $10.90 per GPU hour, and the MI350X around $3.90 per GPU hour.\n",
     "label=Spot capacity of the B300 lands around; plan=Spot; price=Spot capacity of the B300 lands around $10.90 per GPU hour{Spot}\n"
     "label=the MI350X around; plan=Spot; price=the MI350X around $3.90 per GPU hour{Spot}\n", GT_OK, NULL, MD},
    {"a number that is a name before a word of price", "extract = auto", "# 租显卡\n\n按小时计费的算力云。价格随供需波动；某平台官网当前 4090 标价为 0.69 美元/小时。\n",
     "label=4090; variant=租显卡; currency=CNY; price=某平台官网当前 4090 标价为 0.69 美元/小时\n", GT_OK, NULL, MD},
    {"in a paragraph of HTML", "extract = auto", "<!doctype html><body><h1>Rent</h1><p>We are a GPU cloud with instances on demand, billing by the second. The H100 starts at $2.30 per hour on demand. Ask us for more of them at any time.</p>",
     "label=H100; variant=Rent; price=The H100 starts at $2.30 per hour on demand\n", GT_OK, NULL, NULL},
    {"a list beside a table, with the term that leads to it", "extract = auto", RENT TABLE "The 12-month reserved rates are:\n\n- H100: $1.70/hr\n- A40: $0.30/hr\n",
     TOLD "label=H100; plan=The 12-month reserved rates are; price=H100: $1.70/hr{The 12-month reserved rates are}\n"
     "label=A40; plan=The 12-month reserved rates are; price=A40: $0.30/hr{The 12-month reserved rates are}\n", GT_OK, NULL, MD},
    {"a part of a card, which costs less than any", "extract = auto", RENT "* NVIDIA L40S\n\n* 6 GB VRAM\n\nfrom monthly\n\n19.90 €\n\n* NVIDIA L40S\n\n* 48 GB VRAM\n\nfrom monthly\n\n549.90 €\n",
     "label=NVIDIA L40S; variant=6 GB VRAM; price=19.90 €{from monthly}\nlabel=NVIDIA L40S; variant=48 GB VRAM; price=549.90 €{from monthly}\n", GT_OK, NULL, MD},
    {"a whole card for less than any costs", "extract = auto", RENT "* NVIDIA L40S\n\n* 48 GB VRAM\n\nfrom monthly\n\n19.90 €\n\n* NVIDIA L40S\n\n* 48 GB VRAM\n\nfrom monthly\n\n549.90 €\n",
     "label=NVIDIA L40S; variant=48 GB VRAM; price=549.90 €{from monthly}\n", GT_OK, NULL, MD},
    {"a list that says a table's prices again", "extract = auto", RENT TABLE "- H100: $2.10/hr\n- A40: $0.40/hr\n", TOLD, GT_OK, NULL, MD},
    {"a sentence about a card of the table", "extract = auto", RENT TABLE "Elsewhere in town the H100 starts at $9.90 per hour. The H100 is $8.00 per hour at others.\n",
     TOLD, GT_OK, NULL, MD},
    {"a sentence in another currency than the table's", "extract = auto", RENT TABLE "The site of another seller lists the H100 from 1.90 EUR per hour, as of this very morning.\n",
     TOLD "label=H100; price=The site of another seller lists the H100 from 1.90 EUR per hour\n", GT_OK, NULL, MD},
    {"several cards before one amount", NONE("The L40S, the H100, and all that is like them start at $2.30 per hour in every place.\n")},
    {"a range", NONE("An H100 at a specialist for such cards runs from $1.99 to $3.50 per hour these days.\n")},
    {"the market", NONE("The H100 starts at $2.30 per hour on the market of private hosts, as far as we see.\n")},
    {"a memory of last year", NONE("The H100 was rented from $4.30 per hour last year, when there were few of them.\n")},
    {"a forecast", NONE("Analysts expect that the H100 starts at $1.60 per hour by the end of the coming year.\n")},
    {"an expense", NONE("The A100 runs cost us $1.35 per hour, and nothing else was to be had in that month.\n")},
    {"a purchase", NONE("Whoever would buy the H100 pays from $787.50 per month until all of it is paid off.\n")},
    {"what running it costs", NONE("An H100 under full load needs 700 W, which costs $0.09 per hour where we happen to live.\n")},
    {"an amount for no time", NONE("The H100 starts at $2,300 in the shop around the corner, and there are many of them.\n")},
    {"a card behind the amount of something else", NONE("Disks start at $0.10 per hour, the H100 and its friends on request from our people.\n")},
    {"a page that speaks more of buying", "extract = auto",
     "Add to cart. Free shipping, warranty, checkout. Retail price.\n\nThe H100 starts at $787.50 per month with our own card for loyal people.\n", NULL, GT_ENOROWS, NULL, MD},
};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(CASES, check_page);
}
