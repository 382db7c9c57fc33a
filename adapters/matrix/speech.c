#include "adapters/matrix/speech.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/content.h"
#include "adapters/matrix/hands.h"
#include "adapters/matrix/letter.h"
#include "adapters/matrix/lookup.h"
#include "adapters/matrix/marks.h"
#include "adapters/matrix/outlet.h"
#include "adapters/matrix/seal.h"

enum {
    OWN_MAX = 1024,
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    AGAIN_MS = 1000, // without memory
    TYPE_SIZE = 64,
    CARD_FAR = 10, // so many below, and it is posted anew
    HAND_FAR = 5
};

struct speech {
    struct speech_setup setup;
    struct outlet *outlet;
    struct boards *boards;
    struct letter *letters; // all without outcome
    struct hands *hands;
    struct marks *marks;
    struct lookup lookup;
    uint64_t numbers;
    uv_timer_t timer;
    uv_idle_t pump; // soon, but not within the call that asked
    bool pumping, stopped, crowded;
    bool told;          // of all rooms: whose hand room is which is known
    char *own[OWN_MAX]; // the latest, in a ring
    size_t own_next;
};

/* Letters that go as one event, in order. */
struct posting {
    struct letter *letters[OUTLET_TOGETHER_MAX];
    size_t count;
    struct letter *board; // of them, or NULL
};

static void pump_soon(struct speech *speech);

static int64_t now_of(const struct speech *speech)
{
    return (int64_t)uv_now(speech->setup.loop);
}

/* Letters. */

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

static void find_posting(const struct speech *speech, uint64_t number, struct posting *out)
{
    uint64_t numbers[OUTLET_TOGETHER_MAX];
    const size_t count = outlet_together(speech->outlet, number, numbers);
    *out = (struct posting){.count = 0};
    for (size_t i = 0; i < count; i++) {
        struct letter *const letter = letter_of(speech, numbers[i]);
        if (letter != NULL) {
            out->letters[out->count++] = letter;
            out->board = letter_is_board(letter) ? letter : out->board;
        }
    }
}

/* Own messages. */

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

/* What has become of it. */

static void log_refused(const struct speech *speech, const struct api_answer *answer)
{
    char text[128];
    (void)snprintf(text, sizeof text, "status %d, %.60s", answer->status, answer->errcode);
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "message-refused", text);
}

static void queue(struct letter *letter, const char *room);

// What was posted anew may have stood there already, with an older text: it is edited once.
static void edit_again(struct letter *letter, const char *name)
{
    char *const room = letter->room;
    free(letter->replaces);
    letter->replaces = strdup(name);
    letter->number = ++letter->speech->numbers;
    letter->again = letter->unsure = letter->edits = false;
    letter->tried_ms = letter->looked_ms = -1;
    letter->txn[0] = '\0';
    letter->room = NULL;
    if (letter->replaces == NULL) {
        finish(letter, CHAT_DELIVERED, name);
    } else {
        queue(letter, room);
    }
    free(room);
}

static void end_board(struct letter *board, const struct letter *first, const char *id)
{
    struct speech *const speech = board->speech;
    char name[BOARDS_NAME_SIZE];
    if (board->kind == CHAT_CARD && board->stays) {
        speech->setup.showed(speech->setup.user, board->room, first->edits ? first->shown : id,
                             board->turn);
    }
    if (first->edits) {
        boards_name(speech->boards, board->replaces, name);
        boards_ask(speech->boards, name, board->asks);
        finish(board, CHAT_DELIVERED, name);
        return;
    }
    (void)boards_posted(speech->boards, board->room, board->replaces, id, board->turn, name);
    boards_ask(speech->boards, name, board->asks);
    if (board->unsure) {
        edit_again(board, name);
    } else {
        finish(board, CHAT_DELIVERED, name);
    }
}

