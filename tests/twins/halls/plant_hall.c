// Faults on the way of a table's words: in what is shown, answered, offered and due (plant.h). Each
// lets one bit slip in one way: what hands hold, who has passed, what was answered. The names of
// the functions are the linker's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loop/query.h"

#include "bot/parse/complete.h"
#include "bot/table/pace.h"
#include "bot/table/table.h"

#include "tests/twins/plant.h"

// NOLINTBEGIN(readability-identifier-naming): ld --wrap makes the names
void __real_table_show(struct table_workspace *workspace, struct table_outcome *outcome);
void __wrap_table_show(struct table_workspace *workspace, struct table_outcome *outcome);
enum table_answer __real_table_decide(const struct table *table, uint64_t stamp,
                                      const struct deed *deed, struct table_workspace *workspace,
                                      struct table_outcome *outcome);
enum table_answer __wrap_table_decide(const struct table *table, uint64_t stamp,
                                      const struct deed *deed, struct table_workspace *workspace,
                                      struct table_outcome *outcome);
const struct pace_lengths *__real_pace_lengths(enum pace pace);
const struct pace_lengths *__wrap_pace_lengths(enum pace pace);
int64_t __real_pace_clock_ms(const struct table_options *options, unsigned kind);
int64_t __wrap_pace_clock_ms(const struct table_options *options, unsigned kind);
bool __real_table_words(const struct table *table, uint64_t stamp,
                        struct table_workspace *workspace, unsigned seat, struct table_words *out);
bool __wrap_table_words(const struct table *table, uint64_t stamp,
                        struct table_workspace *workspace, unsigned seat, struct table_words *out);
void __real_complete_line(const struct table_words *words, const char *line, size_t cursor,
                          struct complete_list *out);
void __wrap_complete_line(const struct table_words *words, const char *line, size_t cursor,
                          struct complete_list *out);
unsigned __real_query_win_level(const struct game *game, const struct box *box);
unsigned __wrap_query_win_level(const struct game *game, const struct box *box);

// NOLINTEND(readability-identifier-naming)

enum fault {
    FAULT_NONE,
    FAULT_NARRATION, // the narration says it
    FAULT_ONLY_LATE, // the same, but only when somebody is at Level 5 or more
    FAULT_WINDOW,    // the same, but only while a window or moment is open
    FAULT_MESSAGE,   // there is a narration more
    FAULT_PINGS,     // who is called
    FAULT_ASKED,     // whom the card is said to ask
    FAULT_CARD,      // the public card says it
    FAULT_EDIT,      // the card is edited although nothing of it has changed
    FAULT_NO_EDIT,   // the card is not edited although something has
    FAULT_CONTROL,   // the card has a control less
    FAULT_LABEL,     // a control is called otherwise
    FAULT_VERSION,   // what controls are bound to
    FAULT_DECISION,  // the same
    FAULT_ORDER,     // the card comes before the narration
    FAULT_WHISPER,   // somebody else is told something in private
    FAULT_HAND,      // somebody else's hand is shown once more
    FAULT_REPLY,     // every look says it
    FAULT_LOG,       // the log does
    FAULT_STATUS,    // status does
    FAULT_CODE,      // another code or rule of a refusal
    FAULT_NAMED,     // who names a card of another's hand is refused otherwise
    FAULT_WHY,       // whether something may be done is answered otherwise
    FAULT_BOTS,      // when bot players act
    FAULT_LENGTH,    // how long clocks run
    FAULT_STAKES,    // how long a window is open
    FAULT_OFFERS,    // what is offered to who types
    FAULT_PROMPT,    // what a lock screen shows, which of these chats Discord alone has
    FAULT_TOTAL
};

static const char *const FAULTS[FAULT_TOTAL] = {
    [FAULT_NARRATION] = "narration", [FAULT_ONLY_LATE] = "only_late",
    [FAULT_WINDOW] = "window",       [FAULT_MESSAGE] = "message",
    [FAULT_PINGS] = "pings",         [FAULT_ASKED] = "asked",
    [FAULT_CARD] = "card",           [FAULT_EDIT] = "edit",
    [FAULT_NO_EDIT] = "no_edit",     [FAULT_CONTROL] = "control",
    [FAULT_LABEL] = "label",         [FAULT_VERSION] = "version",
    [FAULT_DECISION] = "decision",   [FAULT_ORDER] = "order",
    [FAULT_WHISPER] = "whisper",     [FAULT_HAND] = "hand",
    [FAULT_REPLY] = "reply",         [FAULT_LOG] = "log",
    [FAULT_STATUS] = "status",       [FAULT_CODE] = "code",
    [FAULT_NAMED] = "named",         [FAULT_WHY] = "why",
    [FAULT_BOTS] = "bots",           [FAULT_LENGTH] = "length",
    [FAULT_STAKES] = "stakes",       [FAULT_OFFERS] = "offers",
    [FAULT_PROMPT] = "prompt",
};

