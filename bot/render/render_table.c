// The table as everybody may see it, the score, and the single lines about turn and victory.
#include "core/loop/prospect.h"

#include "bot/render/asks.h"
#include "bot/render/render_impl.h"

enum {
    SEATS_WORDS_SIZE = 512,
    GEAR_PARTS_MAX = 40,
    GEAR_SIZE = 4 * RENDER_LIST_SIZE,
    CUT_ROOM = 96,                     /**< for the line that says something is missing */
    SMALL_LINES = TEXT_PHONE_LINES - 7 /**< of a phone's: the story has the others */
};

/** How much is told when room is short. */
enum brevity {
    TELL_ALL,
    COUNT_CARRIED, /**< carried Items are counted, discards have no top, sums no sources */
    COUNT_GEAR,    /**< what is used is counted, too; few questions are told */
    COUNT_ALL,     /**< everything in front of a player is counted */
    BREVITY_TOTAL
};

// What lies in front of a player, sorted for reading.
struct belongings {
    struct card_group is, equipped, carried, followers, other;
    struct card_list hosted; /**< cards that lie with another one */
};

static struct card_group *belongs_to(const struct table_words *words, uint16_t card,
                                     struct belongings *all)
{
    const unsigned kind = box_def(words->box, card)->kind;
    if (kind_is_identity(kind)) {
        return &all->is;
    }
    if (kind == KIND_FOLLOWER) {
        return &all->followers;
    }
    if (kind_is_item(kind)) {
        const bool equipped = (query_flags(words->view, card) & CARD_EQUIPPED) != 0;
        return equipped ? &all->equipped : &all->carried;
    }
    return &all->other;
}

static void sort_belongings(const struct table_words *words, unsigned seat, struct belongings *all)
{
    struct card_list cards;
    query_pile(words->view, pile_table(seat), &cards);
    for (unsigned i = 0; i < cards.count; i++) {
        const uint16_t card = cards.cards[i];
        const uint16_t host = query_host(words->view, card);
        if (host != NO_CARD && render_knows(words, host)) {
            all->hosted.cards[all->hosted.count++] = card;
        } else {
            card_group_add(belongs_to(words, card, all), card, PILE_TOTAL);
        }
    }
}

// Whether the card adds to its owner's strength as things stand: one that is no longer for the
// likes of its owner stays in use, and adds nothing (ITEM-4).
static bool counts(const struct table_words *words, uint16_t card)
{
    const unsigned pile = query_where(words->view, card);
    if (!pile_is_table(pile)) {
        return true;
    }
    struct sum sum = {0};
    (void)strength_own(words->view, words->box, pile - PILE_TABLE, &sum);
    for (unsigned i = 0; i < sum.count; i++) {
        if (sum.lines[i].card == card && sum.lines[i].amount != 0) {
            return true;
        }
    }
    return false;
}

// "Mace of Sharpness +4, Boots +2": what is used, with what it plainly gives.
static void put_used(const struct table_words *words, const struct card_group *group, char *out,
                     size_t size)
{
    char names[RENDER_GROUP_MAX][RENDER_NAME_SIZE + 32];
    const char *items[RENDER_GROUP_MAX];
    for (unsigned i = 0; i < group->known_count; i++) {
        char name[RENDER_NAME_SIZE];
        const long bonus = render_bonus(words, words->box->card_def[group->known[i]]);
        struct text_out text;
        text_begin(&text, names[i], sizeof names[i]);
        const enum text_id sentence = bonus == 0                       ? TEXT_TABLE_USED
                                      : counts(words, group->known[i]) ? TEXT_TABLE_USED_BONUS
                                                                       : TEXT_TABLE_USED_IDLE;
        text_put(&text, sentence,
                 TEXT_ARGS(text_str("card", render_card_name(words, group->known[i], name)),
                           text_num("n", bonus)));
        items[i] = names[i];
    }
    struct text_out text;
    text_begin(&text, out, size);
    text_list(&text, items, group->known_count, TEXT_COMMA);
}

static void put_separator(struct text_out *out)
{
    if (out->length > 0) {
        text_put(out, TEXT_TABLE_PART, NULL);
    }
}

