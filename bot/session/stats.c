#include "bot/session/stats.h"

#include <stdlib.h>
#include <string.h>

#include <strings.h>

struct entry {
    char *community, *person;
    struct stats_line line;
};

struct stats {
    struct entry *entries;
    size_t count, room;
};

struct stats *stats_create(void)
{
    return calloc(1, sizeof(struct stats));
}

static void entry_finish(struct entry *entry)
{
    free(entry->community);
    free(entry->person);
}

void stats_destroy(struct stats *stats)
{
    if (stats == NULL) {
        return;
    }
    for (size_t i = 0; i < stats->count; i++) {
        entry_finish(&stats->entries[i]);
    }
    free(stats->entries);
    free(stats);
}

static struct entry *find(const struct stats *stats, const char *community, const char *person)
{
    for (size_t i = 0; i < stats->count; i++) {
        struct entry *const entry = &stats->entries[i];
        if (strcmp(entry->community, community) == 0 && strcasecmp(entry->person, person) == 0) {
            return entry;
        }
    }
    return NULL;
}

static struct entry *enter(struct stats *stats, const char *community, const char *person)
{
    enum { FIRST_ROOM = 16 };
    if (stats->count == stats->room) {
        const size_t room = stats->room == 0 ? FIRST_ROOM : stats->room * 2;
        struct entry *const entries = realloc(stats->entries, room * sizeof *entries);
        if (entries == NULL) {
            return NULL;
        }
        stats->entries = entries;
        stats->room = room;
    }
    struct entry *const entry = &stats->entries[stats->count];
    *entry = (struct entry){.community = strdup(community), .person = strdup(person)};
    if (entry->community == NULL || entry->person == NULL) {
        entry_finish(entry);
        return NULL;
    }
    stats->count++;
    return entry;
}

static void sum(struct stats_line *to, const struct stats_line *line)
{
    to->games += line->games;
    to->wins += line->wins;
    to->kills += line->kills;
    to->deaths += line->deaths;
}

bool stats_add(struct stats *stats, const char *community, const char *person,
               const struct stats_line *line)
{
    struct entry *entry = find(stats, community, person);
    if (entry == NULL) {
        entry = enter(stats, community, person);
    }
    if (entry == NULL) {
        return false;
    }
    sum(&entry->line, line);
    return true;
}

bool stats_of(const struct stats *stats, const char *community, const char *person,
              struct stats_line *out)
{
    const struct entry *const entry = find(stats, community, person);
    *out = entry != NULL ? entry->line : (struct stats_line){0, 0, 0, 0};
    return entry != NULL;
}

bool stats_forget(struct stats *stats, const char *community, const char *person)
{
    struct entry *const entry = find(stats, community, person);
    if (entry == NULL) {
        return false;
    }
    entry_finish(entry);
    *entry = stats->entries[--stats->count];
    return true;
}

size_t stats_total(const struct stats *stats, const char *community, struct stats_line *out)
{
    size_t persons = 0;
    *out = (struct stats_line){0, 0, 0, 0};
    for (size_t i = 0; i < stats->count; i++) {
        if (strcmp(stats->entries[i].community, community) == 0) {
            sum(out, &stats->entries[i].line);
            persons++;
        }
    }
    return persons;
}
