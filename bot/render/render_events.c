#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/render/render_narrate.h"

enum { NARRATION_SIZE = 32768 };

/* A line that goes on. */

enum { LINE_PARTS_MAX = 6, LINE_MAX = 320 };

// How much of the line is the player it begins with and a blank; 0: it does not begin so.
static size_t subject_of(const struct table_words *words, const char *line, unsigned *seat)
{
    const char *const and = text_sentence(TEXT_AND);
    size_t longest = 0;
    for (unsigned i = 0; i < MB_SEATS_MAX; i++) {
        const char *const name = words->players[i] != NULL ? render_player(words, i) : "";
        const size_t length = strlen(name);
        if (length > 0 && length >= longest && strncmp(line, name, length) == 0 &&
            line[length] == ' ' && strncmp(line + length, and, strlen(and)) != 0) {
            longest = length + 1;
            *seat = i;
        }
    }
    return longest;
}

// A list is long enough without jokes: that of its first part waits for another time.
static void drop_joke(struct narrator *narrator)
{
    struct narration *const telling = narrator->words.telling;
    if (telling->length > telling->stop + 2) {
        narrator->words.told->cards[telling->joke / 8] &= (uint8_t)~(1u << telling->joke % 8);
    }
}

/** Texts of a part around its cards: "lays ", " on the table". */
struct around {
    const char *verb, *rest;
    size_t verb_length, rest_length;
};

// Of a sentence that is "{somebody} verb {cards} rest." and said in one way.
static bool read_around(enum text_id id, struct around *out)
{
    static const char CARDS[] = "{cards}";
    const char *const sentence = text_sentence(id);
    const char *const cards = strstr(sentence, CARDS);
    const char *const verb = strstr(sentence, "} ");
    if (cards == NULL || verb == NULL || verb > cards || strstr(sentence, " || ") != NULL) {
        return false;
    }
    const char *const rest = cards + strlen(CARDS);
    *out = (struct around){.verb = verb + 2, .rest = rest};
    out->verb_length = (size_t)(cards - out->verb);
    out->rest_length = strcspn(rest, ".");
    return memchr(out->verb, '{', out->verb_length) == NULL &&
           memchr(rest, '{', out->rest_length) == NULL && rest[out->rest_length] == '.';
}

static void cut(struct text_out *out, size_t length)
{
    out->length = length;
    out->at[length] = '\0';
}

// Puts a comma where the joint at `at` has become one of several.
static void to_comma(struct text_out *out, size_t at)
{
    char last[LINE_MAX];
    const size_t behind = at + strlen(text_sentence(TEXT_AND));
    (void)snprintf(last, sizeof last, "%s", out->at + behind);
    cut(out, at);
    text_raw(out, text_sentence(TEXT_COMMA));
    text_raw(out, last);
}

// "Ann equips Hood and plays Elf." and "lays Jar on the table.": "Ann equips Hood, plays Elf and
// lays Jar on the table."; and "lays Box on the table.": "... and lays Jar and Box on the table."
static void add_part(struct narration *telling, struct text_out *out, enum text_id id,
                     const char *added)
{
    struct around around;
    char part[LINE_MAX];
    const char stop[] = {out->at[telling->stop], '\n', '\0'};
    (void)snprintf(part, sizeof part, "%s", added);
    part[strlen(part) - 2] = '\0';
    cut(out, telling->stop);
    const bool more = telling->sentence == (int)id && read_around(id, &around);
    if (more) {
        cut(out, out->length - around.rest_length);
        if (telling->item != 0) {
            to_comma(out, telling->item);
        }
        telling->item = out->length;
    } else {
        if (telling->joint != 0) {
            to_comma(out, telling->joint);
        }
        telling->joint = out->length;
        telling->item = 0;
    }
    text_raw(out, text_sentence(TEXT_AND));
    text_raw(out, more ? part + around.verb_length : part);
    telling->stop = out->length;
    text_raw(out, stop);
    telling->length = out->length;
    telling->sentence = (int)id;
    telling->parts++;
}

