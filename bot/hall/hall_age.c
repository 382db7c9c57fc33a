// Lines that come late, for the bot was away when they were said: which of them still count.
#include <string.h>

#include "bot/hall/hall_impl.h"
#include "bot/hall/hall_story.h"
#include "bot/parse/verb.h"

// What nobody wants done any more by then, if it answers no question.
static const int64_t OLD_MS[PACE_TOTAL] = {[PACE_LIVE] = INT64_C(120000),
                                           [PACE_TERMINAL] = INT64_MAX,
                                           [PACE_SLOW] = INT64_C(3600000),
                                           [PACE_ASYNC] = INT64_C(86400000)};

// Whether it answers a question that was open when it was said, and is: a control is bound to its
// question; of what is typed that can be told as long as the table is as it was when it was found.
static bool answers(const struct hall_table *table, const struct hall_line *line)
{
    if (line->in->bond.table[0] != '\0') {
        return line->in->bond.decision != 0; // whether that is open still is asked of the board
    }
    const struct verb_entry *const verb = verb_of_line(line->words);
    return verb != NULL && verb->kind == REQUEST_GAME && verb->verb == VERB_CHOOSE &&
           table->version != 0 && table->version == table->stored;
}

bool hall_comes_too_late(struct hall *hall, struct hall_table *table, const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    const enum pace pace =
        table->version != 0 && table->table != NULL ? table_pace(table->table) : PACE_LIVE;
    if (in->age_ms <= OLD_MS[pace] || answers(table, line)) {
        table->told_away = in->age_ms > OLD_MS[PACE_LIVE] && table->told_away;
        return false;
    }
    if (!table->told_away) {
        table->told_away = true;
        hall_answer_aloud(hall, line, TEXT_HALL_WAS_AWAY);
    }
    return true;
}
