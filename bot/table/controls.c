#include "bot/table/controls.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/seen/moves.h"

#include "bot/parse/parse.h"
#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/text/text.h"

enum { LINE_SIZE = CHAT_LINE_SIZE, PUBLIC_MOMENT_MAX = 3 };

/* Building. */

// A copy of the text, cut to `most` bytes with their end; NULL when there is no room.
static const char *keep(struct control_list *list, const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length >= most) {
        length = most - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0u) == 0x80u) {
            length--;
        }
    }
    if (list->used + length + 1 > sizeof list->text) {
        return NULL;
    }
    char *const at = list->text + list->used;
    memcpy(at, text, length);
    at[length] = '\0';
    list->used += length + 1;
    return at;
}

// A line or a path: whole, or not at all.
static const char *keep_whole(struct control_list *list, const char *text, size_t size)
{
    return strlen(text) < size ? keep(list, text, size) : NULL;
}

void controls_begin(struct control_list *list)
{
    list->count = 0;
    list->choice_count = 0;
    list->used = 0;
}

static struct chat_control *add(struct control_list *list, const char *label, const char *line,
                                const char *leads)
{
    const size_t used = list->used;
    const char *const kept_label = keep(list, label, CHAT_LABEL_SIZE);
    const char *const kept_line = keep_whole(list, line, LINE_SIZE);
    const char *const kept_leads = keep_whole(list, leads, CHAT_PATH_SIZE);
    if (list->count == CHAT_CONTROLS_MAX || kept_label == NULL || kept_line == NULL ||
        kept_leads == NULL) {
        list->used = used;
        return NULL;
    }
    struct chat_control *const control = &list->items[list->count++];
    *control = (struct chat_control){
        .label = kept_label, .line = kept_line, .leads = kept_leads, .opens = ""};
    return control;
}

void controls_add(struct control_list *list, const char *label, const char *line)
{
    (void)add(list, label, line, "");
}

void controls_lead(struct control_list *list, const char *label, const char *path)
{
    (void)add(list, label, "", path);
}

void controls_open(struct control_list *list, const char *label, const char *path)
{
    struct chat_control *const control = add(list, label, "", path);
    if (control != NULL) {
        control->opens = control->leads;
        control->leads = "";
    }
}

void controls_form(struct control_list *list, const char *label, enum chat_form form)
{
    struct chat_control *const control = add(list, label, "", "");
    if (control != NULL) {
        control->kind = CHAT_FORM;
        control->form = (uint8_t)form;
    }
}

void controls_menu(struct control_list *list, const char *label, unsigned min, unsigned max)
{
    struct chat_control *const control = add(list, label, "", "");
    assert(control != NULL && list->choice_count == 0);
    control->kind = CHAT_MENU;
    control->min = (uint8_t)min;
    control->max = (uint8_t)max;
    control->choices = list->choices;
}

void controls_choice(struct control_list *list, const char *label, const char *line,
                     const char *path)
{
    struct chat_control *const menu = &list->items[list->count - 1];
    const size_t used = list->used;
    const struct chat_choice choice = {.label = keep(list, label, CHAT_LABEL_SIZE),
                                       .hint = "",
                                       .line = keep_whole(list, line, LINE_SIZE),
                                       .leads = keep_whole(list, path, CHAT_PATH_SIZE)};
    assert(list->count > 0 && menu->kind == CHAT_MENU);
    if (list->choice_count == CHAT_CHOICES_MAX || choice.label == NULL || choice.line == NULL ||
        choice.leads == NULL) {
        list->used = used;
        return;
    }
    list->choices[list->choice_count++] = choice;
    menu->choice_count = list->choice_count;
}

void controls_hint(struct control_list *list, const char *hint)
{
    const char *const kept = list->choice_count > 0 ? keep(list, hint, CHAT_HINT_SIZE) : NULL;
    if (kept != NULL) {
        list->choices[list->choice_count - 1].hint = kept;
    }
}

void controls_tone(struct control_list *list, enum chat_control_tone tone)
{
    if (list->count > 0) {
        list->items[list->count - 1].tone = (uint8_t)tone;
    }
}

/* In public. */

