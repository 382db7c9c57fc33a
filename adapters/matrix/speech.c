#include "adapters/matrix/speech.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adapters/matrix/content.h"
#include "adapters/matrix/hands.h"
#include "adapters/matrix/outlet.h"

enum {
    OWN_MAX = 1024,
    TXN_SIZE = 64,
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    AGAIN_MS = 1000, // without memory
};

/* A message from chat_out to its outcome. */
struct letter {
    struct letter *next;
    struct speech *speech;
    uint64_t number;
    struct chat_key key;
    enum chat_kind kind;
    char *place, *person, *replaces, *text; // NULL: none
    char **called;
    size_t called_count;
    char *room; // where it goes; NULL: that is not known yet
    unsigned tries;
};

struct speech {
    struct speech_setup setup;
    struct outlet *outlet;
    struct letter *letters; // all without outcome
    struct hands *hands;
    uint64_t numbers;
    uv_timer_t timer;
    uv_idle_t pump; // soon, but not within the call that asked
    bool pumping, stopped;
    char *own[OWN_MAX]; // the latest, in a ring
    size_t own_next;
};

static void pump_soon(struct speech *speech);

static int64_t now_of(const struct speech *speech)
{
    return (int64_t)uv_now(speech->setup.loop);
}

/* Letters. */

static void letter_free(struct letter *letter)
{
    if (letter == NULL) {
        return;
    }
    for (size_t i = 0; letter->called != NULL && i < letter->called_count; i++) {
        free(letter->called[i]);
    }
    free(letter->called);
    free(letter->place);
    free(letter->person);
    free(letter->replaces);
    free(letter->text);
    free(letter->room);
    free(letter);
}

static bool copy(char **out, const char *word)
{
    *out = word != NULL ? strdup(word) : NULL;
    return word == NULL || *out != NULL;
}

static struct letter *letter_new(struct speech *speech, const struct chat_out *out)
{
    struct letter *const letter = calloc(1, sizeof *letter);
    if (letter == NULL) {
        return NULL;
    }
    *letter = (struct letter){
        .speech = speech, .number = ++speech->numbers, .key = out->key, .kind = out->kind};
    letter->called = calloc(out->ping_count + 1, sizeof *letter->called);
    bool good = letter->called != NULL && copy(&letter->place, out->place) &&
                copy(&letter->person, out->person) && copy(&letter->replaces, out->replaces) &&
                copy(&letter->text, out->text != NULL ? out->text : "");
    for (size_t i = 0; good && i < out->ping_count; i++) {
        good = copy(&letter->called[i], out->pings[i]);
        letter->called_count = i + 1;
    }
    if (!good) {
        letter_free(letter);
        return NULL;
    }
    letter->next = speech->letters;
    speech->letters = letter;
    return letter;
}

static void take_out(struct letter *letter)
{
    struct letter **at = &letter->speech->letters;
    while (*at != letter) {
        at = &(*at)->next;
    }
    *at = letter->next;
}

static void finish(struct letter *letter, enum chat_fate fate, const char *id)
{
    struct speech *const speech = letter->speech;
    const struct chat_outcome outcome = {
        .key = letter->key, .fate = fate, .id = fate == CHAT_DELIVERED ? id : NULL};
    take_out(letter);
    speech->setup.done(speech->setup.user, &outcome);
    letter_free(letter);
}

static struct letter *letter_of(const struct speech *speech, uint64_t number)
{
    struct letter *at = speech->letters;
    while (at != NULL && at->number != number) {
        at = at->next;
    }
    return at;
}

/* Sending. */

static void note_own(struct speech *speech, const char *id)
{
    free(speech->own[speech->own_next]);
    speech->own[speech->own_next] = strdup(id);
    speech->own_next = (speech->own_next + 1) % OWN_MAX;
}

bool speech_is_own(const struct speech *speech, const char *event)
{
    for (size_t i = 0; i < OWN_MAX; i++) {
        if (speech->own[i] != NULL && strcmp(speech->own[i], event) == 0) {
            return true;
        }
    }
    return false;
}

static void log_refused(const struct speech *speech, const struct api_answer *answer)
{
    char text[128];
    (void)snprintf(text, sizeof text, "status %d, %.60s", answer->status, answer->errcode);
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "message-refused", text);
}

