// What is always there: the table's card for everybody, each player's hand for them alone. Both are
// sent when and only when they have changed, and made only when they may have.
#include <string.h>

#include "core/moves.h"

#include "bot/hall/controls.h"
#include "bot/hall/hall_impl.h"
#include "bot/render/render.h"

static uint32_t caps_of(const struct hall *hall, const struct hall_table *table)
{
    return chat_caps(hall->chats[table->chat]);
}

static bool is_running(const struct hall_table *table)
{
    return session_state(table->session) == SESSION_RUNNING;
}

static uint64_t hash_of(const struct hall *hall, const char *text)
{
    return keyed_hash(hall->secret, text, strlen(text)) | 1u; // 0: nothing shown
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    return (key ^ value) * UINT64_C(0x100000001B3);
}

static uint64_t hash_with(const struct hall *hall, const struct control_list *controls)
{
    return hash_of(hall, hall->text) ^ keyed_hash(hall->secret, controls->text, controls->used);
}

// Of the card, but for how much time is left: that is no change by itself, or who passes unseen
// would be seen in it. What lengthens the time is one.
static uint64_t hash_of_card(struct hall *hall, const struct hall_table *table,
                             const struct control_list *controls)
{
    enum { LEFT_SIZE = 64 };
    char left[LEFT_SIZE];
    struct table_words words;
    struct text_out out;
    session_words(table->session, NO_SEAT, &words);
    text_begin(&out, left, sizeof left);
    text_put(&out, TEXT_TABLE_LEFT, TEXT_ARGS(text_num("n", (long)words.left_s)));
    char *const at = words.left_s > 0 ? strstr(hall->text, left) : NULL;
    if (at == NULL) {
        return hash_with(hall, controls);
    }
    const struct pause window = query_pause(words.view, PAUSE_WIN);
    const struct pause moment = query_pause(words.view, PAUSE_ANSWER);
    const uint64_t time = (uint64_t)window.restarts << 24 | (uint64_t)window.holds << 16 |
                          (uint64_t)moment.restarts << 8 | moment.holds;
    const char first = *at;
    *at = '\0';
    const uint64_t before = hash_with(hall, controls);
    *at = first;
    return mix(mix(before, hash_of(hall, at + strlen(left))), time) | 1u;
}

static uint16_t open_decision(const struct table_words *words, unsigned seat)
{
    struct query_decision decision;
    query_decision(words->view, words->box, seat, &decision);
    return decision.kind < DECIDE_TOTAL ? decision.id : 0;
}

static uint16_t decision_of_table(const struct table_words *words)
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if ((query_undecided(words->view) & seat_bit(seat)) != 0) {
            return open_decision(words, seat);
        }
    }
    return 0;
}

// Round and turn, never 0 while a game runs; only facts that everybody sees.
static unsigned turn_of(const struct hall_table *table)
{
    const struct game *const game = session_game(table->session);
    return is_running(table) ? query_round(game) * MB_SEATS_MAX + query_turn(game) + 1 : 0;
}

static void lobby_controls(struct hall_table *table, struct control_list *out)
{
    if (session_state(table->session) == SESSION_LOBBY) {
        controls_add(out, text_sentence(TEXT_CONTROL_JOIN), "join");
        controls_add(out, text_sentence(TEXT_CONTROL_ADD_BOT), "add-bot");
        controls_add(out, text_sentence(TEXT_CONTROL_START), "start");
        controls_add(out, text_sentence(TEXT_CONTROL_LEAVE), "leave");
    }
}

// Buttons of the card, from the onlooker's view; returns the open question.
static uint16_t card_controls(struct hall *hall, struct hall_table *table, struct control_list *out)
{
    struct table_words words;
    out->count = 0;
    out->used = 0;
    if ((caps_of(hall, table) & CHAT_CAP_BUTTONS) == 0) {
        return 0;
    }
    lobby_controls(table, out);
    if (!is_running(table)) {
        return 0;
    }
    session_words(table->session, NO_SEAT, &words);
    controls_public(&words, query_awaited(words.view) | seat_bit(query_turn(words.view)), out);
    return decision_of_table(&words);
}

