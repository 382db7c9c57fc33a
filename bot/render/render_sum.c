// Sums, offers and open windows in words.
#include <stdlib.h>
#include <string.h>

#include "core/loop/prospect.h"

#include "bot/render/render_impl.h"

// The ability that a lasting bonus came from, where its card has just one that gives any: "-
// Backstab 2" says more than the card's name.
static const char *ability_of(const struct table_words *words, uint16_t card)
{
    const struct card_def *const def = box_def(words->box, card);
    const struct row *const rows = box_rows(words->box, def);
    const char *name = NULL;
    unsigned abilities = 0;
    for (unsigned i = 0; i < def->row_count; i++) {
        const bool bonus = rows[i].a == EFFECT_BONUS || rows[i].a == EFFECT_SIDE_BONUS;
        if (rows[i].ability != 0 && rows[i].op == EFFECT_LASTING && bonus) {
            name = catalog_ability_name(words->catalog, rows[i].ability - 1u);
            abilities++;
        }
    }
    return abilities == 1 ? name : NULL;
}

static bool is_vowel(char letter)
{
    return letter != '\0' && strchr("AEIOUaeiou", letter) != NULL;
}

// "3 (you have a helper)": why a monster's own bonus counts, where one condition says it.
static void put_own_row(const struct table_words *words, const struct sum_line *line, long amount,
                        struct text_out *out)
{
    struct query_fight fight;
    query_fight(words->view, words->box, &fight);
    const struct row *const row = line->row > 0 ? &words->box->rows[line->row - 1u] : NULL;
    const bool one = row != NULL && row->req_count == 1;
    const struct requirement *const req = one ? &words->box->reqs[row->first_req] : NULL;
    enum text_id id = TEXT_SUM_OWN_ROW;
    const char *what = "";
    if (one && req->kind == REQ_ALONE) {
        id = req->absent ? TEXT_SUM_FOR_HELP : TEXT_SUM_FOR_ALONE;
    } else if (one && req->kind == REQ_TRAIT && req->range == RANGE_FIGHTERS && !req->absent) {
        id = TEXT_SUM_FOR_TRAIT;
        what = catalog_trait_name(words->catalog, (unsigned)req->n);
    } else if (one && req->kind == REQ_WEARS && req->range == RANGE_FIGHTERS && !req->absent &&
               req->n >= SLOT_HEADGEAR && req->n <= SLOT_FOOTGEAR) {
        id = TEXT_SUM_FOR_WORN;
        what = render_slot((unsigned)req->n);
    }
    text_put(out, id,
             TEXT_ARGS(text_num("n", amount), text_str("its", render_its(words, line->card)),
                       text_str("what", what), text_num("an", is_vowel(what[0]) ? 2 : 1),
                       text_str("who", render_you(words, fight.main)),
                       text_num("you", render_reads(words, fight.main))));
}

static void put_sum_line(const struct table_words *words, const struct sum_line *line, long amount,
                         struct text_out *out)
{
    char name[RENDER_NAME_SIZE];
    const bool by_ability = line->reason == SUM_LASTING && line->card < words->box->card_count;
    const char *const ability = by_ability ? ability_of(words, line->card) : NULL;
    const char *const card = ability != NULL ? ability : render_card_name(words, line->card, name);
    const char *const who = render_player(words, line->seat);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("card", card), text_str("who", who), text_num("n", amount));
    switch ((enum sum_reason)line->reason) {
    case SUM_LEVEL:
        text_put(out, TEXT_SUM_LEVEL, args);
        break;
    case SUM_LEVEL_IS:
        text_put(out, TEXT_SUM_LEVEL_IS, args);
        break;
    case SUM_COPY:
        text_put(out, line->card == NO_CARD ? TEXT_SUM_COPY : TEXT_SUM_COPY_CARD, args);
        break;
    case SUM_MONSTER_ROW:
        put_own_row(words, line, amount, out);
        break;
    case SUM_CARD:
    case SUM_LASTING:
    case SUM_MONSTER:
    case SUM_ENHANCER:
    case SUM_TURNED:
        text_put(out, line->card == NO_CARD ? TEXT_SUM_LEVEL : TEXT_SUM_CARD, args);
        break;
    }
}

