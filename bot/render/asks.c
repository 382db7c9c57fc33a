#include "bot/render/asks.h"

#include <stdio.h>
#include <string.h>

#include "core/loop/prospect.h"

#include "bot/render/render_impl.h"

enum { WHO_SIZE = 512, KEY_PRIME = 0x01000193 };

#define ASK(kind, rings, about) {TEXT_ASK_##kind, rings, TEXT_NOTIFY_##about},
static const struct {
    enum text_id sentence;
    enum ask_rings rings;
    enum text_id about;
} ROWS[ASK_TOTAL] = {
#include "bot/text/asks.def"
};
#undef ASK

enum ask_rings ask_rings(unsigned kind)
{
    return ROWS[kind].rings;
}

const char *asks_ringing(enum ask_rings rings, char out[ASK_RINGING_SIZE])
{
    const char *about[ASK_TOTAL];
    size_t count = 0;
    enum text_id last = TEXT_AND;
    for (unsigned kind = 0; kind < ASK_TOTAL; kind++) {
        if (ROWS[kind].rings == rings && ROWS[kind].about != last) {
            about[count++] = text_sentence(ROWS[kind].about);
            last = ROWS[kind].about;
        }
    }
    struct text_out text;
    text_begin(&text, out, ASK_RINGING_SIZE);
    text_list(&text, about, count, TEXT_AND);
    return out;
}

/* What is asked. */

static const uint8_t OF_DECISION[DECIDE_TOTAL] = {
    [DECIDE_CHOOSE_CARD] = ASK_CARD,     [DECIDE_CHOOSE_CARDS] = ASK_CARDS,
    [DECIDE_CHOOSE_PLAYER] = ASK_PLAYER, [DECIDE_CHOOSE_MONSTER] = ASK_MONSTER,
    [DECIDE_YES_NO] = ASK_YES_NO,        [DECIDE_ORDER] = ASK_ORDER,
    [DECIDE_NUMBER] = ASK_NUMBER,        [DECIDE_ASK_HELP] = ASK_HELPER,
    [DECIDE_OFFER] = ASK_ANSWER,         [DECIDE_PICK_TREASURE] = ASK_PICK,
    [DECIDE_LOOT_BODY] = ASK_BODY,       [DECIDE_CHARITY] = ASK_EXCESS,
    [DECIDE_ANSWER] = ASK_ANSWER,
};

static const uint8_t OF_DEAL[] = {
    [DEAL_NONE] = ASK_TOTAL, [DEAL_ASK] = ASK_HELP,    [DEAL_VOLUNTEER] = ASK_VOLUNTEER,
    [DEAL_GIFT] = ASK_GIFT,  [DEAL_TRADE] = ASK_TRADE, [DEAL_BRIBE] = ASK_BRIBE};

// A turn is one question, however often the phase changes in it.
static uint32_t key_of(const struct table_words *words, unsigned group, unsigned number)
{
    const uint32_t parts[] = {group + 1u, number, query_round(words->view),
                              query_turn(words->view)};
    uint32_t key = 0x811C9DC5;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        key = (key ^ parts[i]) * KEY_PRIME;
    }
    return key | 1u;
}

static void add(struct ask_list *list, unsigned kind, unsigned seats, uint32_t key)
{
    if (seats != 0 && list->count < ASKS_MAX) {
        list->items[list->count++] = (struct ask){
            .kind = (uint8_t)kind, .seats = (uint8_t)seats, .calls = (uint8_t)seats, .key = key};
    }
}

bool asks_passed(const struct table_words *words)
{
    const struct pause moment = query_pause(words->view, PAUSE_ANSWER);
    const struct pause pause =
        moment.kind != PAUSE_NONE ? moment : query_pause(words->view, PAUSE_WIN);
    return words->seat < MB_SEATS_MAX && (pause.passed & seat_bit(words->seat)) != 0;
}

static unsigned kind_of_turn(const struct table_words *words, const struct query_fight *fight)
{
    switch (query_phase(words->view)) {
    case PHASE_SETUP:
        return ASK_SETUP;
    case PHASE_START:
        return ASK_KICK;
    case PHASE_OPENED:
        return ASK_LOOT;
    case PHASE_COMBAT:
        return fight->gave_up ? ASK_RUN : ASK_FIGHT;
    case PHASE_RUNNING:
        return ASK_RUN;
    default:
        return ASK_TURN;
    }
}

