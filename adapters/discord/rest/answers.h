/*
 * Interactions that wait for an answer, and what has become of each.
 *
 * The first answer must come within three seconds; after one and a half an empty acknowledgement
 * goes out in its place, seen by nobody else, and what is said later takes its place. A token lives
 * a quarter of an hour. What one is answered by, its callback, travels through bot/
 * as chat_in.answer, so that another process, or this one after it was killed, can still answer.
 *
 * Pure but for the calls it makes: the owner tells the time. Reference: Discord, sections 4.2
 * to 4.7.
 */
#ifndef ADAPTERS_DISCORD_REST_ANSWERS_H
#define ADAPTERS_DISCORD_REST_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat.h"

#include "adapters/discord/rest/rest.h"
#include "adapters/discord/wire/interaction.h"

enum { ANSWER_ID_SIZE = 32 };

struct answers;

/** What came of a message that answers. */
enum answer_fate {
    ANSWER_SHOWN,
    ANSWER_NOT,  /**< it was not shown and never will be */
    ANSWER_LATE, /**< the same, because the interaction is over: elsewhere it may be */
    ANSWER_LOST, /**< the same, though the interaction is young: Discord does not find it */
    ANSWER_TAKEN /**< something else has answered it: what was pressed cannot become this */
};

struct answered {
    enum answer_fate fate;
    char id[ANSWER_ID_SIZE]; /**< the platform's, of what was shown; "" : unknown */
};

/** The application's id is borrowed. */
struct answers *answers_create(struct fibres *fibres, struct rest *rest,
                               const char *application_id);
/** NULL is fine. */
void answers_destroy(struct answers *answers);

/** Notes an interaction that began `age_ms` ago; false: it is noted already. */
bool answers_add(struct answers *answers, const struct interaction *interaction, int64_t age_ms,
                 int64_t now_ms);
/** Writes the callback of an interaction, its kind, id and token; false: it does not fit. */
bool answers_callback(const struct interaction *interaction, char *out, size_t size);
/** Whether it is the callback of one that can still be answered by what all read: nothing has gone
 * out before. */
bool answers_open(const struct answers *answers, const char *callback);
/** Answers with a message (payload.h; taken): the first answer, or what follows it. False: the
 * fibre's owner stops. */
MB_MUST_CHECK
bool answers_send(struct fibre *fibre, struct answers *answers, const char *callback,
                  json_t *message, int64_t now_ms, struct answered *out);
/** The same, whatever comes of it. */
void answers_say(struct answers *answers, const char *callback, json_t *message, int64_t now_ms);
/** Whether that message is what was pressed, as far as is known here. */
bool answers_pressed(const struct answers *answers, const char *callback, const char *message);
/** Answers a press by what was pressed, which becomes this (payload.h; taken). As answers_send().
 */
MB_MUST_CHECK
bool answers_edit(struct fibre *fibre, struct answers *answers, const char *callback,
                  json_t *message, int64_t now_ms, struct answered *out);
/** The same, whatever comes of it. */
void answers_show(struct answers *answers, const char *callback, json_t *message, int64_t now_ms);
/** The callback of what somebody did last and was answered, to tell them more; false: there is
 * none, or too long ago. */
bool answers_last(const struct answers *answers, const char *person, char *out, size_t size);
/** Answers a press by nothing but that it was heard, unless that was said already. */
void answers_hush(struct answers *answers, const char *text, int64_t now_ms);
/** What it was answered by elsewhere is there: an empty acknowledgement goes away. */
void answers_close(struct answers *answers, const char *text);
/** Answers by a form (controls.h; taken), at once: nothing may go out before it. */
void answers_form(struct answers *answers, const struct interaction *interaction, json_t *form);
/** Candidates for what is being typed, at once. */
void answers_choices(struct answers *answers, const struct interaction *interaction,
                     json_t *choices);
/** When something may be to be done, or -1; then answers_tick(). */
int64_t answers_due_ms(const struct answers *answers);
void answers_tick(struct answers *answers, int64_t now_ms);

#endif