static const struct {
    enum verb verb;
    enum text_id label;
} BARE[] = {
    {VERB_KICK, TEXT_CONTROL_KICK},     {VERB_TAKE, TEXT_CONTROL_TAKE},
    {VERB_LOOT, TEXT_CONTROL_LOOT},     {VERB_RUN, TEXT_CONTROL_RUN},
    {VERB_PASS, TEXT_CONTROL_PASS},     {VERB_HOLD, TEXT_CONTROL_HOLD},
    {VERB_ACCEPT, TEXT_CONTROL_ACCEPT}, {VERB_REFUSE, TEXT_CONTROL_REFUSE},
    {VERB_DONE, TEXT_CONTROL_DONE},
};

const char *controls_bare(unsigned verb)
{
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        if (BARE[i].verb == verb) {
            return text_sentence(BARE[i].label);
        }
    }
    return NULL;
}

static bool anybody_may(const struct table_words *words, unsigned seats, enum verb verb)
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const struct command command = command_plain(seat, verb);
        struct refusal why = {0};
        if ((seats & seat_bit(seat)) != 0 && game_allows(words->view, words->box, &command, &why)) {
            return true;
        }
    }
    return false;
}

void controls_public(const struct table_words *words, unsigned seats, struct control_list *out)
{
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        if (anybody_may(words, seats, BARE[i].verb)) {
            controls_add(out, text_sentence(BARE[i].label), command_word(BARE[i].verb));
        }
    }
}

unsigned controls_bare_now(const struct table_words *words)
{
    unsigned verbs = 0;
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        verbs |= anybody_may(words, seat_bit(words->seat), BARE[i].verb) ? 1u << i : 0u;
    }
    return verbs;
}

// Whether who leads the fight could ask anybody for help, as all can see.
static bool asks_for_help(const struct table_words *words)
{
    for (unsigned from = 0; from < MB_SEATS_MAX; from++) {
        for (unsigned to = 0; to < MB_SEATS_MAX; to++) {
            struct command command = command_plain(from, VERB_ASK);
            struct refusal why = {0};
            command.to = (uint8_t)to;
            if (game_check(words->view, words->box, &command, &why)) {
                return true;
            }
        }
    }
    return false;
}

bool controls_asks(const struct table_words *words, unsigned seats, struct control_list *out)
{
    struct ask_list list;
    unsigned wanted = 0;
    const size_t before = out->count;
    asks_list(words, &list);
    for (unsigned i = 0; i < list.count; i++) {
        struct ask_say says[ASK_SAYS_MAX];
        const bool theirs = (list.items[i].seats & seats) != 0;
        const unsigned count = theirs ? ask_says(words, &list.items[i], says) : 0;
        wanted += count;
        for (unsigned j = 0; j < count && out->count < CONTROLS_ASKED_MAX; j++) {
            controls_add(out, says[j].label, says[j].line);
            controls_tone(out, j == 0 ? CHAT_LIKELY : CHAT_PLAIN);
        }
    }
    return wanted > 0 && out->count - before == wanted;
}

void controls_public_panel(const struct table_words *words, unsigned seats,
                           struct control_list *out)
{
    static const enum verb MOMENT[] = {VERB_KICK, VERB_TAKE, VERB_LOOT, VERB_RUN,
                                       VERB_DONE, VERB_PASS, VERB_HOLD};
    unsigned count = 0;
    (void)controls_asks(words, ~0u, out);
    for (size_t i = 0; i < sizeof MOMENT / sizeof MOMENT[0] && count < PUBLIC_MOMENT_MAX; i++) {
        if (anybody_may(words, seats, MOMENT[i])) {
            controls_add(out, controls_bare(MOMENT[i]), command_word(MOMENT[i]));
            controls_tone(out, count == 0 ? CHAT_LIKELY : CHAT_PLAIN);
            count++;
        }
    }
    controls_open(out, text_sentence(TEXT_CONTROL_ACT), "a");
    controls_tone(out, out->count == 1 ? CHAT_LIKELY : CHAT_PLAIN);
    controls_open(out, text_sentence(TEXT_CONTROL_HAND), "h");
    if (count < PUBLIC_MOMENT_MAX && asks_for_help(words)) {
        controls_open(out, text_sentence(TEXT_CONTROL_ASK), "d");
    } else if (count < PUBLIC_MOMENT_MAX) {
        controls_form(out, text_sentence(TEXT_CONTROL_WHY), CHAT_FORM_WHY);
    }
}

// Whether the fight would be won with that helper, tried on the view.
static bool wins_with(const struct table_words *words, const struct command *ask,
                      struct query_fight *then)
{
    struct game *const after = words->trial->after;
    const struct command yes = command_plain(ask->to, VERB_ACCEPT);
    struct refusal why = {0};
    if (!render_try(words, ask) || !game_step(after, words->box, &yes, NULL, &why)) {
        return false;
    }
    query_fight(after, words->box, then);
    return then->on && then->helper == ask->to && then->players_win;
}

