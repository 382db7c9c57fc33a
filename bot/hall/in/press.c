// Controls that are pressed: whose they are, whether what they were shown with still stands, and
// which line each says, or which page it leads to.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/in/in.h"
#include "bot/parse/verb.h"

static unsigned seat_of(const struct hall *hall, const struct hall_table *table,
                        const struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    return table_seat_of(table->table, &person);
}

// Which site came from where a line was said; as many as there are: none.
static unsigned link_of(const struct hall *hall, const struct hall_table *table,
                        const struct hall_line *line)
{
    const char *const network = chat_name(hall->chats[line->chat]);
    unsigned site = 0;
    while (site < table_site_count(table->table) &&
           (strcmp(table_site_network(table->table, site), network) != 0 ||
            strcmp(table_site_from(table->table, site), line->in->place) != 0)) {
        site++;
    }
    return site;
}

// Whether what was pressed stands where the table came from, and shows the way.
static bool is_link(const struct hall *hall, const struct hall_table *table,
                    const struct hall_line *line)
{
    return line->in->bond.on == CHAT_ON_CARD &&
           link_of(hall, table, line) < table_site_count(table->table);
}

bool hall_press_is_at_home(const struct hall *hall, const struct hall_table *table,
                           const struct hall_line *line)
{
    const unsigned on = line->in->bond.on;
    const bool seated = seat_of(hall, table, line) != NO_SEAT;
    if (on == CHAT_ON_HAND || (on != CHAT_ON_CARD && seated)) {
        return seated;
    }
    return hall_is_site(table->table, chat_name(hall->chats[line->chat]), line->in->place) ||
           is_link(hall, table, line);
}

static void set_pressed(struct hall *hall, struct hall_line *line, const char *words)
{
    (void)snprintf(line->pressed, sizeof line->pressed, "%s", words);
    hall_line_set_words(hall, line, line->pressed);
}

static bool has_numbers(const struct hall *hall, const struct hall_line *line)
{
    return (chat_caps(hall->chats[line->chat]) & CHAT_CAP_NUMBERS) != 0;
}

// The control of a board as it stands that a press means: the one of its number, if the board shows
// what it showed; a number that was typed means what it said, if the question is the same.
static const struct chat_control *
control_meant(const struct hall *hall, const struct hall_line *line, const struct message *board)
{
    const struct chat_in *const in = line->in;
    if (board->version == in->bond.version) {
        return in->pressed <= board->control_count ? &board->controls[in->pressed - 1] : NULL;
    }
    const bool typed = has_numbers(hall, line) && in->bond.decision == board->decision;
    for (size_t i = 0; typed && i < board->control_count; i++) {
        if (strcmp(board->controls[i].line, in->line) == 0) {
            return &board->controls[i];
        }
    }
    return NULL;
}

// The line of a control of a board as it stands, or what typed numbers were made whole to, if that
// is what was shown: false, if it is not.
static bool say_pressed(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const bool hand = line->in->bond.on == CHAT_ON_HAND;
    const bool link = is_link(hall, table, line);
    const unsigned at =
        hand   ? seat_of(hall, table, line)
        : link ? link_of(hall, table, line)
               : hall_site_of(table->table, chat_name(hall->chats[line->chat]), line->in->place);
    const enum message_to to = hand ? MESSAGE_HAND : link ? MESSAGE_LINK : MESSAGE_CARD;
    struct message_list said = {.items = NULL};
    const bool made =
        table_show_again(hall->workspace, table->table, table->stamp, to, at, &said) &&
        said.count > 0;
    const struct message *const board = made ? &said.items[0] : NULL;
    const bool whole = made && hand && has_numbers(hall, line) && line->in->line[0] != '\0' &&
                       board->decision == line->in->bond.decision;
    bool found = made && (whole || board->version == line->in->bond.version);
    if (made && line->in->pressed > 0) {
        const struct chat_control *const control = control_meant(hall, line, board);
        // What says a line leads to no page.
        found = control != NULL && control->line[0] != '\0' && line->in->path[0] == '\0';
        set_pressed(hall, line, found ? control->line : "");
    }
    message_list_finish(&said);
    return found;
}

