#include <stdlib.h>
#include <string.h>

#include "core/codec/journal_impl.h"
#include "core/codec/memory.h"
#include "core/codec/snapshot.h"

void journal_init(struct journal *journal)
{
    memset(journal, 0, sizeof *journal);
}

void journal_finish(struct journal *journal)
{
    for (size_t i = 0; i < journal->count; i++) {
        free(journal->entries[i].player);
        free(journal->entries[i].snapshot);
    }
    free(journal->entries);
    free(journal->dice);
    journal_init(journal);
}

void journal_begin(struct journal *journal, const struct journal_start *start)
{
    journal_finish(journal);
    journal->catalog = start->catalog;
    journal->box = *start->box;
    journal->set_count = start->set_count;
    memcpy(journal->sets, start->sets, start->set_count);
    journal->seat_count = start->setup->seat_count;
    memcpy(journal->female, start->setup->female, sizeof journal->female);
    memcpy(journal->players, start->players, start->setup->seat_count * sizeof *start->players);
    memcpy(journal->seed, start->setup->seed, sizeof journal->seed);
    journal->luck = start->luck != NULL ? *start->luck : (struct luck){.drawn = false};
    digest_of(journal->luck.drawn ? journal->luck.secret : journal->seed, DIGEST_SIZE,
              journal->commitment);
    outcome_of(start->game, NULL, journal->start);
    journal->rules = start->rules;
    journal->begun = true;
}

struct journal_entry *journal_add(struct journal *journal)
{
    if (journal->broken || journal->count >= JOURNAL_ENTRIES_MAX) {
        journal->broken = true;
        return NULL;
    }
    journal->entries =
        mb_grow_for(journal->entries, journal->count, &journal->room, sizeof *journal->entries);
    struct journal_entry *const entry = &journal->entries[journal->count++];
    memset(entry, 0, sizeof *entry);
    return entry;
}

bool journal_add_die(struct journal *journal, struct journal_die die)
{
    if (journal->die_count >= JOURNAL_ENTRIES_MAX) {
        journal->broken = true;
        return false;
    }
    journal->dice =
        mb_grow_for(journal->dice, journal->die_count, &journal->die_room, sizeof *journal->dice);
    journal->dice[journal->die_count++] = die;
    return true;
}

#define FIELD(name) offsetof(struct command, name), sizeof((struct command *)NULL)->name
#define LIST(name, most)                                                                           \
    {#name, offsetof(struct command, name), offsetof(struct command, name##_count), most}

const struct journal_field JOURNAL_FIELDS[JOURNAL_FIELD_TOTAL] = {
    {"by", FIELD(seat), NO_SEAT, NO_SEAT},
    {"side", FIELD(side), SIDE_NONE, SIDE_MONSTERS},
    {"on", FIELD(target_kind), TARGET_NONE, TARGET_MONSTER},
    {"card", FIELD(card), NO_CARD, NO_CARD},
    {"target", FIELD(target), NO_CARD, NO_CARD},
    {"to", FIELD(to), NO_SEAT, NO_SEAT},
    {"about", FIELD(about), NO_SEAT, NO_SEAT},
    {"bribe", FIELD(bribe), 0, 1},
    {"picking", FIELD(picking), 0, 2},
    {"n", FIELD(n), 0, INT16_MAX},
};

const struct journal_list JOURNAL_LISTS[JOURNAL_LIST_TOTAL] = {
    LIST(list, MB_LIST_MAX),
    LIST(more, MB_MORE_MAX),
};

int journal_field_get(const struct command *command, const struct journal_field *field)
{
    const void *const at = (const unsigned char *)command + field->offset;
    if (field->size == 1) {
        return *(const uint8_t *)at;
    }
    return field->none == NO_CARD ? *(const uint16_t *)at : *(const int16_t *)at;
}

void journal_field_set(struct command *command, const struct journal_field *field, int value)
{
    void *const at = (unsigned char *)command + field->offset;
    if (field->size == 1) {
        *(uint8_t *)at = (uint8_t)value;
    } else {
        *(uint16_t *)at = (uint16_t)value; // also where it has a sign
    }
}

uint16_t *journal_list_of(struct command *command, const struct journal_list *list, uint8_t **count)
{
    void *const at = (unsigned char *)command + list->offset;
    *count = (uint8_t *)command + list->count;
    return at;
}

void journal_command(struct journal *journal, const struct command *command,
                     const struct event_list *events, const struct game *after)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    entry->kind = JOURNAL_COMMAND;
    entry->command = *command;
    entry->first_die = (uint32_t)journal->die_count;
    outcome_of(after, command, entry->outcome);
    for (uint32_t i = 0; i < events->count; i++) {
        const struct event *const event = &events->items[i];
        const struct journal_die die = {event->seat, (uint8_t)event->n, event->why};
        if (event->type == EVENT_ROLL && (entry->die_count == UINT8_MAX || //
                                          !journal_add_die(journal, die))) {
            journal->broken = true;
            return;
        }
        entry->die_count = (uint8_t)(entry->die_count + (event->type == EVENT_ROLL ? 1 : 0));
    }
}

void journal_undo(struct journal *journal, unsigned seat, unsigned agreed, size_t back_to,
                  const struct game *after)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    entry->kind = JOURNAL_UNDO;
    entry->seat = (uint8_t)seat;
    entry->agreed = (uint8_t)agreed;
    entry->back_to = (uint32_t)back_to;
    outcome_of(after, NULL, entry->outcome);
}

void journal_seat(struct journal *journal, unsigned seat, const struct journal_player *player)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry != NULL) {
        entry->kind = JOURNAL_SEAT;
        entry->seat = (uint8_t)seat;
        entry->player = mb_new(1, sizeof *entry->player);
        *entry->player = *player;
    }
}

void journal_rules(struct journal *journal, uint16_t rules, const struct game *now)
{
    struct journal_entry *const entry = journal_add(journal);
    if (entry == NULL) {
        return;
    }
    struct journal_snapshot *const state = mb_new(1, sizeof *state + SNAPSHOT_SIZE_MAX);
    state->size = snapshot_encode(now, state->bytes, SNAPSHOT_SIZE_MAX);
    entry->kind = JOURNAL_RULES;
    entry->rules = rules;
    entry->snapshot = state;
    outcome_of(now, NULL, entry->outcome);
}

void journal_commitment(const uint8_t secret[DIGEST_SIZE], char out[DIGEST_HEX_SIZE])
{
    uint8_t digest[DIGEST_SIZE];
    digest_of(secret, DIGEST_SIZE, digest);
    digest_hex(digest, sizeof digest, out);
}
