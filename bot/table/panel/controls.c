#include "bot/table/panel/controls.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/seen/moves.h"

#include "bot/parse/parse.h"
#include "bot/render/asks.h"
#include "bot/render/render.h"
#include "bot/render/scene.h"
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

bool controls_asks(const struct scene *scene, unsigned seats, struct control_list *out)
{
    unsigned wanted = 0;
    const size_t before = out->count;
    for (unsigned i = 0; i < scene->asks.count; i++) {
        const struct ask *const ask = &scene->asks.items[i];
        struct ask_say says[ASK_SAYS_MAX];
        const unsigned count = (ask->seats & seats) != 0 ? ask_says(scene, ask, says) : 0;
        wanted += count;
        for (unsigned j = 0; j < count && out->count < CONTROLS_ASKED_MAX; j++) {
            controls_add(out, says[j].label, says[j].line);
            controls_tone(out, j == 0 ? CHAT_LIKELY : CHAT_PLAIN);
        }
    }
    return wanted > 0 && out->count - before == wanted;
}

void controls_card(const struct scene *scene, unsigned seats, struct control_list *out)
{
    const struct table_words *const words = &scene->words;
    unsigned count = 0;
    (void)controls_asks(scene, ~0u, out);
    for (unsigned rank = 1; rank < VERB_TOTAL && count < PUBLIC_MOMENT_MAX; rank++) {
        const enum verb verb = command_ranked(rank);
        const bool offered = verb == VERB_ACCEPT || verb == VERB_REFUSE;
        if (!offered && controls_bare(verb) != NULL && anybody_may(words, seats, verb)) {
            controls_add(out, controls_bare(verb), command_word(verb));
            controls_tone(out, count == 0 ? CHAT_LIKELY : CHAT_PLAIN);
            count++;
        }
    }
    controls_open(out, text_sentence(TEXT_CONTROL_ACT), "a");
    controls_tone(out, out->count == 1 ? CHAT_LIKELY : CHAT_PLAIN);
    controls_open(out, text_sentence(TEXT_CONTROL_HAND), "h");
    if (count < PUBLIC_MOMENT_MAX && asks_for_help(words)) {
        const bool haggles = asks_price(&scene->asks, ~0u);
        controls_open(out, text_sentence(haggles ? TEXT_CONTROL_OTHER_PRICE : TEXT_CONTROL_ASK),
                      "d");
    }
    controls_open(out, text_sentence(TEXT_CONTROL_TABLE), "s");
}

// The fight if that call for help, or offer of it, is accepted, tried on the view. False: that is
// not known.
static bool helped(const struct scene *scene, const struct command *command,
                   struct query_fight *then)
{
    const struct box *const box = scene->words.box;
    const bool asks = command->verb == VERB_ASK;
    const unsigned helper = asks ? command->to : command->seat;
    struct command yes = command_plain(asks ? helper : scene->fight.main, VERB_ACCEPT);
    struct refusal why = {0};
    if (helper >= MB_SEATS_MAX || !scene_try(scene, command)) {
        return false;
    }
    struct game *const after = scene->trial->after;
    for (unsigned i = 0; i < query_deal_count(after); i++) {
        const struct deal *const deal = query_deal(after, i);
        const bool about_help = deal->kind == DEAL_ASK || deal->kind == DEAL_VOLUNTEER;
        if (about_help && deal->from == command->seat) {
            yes.n = (int16_t)deal->id;
        }
    }
    // Some cards make a helper of who is asked.
    if (query_helper(after) != helper && !game_step(after, box, &yes, NULL, &why)) {
        return false;
    }
    query_fight(after, box, then);
    return then->on && then->helper == helper;
}

// `then`: the fight if it is accepted; NULL: not known.
static void put_help(const struct scene *scene, const struct command *command,
                     const struct query_fight *then, char *out, size_t size)
{
    const bool asks = command->verb == VERB_ASK;
    const char *const who = command->to < MB_SEATS_MAX ? scene->words.players[command->to]
                                                       : text_sentence(TEXT_CONTROL_EVERYBODY);
    const enum text_id free = asks ? TEXT_CONTROL_ASK_FREE : TEXT_CONTROL_VOLUNTEER_FREE;
    const enum text_id priced = asks ? TEXT_CONTROL_ASK_FOR : TEXT_CONTROL_VOLUNTEER_FOR;
    char sums[LINE_SIZE];
    struct text_out text;
    text_begin(&text, sums, sizeof sums);
    if (then != NULL) {
        text_put(&text, TEXT_CONTROL_SUMS,
                 TEXT_ARGS(text_num("players", then->players), text_num("m", then->monsters)));
    }
    text_begin(&text, out, size);
    text_put(&text, command->n > 0 ? priced : free,
             TEXT_ARGS(text_str("who", who), text_num("n", command->n), text_str("sums", sums)));
}

