/* Comparison classes: what may be compared with what. */
#include "pricing/compare_class.h"

#include "tests/unit/pricing/build.h"

struct class_case {
    const char *name;
    void (*build)(struct built *built);
    const char *persona;
    const char *key;
};

static void container(struct built *built)
{
    build_offer(built, "NVIDIA 4090 容器云", "NVIDIA-RTX-4090", 1);
    built->offer.attributes.vram_gb = 24;
    built->offer.attributes.tier = TIER_ON_DEMAND;
    build_hour(built, "1.96", ROLE_LIST);
}

static void node(struct built *built)
{
    container(built);
    built->offer.attributes.cards = 8;
    built->offer.attributes.delivery = DELIVERY_BARE_METAL;
}

static void least(struct built *built)
{
    container(built);
    built->offer.attributes.min_cards = 8;
}

static void cluster(struct built *built)
{
    node(built);
    built->offer.attributes.min_cards = 64;
    built->offer.attributes.fabric_gbps = 400;
}

static void with_spot(struct built *built)
{
    container(built);
    build_hour(built, "1.19", ROLE_SPOT);
}

static void unknown_terms(struct built *built)
{
    build_offer(built, "T4", "NVIDIA-T4", 0);
    built->offer.attributes.delivery = DELIVERY_UNKNOWN;
    built->offer.attributes.includes = INCLUDES_GPU_ONLY;
    built->offer.attributes.market = MARKET_OVERSEAS;
}

static void family(struct built *built)
{
    container(built);
    built->offer.identity.label = GT_STR("NVIDIA A100 / X");
    built->offer.attributes.sku_status = SKU_FAMILY;
    strcpy(built->offer.attributes.sku, "NVIDIA-A100");
    built->offer.attributes.vram_gb = 0;
}

static void unmapped(struct built *built)
{
    container(built);
    built->offer.identity.label = GT_STR("神秘卡 X1");
    built->offer.attributes.sku_status = SKU_UNMAPPED;
    built->offer.attributes.sku[0] = '\0';
    built->offer.attributes.vram_gb = 0;
}

static const struct class_case classes[] = {
    {"a card in a container", container, "", "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole"},
    {"by the hour is another class", container, "pay=hour", "NVIDIA-RTX-4090/24G/container/on-demand/hour/one/domestic/whole"},
    {"by the year too", container, "pay=year", "NVIDIA-RTX-4090/24G/container/on-demand/year/one/domestic/whole"},
    {"a node", node, "", "NVIDIA-RTX-4090/24G/bare-metal/on-demand/month/node/domestic/whole"},
    {"eight cards at least are like a node", least, "", "NVIDIA-RTX-4090/24G/container/on-demand/month/node/domestic/whole"},
    {"above a node the fabric counts", cluster, "",
     "NVIDIA-RTX-4090/24G/bare-metal/on-demand/month/node/domestic/whole/fabric-400"},
    {"and when more than a node is wanted", node, "cards=16",
     "NVIDIA-RTX-4090/24G/bare-metal/on-demand/month/node/domestic/whole/fabric-0"},
    {"spot for who takes it", with_spot, "spot", "NVIDIA-RTX-4090/24G/container/spot/month/one/domestic/whole"},
    {"not for the others", with_spot, "", "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole"},
    {"no spot price, no spot class", container, "spot", "NVIDIA-RTX-4090/24G/container/on-demand/month/one/domestic/whole"},
    {"what is not known is a word of its own", unknown_terms, "", "NVIDIA-T4/?G/unknown/unknown/month/one/overseas/gpu-only"},
    {"a family is in its label's class", family, "", "?nvidia_a100___x/?G/container/on-demand/month/one/domestic/whole"},
    {"an unknown card too", unmapped, "", "?神秘卡_x1/?G/container/on-demand/month/one/domestic/whole"},
};

static void check_class(void **state)
{
    const struct class_case *row = *state;
    struct arena *arena = arena_new(BUILD_ARENA_BYTES);
    struct built built;
    struct persona persona;
    row->build(&built);
    assert_int_equal(persona_read(gt_str_from(row->persona), &persona, NULL), GT_OK);
    assert_str(compare_class(&built.offer, &persona, arena), row->key);
    arena_free(arena);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return TABLE_RUN(classes, check_class);
}
