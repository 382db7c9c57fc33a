#include "bot/chat.h"

#include <assert.h>
#include <string.h>

#include "bot/chat_impl.h"

void chat_queue_init(struct chat_queue *queue)
{
    queue->first = 0;
    queue->count = 0;
}

bool chat_queue_push(struct chat_queue *queue, const struct chat_in *in)
{
    if (queue->count == CHAT_QUEUE_MAX) {
        return false;
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

bool chat_start(struct chat *chat, struct mb_error *err)
{
    assert(chat->sink.queue != NULL);
    return chat->ops->start(chat, err);
}

bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    assert(out->place != NULL && out->text != NULL);
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