// "Ann 4 + Mace of Sharpness 4".
static void render_sum(const struct table_words *words, const struct sum *sum, char *out,
                       size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    bool first = true;
    for (unsigned i = 0; i < sum->count; i++) {
        const struct sum_line *const line = &sum->lines[i];
        const bool level = line->reason == SUM_LEVEL || line->reason == SUM_MONSTER;
        if (line->amount == 0 && !level) {
            continue;
        }
        char what[RENDER_NAME_SIZE];
        struct text_out word;
        text_begin(&word, what, sizeof what);
        put_sum_line(words, line, first ? line->amount : labs((long)line->amount), &word);
        if (first) {
            text_raw(&text, what);
        } else {
            text_put(&text, line->amount < 0 ? TEXT_SUM_LESS : TEXT_SUM_MORE,
                     TEXT_ARGS(text_str("what", what)));
        }
        first = false;
    }
    if (first) {
        text_put(&text, TEXT_NOTHING, NULL);
    }
}

static void put_standing(const struct table_words *words, const struct query_fight *fight,
                         char *out, size_t size)
{
    const long lead = labs((long)fight->players - (long)fight->monsters);
    enum text_id sentence = TEXT_STANDS_MONSTERS;
    if (fight->players_win) {
        sentence = lead == 0 ? TEXT_STANDS_PLAYERS_TIE : TEXT_STANDS_PLAYERS;
    } else if (lead == 0) {
        sentence = TEXT_STANDS_MONSTERS_TIE;
    }
    struct text_out text;
    text_begin(&text, out, size);
    render_mark(words, &text, fight->players_win ? MARK_GOOD : MARK_BAD);
    text_put(&text, sentence, TEXT_ARGS(text_num("n", lead)));
    render_mark(words, &text, MARK_END);
}

// "Ann 4 + Mace of Sharpness 4 = 8"; one source needs no sum.
static void put_side(const struct table_words *words, unsigned side, long total, char *out,
                     size_t size)
{
    struct sum sum;
    char what[RENDER_LIST_SIZE];
    query_sum(words->view, words->box, side, &sum);
    render_sum(words, &sum, what, sizeof what);
    unsigned lines = 0;
    for (unsigned i = 0; i < sum.count; i++) {
        lines += sum.lines[i].amount != 0 ? 1u : 0u;
    }
    struct text_out text;
    text_begin(&text, out, size);
    if (lines > 1) {
        text_put(&text, TEXT_SUM_TOTAL, TEXT_ARGS(text_str("what", what), text_num("n", total)));
    } else {
        text_raw(&text, what);
    }
}

void render_balance(const struct table_words *words, const struct query_fight *fight,
                    enum balance how, struct text_out *out)
{
    char players[RENDER_LIST_SIZE];
    char monsters[RENDER_LIST_SIZE];
    if (!fight->on || fight->gave_up) { // each roll says from whom somebody runs
        return;
    }
    put_side(words, SIDE_PLAYERS, fight->players, players, sizeof players);
    put_side(words, SIDE_MONSTERS, fight->monsters, monsters, sizeof monsters);
    char standing[RENDER_NAME_SIZE];
    put_standing(words, fight, standing, sizeof standing);
    const struct text_arg *const args = TEXT_ARGS(
        text_num("n", fight->players), text_num("m", fight->monsters), text_str("players", players),
        text_str("monsters", monsters), text_str("standing", standing));
    static const enum text_id SENTENCES[] = {[BALANCE_SOURCES] = TEXT_SUM_SIDE,
                                             [BALANCE_SIDES] = TEXT_SUM_SIDE_PLAYERS,
                                             [BALANCE_SHORT] = TEXT_SUM_SHORT,
                                             [BALANCE_MOVES] = TEXT_SUM_MOVES};
    text_line(out, SENTENCES[how], args);
    if (how == BALANCE_SIDES) {
        text_line(out, TEXT_SUM_SIDE_MONSTERS, args);
    }
}