// What comes of what the line before tells, whoever it happens to.
static bool follows(enum text_id id)
{
    static const uint16_t CLAUSES[] = {
        TEXT_LEVEL_KILL,       TEXT_LEVEL_HELP,        TEXT_TREASURES_LIE_OPEN,
        TEXT_MOVE_SHARED,      TEXT_MOVE_BODY,         TEXT_BODY_REST,
        TEXT_MOVE_DRAWN,       TEXT_MOVE_TREASURE,     TEXT_MOVE_STOLEN,
        TEXT_MOVE_LOST,        TEXT_LOSES_TO,          TEXT_CURSE_STAYS,
        TEXT_MOVE_LOOTED_ROOM, TEXT_MOVE_SETTLED,      TEXT_CURSE_GONE,
        TEXT_LEVEL_CURSE,      TEXT_LEVEL_BAD_STUFF,   TEXT_NOTE_MONSTER_LEAVES,
        TEXT_SUM_MOVES,        TEXT_NOTE_CURSE_VOID,   TEXT_NOTE_MONSTER_FOLLOWS,
        TEXT_NOTE_NOT_PURSUED, TEXT_BAD_STUFF_NOTHING, TEXT_LEVEL_CARD_UP,
        TEXT_LEVEL_CARD_DOWN};
    for (size_t i = 0; i < sizeof CLAUSES / sizeof CLAUSES[0]; i++) {
        if (CLAUSES[i] == id) {
            return true;
        }
    }
    return false;
}

// "Ann wins the tie!" and "Bob gains 1 Level.": "Ann wins the tie; Bob gains 1 Level!"
static void add_clause(struct narration *telling, struct text_out *out, const char *added)
{
    char clause[LINE_MAX];
    const char stop[] = {out->at[telling->stop], '\n', '\0'};
    (void)snprintf(clause, sizeof clause, "%s", added);
    clause[strlen(clause) - 2] = '\0';
    cut(out, telling->stop);
    text_raw(out, text_sentence(TEXT_TABLE_PART));
    text_raw(out, clause);
    telling->stop = out->length;
    text_raw(out, stop);
    telling->length = out->length;
    telling->joint = 0;
    telling->item = 0;
    telling->parts++;
}

void narrate_join(struct narrator *narrator, enum text_id id, size_t begin)
{
    struct narration *const telling = narrator->words.telling;
    struct text_out *const out = narrator->out;
    unsigned seat = NO_SEAT;
    if (telling == NULL || narrator->words.seat != NO_SEAT || out->full ||
        out->length < begin + 2) {
        return;
    }
    const size_t subject = subject_of(&narrator->words, out->at + begin, &seat);
    const char stop = out->at[out->length - 2];
    const bool whole = strstr(out->at + begin, ". ") == NULL;
    const bool joins = subject > 0 && whole;
    const bool room = whole && stop == '.' && telling->length == begin && begin > 0 &&
                      telling->parts < LINE_PARTS_MAX && out->length - telling->begin < LINE_MAX;
    if (room && joins && telling->seat == seat) {
        drop_joke(narrator);
        add_part(telling, out, id, out->at + begin + subject);
        return;
    }
    if (room && follows(id)) {
        drop_joke(narrator);
        add_clause(telling, out, out->at + begin);
        telling->seat = joins ? seat : (unsigned)NO_SEAT;
        telling->sentence = (int)id;
        return;
    }
    // "Ann kicks in the door: Elf and takes Elf in hand!" would be a list.
    const bool lists = strstr(out->at + begin, ": ") != NULL;
    telling->seat = joins && !lists && (stop == '.' || stop == '!') ? seat : (unsigned)NO_SEAT;
    telling->parts = 1;
    telling->begin = begin;
    telling->joint = 0;
    telling->item = 0;
    telling->sentence = (int)id;
    telling->stop = out->length - 2;
    telling->length = out->length;
}

/* A turn's heading. */

static bool tells_table(const struct narrator *narrator)
{
    return narrator->words.told != NULL && narrator->words.telling != NULL &&
           narrator->words.seat == NO_SEAT;
}

