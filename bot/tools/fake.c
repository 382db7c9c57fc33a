#include "bot/tools/fake.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/text/text.h"

struct kept {
    struct fake_message message;
    struct kept *next; // among those that wait
    struct mb_pool words;
};

enum { FAKE_REACH_MAX = 8 };

struct fake {
    struct chat chat;
    struct chat_ops ops; // with this one's capabilities
    struct kept **messages;
    size_t count, capacity;
    struct kept *waiting;
    char (*removed)[CHAT_TABLE_SIZE]; // ids of deleted messages
    size_t removed_count;
    unsigned fail_in; // messages until one fails; 0 never
    char fail_person[CHAT_ID_SIZE];
    enum mb_code fail_code; // MB_OK: messages to fail_person arrive
    unsigned long heard, sent, said;
    uint64_t settled;
    struct {
        char person[CHAT_ID_SIZE];
        int64_t ms;
    } reach[FAKE_REACH_MAX]; // those of whom it was said
    bool started, lost, holds;
    fake_show_fn *show; // NULL: what is sent is remembered
    void *show_user;
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

static bool fake_start(struct chat *chat, struct mb_error *err)
{
    (void)err;
    fake_of(chat)->started = true;
    return true;
}

// All, each with a blank behind it.
static const char *put_words(struct mb_pool *pool, const char *const *words, size_t count)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++) {
        size += strlen(words[i]) + 1;
    }
    char *const all = mb_pool_new(pool, size, 1);
    char *to = all;
    for (size_t i = 0; i < count; i++) {
        to = stpcpy(stpcpy(to, words[i]), " ");
    }
    return all;
}

// A chat that shows no marks.
static const char *put_stripped(struct mb_pool *pool, const char *word)
{
    char *const text = mb_pool_text(pool, word != NULL ? word : "");
    text_strip(text);
    return text;
}

static struct kept *keep_message(const struct chat_out *out)
{
    struct kept *const kept = mb_new(1, sizeof *kept);
    struct mb_pool *const pool = &kept->words;
    kept->message = (struct fake_message){
        .place = mb_pool_word(pool, out->place),
        .person = mb_pool_word(pool, out->person),
        .event = mb_pool_word(pool, out->event),
        .answer = mb_pool_word(pool, out->answer),
        .anew = out->anew,
        .replaces = mb_pool_word(pool, out->replaces),
        .text = put_stripped(pool, out->text),
        .key = out->key,
        .mark = out->mark,
        .kind = out->kind,
        .refusal = out->refusal != NULL ? *out->refusal : (struct refusal){.code = REFUSAL_NONE},
        .bond = out->bond,
        .pings = put_words(pool, out->pings, out->ping_count),
        .asked = put_words(pool, out->asked, out->asked_count),
        .ping_count = out->ping_count,
        .control_count = out->control_count,
        .controls = chat_controls_copy(pool, out->controls, out->control_count),
        .path = mb_pool_word(pool, out->path),
        .prompt = put_stripped(pool, out->prompt),
        .story = put_stripped(pool, out->story),
        .kept = put_stripped(pool, out->kept),
        .chapter = out->chapter,
        .tells = out->story != NULL,
        .open = out->open,
        .moved = mb_pool_word(pool, out->moved),
        .clock_ms = out->clock_ms,
        .idle = out->idle,
        .retries = out->retries};
    kept->message.refusal.rule = mb_pool_text(pool, kept->message.refusal.rule);
    return kept;
}