static void sent(void *user, const struct api_answer *answer)
{
    struct letter *const letter = user;
    struct speech *const speech = letter->speech;
    const char *const id = wire_id(answer->body, "event_id");
    const bool later = answer->status == 0 || answer->status == STATUS_TOO_MANY ||
                       answer->status >= STATUS_ERROR || (api_good(answer) && id == NULL);
    if (later) {
        outlet_done(speech->outlet, letter->number,
                    answer->status == STATUS_TOO_MANY ? OUTLET_TOO_MANY : OUTLET_AGAIN,
                    api_wait_ms(answer, letter->tries++), now_of(speech));
        pump_soon(speech);
        return;
    }
    outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, now_of(speech));
    pump_soon(speech);
    if (api_good(answer)) {
        note_own(speech, id);
        // Whatever edits it names its first form.
        finish(letter, CHAT_DELIVERED, letter->replaces != NULL ? letter->replaces : id);
        return;
    }
    log_refused(speech, answer);
    finish(letter,
           answer->status != STATUS_FORBIDDEN ? CHAT_REFUSED
           : letter->person != NULL           ? CHAT_UNREACHABLE
                                              : CHAT_PLACE_GONE,
           NULL);
}

// What is new is sent once whatever happens: by its key alone. An edit may come again under its key
// with another text, made anew after a restart: each text is a message of its own.
static void transaction_path(const struct letter *letter, char *out, size_t size)
{
    unsigned long long hash = 0;
    if (letter->replaces != NULL) {
        unsigned char bytes[crypto_generichash_BYTES_MIN];
        (void)crypto_generichash(bytes, sizeof bytes, (const unsigned char *)letter->text,
                                 strlen(letter->text), NULL, 0);
        memcpy(&hash, bytes, sizeof hash);
    }
    (void)snprintf(out, size, "/send/m.room.message/%016llx-%llu-%llx",
                   (unsigned long long)letter->key.epoch, (unsigned long long)letter->key.number,
                   hash);
}

// Whether it may be said there, as far as is known now.
static bool may_say(const struct letter *letter)
{
    const struct speech_setup *const setup = &letter->speech->setup;
    const struct room *const room = rooms_find(setup->rooms, letter->room);
    if (room == NULL || room_is_encrypted(room) ||
        room_membership(room, setup->bot) != ROOM_JOINED) {
        return false;
    }
    return letter->person == NULL || room_is_hand(room, setup->bot, letter->person);
}

static bool put(struct letter *letter)
{
    char path[API_PATH_SIZE];
    char behind[TXN_SIZE + sizeof "/send/m.room.message/"];
    const struct content_said said = {.text = letter->text,
                                      .called = (const char *const *)letter->called,
                                      .called_count = letter->called_count,
                                      .replaces = letter->replaces};
    json_t *const content = content_message(&said);
    transaction_path(letter, behind, sizeof behind);
    if (content == NULL || !api_path(path, "/_matrix/client/v3/rooms/", letter->room, behind)) {
        json_decref(content);
        return false;
    }
    const struct api_call call = {.method = "PUT", .path = path, .body = content};
    return api_call(letter->speech->setup.api, &call, sent, letter) != 0;
}

static void send_next(struct speech *speech, uint64_t number)
{
    struct letter *const letter = letter_of(speech, number);
    if (letter == NULL) {
        hands_ask(speech->hands, number);
        return;
    }
    if (!may_say(letter)) {
        outlet_done(speech->outlet, number, OUTLET_SENT, 0, now_of(speech));
        finish(letter, letter->person != NULL ? CHAT_UNREACHABLE : CHAT_PLACE_GONE, NULL);
    } else if (!put(letter)) {
        outlet_done(speech->outlet, number, OUTLET_AGAIN, AGAIN_MS, now_of(speech));
    }
}

static enum outlet_urgency urgency_of(const struct letter *letter)
{
    switch (letter->kind) {
    case CHAT_HAND:
        return OUTLET_AWAITED;
    case CHAT_REPLY:
    case CHAT_WHISPER:
        return OUTLET_REPLY;
    default:
        return letter->called_count > 0 ? OUTLET_PROMPT : OUTLET_TABLE;
    }
}

static void queue(struct letter *letter, const char *room)
{
    struct speech *const speech = letter->speech;
    uint64_t gone = 0;
    letter->room = room != NULL ? strdup(room) : NULL;
    const struct outlet_item item = {.number = letter->number,
                                     .room = room,
                                     .replaces = letter->replaces,
                                     .urgency = urgency_of(letter)};
    if (letter->room == NULL || !outlet_add(speech->outlet, &item, now_of(speech), &gone)) {
        finish(letter, CHAT_REFUSED, NULL);
        return;
    }
    if (gone != 0) { // a newer form is shown in its place
        struct letter *const old = letter_of(speech, gone);
        finish(old, CHAT_DELIVERED, old->replaces);
    }
    pump_soon(speech);
}

/* Hand rooms. */