void narrate_head(struct narrator *narrator, unsigned turn, unsigned round)
{
    struct text_out *const out = narrator->out;
    const size_t begin = out->length;
    render_line(&narrator->words, out, MARK_HEAD, TEXT_NOTE_TURN_BEGINS,
                TEXT_ARGS(text_str("who", render_player(&narrator->words, turn)),
                          text_num("n", (long)round)));
    if (tells_table(narrator)) {
        narrator->words.told->turn = turn;
        narrator->words.told->round = round;
        *narrator->words.telling = (struct narration){.seat = NO_SEAT,
                                                      .parts = LINE_PARTS_MAX,
                                                      .begin = begin,
                                                      .length = out->length,
                                                      .head = out->length};
    }
}

// What is told first stands behind the heading.
static void run_on(struct narrator *narrator)
{
    struct narration *const telling = narrator->words.telling;
    struct text_out *const out = narrator->out;
    if (tells_table(narrator) && telling->head != 0 && out->length > telling->head) {
        out->at[telling->head - 1] = ' ';
        telling->head = 0;
        narrator->words.told->round = 0;
    }
}

// A heading that nothing follows is for people, who are waited for.
static void end_head(struct narrator *narrator)
{
    struct narration *const telling = narrator->words.telling;
    struct table_told *const told = narrator->words.told;
    if (!tells_table(narrator) || telling->head == 0) {
        return;
    }
    if ((narrator->words.bots & seat_bit(told->turn)) != 0) {
        cut(narrator->out, telling->begin);
        *telling = (struct narration){.seat = NO_SEAT};
    } else {
        told->round = 0;
    }
}

/* Events. */

uint16_t narrator_card(const struct narrator *narrator, uint16_t card)
{
    if (card >= narrator->words.box->card_count) {
        return NO_CARD;
    }
    if (render_knows(&narrator->words, card)) {
        return card;
    }
    // Gone out of sight again within the command, as when discards are shuffled.
    for (size_t i = 0; i < narrator->count; i++) {
        if (narrator->events[i].type == EVENT_MOVE && narrator->events[i].card == card) {
            return card;
        }
    }
    return NO_CARD;
}

const struct event *narrator_move(const struct narrator *narrator, uint16_t card, unsigned why)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_MOVE && event->why == why &&
            (card == NO_CARD || event->card == card)) {
            return event;
        }
    }
    return NULL;
}

uint16_t narrator_doer(const struct narrator *narrator, unsigned op)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        const uint16_t card =
            event->type == EVENT_MOVE ? narrator_card(narrator, event->card) : NO_CARD;
        const struct card_def *const def =
            card != NO_CARD ? box_def(narrator->words.box, card) : NULL;
        const struct row *const rows = def != NULL ? box_rows(narrator->words.box, def) : NULL;
        for (unsigned r = 0; def != NULL && r < def->row_count; r++) {
            if (rows[r].op == op && rows[r].when != WHEN_STATIC) {
                return card;
            }
        }
    }
    return NO_CARD;
}

const struct event *narrator_note(const struct narrator *narrator, unsigned note, uint16_t card)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == EVENT_NOTE && event->why == note &&
            (card == NO_CARD || event->card == card)) {
            return event;
        }
    }
    return NULL;
}

static bool same_kind_of_move(const struct event *a, const struct event *b)
{
    const bool equipped = ((a->m ^ b->m) & CARD_EQUIPPED) == 0;
    const bool discards = (a->to == PILE_DOOR_DISCARD || a->to == PILE_TREASURE_DISCARD) &&
                          (b->to == PILE_DOOR_DISCARD || b->to == PILE_TREASURE_DISCARD);
    const bool from = pile_owner(a->from) == pile_owner(b->from);
    return a->why == b->why && a->seat == b->seat && from && (a->to == b->to || discards) &&
           (equipped || a->why != MOVE_PLAYED) && (a->knowers == 0xFF) == (b->knowers == 0xFF);
}