static bool message_fails(struct fake *fake, const struct chat_out *out, struct mb_error *err)
{
    if (!fake->started) {
        return !mb_fail(err, MB_ERR_STATE, "the chat is not started");
    }
    if (fake->lost) {
        return !mb_fail(err, MB_ERR_RETRY, "the fake chat has lost its connection");
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

static void drop_kept(struct kept *kept)
{
    mb_pool_finish(&kept->words);
    free(kept);
}

static bool is_removed(const struct fake *fake, const char *id)
{
    for (size_t i = 0; i < fake->removed_count; i++) {
        if (strcmp(fake->removed[i], id) == 0) {
            return true;
        }
    }
    return false;
}

static void end_kept(struct fake *fake, struct kept *kept, enum chat_fate fate)
{
    const struct chat_outcome outcome = {.key = kept->message.key, .fate = fate};
    drop_kept(kept);
    chat_tell(&fake->chat, &outcome);
}

// The message of that key, if people have seen it; NULL. A key of zeros is none.
static const struct fake_message *find_delivered(const struct fake *fake, struct chat_key key)
{
    for (size_t i = key.number != 0 ? fake->count : 0; i > 0; i--) {
        const struct fake_message *const message = &fake->messages[i - 1]->message;
        if (message->key.number == key.number && message->key.epoch == key.epoch) {
            return message;
        }
    }
    return NULL;
}

static void tell_delivered(struct fake *fake, const struct fake_message *message)
{
    // Who hears of it may forget all messages.
    char id[CHAT_TABLE_SIZE];
    memcpy(id, message->id, sizeof id);
    const struct chat_outcome outcome = {.key = message->key, .fate = CHAT_DELIVERED, .id = id};
    chat_tell(&fake->chat, &outcome);
}

// People see it now.
static void deliver_kept(struct fake *fake, struct kept *kept)
{
    struct fake_message *const message = &kept->message;
    const struct fake_message *const before = find_delivered(fake, message->key);
    if (before != NULL) {
        drop_kept(kept);
        tell_delivered(fake, before);
        return;
    }
    if (is_removed(fake, message->replaces)) {
        end_kept(fake, kept, CHAT_MESSAGE_GONE);
        return;
    }
    if (message->kind == CHAT_ROOM) {
        (void)snprintf(message->id, sizeof message->id, "%s",
                       message->text[0] != '\0' ? "room" : message->place);
    } else if (message->replaces[0] != '\0') {
        (void)snprintf(message->id, sizeof message->id, "%s", message->replaces);
        size_t at = fake->count;
        while (at > 0 && strcmp(fake->messages[at - 1]->message.id, message->id) != 0) {
            at--;
        }
        if (at > 0) {
            fake->messages[at - 1]->message.replaced = true;
        }
    } else {
        // What is said to all is counted by itself: boards may be shown once more, and an id by
        // which cards are dealt is the same then.
        const bool aloud = message->kind == CHAT_NARRATION;
        (void)snprintf(message->id, sizeof message->id, aloud ? "n%lu" : "m%lu",
                       aloud ? ++fake->said : ++fake->sent);
    }
    fake->messages =
        mb_grow_for(fake->messages, fake->count, &fake->capacity, sizeof(struct kept *));
    fake->messages[fake->count++] = kept;
    tell_delivered(fake, message);
}

static bool show_at_once(struct fake *fake, const struct chat_out *out, struct mb_error *err)
{
    char id[CHAT_TABLE_SIZE];
    if (!fake->show(fake->show_user, out, id)) {
        return mb_fail(err, MB_ERR_RETRY, "the message cannot be shown");
    }
    const struct chat_outcome outcome = {
        .key = out->key, .fate = CHAT_DELIVERED, .id = out->replaces != NULL ? out->replaces : id};
    chat_tell(&fake->chat, &outcome);
    return true;
}

static bool fake_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct fake *const fake = fake_of(chat);
    if (message_fails(fake, out, err)) {
        return false;
    }
    if (fake->show != NULL) {
        return show_at_once(fake, out, err);
    }
    struct kept *const kept = keep_message(out);
    if (!fake->holds) {
        deliver_kept(fake, kept);
        return true;
    }
    struct kept **at = &fake->waiting;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = kept;
    return true;
}

static void drop_waiting(struct fake *fake)
{
    while (fake->waiting != NULL) {
        struct kept *const kept = fake->waiting;
        fake->waiting = kept->next;
        drop_kept(kept);
    }
}

static void fake_stop(struct chat *chat)
{
    fake_of(chat)->started = false;
    drop_waiting(fake_of(chat));
}

static void fake_destroy(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    fake_forget(chat);
    drop_waiting(fake);
    free(fake->messages);
    free(fake->removed);
    free(fake);
}

static void fake_note_settled(struct chat *chat, uint64_t number)
{
    fake_of(chat)->settled = number;
}

static int64_t fake_reach_ms(struct chat *chat, const char *person)
{
    const struct fake *const fake = fake_of(chat);
    size_t i = 0;
    while (i < FAKE_REACH_MAX && strcmp(fake->reach[i].person, person) != 0) {
        i++;
    }
    return i < FAKE_REACH_MAX ? fake->reach[i].ms : 0;
}

void fake_reach(struct chat *chat, const char *person, int64_t ms)
{
    struct fake *const fake = fake_of(chat);
    size_t i = 0;
    while (fake->reach[i].person[0] != '\0' && strcmp(fake->reach[i].person, person) != 0) {
        i++;
        assert(i < FAKE_REACH_MAX);
    }
    (void)snprintf(fake->reach[i].person, sizeof fake->reach[i].person, "%s", person);
    fake->reach[i].ms = ms;
}

struct chat *fake_create_named(const char *name, struct chat_queue *queue, uint32_t caps)
{
    struct fake *const fake = mb_new(1, sizeof *fake);
    fake->ops = (struct chat_ops){.name = name,
                                  .caps = caps,
                                  .start = fake_start,
                                  .send = fake_send,
                                  .stop = fake_stop,
                                  .destroy = fake_destroy,
                                  .reach = fake_reach_ms};
    fake->chat.ops = &fake->ops;
    fake->chat.sink.queue = queue;
    fake->chat.sink.settled = fake_note_settled;
    return &fake->chat;
}

void fake_show_to(struct chat *chat, fake_show_fn *show, void *user)
{
    fake_of(chat)->show = show;
    fake_of(chat)->show_user = user;
}

void fake_show_at_most(struct chat *chat, size_t bytes)
{
    fake_of(chat)->ops.text_max = bytes;
}

void fake_can(struct chat *chat, uint32_t caps)
{
    fake_of(chat)->ops.caps = caps;
}

struct chat *fake_create_with(struct chat_queue *queue, uint32_t caps)
{
    return fake_create_named("fake", queue, caps);
}

bool fake_hear_in(struct chat *chat, const struct chat_in *in)
{
    enum { EVENT_SIZE = 32 };
    struct fake *const fake = fake_of(chat);
    char event[EVENT_SIZE];
    if (!fake->started || fake->lost) {
        return false;
    }
    struct chat_in heard = *in;
    if (heard.event == NULL || heard.event[0] == '\0') {
        (void)snprintf(event, sizeof event, "event %lu", ++fake->heard);
        heard.event = event;
    }
    return chat_queue_push(chat->sink.queue, &heard) == CHAT_PUSHED;
}

bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line)
{
    const struct chat_in in = {.place = place, .person = person, .line = line, .open = true};
    return fake_hear_in(chat, &in);
}