enum { LONGER_MS = 700 };

static enum fault planted;
static bool bit; // of the table that was decided last, but for the one next door

bool plant(const char *name)
{
    for (unsigned i = 0; i < FAULT_TOTAL; i++) {
        if (FAULTS[i] != NULL && strcmp(FAULTS[i], name) == 0) {
            planted = (enum fault)i;
            return true;
        }
    }
    return false;
}

// What nobody may learn: are more odd cards in hands than even, have an odd number passed, or
// answered a call, or named what is sealed?
static bool secret_of(const struct game *game)
{
    unsigned odd = query_pause(game, PAUSE_WIN).passed ^ query_pause(game, PAUSE_ANSWER).passed;
    for (unsigned i = 0; i < query_deal_count(game); i++) {
        const struct deal *const deal = query_deal(game, i);
        odd ^= deal->to == ALL_SEATS ? (unsigned)deal->accepted : 0u;
    }
    odd ^= odd >> 4;
    odd ^= odd >> 2;
    odd ^= odd >> 1;
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        for (uint16_t card = query_first(game, pile_hand(seat)); card != NO_CARD;
             card = query_next(game, card)) {
            odd ^= card;
        }
    }
    return (odd & 1u) != 0;
}

static bool is_next_door(const struct table *table)
{
    return strcmp(table_site_place(table, 0), "cellar") == 0;
}

static void note(const struct table *table)
{
    if (table_state(table) == TABLE_RUNNING && !is_next_door(table)) {
        bit = secret_of(table_game(table));
    }
}

static void add_words(struct table_outcome *outcome, struct message *message)
{
    char text[16384];
    (void)snprintf(text, sizeof text, "%s (odd)", message->text);
    message_retell(&outcome->said, message, text);
}

static struct message *first_of(struct table_outcome *outcome, enum message_to to)
{
    for (size_t i = 0; i < outcome->said.count; i++) {
        if (outcome->said.items[i].to == to) {
            return &outcome->said.items[i];
        }
    }
    return NULL;
}

static void take_out(struct table_outcome *outcome, struct message *message)
{
    struct message_list *const said = &outcome->said;
    const size_t at = (size_t)(message - said->items);
    memmove(message, message + 1, (--said->count - at) * sizeof *message);
}

static bool is_late(const struct game *game)
{
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        if (query_level(game, seat) >= 5) {
            return true;
        }
    }
    return false;
}

static void spoil_narration(struct table_outcome *outcome, struct message *told)
{
    const struct game *const game = table_game(outcome->after);
    const unsigned clock = table_due(outcome->after).clock;
    const bool window = clock == CLOCK_WINDOW || clock == CLOCK_ANSWER;
    if (planted == FAULT_NARRATION || (planted == FAULT_ONLY_LATE && is_late(game)) ||
        (planted == FAULT_WINDOW && window)) {
        add_words(outcome, told);
    } else if (planted == FAULT_PINGS) {
        told->pings ^= 1;
    } else if (planted == FAULT_MESSAGE) {
        (void)message_add(&outcome->said, MESSAGE_TABLE, NO_SEAT, "Hm.");
    }
}

static void spoil_card(struct table_outcome *outcome, struct message *card)
{
    if (planted == FAULT_ASKED) {
        card->asked ^= 1;
    } else if (planted == FAULT_CARD) {
        add_words(outcome, card);
    } else if (planted == FAULT_NO_EDIT) {
        take_out(outcome, card);
    } else if (planted == FAULT_CONTROL && card->control_count > 0) {
        card->control_count--;
    } else if (planted == FAULT_LABEL && card->control_count > 0) {
        card->controls[0].label = "*";
    } else if (planted == FAULT_VERSION) {
        card->version++;
    } else if (planted == FAULT_DECISION) {
        card->decision++;
    } else if (planted == FAULT_ORDER && card != outcome->said.items) {
        struct message first = outcome->said.items[0];
        outcome->said.items[0] = *card;
        *card = first;
    }
}

static void spoil_prompts(struct message_list *said)
{
    for (size_t i = 0; planted == FAULT_PROMPT && i < said->count; i++) {
        char *const prompt = said->items[i].prompt;
        const size_t length = strlen(prompt);
        if (length > 0) {
            (void)snprintf(prompt + length, CHAT_PROMPT_SIZE - length, " (odd)");
        }
    }
}

