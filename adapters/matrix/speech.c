#include "adapters/matrix/speech.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/content.h"
#include "adapters/matrix/outlet.h"

enum {
    OWN_MAX = 1024,
    TXN_SIZE = 64,
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    STATUS_ERROR = 500,
    WAIT_FIRST_MS = 1000,
    WAIT_LAST_MS = 60000,
    WAIT_DOUBLINGS = 6,
    HAND_MS = 30000 // for a new hand room to be told of by a sync
};

/* A message from chat_out to its outcome. */
struct letter {
    struct letter *next;
    struct speech *speech;
    uint64_t number;
    struct chat_key key;
    enum chat_kind kind;
    char *place, *person, *replaces, *text, *answers; // NULL: none
    char **called;
    size_t called_count;
    char *room; // where it goes; NULL: that is not known yet
    unsigned tries;
};

/* Somebody for whom a hand room is being made. */
struct maker {
    struct maker *next;
    struct speech *speech;
    char person[CHAT_ID_SIZE];
    enum { MAKER_ASKS, MAKER_WAITS, MAKER_FAILED } state;
    int64_t until_ms;
};

struct speech {
    struct speech_setup setup;
    struct outlet *outlet;
    struct letter *letters; // all without outcome
    struct maker *makers;
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
    free(letter->answers);
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

static int64_t wait_of(struct letter *letter, const struct api_answer *answer)
{
    const unsigned doubled = letter->tries < WAIT_DOUBLINGS ? letter->tries : WAIT_DOUBLINGS;
    const int64_t wait = (int64_t)WAIT_FIRST_MS << doubled;
    letter->tries++;
    return answer->retry_ms > 0 ? answer->retry_ms
                                : (wait < WAIT_LAST_MS ? wait : (int64_t)WAIT_LAST_MS);
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
                    wait_of(letter, answer), now_of(speech));
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

// Of a board, whose key stays, each text is a message of its own.
static void transaction_of(const struct letter *letter, char out[TXN_SIZE])
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = letter->text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    }
    (void)snprintf(out, TXN_SIZE, "%016llx-%llu-%016llx", (unsigned long long)letter->key.epoch,
                   (unsigned long long)letter->key.number, (unsigned long long)hash);
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
    char room[API_ESCAPED_SIZE];
    char path[API_PATH_SIZE];
    char transaction[TXN_SIZE];
    const struct content_said said = {.text = letter->text,
                                      .called = (const char *const *)letter->called,
                                      .called_count = letter->called_count,
                                      .replaces = letter->replaces};
    json_t *const content = content_message(&said);
    transaction_of(letter, transaction);
    if (content == NULL || !api_escape(letter->room, room)) {
        json_decref(content);
        return false;
    }
    (void)snprintf(path, sizeof path, "/_matrix/client/v3/rooms/%s/send/m.room.message/%s", room,
                   transaction);
    const struct api_call call = {.method = "PUT", .path = path, .body = content};
    return api_call(letter->speech->setup.api, &call, sent, letter) != 0;
}