bool fake_press(struct chat *chat, const struct fake_message *message, size_t control,
                const char *person)
{
    enum { ANSWER_SIZE = 32 };
    char answer[ANSWER_SIZE];
    if (control >= message->control_count) {
        return false;
    }
    const bool opens = message->controls[control].opens[0] != '\0';
    (void)snprintf(answer, sizeof answer, "press %lu", fake_of(chat)->heard + 1);
    const struct chat_in in = {.kind = CHAT_IN_PRESS,
                               .place = message->place,
                               .person = person,
                               .line = "",
                               .answer = answer,
                               .direct = chat_kind_is_private(message->kind),
                               .bond = message->bond,
                               .path = opens ? message->controls[control].opens : message->path,
                               .pressed = opens ? 0 : (uint16_t)(control + 1)};
    return fake_hear_in(chat, &in);
}

bool fake_news(struct chat *chat, const struct chat_in *in)
{
    return fake_of(chat)->started && chat_queue_push(chat->sink.queue, in) == CHAT_PUSHED;
}

bool fake_link(struct chat *chat, bool back)
{
    const struct chat_in in = {.kind = back ? CHAT_IN_BACK : CHAT_IN_AWAY};
    fake_of(chat)->lost = !back;
    return fake_news(chat, &in);
}

uint64_t fake_settled(const struct chat *chat)
{
    return fake_of_const(chat)->settled;
}

