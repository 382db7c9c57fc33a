// Two halls side by side: what is said, pressed, asked and waited for at both.
#include "tests/twins/halls/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_limits.h"
#include "bot/parse/parse.h"
#include "bot/tools/invariants.h"

#include "tests/support/chance.h"

enum { OPENING_MAX = 120, ROOM_SIZE = 64, CHOICES = 12, BOTS_MAX = 3, START_MAX_MS = 1000 };

const char PAIR_PLACE[] = "tavern";
const char *const PAIR_NAMES[PAIR_PEOPLE] = {"Ann", "Bob", "Cy", "Dot"};
static const char ONLOOKER[] = "Eve";
static const char NEXT_DOOR[] = "cellar";

unsigned pair_below(struct pair *pair, unsigned bound)
{
    return mb_rng_below(&pair->rng, bound);
}

const struct table *pair_table(const struct pair *pair, unsigned side)
{
    return stage_table(&pair->side[side], PAIR_PLACE);
}

const struct game *pair_game(const struct pair *pair, unsigned side)
{
    return table_game(pair_table(pair, side));
}

bool pair_runs(const struct pair *pair)
{
    for (unsigned side = 0; side < 2; side++) {
        const struct table *const table = pair_table(pair, side);
        if (table == NULL || table_state(table) != TABLE_RUNNING) {
            return false;
        }
    }
    return true;
}

/* Time and words. */

// From one instant at which something happens to the next, so that all that is said has its own.
void pair_pass_at(struct pair *pair, unsigned side, int64_t ms)
{
    struct stage *const stage = &pair->side[side];
    const int64_t end = pair->told[side].now_ms + ms;
    do {
        const int64_t left = end - pair->told[side].now_ms;
        const int64_t due = hall_due_ms(stage->hall);
        const int64_t next = due < 0 || due > left ? left : due;
        pair->told[side].now_ms += next;
        stage_pass(stage, next);
        pair_hear(pair, side);
    } while (pair->told[side].now_ms < end);
}

void pair_pass(struct pair *pair, int64_t ms)
{
    pair_pass_at(pair, 0, ms);
    pair_pass_at(pair, 1, ms);
}

// `on`: the message that is pressed, or "".
static void hear_at(struct pair *pair, unsigned side, const struct chat_in *in, const char *on)
{
    struct chat_in heard = *in;
    if (pair->steps == 0) {
        pair_pass_at(pair, side, HALL_PERSON_REFILL_MS); // at leisure: nobody is rationed
    }
    if (pair->through[side] != NULL) {
        heard.answer = through_asked(pair->through[side], in, on);
        heard.open = false;
    }
    stage_hear(&pair->side[side], pair->side[side].chat, &heard);
    pair_hear(pair, side);
}

static void room_of(const char *person, char room[ROOM_SIZE])
{
    (void)snprintf(room, ROOM_SIZE, "private room of %s", person);
}

static void say_at(struct pair *pair, unsigned side, const char *person, const char *line,
                   bool aloud)
{
    char room[ROOM_SIZE];
    room_of(person, room);
    if (pair->talks && side == 0) {
        (void)printf("  %s%s: %s\n", person, aloud ? "" : " (aside)", line);
    }
    const struct chat_in in = {.place = aloud ? PAIR_PLACE : room,
                               .person = person,
                               .line = line,
                               .direct = !aloud,
                               .open = aloud};
    hear_at(pair, side, &in, "");
}

void pair_say(struct pair *pair, unsigned seat, const char *line, bool aloud)
{
    say_at(pair, 0, PAIR_NAMES[seat], line, aloud);
    say_at(pair, 1, PAIR_NAMES[seat], line, aloud);
}

void pair_whisper_at(struct pair *pair, unsigned side, unsigned seat, const char *line)
{
    say_at(pair, side, PAIR_NAMES[seat], line, false);
}

bool pair_think(struct pair *pair, unsigned side, unsigned seat, const struct policy *policy,
                char line[STAGE_LINE_SIZE])
{
    return stage_think(&pair->side[side], PAIR_PLACE, seat, policy, &pair->rng, line);
}