// What numbers mean that are said below it.
static void tell_numbers(struct speech *speech, const struct posting *posting, const char *id)
{
    const struct letter *const first = posting->letters[0];
    assert(first != NULL);
    for (size_t i = 0; i < posting->count; i++) {
        const struct letter *const letter = posting->letters[i];
        const struct numbers_hand hand = {.room = letter->room,
                                          .event = id,
                                          .board = first->edits ? first->shown : id,
                                          .bond = letter->bond,
                                          .lines = letter->lines,
                                          .line_count = letter->line_count};
        if (letter->bond.on == CHAT_ON_HAND && letter->person != NULL) {
            numbers_sent(speech->setup.numbers, &hand);
        }
    }
}

static void delivered(struct speech *speech, const struct posting *posting, const char *id)
{
    assert(posting->letters[0] != NULL);
    struct letter first = {.edits = posting->letters[0]->edits};
    memcpy(first.shown, posting->letters[0]->shown, sizeof first.shown);
    note_own(speech, id);
    tell_numbers(speech, posting, id);
    for (size_t i = 0; i < posting->count; i++) {
        if (posting->letters[i] == posting->board) {
            end_board(posting->board, &first, id);
        } else {
            finish(posting->letters[i], CHAT_DELIVERED, id);
        }
    }
}

static void refused(const struct posting *posting, bool forbidden)
{
    for (size_t i = 0; i < posting->count; i++) {
        struct letter *const letter = posting->letters[i];
        finish(letter,
               !forbidden               ? CHAT_REFUSED
               : letter->person != NULL ? CHAT_UNREACHABLE
                                        : CHAT_PLACE_GONE,
               NULL);
    }
}

static void sent(void *user, const struct api_answer *answer)
{
    struct letter *const letter = user;
    struct speech *const speech = letter->speech;
    const char *const id = wire_id(answer->body, "event_id");
    const bool later = api_is_later(answer) || (api_good(answer) && id == NULL);
    struct posting posting;
    find_posting(speech, letter->number, &posting);
    pump_soon(speech);
    if (later) {
        if (answer->status == STATUS_TOO_MANY) {
            speech->setup.log(speech->setup.log_user, NET_LOG_INFO, "too-many", answer->why);
        }
        outlet_done(speech->outlet, letter->number,
                    answer->status == STATUS_TOO_MANY ? OUTLET_TOO_MANY : OUTLET_AGAIN,
                    api_wait_ms(answer, letter->tries++), now_of(speech));
        return;
    }
    outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, now_of(speech));
    if (api_good(answer)) {
        delivered(speech, &posting, id);
    } else {
        log_refused(speech, answer);
        refused(&posting, answer->status == STATUS_FORBIDDEN);
    }
}

/* Sending. */

// Whether it may be said there, as far as is known now.
static bool may_say(const struct letter *letter)
{
    const struct speech_setup *const setup = &letter->speech->setup;
    const struct room *const room = rooms_find(setup->rooms, letter->room);
    if (room == NULL || (room_is_encrypted(room) && !letter->aside) ||
        room_membership(room, setup->bot) != ROOM_JOINED) {
        return false;
    }
    return letter->person == NULL || room_is_hand(room, setup->bot, letter->person);
}

// How it is tried from now on, whatever comes meanwhile: as an edit, or as a message of its own.
static void settle(struct speech *speech, const struct posting *posting)
{
    struct letter *const first = posting->letters[0];
    struct letter *const board = posting->board;
    if (first->tried_ms >= 0) {
        return;
    }
    for (size_t i = 0; i < posting->count; i++) {
        posting->letters[i]->tried_ms = now_of(speech);
    }
    if (board != NULL && board->replaces != NULL) {
        const bool known = boards_knows(speech->boards, board->replaces);
        const char *const edited =
            boards_edited(speech->boards, board->room, board->replaces, board->turn,
                          board->kind == CHAT_CARD ? CARD_FAR : HAND_FAR);
        first->edits = edited[0] != '\0' && posting->count == 1;
        boards_ask(speech->boards, board->replaces, 0); // nobody knows until it is answered
        (void)snprintf(first->shown, sizeof first->shown, "%s", edited);
        board->unsure = !first->edits && !known;
    } else if (board != NULL) {
        board->unsure = board->again;
    }
    letter_name(posting->count > 1 || board == NULL ? first : board);
}