// The step of a table that may be shown too often.
static void spoil_boards(struct table_outcome *outcome)
{
    if (planted == FAULT_EDIT) {
        table_forget_shown(outcome->after, 1, 0);
    } else if (planted == FAULT_HAND) {
        table_forget_shown(outcome->after, 0, 0xFF);
    } else if (planted == FAULT_WHISPER) {
        for (unsigned seat = 0; seat < table_seat_count(outcome->after); seat++) {
            (void)message_add(&outcome->said, MESSAGE_PRIVATE, seat, "Psst.");
        }
    }
}

void __wrap_table_show(struct table_workspace *workspace, struct table_outcome *outcome)
{
    const bool aside = is_next_door(outcome->after);
    note(outcome->after);
    if (bit && !aside) {
        spoil_boards(outcome);
    }
    __real_table_show(workspace, outcome);
    if (!bit || aside) {
        return;
    }
    struct message *const told = first_of(outcome, MESSAGE_TABLE);
    struct message *const card = first_of(outcome, MESSAGE_CARD);
    spoil_prompts(&outcome->said);
    if (told != NULL) {
        spoil_narration(outcome, told);
    }
    if (card != NULL) {
        spoil_card(outcome, card);
    }
}

// Whether a line names a card that lies in some hand.
static bool names_held(const struct table *table, struct table_workspace *workspace,
                       const char *line)
{
    const struct game *const game = table_game(table);
    struct table_words words;
    if (!__real_table_words(table, 0, workspace, NO_SEAT, &words)) {
        return false;
    }
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        for (uint16_t card = query_first(game, pile_hand(seat)); card != NO_CARD;
             card = query_next(game, card)) {
            if (strstr(line, catalog_name(words.catalog, words.box->card_def[card])) != NULL) {
                return true;
            }
        }
    }
    return false;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static void spoil_reply(const struct table *table, const struct deed *deed,
                        struct table_workspace *workspace, struct table_outcome *outcome)
{
    struct message *const reply = first_of(outcome, MESSAGE_REPLY);
    if (reply == NULL || deed->kind != DEED_LINE || table_state(table) != TABLE_RUNNING) {
        return;
    }
    const bool refused = outcome->answer == TABLE_REFUSED;
    if ((planted == FAULT_REPLY && !refused && bit) ||
        (planted == FAULT_LOG && begins(deed->line, "log") && bit) ||
        (planted == FAULT_STATUS && begins(deed->line, "status") && bit) ||
        (planted == FAULT_WHY && begins(deed->line, "why") && bit)) {
        add_words(outcome, reply);
    } else if ((planted == FAULT_CODE && refused && bit) ||
               (planted == FAULT_NAMED && refused && names_held(table, workspace, deed->line))) {
        reply->refusal.amount++;
    }
}

enum table_answer __wrap_table_decide(const struct table *table, uint64_t stamp,
                                      const struct deed *deed, struct table_workspace *workspace,
                                      struct table_outcome *outcome)
{
    note(table);
    const enum table_answer answer = __real_table_decide(table, stamp, deed, workspace, outcome);
    if (answer == TABLE_REFUSED || answer == TABLE_LOOKED) {
        spoil_reply(table, deed, workspace, outcome);
    }
    return answer;
}

const struct pace_lengths *__wrap_pace_lengths(enum pace pace)
{
    static struct pace_lengths lengths;
    lengths = *__real_pace_lengths(pace);
    lengths.bots_ms += planted == FAULT_BOTS && bit ? LONGER_MS : 0;
    return &lengths;
}

int64_t __wrap_pace_clock_ms(const struct table_options *options, unsigned kind)
{
    return __real_pace_clock_ms(options, kind) + (planted == FAULT_LENGTH && bit ? LONGER_MS : 0);
}

bool __wrap_table_words(const struct table *table, uint64_t stamp,
                        struct table_workspace *workspace, unsigned seat, struct table_words *out)
{
    note(table);
    return __real_table_words(table, stamp, workspace, seat, out);
}

void __wrap_complete_line(const struct table_words *words, const char *line, size_t cursor,
                          struct complete_list *out)
{
    __real_complete_line(words, line, cursor, out);
    if (planted == FAULT_OFFERS && bit && out->count > 0) {
        out->count--;
    }
}

unsigned __wrap_query_win_level(const struct game *game, const struct box *box)
{
    const unsigned level = __real_query_win_level(game, box);
    return planted == FAULT_STAKES && secret_of(game) ? level + 8 : level;
}
