// What the files of making rooms share: makes.c is asked for them, makes_room.c makes them.
#ifndef ADAPTERS_MATRIX_MAKES_IMPL_H
#define ADAPTERS_MATRIX_MAKES_IMPL_H

#include "bot/text/text.h"

#include "adapters/matrix/makes.h"

enum { MAKES_TITLE_MAX = 100, MAKES_MISSING_SIZE = 512, MAKES_MS_PER_S = 1000 };

/* One that is being made. */
struct making {
    struct making *next;
    struct makes *makes;
    uv_timer_t timer;
    unsigned tries;
    struct limits_turn turn;
    enum { MAKING_KEEPS, MAKING_HEARD, MAKING_ASKS, MAKING_LOOKS, MAKING_INVITES } state;
    bool refused; // the last request: it need not have been in vain
    bool told;    // the sync that brought it is told whole
    bool again;   // an earlier process has begun it
    char person[CHAT_ID_SIZE], event[CHAT_ID_SIZE], room[CHAT_ID_SIZE];
    char name[MAKES_TITLE_MAX + 1];
    char people[MAKES_PEOPLE_MAX][CHAT_ID_SIZE];
    size_t count, at; // at: who is invited now
    char missing[MAKES_MISSING_SIZE];
};

struct makes {
    struct makes_setup setup;
    struct making *first;
    bool stopped, synced; // synced: of all rooms it is known what they are like
};

/* Tells, once, whoever asked by that event. */
void makes_say(const struct makes *makes, const char *person, const char *event, enum text_id text,
               const struct text_arg *args);
/* It is answered: nothing more is kept of it, and it is gone. */
void makes_end(struct making *making);
/* Goes on with what its state says (makes_room.c). */
void makes_step(struct making *making);

#endif