static void send_next(struct speech *speech, uint64_t number)
{
    struct letter *const letter = letter_of(speech, number);
    if (!may_say(letter)) {
        outlet_done(speech->outlet, number, OUTLET_SENT, 0, now_of(speech));
        finish(letter, letter->person != NULL ? CHAT_UNREACHABLE : CHAT_PLACE_GONE, NULL);
    } else if (!put(letter)) {
        outlet_done(speech->outlet, number, OUTLET_AGAIN, WAIT_FIRST_MS, now_of(speech));
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
    letter->room = strdup(room);
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

static struct maker *maker_of(const struct speech *speech, const char *person)
{
    struct maker *at = speech->makers;
    while (at != NULL && strcmp(at->person, person) != 0) {
        at = at->next;
    }
    return at;
}

static void maker_free(struct maker *maker)
{
    struct maker **at = &maker->speech->makers;
    while (*at != maker) {
        at = &(*at)->next;
    }
    *at = maker->next;
    free(maker);
}

// What waits for their room goes there, in its order; or never.
static void release(struct speech *speech, const char *person, const char *room)
{
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

static void fail(struct maker *maker, const char *why)
{
    struct speech *const speech = maker->speech;
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "hand-room", why);
    maker->state = MAKER_FAILED;
    release(speech, maker->person, NULL);
}

static void made(void *user, const struct api_answer *answer)
{
    struct maker *const maker = user;
    struct speech *const speech = maker->speech;
    if (!api_good(answer) && answer->status != 0 && answer->status < STATUS_ERROR) {
        fail(maker, answer->errcode);
        return;
    }
    // Its state comes with a sync, also if this answer was lost.
    maker->state = MAKER_WAITS;
    maker->until_ms = now_of(speech) + HAND_MS;
    pump_soon(speech);
    if (rooms_hand(speech->setup.rooms, maker->person) != NULL) {
        speech_room(speech, rooms_hand(speech->setup.rooms, maker->person));
    }
}

static json_t *hand_room(const char *person)
{
    return json_pack("{s:s, s:b, s:[s], s:{s:s}, s:{s:i, s:i, s:i, s:i},"
                     " s:[{s:s, s:s, s:{s:s}}, {s:s, s:s, s:{s:s}}]}",
                     "preset", "private_chat", "is_direct", 1, "invite", person, "creation_content",
                     ROOM_HAND_OF, person, "power_level_content_override", "invite", 100, "kick",
                     100, "ban", 100, "state_default", 100, "initial_state", "type",
                     "m.room.history_visibility", "state_key", "", "content", "history_visibility",
                     "invited", "type", "m.room.guest_access", "state_key", "", "content",
                     "guest_access", "forbidden");
}

static void make_room(struct speech *speech, const char *person)
{
    struct maker *const maker = calloc(1, sizeof *maker);
    if (maker == NULL) {
        release(speech, person, NULL);
        return;
    }
    maker->speech = speech;
    (void)snprintf(maker->person, sizeof maker->person, "%s", person);
    maker->next = speech->makers;
    speech->makers = maker;
    const struct api_call call = {
        .method = "POST", .path = "/_matrix/client/v3/createRoom", .body = hand_room(person)};
    if (api_call(speech->setup.api, &call, made, maker) == 0) {
        fail(maker, "out of memory");
    }
}

void speech_room(struct speech *speech, const struct room *room)
{
    const char *const person = room_hand_of(room, speech->setup.bot);
    struct maker *const maker = person != NULL ? maker_of(speech, person) : NULL;
    if (maker == NULL || maker->state == MAKER_ASKS ||
        !room_is_hand(room, speech->setup.bot, person)) {
        return;
    }
    char of[CHAT_ID_SIZE];
    (void)snprintf(of, sizeof of, "%s", person);
    maker_free(maker);
    release(speech, of, room_id(room));
}

void speech_retry(struct speech *speech, const char *person)
{
    struct maker *const maker = maker_of(speech, person);
    if (maker != NULL && maker->state == MAKER_FAILED) {
        maker_free(maker);
    }
}

static void say_in_private(struct letter *letter)
{
    struct speech *const speech = letter->speech;
    const struct room *const room = rooms_hand(speech->setup.rooms, letter->person);
    const struct maker *const maker = maker_of(speech, letter->person);
    if (room != NULL && maker == NULL) {
        queue(letter, room_id(room));
    } else if (maker != NULL && maker->state == MAKER_FAILED) {
        finish(letter, CHAT_UNREACHABLE, NULL);
    } else if (maker == NULL) {
        make_room(speech, letter->person);
    }
}

/* Whole. */

static int64_t look_after_makers(struct speech *speech)
{
    int64_t due = -1;
    for (struct maker *at = speech->makers; at != NULL; at = at->next) {
        if (at->state == MAKER_WAITS && now_of(speech) >= at->until_ms) {
            fail(at, "the room that was made does not keep a hand secret, or was never told of");
        } else if (at->state == MAKER_WAITS && (due < 0 || at->until_ms < due)) {
            due = at->until_ms;
        }
    }
    return due;
}

static void on_timer(uv_timer_t *timer)
{
    pump_soon(timer->data);
}

static void on_pump(uv_idle_t *idle)
{
    struct speech *const speech = idle->data;
    speech->pumping = false;
    (void)uv_idle_stop(idle);
    const int64_t makers = look_after_makers(speech);
    for (uint64_t next = outlet_next(speech->outlet, now_of(speech)); next != 0;
         next = outlet_next(speech->outlet, now_of(speech))) {
        send_next(speech, next);
    }
    int64_t due = outlet_due_ms(speech->outlet, now_of(speech));
    due = due < 0 || (makers >= 0 && makers < due) ? makers : due;
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

struct speech *speech_create(const struct speech_setup *setup)
{
    struct speech *const speech = calloc(1, sizeof *speech);
    struct outlet *const outlet = outlet_create();
    if (speech == NULL || outlet == NULL) {
        free(speech);
        outlet_destroy(outlet);
        return NULL;
    }
    speech->setup = *setup;
    speech->outlet = outlet;
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
    while (speech->makers != NULL) {
        maker_free(speech->makers);
    }
    for (size_t i = 0; i < OWN_MAX; i++) {
        free(speech->own[i]);
    }
    outlet_destroy(speech->outlet);
    free(speech);
}