static char *text_of(const struct posting *posting)
{
    size_t size = 1;
    for (size_t i = 0; i < posting->count; i++) {
        size += strlen(posting->letters[i]->text) + 1;
    }
    char *const text = malloc(size);
    size_t length = 0;
    for (size_t i = 0; text != NULL && i < posting->count; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? "\n" : "",
                                   posting->letters[i]->text);
    }
    return text;
}

static json_t *content_of(const struct posting *posting)
{
    const struct letter *const first = posting->letters[0];
    assert(first != NULL);
    char *const text = text_of(posting);
    if (text == NULL) {
        return NULL;
    }
    const struct content_said said = {
        .text = text,
        .called = (const char *const *)first->called,
        .called_count = first->called_count,
        .replaces = first->edits ? first->shown : NULL,
        .answers = first->kind == CHAT_REPLY && first->person == NULL ? first->event : NULL,
        .txn = first->txn,
        .counts = first->kind == CHAT_CARD};
    json_t *const content = content_message(&said);
    free(text);
    return content;
}

static bool put(struct letter *first, const char *type, json_t *content)
{
    char path[API_PATH_SIZE];
    char behind[LETTER_TXN_SIZE + TYPE_SIZE + sizeof "/send//"];
    (void)snprintf(behind, sizeof behind, "/send/%s/%s", type, first->txn);
    if (content == NULL || !api_path(path, "/_matrix/client/v3/rooms/", first->room, behind)) {
        return false;
    }
    const struct api_call call = {.method = "PUT", .path = path, .body = json_incref(content)};
    return api_call(first->speech->setup.api, &call, sent, first) != 0;
}

static void put_off(struct letter *first)
{
    struct speech *const speech = first->speech;
    outlet_done(speech->outlet, first->number, OUTLET_AGAIN, AGAIN_MS, now_of(speech));
    pump_soon(speech);
}

static void sealed(void *user, const char *type, json_t *content)
{
    struct letter *const first = user;
    if (!put(first, type, content)) {
        put_off(first);
    }
}

static void put_now(struct speech *speech, struct letter *first)
{
    struct posting posting;
    find_posting(speech, first->number, &posting);
    if (!seal_content(speech->setup.seal, first->room, content_of(&posting), sealed, first)) {
        put_off(first);
    }
}

/* Who is in a hand room: the server is asked before each secret, for syncs come later. */

static void say_in_private(struct letter *letter);

// Into another room, as if nobody had tried.
static void send_elsewhere(struct speech *speech, struct letter *first)
{
    struct posting posting;
    find_posting(speech, first->number, &posting);
    speech->setup.opened(speech->setup.user, first->person, first->room);
    outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, now_of(speech));
    for (size_t i = 0; i < posting.count; i++) {
        struct letter *const letter = posting.letters[i];
        free(letter->room);
        letter->room = NULL;
        letter->tried_ms = -1;
        letter->tries = 0;
        letter->edits = false;
        letter->looked_ms = -1;
        letter->txn[0] = '\0';
        say_in_private(letter);
    }
}

static void told_members(void *user, const struct api_answer *answer)
{
    struct letter *const first = user;
    struct speech *const speech = first->speech;
    if (api_is_later(answer)) {
        outlet_done(speech->outlet, first->number, OUTLET_AGAIN,
                    api_wait_ms(answer, first->tries++), now_of(speech));
    } else if (api_good(answer) &&
               room_is_between(answer->body, speech->setup.bot, first->person)) {
        put_now(speech, first);
    } else {
        struct room *const room = rooms_find(speech->setup.rooms, first->room);
        if (room != NULL) {
            room_distrust(room);
        }
        speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "hand-room",
                          "somebody else is in it, or nobody: another is made");
        send_elsewhere(speech, first);
    }
    pump_soon(speech);
}