static void narrate_move(struct narrator *narrator, const struct event *move)
{
    struct move_group *const group = &narrator->group;
    if (group->first != NULL && !same_kind_of_move(group->first, move)) {
        narrate_group(narrator);
    }
    if (group->first == NULL) {
        *group = (struct move_group){.first = move, .cards = {.plain = true}};
    }
    // A discarded card is known by name; the pile tells the back of one that is not.
    card_group_add(&group->cards, move->card, move->from);
}

static void narrate_won(struct narrator *narrator, unsigned mask)
{
    char who[RENDER_LIST_SIZE];
    render_players(&narrator->words, mask, who, sizeof who);
    const bool one = (mask & (mask - 1)) == 0;
    render_line(&narrator->words, narrator->out, MARK_HEAD, one ? TEXT_WINS : TEXT_WIN_TOGETHER,
                TEXT_ARGS(text_str("who", who)));
}

// In the set-up the only thing a seat's flags tell is that it is ready.
static void narrate_ready(struct narrator *narrator, const struct event *event)
{
    const bool setup = query_phase(narrator->words.view) == PHASE_SETUP ||
                       narrator_note(narrator, NOTE_GAME_STARTS, NO_CARD) != NULL;
    if (setup && event->why == SEAT_FIELD_FLAGS && (event->n & SEAT_READY) != 0) {
        narrate_group(narrator);
        const size_t begin = narrator->out->length;
        text_line(narrator->out, TEXT_READY,
                  TEXT_ARGS(text_str("who", render_player(&narrator->words, event->seat))));
        narrate_join(narrator, TEXT_READY, begin);
    }
}

static void narrate_event(struct narrator *narrator, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        narrate_move(narrator, event);
        break;
    case EVENT_FLAGS:
        narrate_flags(narrator, event);
        break;
    case EVENT_HOST:
        narrate_host(narrator, event);
        break;
    case EVENT_NOTE:
        narrate_group(narrator);
        narrate_note(narrator, event);
        break;
    case EVENT_LEVEL:
        narrate_group(narrator);
        if (event->why != LEVEL_SALE || narrator_move(narrator, NO_CARD, MOVE_SOLD) == NULL) {
            narrate_level(narrator, event);
        }
        break;
    case EVENT_SEAT:
        narrate_ready(narrator, event);
        break;
    case EVENT_ROLL:
        narrate_group(narrator);
        narrate_roll(narrator, event);
        break;
    case EVENT_DEATH:
        narrate_group(narrator);
        render_line(&narrator->words, narrator->out, MARK_BAD, TEXT_DIES,
                    TEXT_ARGS(text_str("who", render_player(&narrator->words, event->seat))));
        break;
    case EVENT_WON:
        narrate_group(narrator);
        narrate_won(narrator, event->mask);
        break;
    case EVENT_KNOW:    // told privately (render_secrets), or with NOTE_SHOWS
    case EVENT_DEAL:    // NOTE_DEAL_OPEN, _MADE and _OFF
    case EVENT_PROMISE: // told with the deal
    case EVENT_DECIDE:  // whom it waits for, at the end
    case EVENT_PAUSE:   // the window, at the end
    case EVENT_VERSION:
    case EVENT_DEAL_ANSWERS:
    case EVENT_ANSWER:     // sealed until all are in; what comes of it moves cards
    case EVENT_PASS:       // silence is consent: nobody needs to hear of each
    case EVENT_GAME:       // phases and turns have notes
    case EVENT_FIGHT:      // NOTE_FIGHT_BEGINS, _WON
    case EVENT_FIGHTER:    // NOTE_HELPER_JOINS, _LEAVES, FIGHT_TAKEN_OVER
    case EVENT_MONSTER:    // NOTE_MONSTER_JOINS, _LEAVES; sums at the end
    case EVENT_LASTING:    // what put it there is told; it shows in sums and in `status`
    case EVENT_OWED:       // paid and told when the fight is over
    case EVENT_SHUFFLE:    // NOTE_DECK_RESHUFFLED
    case EVENT_ORDER:      // secret
    case EVENT_CHANCE:     // secret
    case EVENT_FRAME_PUSH: // where the engine waits
    case EVENT_FRAME_SET:
    case EVENT_FRAME_POP:
    case EVENT_OPTIONS: // part of a decision
    case EVENT_DECIDED:
    case EVENT_FIGHT_FIELD:
    case EVENT_WAITING: // what waits its turn
    case EVENT_TOTAL:
        break;
    }
}

