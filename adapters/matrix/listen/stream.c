#include "adapters/matrix/listen/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

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
};

static const char WORD[] = "since";

struct stream *stream_create(struct chat *chat)
{
    struct stream *const stream = mb_new(1, sizeof *stream);
    stream->chat = chat;
    stream->end = &stream->first;
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

bool stream_await(struct fibre *fibre, struct stream *stream)
{
    struct kept_items kept;
    while (stream->first != NULL) { // of an earlier time, when the token was this process's
        drop_first(stream);
    }
    stream->since[0] = '\0';
    const bool read = chat_read_await(fibre, stream->chat, WORD, &kept);
    if (read && kept.count > 0 && kept.items[0].size < STREAM_TOKEN_SIZE) {
        memcpy(stream->since, kept.items[0].at, kept.items[0].size);
        stream->since[kept.items[0].size] = '\0';
    }
    return read;
}

const char *stream_since(const struct stream *stream)
{
    return stream->since;
}

bool stream_advance(struct stream *stream, const char *since)
{
    if (strlen(since) >= STREAM_TOKEN_SIZE) {
        return false;
    }
    struct batch *const batch = mb_new(1, sizeof *batch);
    (void)snprintf(stream->since, sizeof stream->since, "%s", since);
    batch->number = stream->chat->sink.queue->pushed;
    (void)snprintf(batch->since, sizeof batch->since, "%s", since);
    *stream->end = batch;
    stream->end = &batch->next;
    stream_settle(stream);
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