static void put_or_wait(struct speech *speech, struct letter *first)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    if (first->person == NULL) {
        put_now(speech, first);
    } else if (!api_path(path, "/_matrix/client/v3/rooms/", first->room, "/members") ||
               api_call(speech->setup.api, &call, told_members, first) == 0) {
        outlet_done(speech->outlet, first->number, OUTLET_AGAIN, AGAIN_MS, now_of(speech));
    }
}

/* What may stand there already. */

static void looked(struct letter *letter, const char *id, int64_t wait_ms)
{
    struct speech *const speech = letter->speech;
    struct posting posting;
    if (id != NULL) {
        find_posting(speech, letter->number, &posting);
        outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, now_of(speech));
        delivered(speech, &posting, id);
    } else if (wait_ms > 0) {
        outlet_done(speech->outlet, letter->number, OUTLET_AGAIN, wait_ms, now_of(speech));
    } else {
        letter->looked_ms = now_of(speech);
        put_or_wait(speech, letter);
    }
    pump_soon(speech);
}

static void send_next(struct speech *speech, uint64_t number)
{
    struct posting posting;
    find_posting(speech, number, &posting);
    if (posting.count == 0) {
        if (!marks_ask(speech->marks, number)) {
            hands_ask(speech->hands, number);
        }
        return;
    }
    struct letter *const first = posting.letters[0];
    if (!may_say(first)) {
        outlet_done(speech->outlet, number, OUTLET_SENT, 0, now_of(speech));
        refused(&posting, true);
        return;
    }
    settle(speech, &posting);
    if (letter_is_doubtful(first, now_of(speech))) {
        if (!lookup_begin(&speech->lookup, first)) {
            put_off(first);
        }
    } else {
        put_or_wait(speech, first);
    }
}