void hall_show_card(struct hall *hall, struct hall_table *table)
{
    const bool edits = (caps_of(hall, table) & CHAT_CAP_EDIT) != 0;
    const unsigned turn = turn_of(table);
    // Where nothing can be edited the card comes when a turn begins; narration tells the rest.
    if (session_state(table->session) == SESSION_EMPTY ||
        (!edits && (turn == 0 || turn == table->card_turn))) {
        return;
    }
    struct control_list controls;
    (void)session_card(table->session, hall->text, sizeof hall->text);
    const uint16_t decision = card_controls(hall, table, &controls);
    const uint64_t hash = hash_of_card(hall, table, &controls);
    if (hash == table->card_hash) {
        return;
    }
    struct chat_out out = {.kind = CHAT_CARD,
                           .place = table->place,
                           .text = hall->text,
                           .bond = {.on = CHAT_ON_CARD, .decision = decision},
                           .controls = controls.items,
                           .control_count = controls.count};
    out.bond.version = ++table->card_version;
    table->card_turn = turn;
    const bool later = hall_post(hall, table, &out, 0) == POSTED_LATER;
    table->card_hash = later ? 0 : hash;
}

// The moment: while it stays the same no hand message changes. It is compared and never shown, so
// it may look at the state itself.
static uint64_t key_of_moment(const struct hall_table *table, unsigned seat)
{
    const struct game *const game = session_game(table->session);
    const struct session_due due = session_due(table->session);
    uint64_t key = mix(UINT64_C(0xCBF29CE484222325), (unsigned)session_state(table->session));
    key = mix(key, query_phase(game));
    key = mix(key, query_turn(game));
    key = mix(key, query_count(game, PILE_FIGHT));
    if ((due.seats & seat_bit(seat)) != 0) {
        key = mix(key, due.clock + 1);
        key = mix(key, query_pause(game, PAUSE_WIN).restarts);
        key = mix(key, query_pause(game, PAUSE_ANSWER).restarts);
    }
    key = mix(key, query_level(game, seat));
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        key = mix(key, deal->to == seat || deal->to == ALL_SEATS ? deal->id + 1u : 0);
    }
    const unsigned piles[] = {pile_hand(seat), pile_table(seat)};
    for (size_t i = 0; i < sizeof piles / sizeof piles[0]; i++) {
        struct card_list cards;
        query_pile(game, piles[i], &cards);
        key = mix(key, cards.count);
        for (unsigned j = 0; j < cards.count; j++) {
            key = mix(key, cards.cards[j] * 256u + query_flags(game, cards.cards[j]));
        }
    }
    return key;
}

static uint64_t key_of_command(uint64_t key, const struct command *command)
{
    key = mix(key, command->verb | (unsigned)command->side << 8 |
                       (unsigned)command->target_kind << 16 | (unsigned)command->ability << 24);
    key = mix(key, command->card | (unsigned)command->target << 16);
    key = mix(key, command->to | (unsigned)command->about << 8 | (unsigned)command->bribe << 16);
    for (unsigned i = 0; i < command->list_count; i++) {
        key = mix(key, command->list[i]);
    }
    for (unsigned i = 0; i < command->more_count; i++) {
        key = mix(key, command->more[i]);
    }
    return key;
}

// What a hand message is made of: the cards, what may be done, what is asked.
static uint64_t key_of_moves(struct hall *hall, const struct hall_table *table, unsigned seat)
{
    const struct game *const game = session_game(table->session);
    const struct box *const box = session_box(table->session);
    struct move_list *const moves = &hall->workspace->moves;
    struct query_decision decision;
    struct card_list cards;
    query_decision(game, box, seat, &decision);
    query_pile(game, pile_hand(seat), &cards);
    uint64_t key = mix(decision.kind < DECIDE_TOTAL ? decision.id + 1u : 0, cards.count);
    key = mix(key, (uint64_t)query_hand_limit(game, box, seat));
    for (unsigned i = 0; i < cards.count; i++) {
        key = mix(key, cards.cards[i]);
    }
    moves->count = 0;
    moves->overflow = false;
    moves_list_own(game, box, seat, moves);
    for (uint32_t i = 0; i < moves->count; i++) {
        if (controls_has(&moves->items[i])) {
            key = key_of_command(key, &moves->items[i].command);
        }
    }
    return key;
}

// The news on top, then what the player has and is asked, all from their own view, whose moves are
// in the workspace.
static void render(struct hall *hall, const struct table_words *words,
                   const struct hall_guest *guest)
{
    struct text_out text;
    text_begin(&text, hall->text, sizeof hall->text);
    if (guest != NULL && guest->news.length > 0) {
        text_raw(&text, guest->news.at);
    }
    size_t at = text.length < sizeof hall->text ? text.length : sizeof hall->text - 1;
    at += render_hand_with(words, &hall->workspace->moves, hall->text + at, sizeof hall->text - at);
    at = at < sizeof hall->text ? at : sizeof hall->text - 1;
    (void)render_question(words, hall->text + at, sizeof hall->text - at);
}

