#include <stdio.h>
#include <string.h>

#include "core/codec/row_read.h"

enum { NUMBER_MAX = 9999, COUNT_MAX = 99 };

const char *const FILTER_KEYS[] = {"kinds",     "place",     "slot",      "size",      "item",
                                   "tag",       "trait",     "value_min", "value_max", "name",
                                   "level_max", "bonus_max", "bonus_min", "tags",      "side",
                                   "attached",  "any_of",    NULL};

static const char *const AMOUNT_KEYS[] = {"per",   "times", "plus", "cap",      "who",
                                          "trait", "cards", "half", "drawback", NULL};
static const char *const COST_KEYS[] = {"cards", "which", "whole_hand", "self", "levels", NULL};

static void read_kinds(struct reading *reading, const json_t *list, struct filter *filter)
{
    if (list == NULL) {
        return;
    }
    if (!json_is_array(list) || json_array_size(list) == 0) {
        reading_wrong(reading, "kinds", "a list of kinds", list);
        return;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        unsigned kind = 0;
        if (reading_word_value(reading, "kinds", json_array_get(list, i), WORDS_KIND, &kind)) {
            filter->kinds |= 1u << kind;
        }
    }
}

static void read_filter_words(struct reading *reading, const json_t *value, struct filter *filter)
{
    unsigned word = 0;
    if (reading_word(reading, value, "place", WORDS_PLACE, &word)) {
        filter->place = (uint8_t)word;
    }
    if (reading_word(reading, value, "slot", WORDS_SLOT, &word)) {
        filter->slot = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "size", WORDS_SIZE, &word)) {
        filter->size = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "item", WORDS_ITEM, &word)) {
        filter->item = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "side", WORDS_SIDE, &word)) {
        filter->side = (uint8_t)(word + 1);
    }
    if (reading_word(reading, value, "attached", WORDS_ATTACHED, &word)) {
        filter->attached = (uint8_t)(word + 1);
    }
    uint8_t number = 0;
    if (reading_tag(reading, value, "tag", &number)) {
        filter->tags |= (uint64_t)1 << number;
    }
    if (reading_trait(reading, value, "trait", &number)) {
        filter->trait = (uint8_t)(number + 1);
    }
    uint16_t name = 0;
    if (reading_name(reading, value, "name", &name)) {
        filter->name = (uint16_t)(name + 1);
    }
}

static void read_tags(struct reading *reading, const json_t *list, struct filter *filter)
{
    if (list != NULL && (!json_is_array(list) || json_array_size(list) == 0)) {
        reading_wrong(reading, "tags", "a list of tags, all of which it has", list);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        uint8_t number = tag != NULL ? catalog_find_tag(reading->catalog, tag) : (uint8_t)NO_TAG;
        if (number == NO_TAG) {
            reading_wrong(reading, "tags", "a tag of some card", json_array_get(list, i));
        } else {
            filter->tags |= (uint64_t)1 << number;
        }
    }
}

/** What one object says, any_of apart. */
static uint16_t read_plain(struct reading *reading, const char *key, const json_t *value)
{
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "an object that says which cards", value);
        return 0;
    }
    if (reading->catalog->n.filters == CATALOG_FILTERS) {
        reading_fail(reading, key, "the sets say more often which cards are meant than fits");
        return 0;
    }
    size_t mark = reading_enter(reading, key != NULL ? key : "", 0);
    struct filter filter = {0};
    reading_keys(reading, value, FILTER_KEYS);
    read_tags(reading, json_object_get(value, "tags"), &filter);
    read_kinds(reading, json_object_get(value, "kinds"), &filter);
    read_filter_words(reading, value, &filter);
    int number = 0;
    if (reading_int(reading, value, "value_min", 1, INT16_MAX, &number)) {
        filter.value_min = (int16_t)number;
    }
    if (reading_int(reading, value, "value_max", 1, INT16_MAX, &number)) {
        filter.value_max = (int16_t)number;
    }
    if (filter.value_max != 0 && filter.value_min > filter.value_max) {
        reading_fail(reading, "value_min", "expected at most value_max, %d, found %d",
                     filter.value_max, filter.value_min);
    }
    if (reading_int(reading, value, "bonus_min", 1, COUNT_MAX, &number)) {
        filter.bonus_min = (int16_t)number;
    }
    if (reading_int(reading, value, "bonus_max", 0, COUNT_MAX, &number)) {
        filter.bonus_below = (int16_t)(number + 1);
    }
    if (filter.bonus_below != 0 && filter.bonus_min >= filter.bonus_below) {
        reading_fail(reading, "bonus_min", "expected at most bonus_max, %d, found %d",
                     filter.bonus_below - 1, filter.bonus_min);
    }
    if (reading_int(reading, value, "level_max", 1, COUNT_MAX, &number)) {
        filter.level_max = (int16_t)number;
    }
    reading_leave(reading, mark);
    reading->catalog->filters[reading->catalog->n.filters++] = filter;
    return reading->catalog->n.filters;
}

