#include "adapters/fake/fake.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

struct fake {
    struct chat chat;
    struct chat_ops ops; // with this one's capabilities
    struct fake_message *messages;
    size_t count, capacity;
    unsigned fail_in; // messages until one fails; 0 never
    char fail_person[CHAT_ID_SIZE];
    enum mb_code fail_code; // MB_OK: messages to fail_person arrive
    unsigned long heard;
    bool started;
};

static bool fake_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);

static struct fake *fake_of(struct chat *chat)
{
    assert(chat->ops->send == fake_send);
    return (struct fake *)chat;
}

static const struct fake *fake_of_const(const struct chat *chat)
{
    assert(chat->ops->send == fake_send);
    return (const struct fake *)chat;
}

static bool copy_word(char *out, size_t size, const char *word)
{
    const size_t length = strlen(word);
    if (length >= size) {
        return false;
    }
    memcpy(out, word, length + 1);
    return true;
}

static bool fake_start(struct chat *chat, struct mb_error *err)
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

static void message_finish(struct fake_message *message)
{
    free(message->controls);
    *message = (struct fake_message){0};
}

static char *put_word(char **room, const char *word)
{
    const size_t size = strlen(word) + 1;
    char *const at = memcpy(*room, word, size);
    *room += size;
    return at;
}

// Text and controls lie in one block, which begins with the controls.
static bool copy_texts(struct fake_message *message, const struct chat_out *out)
{
    size_t size = out->control_count * sizeof *message->controls + strlen(out->text) + 1;
    for (size_t i = 0; i < out->control_count; i++) {
        size += strlen(out->controls[i].label) + strlen(out->controls[i].line) + 2;
    }
    message->controls = malloc(size);
    if (message->controls == NULL) {
        return false;
    }
    char *room = (char *)(message->controls + out->control_count);
    message->text = put_word(&room, out->text);
    message->control_count = out->control_count;
    for (size_t i = 0; i < out->control_count; i++) {
        const char *const label = put_word(&room, out->controls[i].label);
        message->controls[i] =
            (struct chat_control){.label = label, .line = put_word(&room, out->controls[i].line)};
    }
    return true;
}

static bool fails(struct fake *fake, const struct chat_out *out, struct mb_error *err)
{
    if (!fake->started) {
        return !mb_fail(err, MB_ERR_STATE, "the chat is not started");
    }
    if (fake->fail_in > 0 && --fake->fail_in == 0) {
        return !mb_fail(err, MB_ERR_RETRY, "the fake chat fails as it was told to");
    }
    const char *const person = out->person != NULL ? out->person : "";
    if (fake->fail_code != MB_OK && strcmp(fake->fail_person, person) == 0) {
        return !mb_fail(err, fake->fail_code, "nothing gets through to there, as was told");
    }
    return false;
}

static bool fake_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct fake *const fake = fake_of(chat);
    if (fails(fake, out, err)) {
        return false;
    }
    if (!grow(fake)) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory");
    }
    struct fake_message *const message = &fake->messages[fake->count];
    *message =
        (struct fake_message){.kind = out->kind, .bond = out->bond, .ping_count = out->ping_count};
    if (!copy_word(message->place, CHAT_ID_SIZE, out->place) ||
        !copy_word(message->person, CHAT_ID_SIZE, out->person != NULL ? out->person : "") ||
        !copy_word(message->event, CHAT_ID_SIZE, out->event != NULL ? out->event : "")) {
        return mb_fail(err, MB_ERR_INPUT, "the name of a place or person is too long");
    }
    if (!copy_texts(message, out)) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory");
    }
    fake->count++;
    return true;
}

static void fake_stop(struct chat *chat)
{
    fake_of(chat)->started = false;
}

static void fake_destroy(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    fake_forget(chat);
    free(fake->messages);
    free(fake);
}

struct chat *fake_create_with(struct chat_queue *queue, uint32_t caps)
{
    struct fake *const fake = calloc(1, sizeof *fake);
    if (fake == NULL) {
        return NULL;
    }
    fake->ops = (struct chat_ops){.name = "fake",
                                  .caps = caps,
                                  .start = fake_start,
                                  .send = fake_send,
                                  .stop = fake_stop,
                                  .destroy = fake_destroy};
    fake->chat.ops = &fake->ops;
    fake->chat.sink.queue = queue;
    return &fake->chat;
}

struct chat *fake_create(struct chat_queue *queue)
{
    return fake_create_with(queue, CHAT_CAP_PRIVATE);
}

bool fake_hear_in(struct chat *chat, const struct chat_in *in)
{
    struct fake *const fake = fake_of(chat);
    if (!fake->started) {
        return false;
    }
    struct chat_in heard = *in;
    if (heard.event[0] == '\0') {
        (void)snprintf(heard.event, sizeof heard.event, "event %lu", ++fake->heard);
    }
    return chat_queue_push(chat->sink.queue, &heard);
}

bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line)
{
    struct chat_in in = {.place = ""};
    return copy_word(in.line, sizeof in.line, line) && copy_word(in.place, CHAT_ID_SIZE, place) &&
           copy_word(in.person, CHAT_ID_SIZE, person) && fake_hear_in(chat, &in);
}

bool fake_press(struct chat *chat, const struct fake_message *message, size_t control,
                const char *person)
{
    struct chat_in in = {.place = "", .bond = message->bond};
    in.direct = chat_kind_is_private(message->kind);
    return control < message->control_count &&
           copy_word(in.line, sizeof in.line, message->controls[control].line) &&
           copy_word(in.place, CHAT_ID_SIZE, message->place) &&
           copy_word(in.person, CHAT_ID_SIZE, person) && fake_hear_in(chat, &in);
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

const struct fake_message *fake_newest(const struct chat *chat, enum chat_kind kind,
                                       const char *place, const char *person)
{
    const struct fake *const fake = fake_of_const(chat);
    for (size_t i = fake->count; i > 0; i--) {
        const struct fake_message *const message = &fake->messages[i - 1];
        if (message->kind == kind && strcmp(message->place, place) == 0 &&
            (person == NULL || strcmp(message->person, person) == 0)) {
            return message;
        }
    }
    return NULL;
}

size_t fake_count_of(const struct chat *chat, enum chat_kind kind)
{
    const struct fake *const fake = fake_of_const(chat);
    size_t count = 0;
    for (size_t i = 0; i < fake->count; i++) {
        count += fake->messages[i].kind == kind ? 1 : 0;
    }
    return count;
}

void fake_forget(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    for (size_t i = 0; i < fake->count; i++) {
        message_finish(&fake->messages[i]);
    }
    fake->count = 0;
}

void fake_fail_at(struct chat *chat, unsigned n)
{
    fake_of(chat)->fail_in = n;
}

void fake_fail_to(struct chat *chat, const char *person, enum mb_code code)
{
    struct fake *const fake = fake_of(chat);
    fake->fail_code = code;
    (void)copy_word(fake->fail_person, CHAT_ID_SIZE, person != NULL ? person : "");
}