static void put_part(const struct table_words *words, const struct card_group *group, bool count,
                     enum text_id sentence, struct text_out *out)
{
    char cards[RENDER_LIST_SIZE];
    if (group->count == 0) {
        return;
    }
    put_separator(out);
    if (count) {
        struct text_out text;
        text_begin(&text, cards, sizeof cards);
        text_put(&text, TEXT_SOME_CARDS, TEXT_ARGS(text_num("n", (long)group->count)));
    } else if (sentence == TEXT_TABLE_USES) {
        put_used(words, group, cards, sizeof cards);
    } else {
        render_group(words, group, cards, sizeof cards);
    }
    text_put(out, sentence, TEXT_ARGS(text_str("cards", cards)));
}

// "Huge Rock with Hireling": what lies with another card.
static void put_hosted(const struct table_words *words, const struct card_list *cards,
                       struct text_out *out)
{
    for (unsigned i = 0; i < cards->count; i++) {
        char card[RENDER_NAME_SIZE];
        char host[RENDER_NAME_SIZE];
        put_separator(out);
        text_put(out, TEXT_TABLE_WITH,
                 TEXT_ARGS(text_str("card", render_card_name(words, cards->cards[i], card)),
                           text_str("card2",
                                    render_card_name(
                                        words, query_host(words->view, cards->cards[i]), host))));
    }
}

static void put_gear(const struct table_words *words, unsigned seat, enum brevity brevity,
                     struct text_out *out)
{
    struct belongings all = {0};
    char gear[GEAR_SIZE];
    struct text_out text;
    text_begin(&text, gear, sizeof gear);
    sort_belongings(words, seat, &all);
    if (brevity >= COUNT_ALL) {
        const long count = (long)query_count(words->view, pile_table(seat));
        if (count > 0) {
            text_put(&text, TEXT_TABLE_IN_PLAY, TEXT_ARGS(text_num("n", count)));
        }
    } else {
        put_part(words, &all.is, false, TEXT_TABLE_IS, &text);
        put_part(words, &all.equipped, brevity >= COUNT_GEAR, TEXT_TABLE_USES, &text);
        put_part(words, &all.carried, brevity >= COUNT_CARRIED, TEXT_TABLE_CARRIES, &text);
        put_part(words, &all.followers, false, TEXT_TABLE_IS, &text);
        put_hosted(words, &all.hosted, &text);
        put_part(words, &all.other, brevity >= COUNT_GEAR, TEXT_TABLE_LASTING, &text);
    }
    if (text.length > 0) {
        text_line(out, TEXT_TABLE_GEAR, TEXT_ARGS(text_str("what", gear)));
    }
}

static void word_player(const struct table_words *words, unsigned seat, enum brevity brevity,
                        struct text_out *out)
{
    const struct game *const view = words->view;
    const bool turn = query_turn(view) == seat && query_phase(view) != PHASE_SETUP;
    const bool female = query_female(view, seat);
    const char *const dead = query_alive(view, seat) ? "" : text_sentence(TEXT_TABLE_DEAD);
    text_put(out, turn ? TEXT_TABLE_TURN_MARK : TEXT_TABLE_NO_MARK, NULL);
    text_line(
        out, TEXT_TABLE_PLAYER,
        TEXT_ARGS(text_str("who", render_player(words, seat)),
                  text_str("sex", text_sentence(female ? TEXT_TABLE_FEMALE : TEXT_TABLE_MALE)),
                  text_num("level", (long)query_level(view, seat)),
                  text_num("n", query_strength(view, words->box, seat)),
                  text_num("m", (long)query_count(view, pile_hand(seat))), text_str("dead", dead)));
    put_gear(words, seat, brevity, out);
}

// "Bob: Level 4, strength 11, Elf and Thief, 5 cards".
static void put_small_player(const struct table_words *words, unsigned seat, struct text_out *out)
{
    const struct game *const view = words->view;
    const bool turn = query_turn(view) == seat && query_phase(view) != PHASE_SETUP;
    struct belongings all = {0};
    char cards[RENDER_LIST_SIZE];
    char is[RENDER_LIST_SIZE];
    struct text_out text;
    sort_belongings(words, seat, &all);
    text_begin(&text, is, sizeof is);
    if (all.is.count > 0) {
        render_group(words, &all.is, cards, sizeof cards);
        text_put(&text, TEXT_TABLE_SMALL_IS, TEXT_ARGS(text_str("cards", cards)));
    }
    const bool bot = (words->bots & seat_bit(seat)) != 0;
    const bool away = (words->away & seat_bit(seat)) != 0;
    const char *const plays = bot    ? text_sentence(TEXT_TABLE_SMALL_BOT)
                              : away ? text_sentence(TEXT_TABLE_SMALL_AWAY)
                                     : "";
    text_put(out, turn ? TEXT_TABLE_TURN_MARK : TEXT_TABLE_NO_MARK, NULL);
    text_line(
        out, TEXT_TABLE_SMALL_PLAYER,
        TEXT_ARGS(
            text_str("who", render_player(words, seat)), text_str("plays", plays),
            text_num("level", (long)query_level(view, seat)),
            text_num("strength", query_strength(view, words->box, seat)), text_str("is", is),
            text_num("n", (long)query_count(view, pile_hand(seat))),
            text_str("dead", query_alive(view, seat) ? "" : text_sentence(TEXT_TABLE_SMALL_DEAD))));
}