static void add_moment(const struct table_words *words, unsigned seats, struct ask_list *list)
{
    const unsigned restarts = query_pause(words->view, PAUSE_ANSWER).restarts;
    const unsigned victim = query_answered_seat(words->view);
    unsigned kind = ASK_ROLL;
    if (query_answered_card(words->view) != NO_CARD) {
        kind = victim < MB_SEATS_MAX ? ASK_CURSE : ASK_PLAYED;
    }
    add(list, kind, seats, key_of(words, kind, restarts));
    if (list->count > 0 && kind == ASK_CURSE) {
        list->items[list->count - 1].calls = (uint8_t)(seats & seat_bit(victim));
    }
}

// What holds the turn up: the innermost question.
static void add_question(const struct table_words *words, struct ask_list *list)
{
    const struct query_clock clock = query_clock(words->view);
    const unsigned undecided = query_undecided(words->view);
    struct query_decision decision;
    if (undecided != 0) {
        query_decision(words->view, words->box, seat_first(undecided), &decision);
        const unsigned kind =
            decision.kind < DECIDE_TOTAL ? OF_DECISION[decision.kind] : (unsigned)ASK_ANSWER;
        add(list, kind, undecided, key_of(words, kind, decision.id));
        // Whose turn it is looks on: it is their own doing, mostly.
        list->items[0].calls = (uint8_t)(undecided & ~seat_bit(query_turn(words->view)));
        return;
    }
    // The view shows its reader's own pass at once, and that of who opened the pause.
    if (clock.kind == CLOCK_ANSWER) {
        const unsigned own = query_pause(words->view, PAUSE_ANSWER).passed;
        add_moment(words, clock.seats & ~own, list);
    } else if (clock.kind == CLOCK_WINDOW) {
        const bool last = query_would_win(words->view, words->box) != 0;
        const unsigned own = query_pause(words->view, PAUSE_WIN).passed;
        add(list, last ? ASK_LAST : ASK_WIN, clock.seats & ~words->passed & ~own,
            key_of(words, last ? ASK_LAST : ASK_WIN,
                   last ? 0 : query_pause(words->view, PAUSE_WIN).restarts));
    }
}

// Whose turn it is, or who is still setting up.
static void add_turn(const struct table_words *words, const struct query_fight *fight,
                     struct ask_list *list)
{
    const struct query_clock clock = query_clock(words->view);
    const bool setup = query_phase(words->view) == PHASE_SETUP;
    const bool waits = clock.kind == CLOCK_TURN || (setup && clock.kind == CLOCK_DECISION);
    if (waits && query_undecided(words->view) == 0) {
        add(list, kind_of_turn(words, fight), clock.seats, key_of(words, ASK_TURN, setup ? 1 : 0));
    }
}

static void add_deal(const struct table_words *words, const struct deal *deal,
                     struct ask_list *list)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < query_seat_count(words->view); seat++) {
        const bool waits = deal_awaits(deal, seat) && query_alive(words->view, seat);
        seats |= waits ? seat_bit(seat) : 0u;
    }
    const unsigned before = list->count;
    add(list, OF_DEAL[deal->kind], seats, key_of(words, OF_DEAL[deal->kind], deal->id));
    if (list->count > before) {
        list->items[before].number = deal->id;
    }
}

void asks_list(const struct table_words *words, const struct query_fight *fight,
               struct ask_list *out)
{
    out->count = 0;
    if (words->view == NULL || query_phase(words->view) == PHASE_OVER) {
        return;
    }
    add_question(words, out);
    for (unsigned i = 0; i < query_deal_count(words->view); i++) {
        const struct deal *const deal = query_deal(words->view, i);
        if (deal->kind != DEAL_NONE && deal->kind <= DEAL_BRIBE) {
            add_deal(words, deal, out);
        }
    }
    add(out, ASK_UNDO, words->undo_seats, key_of(words, ASK_UNDO, words->undo_entry));
    add_turn(words, fight, out);
}

/* In words. */

