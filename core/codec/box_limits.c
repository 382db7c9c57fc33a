#include "core/codec/box_limits.h"

#include "core/codec/row_check.h"

enum { WORDS_MAX = 64 };

/** What a lasting effect says: two that say the same of a seat can become one. */
struct saying {
    uint8_t op, until;
    int16_t arg;
    uint16_t filter;
};

struct tally {
    struct box_demand demand;
    unsigned play; /**< what one play or use adds at most */
    unsigned forced;
    unsigned rolled; /**< cards that texts at `rolled` draw, all of them at one die */
    unsigned saying_count;
    struct saying sayings[WORDS_MAX]; /**< what forced rows say; beyond it each counts by itself */
};

/** Whether rows of the trigger act without anybody's having played or used the card. */
static bool forced_at(unsigned when)
{
    return when != WHEN_STATIC && when != WHEN_PLAY && when != WHEN_ABILITY &&
           when != WHEN_BEFORE_ROLL && !when_answers(when);
}

/** Whether a text of the trigger waits for the next settling (core/work/trigger.h). */
static bool waits_at(unsigned when)
{
    switch ((enum trigger)when) {
    case WHEN_CARD_LOST:
    case WHEN_LEVEL_GAINED:
    case WHEN_OWN_KILL:
    case WHEN_HELPED_KILL:
    case WHEN_FIGHT_END:
    case WHEN_FIGHT_WON:
    case WHEN_TURN_END:
    case WHEN_DIES:
    case WHEN_SELLS:
        return true;
    default:
        return false;
    }
}

static bool leaves_cards_out(const struct row *row)
{
    const bool lasts = row->op == EFFECT_LASTING;
    const unsigned op = lasts ? (unsigned)row->a : row->op;
    const int what = lasts ? row->b : row->a;
    const bool out = op == EFFECT_EXCLUDE && (what == EX_ITEMS || what == EX_BONUSES);
    return row->filter != 0 && (out || (op == EFFECT_BARS && what == BAR_ITEMS));
}

/** Whether a forced row says something that none before it said. */
static bool says_more(struct tally *tally, const struct row *row)
{
    struct saying saying = {
        .op = row->op, .until = row->until, .arg = row->a, .filter = row->filter};
    if (row->op == EFFECT_LASTING) {
        saying.op = (uint8_t)row->a;
        saying.arg = row->b;
    }
    for (unsigned i = 0; i < tally->saying_count; i++) {
        const struct saying *const one = &tally->sayings[i];
        if (one->op == saying.op && one->until == saying.until && one->arg == saying.arg &&
            one->filter == saying.filter) {
            return false;
        }
    }
    if (tally->saying_count < WORDS_MAX) {
        tally->sayings[tally->saying_count++] = saying;
    }
    return true;
}

/** Whether each copy of the card makes an entry of its own: for its monster, or for the Monster
 * that comes along; a copied text may say so too. */
static bool says_by_copy(const struct row *row)
{
    return (row->op == EFFECT_LASTING && row->a == EFFECT_MONSTER_BONUS) ||
           (row->op == EFFECT_MOVE && row->b == GOAL_NEXT_FIGHT) || row->op == EFFECT_FOLLOW ||
           row->op == EFFECT_FIGHT_NEXT || row->op == EFFECT_COPY_FACE;
}

/** Whether a Monster comes along for each copy that is played or used. */
static bool sends_on(const struct row *row)
{
    return row->op == EFFECT_MOVE && row->b == GOAL_NEXT_FIGHT && !forced_at(row->when);
}

/** Entries that a forced row can make, beside those of rows before it. */
static unsigned forced_entries(struct tally *tally, const struct row *row, unsigned copies)
{
    const bool says =
        row->op == EFFECT_LASTING || row->op == EFFECT_REWARD || row->op == EFFECT_FIRST_PICK;
    const unsigned used = row->limit != SCOPE_NONE ? copies * MB_SEATS_MAX : 0;
    if (says_by_copy(row)) {
        return used + copies;
    }
    return used + (says && says_more(tally, row) ? MB_SEATS_MAX : 0);
}

/** Entries that a played or used row makes. */
static unsigned played_entries(const struct row *row)
{
    const bool lasts = row->op == EFFECT_LASTING || row->op == EFFECT_COPY_ABILITY;
    return (lasts ? MB_SEATS_MAX : 0u) + (row->op == EFFECT_REWARD) +
           (row->limit != SCOPE_NONE ? 1u : 0u);
}

/** Cards that a row draws at most; a number that can grow without a cap is more than any limit. */
static unsigned most_drawn(const struct row *row)
{
    const bool draws = row->op == EFFECT_DRAW || row->op == EFFECT_DRAW_HERE ||
                       row->op == EFFECT_TREASURE_FOR_DOOR;
    const int most = draws ? row_amount_most(&row->n) : 0;
    const unsigned each = most < 0 ? 0 : most > MB_CARDS_MAX ? MB_CARDS_MAX : (unsigned)most;
    return each * (row->who == WHO_SELF ? 1u : MB_SEATS_MAX);
}

