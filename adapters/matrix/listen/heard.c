#include "adapters/matrix/listen/heard.h"

#include <stdlib.h>

#include "core/codec/memory.h"

/* A queue of its own keeps the copies, and takes as many as there are. */
struct line {
    struct line *next;
    struct chat_queue kept; // this line alone
    const struct chat_in *in;
};

struct heard {
    struct line *first, **end;
};

struct heard *heard_create(void)
{
    struct heard *const heard = mb_new(1, sizeof *heard);
    heard->end = &heard->first;
    return heard;
}

void heard_add(struct heard *heard, const struct chat_in *in)
{
    struct line *const line = mb_new(1, sizeof *line);
    chat_queue_init(&line->kept);
    if (chat_queue_push(&line->kept, in) != CHAT_PUSHED) {
        free(line); // too long: it would never be heard, so nothing is lost
        return;
    }
    line->in = chat_queue_take(&line->kept);
    *heard->end = line;
    heard->end = &line->next;
}

static void drop_first(struct heard *heard)
{
    struct line *const line = heard->first;
    heard->first = line->next;
    heard->end = heard->first == NULL ? &heard->first : heard->end;
    chat_queue_finish(&line->kept);
    free(line);
}

bool heard_push(struct heard *heard, struct chat_queue *queue)
{
    while (heard->first != NULL) {
        if (chat_queue_push(queue, heard->first->in) == CHAT_FULL) {
            return false;
        }
        drop_first(heard);
    }
    return true;
}

void heard_destroy(struct heard *heard)
{
    while (heard != NULL && heard->first != NULL) {
        drop_first(heard);
    }
    free(heard);
}