void controls_helpers(const struct table_words *words, struct control_list *out)
{
    struct query_fight now;
    unsigned told = 0;
    query_fight(words->view, words->box, &now);
    if (words->trial == NULL || !now.on || now.players_win || now.main != words->seat) {
        return;
    }
    for (unsigned i = 1; i < query_seat_count(words->view) && told < CONTROLS_HELPERS_MAX; i++) {
        struct command ask = command_plain(words->seat, VERB_ASK);
        struct query_fight then;
        char line[LINE_SIZE];
        char label[LINE_SIZE];
        struct text_out text;
        ask.to = (uint8_t)((words->seat + i) % query_seat_count(words->view));
        ask.n = (int16_t)(now.treasures > 1 ? now.treasures / 2 : now.treasures);
        if (!wins_with(words, &ask, &then)) {
            continue;
        }
        (void)parse_format(words, &ask, line, sizeof line);
        text_begin(&text, label, sizeof label);
        text_put(&text, ask.n > 0 ? TEXT_CONTROL_ASK_FOR : TEXT_CONTROL_ASK_FREE,
                 TEXT_ARGS(text_str("who", words->players[ask.to]), text_num("n", ask.n),
                           text_num("players", then.players), text_num("m", then.monsters)));
        controls_add(out, label, line);
        told++;
    }
}

/* In private, without panels. */

// What stands beside a hand, the most pressing first.
static const uint8_t PRIVATE[] = {VERB_CHOOSE,    VERB_ACCEPT, VERB_REFUSE,  VERB_FIGHT,
                                  VERB_PLAY,      VERB_USE,    VERB_CHARITY, VERB_DISCARD,
                                  VERB_SACRIFICE, VERB_SELL};

bool controls_are_private(unsigned verb)
{
    return memchr(PRIVATE, (int)verb, sizeof PRIVATE) != NULL;
}

static void add_moves(const struct table_words *words, const struct move_list *moves, unsigned verb,
                      struct control_list *out)
{
    for (uint32_t i = 0; i < moves->count && out->count < CHAT_CONTROLS_MAX; i++) {
        char line[LINE_SIZE];
        if (moves->items[i].command.verb == verb) {
            (void)parse_format(words, &moves->items[i].command, line, sizeof line);
            controls_add(out, line, line);
        }
    }
}

void controls_private(const struct table_words *words, const struct move_list *moves,
                      struct control_list *out)
{
    for (size_t verb = 0; verb < sizeof PRIVATE; verb++) {
        add_moves(words, moves, PRIVATE[verb], out);
    }
}

/* In private, by numbers. */

// The options of a question that is open, by their numbers; false: none is, or its numbers are its
// options themselves.
static bool add_options(const struct table_words *words, struct control_list *out)
{
    struct query_decision decision;
    query_decision(words->view, words->box, words->seat, &decision);
    if (!render_lists_options(&decision)) {
        return false;
    }
    for (unsigned i = 0; i < decision.option_count && decision.kind != DECIDE_NUMBER; i++) {
        char line[LINE_SIZE];
        struct command command = command_plain(words->seat, VERB_CHOOSE);
        command.list[0] = decision.options[i];
        command.list_count = 1;
        if (decision.max == 1) { // where more are picked their numbers are listed
            (void)parse_format(words, &command, line, sizeof line);
        } else {
            (void)snprintf(line, sizeof line, "%s %u", command_word(VERB_CHOOSE), i + 1);
        }
        controls_add(out, line, line);
    }
    return true;
}

// What is said in several ways is begun: the number, and the rest in words.
static void add_subject(const struct table_words *words, const struct move_list *moves,
                        const struct command *first, struct control_list *out)
{
    char line[LINE_SIZE];
    char label[2 * LINE_SIZE];
    char how[LINE_SIZE];
    const struct command stem = render_stem(first);
    const bool several = render_ways(words, moves, &stem, how, sizeof how) > 1;
    (void)parse_format(words, several ? &stem : first, line, sizeof line);
    (void)snprintf(label, sizeof label, "%s%s", line, how);
    controls_add(out, label, line);
}

