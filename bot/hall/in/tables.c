// Live tables that come and go: made for a line, given up for others.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall.h"
#include "bot/hall/in/in.h"

static bool is_idle(const struct hall *hall, const struct hall_table *table)
{
    return table != hall->turn && table->state == HALL_READY && !table->queued &&
           table->lines.count == 0 && table->unsent == NULL && table->ticket == 0;
}

void hall_table_drop(struct hall *hall, struct hall_table *table)
{
    assert(table->step == NULL);
    hall_leave_to_store(hall, table);
    hall_hold(hall, table, false);
    for (struct hall_line *line = hall_lines_take(&table->lines); line != NULL;
         line = hall_lines_take(&table->lines)) {
        hall_line_end(hall, line);
    }
    hall_post_finish(hall, table);
    hall_unschedule(hall, table);
    hall_forget_readers(table);
    hall_table_unlink(hall, table);
    free(table->story);
    free(table->community);
    free(table->table);
    free(table->unreadable);
    free(table);
}

void hall_forget(struct hall *hall)
{
    for (struct hall_table *table = hall->oldest; table != NULL;) {
        struct hall_table *const newer = table->newer;
        if (is_idle(hall, table)) {
            hall_table_drop(hall, table);
        }
        table = newer;
    }
}

// The table used longest ago at which nothing is under way gives way; false: there is none.
static bool make_room(struct hall *hall)
{
    struct hall_table *table = hall->oldest;
    while (table != NULL && !is_idle(hall, table)) {
        table = table->newer;
    }
    if (table == NULL) {
        return false;
    }
    hall_table_drop(hall, table);
    return true;
}

static struct hall_table *make(struct hall *hall)
{
    const bool room = hall->table_count < HALL_LIVE_MAX || make_room(hall);
    return room ? hall_table_make(hall) : NULL;
}

struct hall_table *hall_table_find(struct hall *hall, const char *network, const char *place)
{
    struct hall_table *const table = make(hall);
    if (table != NULL) {
        (void)hall_table_place(hall, table, network, place);
    }
    return table;
}

struct hall_table *hall_table_fetch(struct hall *hall, const char *id)
{
    struct hall_table *const table = make(hall);
    if (table != NULL) {
        hall_table_name(hall, table, id);
    }
    return table;
}

// Whether as many of its speaker's lines wait there as may: who speaks on crowds out nobody.
static bool has_said_enough(const struct hall_table *table, const struct hall_line *line)
{
    unsigned count = 0;
    for (const struct hall_line *at = table->lines.first; at != NULL; at = at->next) {
        count += at->chat == line->chat && strcmp(at->in->person, line->in->person) == 0 ? 1 : 0;
    }
    return count >= HALL_LINES_OF_PERSON;
}

bool hall_has_room(const struct hall_table *table, const struct hall_line *line)
{
    return table->lines.count < HALL_LINES_MAX && !has_said_enough(table, line);
}

void hall_enqueue(struct hall *hall, struct hall_table *table, struct hall_line *line)
{
    const bool said = chat_in_is_said(line->in->kind);
    if (table == NULL || (said && !hall_has_room(table, line))) {
        hall->stats.crowded++;
        if (said) {
            hall_answer(hall, line, TEXT_HALL_COME_AGAIN, NULL);
        }
        hall_line_end(hall, line);
        return;
    }
    hall_lines_add(&table->lines, line);
    table->doubt = table->doubt || hall->shared;
    hall_table_used(hall, table);
    if (table->state == HALL_READY) {
        hall_table_work(hall, table);
    }
}

struct hall_table *hall_table_of(struct hall *hall, const char *id)
{
    struct hall_table *const table = hall_table_by_id(hall, id);
    return table != NULL ? table : hall_table_fetch(hall, id);
}

struct hall_table *hall_table_there(struct hall *hall, const char *network, const char *place)
{
    struct hall_table *const table = hall_table_at(hall, network, place);
    return table != NULL ? table : hall_table_find(hall, network, place);
}
