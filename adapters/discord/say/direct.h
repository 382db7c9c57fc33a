/*
 * People's private channels: opened when the first message for somebody comes, and remembered.
 *
 * Who cannot be written to is not tried again until directs_retry(), and is told so once, alone:
 * behind the answer to what they did last, or to what they do next. Reference: Discord, section 7.
 */
#ifndef ADAPTERS_DISCORD_SAY_DIRECT_H
#define ADAPTERS_DISCORD_SAY_DIRECT_H

#include <stdbool.h>

#include "adapters/discord/rest/answers.h"
#include "adapters/discord/rest/rest.h"

struct directs;

struct directs_setup {
    uv_loop_t *loop;
    struct fibres *fibres;
    struct rest *rest;
    struct answers *answers;
    net_log_fn *log;
    void *log_user;
};

enum { DIRECT_ID_SIZE = 32 };

struct directs *directs_create(const struct directs_setup *setup);
/** NULL is fine. Behind rest_close(). */
void directs_destroy(struct directs *directs);
/** Finds somebody's private channel; "": they cannot be written to. False: the fibre's owner stops.
 */
MB_MUST_CHECK
bool directs_find(struct fibre *fibre, struct directs *directs, const char *person,
                  char channel[DIRECT_ID_SIZE]);
/** Asks Discord for it, whatever is remembered; "": `*answer` says why not. */
MB_MUST_CHECK
bool directs_ask(struct fibre *fibre, struct rest *rest, const char *person,
                 char channel[DIRECT_ID_SIZE], struct rest_answer *answer);
/** What was sent there was refused with that code of Discord's. */
void directs_refused(struct directs *directs, const char *person, int code);
/** They have asked, or written: it may be tried again. */
void directs_retry(struct directs *directs, const char *person);
/** They have been answered: what they are still to be told can be. */
void directs_answered(struct directs *directs, const char *person);

#endif
