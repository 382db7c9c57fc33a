/*
 * Code that waits, written straight: a fibre is a function on a stack of its own that rests where
 * it waits and goes on there.
 *
 * All of it happens on one thread, without locks. Who wakes a fibre runs it until it waits again or
 * ends. Every function that may wait takes the fibre as its first parameter; what was borrowed
 * before a wait, an answer too, may be gone behind it. When the owner stops, each wait ends with
 * false: the fibre then frees what is its own and returns. Stacks lie between guard pages and are
 * used again. Not for core/, and not for what asks one question.
 */
#ifndef BOT_FIBRE_H
#define BOT_FIBRE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { FIBRE_STACK_SIZE = 1024 * 1024, FIBRES_MANY = 4096 };

/** The fibres of one owner. */
struct fibres;
struct fibre;

typedef void fibre_fn(struct fibre *fibre, void *user);

struct fibres *fibres_create(void);
/** Runs it until its first wait or its end. */
void fibres_start(struct fibres *fibres, fibre_fn *run, void *user);
/** Whether FIBRES_MANY have not ended: a system has room for some ten thousand stacks, and each
 * costs 6 KiB and more, so what others can ask for without end is refused then. */
bool fibres_are_many(const struct fibres *fibres);
/** Ends each wait, of later fibres too, with false. Idempotent. */
void fibres_stop(struct fibres *fibres);
/** NULL is fine. Behind fibres_stop(), when all have ended and no answer can come any more. */
void fibres_destroy(struct fibres *fibres);

/** Rests until somebody wakes it; false: its owner stops. It may be woken for another reason than
 * the one it waits for. */
MB_MUST_CHECK
bool fibre_wait(struct fibre *fibre);
/** Goes on with it, within the call; nothing happens if it does not wait. */
void fibre_wake(struct fibre *fibre);

/** It is about to ask something whose answer belongs at that place, one question at a time; false:
 * its owner stops, and nothing is to be asked. Who answers calls fibre_answered() with the fibre,
 * once or never, however long its owner has stopped. */
MB_MUST_CHECK
bool fibre_asks(struct fibre *fibre, void *place);
/** Rests until that is answered; false: its owner stops. */
MB_MUST_CHECK
bool fibre_wait_answer(struct fibre *fibre);
/** The place, to be filled before fibre_wake(); NULL: nobody waits for the answer any more. */
void *fibre_answered(struct fibre *fibre);

#endif