static bool is_told(const struct move_list *moves, uint32_t at)
{
    bool told = false;
    for (uint32_t i = 0; !told && i < at; i++) {
        told = render_is_way(&moves->items[i].command, &moves->items[at].command);
    }
    return told;
}

// What must go at the end of a turn, card by card. False: this is not about that.
static bool add_excess(const struct table_words *words, const struct move *move,
                       struct control_list *out)
{
    struct query_decision decision;
    const unsigned verb = move->command.verb;
    query_decision(words->view, words->box, words->seat, &decision);
    if (decision.kind != DECIDE_CHARITY || move->open != MOVE_LIST_OPEN || move->min > 1 ||
        (verb != VERB_DISCARD && verb != VERB_CHARITY)) {
        return false;
    }
    for (unsigned i = 0; i < move->candidate_count; i++) {
        struct command command = move->command;
        char line[LINE_SIZE];
        command.list[0] = move->candidates[i];
        command.list_count = 1;
        (void)parse_format(words, &command, line, sizeof line);
        controls_add(out, line, line);
    }
    return true;
}

static void add_subjects(const struct table_words *words, const struct move_list *moves,
                         unsigned verb, struct control_list *out)
{
    for (uint32_t i = 0; i < moves->count && out->count < CHAT_CONTROLS_MAX; i++) {
        if (moves->items[i].command.verb == verb && !is_told(moves, i) &&
            !add_excess(words, &moves->items[i], out)) {
            add_subject(words, moves, &moves->items[i].command, out);
        }
    }
}

// A card of the hand is played by one number, which stands beside it.
static void add_plays(const struct table_words *words, const struct move_list *moves,
                      struct control_list *out, struct numbered *numbered)
{
    struct card_list cards;
    query_pile(words->view, pile_hand(words->seat), &cards);
    for (unsigned i = 0; i < cards.count; i++) {
        const struct move *move = NULL;
        for (uint32_t j = 0; move == NULL && j < moves->count; j++) {
            const struct command *const command = &moves->items[j].command;
            move = command->verb == VERB_PLAY && command->card == cards.cards[i] ? &moves->items[j]
                                                                                 : NULL;
        }
        const size_t before = out->count;
        if (move != NULL) {
            add_subject(words, moves, &move->command, out);
        }
        numbered->plays[cards.cards[i]] = (uint8_t)(out->count > before ? out->count : 0);
    }
}

// Who leads a fight that they lose asks everybody by one number.
static void add_ask_all(const struct table_words *words, struct control_list *out)
{
    struct query_fight fight;
    struct refusal why = {0};
    struct command command = command_plain(words->seat, VERB_ASK);
    command.to = ALL_SEATS;
    query_fight(words->view, words->box, &fight);
    if (fight.on && !fight.players_win && game_allows(words->view, words->box, &command, &why)) {
        char line[LINE_SIZE];
        (void)parse_format(words, &command, line, sizeof line);
        controls_add(out, text_sentence(TEXT_CONTROL_ASK_ALL), line);
    }
}

// Whether a bare word answers what they are not asked (any more).
static bool answers_nothing(const struct table_words *words, enum verb verb, bool asked)
{
    struct ask_list list;
    asks_list(words, &list);
    const bool offered = verb == VERB_ACCEPT || verb == VERB_REFUSE;
    const bool waits = (asks_seats(&list) & seat_bit(words->seat)) != 0;
    return (offered && asked) || ((offered || verb == VERB_PASS) && !waits);
}

void controls_numbered(const struct table_words *words, const struct move_list *moves,
                       struct control_list *out, struct numbered *numbered)
{
    memset(numbered, 0, sizeof *numbered);
    numbered->options = add_options(words, out);
    if (numbered->options) {
        return;
    }
    const bool asked = controls_asks(words, seat_bit(words->seat), out);
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        if (!answers_nothing(words, BARE[i].verb, asked) &&
            anybody_may(words, seat_bit(words->seat), BARE[i].verb)) {
            controls_add(out, text_sentence(BARE[i].label), command_word(BARE[i].verb));
        }
    }
    if (!asked) {
        controls_helpers(words, out);
        add_ask_all(words, out);
    }
    numbered->lead = out->count;
    add_plays(words, moves, out, numbered);
    numbered->rest = out->count;
    for (size_t verb = 0; verb < sizeof PRIVATE; verb++) {
        if (controls_bare(PRIVATE[verb]) == NULL && PRIVATE[verb] != VERB_PLAY) {
            add_subjects(words, moves, PRIVATE[verb], out);
        }
    }
}
