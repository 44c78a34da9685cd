/* Names as people say them: 4090 for NVIDIA-RTX-4090, 极智算 for "JYGPU 极智算", words for a class key. */
#ifndef GT_REPORTS_NAME_H
#define GT_REPORTS_NAME_H

#include "pricing/persona.h"
#include "reports/labels.h"
#include "store/store.h"

/* Pieces of a comparison class key; empty where the key has none. Borrowed from the key. */
struct class_pieces {
    struct gt_str sku, vram, delivery, tier, term, min_cards, market, includes, fabric;
};

/* Takes a class key apart. False when it has fewer than eight pieces (a class of its label's own). */
bool name_class_split(struct gt_str class, struct class_pieces *ret_pieces);

/* "NVIDIA-RTX-4090/24G/container/…" as "4090 24G · 容器 · 按量 · 包月 · 单卡 · 国内". Of a class of its label's own the label; other
 * keys come back as they are. In the arena. */
struct gt_str name_class(struct gt_str class, enum gt_lang lang, struct arena *arena);

/* The short name of a card: without vendor, RTX of a GeForce number, and VRAM: "4090", "910B", "H20", "A100-SXM4". Borrowed
 * from `sku`. */
struct gt_str name_card(struct gt_str sku);

/* What one calls an offer's card: its short name, else the printed label. Borrowed. */
struct gt_str name_offer_card(const struct offer *offer);

/* The short name of a site: of a title in two scripts ("JYGPU 极智算") the part that the language reads; the site's name when
 * there is no title. */
struct gt_str name_site(const struct board_row *row, enum gt_lang lang);
struct gt_str name_site_title(struct gt_str title, struct gt_str site, enum gt_lang lang);

/* The printed words of an offer in one line: label, plan, region, variant. In the arena. */
struct gt_str name_offer(const struct offer_identity *identity, struct arena *arena);

/* The persona in words: "月付·普通客户·无抢占". In the arena. */
struct gt_str name_persona(const struct persona *persona, enum gt_lang lang, struct arena *arena);

/* 北京时间 for UTC+8, else "UTC+01:00". In the arena. */
struct gt_str name_zone(int32_t zone_offset_s, enum gt_lang lang, struct arena *arena);

/* 人民币 for CNY; codes without a word come back as they are. Borrowed from `currency` or static. */
struct gt_str name_currency(const struct currency *currency, enum gt_lang lang);

#endif