// A control of the newest card, or of somebody's own newest hand.
static bool press(struct pair *pair, unsigned seat)
{
    char room[ROOM_SIZE];
    room_of(PAIR_NAMES[seat], room);
    const bool card = pair_below(pair, 2) == 0;
    const struct fake_message *shown[2];
    for (unsigned side = 0; side < 2; side++) {
        shown[side] = fake_newest(pair->side[side].chat, card ? CHAT_CARD : CHAT_HAND,
                                  card ? PAIR_PLACE : room, card ? NULL : PAIR_NAMES[seat]);
        if (shown[side] == NULL || shown[side]->control_count == 0) {
            return false;
        }
    }
    char line[STAGE_LINE_SIZE];
    const unsigned control = pair_below(pair, (unsigned)shown[0]->control_count);
    (void)snprintf(line, sizeof line, "%s", shown[0]->controls[control].line);
    const char *const opens = shown[0]->controls[control].opens;
    const bool numbered = opens[0] == '\0' && shown[0]->path[0] != '\0';
    for (unsigned side = 0; side < 2; side++) {
        const struct chat_in in = {.place = card ? PAIR_PLACE : room,
                                   .person = PAIR_NAMES[seat],
                                   .line = line,
                                   .direct = !card,
                                   .kind = CHAT_IN_PRESS,
                                   .bond = shown[side]->bond,
                                   .path = opens[0] != '\0' ? opens : shown[side]->path,
                                   .pressed = numbered ? (uint16_t)(control + 1) : 0};
        hear_at(pair, side, &in, shown[side]->id);
    }
    return true;
}

/* Questions. */

// The name of a card that differs, at one side or the other.
static const char *name_of_secret(struct pair *pair)
{
    struct table_words words;
    if (pair->swap.count == 0 ||
        !hall_words(pair->side[0].hall, pair->side[0].chat, PAIR_PLACE, pair->secret, &words)) {
        return "Potted Basilisk";
    }
    const uint16_t card = pair->swap.cards[pair_below(pair, 2)][pair_below(pair, pair->swap.count)];
    return catalog_name(words.catalog, words.box->card_def[card]);
}

// At the table next door, where the first two sit: in the same hall somebody else's game.
static void ask_next_door(struct pair *pair)
{
    static const char *const LINES[] = {"status", "kick", "loot", "done", "log", "why kick"};
    const unsigned line = pair_below(pair, sizeof LINES / sizeof LINES[0]);
    for (unsigned side = 0; side < 2; side++) {
        const struct chat_in in = {
            .place = NEXT_DOOR, .person = ONLOOKER, .line = LINES[line], .open = true};
        hear_at(pair, side, &in, "");
    }
}

// What only looks, or is refused, or names what another may hold.
static void ask_aside(struct pair *pair, const char *person)
{
    enum { LOOK_COUNT = 22 };
    static const char *const LOOKS[LOOK_COUNT] = {
        "status",       "hand",        "log",        "score",      "orders",
        "why pass",     "why kick",    "why run",    "why hold",   "why done",
        "why loot",     "help",        "why accept", "why refuse", "why fight",
        "why withdraw", "why ask all", "stats",      "nonsense",   "orders pass below 10",
        "orders clear", "undo",
    };
    static const char *const NAMING[] = {
        "why play %s",    "play %s", "why play %s on %s", "why offer %s for %s to %s",
        "card %s",        "show %s", "why give %s to %s", "why choose %s",
        "why discard %s",
    };
    char line[STAGE_LINE_SIZE];
    const char *const card = name_of_secret(pair);
    const char *const whom = PAIR_NAMES[pair->secret];
    if (pair_below(pair, 2) == 0) {
        (void)snprintf(line, sizeof line, "%s",
                       LOOKS[pair_below(pair, LOOK_COUNT - (pair->acted ? 0 : 1))]);
    } else {
        const char *const form = NAMING[pair_below(pair, sizeof NAMING / sizeof NAMING[0])];
        size_t length = 0;
        unsigned names = 0;
        for (const char *at = form; *at != '\0' && length + 2 < sizeof line; at++) {
            if (*at == '%') {
                // Of "offer" the second name is a card's, too.
                const bool name = names == 0 || (names == 1 && strstr(form, "for") != NULL);
                length +=
                    (size_t)snprintf(line + length, sizeof line - length, "%s", name ? card : whom);
                names++;
                at++;
            } else {
                line[length++] = *at;
            }
        }
        line[length] = '\0';
    }
    const bool aloud = pair_below(pair, 2) == 0;
    say_at(pair, 0, person, line, aloud);
    say_at(pair, 1, person, line, aloud);
}

static void ask_offers(struct pair *pair, const char *person)
{
    static const char *const BEGUN[] = {"",  "play ", "choose ", "offer ", "why ",  "use ",
                                        "c", "card ", "give ",   "ask ",   "sell ", "play P"};
    pair_hear_offers(pair, person, BEGUN[pair_below(pair, sizeof BEGUN / sizeof BEGUN[0])]);
}

