#include "crawler/jail_message.h"

#include <limits.h>

enum { CONFIDENCE_MAX = 1000, REFUSED_MAX = LISTINGS_MAX, OFFERS_MAX = INT_MAX };

/* ---- requests ---- */

/* Numbers and lengths, no structs: the two sides share code but must not share what a damaged pointer means. */
void jail_request_put(struct wire_writer *writer, const struct jail_request *request)
{
    wire_put_number(writer, request->job);
    wire_put_number(writer, request->rules);
    wire_put_number(writer, request->status > 0 ? (uint64_t)request->status : 0);
    wire_put_number(writer, request->is_length_known);
    wire_put_number(writer, request->is_followed);
    wire_put_bytes(writer, request->url);
    wire_put_bytes(writer, request->head);
    wire_put_bytes(writer, request->word);
    wire_put_bytes(writer, request->section);
    wire_put_bytes(writer, request->body);
}

/* Each field with its limit, and nothing left over: also this side is read as if a stranger had written it. */
bool jail_request_get(struct gt_str bytes, struct jail_request *ret_request)
{
    struct wire_reader reader = {.rest = bytes};
    ret_request->job = (enum jail_job)wire_get_number(&reader, JAIL_JOBS - 1);
    ret_request->rules = wire_get_number(&reader, JAIL_RULES_MAX);
    ret_request->status = (int32_t)wire_get_number(&reader, INT32_MAX);
    ret_request->is_length_known = wire_get_flag(&reader);
    ret_request->is_followed = wire_get_flag(&reader);
    ret_request->url = wire_get_bytes(&reader, WIRE_TEXT_BYTES_MAX);
    ret_request->head = wire_get_bytes(&reader, JAIL_HEAD_BYTES_MAX);
    ret_request->word = wire_get_bytes(&reader, WIRE_TEXT_BYTES_MAX);
    ret_request->section = wire_get_bytes(&reader, WIRE_TEXT_BYTES_MAX);
    ret_request->body = wire_get_bytes(&reader, PAGE_BYTES_MAX);
    return wire_is_done(&reader);
}

/* ---- listings ---- */

/* Names, headings and rules are those of the row above, mostly: a bit says so, and the text stays at home. */
enum { SAME_NAME = 1, SAME_HEADER = 2, SAME_RULE = 4, SAME_ALL = 7 };