// "Minotaur", "2 monsters": a line has room for one name.
static void put_monsters(const struct table_words *words, const struct query_fight *fight,
                         char *out, size_t size)
{
    char name[RENDER_NAME_SIZE];
    struct text_out text;
    text_begin(&text, out, size);
    if (fight->monster_count == 1) {
        text_raw(&text, render_card_name(words, fight->monster[0], name));
    } else {
        text_put(&text, TEXT_ASK_MONSTERS, TEXT_ARGS(text_num("n", (long)fight->monster_count)));
    }
}

static void put_cards(const struct table_words *words, const uint16_t *cards, unsigned count,
                      char *out, size_t size)
{
    struct text_out text;
    if (count <= 1) {
        render_cards(words, cards, count, out, size);
        return;
    }
    text_begin(&text, out, size);
    text_put(&text, TEXT_ASK_CARDS_OF, TEXT_ARGS(text_num("n", (long)count)));
}

static const struct deal *deal_of(const struct table_words *words, const struct ask *ask)
{
    static const struct deal NONE = {.kind = DEAL_NONE, .from = NO_SEAT, .about = NO_SEAT};
    for (unsigned i = 0; ask->number != 0 && i < query_deal_count(words->view); i++) {
        const struct deal *const deal = query_deal(words->view, i);
        if (deal->id == ask->number) {
            return deal;
        }
    }
    return &NONE;
}

// " for 1 Treasure and more": a line and a button have room for so much.
static void put_price(const struct deal *deal, char *out, size_t size)
{
    const unsigned cards = deal->gives_count + deal->promises_count;
    struct text_out text;
    text_begin(&text, out, size);
    if (deal->treasures > 0) {
        text_put(&text, cards > 0 ? TEXT_ASK_PRICE_MORE : TEXT_ASK_PRICE,
                 TEXT_ARGS(text_num("n", deal->treasures)));
    } else if (cards > 0) {
        text_put(&text, TEXT_ASK_PRICE_CARDS, TEXT_ARGS(text_num("n", (long)cards)));
    } else {
        text_put(&text, TEXT_ASK_PRICE_NOTHING, NULL);
    }
}

/** Who it comes from: one who asks, or those whom it is about. */
struct others {
    char names[WHO_SIZE];
    long count; /**< 1, or more; the reader counts as more */
};

static void find_others(const struct table_words *words, const struct ask *ask,
                        const struct deal *deal, struct others *out)
{
    struct prospect_roll roll = {.seat = NO_SEAT};
    unsigned seats = 0;
    if (ask->kind == ASK_LAST) {
        seats = query_would_win(words->view, words->box);
    } else if (ask->kind == ASK_WIN) {
        const unsigned helper = query_helper(words->view);
        seats = seat_bit(query_main(words->view)) | (helper < MB_SEATS_MAX ? seat_bit(helper) : 0u);
    } else if (ask->kind == ASK_CURSE) {
        seats = seat_bit(query_answered_seat(words->view));
    } else if (ask->kind == ASK_ROLL) {
        (void)prospect_roll(words->view, words->box, &roll);
        seats = roll.seat < MB_SEATS_MAX ? seat_bit(roll.seat) : 0u;
    } else if (ask->kind == ASK_UNDO) {
        seats = seat_bit(words->undo_asker);
    } else if (deal->from < MB_SEATS_MAX) {
        seats = seat_bit(deal->from);
    }
    const bool one = (seats & (seats - 1u)) == 0;
    const unsigned seat = seat_first(seats);
    out->count = one && seat != words->seat ? 1 : 2;
    if (seats == 0) {
        (void)snprintf(out->names, sizeof out->names, "%s", text_sentence(TEXT_ASK_SOMEBODY));
    } else if (one) {
        (void)snprintf(out->names, sizeof out->names, "%s", render_you(words, seat));
    } else {
        render_players(words, seats, out->names, sizeof out->names);
    }
    out->count = ask->kind == ASK_ROLL ? (long)roll.total : out->count;
}

// The figure of a line, where it has one of its own.
static long figure_of(const struct table_words *words, const struct ask *ask, unsigned seat,
                      const struct others *others)
{
    return ask->kind == ASK_EXCESS ? (long)query_excess(words->view, words->box, seat)
                                   : others->count;
}

static void put_left(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (words->left_s > 0) {
        render_mark(words, &text, MARK_TIME);
        text_put(&text, TEXT_TABLE_LEFT, TEXT_ARGS(text_num("n", (long)words->left_s)));
        render_mark(words, &text, MARK_END);
    }
}

