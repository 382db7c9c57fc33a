// What a row or a cost takes from somebody, in words.
#include "core/codec/prose.h"

static const struct filter *filter_at(const struct prose *prose, unsigned index)
{
    static const struct filter ANY = {0};
    return index != 0 ? &prose->catalog->filters[index - 1] : &ANY;
}

void prose_cards(struct prose *prose, const struct amount *amount, unsigned filter,
                 const char *middle)
{
    if (amount->source == SRC_CONST && amount->base == 0) {
        const bool hand = filter != 0 && filter_at(prose, filter)->place == PLACE_HAND;
        prose_add(prose, hand ? "all " : "all %s ", prose->own);
        prose_filter(prose, filter, true, middle);
    } else if (amount->source == SRC_CONST) {
        prose_add(prose, "%d ", amount->base);
        prose_filter(prose, filter, amount->base != 1, middle);
    } else {
        char one[200] = "";
        char many[200] = "";
        struct prose part = {.catalog = prose->catalog,
                             .out = one,
                             .size = sizeof one,
                             .own = prose->own,
                             .taken = prose->taken};
        prose_filter(&part, filter, false, middle);
        part.out = many;
        part.length = 0;
        prose_filter(&part, filter, true, middle);
        prose_number(prose, amount, 1, one, many);
    }
}

// "every Class and Race you have", "your whole hand", "all your Items".
static void add_all(struct prose *prose, const struct row *row)
{
    const struct filter *filter = filter_at(prose, row->filter);
    const char *and = "every ";
    if (filter->place == PLACE_HAND && filter->kinds == 0 && filter->item == 0) {
        prose_add(prose, "%s whole hand", prose->own);
        return;
    }
    if (filter->kinds == 0 || filter->place != PLACE_TABLE) {
        prose_add(prose, filter->place == PLACE_HAND ? "all " : "all %s ", prose->own);
        prose_filter(prose, row->filter, true, "");
        return;
    }
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        if ((filter->kinds >> kind & 1u) != 0) {
            prose_add(prose, "%s%s", and, phrase_kind(kind, false));
            and = " and ";
        }
    }
    prose_add(prose, " %s have", row->who == WHO_SELF ? "you" : "they");
}

// " of your choice" and its like, as it stands between what is lost and where it lay.
static const char *middle_of(const struct prose *prose, const struct row *row)
{
    static const char *const OTHERS[CHOOSER_TOTAL] = {
        [CHOOSE_PLAYER] = " that the player of this card chooses",
        [CHOOSE_NEIGHBOURS] = " chosen by the players to the left and right",
        [CHOOSE_LEFT] = " that the player to the left chooses",
    };
    if (row->chooser == CHOOSE_VICTIM) {
        return prose->own[0] == 'y' ? " of your choice" : " of their choice";
    }
    return OTHERS[row->chooser] != NULL ? OTHERS[row->chooser] : "";
}

void prose_loss(struct prose *prose, const struct row *row)
{
    const struct filter *filter = filter_at(prose, row->filter);
    const bool one = row->n.source == SRC_CONST && row->n.base == 1;
    if (row->n.source == SRC_CONST && row->n.base == 0) {
        add_all(prose, row);
    } else if (row->chooser == CHOOSE_BEST_BONUS && one) {
        prose_add(prose, "the ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, " with %s biggest bonus", prose->own);
    } else if (row->chooser == CHOOSE_BEST_VALUE && one) {
        prose_add(prose, "%s ", prose->own);
        prose_filter(prose, row->filter, false, " of the greatest value");
    } else if (one && filter->name != 0 && filter->or_else == 0) {
        prose_filter(prose, row->filter, false, "");
    } else if (one && filter->place == PLACE_EQUIPPED && filter->slot != 0) {
        prose_add(prose, "the ");
        prose_filter(prose, row->filter, false, "");
        prose_add(prose, prose->own[0] == 'y' ? " you are wearing" : " they are wearing");
    } else if (row->chooser == CHOOSE_RANDOM && row->n.source == SRC_CONST) {
        prose_add(prose, "%d random ", row->n.base);
        prose_filter(prose, row->filter, !one, "");
    } else {
        prose_cards(prose, &row->n, row->filter, middle_of(prose, row));
    }
}

void prose_cost(struct prose *prose, unsigned cost_index)
{
    const struct cost *cost = &prose->catalog->costs[cost_index - 1];
    const char *and = "";
    if (cost->whole_hand) {
        prose_add(prose, "discard your whole hand");
        if (cost->min > 1) {
            prose_add(prose, ", at least %u cards", cost->min);
        }
        and = " and ";
    } else if (cost->max > 0) {
        prose_add(prose, cost->min == cost->max ? "discard %u " : "discard up to %u ", cost->max);
        prose_filter(prose, cost->filter, cost->max != 1, "");
        and = " and ";
    }
    if (cost->self) {
        prose_add(prose, "%sdiscard this", and);
        and = " and ";
    }
    if (cost->levels > 0) {
        prose_add(prose, "%slose %d %s", and, cost->levels, cost->levels == 1 ? "Level" : "Levels");
    }
}
