// "at": the tables at which somebody sits, and how each of them stands. The line that asks goes
// from one to the next and waits its turn there, as others do; of what cannot be looked at only the
// name is told.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/in/in.h"

/** One of the tables. */
struct stop {
    char table[TABLE_ID_SIZE];
    char name[CHAT_NAME_SIZE];   // of its place
    char turn[PERSON_NAME_SIZE]; // whose it is, "" : nobody's
    unsigned number;             // by which it is spoken to
    enum table_state state;      // TABLE_EMPTY: not known
    bool waits;                  // for who asks ...
    bool own;                    // ... whose turn it is
};

struct hall_tour {
    unsigned count, at;
    unsigned sits; // at how many tables, those that are not listed too
    struct stop stops[STORE_TABLES_OF_PERSON];
};

static enum text_id how(const struct stop *stop)
{
    switch (stop->state) {
    case TABLE_LOBBY:
        return TEXT_AT_LOBBY;
    case TABLE_PAUSED:
        return TEXT_AT_PAUSED;
    case TABLE_RUNNING:
        if (stop->turn[0] == '\0') {
            return stop->waits ? TEXT_AT_SETUP_YOURS : TEXT_AT_SETUP;
        }
        if (stop->own) {
            return stop->waits ? TEXT_AT_YOURS : TEXT_AT_OWN;
        }
        return stop->waits ? TEXT_AT_ASKED : TEXT_AT_TURN;
    default:
        return TEXT_AT_OVER;
    }
}

static void list_stop(struct text_out *out, const struct stop *stop)
{
    char state[HALL_SENTENCE_SIZE];
    struct text_out words;
    if (stop->state == TABLE_EMPTY) {
        text_line(out, TEXT_HALL_TABLE,
                  TEXT_ARGS(text_num("n", (long)stop->number), text_str("what", stop->name)));
        return;
    }
    text_begin(&words, state, sizeof state);
    text_put(&words, how(stop), TEXT_ARGS(text_str("who", stop->turn)));
    text_line(out, TEXT_HALL_TABLE_TELLS,
              TEXT_ARGS(text_num("n", (long)stop->number), text_str("what", stop->name),
                        text_str("state", state)));
}

static void tell(struct hall *hall, const struct hall_line *line)
{
    const struct hall_tour *const tour = line->tour;
    struct text_out out;
    text_begin(&out, hall->text, sizeof hall->text);
    text_line(&out, TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", (long)tour->sits)));
    if ((chat_caps(hall->chats[line->chat]) & CHAT_CAP_BUTTONS) != 0) {
        text_line(&out, TEXT_HALL_WHICH_MENU, NULL);
    }
    for (unsigned pass = 0; pass < 2; pass++) { // those that wait for them first
        for (unsigned i = 0; i < tour->count; i++) {
            if (tour->stops[i].waits == (pass == 0)) {
                list_stop(&out, &tour->stops[i]);
            }
        }
    }
    hall_answer_alone(hall, line, hall->text);
}

// To the next table, or back with what was seen.
static void go_on(struct hall *hall, struct hall_line *line)
{
    struct hall_tour *const tour = line->tour;
    for (; tour->at < tour->count; tour->at++) {
        struct hall_table *const table = hall_table_of(hall, tour->stops[tour->at].table);
        if (table != NULL && hall_has_room(table, line)) {
            hall_enqueue(hall, table, line);
            return;
        }
    }
    tell(hall, line);
    hall_line_end(hall, line);
}

void hall_tour_begin(struct hall *hall, struct hall_line *line, const struct store_answer *sits,
                     const char *community)
{
    struct hall_tour *const tour = mb_new(1, sizeof *tour);
    for (size_t i = 0; i < sits->count && tour->count < STORE_TABLES_OF_PERSON; i++) {
        const struct store_sitting *const sitting = &sits->sittings[i];
        struct stop *const stop = &tour->stops[tour->count];
        if (community != NULL && strcmp(sitting->community, community) != 0) {
            continue;
        }
        (void)snprintf(stop->table, sizeof stop->table, "%s", sitting->table);
        (void)snprintf(stop->name, sizeof stop->name, "%s", sitting->place_name);
        stop->number = (unsigned)i + 1;
        tour->count++;
    }
    tour->sits = (unsigned)sits->count;
    line->tour = tour;
    go_on(hall, line);
}

void hall_tour_visit(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    struct hall_tour *const tour = line->tour;
    struct stop *const stop = &tour->stops[tour->at++];
    if (table != NULL && table->unreadable == NULL) {
        const struct person speaker = hall_speaker(hall, line);
        const unsigned seat = table_seat_of(table->table, &speaker);
        const struct table_due due = table_due(table->table);
        stop->state = table_state(table->table);
        const bool runs = stop->state == TABLE_RUNNING;
        const struct game *const game = runs ? table_game(table->table) : NULL;
        const bool turns = runs && query_phase(game) != PHASE_SETUP;
        stop->waits = runs && seat != NO_SEAT && due.clock != CLOCK_WINDOW &&
                      (due.seats & seat_bit(seat)) != 0;
        stop->own = turns && query_turn(game) == seat;
        if (turns) {
            (void)snprintf(stop->turn, sizeof stop->turn, "%s",
                           table_seat_name(table->table, query_turn(game)));
        }
    }
    go_on(hall, line);
}

bool hall_tour_passes(struct hall *hall, struct hall_line *line)
{
    if (line->tour == NULL) {
        return false;
    }
    hall_tour_visit(hall, NULL, line);
    return true;
}