// " for Curse of Something": the card that asks, if the reader knows it.
static void put_about(const struct table_words *words, const struct ask *ask, unsigned seat,
                      const struct deal *deal, char *out, size_t size)
{
    struct query_decision decision;
    struct text_out text;
    char name[RENDER_NAME_SIZE];
    text_begin(&text, out, size);
    if (ask->kind == ASK_BRIBE) {
        text_raw(&text, deal->about == NO_SEAT ? text_sentence(TEXT_DEAL_ANYBODY)
                                               : render_you(words, deal->about));
        return;
    }
    if ((query_undecided(words->view) & seat_bit(seat)) == 0) {
        return;
    }
    query_decision(words->view, words->box, seat, &decision);
    if (decision.kind < DECIDE_TOTAL && render_knows(words, decision.source)) {
        text_put(&text, TEXT_ASK_ABOUT,
                 TEXT_ARGS(text_str("card", render_card_name(words, decision.source, name))));
    }
}

// What a line tells of the fight, ever more.
enum tells { TELLS_NOTHING, TELLS_MONSTERS, TELLS_SUMS, TELLS_FIGHT };

static const uint8_t TELLS[ASK_TOTAL] = {
    [ASK_RUN] = TELLS_MONSTERS, [ASK_WIN] = TELLS_SUMS,   [ASK_LAST] = TELLS_SUMS,
    [ASK_FIGHT] = TELLS_FIGHT,  [ASK_HELP] = TELLS_FIGHT, [ASK_VOLUNTEER] = TELLS_FIGHT};

bool asks_tell_sums(const struct scene *scene)
{
    const unsigned seat = scene->words.seat;
    const unsigned reader = seat < MB_SEATS_MAX ? seat_bit(seat) : ~0u;
    bool tell = false;
    for (unsigned i = 0; i < scene->asks.count && i < ASKS_TOLD; i++) {
        const struct ask *const ask = &scene->asks.items[i];
        tell = tell || (TELLS[ask->kind] >= TELLS_SUMS && (ask->seats & reader) != 0);
    }
    return tell;
}

void ask_line(const struct scene *scene, const struct ask *ask, unsigned seats,
              struct text_out *out)
{
    const struct table_words *const words = &scene->words;
    const struct query_fight *const fight = &scene->fight;
    const struct deal *const deal = deal_of(words, ask);
    const bool you = seats == seat_bit(words->seat);
    char who[WHO_SIZE];
    char left[WHO_SIZE];
    char about[WHO_SIZE];
    char monsters[RENDER_NAME_SIZE];
    char gives[RENDER_LIST_SIZE];
    char wants[RENDER_LIST_SIZE];
    char card[RENDER_NAME_SIZE];
    char price[ASK_LABEL_SIZE];
    struct others others;
    find_others(words, ask, deal, &others);
    put_monsters(words, fight, monsters, sizeof monsters);
    put_cards(words, deal->gives, deal->gives_count, gives, sizeof gives);
    put_cards(words, deal->wants, deal->wants_count, wants, sizeof wants);
    put_left(words, left, sizeof left);
    put_about(words, ask, seat_first(seats), deal, about, sizeof about);
    put_price(deal, price, sizeof price);
    if (you) {
        (void)snprintf(who, sizeof who, "%s", render_you(words, words->seat));
    } else {
        render_players(words, seats, who, sizeof who);
    }
    const bool one = (seats & (seats - 1u)) == 0 && !you;
    text_line(
        out, you && ask->kind == ASK_UNDO ? TEXT_ASK_UNDO_YOU : ROWS[ask->kind].sentence,
        TEXT_ARGS(text_str("who", who), text_num("n", one ? 1 : 2), text_str("left", left),
                  text_str("about", about), text_str("monsters", monsters),
                  text_num("p", fight->players), text_num("m", fight->monsters),
                  text_str("other", others.names),
                  text_num("k", figure_of(words, ask, seat_first(seats), &others)),
                  text_str("card", render_card_name(words, query_answered_card(words->view), card)),
                  text_str("gives", gives), text_str("wants", wants), text_str("price", price),
                  text_num("number", (long)ask->number)));
}