static bool moves_fight(const struct narrator *narrator, const struct query_fight *fight)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        const bool fighter = event->seat == fight->main || event->seat == fight->helper;
        switch ((enum event_type)event->type) {
        case EVENT_FIGHT:
        case EVENT_FIGHTER:
        case EVENT_MONSTER:
        case EVENT_LASTING:
            return true;
        case EVENT_MOVE:
            if (event->to == PILE_FIGHT || event->from == PILE_FIGHT ||
                pile_owner(event->to) == fight->main || pile_owner(event->from) == fight->main) {
                return true;
            }
            break;
        case EVENT_LEVEL:
            if (fighter) {
                return true;
            }
            break;
        default:
            break;
        }
    }
    return false;
}

static bool opens(const struct narrator *narrator, enum event_type type)
{
    for (size_t i = 0; i < narrator->count; i++) {
        const struct event *const event = &narrator->events[i];
        if (event->type == type &&
            (type != EVENT_PAUSE || event->n == PAUSE_OPENS || event->n == PAUSE_RESTARTS)) {
            return true;
        }
    }
    return false;
}

static unsigned people(const struct table_words *words)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        seats |= words->players[seat] != NULL ? seat_bit(seat) : 0u;
    }
    return seats & ~(unsigned)words->bots;
}

static void narrate_waiting(struct narrator *narrator)
{
    // Bot players decide without being waited for; whoever decides is shown the question.
    const unsigned seats = query_undecided(narrator->words.view) & ~narrator->words.bots;
    const bool alone = (people(&narrator->words) & ~seats) == 0 && (seats & (seats - 1)) == 0;
    if (seats == 0 || alone) { // nobody is there to be told
        return;
    }
    char who[RENDER_LIST_SIZE];
    render_players(&narrator->words, seats, who, sizeof who);
    const bool one = (seats & (seats - 1)) == 0;
    text_line(narrator->out, TEXT_WAITS_FOR_CHOICE,
              TEXT_ARGS(text_str("who", who), text_num("n", one ? 1 : 2)));
}

// Whether the fight stands as the table was told last; notes how it stands now.
static bool told_already(struct narrator *narrator, const struct query_fight *fight)
{
    struct table_told *const told = narrator->words.told;
    if (told == NULL || narrator->words.seat != NO_SEAT) {
        return false;
    }
    const bool same = told->fight && fight->on && told->players == fight->players &&
                      told->monsters == fight->monsters && told->main == fight->main &&
                      told->helper == fight->helper &&
                      told->monster_count == fight->monster_count && !fight->gave_up;
    told->fight = fight->on;
    told->players = fight->players;
    told->monsters = fight->monsters;
    told->main = fight->main;
    told->helper = fight->helper;
    told->monster_count = fight->monster_count;
    return same;
}

// An answer moment of those only who are not asked is over before anybody has read of it.
static bool asks(const struct table_words *words)
{
    const struct pause moment = query_pause(words->view, PAUSE_ANSWER);
    return moment.kind == PAUSE_NONE || (moment.waited & ~(words->bots | words->unasked)) != 0;
}

// A sum whose parts were told is a clause of what moves it, where that line may go on.
static void narrate_balance(struct narrator *narrator, const struct query_fight *fight, bool before)
{
    struct text_out *const out = narrator->out;
    const struct narration *const telling = narrator->words.telling;
    const size_t begin = out->length;
    const bool clause = before && telling != NULL && begin > 0 && telling->length == begin &&
                        telling->parts < LINE_PARTS_MAX;
    if (clause) {
        render_balance(&narrator->words, fight, BALANCE_MOVES, out);
        narrate_join(narrator, TEXT_SUM_MOVES, begin);
    }
    if (!clause || telling->begin == begin) {
        cut(out, begin);
        render_balance(&narrator->words, fight, BALANCE_SOURCES, out);
    }
}