// What waits for their room goes there, in its order; or never.
static void release(void *user, const char *person, const char *room)
{
    struct speech *const speech = user;
    for (bool found = true; found;) {
        struct letter *oldest = NULL;
        for (struct letter *at = speech->letters; at != NULL; at = at->next) {
            oldest = at->person != NULL && at->room == NULL && strcmp(at->person, person) == 0
                         ? at
                         : oldest;
        }
        found = oldest != NULL;
        if (found && room != NULL) {
            queue(oldest, room);
        } else if (found) {
            finish(oldest, CHAT_UNREACHABLE, NULL);
        }
    }
}

static void say_in_private(struct letter *letter)
{
    struct hands *const hands = letter->speech->hands;
    const char *const room = hands_room(hands, letter->person);
    if (room != NULL) {
        queue(letter, room);
    } else if (!hands_make(hands, letter->person)) {
        finish(letter, CHAT_UNREACHABLE, NULL);
    }
}

void speech_synced(struct speech *speech)
{
    hands_synced(speech->hands);
    pump_soon(speech);
}

void speech_room(struct speech *speech, const struct room *room)
{
    hands_know(speech->hands, room);
}

void speech_retry(struct speech *speech, const char *person)
{
    hands_retry(speech->hands, person);
}

/* Whole. */

static void on_timer(uv_timer_t *timer)
{
    pump_soon(timer->data);
}

static void on_pump(uv_idle_t *idle)
{
    struct speech *const speech = idle->data;
    speech->pumping = false;
    (void)uv_idle_stop(idle);
    hands_look(speech->hands);
    for (uint64_t next = outlet_next(speech->outlet, now_of(speech)); next != 0;
         next = outlet_next(speech->outlet, now_of(speech))) {
        send_next(speech, next);
    }
    const int64_t due = outlet_due_ms(speech->outlet, now_of(speech));
    if (due >= 0) {
        const int64_t wait = due > now_of(speech) ? due - now_of(speech) : 1;
        (void)uv_timer_start(&speech->timer, on_timer, (uint64_t)wait, 0);
    }
}

static void pump_soon(struct speech *speech)
{
    if (!speech->pumping && !speech->stopped) {
        speech->pumping = true;
        (void)uv_idle_start(&speech->pump, on_pump);
    }
}

bool speech_say(struct speech *speech, const struct chat_out *out)
{
    struct letter *const letter = letter_new(speech, out);
    if (letter == NULL) {
        return false;
    }
    if (letter->text[0] == '\0') {
        finish(letter, CHAT_DELIVERED, ""); // it was heard: nothing more is to be said
    } else if (letter->person != NULL) {
        say_in_private(letter);
    } else {
        queue(letter, letter->place);
    }
    return true;
}

static void pump_for(void *user)
{
    pump_soon(user);
}

static bool make_parts(struct speech *speech)
{
    const struct speech_setup *const setup = &speech->setup;
    speech->outlet = outlet_create();
    const struct hands_setup hands = {.loop = setup->loop,
                                      .api = setup->api,
                                      .rooms = setup->rooms,
                                      .outlet = speech->outlet,
                                      .bot = setup->bot,
                                      .numbers = &speech->numbers,
                                      .log = setup->log,
                                      .log_user = setup->log_user,
                                      .release = release,
                                      .pump = pump_for,
                                      .user = speech};
    speech->hands = hands_create(&hands);
    return speech->outlet != NULL && speech->hands != NULL;
}

struct speech *speech_create(const struct speech_setup *setup)
{
    struct speech *const speech = calloc(1, sizeof *speech);
    if (speech == NULL) {
        return NULL;
    }
    speech->setup = *setup;
    if (!make_parts(speech)) {
        hands_destroy(speech->hands);
        outlet_destroy(speech->outlet);
        free(speech);
        return NULL;
    }
    (void)uv_timer_init(setup->loop, &speech->timer);
    (void)uv_idle_init(setup->loop, &speech->pump);
    speech->timer.data = speech->pump.data = speech;
    return speech;
}

void speech_stop(struct speech *speech)
{
    if (!speech->stopped) {
        speech->stopped = true;
        uv_close((uv_handle_t *)&speech->timer, NULL);
        uv_close((uv_handle_t *)&speech->pump, NULL);
    }
}

void speech_destroy(struct speech *speech)
{
    if (speech == NULL) {
        return;
    }
    while (speech->letters != NULL) {
        struct letter *const letter = speech->letters;
        speech->letters = letter->next;
        letter_free(letter);
    }
    hands_destroy(speech->hands);
    for (size_t i = 0; i < OWN_MAX; i++) {
        free(speech->own[i]);
    }
    outlet_destroy(speech->outlet);
    free(speech);
}
