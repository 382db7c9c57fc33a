#include "adapters/matrix/heard.h"

#include <stdlib.h>

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
    struct heard *const heard = calloc(1, sizeof *heard);
    if (heard != NULL) {
        heard->end = &heard->first;
    }
    return heard;
}

bool heard_add(struct heard *heard, const struct chat_in *in)
{
    struct line *const line = calloc(1, sizeof *line);
    if (line == NULL) {
        return false;
    }
    chat_queue_init(&line->kept);
    const enum chat_push pushed = chat_queue_push(&line->kept, in);
    if (pushed != CHAT_PUSHED) {
        free(line);
        return pushed == CHAT_TOO_LONG; // it would never be heard: nothing is lost
    }
    line->in = chat_queue_take(&line->kept);
    *heard->end = line;
    heard->end = &line->next;
    return true;
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