unsigned ask_says(const struct scene *scene, const struct ask *ask,
                  struct ask_say out[ASK_SAYS_MAX])
{
    const struct table_words *const words = &scene->words;
    static const enum text_id YES[ASK_TOTAL] = {
        [ASK_HELP] = TEXT_ASK_SAY_HELP,   [ASK_VOLUNTEER] = TEXT_ASK_SAY_VOLUNTEER,
        [ASK_GIFT] = TEXT_ASK_SAY_GIFT,   [ASK_TRADE] = TEXT_ASK_SAY_TRADE,
        [ASK_BRIBE] = TEXT_ASK_SAY_BRIBE, [ASK_UNDO] = TEXT_ASK_SAY_UNDO};
    const bool undo = ask->kind == ASK_UNDO;
    if (YES[ask->kind] == 0) {
        return 0;
    }
    const struct deal *const deal = deal_of(words, ask);
    const unsigned from = undo ? words->undo_asker : deal->from;
    char price[ASK_LABEL_SIZE];
    put_price(deal, price, sizeof price);
    for (unsigned i = 0; i < ASK_SAYS_MAX; i++) {
        static const unsigned VERBS[ASK_SAYS_MAX] = {VERB_ACCEPT, VERB_REFUSE};
        const enum text_id no = undo ? TEXT_ASK_SAY_UNDO_NO : TEXT_ASK_SAY_NO;
        struct text_out text;
        text_begin(&text, out[i].label, sizeof out[i].label);
        text_put(
            &text, i == 0 ? YES[ask->kind] : no,
            TEXT_ARGS(text_str("other", render_player(words, from)), text_str("price", price)));
        text_strip(out[i].label); // no chat reads marks there
        if (undo) {
            (void)snprintf(out[i].line, sizeof out[i].line, "%s undo", command_word(VERBS[i]));
        } else {
            (void)snprintf(out[i].line, sizeof out[i].line, "%s %u", command_word(VERBS[i]),
                           ask->number);
        }
    }
    return ASK_SAYS_MAX;
}

void render_asks(const struct scene *scene, unsigned seats, unsigned most, struct text_out *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < scene->asks.count; i++) {
        const unsigned asked = scene->asks.items[i].seats & seats;
        if (asked != 0 && count++ < most) {
            ask_line(scene, &scene->asks.items[i], asked, out);
        }
    }
    if (count > most) {
        text_line(out, TEXT_ASK_MORE, TEXT_ARGS(text_num("n", (long)(count - most))));
    }
}

void render_asked(const struct scene *scene, bool fight, struct text_out *out)
{
    const unsigned seat = scene->words.seat;
    bool told = !fight;
    if (asks_passed(&scene->words)) {
        text_line(out, TEXT_HAND_PASSED, NULL);
    }
    if (query_phase(scene->words.view) == PHASE_SETUP && seat < MB_SEATS_MAX &&
        (asks_seats(&scene->asks) & seat_bit(seat)) == 0) {
        text_line(out, TEXT_SESSION_READY, NULL);
    }
    for (unsigned i = 0; i < scene->asks.count; i++) {
        const struct ask *const ask = &scene->asks.items[i];
        const unsigned asked = ask->seats & seat_bit(seat);
        const bool listed = scene->lists_options && ask->kind == OF_DECISION[scene->question.kind];
        if (asked != 0 && !listed) {
            ask_line(scene, ask, asked, out);
            // The line of a fight does not name its helper.
            told = told || (TELLS[ask->kind] == TELLS_FIGHT &&
                            (ask->kind != ASK_FIGHT || scene->fight.helper >= MB_SEATS_MAX));
        }
    }
    if (!told) {
        render_fight(scene, out);
    }
}

unsigned asks_seats(const struct ask_list *list)
{
    unsigned seats = 0;
    for (unsigned i = 0; i < list->count; i++) {
        seats |= list->items[i].seats;
    }
    return seats;
}

bool asks_price(const struct ask_list *list, unsigned seats)
{
    bool asks = false;
    for (unsigned i = 0; i < list->count; i++) {
        const unsigned kind = list->items[i].kind;
        const bool priced =
            kind == ASK_HELP || kind == ASK_VOLUNTEER || kind == ASK_TRADE || kind == ASK_BRIBE;
        asks = asks || (priced && (list->items[i].seats & seats) != 0);
    }
    return asks;
}
