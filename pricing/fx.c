#include "pricing/fx.h"

enum { STEPS_OF_A_UNIT = 10000, CODE_LEN = 3 };

/* A rate of nothing is a reading that failed; dividing by it later would be worse than a missing way. */
enum gt_err fx_table_add(struct fx_table *table, const struct fx_rate *rate, struct arena *arena)
{
    if (rate->rate_nano <= 0) return GT_OK;
    if (table->count >= FX_RATES_MAX) return GT_ELIMIT;
    if (table->rates == NULL) table->rates = arena_array(arena, FX_RATES_MAX, sizeof *table->rates);
    if (table->rates == NULL) return GT_ENOMEM;
    table->rates[table->count++] = *rate;
    return GT_OK;
}

/* Three letters, as ISO 4217 has them. */
static bool is_code(struct gt_str text)
{
    if (text.len != CODE_LEN) return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < 'A' || text.ptr[i] > 'Z') return false;
    return true;
}

/* "2026-09-18". */
static bool is_day(struct gt_str text)
{
    static const char shape[] = "dddd-dd-dd";
    if (text.len != sizeof shape - 1) return false;
    for (size_t i = 0; i < text.len; i++)
        if (shape[i] == 'd' ? text.ptr[i] < '0' || text.ptr[i] > '9' : text.ptr[i] != shape[i]) return false;
    return true;
}

/* A rate without the day on which it held is refused: nobody could tell how old the converted figures are. */
enum gt_err fx_table_read(const struct conf_section *section, struct arena *arena, struct fx_table *table, struct gt_errinfo *info)
{
    const struct conf_value *value;
    const struct gt_str prefix = GT_STR("rate.");
    if (section == NULL) return GT_OK;
    struct gt_str base = conf_text(section, "base");
    if (!is_code(base)) return conf_fail(conf_get(section, "base"), info, "takes a currency code such as CNY");
    for (size_t i = 0; (value = conf_at(section, i)) != NULL; i++) {
        if (!gt_str_starts(value->name, prefix)) continue;
        struct gt_str code = gt_str_slice(value->name, prefix.len, SIZE_MAX), rest = value->text, amount;
        struct fx_rate rate = {.one = currency_from(code), .many = currency_from(base), .source = GT_STR("sites.conf")};
        bool is_good = is_code(code) && gt_str_split(&rest, ' ', &amount) && money_parse(amount, &rate.rate_nano) == GT_OK && rate.rate_nano > 0;
        rate.day = gt_str_trim(rest);
        if (!is_good || !is_day(rate.day)) return conf_fail(value, info, "takes `7.10 2026-09-18`: units of base for one, and the day that was true");
        enum gt_err err = fx_table_add(table, &rate, arena);
        if (err != GT_OK) return gt_fail(info, err, "%s:%d: %s", value->file, value->line, gt_err_text(err));
    }
    return GT_OK;
}

/* True when the rate leads from `from`; its other side, and whether it is read backwards. */
static bool leads_from(const struct fx_rate *rate, struct currency from, struct currency *ret_to, bool *ret_is_inverse)
{
    *ret_is_inverse = currency_eq(rate->many, from);
    *ret_to = *ret_is_inverse ? rate->one : rate->many;
    return *ret_is_inverse || currency_eq(rate->one, from);
}

/* The second step of a way whose first is rates[first]: a rate of the same source from `middle` to `to`. */
static bool step_find(const struct fx_table *table, size_t first, struct currency middle, struct currency to, struct fx_path *path)
{
    struct currency end;
    for (size_t i = 0; i < table->count; i++) {
        const struct fx_rate *rate = &table->rates[i];
        if (i == first || !gt_str_eq(rate->source, table->rates[first].source)) continue;
        if (!leads_from(rate, middle, &end, &path->is_inverse[1]) || !currency_eq(end, to)) continue;
        path->rates[1] = rate;
        path->count = FX_STEPS_MAX;
        return true;
    }
    return false;
}

/* The first way found is taken: fetched rates stand before configured ones in the table. At most two steps, both of one source: rates of two
 * days in one way would agree with neither. */
bool fx_path_find(const struct fx_table *table, struct currency from, struct currency to, struct fx_path *ret_path)
{
    struct fx_path path = {0};
    struct currency end;
    bool is_found = currency_eq(from, to);
    for (size_t i = 0; i < table->count && !is_found; i++) {
        if (!leads_from(&table->rates[i], from, &end, &path.is_inverse[0])) continue;
        path.rates[0] = &table->rates[i];
        path.count = 1;
        is_found = currency_eq(end, to) || step_find(table, i, end, to, &path);
    }
    if (is_found) *ret_path = path;
    return is_found;
}

/* To the ten-thousandth, at the end only: it is a figure to compare by, and is never stored. */
enum gt_err fx_path_convert(const struct fx_path *path, int64_t amount_nano, int64_t *ret_nano)
{
    int64_t amount = amount_nano;
    for (size_t i = 0; i < path->count; i++) {
        int64_t rate = path->rates[i]->rate_nano;
        bool is_inverse = path->is_inverse[i];
        enum gt_err err = money_scale(amount, is_inverse ? NANO : rate, is_inverse ? rate : NANO, ROUND_HALF_UP, &amount);
        if (err != GT_OK) return err;
    }
    if (path->count > 0) return money_round(amount, NANO / STEPS_OF_A_UNIT, ROUND_HALF_UP, ret_nano);
    *ret_nano = amount;
    return GT_OK;
}