bool controls_help_label(const struct scene *scene, const struct command *command, char *out,
                         size_t size)
{
    struct query_fight then;
    if (command->verb != VERB_ASK && command->verb != VERB_VOLUNTEER) {
        return false;
    }
    put_help(scene, command, helped(scene, command, &then) ? &then : NULL, out, size);
    return true;
}

void controls_helpers(const struct scene *scene, struct control_list *out)
{
    const struct table_words *const words = &scene->words;
    const struct query_fight *const now = &scene->fight;
    unsigned told = 0;
    if (!now->on || now->players_win || now->main != words->seat) {
        return;
    }
    for (unsigned i = 1; i < query_seat_count(words->view) && told < CONTROLS_HELPERS_MAX; i++) {
        struct command ask = command_plain(words->seat, VERB_ASK);
        struct query_fight then;
        char line[LINE_SIZE];
        char label[LINE_SIZE];
        ask.to = (uint8_t)((words->seat + i) % query_seat_count(words->view));
        ask.n = (int16_t)(now->treasures > 1 ? now->treasures / 2 : now->treasures);
        if (helped(scene, &ask, &then) && then.players_win) {
            (void)parse_format(words, &ask, line, sizeof line);
            put_help(scene, &ask, &then, label, sizeof label);
            controls_add(out, label, line);
            told++;
        }
    }
}

/* In private, by numbers. */

// The options of a question that is open, by their numbers.
static void add_options(const struct scene *scene, struct control_list *out)
{
    const struct query_decision *const question = &scene->question;
    for (unsigned i = 0; i < question->option_count && question->kind != DECIDE_NUMBER; i++) {
        char line[LINE_SIZE];
        struct command command = command_plain(scene->words.seat, VERB_CHOOSE);
        command.list[0] = question->options[i];
        command.list_count = 1;
        if (question->max == 1) { // where more are picked their numbers are listed
            (void)parse_format(&scene->words, &command, line, sizeof line);
        } else {
            (void)snprintf(line, sizeof line, "%s %u", command_word(VERB_CHOOSE), i + 1);
        }
        controls_add(out, line, line);
    }
}

// What is said in several ways is begun: the number, and the rest in words.
static void add_saying(const struct scene *scene, const struct saying *saying,
                       struct control_list *out)
{
    char line[LINE_SIZE];
    char label[2 * LINE_SIZE];
    char how[LINE_SIZE];
    struct text_out text;
    const struct command *const first = &scene_way(scene, saying, 0)->command;
    const struct command stem = scene_stem(first);
    text_begin(&text, how, sizeof how);
    scene_put_ways(scene, saying, false, &text);
    (void)parse_format(&scene->words, saying->count > 1 ? &stem : first, line, sizeof line);
    (void)snprintf(label, sizeof label, "%s%s", line, how);
    controls_add(out, label, line);
}

// What must go at the end of a turn, card by card; of several who may get it one is said behind the
// number.
static void add_excess(const struct scene *scene, unsigned verb, struct control_list *out)
{
    const size_t word = strlen(command_word((enum verb)verb)) + 1;
    const struct move *excess = NULL;
    for (uint32_t i = 0; i < scene->moves.count && excess == NULL; i++) {
        const struct move *const move = &scene->moves.items[i];
        excess = move->command.verb == verb && scene_is_excess(scene, move) ? move : NULL;
    }
    for (unsigned i = 0; excess != NULL && i < excess->candidate_count; i++) {
        struct command command = command_plain(scene->words.seat, (enum verb)verb);
        char line[LINE_SIZE];
        command.list[0] = excess->candidates[i];
        command.list_count = 1;
        const size_t length = parse_format(&scene->words, &command, line, sizeof line);
        char beside[LINE_SIZE];
        char label[2 * LINE_SIZE];
        render_card_beside(&scene->words, command.list[0], beside, sizeof beside);
        (void)snprintf(label, sizeof label, "%s%s", length > word ? line + word : line, beside);
        controls_add(out, label, line);
    }
}