// What the player may press beside the hand.
static void hand_controls(struct hall *hall, const struct hall_table *table,
                          const struct table_words *words, struct control_list *out)
{
    out->count = 0;
    out->used = 0;
    if ((caps_of(hall, table) & CHAT_CAP_BUTTONS) != 0) {
        controls_private(words, &hall->workspace->moves, out);
    }
}

static enum posted send_hand(struct hall *hall, struct hall_table *table, struct hall_guest *guest,
                             const struct table_words *words, const struct control_list *controls)
{
    struct chat_out out = {
        .kind = CHAT_HAND,
        .place = table->place,
        .person = hall_person(hall, guest->person)->id,
        .text = hall->text,
        .bond = {.on = CHAT_ON_HAND, .decision = open_decision(words, words->seat)},
        .controls = controls->items,
        .control_count = controls->count};
    out.bond.version = ++guest->hand_version;
    return hall_post(hall, table, &out, 0);
}

static void whisper_news(struct hall *hall, struct hall_table *table, struct hall_guest *guest)
{
    if (guest->news.length > 0) {
        struct chat_out out = {.kind = CHAT_WHISPER,
                               .place = table->place,
                               .person = hall_person(hall, guest->person)->id,
                               .text = guest->news.at};
        (void)hall_post(hall, table, &out, 0);
        pile_clear(&guest->news);
    }
}

static void show_hand(struct hall *hall, struct hall_table *table, struct hall_guest *guest,
                      unsigned seat)
{
    const bool edits = (caps_of(hall, table) & CHAT_CAP_EDIT) != 0;
    const uint64_t news = guest->news.length > 0 ? hash_of(hall, guest->news.at) : 0;
    const uint64_t key = mix(key_of_moment(table, seat), news);
    if (!edits) {
        whisper_news(hall, table, guest);
        const struct session_due due = session_due(table->session);
        // Those who only may speak in a window are not shown their hand again.
        const bool asked = (due.seats & seat_bit(seat)) != 0 &&
                           (due.clock == CLOCK_TURN || due.clock == CLOCK_DECISION);
        if (!asked) {
            return;
        }
    }
    const uint64_t moves =
        key != guest->hand_key ? mix(key_of_moves(hall, table, seat), news) | 1u : 0;
    if (moves == 0 || moves == guest->hand_moves) {
        guest->hand_key = key;
        return;
    }
    struct table_words words;
    session_words(table->session, seat, &words);
    // Listed anew: nothing that is shown comes from anything but their own view.
    moves_list_own(words.view, words.box, seat, &hall->workspace->moves);
    render(hall, &words, guest);
    struct control_list controls;
    hand_controls(hall, table, &words, &controls);
    const uint64_t hash = hash_with(hall, &controls);
    enum posted posted = POSTED;
    if (hash != guest->hand_hash) {
        posted = send_hand(hall, table, guest, &words, &controls);
    }
    guest->unreachable = guest->unreachable && posted != POSTED;
    guest->hand_key = posted == POSTED_LATER ? 0 : key;
    guest->hand_moves = posted == POSTED_LATER ? 0 : moves;
    guest->hand_hash = posted == POSTED ? hash : 0; // what did not arrive is tried again
}

void hall_show_hands(struct hall *hall, struct hall_table *table)
{
    const enum session_state state = session_state(table->session);
    if (state != SESSION_RUNNING && state != SESSION_PAUSED) {
        return;
    }
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        struct hall_guest *const guest = &table->guests[i];
        const unsigned seat = guest->used && guest->sits ? hall_guest_seat(table, guest) : NO_SEAT;
        if (seat != NO_SEAT) {
            show_hand(hall, table, guest, seat);
        }
    }
}

bool hall_bond_is_stale(const struct hall *hall, struct hall_table *table, uint32_t person,
                        const struct chat_bond *bond)
{
    (void)hall;
    const struct hall_guest *const guest = hall_guest_of(table, person);
    if (bond->on == CHAT_ON_CARD) {
        return bond->version != table->card_version;
    }
    return guest == NULL || !guest->sits || bond->version != guest->hand_version;
}