/* What happens. */

// Whether a command names a card of the secret hand that differs.
static bool names_secret(const struct pair *pair, const struct command *command)
{
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < pair->swap.count; i++) {
            const uint16_t card = pair->swap.cards[side][i];
            bool named = command->card == card ||
                         (command->target_kind != TARGET_SEAT && command->target == card);
            for (unsigned j = 0; j < command->list_count; j++) {
                named = named || command->list[j] == card;
            }
            for (unsigned j = 0; j < command->more_count; j++) {
                named = named || command->more[j] == card;
            }
            if (named) {
                return true;
            }
        }
    }
    return false;
}

// The secret seat does something that says nothing of what differs and is understood and legal at
// both sides. False if luck finds nothing.
static bool act_in_public(struct pair *pair)
{
    char line[STAGE_LINE_SIZE];
    for (unsigned i = 0; i < CHOICES; i++) {
        struct table_words words[2];
        struct request request[2];
        struct parse_error error;
        bool good = pair_think(pair, 0, pair->secret, &POLICY_RANDOM, line);
        for (unsigned side = 0; good && side < 2; side++) {
            struct refusal why = {0};
            const struct stage *const stage = &pair->side[side];
            good = hall_words(stage->hall, stage->chat, PAIR_PLACE, pair->secret, &words[side]) &&
                   parse_request(&words[side], line, &request[side], &error) &&
                   request[side].kind == REQUEST_GAME &&
                   !names_secret(pair, &request[side].command) &&
                   game_check(words[side].view, words[side].box, &request[side].command, &why);
        }
        if (good && request[0].command.verb != VERB_SHOW &&
            invariants_same_command(&request[0].command, &request[1].command)) {
            pair_say(pair, pair->secret, line, pair_below(pair, 2) == 0);
            return true;
        }
    }
    return false;
}

static bool waits_for(const struct table_due *due, unsigned seat)
{
    return (due->clock == CLOCK_TURN || due->clock == CLOCK_DECISION) &&
           (due->seats >> seat & 1u) != 0;
}

static bool wait_a_while(struct pair *pair)
{
    const struct table_due due = table_due(pair_table(pair, 0));
    const int64_t patience = pair->kind->patience(pair);
    int64_t ms = pair_below(pair, 4) != 0 ? due.ms : due.ms / 2;
    ms = ms < patience ? ms : patience;
    if (due.kind == TABLE_DUE_NEVER || ms < 0) {
        return false;
    }
    if (pair->talks) {
        (void)printf("  %lld ms pass\n", (long long)ms);
    }
    pair_pass(pair, ms > 0 ? ms : 1);
    return true;
}

// The process dies at both sides, and somebody speaks to the next one.
static void die(struct pair *pair, const char *person)
{
    enum { ODD_MS = 1500 };
    if (pair->talks) {
        (void)printf("  the process dies\n");
    }
    pair_pass(pair, 1 + (int64_t)pair_below(pair, ODD_MS)); // countdowns end between seconds
    if (!pair->kind->keeps(pair)) {
        return; // that was what makes it known
    }
    for (unsigned side = 0; side < 2; side++) {
        stage_again(&pair->side[side]);
        pair_hear(pair, side);
        say_at(pair, side, person, "status", true);
    }
}

bool pair_step(struct pair *pair)
{
    const unsigned seat = (pair->secret + 1 + pair_below(pair, pair->people - 1)) % pair->people;
    const char *const asker = pair_below(pair, 4) == 0 ? ONLOOKER : PAIR_NAMES[seat];
    char line[STAGE_LINE_SIZE];
    // What happens meanwhile may be what makes it known: that all others have passed.
    pair_pass(pair, HALL_PERSON_REFILL_MS);
    if (!pair->kind->keeps(pair) || !pair_runs(pair)) {
        return false;
    }
    const struct table_due due = table_due(pair_table(pair, 0));
    const bool secret_must = waits_for(&due, pair->secret);
    pair->steps++;
    ask_offers(pair, asker);
    if (pair_below(pair, 4) == 0) {
        ask_aside(pair, asker);
        return true;
    }
    if (pair_below(pair, 8) == 0) {
        ask_next_door(pair);
        return true;
    }
    if (pair_below(pair, 12) == 0) {
        die(pair, asker);
        return true;
    }
    if (pair_below(pair, 6) == 0 && press(pair, seat)) {
        return true;
    }
    if (pair->kind->acts && (secret_must || pair_below(pair, 4) == 0) && act_in_public(pair)) {
        return true;
    }
    if (pair_think(pair, 0, seat, &POLICY_RANDOM, line)) {
        pair_say(pair, seat, line, pair_below(pair, 2) == 0);
        pair->acted = pair->acted || strcmp(line, "pass") != 0;
        return true;
    }
    return !(secret_must && pair->kind->acts && pair_below(pair, 2) == 0) && wait_a_while(pair);
}