size_t fake_count(const struct chat *chat)
{
    return fake_of_const(chat)->count;
}

const struct fake_message *fake_message(const struct chat *chat, size_t index)
{
    const struct fake *const fake = fake_of_const(chat);
    return index < fake->count ? &fake->messages[index]->message : NULL;
}

const struct fake_message *fake_find(const struct chat *chat, const char *person, const char *text)
{
    for (size_t i = fake_count(chat); i > 0; i--) {
        const struct fake_message *const message = fake_message(chat, i - 1);
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
    for (size_t i = fake_count(chat); i > 0; i--) {
        const struct fake_message *const message = fake_message(chat, i - 1);
        if (message->kind == kind && strcmp(message->place, place) == 0 &&
            (person == NULL || strcmp(message->person, person) == 0)) {
            return message;
        }
    }
    return NULL;
}

size_t fake_count_of(const struct chat *chat, enum chat_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < fake_count(chat); i++) {
        count += fake_message(chat, i)->kind == kind ? 1 : 0;
    }
    return count;
}

void fake_forget(struct chat *chat)
{
    struct fake *const fake = fake_of(chat);
    for (size_t i = 0; i < fake->count; i++) {
        drop_kept(fake->messages[i]);
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
    (void)snprintf(fake->fail_person, sizeof fake->fail_person, "%s", person != NULL ? person : "");
}

void fake_lose(struct chat *chat, bool lost)
{
    fake_of(chat)->lost = lost;
}

void fake_hold(struct chat *chat, bool hold)
{
    fake_of(chat)->holds = hold;
}

size_t fake_waiting(const struct chat *chat)
{
    size_t count = 0;
    for (const struct kept *at = fake_of_const(chat)->waiting; at != NULL; at = at->next) {
        count++;
    }
    return count;
}

const struct fake_message *fake_oldest(const struct chat *chat)
{
    const struct kept *const kept = fake_of_const(chat)->waiting;
    return kept != NULL ? &kept->message : NULL;
}

// The oldest message that waits for a reader leaves the list.
static struct kept *take_waiting(struct fake *fake, const char *person)
{
    struct kept **at = &fake->waiting;
    while (*at != NULL && person != NULL && strcmp((*at)->message.person, person) != 0) {
        at = &(*at)->next;
    }
    struct kept *const kept = fake->lost ? NULL : *at;
    if (kept != NULL) {
        *at = kept->next;
        kept->next = NULL;
    }
    return kept;
}

bool fake_deliver(struct chat *chat, const char *person)
{
    struct fake *const fake = fake_of(chat);
    struct kept *const kept = take_waiting(fake, person);
    if (kept != NULL) {
        deliver_kept(fake, kept);
    }
    return kept != NULL;
}

bool fake_refuse(struct chat *chat, const char *person, enum chat_fate fate)
{
    struct fake *const fake = fake_of(chat);
    struct kept *const kept = take_waiting(fake, person);
    if (kept != NULL) {
        end_kept(fake, kept, fate);
    }
    return kept != NULL;
}

void fake_remove(struct chat *chat, const char *id)
{
    struct fake *const fake = fake_of(chat);
    fake->removed = mb_grow(fake->removed, fake->removed_count + 1, sizeof *fake->removed);
    (void)snprintf(fake->removed[fake->removed_count++], CHAT_TABLE_SIZE, "%s", id);
}

void fake_tell(struct chat *chat, const struct chat_outcome *outcome)
{
    chat_tell(chat, outcome);
}
