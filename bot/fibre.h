/*
 * Code that waits, written straight: a fibre is a function on a stack of its own. It rests where it
 * waits and goes on there.
 *
 * Everything happens on one thread, without locks. Waking a fibre runs it until it waits again or
 * ends. Every function that may wait takes the fibre as its first parameter; what it borrowed
 * before a wait, answers too, may be gone after it. When the owner stops, each wait returns false:
 * the fibre then frees what it owns and returns. Stacks lie between guard pages and are reused. Not
 * for core/, and not for a single question.
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
/** Runs a new fibre until its first wait or its end. */
void fibres_start(struct fibres *fibres, fibre_fn *run, void *user);
/** Whether FIBRES_MANY have not ended. Refuse then what others can ask for without end: a system
 * has room for some ten thousand stacks, and each costs 6 KiB or more. */
bool fibres_are_many(const struct fibres *fibres);
/** Makes each wait return false, of later fibres too. Idempotent. */
void fibres_stop(struct fibres *fibres);
/** Call after fibres_stop(), when all fibres have ended and no answer can come. NULL is fine. */
void fibres_destroy(struct fibres *fibres);

/** Rests until somebody wakes the fibre; false: its owner stops. It may be woken for another
 * reason: check, and wait again. */
MB_MUST_CHECK
bool fibre_wait(struct fibre *fibre);
/** Runs the fibre within the call; does nothing if it does not wait. */
void fibre_wake(struct fibre *fibre);

/** Call before asking something; the answer goes to `place`. One question at a time. False: the
 * owner stops, so ask nothing. The answering side calls fibre_answered() with the fibre, once or
 * never, even long after the owner has stopped. */
MB_MUST_CHECK
bool fibre_asks(struct fibre *fibre, void *place);
/** Rests until the answer; false: the owner stops. */
MB_MUST_CHECK
bool fibre_wait_answer(struct fibre *fibre);
/** Returns the place, to be filled before fibre_wake(); NULL: nobody waits for the answer. */
void *fibre_answered(struct fibre *fibre);

#endif
