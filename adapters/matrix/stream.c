#include "adapters/matrix/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

/* A sync whose lines are in the queue. */
struct batch {
    struct batch *next;
    uint64_t number; // of its last line
    char since[STREAM_TOKEN_SIZE];
};

struct stream {
    struct chat *chat;
    char since[STREAM_TOKEN_SIZE];
    struct batch *first, **end;
    void (*done)(void *user);
    void *user;
};

static const char WORD[] = "since";

struct stream *stream_create(struct chat *chat)
{
    struct stream *const stream = calloc(1, sizeof *stream);
    if (stream != NULL) {
        stream->chat = chat;
        stream->end = &stream->first;
    }
    return stream;
}

static void drop_first(struct stream *stream)
{
    struct batch *const batch = stream->first;
    stream->first = batch->next;
    stream->end = stream->first == NULL ? &stream->first : stream->end;
    free(batch);
}

void stream_destroy(struct stream *stream)
{
    while (stream != NULL && stream->first != NULL) {
        drop_first(stream);
    }
    free(stream);
}

static void was_read(void *user, const struct chat_kept *items, size_t count)
{
    struct stream *const stream = user;
    if (count > 0 && items[0].size < STREAM_TOKEN_SIZE) {
        memcpy(stream->since, items[0].at, items[0].size);
        stream->since[items[0].size] = '\0';
    }
    stream->done(stream->user);
}

bool stream_read(struct stream *stream, void (*done)(void *user), void *user)
{
    while (stream->first != NULL) { // of an earlier time, when the token was this process's
        drop_first(stream);
    }
    stream->since[0] = '\0';
    stream->done = done;
    stream->user = user;
    return chat_read(stream->chat, WORD, was_read, stream);
}

const char *stream_since(const struct stream *stream)
{
    return stream->since;
}

bool stream_advance(struct stream *stream, const char *since)
{
    struct batch *const batch = calloc(1, sizeof *batch);
    if (strlen(since) >= STREAM_TOKEN_SIZE) {
        free(batch);
        return false;
    }
    (void)snprintf(stream->since, sizeof stream->since, "%s", since);
    if (batch != NULL) { // else a later one counts for it
        batch->number = stream->chat->sink.queue->pushed;
        (void)snprintf(batch->since, sizeof batch->since, "%s", since);
        *stream->end = batch;
        stream->end = &batch->next;
        stream_settle(stream);
    }
    return true;
}

void stream_settle(struct stream *stream)
{
    const uint64_t settled = chat_queue_settled(stream->chat->sink.queue);
    while (stream->first != NULL && stream->first->number <= settled) {
        const struct batch *const batch = stream->first;
        const struct chat_kept item = {
            .word = WORD, .at = batch->since, .size = strlen(batch->since)};
        if ((batch->next == NULL || batch->next->number > settled) &&
            !chat_keep(stream->chat, &item, NULL, NULL)) {
            return; // with the next
        }
        drop_first(stream);
    }
}
