#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"

#include "adapters/matrix/say/speech_impl.h"

enum { FULL_MS = 60000 };

int64_t speech_now_ms(const struct speech *speech)
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

void speech_finish(struct letter *letter, enum chat_fate fate, const char *id)
{
    struct speech *const speech = letter->speech;
    const struct chat_outcome outcome = {
        .key = letter->key, .fate = fate, .id = fate == CHAT_DELIVERED ? id : NULL};
    take_out(letter);
    if (!speech->stopped) {
        chat_tell(speech->setup.chat, &outcome);
    }
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

void speech_posting(const struct speech *speech, uint64_t number, struct posting *out)
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

bool speech_is_own(const struct speech *speech, const char *event)
{
    for (size_t i = 0; i < SPEECH_OWN_MAX; i++) {
        if (speech->own[i] != NULL && strcmp(speech->own[i], event) == 0) {
            return true;
        }
    }
    return false;
}

/* The queue. */

void speech_queue(struct letter *letter, const char *room)
{
    struct speech *const speech = letter->speech;
    uint64_t gone = 0;
    letter->room = mb_pool_text(&letter->words, room);
    letter->since_ms = speech_now_ms(speech);
    letter->anew =
        letter->replaces == NULL || !boards_asks(speech->boards, letter->replaces, &letter->asks);
    if (letter->replaces != NULL && letter->kind == CHAT_CARD) {
        boards_narrow(speech->boards, letter->replaces, &letter->asks);
    }
    const struct outlet_item item = {.number = letter->number,
                                     .room = room,
                                     .share = letter->share,
                                     .cause = letter->live ? letter->cause : NULL,
                                     .replaces = letter->replaces,
                                     .urgency = letter_urgency(letter),
                                     .joins = letter_joins(letter),
                                     .shows = letter_is_board(letter),
                                     .live = letter->live,
                                     .apart = letter->kind == CHAT_REPLY && letter->person == NULL};
    outlet_add(speech->outlet, &item, speech_now_ms(speech), &gone);
    // Whom alone the table waits for needs the hand that may have waited so far.
    const char *const asked =
        letter->kind == CHAT_CARD && letter->asked_count == 1 ? letter->asked[0] : NULL;
    const char *const hand = asked != NULL ? hands_room(speech->hands, asked) : NULL;
    if (hand != NULL) {
        outlet_hasten(speech->outlet, hand, speech_now_ms(speech));
    }
    if (gone != 0) { // a newer form is shown in its place
        struct letter *const old = letter_of(speech, gone);
        letter_inherit(letter, old);
        speech_finish(old, CHAT_DELIVERED, old->replaces);
    }
    speech_pump(speech);
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
            speech_queue(oldest, room);
        } else if (found) {
            speech_finish(oldest, CHAT_UNREACHABLE, NULL);
        }
    }
}

void speech_queue_private(struct letter *letter)
{
    struct hands *const hands = letter->speech->hands;
    const char *const room = hands_room(hands, letter->person);
    if (room != NULL) {
        speech_queue(letter, room);
    } else if (!hands_make(hands, letter->person)) {
        speech_finish(letter, CHAT_UNREACHABLE, NULL);
    }
}

void speech_synced(struct speech *speech)
{
    speech->told = true;
    hands_synced(speech->hands);
    speech_pump(speech);
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
    speech_pump(timer->data);
}

static void on_pump(uv_idle_t *idle)
{
    struct speech *const speech = idle->data;
    speech->pumping = false;
    (void)uv_idle_stop(idle);
    if (!speech->told) {
        return;
    }
    for (uint64_t next = outlet_next(speech->outlet, speech_now_ms(speech)); next != 0;
         next = outlet_next(speech->outlet, speech_now_ms(speech))) {
        speech_send(speech, next);
    }
    const int64_t due = outlet_due_ms(speech->outlet, speech_now_ms(speech));
    if (due >= 0) {
        const int64_t wait = due > speech_now_ms(speech) ? due - speech_now_ms(speech) : 1;
        (void)uv_timer_start(&speech->timer, on_timer, (uint64_t)wait, 0);
    }
}

void speech_pump(struct speech *speech)
{
    if (!speech->pumping && !speech->stopped) {
        speech->pumping = true;
        (void)uv_idle_start(&speech->pump, on_pump);
    }
}

bool speech_turns_crowded(struct speech *speech)
{
    const bool turns = !speech->crowded && outlet_is_crowded(speech->outlet, speech_now_ms(speech));
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

void speech_below(struct speech *speech, const char *room, const char *event)
{
    boards_said(speech->boards, room, event);
}

void speech_deleted(struct speech *speech, const char *event)
{
    boards_deleted(speech->boards, event);
}

// Boards take each other's place.
bool speech_is_full(const struct speech *speech, const struct chat_out *out)
{
    return out->kind != CHAT_CARD && out->kind != CHAT_HAND && out->kind != CHAT_ROOM &&
           outlet_is_full(speech->outlet, letter_share(out), out->live);
}

// One line a minute, whatever is dropped in it.
void speech_note_full(struct speech *speech)
{
    const int64_t now_ms = speech_now_ms(speech);
    if (speech->full_ms == 0 || now_ms - speech->full_ms >= FULL_MS) {
        speech->full_ms = now_ms;
        speech->setup.log(
            speech->setup.log_user, NET_LOG_WARN, "outlet-full",
            "too much waits of one table or person: more of it waits longer or is dropped");
    }
}

static void say(struct speech *speech, const struct chat_out *out, bool unasked, bool aside)
{
    const bool in_public =
        out->kind == CHAT_REPLY && out->open && hands_room(speech->hands, out->person) == NULL;
    struct letter *const letter = letter_make(out, in_public, speech->setup.prefix);
    letter->speech = speech;
    letter->number = ++speech->numbers;
    letter->next = speech->letters;
    speech->letters = letter;
    letter->unasked = unasked;
    letter->aside = aside;
    if (letter->text[0] == '\0') {
        speech_finish(letter, CHAT_DELIVERED, ""); // it was heard: nothing more is to be said
    } else if (letter->person != NULL) {
        speech_queue_private(letter);
    } else {
        speech_queue(letter, letter->place);
    }
}

void speech_say(struct speech *speech, const struct chat_out *out)
{
    say(speech, out, false, false);
}

void speech_say_aside(struct speech *speech, const struct chat_out *out, bool open)
{
    if (speech_is_full(speech, out)) {
        speech_note_full(speech);
    } else {
        say(speech, out, out->person == NULL, open);
    }
}

static void pump_for(void *user)
{
    speech_pump(user);
}

static void make_parts(struct speech *speech)
{
    const struct speech_setup *const setup = &speech->setup;
    speech->outlet = outlet_create();
    speech->boards = boards_create();
    const struct hands_setup hands = {.api = setup->api,
                                      .fibres = setup->fibres,
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
                                      .fibres = setup->fibres,
                                      .lobbies = setup->lobbies,
                                      .outlet = speech->outlet,
                                      .numbers = &speech->numbers,
                                      .pump = pump_for,
                                      .user = speech};
    speech->hands = hands_create(&hands);
    speech->marks = marks_create(&marks);
}

struct speech *speech_create(const struct speech_setup *setup)
{
    struct speech *const speech = mb_new(1, sizeof *speech);
    speech->setup = *setup;
    make_parts(speech);
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
    for (size_t i = 0; i < SPEECH_OWN_MAX; i++) {
        free(speech->own[i]);
    }
    boards_destroy(speech->boards);
    outlet_destroy(speech->outlet);
    free(speech);
}
