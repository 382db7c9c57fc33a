// Controls that are pressed: whose they are, whether what they were shown with still stands, and
// which line each says.
#include <stdio.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

bool hall_press_is_at_home(const struct hall *hall, const struct hall_table *table,
                           const struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    if (line->in->bond.on == CHAT_ON_HAND) {
        return table_seat_of(table->table, &person) != NO_SEAT;
    }
    return hall_is_site(table->table, person.network, line->in->place);
}

static bool is_stale(const struct hall *hall, const struct hall_table *table,
                     const struct hall_line *line)
{
    const struct chat_bond *const bond = &line->in->bond;
    const struct person person = hall_speaker(hall, line);
    if (bond->on == CHAT_ON_HAND) {
        const unsigned seat = table_seat_of(table->table, &person);
        return table_hand_version(table->table, seat) != bond->version;
    }
    for (unsigned i = 0; i < table_site_count(table->table); i++) {
        if (strcmp(table_site_network(table->table, i), person.network) == 0 &&
            strcmp(table_site_place(table->table, i), line->in->place) == 0) {
            return table_card_version(table->table, i) != bond->version;
        }
    }
    return true;
}

static unsigned site_of(const struct hall *hall, const struct hall_table *table,
                        const struct hall_line *line)
{
    unsigned site = 0;
    while (
        site < table_site_count(table->table) &&
        (strcmp(table_site_network(table->table, site), chat_name(hall->chats[line->chat])) != 0 ||
         strcmp(table_site_place(table->table, site), line->in->place) != 0)) {
        site++;
    }
    return site;
}

// A control's own line, from the board as it stands: that is what was shown, or it would be stale.
static bool say_pressed(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    const bool hand = line->in->bond.on == CHAT_ON_HAND;
    const unsigned at = hand ? table_seat_of(table->table, &person) : site_of(hall, table, line);
    struct message_list said = {.items = NULL};
    bool found = table_show_again(hall->workspace, table->table, table->stamp,
                                  hand ? MESSAGE_HAND : MESSAGE_CARD, at, &said) &&
                 said.count > 0 && line->in->pressed <= said.items[0].control_count;
    if (found) {
        const char *words = said.items[0].controls;
        for (unsigned i = 1; i < line->in->pressed; i++) { // label and line of each before it
            words += strlen(words) + 1;
            words += strlen(words) + 1;
        }
        words += strlen(words) + 1;
        found = strlen(words) < sizeof line->pressed;
        (void)snprintf(line->pressed, sizeof line->pressed, "%s", words);
        line->words = line->pressed;
    }
    message_list_finish(&said);
    return found;
}

// On a hand that is shown anew; on a card there is one answer beside it, with what can be pressed
// by now.
static void answer_dead(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                        bool home)
{
    char text[HALL_SENTENCE_SIZE];
    const unsigned site = site_of(hall, table, line);
    if (table_state(table->table) == TABLE_OVER) {
        hall_answer(hall, line, TEXT_HALL_ENDED, NULL);
        return;
    }
    (void)hall_sentence(text, home ? TEXT_HALL_STALE : TEXT_HALL_ELSEWHERE, NULL);
    if (home && line->in->bond.on == CHAT_ON_HAND) {
        hall_answer_hand(hall, table, line, text, NULL);
    } else if (site < table_site_count(table->table)) {
        hall_answer_card(hall, table, line, site, text);
    } else {
        hall_answer_text(hall, line, text, NULL);
    }
}

bool hall_press_is_dead(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    if (line->in->bond.table[0] == '\0') {
        return false;
    }
    const bool over = table_state(table->table) == TABLE_OVER;
    const bool home = hall_press_is_at_home(hall, table, line);
    if (!over && home && !is_stale(hall, table, line) &&
        (line->in->pressed == 0 || say_pressed(hall, table, line))) {
        return false;
    }
    hall->stats.stale++;
    answer_dead(hall, table, line, home);
    return true;
}
