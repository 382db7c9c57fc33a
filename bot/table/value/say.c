// Outcomes, and sentences in them: for the table, in answer, in refusal.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/render/render.h"
#include "bot/table/value/value.h"

void table_outcome_init(struct table_outcome *outcome)
{
    *outcome = (struct table_outcome){.answer = TABLE_LOOKED};
    outcome->after = mb_new(1, table_size());
    journal_init(&outcome->journal);
}

void table_outcome_clear(struct table_outcome *outcome)
{
    message_list_clear(&outcome->said);
    journal_finish(&outcome->journal);
    outcome->answer = TABLE_LOOKED;
    outcome->why = (struct refusal){0};
    outcome->fetch = 0;
    outcome->record_count = 0;
    outcome->forget_stats = false;
    outcome->forget_me = false;
    outcome->link = false;
    outcome->missed = 0;
    outcome->keep_earlier = false;
    outcome->telling = (struct narration){.seat = NO_SEAT};
}

void table_outcome_fail(struct table_outcome *outcome)
{
    table_outcome_clear(outcome);
    outcome->answer = TABLE_FAILED;
}

void table_outcome_finish(struct table_outcome *outcome)
{
    table_outcome_clear(outcome);
    message_list_finish(&outcome->said);
    free(outcome->after);
    outcome->after = NULL;
}

void table_tell(struct table_work *work, enum text_id id, const struct text_arg *args)
{
    char text[TABLE_SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, text);
    work->dirty = true;
}

void table_reply(struct table_work *work, unsigned seat, const char *text)
{
    (void)message_add(work->said, MESSAGE_REPLY, seat, text);
}

void table_reply_text(struct table_work *work, unsigned seat, enum text_id id,
                      const struct text_arg *args)
{
    char text[TABLE_SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    table_reply(work, seat, text);
}

void table_reply_refusal(struct table_work *work, unsigned seat, const struct refusal *why)
{
    const struct table_words words = table_words_of(work, seat);
    char text[TABLE_SENTENCE_SIZE];
    (void)render_refusal(&words, why, text, sizeof text);
    (void)message_add_refusal(work->said, seat, text, why);
}

bool table_refuse_text(struct table_work *work, unsigned seat, enum refusal_code code,
                       enum text_id id, const struct text_arg *args, struct refusal *why)
{
    char text[TABLE_SENTENCE_SIZE];
    struct text_out out;
    *why = (struct refusal){.seat = NO_SEAT, .card = NO_CARD};
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    (void)refuse(why, code, "");
    (void)message_add_refusal(work->said, seat, text, why);
    return false;
}

bool table_refuse(struct table_work *work, unsigned seat, enum refusal_code code,
                  struct refusal *why)
{
    if (code == REFUSAL_NO_TABLE && work->table->state == TABLE_LOBBY) {
        return table_refuse_text(work, seat, code, TEXT_SESSION_NOT_BEGUN, NULL, why);
    }
    *why = (struct refusal){.seat = NO_SEAT, .card = NO_CARD};
    (void)refuse(why, code, "");
    table_reply_refusal(work, seat, why);
    return false;
}

bool table_fetched(struct table_work *work, enum table_fetch what)
{
    const bool here =
        work->deed->fetched != NULL && (work->deed->fetched->what & (unsigned)what) != 0;
    if (!here) {
        work->outcome->fetch |= (unsigned)what;
    }
    return here;
}

void table_reach_names(const struct table *table, unsigned seats, char out[TABLE_NAMES_SIZE])
{
    const char *names[MB_SEATS_MAX];
    struct text_out text;
    size_t count = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            names[count++] = table_seat_name(table, seat);
        }
    }
    text_begin(&text, out, TABLE_NAMES_SIZE);
    text_list(&text, names, count, TEXT_AND);
}