static void queue(struct letter *letter, const char *room)
{
    struct speech *const speech = letter->speech;
    uint64_t gone = 0;
    letter->room = room != NULL ? strdup(room) : NULL;
    letter->anew =
        letter->replaces == NULL || !boards_asks(speech->boards, letter->replaces, letter->asks);
    const struct outlet_item item = {.number = letter->number,
                                     .room = room,
                                     .replaces = letter->replaces,
                                     .urgency = letter_urgency(letter),
                                     .joins = letter->person != NULL,
                                     .shows = letter_is_board(letter)};
    if (letter->room == NULL || !outlet_add(speech->outlet, &item, now_of(speech), &gone)) {
        finish(letter, CHAT_REFUSED, NULL);
        return;
    }
    // Whom alone the table waits for needs the hand that may have waited so far.
    const char *const asked =
        letter->kind == CHAT_CARD && letter->asked_count == 1 ? letter->asked[0] : NULL;
    const char *const hand = asked != NULL ? hands_room(speech->hands, asked) : NULL;
    if (hand != NULL) {
        outlet_hasten(speech->outlet, hand, now_of(speech));
    }
    if (gone != 0) { // a newer form is shown in its place
        struct letter *const old = letter_of(speech, gone);
        letter_inherit(letter, old);
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
    speech->told = true;
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
    if (!speech->told) {
        return;
    }
    hands_look(speech->hands);
    for (uint64_t next = outlet_next(speech->outlet, now_of(speech)); next != 0;
         next = outlet_next(speech->outlet, now_of(speech))) {
        send_next(speech, next);
    }
    const int64_t looks = hands_due_ms(speech->hands);
    int64_t due = outlet_due_ms(speech->outlet, now_of(speech));
    due = due < 0 || (looks >= 0 && looks < due) ? looks : due;
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

bool speech_turns_crowded(struct speech *speech)
{
    const bool turns = !speech->crowded && outlet_is_crowded(speech->outlet, now_of(speech));
    speech->crowded = speech->crowded || turns;
    return turns;
}

void speech_reach(struct speech *speech, const char *person)
{
    if (hands_room(speech->hands, person) == NULL) {
        (void)hands_make(speech->hands, person);
    }
}

int64_t speech_reach_ms(struct speech *speech, const char *person)
{
    return hands_wait_ms(speech->hands, person);
}

const char *speech_hand_room(const struct speech *speech, const char *person)
{
    return hands_room(speech->hands, person);
}

void speech_mark(struct speech *speech, const char *room, const char *card)
{
    marks_put(speech->marks, room, card);
}

void speech_below(struct speech *speech, const char *room, const char *event)
{
    boards_said(speech->boards, room, event);
}

static bool say(struct speech *speech, const struct chat_out *out, bool aside)
{
    const bool in_public =
        out->kind == CHAT_REPLY && out->open && hands_room(speech->hands, out->person) == NULL;
    struct letter *const letter = letter_make(out, in_public);
    if (letter == NULL) {
        return false;
    }
    letter->speech = speech;
    letter->number = ++speech->numbers;
    letter->next = speech->letters;
    speech->letters = letter;
    letter->aside = aside;
    if (letter->text[0] == '\0') {
        finish(letter, CHAT_DELIVERED, ""); // it was heard: nothing more is to be said
    } else if (letter->person != NULL) {
        say_in_private(letter);
    } else {
        queue(letter, letter->place);
    }
    return true;
}

bool speech_say(struct speech *speech, const struct chat_out *out)
{
    return say(speech, out, false);
}

bool speech_say_open(struct speech *speech, const struct chat_out *out)
{
    return say(speech, out, true);
}

static void pump_for(void *user)
{
    pump_soon(user);
}

static bool counts(void *user, const char *room, const char *card)
{
    const struct speech *const speech = user;
    return speech->setup.is_lobby(speech->setup.user, room, card);
}

static bool make_parts(struct speech *speech)
{
    const struct speech_setup *const setup = &speech->setup;
    speech->outlet = outlet_create();
    speech->boards = boards_create();
    const struct hands_setup hands = {.loop = setup->loop,
                                      .api = setup->api,
                                      .rooms = setup->rooms,
                                      .outlet = speech->outlet,
                                      .limits = setup->limits,
                                      .bot = setup->bot,
                                      .numbers = &speech->numbers,
                                      .log = setup->log,
                                      .log_user = setup->log_user,
                                      .release = release,
                                      .pump = pump_for,
                                      .user = speech};
    const struct marks_setup marks = {.loop = setup->loop,
                                      .api = setup->api,
                                      .outlet = speech->outlet,
                                      .numbers = &speech->numbers,
                                      .pump = pump_for,
                                      .counts = counts,
                                      .user = speech};
    speech->hands = hands_create(&hands);
    speech->marks = marks_create(&marks);
    return speech->outlet != NULL && speech->boards != NULL && speech->hands != NULL &&
           speech->marks != NULL;
}

struct speech *speech_create(const struct speech_setup *setup)
{
    struct speech *const speech = calloc(1, sizeof *speech);
    if (speech == NULL) {
        return NULL;
    }
    speech->setup = *setup;
    speech->lookup =
        (struct lookup){.api = setup->api, .seal = setup->seal, .bot = setup->bot, .done = looked};
    if (!make_parts(speech)) {
        marks_destroy(speech->marks);
        hands_destroy(speech->hands);
        boards_destroy(speech->boards);
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
    marks_destroy(speech->marks);
    for (size_t i = 0; i < OWN_MAX; i++) {
        free(speech->own[i]);
    }
    boards_destroy(speech->boards);
    outlet_destroy(speech->outlet);
    free(speech);
}
