/*
 * Fuzzes what Discord's gateway tells of servers: a list of messages, or the bytes of one.
 *
 * Whatever comes: what a walk finds as a message's data is what a tree has there, and a server that
 * has been told of as ours is not one that we lack.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bot/chat_impl.h"

#include "adapters/discord/gateway/guilds.h"
#include "adapters/discord/wire/frame.h"
#include "adapters/discord/wire/interaction.h"

#include "tests/fuzz/fuzz.h"

static void hear(struct guilds *guilds, struct chat_queue *queue, const struct gateway_frame *frame)
{
    guilds_heard(guilds, frame->event, frame->data, frame->data_size);
    for (struct chat_in *in = chat_queue_take(queue); in != NULL; in = chat_queue_take(queue)) {
        (void)chat_queue_settle(queue, in);
    }
}

static void check_data(const json_t *message, const struct gateway_frame *frame)
{
    const json_t *const data = json_object_get(message, "d");
    json_t *const found = frame->data != NULL
                              ? json_loadb(frame->data, frame->data_size, JSON_DECODE_ANY, NULL)
                              : NULL;
    if ((data == NULL) != (found == NULL) || (data != NULL && json_equal(data, found) == 0)) {
        fuzz_fail("the data is not what the message has");
    }
    json_decref(found);
}

// One of a list; what was written by the library has no name twice.
static void hear_message(struct guilds *guilds, struct chat_queue *queue, const json_t *message)
{
    struct gateway_frame frame;
    struct mb_error err = {0};
    char *const text = json_dumps(message, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text != NULL && frame_read(text, strlen(text), &frame, &err)) {
        const json_t *const data = json_object_get(message, "d");
        const char *const id = json_string_value(json_object_get(data, "id"));
        check_data(message, &frame);
        if (frame.event[0] != '\0' && frame.data != NULL) {
            hear(guilds, queue, &frame);
        }
        if (strcmp(frame.event, "GUILD_CREATE") == 0 && id != NULL && discord_is_id(id) &&
            strtoull(id, NULL, 10) != 0 && guilds_lacks(guilds, id)) { // 0 is nobody's id
            fuzz_fail("server %s is lacking", id);
        }
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct chat_queue queue;
    struct gateway_frame frame;
    struct mb_error err = {0};
    size_t i = 0;
    json_t *message = NULL;
    json_t *const messages = json_loadb((const char *)data, size, 0, NULL);
    chat_queue_init(&queue);
    struct guilds *const guilds = guilds_create(NULL, &queue, NULL);
    json_array_foreach(messages, i, message)
    {
        hear_message(guilds, &queue, message);
    }
    if (frame_read((const char *)data, size, &frame, &err) && frame.data != NULL) {
        hear(guilds, &queue, &frame);
    }
    guilds_destroy(guilds);
    chat_queue_finish(&queue);
    json_decref(messages);
    return 0;
}