/** One of several filters: the first of them, which leads to the others. */
static uint16_t read_any_of(struct reading *reading, const json_t *value)
{
    static const char *const KEYS[] = {"any_of", NULL};
    const json_t *list = json_object_get(value, "any_of");
    uint16_t first = 0;
    uint16_t last = 0;
    reading_keys(reading, value, KEYS);
    if (!json_is_array(list) || json_array_size(list) < 2 || json_array_size(list) > 8) {
        reading_wrong(reading, "any_of", "a list of 2 to 8 objects that say which cards", list);
        return 0;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        size_t mark = reading_enter(reading, "any_of", i + 1);
        if (json_object_get(one, "any_of") != NULL) {
            reading_fail(reading, "any_of", "expected it once, found one within another");
        }
        uint16_t index =
            json_object_get(one, "any_of") == NULL ? read_plain(reading, NULL, one) : (uint16_t)0;
        reading_leave(reading, mark);
        if (index == 0) {
            return 0;
        }
        if (last != 0) {
            reading->catalog->filters[last - 1].or_else = index;
        }
        first = first == 0 ? index : first;
        last = index;
    }
    return first;
}

uint16_t filter_read(struct reading *reading, const char *key, const json_t *value)
{
    if (json_object_get(value, "any_of") == NULL) {
        return read_plain(reading, key, value);
    }
    const size_t mark = reading_enter(reading, key != NULL ? key : "", 0);
    const uint16_t first = read_any_of(reading, value);
    reading_leave(reading, mark);
    return first;
}

bool filter_looks_into_hand(const struct catalog *catalog, unsigned filter)
{
    bool looks = filter == 0;
    while (filter != 0 && !looks) {
        const struct filter *const at = &catalog->filters[filter - 1];
        looks = at->place == PLACE_OWN || at->place == PLACE_HAND;
        filter = at->or_else;
    }
    return looks;
}

// What always counts stands in sums that all see. How many cards somebody holds all see, too.
static void refuse_unseen(struct reading *reading, const json_t *cards, const struct amount *amount)
{
    const bool all = amount->source == SRC_CARDS && json_object_size(cards) == 1 &&
                     json_object_get(cards, "place") != NULL;
    if (reading->when == WHEN_STATIC && !all &&
        filter_looks_into_hand(reading->catalog, amount->arg)) {
        reading_fail(reading, "cards", "expected a \"place\" that all see, such as \"table\"");
    }
}

// What the source counts, if it has to be told.
static void read_amount_arg(struct reading *reading, const json_t *value, struct amount *out)
{
    uint8_t trait = 0;
    const json_t *cards = json_object_get(value, "cards");
    bool has_trait = reading_trait(reading, value, "trait", &trait);
    if (out->source == SRC_TRAIT) {
        out->arg = trait;
        if (!has_trait && json_object_get(value, "trait") == NULL) {
            reading_fail(reading, "trait", "expected the name of a trait, found nothing");
        }
    } else if (json_object_get(value, "trait") != NULL) {
        reading_fail(reading, "trait", "expected nothing: only \"per\": \"trait\" has it");
    }
    bool wants = out->source == SRC_CARDS || out->source == SRC_ONES || out->source == SRC_BONUSES;
    if (cards != NULL && !wants && out->source != SRC_BONUS) {
        reading_fail(reading, "cards",
                     "expected nothing: only \"per\": \"cards\", \"ones\" and \"bonus\" have it");
    } else if (cards != NULL) {
        out->arg = filter_read(reading, "cards", cards);
        refuse_unseen(reading, cards, out);
    } else if (wants) {
        reading_fail(reading, "cards", "expected an object that says which cards, found nothing");
    }
}