// The lines of those numbers as one. False: there are none, or they do not go together.
static bool join_lines(const struct message *board, const struct chat_numbers *said,
                       char words[CHAT_LINE_SIZE])
{
    for (size_t i = 0; i < said->count; i++) {
        const unsigned number = said->numbers[i];
        if (number == 0 || number > board->control_count) {
            return false;
        }
        const char *const line = board->controls[number - 1].line;
        if (i == 0) {
            (void)snprintf(words, CHAT_LINE_SIZE, "%s", line);
        } else if (!verb_line_join(words, CHAT_LINE_SIZE, line)) {
            return false;
        }
    }
    return said->count > 0;
}

void hall_press_number(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const struct chat_numbers numbers = chat_numbers(line->words);
    const unsigned seat = seat_of(hall, table, line);
    struct message_list said = {.items = NULL};
    char words[CHAT_LINE_SIZE];
    if (numbers.count == 0 || seat == NO_SEAT || !line->in->direct || !has_numbers(hall, line)) {
        return;
    }
    if (table_show_again(hall->workspace, table->table, table->stamp, MESSAGE_HAND, seat, &said) &&
        said.count > 0 && join_lines(&said.items[0], &numbers, words)) {
        const size_t used = strlen(words);
        if (used + strlen(numbers.rest) + sizeof " " <= sizeof words) {
            (void)snprintf(words + used, sizeof words - used, "%s%s",
                           numbers.rest[0] != '\0' ? " " : "", numbers.rest);
            set_pressed(hall, line, words);
        }
    }
    message_list_finish(&said);
}

// Answered by a page of the presser's panel: always dead.
static bool show_page(struct hall *hall, struct hall_table *table, struct hall_line *line,
                      const char *path, const char *on_top)
{
    (void)snprintf(line->leads, sizeof line->leads, "%s", path);
    hall_answer_panel(hall, table, line, on_top, NULL);
    return true;
}

// The first page where that was pressed: a hand is one, also after pages that stood in its place.
static const char *first_page(const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    return in->bond.on == CHAT_ON_HAND || in->path[0] == 'h' || in->direct ? "h" : "a";
}

static bool show_stale(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    hall->stats.stale++;
    return show_page(hall, table, line, first_page(line), text_sentence(TEXT_HALL_STALE));
}

// A control of the presser's own hand or panel.
static bool press_own(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    const struct table_press press = {.seat = seat_of(hall, table, line),
                                      .path = in->path,
                                      .version = in->bond.version,
                                      .number = in->pressed,
                                      .picks = in->picks,
                                      .pick_count = in->pick_count};
    char path[CHAT_PATH_SIZE];
    char words[CHAT_LINE_SIZE];
    switch (table_press(hall->workspace, table->table, table->stamp, &press, path, words)) {
    case PRESSED_PAGE:
        return show_page(hall, table, line, strcmp(path, "a") == 0 ? first_page(line) : path, "");
    case PRESSED_LINE:
        set_pressed(hall, line, words);
        (void)snprintf(line->leads, sizeof line->leads, "%s",
                       in->path[0] == 'o' ? "o" : first_page(line));
        return false;
    case PRESSED_STALE:
    case PRESSED_UNKNOWN:
        break;
    }
    return show_stale(hall, table, line);
}

static enum text_id stale_text(const struct hall *hall, const struct hall_line *line)
{
    return has_numbers(hall, line) ? TEXT_HALL_STALE_NUMBER : TEXT_HALL_STALE;
}

enum text_id hall_ended(const struct hall *hall, const struct hall_line *line)
{
    return has_numbers(hall, line) ? TEXT_HALL_ENDED_NUMBER : TEXT_HALL_ENDED;
}

// On a hand that is shown anew; on a card there is one answer beside it, with what can be pressed
// by now.
static bool answer_dead(struct hall *hall, struct hall_table *table, struct hall_line *line,
                        bool home)
{
    char text[HALL_SENTENCE_SIZE];
    const unsigned site =
        hall_site_of(table->table, chat_name(hall->chats[line->chat]), line->in->place);
    hall->stats.stale++;
    const bool own = line->in->bond.on == CHAT_ON_HAND || line->in->bond.on == CHAT_ON_PANEL;
    if (table_state(table->table) == TABLE_OVER) {
        hall_answer_last(hall, line, hall_ended(hall, line));
        return true;
    }
    if (own && hall_has_panels(hall, line) && seat_of(hall, table, line) == NO_SEAT) {
        hall_answer_last(hall, line, TEXT_PANEL_NO_SEAT);
        return true;
    }
    (void)hall_sentence(text, home ? stale_text(hall, line) : TEXT_HALL_ELSEWHERE, NULL);
    if (hall_has_panels(hall, line) && seat_of(hall, table, line) != NO_SEAT) {
        return show_page(hall, table, line, "a", text);
    }
    if (home && line->in->bond.on == CHAT_ON_HAND) {
        hall_answer_hand(hall, table, line, text, NULL);
    } else if (site < table_site_count(table->table)) {
        hall_answer_card(hall, table, line, site, text);
    } else {
        hall_answer_text(hall, line, text, NULL);
    }
    return true;
}