// What the table looks like after it all: the fight's balance, a window, somebody's choice.
static void narrate_outcome(struct narrator *narrator)
{
    struct query_fight fight;
    query_fight(narrator->words.view, narrator->words.box, &fight);
    const bool over = query_phase(narrator->words.view) == PHASE_OVER;
    if (over) {
        return;
    }
    const struct table_told *const told = narrator->words.told;
    // A helper whom a monster minds is told with all that the monster counts for then.
    const bool helped =
        told != NULL && (told->helper == fight.helper || told->monsters == fight.monsters);
    const bool before = helped && told->fight && told->main == fight.main;
    if (!told_already(narrator, &fight) && fight.on && moves_fight(narrator, &fight)) {
        narrate_balance(narrator, &fight, before);
    }
    if (narrator->words.asked) {
        return;
    }
    if (opens(narrator, EVENT_PAUSE) && people(&narrator->words) != 0 && asks(&narrator->words)) {
        render_pause(&narrator->words, narrator->out);
    }
    if (opens(narrator, EVENT_DECIDE)) {
        narrate_waiting(narrator);
    }
}

static size_t filter(const struct event *events, size_t count, unsigned viewer, struct event *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (event_for_viewer(&events[i], viewer, &out[kept])) {
            kept++;
        }
    }
    return kept;
}

void narrate_all(struct narrator *narrator, bool outcome)
{
    const unsigned turn =
        narrator->words.view != NULL ? query_public_mark(narrator->words.view) : 0;
    if (tells_table(narrator) && narrator->words.told->round != 0) {
        narrate_head(narrator, narrator->words.told->turn, narrator->words.told->round);
    }
    for (size_t i = 0; i < narrator->count; i++) {
        narrator->out->turn = turn + (unsigned)i;
        narrate_event(narrator, &narrator->events[i]);
        run_on(narrator);
    }
    narrate_group(narrator);
    narrate_bare_roll(narrator);
    narrator->out->turn = 0;
    if (outcome) {
        narrate_outcome(narrator);
    }
    run_on(narrator);
    end_head(narrator);
}

// The narration of the step so far, if its last line may go on: taken up into `text`.
static struct message *goes_on(const struct table_words *words, const struct message_list *list,
                               struct text_out *text)
{
    struct narration *const telling = words->telling;
    size_t i = list->count;
    while (i > 0 && list->items[i - 1].to != MESSAGE_TABLE) {
        i--;
    }
    if (telling == NULL || telling->length == 0) {
        return NULL;
    }
    if (i == 0 || strlen(list->items[i - 1].text) != telling->length ||
        telling->length >= NARRATION_SIZE / 2) {
        *telling = (struct narration){.seat = NO_SEAT};
        return NULL;
    }
    text_raw(text, list->items[i - 1].text);
    return &list->items[i - 1];
}

void render_events(const struct table_words *words, const struct game *const *views,
                   const struct event *events, size_t count, struct message_list *out)
{
    struct event *const seen = mb_grow(NULL, count, sizeof *seen); // large: not zeroed
    char *const told = mb_grow(NULL, NARRATION_SIZE, 1);
    struct text_out text;
    text_begin(&text, told, NARRATION_SIZE);
    struct narrator narrator = {.words = *words, .events = seen, .out = &text};
    narrator.words.view = views[MB_SEATS_MAX];
    narrator.words.seat = NO_SEAT;
    narrator.count = filter(events, count, NO_SEAT, seen);
    struct message *const before = goes_on(words, out, &text);
    narrate_all(&narrator, true);
    if (text.length > 0 && before != NULL) {
        message_retell(out, before, told);
    } else if (text.length > 0) {
        message_add(out, MESSAGE_TABLE, NO_SEAT, told);
    }
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if (words->players[seat] != NULL && views[seat] != NULL) {
            narrator.words.view = views[seat];
            narrator.words.seat = seat;
            text_begin(&text, told, NARRATION_SIZE);
            render_secrets(&narrator, events, count);
            if (text.length > 0) {
                message_add(out, MESSAGE_PRIVATE, seat, told);
            }
        }
    }
    free(told);
    free(seen);
}