void pair_end(struct pair *pair)
{
    static const char *const LINES[] = {"end", "end", "new"}; // it is asked whether they are sure
    for (unsigned i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        pair_say(pair, 0, LINES[i], true);
        pair_compare(pair);
    }
}

void pair_go_on(struct pair *pair, const struct policy *policy)
{
    const struct table_due due = table_due(pair_table(pair, 0));
    const unsigned first = pair_below(pair, pair->people);
    const bool anybody = pair_below(pair, 4) == 0;
    char line[STAGE_LINE_SIZE];
    for (unsigned i = 0; i < pair->people; i++) {
        const unsigned seat = (first + i) % pair->people;
        if ((anybody || (due.seats >> seat & 1u) != 0) && pair_think(pair, 0, seat, policy, line)) {
            pair_say(pair, seat, line, true);
            return;
        }
    }
    if (due.kind != TABLE_DUE_NEVER) {
        pair_pass(pair, due.ms);
    }
}

/* Begin and end. */

// What chats can: buttons at each message, pages as well, and as the two networks tell a turn.
static uint32_t caps_of(const struct pair *pair)
{
    static const uint32_t CAPS[] = {FAKE_CAPS_ALL, THROUGH_CAPS,
                                    CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_SCARCE |
                                        CHAT_CAP_STORY | CHAT_CAP_NUMBERS};
    return pair->discord ? THROUGH_CAPS : CAPS[pair->number % (sizeof CAPS / sizeof CAPS[0])];
}

static void open_side(struct pair *pair, unsigned side, const struct catalog *catalog,
                      unsigned bots)
{
    struct stage *const stage = &pair->side[side];
    char line[STAGE_LINE_SIZE];
    chance_fix();
    stage_open(stage, catalog);
    fake_can(stage->chat, caps_of(pair));
    stage_again(stage);
    if (pair->discord) {
        pair->through[side] = through_open(&pair->told[side], PAIR_NAMES[pair->secret]);
    }
    pair_pass_at(pair, side, 1 + (int64_t)(pair->number % START_MAX_MS));
    stage->lines = (unsigned long)pair->number * 1000;
    stage_start(stage, NEXT_DOOR, 2, 1);
    (void)snprintf(line, sizeof line, "new sets=%s", pair->kind->sets);
    say_at(pair, side, PAIR_NAMES[0], line, true);
    for (unsigned i = 1; i < pair->people && i < PAIR_PEOPLE; i++) {
        say_at(pair, side, PAIR_NAMES[i], "join", true);
    }
    for (unsigned i = 0; i < bots; i++) {
        say_at(pair, side, PAIR_NAMES[0], i % 2 == 0 ? "add-bot ruthless" : "add-bot", true);
    }
    say_at(pair, side, PAIR_NAMES[0], "start", true);
    for (unsigned i = 0; i < pair->people && i < PAIR_PEOPLE; i++) {
        say_at(pair, side, PAIR_NAMES[i], "done", true);
    }
    for (unsigned i = 0; i < pair->people && i < PAIR_PEOPLE; i++) {
        pair_whisper_at(pair, side, i, i < 2 ? "at 2" : "status");
    }
}

void pair_open(struct pair *pair, const struct catalog *catalog)
{
    pair->people = 3 + pair_below(pair, PAIR_PEOPLE - 2);
    pair->secret = pair_below(pair, pair->people);
    const unsigned bots = pair_below(pair, BOTS_MAX);
    open_side(pair, 0, catalog, bots);
    open_side(pair, 1, catalog, bots);
    const struct policy *const policy = pair_below(pair, 2) == 0 ? &POLICY_RANDOM : &POLICY_ROOKIE;
    for (unsigned i = pair_below(pair, OPENING_MAX); i > 0 && pair_runs(pair); i--) {
        pair_go_on(pair, policy);
    }
    pair_compare(pair);
}

void pair_close(struct pair *pair)
{
    for (unsigned side = 0; side < 2; side++) {
        through_close(pair->through[side]);
        stage_close(&pair->side[side]);
        free(pair->told[side].text);
        free(pair->told[side].ids);
    }
}