// Another game, where this one was opened: its people go along.
static void play_again(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    const char *const network = chat_name(hall->chats[line->chat]);
    unsigned site = 0;
    while (site + 1 < table_site_count(table->table) &&
           strcmp(table_site_network(table->table, site), network) != 0) {
        site++;
    }
    const char *const from = table_site_from(table->table, site);
    line->last = mb_new(1, table_size());
    table_copy(line->last, table->table);
    line->in->bond = (struct chat_bond){.on = CHAT_TYPED};
    line->in->pressed = 0;
    hall_enqueue(hall,
                 hall_table_there(hall, network,
                                  from[0] != '\0' ? from : table_site_place(table->table, site)),
                 line);
}

bool hall_press_goes_on(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    bool moved = false;
    for (unsigned i = 0; i < table_site_count(table->table); i++) {
        moved = moved || table_site_from(table->table, i)[0] != '\0';
    }
    const bool again = moved && line->last == NULL && table_state(table->table) == TABLE_OVER &&
                       line->kind == REQUEST_NEW;
    if (again) {
        play_again(hall, table, line);
    }
    return again;
}

// What is pressed below the result of a game that is put away: it is looked at as it was.
static bool say_last(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    struct table_outcome outcome;
    if (in->bond.table[0] == '\0' || in->bond.on != CHAT_ON_CARD ||
        !hall_press_is_at_home(hall, table, line) || !say_pressed(hall, table, line)) {
        return false;
    }
    if (line->kind == REQUEST_NEW) {
        play_again(hall, table, line);
        return true;
    }
    const struct deed deed = {
        .kind = DEED_LINE, .person = hall_speaker(hall, line), .line = line->words};
    table_outcome_init(&outcome);
    const enum table_answer answer =
        table_decide(table->table, table->stamp, &deed, hall->workspace, &outcome);
    const bool looked = answer == TABLE_LOOKED && outcome.said.count > 0;
    const bool story = answer == TABLE_FETCH && line->kind == REQUEST_LOG; // which is not kept
    if (looked) {
        hall_answer_text(hall, line, outcome.said.items[0].text, NULL);
        hall_line_end(hall, line);
    } else if (story) {
        hall_answer_last(hall, line, TEXT_HALL_STORY_AWAY);
        hall_line_end(hall, line);
    }
    table_outcome_finish(&outcome);
    return looked || story;
}

void hall_press_last(struct hall *hall, struct hall_table *table)
{
    table->stamp = table_workspace_stamp(hall->workspace);
    for (unsigned left = table->lines.count; left > 0; left--) {
        struct hall_line *const line = hall_lines_take(&table->lines);
        if (table_state(table->table) != TABLE_OVER || !say_last(hall, table, line)) {
            hall_lines_add(&table->lines, line);
        }
    }
}

bool hall_press_answered(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    if (in->bond.table[0] == '\0') {
        return false;
    }
    const bool panels = hall_has_panels(hall, line);
    const bool home = hall_press_is_at_home(hall, table, line);
    const bool own = panels && (in->bond.on == CHAT_ON_HAND || in->bond.on == CHAT_ON_PANEL);
    line->own = own && home;
    if (home && in->bond.on == CHAT_ON_FORM) {
        return false;
    }
    if (home && panels && in->pressed == 0 && in->path[0] != '\0') {
        return show_page(hall, table, line, in->path, "");
    }
    if (line->own) {
        return press_own(hall, table, line);
    }
    const bool over =
        table_state(table->table) == TABLE_OVER && !panels && !is_link(hall, table, line);
    if (home && !over && say_pressed(hall, table, line)) {
        return false;
    }
    return answer_dead(hall, table, line, home);
}
