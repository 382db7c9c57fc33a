#include "bot/chat.h"

#include <assert.h>
#include <string.h>

#include "bot/chat_impl.h"

void chat_queue_init(struct chat_queue *queue)
{
    queue->first = 0;
    queue->count = 0;
}

static size_t waiting_of(const struct chat_queue *queue, const char *person)
{
    size_t waiting = 0;
    for (size_t i = 0; i < queue->count; i++) {
        const struct chat_in *const in = &queue->items[(queue->first + i) % CHAT_QUEUE_MAX];
        waiting += strcmp(in->person, person) == 0 ? 1 : 0;
    }
    return waiting;
}

bool chat_queue_push(struct chat_queue *queue, const struct chat_in *in)
{
    if (queue->count == CHAT_QUEUE_MAX ||
        (queue->count >= CHAT_QUEUE_SHARE && waiting_of(queue, in->person) >= CHAT_QUEUE_SHARE)) {
        return false;
    }
    if (queue->count == 0) {
        queue->first = 0; // a queue that is kept short stays in few places of memory
    }
    queue->items[(queue->first + queue->count) % CHAT_QUEUE_MAX] = *in;
    queue->count++;
    return true;
}

bool chat_queue_pop(struct chat_queue *queue, struct chat_in *out)
{
    if (queue->count == 0) {
        return false;
    }
    *out = queue->items[queue->first];
    queue->first = (queue->first + 1) % CHAT_QUEUE_MAX;
    queue->count--;
    return true;
}

const char *chat_name(const struct chat *chat)
{
    return chat->ops->name;
}

uint32_t chat_caps(const struct chat *chat)
{
    return chat->ops->caps;
}

struct chat_queue *chat_inbox(const struct chat *chat)
{
    return chat->sink.queue;
}

bool chat_start(struct chat *chat, struct mb_error *err)
{
    assert(chat->sink.queue != NULL);
    return chat->ops->start(chat, err);
}

bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    assert(out->place != NULL && out->text != NULL);
    const bool private = chat_kind_is_private(out->kind);
    if (private && (out->person == NULL || (chat->ops->caps & CHAT_CAP_PRIVATE) == 0)) {
        return mb_fail(err, MB_ERR_INPUT, "what is private has nobody to go to");
    }
    if (!private && out->person != NULL) {
        return mb_fail(err, MB_ERR_INPUT, "what is public is addressed to one person");
    }
    return chat->ops->send(chat, out, err);
}

void chat_stop(struct chat *chat)
{
    chat->ops->stop(chat);
}

void chat_destroy(struct chat *chat)
{
    if (chat != NULL) {
        chat->ops->destroy(chat);
    }
}