/* By address: a text that is equal but stands elsewhere is sent again. */
static bool is_same_text(struct gt_str a, struct gt_str b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

/* `above` is the field at this place in the row before; NULL: there is none. */
static void put_field(struct wire_writer *writer, const struct listing_field *field, const struct listing_field *above)
{
    uint32_t same = 0;
    if (above != NULL && is_same_text(field->name, above->name)) same |= SAME_NAME;
    if (above != NULL && is_same_text(field->header, above->header)) same |= SAME_HEADER;
    if (above != NULL && is_same_text(field->rule, above->rule)) same |= SAME_RULE;
    wire_put_number(writer, same);
    wire_put_text(writer, field->text);
    if ((same & SAME_NAME) == 0) wire_put_text(writer, field->name);
    if ((same & SAME_HEADER) == 0) wire_put_text(writer, field->header);
    if ((same & SAME_RULE) == 0) wire_put_text(writer, field->rule);
}

static void get_field(struct wire_reader *reader, const struct listing_field *above, struct listing_field *ret)
{
    uint32_t same = wire_get_number(reader, above != NULL ? SAME_ALL : 0);
    ret->text = wire_get_text(reader);
    ret->name = (same & SAME_NAME) != 0 ? above->name : wire_get_text(reader);
    ret->header = (same & SAME_HEADER) != 0 ? above->header : wire_get_text(reader);
    ret->rule = (same & SAME_RULE) != 0 ? above->rule : wire_get_text(reader);
}

/* The field of the row before at place i. */
static const struct listing_field *field_above(const struct listing *above, size_t i)
{
    return above != NULL && i < above->field_count ? &above->fields[i] : NULL;
}

static void put_listing(struct wire_writer *writer, const struct listing *listing, const struct listing *above)
{
    wire_put_number(writer, (uint32_t)listing->confidence_permille);
    wire_put_text(writer, listing->reasons);
    wire_put_number(writer, listing->field_count);
    for (size_t i = 0; i < listing->field_count && !writer->is_full; i++) put_field(writer, &listing->fields[i], field_above(above, i));
}

/* False when the arena is full; a bad reader is seen at the end. */
static bool get_listing(struct wire_reader *reader, struct arena *arena, const struct listing *above, struct listing *ret)
{
    ret->confidence_permille = (int32_t)wire_get_number(reader, CONFIDENCE_MAX);
    ret->reasons = wire_get_text(reader);
    ret->field_count = wire_get_number(reader, LISTING_FIELDS_MAX);
    struct listing_field *fields = arena_array(arena, ret->field_count, sizeof *fields);
    ret->fields = fields;
    for (size_t i = 0; fields != NULL && i < ret->field_count && !reader->is_bad; i++)
        get_field(reader, field_above(above, i), &fields[i]);
    return fields != NULL;
}

/* Rows are written with what differs from the row above: tables repeat their headings in every cell. */
static void put_extraction(struct wire_writer *writer, const struct extraction *found)
{
    wire_put_number(writer, found->rows_found);
    wire_put_number(writer, found->is_drifted);
    wire_put_number(writer, found->replaced_chars);
    wire_put_text(writer, found->extractor);
    wire_put_text(writer, found->charset);
    wire_put_number(writer, found->follow_count);
    for (size_t i = 0; i < found->follow_count; i++) wire_put_text(writer, found->follow[i]);
    wire_put_number(writer, found->refused_count);
    for (size_t i = 0; i < found->refused_count && !writer->is_full; i++) {
        wire_put_text(writer, found->refused[i].raw);
        wire_put_text(writer, found->refused[i].reason);
    }
    wire_put_number(writer, found->count);
    for (size_t i = 0; i < found->count && !writer->is_full; i++)
        put_listing(writer, &found->listings[i], i > 0 ? &found->listings[i - 1] : NULL);
}

/* The count is bounded before memory is taken for it. */
static bool get_refused(struct wire_reader *reader, struct arena *arena, struct extraction *ret)
{
    ret->refused_count = wire_get_number(reader, REFUSED_MAX);
    ret->refused = arena_array(arena, ret->refused_count, sizeof *ret->refused);
    for (size_t i = 0; ret->refused != NULL && i < ret->refused_count && !reader->is_bad; i++) {
        ret->refused[i].raw = wire_get_text(reader);
        ret->refused[i].reason = wire_get_text(reader);
    }
    return ret->refused != NULL;
}

/* False when the arena is full. */
static bool get_extraction(struct wire_reader *reader, struct arena *arena, struct extraction *ret)
{
    bool has_room = true;
    ret->rows_found = wire_get_number(reader, INT32_MAX);
    ret->is_drifted = wire_get_flag(reader);
    ret->replaced_chars = wire_get_number(reader, UINT32_MAX);
    ret->extractor = wire_get_text(reader);
    ret->charset = wire_get_text(reader);
    ret->follow_count = wire_get_number(reader, EXTRACT_FOLLOW_MAX);
    for (size_t i = 0; i < ret->follow_count; i++) ret->follow[i] = wire_get_text(reader);
    has_room = get_refused(reader, arena, ret);
    ret->count = wire_get_number(reader, LISTINGS_MAX);
    struct listing *listings = arena_array(arena, ret->count, sizeof *listings);
    ret->listings = listings;
    has_room = has_room && listings != NULL;
    for (size_t i = 0; has_room && i < ret->count && !reader->is_bad; i++)
        has_room = get_listing(reader, arena, i > 0 ? &listings[i - 1] : NULL, &listings[i]);
    return has_room;
}

/* ---- answers ---- */

/* Every answer has all fields, whatever was asked: one shape is one reader to get right. */
void jail_answer_put(struct wire_writer *writer, const struct jail_answer *answer)
{
    const struct page_verdict *verdict = &answer->verdict;
    wire_put_number(writer, answer->err);
    wire_put_text(writer, answer->message);
    wire_put_number(writer, verdict->status);
    wire_put_text(writer, verdict->reason);
    wire_put_number(writer, verdict->is_rowless);
    wire_put_text(writer, answer->proposal.rules);
    wire_put_number(writer, answer->proposal.is_auto);
    wire_put_number(writer, answer->proposal.offers);
    wire_put_text(writer, answer->proposal.title);
    wire_put_number(writer, answer->is_same);
    wire_put_number(writer, verdict->has_extraction);
    if (verdict->has_extraction) put_extraction(writer, &verdict->extraction);
}

enum gt_err jail_answer_get(struct gt_str bytes, struct arena *arena, struct jail_answer *ret_answer)
{
    struct wire_reader reader = {.rest = bytes};
    struct jail_answer answer = {.err = (enum gt_err)wire_get_number(&reader, GT_ERR_COUNT - 1)};
    struct page_verdict *verdict = &answer.verdict;
    bool has_room = true;
    answer.message = wire_get_text(&reader);
    verdict->status = (enum part_status)wire_get_number(&reader, STATUS_WORDS - 1);
    verdict->reason = wire_get_text(&reader);
    verdict->is_rowless = wire_get_flag(&reader);
    answer.proposal.rules = wire_get_text(&reader);
    answer.proposal.is_auto = wire_get_flag(&reader);
    answer.proposal.offers = wire_get_number(&reader, OFFERS_MAX);
    answer.proposal.title = wire_get_text(&reader);
    answer.is_same = wire_get_flag(&reader);
    verdict->has_extraction = wire_get_flag(&reader);
    if (verdict->has_extraction) has_room = get_extraction(&reader, arena, &verdict->extraction);
    if (!has_room && !reader.is_bad) return GT_ENOMEM;
    /* whether a page is as last time is decided before it is read, and a good page comes with what was read */
    bool is_sound = wire_is_done(&reader) && verdict->status != STATUS_UNCHANGED;
    if (!is_sound) return GT_EFORMAT;
    *ret_answer = answer;
    return GT_OK;
}
