// What an operator is told of: ids, versions, codes, and of what was typed the command's word
// alone. What follows it may name a card of a hand.
#include "bot/hall/hall_limits.h"
#include "bot/hall/step/step.h"
#include "bot/parse/verb.h"

static void tell(const struct hall *hall, const struct hall_table *table, struct hall_note note)
{
    const struct hall_line *const line = table->step != NULL ? table->step->line : NULL;
    if (hall->note == NULL) {
        return;
    }
    note.network = note.event = note.verb = "";
    if (line != NULL) {
        const struct verb_entry *const verb = verb_of_line(line->words);
        note.network = chat_name(hall->chats[line->chat]);
        note.event = line->in->event;
        note.verb = verb != NULL ? verb->word : "";
    }
    note.reason = note.reason != NULL ? note.reason : "";
    note.refusal = note.refusal != NULL ? note.refusal : "";
    note.table = table->id;
    note.version = table->version;
    hall->note(hall->note_user, &note);
}

void hall_note_step(const struct hall *hall, const struct hall_table *table, uint64_t before)
{
    struct hall_note note = {.kind = HALL_NOTE_CHANGED};
    if (table->version == 0) {
        note.kind = HALL_NOTE_CLOSED;
    } else if (before == 0) {
        note.kind = HALL_NOTE_OPENED;
    }
    tell(hall, table, note);
}

void hall_note_looked(const struct hall *hall, const struct hall_table *table)
{
    if (table->step->line != NULL) {
        tell(hall, table, (struct hall_note){.kind = HALL_NOTE_LOOKED});
    }
}

void hall_note_refused(const struct hall *hall, const struct hall_table *table)
{
    const unsigned code = table->step->outcome.why.code;
    tell(hall, table, (struct hall_note){.kind = HALL_NOTE_REFUSED, .refusal = refusal_name(code)});
}

void hall_note_unreadable(struct hall *hall, const struct hall_table *table, const char *why)
{
    static const struct rate_rule RULE = {.burst = HALL_UNREADABLE_BURST,
                                          .refill_ms = HALL_UNREADABLE_REFILL_MS};
    if (rate_take(&hall->unreadable, &RULE, hall->now_ms) == RATE_TAKEN) {
        tell(hall, table, (struct hall_note){.kind = HALL_NOTE_UNREADABLE, .reason = why});
    }
}
