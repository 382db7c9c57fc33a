// What the files of speech share: speech.c queues, speech_send.c sends, speech_outcome.c tells what
// has become of it.
#ifndef ADAPTERS_MATRIX_SAY_SPEECH_IMPL_H
#define ADAPTERS_MATRIX_SAY_SPEECH_IMPL_H

#include "adapters/matrix/say/hands.h"
#include "adapters/matrix/say/letter.h"
#include "adapters/matrix/say/marks.h"
#include "adapters/matrix/say/outlet.h"
#include "adapters/matrix/say/speech.h"

enum { SPEECH_OWN_MAX = 1024 };

struct speech {
    struct speech_setup setup;
    struct outlet *outlet;
    struct boards *boards;
    struct letter *letters; // all without outcome
    struct hands *hands;
    struct marks *marks;
    uint64_t numbers;
    uv_timer_t timer;
    uv_idle_t pump; // soon, but not within the call that asked
    bool pumping, stopped, crowded;
    int64_t full_ms;           // when it was said last that something was dropped, or 0
    bool told;                 // of all rooms: whose hand room is which is known
    char *own[SPEECH_OWN_MAX]; // the latest, in a ring
    size_t own_next;
};

/* Letters that go as one event, in order. */
struct posting {
    struct letter *letters[OUTLET_TOGETHER_MAX];
    size_t count;
    struct letter *board; // of them, or NULL
};

int64_t speech_now_ms(const struct speech *speech);
/* What waits is looked at soon, but not within this call. */
void speech_pump(struct speech *speech);
/* What goes out under that number; none: it is no letter's. */
void speech_posting(const struct speech *speech, uint64_t number, struct posting *out);
/* The letter's outcome; it is gone then. `id` counts if it was delivered. */
void speech_finish(struct letter *letter, enum chat_fate fate, const char *id);
/* It waits for its turn in that room; or has its outcome. */
void speech_queue(struct letter *letter, const char *room);
/* The same, in the room of its person, which may have to be made first. */
void speech_queue_private(struct letter *letter);

/* Its turn has come (speech_send.c). */
void speech_send(struct speech *speech, uint64_t number);

/* It stands there as that event (speech_outcome.c). */
void speech_delivered(struct speech *speech, const struct posting *posting, const char *id);
void speech_refused(const struct posting *posting, bool forbidden);

#endif