// All that a player's row is made of; what each Item adds besides.
static void key_of_player(const struct table_words *words, unsigned seat, enum brevity brevity,
                          struct row_key *key)
{
    const struct game *const view = words->view;
    const uint8_t facts[] = {query_female(view, seat) ? 1 : 0, query_alive(view, seat) ? 1 : 0,
                             query_turn(view) == seat && query_phase(view) != PHASE_SETUP ? 1 : 0};
    struct sum sum = {0};
    struct card_list cards;
    render_key_begin(words, ROW_PLAYER, brevity, key);
    row_key_add(key, facts, sizeof facts);
    row_key_number(key, (int32_t)query_level(view, seat));
    row_key_number(key, strength_own(view, words->box, seat, &sum));
    row_key_number(key, (int32_t)query_count(view, pile_hand(seat)));
    query_pile(view, pile_table(seat), &cards);
    for (unsigned i = 0; i < cards.count; i++) {
        const uint16_t card = cards.cards[i];
        const uint16_t host = query_host(view, card);
        render_key_card(words, card, key);
        render_key_card(words, host != NO_CARD && render_knows(words, host) ? host : NO_CARD, key);
        row_key_number(key, (int32_t)query_flags(view, card));
    }
    for (unsigned i = 0; i < sum.count; i++) {
        row_key_number(key, sum.lines[i].amount != 0 ? sum.lines[i].card : NO_CARD);
    }
    render_key_player(words, seat, key);
}

static void put_player(const struct table_words *words, unsigned seat, enum brevity brevity,
                       struct text_out *out)
{
    const size_t from = out->length;
    struct row_key key;
    key_of_player(words, seat, brevity, &key);
    if (!row_memo_put(words->rows, &key, out)) {
        word_player(words, seat, brevity, out);
        row_memo_keep(words->rows, &key, out, from);
    }
}

// How a fight is told: with both sums and a line of their terms, or in one line.
static void put_fight(const struct scene *scene, bool line, enum brevity brevity,
                      struct text_out *out)
{
    const struct table_words *const words = &scene->words;
    const struct query_fight *const fight = &scene->fight;
    if (!fight->on) {
        return;
    }
    char who[RENDER_NAME_SIZE];
    char monsters[RENDER_LIST_SIZE];
    const char *const names[] = {render_player(words, fight->main),
                                 render_player(words, fight->helper)};
    struct text_out text;
    text_begin(&text, who, sizeof who);
    text_list(&text, names, fight->helper != NO_SEAT ? 2 : 1, TEXT_AND);
    render_cards(words, fight->monster, fight->monster_count, monsters, sizeof monsters);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("who", who), text_str("monsters", monsters),
                  text_num("n", fight->treasures), text_num("players", fight->players),
                  text_num("m", fight->monsters), text_num("k", fight->helper != NO_SEAT ? 2 : 1),
                  text_str("side", text_sentence(fight->players_win ? TEXT_SIDE_PLAYERS
                                                                    : TEXT_SIDE_MONSTERS)));
    if (fight->gave_up) {
        text_line(out, TEXT_TABLE_FLIGHT, args);
        return;
    }
    text_line(out, line ? TEXT_TABLE_FIGHT_LINE : TEXT_TABLE_FIGHT, args);
    if (!line && brevity == TELL_ALL) {
        render_balance(words, fight, words->small ? BALANCE_SIDES : BALANCE_SOURCES, out);
    } else if (!line && !asks_tell_sums(scene)) {
        render_balance(words, fight, BALANCE_SHORT, out);
    }
}

// A roll that may still be changed, and for which nobody is waited.
static void put_roll(const struct table_words *words, struct text_out *out)
{
    const struct query_clock clock = query_clock(words->view);
    struct prospect_roll roll;
    if (clock.kind != CLOCK_ANSWER || clock.seats != 0 ||
        !prospect_roll(words->view, words->box, &roll) || roll.seat >= MB_SEATS_MAX) {
        return;
    }
    text_line(out, TEXT_TABLE_ROLL,
              TEXT_ARGS(text_str("who", render_you(words, roll.seat)), text_num("n", roll.total)));
}