/** Cards that a row brings as its own card is drawn: by drawing, or by a die at which others draw.
 */
static unsigned drawn_by(const struct tally *tally, const struct row *row)
{
    if (row->when != WHEN_DRAWN) {
        return 0;
    }
    return row->op == EFFECT_ROLL ? tally->rolled : most_drawn(row);
}

static void tally_row(struct tally *tally, const struct box *box, const struct card_def *def,
                      unsigned at, unsigned copies)
{
    const struct row *const rows = box_rows(box, def);
    const struct row *const row = &rows[at];
    struct box_demand *const demand = &tally->demand;
    bool first = true; // of its trigger
    unsigned played = 0;
    for (unsigned i = 0; i <= at; i++) {
        first = first && (i == at || rows[i].when != row->when);
        played +=
            rows[i].when == WHEN_STATIC || forced_at(rows[i].when) ? 0 : played_entries(&rows[i]);
    }
    demand->item_filters += leaves_cards_out(row);
    demand->texts += first && waits_at(row->when) ? copies : 0;
    demand->draws += drawn_by(tally, row) > 0 ? copies : 0;
    demand->drawn += copies * drawn_by(tally, row);
    tally->forced += forced_at(row->when) ? forced_entries(tally, row, copies) : 0;
    tally->forced += sends_on(row) ? copies : 0;
    tally->play = played > tally->play ? played : tally->play;
    demand->lasting = tally->forced + tally->play;
}

struct limit {
    unsigned count, most;
    const char *of, *name;
};

/** The limit that is passed; one without a name: none. */
static struct limit limit_passed(const struct box_demand *demand)
{
    const struct limit limits[] = {
        {demand->item_filters, MB_ITEM_FILTERS_MAX, "texts in all by which cards do not count",
         "MB_ITEM_FILTERS_MAX"},
        {demand->texts, MB_WAITING_TEXTS, "texts in all that may wait", "MB_WAITING_TEXTS"},
        {demand->draws, MB_DRAWS_MAX, "cards in all that draw as they are drawn", "MB_DRAWS_MAX"},
        {demand->drawn, MB_DRAWN_MAX, "cards in all that others bring as they are drawn",
         "MB_DRAWN_MAX"},
        {demand->lasting, MB_LASTING_SPARE, "effects in all that may last at once",
         "MB_LASTING_SPARE"}};
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].count > limits[i].most) {
            return limits[i];
        }
    }
    return (struct limit){0};
}

static unsigned copies_from(const struct box *box, unsigned card)
{
    unsigned copies = 1;
    while (card + copies < box->card_count && box->card_def[card + copies] == box->card_def[card]) {
        copies++;
    }
    return copies;
}

static unsigned drawn_at_a_die(const struct box *box)
{
    unsigned drawn = 0;
    for (unsigned card = 0; card < box->card_count; card++) {
        const struct card_def *const def = box_def(box, (uint16_t)card);
        for (unsigned i = 0; i < def->row_count; i++) {
            const struct row *const row = &box_rows(box, def)[i];
            drawn += row->when == WHEN_ROLLED ? most_drawn(row) : 0;
        }
    }
    return drawn;
}

/** Counts row after row; stops behind the one that passes a limit and says which card's it is. */
static struct tally tally_box(const struct box *box, uint16_t *def, unsigned *row)
{
    // Charity keeps its shares there too, one for each other player.
    struct tally tally = {.forced = MB_SEATS_MAX, .rolled = drawn_at_a_die(box)};
    unsigned copies = 0;
    for (unsigned card = 0; card < box->card_count; card += copies) {
        const uint16_t at = box->card_def[card];
        copies = copies_from(box, card);
        for (unsigned i = 0; i < box->defs[at].row_count; i++) {
            tally_row(&tally, box, &box->defs[at], i, copies);
            if (def != NULL && limit_passed(&tally.demand).name != NULL) {
                *def = at;
                *row = i;
                return tally;
            }
        }
    }
    return tally;
}

struct box_demand box_demand(const struct box *box)
{
    return tally_box(box, NULL, NULL).demand;
}

bool box_limits_hold(const struct catalog *catalog, const struct box *box, struct mb_error *err)
{
    uint16_t def = 0;
    unsigned row = 0;
    const struct tally tally = tally_box(box, &def, &row);
    const struct limit limit = limit_passed(&tally.demand);
    return limit.name == NULL ||
           mb_fail(err, MB_ERR_LIMIT,
                   "card \"%.40s\": rows[%u]: expected at most %u %s, found %u (%s)",
                   catalog_name(catalog, def), row, limit.most, limit.of, limit.count, limit.name);
}