// What Items bring stands before which they are, and what each is worth.
static void add_sale(const struct scene *scene, const struct command *command,
                     struct control_list *out)
{
    const struct table_words *const words = &scene->words;
    const long unit = words->box->profile.constant[PROFILE_SELL_UNIT];
    char line[LINE_SIZE];
    char prices[LINE_SIZE];
    char label[2 * LINE_SIZE];
    struct text_out text;
    const long gold =
        render_prices(words, command->list, command->list_count, prices, sizeof prices);
    (void)parse_format(words, command, line, sizeof line);
    text_begin(&text, label, sizeof label);
    text_put(&text, TEXT_CONTROL_SELL,
             TEXT_ARGS(text_num("n", unit > 0 ? gold / unit : 0), text_str("cards", prices)));
    if (text.length >= CHAT_LABEL_SIZE) { // whole names
        size_t cut = CHAT_LABEL_SIZE - sizeof " ...";
        while (cut > 0 && label[cut] != ',') {
            cut--;
        }
        if (cut > 0) {
            (void)snprintf(label + cut, sizeof label - cut, " ...");
        }
    }
    controls_add(out, label, line);
}

static void add_sayings(const struct scene *scene, unsigned verb, struct control_list *out)
{
    for (unsigned i = 0; i < scene->saying_count && out->count < CHAT_CONTROLS_MAX; i++) {
        const struct saying *const saying = &scene->sayings[i];
        const struct command *const command = &scene_way(scene, saying, 0)->command;
        if (command->verb == verb && verb == VERB_SELL) {
            add_sale(scene, command, out);
        } else if (command->verb == verb) {
            add_saying(scene, saying, out);
        }
    }
}

// A card of the hand is played by one number, which stands beside it.
static void add_plays(struct scene *scene, struct control_list *out)
{
    struct card_list cards;
    query_pile(scene->words.view, pile_hand(scene->words.seat), &cards);
    for (unsigned i = 0; i < cards.count; i++) {
        const struct saying *const play = scene_play(scene, cards.cards[i]);
        const size_t before = out->count;
        if (play != NULL) {
            add_saying(scene, play, out);
        }
        scene->plays[cards.cards[i]] = (uint8_t)(out->count > before ? out->count : 0);
    }
}

// Who leads a fight that they lose asks everybody by one number.
static void add_ask_all(const struct scene *scene, struct control_list *out)
{
    const struct table_words *const words = &scene->words;
    struct refusal why = {0};
    struct command command = command_plain(words->seat, VERB_ASK);
    command.to = ALL_SEATS;
    if (scene->fight.on && !scene->fight.players_win &&
        game_allows(words->view, words->box, &command, &why)) {
        char line[LINE_SIZE];
        (void)parse_format(words, &command, line, sizeof line);
        controls_add(out, text_sentence(TEXT_CONTROL_ASK_ALL), line);
    }
}

// Whether a bare word answers what they are not asked (any more).
static bool answers_nothing(const struct scene *scene, enum verb verb, bool asked)
{
    const bool offered = verb == VERB_ACCEPT || verb == VERB_REFUSE;
    const bool waits = (asks_seats(&scene->asks) & seat_bit(scene->words.seat)) != 0;
    return (offered && asked) || ((offered || verb == VERB_PASS) && !waits);
}

void controls_numbered(struct scene *scene, struct control_list *out, struct numbered *numbered)
{
    // What one seldom means (dropping a Class, say) is typed.
    static const uint8_t REST[] = {VERB_CHOOSE, VERB_FIGHT, VERB_USE, VERB_SACRIFICE, VERB_SELL};
    const unsigned reader = seat_bit(scene->words.seat);
    *numbered = (struct numbered){.lead = 0};
    memset(scene->plays, 0, sizeof scene->plays);
    scene->numbered = true;
    scene->gives = 0;
    if (scene->lists_options) {
        add_options(scene, out);
        return;
    }
    const bool asked = controls_asks(scene, reader, out);
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        if (!answers_nothing(scene, BARE[i].verb, asked) &&
            anybody_may(&scene->words, reader, BARE[i].verb)) {
            controls_add(out, text_sentence(BARE[i].label), command_word(BARE[i].verb));
        }
    }
    if (!asked) {
        controls_helpers(scene, out);
        add_ask_all(scene, out);
    }
    numbered->lead = out->count;
    add_excess(scene, VERB_CHARITY, out);
    add_excess(scene, VERB_DISCARD, out);
    numbered->given = out->count;
    scene->gives = (uint8_t)(numbered->given > numbered->lead ? numbered->lead + 1 : 0);
    add_plays(scene, out);
    numbered->rest = out->count;
    for (size_t verb = 0; verb < sizeof REST; verb++) {
        add_sayings(scene, REST[verb], out);
    }
}
