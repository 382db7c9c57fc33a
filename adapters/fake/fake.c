#include "adapters/fake/fake.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

struct fake {
    struct chat chat;
    struct fake_message *messages;
    size_t count, capacity;
    unsigned fail_in; // messages until one fails; 0 never
    unsigned long heard;
    bool started;
};

static const struct chat_ops OPS;

static struct fake *fake_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct fake *)chat;
}

static const struct fake *fake_of_const(const struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (const struct fake *)chat;
}

static bool copy_word(char out[CHAT_ID_SIZE], const char *word)
{
    const size_t length = strlen(word);
    if (length >= CHAT_ID_SIZE) {
        return false;
    }
    memcpy(out, word, length + 1);
    return true;
}

static bool start(struct chat *chat, struct mb_error *err)
{
    (void)err;
    fake_of(chat)->started = true;
    return true;
}

static bool grow(struct fake *fake)
{
    if (fake->count < fake->capacity) {
        return true;
    }
    const size_t capacity = fake->capacity == 0 ? 64 : fake->capacity * 2;
    struct fake_message *const messages =
        realloc(fake->messages, capacity * sizeof *fake->messages);
    if (messages == NULL) {
        return false;
    }
    fake->messages = messages;
    fake->capacity = capacity;
    return true;
}

static bool send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct fake *const fake = fake_of(chat);
    if (!fake->started) {
        return mb_fail(err, MB_ERR_STATE, "the chat is not started");
    }
    if (fake->fail_in > 0 && --fake->fail_in == 0) {
        return mb_fail(err, MB_ERR_RETRY, "the fake chat fails as it was told to");
    }
    if (!grow(fake)) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory");
    }
    struct fake_message *const message = &fake->messages[fake->count];
    memset(message, 0, sizeof *message);
    message->to = out->to;
    if (!copy_word(message->place, out->place) ||
        !copy_word(message->person, out->person != NULL ? out->person : "")) {
        return mb_fail(err, MB_ERR_INPUT, "the name of a place or person is too long");
    }
    message->text = strdup(out->text);
    if (message->text == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory");
    }
    fake->count++;
    return true;
}

static void stop(struct chat *chat)
{
    fake_of(chat)->started = false;
}

static void destroy(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    fake_forget(chat);
    free(fake->messages);
    free(fake);
}

static const struct chat_ops OPS = {
    .name = "fake",
    .caps = CHAT_CAP_PRIVATE,
    .start = start,
    .send = send,
    .stop = stop,
    .destroy = destroy,
};

struct chat *fake_create(struct chat_queue *queue)
{
    struct fake *const fake = calloc(1, sizeof *fake);
    if (fake == NULL) {
        return NULL;
    }
    fake->chat.ops = &OPS;
    fake->chat.sink.queue = queue;
    return &fake->chat;
}

bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line)
{
    struct fake *const fake = fake_of(chat);
    struct chat_in in = {0};
    const size_t length = strlen(line);
    if (!fake->started || length >= CHAT_LINE_SIZE || !copy_word(in.place, place) ||
        !copy_word(in.person, person)) {
        return false;
    }
    memcpy(in.line, line, length + 1);
    fake->heard++;
    for (size_t i = 0; i < sizeof fake->heard; i++) {
        in.event[i] = (char)('a' + (fake->heard >> (4 * i) & 15u));
    }
    return chat_queue_push(chat->sink.queue, &in);
}

size_t fake_count(const struct chat *chat)
{
    return fake_of_const(chat)->count;
}

const struct fake_message *fake_message(const struct chat *chat, size_t index)
{
    const struct fake *const fake = fake_of_const(chat);
    return index < fake->count ? &fake->messages[index] : NULL;
}

const struct fake_message *fake_find(const struct chat *chat, const char *person, const char *text)
{
    const struct fake *const fake = fake_of_const(chat);
    for (size_t i = fake->count; i > 0; i--) {
        const struct fake_message *const message = &fake->messages[i - 1];
        if (strcmp(message->person, person != NULL ? person : "") == 0 &&
            strstr(message->text, text) != NULL) {
            return message;
        }
    }
    return NULL;
}

void fake_forget(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    for (size_t i = 0; i < fake->count; i++) {
        free(fake->messages[i].text);
    }
    fake->count = 0;
}

void fake_fail_at(struct chat *chat, unsigned n)
{
    fake_of(chat)->fail_in = n;
}
