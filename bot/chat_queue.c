#include "bot/chat_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/person.h"

_Static_assert((int)CHAT_ID_SIZE == (int)PERSON_ID_SIZE, "a person's id is one of a chat's");

struct chat_heard {
    struct chat_in in; // first: chat_queue_settle() relies on it
    struct mb_pool words;
    struct chat_heard *older, *newer;
    uint64_t number;
    bool taken;
};

void chat_queue_init(struct chat_queue *queue)
{
    *queue = (struct chat_queue){.first = NULL};
}

static void free_heard(struct chat_heard *heard)
{
    mb_pool_finish(&heard->words);
    free(heard);
}

void chat_queue_finish(struct chat_queue *queue)
{
    while (queue->first != NULL) {
        struct chat_heard *const heard = queue->first;
        queue->first = heard->newer;
        free_heard(heard);
    }
    chat_queue_init(queue);
}

static bool is_flooding(const struct chat_queue *queue, const char *person)
{
    size_t waiting = 0;
    if (queue->count < CHAT_QUEUE_SHARE) {
        return false;
    }
    for (const struct chat_heard *at = queue->next; at != NULL; at = at->newer) {
        waiting += strcmp(at->in.person, person) == 0 ? 1 : 0;
    }
    return waiting >= CHAT_QUEUE_SHARE;
}

enum { WORDS = 12 };

// The words of a line and how long each may be; a name that is longer is cut.
struct word {
    const char **at;
    size_t size;
    bool cut;
};

static void words_of(struct chat_in *in, struct word out[WORDS])
{
    const struct word words[WORDS] = {
        {.at = &in->place, .size = CHAT_ID_SIZE},
        {.at = &in->person, .size = CHAT_ID_SIZE},
        {.at = &in->event, .size = CHAT_ID_SIZE},
        {.at = &in->community, .size = CHAT_ID_SIZE},
        {.at = &in->above, .size = CHAT_ID_SIZE},
        {.at = &in->communities, .size = CHAT_COMMUNITIES_SIZE},
        {.at = &in->moved, .size = CHAT_ID_SIZE},
        {.at = &in->line, .size = CHAT_LINE_SIZE},
        {.at = &in->answer, .size = CHAT_ANSWER_SIZE},
        {.at = &in->path, .size = CHAT_PATH_SIZE},
        {.at = &in->name, .size = CHAT_NAME_SIZE, .cut = true},
        {.at = &in->place_name, .size = CHAT_NAME_SIZE, .cut = true},
    };
    memcpy(out, words, sizeof words);
}

// The bytes of a name up to the last whole character that fits.
static size_t cut_length(const char *name, size_t size)
{
    size_t length = 0;
    for (size_t at = 1; at < size && name[at - 1] != '\0'; at++) {
        const bool whole = ((unsigned char)name[at] & 0xC0u) != 0x80u;
        length = whole ? at : length;
    }
    return length;
}

// Keeps the words, cut where they may be; false: another is too long.
static bool keep_words(struct mb_pool *pool, const struct word words[WORDS])
{
    bool fits = true;
    for (unsigned i = 0; i < WORDS && fits; i++) {
        const struct word *const word = &words[i];
        const char *const text = *word->at != NULL ? *word->at : "";
        const bool whole = strlen(text) < word->size;
        *word->at = whole ? mb_pool_word(pool, text)
                          : mb_pool_text_of(pool, text, cut_length(text, word->size));
        fits = whole || word->cut;
    }
    return fits;
}

void chat_in_keep(struct mb_pool *pool, struct chat_in *in)
{
    struct word words[WORDS];
    words_of(in, words);
    for (unsigned i = 0; i < WORDS; i++) {
        *words[i].at = mb_pool_word(pool, *words[i].at);
    }
}

static void link_last(struct chat_queue *queue, struct chat_heard *heard)
{
    heard->older = queue->last;
    if (queue->last != NULL) {
        queue->last->newer = heard;
    } else {
        queue->first = heard;
    }
    queue->last = heard;
    queue->next = queue->next != NULL ? queue->next : heard;
    queue->count++;
}

enum chat_push chat_queue_push(struct chat_queue *queue, const struct chat_in *in)
{
    const bool said = chat_in_is_said(in->kind);
    const bool ties = in->kind == CHAT_IN_AWAY || in->kind == CHAT_IN_BACK;
    struct chat_heard *const heard = mb_new(1, sizeof *heard);
    struct word words[WORDS];
    heard->in = *in;
    words_of(&heard->in, words);
    enum chat_push pushed = CHAT_PUSHED;
    if (!keep_words(&heard->words, words)) {
        pushed = CHAT_TOO_LONG;
    } else if (!ties && queue->count >= (size_t)CHAT_QUEUE_MAX + (said ? 0 : CHAT_NEWS_MAX)) {
        pushed = CHAT_FULL;
    } else if (said && is_flooding(queue, heard->in.person)) {
        pushed = CHAT_FLOODS;
    }
    if (pushed != CHAT_PUSHED) {
        free_heard(heard);
        return pushed;
    }
    heard->number = ++queue->pushed;
    link_last(queue, heard);
    return CHAT_PUSHED;
}

struct chat_in *chat_queue_take(struct chat_queue *queue)
{
    struct chat_heard *const heard = queue->next;
    if (heard == NULL) {
        return NULL;
    }
    heard->taken = true;
    queue->next = heard->newer;
    queue->count--;
    return &heard->in;
}

bool chat_queue_settle(struct chat_queue *queue, struct chat_in *in)
{
    struct chat_heard *const heard = (struct chat_heard *)in;
    assert(heard->taken);
    const uint64_t before = chat_queue_settled(queue);
    *(heard->older != NULL ? &heard->older->newer : &queue->first) = heard->newer;
    *(heard->newer != NULL ? &heard->newer->older : &queue->last) = heard->older;
    free_heard(heard);
    return chat_queue_settled(queue) != before;
}

uint64_t chat_queue_settled(const struct chat_queue *queue)
{
    return queue->first != NULL ? queue->first->number - 1 : queue->pushed;
}