void amount_read(struct reading *reading, const char *key, const json_t *value, struct amount *out)
{
    *out = (struct amount){0};
    if (json_is_integer(value) && json_integer_value(value) >= -NUMBER_MAX &&
        json_integer_value(value) <= NUMBER_MAX) {
        out->base = (int16_t)json_integer_value(value);
        return;
    }
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "a whole number from -9999 to 9999, or an object with \"per\"",
                      value);
        return;
    }
    size_t mark = reading_enter(reading, key, 0);
    reading_keys(reading, value, AMOUNT_KEYS);
    unsigned word = 0;
    if (reading_word(reading, value, "per", WORDS_SOURCE, &word)) {
        out->source = (uint8_t)word;
        read_amount_arg(reading, value, out);
    } else if (json_object_get(value, "per") == NULL) {
        reading_fail(reading, "per", "expected a source word, found nothing");
    }
    if (reading_word(reading, value, "who", WORDS_SELECTOR, &word)) {
        out->who = (uint8_t)word;
    }
    int number = 1;
    reading_int(reading, value, "times", -NUMBER_MAX, NUMBER_MAX, &number);
    out->k = (int16_t)number;
    number = 0;
    reading_int(reading, value, "plus", -NUMBER_MAX, NUMBER_MAX, &number);
    out->base = (int16_t)number;
    reading_bool(reading, value, "half", &out->half);
    reading_bool(reading, value, "drawback", &out->drawback);
    if (out->drawback && out->source != SRC_TRAIT) {
        reading_fail(reading, "drawback", "expected nothing: only \"per\": \"trait\" has it");
    }
    number = 0;
    reading_int(reading, value, "cap", 1, NUMBER_MAX, &number);
    out->cap = (int16_t)number;
    reading_leave(reading, mark);
}

static void read_cost_cards(struct reading *reading, const json_t *value, struct cost *cost)
{
    const json_t *cards = json_object_get(value, "cards");
    if (cards == NULL) {
        return;
    }
    const json_t *low = json_is_array(cards) ? json_array_get(cards, 0) : cards;
    const json_t *high = json_is_array(cards) ? json_array_get(cards, 1) : cards;
    if ((json_is_array(cards) && json_array_size(cards) != 2) || !json_is_integer(low) ||
        !json_is_integer(high) || json_integer_value(low) < 0 ||
        json_integer_value(high) < json_integer_value(low) || json_integer_value(high) < 1 ||
        json_integer_value(high) > COUNT_MAX) {
        reading_wrong(reading, "cards", "a number from 1 to 99, or [least, most]", cards);
        return;
    }
    cost->min = (uint8_t)json_integer_value(low);
    cost->max = (uint8_t)json_integer_value(high);
}

uint16_t cost_read(struct reading *reading, const char *key, const json_t *value)
{
    if (!json_is_object(value)) {
        reading_wrong(reading, key, "an object that says what is paid", value);
        return 0;
    }
    if (reading->catalog->n.costs == CATALOG_COSTS) {
        reading_fail(reading, key, "the sets hold more costs than fit");
        return 0;
    }
    size_t mark = reading_enter(reading, key, 0);
    struct cost cost = {0};
    reading_keys(reading, value, COST_KEYS);
    read_cost_cards(reading, value, &cost);
    reading_bool(reading, value, "whole_hand", &cost.whole_hand);
    reading_bool(reading, value, "self", &cost.self);
    if (!cost.whole_hand && cost.max > MB_LIST_MAX) {
        reading_misfit(reading, "cards", "expected at most %d cards to be named (MB_LIST_MAX)",
                       MB_LIST_MAX);
    }
    int levels = 0;
    reading_int(reading, value, "levels", 1, 9, &levels);
    cost.levels = (int16_t)levels;
    const json_t *which = json_object_get(value, "which");
    if (which != NULL) {
        cost.filter = filter_read(reading, "which", which);
    }
    if (json_object_get(value, "cards") == NULL && !cost.whole_hand && !cost.self && levels == 0) {
        reading_fail(reading, NULL,
                     "expected what is paid: cards, whole_hand, self or levels, found none");
    }
    reading_leave(reading, mark);
    reading->catalog->costs[reading->catalog->n.costs++] = cost;
    return reading->catalog->n.costs;
}