void render_price(const struct table_words *words, const struct deal *deal, struct text_out *out)
{
    char gives[RENDER_LIST_SIZE];
    render_cards(words, deal->gives, deal->gives_count, gives, sizeof gives);
    if (deal->treasures > 0) {
        text_put(out, TEXT_DEAL_FOR_TREASURES, TEXT_ARGS(text_num("n", deal->treasures)));
        if (deal->picking == 1) {
            text_put(out, TEXT_DEAL_PICKING, NULL);
        }
    }
    if (deal->gives_count > 0) {
        text_put(out, deal->treasures > 0 ? TEXT_DEAL_WITH_ITEMS : TEXT_DEAL_WITH_ONLY_ITEMS,
                 TEXT_ARGS(text_str("gives", gives)));
    }
    if (deal->promises_count > 0) {
        const bool more = deal->treasures > 0 || deal->gives_count > 0;
        text_put(out, more ? TEXT_DEAL_PROMISES : TEXT_DEAL_ONLY_PROMISES,
                 TEXT_ARGS(text_num("n", deal->promises_count)));
    }
    if (deal->treasures == 0 && deal->gives_count == 0 && deal->promises_count == 0) {
        text_put(out, TEXT_DEAL_FOR_NOTHING, NULL);
    }
}

void render_deal(const struct table_words *words, const struct deal *deal, struct text_out *out)
{
    static const enum text_id SENTENCES[] = {
        [DEAL_ASK] = TEXT_DEAL_ASK,     [DEAL_VOLUNTEER] = TEXT_DEAL_VOLUNTEER,
        [DEAL_GIFT] = TEXT_DEAL_GIFT,   [DEAL_TRADE] = TEXT_DEAL_TRADE,
        [DEAL_BRIBE] = TEXT_DEAL_BRIBE,
    };
    if (deal->kind == DEAL_NONE || deal->kind > DEAL_BRIBE) {
        return;
    }
    char gives[RENDER_LIST_SIZE];
    char wants[RENDER_LIST_SIZE];
    render_cards(words, deal->gives, deal->gives_count, gives, sizeof gives);
    render_cards(words, deal->wants, deal->wants_count, wants, sizeof wants);
    const char *const about = deal->about == NO_SEAT ? text_sentence(TEXT_DEAL_ANYBODY)
                                                     : render_player(words, deal->about);
    text_put(out, SENTENCES[deal->kind],
             TEXT_ARGS(text_str("who", render_player(words, deal->from)),
                       text_str("other", render_player(words, deal->to)), text_str("gives", gives),
                       text_str("wants", wants), text_str("about", about)));
    if (deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER) {
        render_price(words, deal, out);
    }
    text_put(out, TEXT_DEAL_NUMBER, TEXT_ARGS(text_num("n", deal->id)));
}

static void put_win_window(const struct table_words *words, struct text_out *out)
{
    struct query_fight fight;
    query_fight(words->view, words->box, &fight);
    char who[MB_SEATS_MAX * CATALOG_NAME_MAX];
    unsigned seats = seat_bit(fight.main);
    if (fight.helper != NO_SEAT) {
        seats |= seat_bit(fight.helper);
    }
    render_players(words, seats, who, sizeof who);
    const long fighters = fight.helper == NO_SEAT ? 1 : 2;
    text_line(out, words->window_s > 0 ? TEXT_WINDOW_OPENS_SECONDS : TEXT_WINDOW_OPENS,
              TEXT_ARGS(text_str("who", who), text_num("n", (long)words->window_s),
                        text_num("fighters", fighters)));
}

void render_pause(const struct table_words *words, struct text_out *out)
{
    const struct pause moment = query_pause(words->view, PAUSE_ANSWER);
    const struct pause window = query_pause(words->view, PAUSE_WIN);
    if (moment.kind != PAUSE_NONE) {
        char name[RENDER_NAME_SIZE];
        const uint16_t card = query_answered_card(words->view);
        enum text_id id = words->window_s > 0 ? TEXT_ANSWER_CURSE_SECONDS : TEXT_ANSWER_CURSE;
        struct prospect_roll roll;
        if (card == NO_CARD && prospect_roll(words->view, words->box, &roll) && roll.need > 0) {
            text_line(out, TEXT_ROLL_NEEDS,
                      TEXT_ARGS(text_num("n", roll.total), text_num("m", roll.need)));
        }
        if (card == NO_CARD) {
            id = words->window_s > 0 ? TEXT_ANSWER_ROLL_SECONDS : TEXT_ANSWER_ROLL;
        }
        text_line(out, id,
                  TEXT_ARGS(text_str("card", render_card_name(words, card, name)),
                            text_num("n", (long)words->window_s)));
    } else if (window.kind != PAUSE_NONE) {
        put_win_window(words, out);
    }
}