void render_fight(const struct scene *scene, struct text_out *out)
{
    put_fight(scene, true, TELL_ALL, out);
    put_roll(&scene->words, out);
}

static void put_pile(const struct table_words *words, unsigned pile, enum text_id sentence,
                     struct text_out *out)
{
    struct card_list cards;
    query_pile(words->view, pile, &cards);
    if (cards.count > 0) {
        char list[RENDER_LIST_SIZE];
        render_cards(words, cards.cards, cards.count, list, sizeof list);
        text_line(out, sentence, TEXT_ARGS(text_str("cards", list)));
    }
}

// The card that lies open on a pile, or NO_CARD.
static uint16_t top_of(const struct table_words *words, unsigned pile)
{
    struct card_list cards;
    query_pile(words->view, pile, &cards);
    return cards.count > 0 ? cards.cards[0] : (uint16_t)NO_CARD;
}

static void put_top(const struct table_words *words, uint16_t card, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (card != NO_CARD) {
        char name[RENDER_NAME_SIZE];
        text_put(&text, TEXT_TABLE_DISCARD_TOP,
                 TEXT_ARGS(text_str("card", render_card_name(words, card, name))));
    }
}

static void put_decks(const struct table_words *words, enum brevity brevity, struct text_out *out)
{
    const struct game *const view = words->view;
    const bool tops = brevity == TELL_ALL;
    const uint16_t doors = tops ? top_of(words, PILE_DOOR_DISCARD) : (uint16_t)NO_CARD;
    const uint16_t treasures = tops ? top_of(words, PILE_TREASURE_DISCARD) : (uint16_t)NO_CARD;
    const long counts[] = {query_count(view, PILE_DOOR_DECK), query_count(view, PILE_DOOR_DISCARD),
                           query_count(view, PILE_TREASURE_DECK),
                           query_count(view, PILE_TREASURE_DISCARD)};
    const size_t from = out->length;
    struct row_key key;
    render_key_begin(words, ROW_DECKS, brevity, &key);
    row_key_add(&key, counts, sizeof counts);
    render_key_card(words, doors, &key);
    render_key_card(words, treasures, &key);
    if (row_memo_put(words->rows, &key, out)) {
        return;
    }
    char door[2 * RENDER_NAME_SIZE];
    char treasure[2 * RENDER_NAME_SIZE];
    put_top(words, doors, door, sizeof door);
    put_top(words, treasures, treasure, sizeof treasure);
    text_line(out, TEXT_TABLE_DECKS,
              TEXT_ARGS(text_num("doors", counts[0]), text_num("n", counts[1]),
                        text_num("treasures", counts[2]), text_num("m", counts[3]),
                        text_str("card", door), text_str("card2", treasure)));
    row_memo_keep(words->rows, &key, out, from);
}

static void put_head(const struct table_words *words, struct text_out *out)
{
    const struct game *const view = words->view;
    const unsigned phase = query_phase(view);
    char who[SEATS_WORDS_SIZE];
    if (phase == PHASE_OVER) {
        const unsigned winners = query_winners(view);
        render_players(words, winners, who, sizeof who);
        const long count = (winners & (winners - 1)) == 0 ? 1 : 2;
        text_line(out, TEXT_TABLE_HEAD_OVER, TEXT_ARGS(text_str("who", who), text_num("n", count)));
    } else if (phase == PHASE_SETUP) {
        text_line(out, TEXT_TABLE_HEAD_SETUP, NULL);
    } else {
        render_line(words, out, MARK_HEAD, TEXT_TABLE_HEAD,
                    TEXT_ARGS(text_num("n", (long)query_round(view)),
                              text_str("who", render_player(words, query_turn(view))),
                              text_str("phase", render_phase(words))));
    }
}

static void put_row(const struct table_words *words, struct text_out *out)
{
    render_mark(words, out, MARK_ROW);
    render_mark(words, out, MARK_END);
}

static void put_table(const struct scene *scene, enum brevity brevity, struct text_out *out)
{
    const struct table_words *const words = &scene->words;
    put_head(words, out);
    put_fight(scene, false, brevity, out);
    put_roll(words, out);
    if (!words->asked) {
        const bool few = words->small || brevity >= COUNT_GEAR;
        render_asks(scene, ~0u, few ? ASKS_TOLD : ASKS_MAX, out);
    }
    const unsigned seats = query_seat_count(words->view);
    for (unsigned seat = 0; seat < seats; seat++) {
        if (words->small) {
            put_row(words, out);
            put_small_player(words, seat, out);
        } else {
            put_player(words, seat, brevity, out);
        }
    }
    if (words->small) {
        put_row(words, out);
    }
    put_pile(words, PILE_FACE_UP, TEXT_TABLE_FACE_UP, out);
    put_pile(words, PILE_AWARD, TEXT_TABLE_AWARD, out);
    put_pile(words, PILE_BODY, TEXT_TABLE_BODY, out);
    if (!words->small) {
        put_decks(words, brevity, out);
    }
}

// Whether a phone shows it, below what is asked, with some lines of the story.
static bool is_short(const struct scene *scene, const char *table)
{
    char above[ASKS_TOLD * ASK_LINE_SIZE];
    struct text_out asks;
    text_begin(&asks, above, sizeof above);
    if (scene->fight.on && scene->words.asked) {
        render_asks(scene, ~0u, ASKS_TOLD, &asks);
    }
    return text_phone_lines(above) + text_phone_lines(table) <= SMALL_LINES;
}

size_t render_table(const struct scene *scene, char *out, size_t size)
{
    const struct table_words *const words = &scene->words;
    struct text_out text;
    for (unsigned brevity = TELL_ALL; brevity < BREVITY_TOTAL; brevity++) {
        text_begin(&text, out, size);
        put_table(scene, brevity, &text);
        const bool seen = !words->small || brevity > TELL_ALL || is_short(scene, out);
        if (seen && (words->budget == 0 || text.length <= words->budget)) {
            return text.length;
        }
    }
    return render_cut(out, words->budget, TEXT_TABLE_CUT);
}

// The seats, highest Level first; equal Levels in order of sitting.
static unsigned seats_by_level(const struct table_words *words, unsigned seats[MB_SEATS_MAX])
{
    const unsigned count = query_seat_count(words->view);
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i;
        for (; at > 0 && query_level(words->view, seats[at - 1]) < query_level(words->view, i);
             at--) {
            seats[at] = seats[at - 1];
        }
        seats[at] = i;
    }
    return count;
}

size_t render_score(const struct table_words *words, char *out, size_t size)
{
    unsigned seats[MB_SEATS_MAX];
    struct text_out text;
    text_begin(&text, out, size);
    const unsigned count = seats_by_level(words, seats);
    for (unsigned i = 0; i < count; i++) {
        const bool alive = query_alive(words->view, seats[i]);
        text_line(&text, TEXT_SCORE_LINE,
                  TEXT_ARGS(text_num("n", (long)(i + 1)),
                            text_str("who", render_player(words, seats[i])),
                            text_num("level", (long)query_level(words->view, seats[i])),
                            text_num("m", query_strength(words->view, words->box, seats[i])),
                            text_str("dead", alive ? "" : text_sentence(TEXT_SCORE_DEAD))));
    }
    if (query_phase(words->view) != PHASE_OVER) {
        text_line(&text, TEXT_SCORE_GOAL,
                  TEXT_ARGS(text_num("n", words->box->profile.constant[PROFILE_GOAL])));
    }
    return text.length;
}

size_t render_victory(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    const unsigned winners = query_winners(words->view);
    if (winners != 0) {
        char who[SEATS_WORDS_SIZE];
        render_players(words, winners, who, sizeof who);
        const bool one = (winners & (winners - 1)) == 0;
        render_line(words, &text, MARK_HEAD, one ? TEXT_WINS : TEXT_WIN_TOGETHER,
                    TEXT_ARGS(text_str("who", who)));
    }
    return text.length;
}

size_t render_result(const struct table_words *words, const struct highlights *highlights,
                     char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    text_line(&text, TEXT_SESSION_STANDING,
              TEXT_ARGS(text_num("n", (long)query_round(words->view))));
    size_t length = text.length;
    length += render_score(words, out + length, size - length);
    return length + render_best_moment(words, highlights, out + length, size - length);
}

size_t render_commitment(enum text_id id, const char *hash, char *out, size_t size)
{
    char first[RENDER_SEAL_DIGITS + 1]; // binding enough, and no more than anybody would compare
    struct text_out text;
    text_begin(&text, first, sizeof first);
    text_raw(&text, hash);
    text_begin(&text, out, size);
    text_line(&text, id, TEXT_ARGS(text_str("hash", first)));
    return text.length;
}
