#include "adapters/matrix/say/speech.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"

#include "adapters/matrix/say/hands.h"
#include "adapters/matrix/say/letter.h"
#include "adapters/matrix/say/lobbies.h"
#include "adapters/matrix/say/outlet.h"
#include "adapters/matrix/say/prose.h"
#include "adapters/matrix/say/seal.h"

enum { SPEECH_OWN_MAX = 1024, SPEECH_THREADS_MAX = 64 };

struct speech {
    struct speech_setup setup;
    struct outlet *outlet;
    struct boards *boards;
    struct letter *letters; // all without outcome
    struct hands *hands;
    struct marks *marks;
    uint64_t numbers;
    uv_timer_t timer;
    uv_idle_t pump; // soon, but not within the call that asked
    bool pumping, stopped, crowded;
    int64_t full_ms;           // when it was said last that something was dropped, or 0
    bool told;                 // of all rooms: whose hand room is which is known
    char *own[SPEECH_OWN_MAX]; // the latest, in a ring
    size_t own_next;
    struct {
        char *event, *root;
    } threaded[SPEECH_THREADS_MAX]; // the latest lines that were said in threads, in a ring
    size_t threaded_next;
    json_t *reminded; // people: when they were told last why they are shown nothing
};

// Letters that go as one event, in order.
struct posting {
    struct letter *letters[OUTLET_TOGETHER_MAX];
    size_t count;
    struct letter *board; // of them, or NULL
};

enum { FULL_MS = 60000, HOUR_MS = 3600 * 1000, REMINDED_MAX = 4096, REASON_SIZE = 256 };

// What waits is looked at soon, but not within this call.
static void pump_soon(struct speech *speech);

static int64_t loop_ms(const struct speech *speech)
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

static void finish_letter(struct letter *letter, enum chat_fate fate, const char *id)
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

static void posting_of(const struct speech *speech, uint64_t number, struct posting *out)
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

void speech_figures(const struct speech *speech, struct chat_figures *out)
{
    outlet_figures(speech->outlet, loop_ms(speech), out);
}

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

static void queue_letter(struct letter *letter, const char *room)
{
    struct speech *const speech = letter->speech;
    letter->room = mb_pool_text(&letter->words, room);
    const uint64_t gone =
        letter_queue(letter, room, speech->boards, speech->outlet, loop_ms(speech));
    // Whom alone the table waits for needs the hand that may have waited so far.
    const char *const asked =
        letter->kind == CHAT_CARD && letter->asked_count == 1 ? letter->asked[0] : NULL;
    const char *const hand = asked != NULL ? hands_room(speech->hands, asked, false) : NULL;
    if (hand != NULL) {
        outlet_hasten(speech->outlet, hand, loop_ms(speech));
    }
    if (gone != 0) { // a newer form is shown in its place
        struct letter *const old = letter_of(speech, gone);
        letter_inherit(letter, old);
        finish_letter(old, CHAT_DELIVERED, old->replaces);
    }
    pump_soon(speech);
}

/* Hand rooms. */

// The first line of a room that was made.
static void tell_sealed(struct speech *speech, const struct room *room, const char *person)
{
    char about[CHAT_ID_SIZE + 16];
    (void)snprintf(about, sizeof about, "made %s", room_id(room));
    aside_say(speech, &(const struct aside){.about = about,
                                            .person = person,
                                            .text = room_is_encrypted(room) ? TEXT_MATRIX_ENCRYPTED
                                                                            : TEXT_MATRIX_CLEAR});
}

// Into the room for it; false: that is being made.
static bool queue_private(struct letter *letter)
{
    struct hands *const hands = letter->speech->hands;
    const char *const room = hands_room(hands, letter->person, letter->seals);
    if (room != NULL) {
        queue_letter(letter, room);
        return true;
    }
    if (hands_make(hands, letter->person, letter->seals)) {
        return false;
    }
    finish_letter(letter, CHAT_UNREACHABLE, NULL);
    return true;
}

static struct letter *oldest_waiting(const struct speech *speech, const char *person)
{
    struct letter *oldest = NULL;
    for (struct letter *at = speech->letters; at != NULL; at = at->next) {
        oldest =
            at->person != NULL && at->room == NULL && strcmp(at->person, person) == 0 ? at : oldest;
    }
    return oldest;
}

// Where both are: at a place, else in the room that was made for them, else in an encrypted one,
// where a table may be, else anywhere.
static const struct room *room_of_both(const struct speech *speech, const char *place,
                                       const char *person)
{
    const struct speech_setup *const setup = &speech->setup;
    const struct room *found = NULL;
    unsigned best = 0;
    for (const struct room *at = rooms_next(setup->rooms, NULL); at != NULL;
         at = rooms_next(setup->rooms, at)) {
        const char *const of = room_hand_of(at, setup->bot);
        const bool there = place != NULL && strcmp(room_id(at), place) == 0;
        const bool own = of != NULL && strcmp(of, person) == 0;
        const unsigned fits = there ? 4 : own ? 3 : of != NULL ? 0 : room_is_encrypted(at) ? 2 : 1;
        if (fits > best && room_membership(at, person) == ROOM_JOINED &&
            room_membership(at, setup->bot) == ROOM_JOINED) {
            best = fits;
            found = at;
        }
    }
    return found;
}

// Whether they have not been told for an hour.
static bool may_remind(struct speech *speech, const char *person)
{
    const json_t *const told = json_object_get(speech->reminded, person);
    const bool may = told == NULL || loop_ms(speech) - json_integer_value(told) >= HOUR_MS;
    if (may && json_object_size(speech->reminded) >= REMINDED_MAX) {
        (void)json_object_clear(speech->reminded); // some are told once more
    }
    if (may) {
        (void)json_object_set_new(speech->reminded, person, json_integer(loop_ms(speech)));
    }
    return may;
}

// Of what holds no more than their name, for it may go in clear.
static void tell_by_name(struct speech *speech, const struct room *room, const char *person,
                         const char *about, enum text_id text)
{
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    room_name_of(room, person, name, sizeof name);
    aside_say(speech, &(const struct aside){.about = about,
                                            .place = room_id(room),
                                            .text = text,
                                            .args = TEXT_ARGS(text_str("who", name))});
}

// Once, and when they ask once an hour: in clear, as they can read nothing else.
static void tell_left_out(void *user, const char *person)
{
    struct speech *const speech = user;
    const struct letter *const waits = oldest_waiting(speech, person);
    const struct room *const room =
        room_of_both(speech, waits != NULL ? waits->place : NULL, person);
    char about[CHAT_ID_SIZE + 64];
    const bool asked = waits != NULL && waits->kind == CHAT_REPLY;
    if (room == NULL || !(hands_leave_out(speech->hands, person) || asked) ||
        !may_remind(speech, person)) {
        return;
    }
    (void)snprintf(about, sizeof about, "left out %s %016llx", person,
                   asked ? (unsigned long long)waits->mark : 0);
    tell_by_name(speech, room, person, about, TEXT_MATRIX_LEFT_OUT);
}

void speech_unheard(struct speech *speech, const char *id, const char *person,
                    enum seal_unheard why)
{
    const struct room *const room = rooms_find(speech->setup.rooms, id);
    char about[CHAT_ID_SIZE + 64];
    (void)snprintf(about, sizeof about, "%s %s", why == SEAL_UNSIGNED ? "unsigned" : "unopened",
                   person);
    if (room != NULL && room_membership(room, person) == ROOM_JOINED && may_remind(speech, about)) {
        (void)snprintf(about, sizeof about, "unheard %s %lld", person, (long long)loop_ms(speech));
        tell_by_name(speech, room, person, about,
                     why == SEAL_UNSIGNED ? TEXT_MATRIX_UNHEARD : TEXT_MATRIX_UNOPENED);
    }
}

static void tell_fingerprint(struct speech *speech, const struct room *room, const char *person)
{
    char about[CHAT_ID_SIZE + 64];
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    const char *const fingerprint = seal_fingerprint(speech->setup.seal);
    (void)snprintf(about, sizeof about, "verify %s", person);
    if (room != NULL && fingerprint[0] != '\0' && may_remind(speech, about)) {
        (void)snprintf(about, sizeof about, "verify %s %lld", person, (long long)loop_ms(speech));
        room_name_of(room, person, name, sizeof name);
        aside_say(speech, &(const struct aside){.about = about,
                                                .place = room_id(room),
                                                .text = TEXT_MATRIX_VERIFY,
                                                .args = TEXT_ARGS(text_str("who", name),
                                                                  text_str("other", fingerprint))});
    }
}

// What waits for their room goes there, in its order; or never.
static void release_letters(void *user, const char *person, const struct room *room, bool made)
{
    struct speech *const speech = user;
    struct letter *oldest = NULL;
    if (room != NULL && made && seal_has_keys(speech->setup.seal)) {
        tell_sealed(speech, room, person);
    }
    while ((oldest = oldest_waiting(speech, person)) != NULL) {
        if (room == NULL) {
            finish_letter(oldest, CHAT_UNREACHABLE, NULL);
        } else if (!queue_private(oldest)) {
            return; // they wait for another one
        }
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

/* What has become of it. */

static void note_own(struct speech *speech, const char *id)
{
    free(speech->own[speech->own_next]);
    speech->own[speech->own_next] = mb_text(id);
    speech->own_next = (speech->own_next + 1) % SPEECH_OWN_MAX;
}

// Its room, its name or its text is another.
static void drop_sealed(struct letter *letter)
{
    json_decref(letter->sealed);
    letter->sealed = NULL;
}

static bool is_for_encrypted_room(const struct letter *letter)
{
    const struct room *const room = rooms_find(letter->speech->setup.rooms, letter->room);
    return room != NULL && room_is_encrypted(room);
}

// What was posted anew may have stood there already, with an older text: it is edited once.
static void edit_again(struct letter *letter, const char *name)
{
    const char *const room = letter->room;
    letter->called_count =
        is_for_encrypted_room(letter) ? 0 : letter->called_count; // it has called
    letter->replaces = mb_pool_text(&letter->words, name);
    letter->number = ++letter->speech->numbers;
    letter->again = letter->unsure = letter->edits = false;
    letter->tried_ms = letter->looked_ms = -1;
    letter->txn[0] = '\0';
    drop_sealed(letter);
    queue_letter(letter, room);
}

static void end_board(struct letter *board, const struct letter *first, const char *id)
{
    struct speech *const speech = board->speech;
    char name[BOARDS_NAME_SIZE];
    const char *const shown = first->edits ? first->shown : id;
    if (board->kind == CHAT_CARD && board->stays &&
        lobbies_shown(speech->setup.lobbies, board->room, shown, board->turn != 0)) {
        marks_put(speech->marks, board->room, shown);
    }
    if (first->edits) {
        boards_name(speech->boards, board->replaces, name);
        boards_ask(speech->boards, name, &board->asks);
        finish_letter(board, CHAT_DELIVERED, name);
        return;
    }
    (void)boards_posted(speech->boards, board->room, board->replaces, id, board->chapter, name);
    boards_ask(speech->boards, name, &board->asks);
    if (board->unsure) {
        edit_again(board, name);
    } else {
        finish_letter(board, CHAT_DELIVERED, name);
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

// For whoever asks why people wait.
static void log_wait(const struct speech *speech, const struct letter *letter)
{
    static const char *const WHAT[] = {[OUTLET_PROMPT] = "prompt",
                                       [OUTLET_AWAITED] = "awaited-hand",
                                       [OUTLET_REPLY] = "reply",
                                       [OUTLET_TABLE] = "table",
                                       [OUTLET_OTHER] = "hand"};
    char text[64];
    (void)snprintf(text, sizeof text, "%s waited_ms=%lld", WHAT[letter_urgency(letter)],
                   (long long)(loop_ms(speech) - letter->since_ms));
    speech->setup.log(speech->setup.log_user, NET_LOG_DEBUG, "said", text);
}

static void posting_delivered(struct speech *speech, const struct posting *posting, const char *id)
{
    assert(posting->letters[0] != NULL);
    struct letter first = {.edits = posting->letters[0]->edits};
    memcpy(first.shown, posting->letters[0]->shown, sizeof first.shown);
    note_own(speech, id);
    tell_numbers(speech, posting, id);
    for (size_t i = 0; i < posting->count; i++) {
        log_wait(speech, posting->letters[i]);
        if (posting->letters[i] == posting->board) {
            end_board(posting->board, &first, id);
        } else {
            finish_letter(posting->letters[i], CHAT_DELIVERED, id);
        }
    }
}

static void posting_refused(const struct posting *posting, bool forbidden)
{
    for (size_t i = 0; i < posting->count; i++) {
        struct letter *const letter = posting->letters[i];
        finish_letter(letter,
                      !forbidden               ? CHAT_REFUSED
                      : letter->person != NULL ? CHAT_UNREACHABLE
                                               : CHAT_PLACE_GONE,
                      NULL);
    }
}

/* Its turn. */

enum {
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    LOOK_COUNT = 100,
    LOOK_PAGES = 10,
    LOOK_PAGE_SIZE = 256,
    TYPE_SIZE = 64,
    CARD_FAR = 10, // so many below, and it is posted anew
    HAND_FAR = 3,
    TURNS_MAX = 3 // into another room
};

static void log_refused(const struct speech *speech, const struct api_answer *answer)
{
    char text[128];
    (void)snprintf(text, sizeof text, "status %d, %.60s", answer->status, answer->errcode);
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "message-refused", text);
}

static void put_off(struct letter *first, enum outlet_result result,
                    const struct api_answer *answer)
{
    struct speech *const speech = first->speech;
    outlet_done(speech->outlet, first->number, result, api_wait_ms(answer, first->tries++),
                loop_ms(speech));
}

static void end_letter(struct letter *letter, const struct api_answer *answer)
{
    struct speech *const speech = letter->speech;
    const char *const id = wire_id(answer->body, "event_id");
    const bool later = api_is_later(answer) || (api_good(answer) && id == NULL);
    struct posting posting;
    posting_of(speech, letter->number, &posting);
    if (later) {
        const bool many = answer->status == STATUS_TOO_MANY;
        if (many) {
            speech->setup.log(speech->setup.log_user, NET_LOG_INFO, "too-many", answer->why);
        }
        put_off(letter, many ? OUTLET_TOO_MANY : OUTLET_AGAIN, answer);
        return;
    }
    outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, loop_ms(speech));
    if (api_good(answer)) {
        posting_delivered(speech, &posting, id);
    } else {
        log_refused(speech, answer);
        posting_refused(&posting, answer->status == STATUS_FORBIDDEN);
    }
}

// Whether any of what goes with it must be sealed.
static bool any_seals(const struct letter *letter)
{
    struct posting posting;
    bool seals = letter->seals;
    posting_of(letter->speech, letter->number, &posting);
    for (size_t i = 0; i < posting.count; i++) {
        seals = seals || posting.letters[i]->seals;
    }
    return seals;
}

// Whether it may be said there, as far as is known now.
static bool may_say(const struct letter *letter)
{
    const struct speech_setup *const setup = &letter->speech->setup;
    const struct room *const room = rooms_find(setup->rooms, letter->room);
    if (room == NULL || (!seal_reads(setup->seal, room) && !letter->aside) ||
        room_membership(room, setup->bot) != ROOM_JOINED) {
        return false;
    }
    return letter->person == NULL || (hands_shows(letter->speech->hands, room, letter->person) &&
                                      (room_is_encrypted(room) || !any_seals(letter)));
}

// How it is tried from now on, whatever comes meanwhile: as an edit, or as a message of its own.
static void settle_posting(struct speech *speech, const struct posting *posting)
{
    struct letter *const first = posting->letters[0];
    struct letter *const board = posting->board;
    if (first->tried_ms >= 0) {
        return;
    }
    for (size_t i = 0; i < posting->count; i++) {
        posting->letters[i]->tried_ms = loop_ms(speech);
    }
    if (board != NULL && board->replaces != NULL) {
        // No server reads in a sealed edit whom it calls, so it notifies nobody.
        const bool calls = board->called_count > 0 && is_for_encrypted_room(board);
        const bool known = boards_knows(speech->boards, board->replaces);
        const bool newly = board->kind == CHAT_HAND && board->asks.what != 0 &&
                           !boards_asks(speech->boards, board->replaces, &board->asks);
        // Who is asked finds it where they look. In a sealed room each new one makes a sound.
        const unsigned far = is_for_encrypted_room(board) ? UINT_MAX : HAND_FAR;
        const unsigned hand_far = newly ? 1 : far;
        const char *const edited =
            boards_edited(speech->boards, board->room, board->replaces, board->chapter,
                          board->kind == CHAT_CARD ? CARD_FAR : hand_far);
        first->edits = edited[0] != '\0' && posting->count == 1 && !calls;
        boards_ask(speech->boards, board->replaces, NULL); // nobody knows until it is answered
        (void)snprintf(first->shown, sizeof first->shown, "%s", edited);
        board->unsure = !first->edits && !known;
    } else if (board != NULL) {
        board->unsure = board->again;
    }
    letter_name(posting->count > 1 || board == NULL ? first : board,
                speech->setup.chat->sink.secret);
}

// Whether an answer that goes with it ends with just that: a hand, below the words of a refusal.
static bool is_said_again(const struct posting *posting, size_t i)
{
    const char *const text = posting->letters[i]->text;
    const size_t length = strlen(text);
    bool again = false;
    for (size_t j = i + 1; j < posting->count && !again; j++) {
        const char *const other = posting->letters[j]->text;
        const size_t size = strlen(other);
        again = size > length && strcmp(other + size - length, text) == 0;
    }
    return again;
}

static char *text_of(const struct posting *posting)
{
    size_t size = 1;
    for (size_t i = 0; i < posting->count; i++) {
        size += strlen(posting->letters[i]->text) + 1;
    }
    char *const text = mb_new(size, 1);
    size_t length = 0;
    for (size_t i = 0; i < posting->count; i++) {
        if (!is_said_again(posting, i)) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? "\n" : "",
                                       posting->letters[i]->text);
        }
    }
    return text;
}

void speech_threaded(struct speech *speech, const char *event, const char *root)
{
    const size_t at = speech->threaded_next++ % SPEECH_THREADS_MAX;
    free(speech->threaded[at].event);
    free(speech->threaded[at].root);
    speech->threaded[at].event = mb_text(event);
    speech->threaded[at].root = mb_text(root);
}

// The thread that a line was said in; NULL: in none, or long ago.
static const char *thread_of(const struct speech *speech, const char *event)
{
    for (size_t i = 0; i < SPEECH_THREADS_MAX && event != NULL; i++) {
        const char *const said = speech->threaded[i].event;
        if (said != NULL && strcmp(said, event) == 0) {
            return speech->threaded[i].root;
        }
    }
    return NULL;
}

static json_t *content_of(const struct posting *posting)
{
    const struct letter *const first = posting->letters[0];
    assert(first != NULL);
    char *const text = text_of(posting);
    const struct room *const room = rooms_find(first->speech->setup.rooms, first->room);
    char names[PROSE_CALLED_MAX][CHAT_NAME_SIZE + CHAT_ID_SIZE];
    const char *called[PROSE_CALLED_MAX];
    for (size_t i = 0; i < first->called_count && i < PROSE_CALLED_MAX; i++) {
        names[i][0] = '\0';
        if (room != NULL) {
            room_name_of(room, first->called[i], names[i], sizeof names[i]);
        }
        called[i] = names[i];
    }
    const bool sealed = room != NULL && room_is_encrypted(room) && !first->aside;
    const struct content_said said = {
        .text = text,
        .called = (const char *const *)first->called,
        .names = called,
        .called_count = first->called_count,
        .replaces = first->edits ? first->shown : NULL,
        .answers = first->kind == CHAT_REPLY && first->person == NULL ? first->event : NULL,
        .thread = thread_of(first->speech, first->event),
        .txn = sealed ? NULL : first->txn,
        .sealed = sealed,
        .counts = first->kind == CHAT_CARD};
    json_t *const content = content_message(&said);
    free(text);
    return content;
}

/* Who is in a hand room. */

// The old room says nothing more, the new one why it is there.
static void tell_opened(struct speech *speech, const struct letter *first)
{
    char about[CHAT_ID_SIZE + 16];
    (void)snprintf(about, sizeof about, "opened %s", first->room);
    const struct aside aside = {
        .about = about, .person = first->person, .text = TEXT_MATRIX_OPENED};
    aside_say(speech, &aside);
}

// Into another room, as if nobody had tried.
static void send_elsewhere(struct speech *speech, struct letter *first)
{
    struct posting posting;
    posting_of(speech, first->number, &posting);
    outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, loop_ms(speech));
    for (size_t i = 0; i < posting.count; i++) {
        struct letter *const letter = posting.letters[i];
        letter->room = NULL;
        letter->tried_ms = -1;
        letter->tries = 0;
        letter->edits = false;
        letter->looked_ms = -1;
        letter->txn[0] = '\0';
        drop_sealed(letter);
        (void)queue_private(letter);
    }
}

static void distrust_room(struct speech *speech, struct letter *first)
{
    struct room *const room = rooms_find(speech->setup.rooms, first->room);
    if (room != NULL) {
        room_distrust(room);
    }
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "hand-room",
                      "a hand room has somebody else in it, or nobody: making another");
    tell_opened(speech, first);
    send_elsewhere(speech, first);
}

/* What may stand there already. */

// The id of a message of that transaction among those of a room; NULL: it is not there.
static const char *find_sent(const json_t *events, const struct letter *letter)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *const event = json_array_get(events, i);
        const char *const sender = wire_id(event, "sender");
        const char *const txn = wire_word(json_object_get(event, "content"), CONTENT_TXN);
        if (sender != NULL && txn != NULL && strcmp(txn, letter->txn) == 0 &&
            strcmp(sender, letter->speech->setup.bot) == 0) {
            return wire_id(event, "event_id");
        }
    }
    return NULL;
}

// `found`: the id of the message, or "". The answer: whether that can be said now.
static bool lookup(struct fibre *fibre, const struct letter *letter, char found[CHAT_ID_SIZE],
                   struct api_answer *out)
{
    char page[LOOK_PAGE_SIZE] = "";
    bool more = true;
    for (unsigned pages = 0; more && pages < LOOK_PAGES; pages++) {
        char before[API_PATH_SIZE];
        char path[API_PATH_SIZE];
        char behind[64];
        const struct api_call call = {.method = "GET", .path = path};
        (void)snprintf(behind, sizeof behind, "/messages?dir=b&limit=%d%s", (int)LOOK_COUNT,
                       page[0] != '\0' ? "&from=" : "");
        if (!api_path(before, "/_matrix/client/v3/rooms/", letter->room, behind) ||
            !api_path(path, before, page, "") ||
            !api_await(fibre, letter->speech->setup.api, &call, out)) {
            return false;
        }
        json_t *const chunk = json_object_get(out->body, "chunk");
        const char *const end = wire_word(out->body, "end");
        more =
            api_good(out) && end != NULL && json_array_size(chunk) > 0 && strlen(end) < sizeof page;
        (void)snprintf(page, sizeof page, "%s", more ? end : "");
        const char *const id = find_sent(api_good(out) ? chunk : NULL, letter);
        (void)snprintf(found, CHAT_ID_SIZE, "%s", id != NULL ? id : "");
        more = more && id == NULL;
    }
    return true;
}

/* Sending. */

static bool put_content(struct fibre *fibre, const struct letter *first, const char *type,
                        json_t *content, struct api_answer *out)
{
    char behind[LETTER_TXN_SIZE + TYPE_SIZE + sizeof "/send//"];
    (void)snprintf(behind, sizeof behind, "/send/%s/%s", type, first->txn);
    const struct api_room_call call = {
        .method = "PUT", .room = first->room, .what = behind, .body = content};
    return api_room_await(fibre, first->speech->setup.api, &call, out);
}

static const struct api_answer UNSENT = {.errcode = "", .why = "unsent"};

// Who is in a room by its server's word, which is asked before each message that is sealed; a hand
// is its owner's, whoever else is named as there. `people`: taken; NULL: nothing can be sealed now.
// False: the end has come.
static bool ask_readers(struct fibre *fibre, const struct speech_setup *setup, const char *place,
                        const char *person, struct seal_readers *out)
{
    const struct api_room_call call = {.method = "GET", .room = place, .what = API_MEMBERS};
    struct api_answer answer;
    *out = (struct seal_readers){.room = place};
    if (person == NULL && !api_room_await(fibre, setup->api, &call, &answer)) {
        return false;
    }
    const struct room *const room = rooms_find(setup->rooms, place);
    if (room == NULL || !room_sealing(room, &out->rotation_ms, &out->rotation_messages)) {
        return true;
    }
    out->visibility = room_visibility(room);
    if (person != NULL) {
        out->people = json_pack("[s]", person);
    } else if (api_good(&answer)) {
        out->people = room_readers(room, answer.body, setup->bot);
    }
    return true;
}

static void tell_many(struct speech *speech, const char *room)
{
    char about[CHAT_ID_SIZE + 16];
    (void)snprintf(about, sizeof about, "many %s", room);
    aside_say(speech, &(const struct aside){
                          .about = about, .place = room, .text = TEXT_MATRIX_SEALED_MANY});
}

// It keeps what was sealed: an index is used once, and another try sends the same.
static bool put_sealed(struct fibre *fibre, struct letter *first, struct api_answer *out)
{
    static const char TYPE[] = "m.room.encrypted";
    const struct speech_setup *const setup = &first->speech->setup;
    struct seal_readers readers;
    struct seal_sealed sealed;
    struct posting posting;
    *out = UNSENT;
    if (first->sealed != NULL) {
        return put_content(fibre, first, TYPE, json_incref(first->sealed), out);
    }
    if (!ask_readers(fibre, setup, first->room, first->person, &readers)) {
        return false;
    }
    if (readers.people == NULL) {
        return true;
    }
    if (json_array_size(readers.people) > SEAL_READERS_MAX) {
        json_decref(readers.people);
        room_crowd(rooms_get(setup->rooms, first->room));
        tell_many(first->speech, first->room);
        out->status = STATUS_FORBIDDEN;
        return true;
    }
    posting_of(first->speech, first->number, &posting);
    const bool goes_on = seal_content_await(fibre, setup->seal, &readers, "m.room.message",
                                            content_of(&posting), &sealed);
    json_decref(readers.people);
    if (!goes_on) {
        return false;
    }
    if (sealed.distrusted) {
        room_distrust(rooms_get(setup->rooms, first->room));
        out->status = STATUS_FORBIDDEN;
        return true;
    }
    first->sealed = sealed.content;
    if (first->sealed != NULL) { // in clear: its server knows it, and no key is needed to find it
        (void)json_object_set_new(first->sealed, CONTENT_TXN, json_string(first->txn));
    }
    return first->sealed == NULL ||
           put_content(fibre, first, TYPE, json_incref(first->sealed), out);
}

// Before it servers were asked: of a room that is forgotten meanwhile it is not known any more that
// it is encrypted.
static bool put_event(struct fibre *fibre, struct letter *first, struct api_answer *out)
{
    struct posting posting;
    if (!may_say(first)) { // its next turn ends it
        *out = UNSENT;
        return true;
    }
    if (is_for_encrypted_room(first) && !first->aside) {
        return put_sealed(fibre, first, out);
    }
    posting_of(first->speech, first->number, &posting);
    return put_content(fibre, first, "m.room.message", content_of(&posting), out);
}

/* Who would compare keys. */

enum { REFUSALS = 4 }; // in rooms, of a person and hour

/* A request that stands in a room, and is cancelled there. */
struct verification {
    struct speech *speech;
    char room[CHAT_ID_SIZE], event[CHAT_ID_SIZE];
};

static void write_reason(const struct speech *speech, char out[REASON_SIZE])
{
    struct text_out text;
    text_begin(&text, out, REASON_SIZE);
    text_put(&text, TEXT_MATRIX_VERIFY_NOT,
             TEXT_ARGS(text_str("other", seal_fingerprint(speech->setup.seal))));
}

void speech_verify(struct speech *speech, const char *person, const char *device,
                   const char *transaction)
{
    char reason[REASON_SIZE];
    char path[API_PATH_SIZE];
    write_reason(speech, reason);
    if (api_path(path, "/_matrix/client/v3/sendToDevice/m.key.verification.cancel/", transaction,
                 "")) {
        const struct api_call call = {
            .method = "PUT",
            .path = path,
            .body = json_pack("{s:{s:{s:{s:s, s:s, s:s}}}}", "messages", person, device,
                              "transaction_id", transaction, "code", "m.user", "reason", reason)};
        (void)!api_call(speech->setup.api, &call, NULL, NULL);
    }
    tell_fingerprint(speech, room_of_both(speech, NULL, person), person);
}

// Once, whatever comes of it: without it their device waits some minutes.
static void cancel_in(struct fibre *fibre, void *user)
{
    const struct verification asked = *(struct verification *)user;
    const struct speech_setup *const setup = &asked.speech->setup;
    const struct room *const room = rooms_find(setup->rooms, asked.room);
    struct seal_readers readers = {.room = asked.room};
    struct seal_sealed sealed;
    struct api_answer answer;
    char reason[REASON_SIZE];
    char behind[LETTER_TXN_SIZE + TYPE_SIZE + sizeof "/send//"];
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char txn[2 * sizeof hash + 1];
    free(user);
    const bool clear = room == NULL || !room_is_encrypted(room);
    const char *const hand_of = room != NULL ? room_hand_of(room, setup->bot) : NULL;
    if (room == NULL || (!clear && !ask_readers(fibre, setup, asked.room, hand_of, &readers))) {
        return;
    }
    if (!clear && (readers.people == NULL || json_array_size(readers.people) > SEAL_READERS_MAX)) {
        json_decref(readers.people);
        return;
    }
    write_reason(asked.speech, reason);
    json_t *const content =
        json_pack("{s:s, s:s, s:{s:s, s:s}}", "code", "m.user", "reason", reason, "m.relates_to",
                  "rel_type", "m.reference", "event_id", asked.event);
    const bool goes_on = seal_content_await(fibre, setup->seal, clear ? NULL : &readers,
                                            "m.key.verification.cancel", content, &sealed);
    json_decref(readers.people);
    if (goes_on && sealed.distrusted) {
        room_distrust(rooms_get(setup->rooms, asked.room));
    }
    if (goes_on && sealed.content != NULL) {
        (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)asked.event,
                                 strlen(asked.event), NULL, 0);
        sodium_bin2hex(txn, sizeof txn, hash, sizeof hash);
        (void)snprintf(behind, sizeof behind, "/send/%s/%s", sealed.type, txn);
        const struct api_room_call call = {
            .method = "PUT", .room = asked.room, .what = behind, .body = sealed.content};
        (void)!api_room_await(fibre, setup->api, &call, &answer);
    }
}

void speech_verify_in(struct speech *speech, const char *id, const char *person, const char *event)
{
    char about[CHAT_ID_SIZE + 64];
    bool may = false;
    for (unsigned i = 0; i < REFUSALS && !may; i++) {
        (void)snprintf(about, sizeof about, "refused %s %u", person, i);
        may = may_remind(speech, about);
    }
    if (may && seal_fingerprint(speech->setup.seal)[0] != '\0') {
        struct verification *const asked = mb_new(1, sizeof *asked);
        asked->speech = speech;
        (void)snprintf(asked->room, sizeof asked->room, "%s", id);
        (void)snprintf(asked->event, sizeof asked->event, "%s", event);
        fibres_start(speech->setup.fibres, cancel_in, asked);
    }
    tell_fingerprint(speech, rooms_find(speech->setup.rooms, id), person);
}

/* One letter's turn. */

// What may stand there already.
static bool look_before(struct fibre *fibre, struct letter *first, bool *goes_on)
{
    struct speech *const speech = first->speech;
    struct api_answer answer;
    struct posting posting;
    char found[CHAT_ID_SIZE] = "";
    *goes_on = false;
    if (!lookup(fibre, first, found, &answer)) {
        return false;
    }
    if (found[0] != '\0') {
        posting_of(speech, first->number, &posting);
        outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, loop_ms(speech));
        posting_delivered(speech, &posting, found);
    } else if (api_is_later(&answer)) {
        put_off(first, OUTLET_AGAIN, &answer);
    } else {
        first->looked_ms = loop_ms(speech);
        *goes_on = true;
    }
    return true;
}

// Who is in a hand room: the server is asked before each secret, for syncs come later.
static bool ask_members(struct fibre *fibre, struct letter *first, bool *goes_on)
{
    struct speech *const speech = first->speech;
    const struct api_room_call call = {.method = "GET", .room = first->room, .what = API_MEMBERS};
    struct api_answer answer;
    *goes_on = false;
    if (!api_room_await(fibre, speech->setup.api, &call, &answer)) {
        return false;
    }
    *goes_on = api_good(&answer) && room_is_between(answer.body, speech->setup.bot, first->person);
    if (api_is_later(&answer)) {
        put_off(first, OUTLET_AGAIN, &answer);
    } else if (!*goes_on) {
        distrust_room(speech, first);
    }
    return true;
}

static void send_letter(struct fibre *fibre, void *user)
{
    struct letter *const first = user;
    struct speech *const speech = first->speech;
    struct api_answer answer;
    bool goes_on = true;
    if (letter_is_doubtful(first, loop_ms(speech)) && !look_before(fibre, first, &goes_on)) {
        return;
    }
    if (goes_on && first->person != NULL && !ask_members(fibre, first, &goes_on)) {
        return;
    }
    if (goes_on) {
        if (!put_event(fibre, first, &answer)) {
            return;
        }
        end_letter(first, &answer);
    }
    pump_soon(speech);
}

static void send_posting(struct speech *speech, uint64_t number)
{
    struct posting posting;
    posting_of(speech, number, &posting);
    if (posting.count == 0) {
        if (!marks_ask(speech->marks, number)) {
            hands_ask(speech->hands, number);
        }
        return;
    }
    struct letter *const first = posting.letters[0];
    if (!may_say(first) && first->person != NULL && first->turned < TURNS_MAX) {
        first->turned++;
        send_elsewhere(speech, first);
        return;
    }
    if (!may_say(first)) {
        outlet_done(speech->outlet, number, OUTLET_SENT, 0, loop_ms(speech));
        posting_refused(&posting, true);
        return;
    }
    settle_posting(speech, &posting);
    fibres_start(speech->setup.fibres, send_letter, first);
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
    if (!speech->told || !hands_are_read(speech->hands)) {
        return;
    }
    for (uint64_t next = outlet_next(speech->outlet, loop_ms(speech)); next != 0;
         next = outlet_next(speech->outlet, loop_ms(speech))) {
        send_posting(speech, next);
    }
    const int64_t due = outlet_due_ms(speech->outlet, loop_ms(speech));
    if (due >= 0) {
        const int64_t wait = due > loop_ms(speech) ? due - loop_ms(speech) : 1;
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
    const bool turns = !speech->crowded && outlet_is_crowded(speech->outlet, loop_ms(speech));
    speech->crowded = speech->crowded || turns;
    return turns;
}

void speech_reach(struct speech *speech, const char *person)
{
    if (hands_room(speech->hands, person, false) == NULL) {
        (void)hands_make(speech->hands, person, false);
    }
}

int64_t speech_reach_ms(struct speech *speech, const char *person)
{
    return hands_wait_ms(speech->hands, person);
}

bool speech_shows(const struct speech *speech, const struct room *room, const char *person)
{
    return hands_shows(speech->hands, room, person);
}

const char *speech_hand_room(const struct speech *speech, const char *person)
{
    return hands_room(speech->hands, person, false);
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
    const int64_t now_ms = loop_ms(speech);
    if (speech->full_ms == 0 || now_ms - speech->full_ms >= FULL_MS) {
        speech->full_ms = now_ms;
        speech->setup.log(
            speech->setup.log_user, NET_LOG_WARN, "outlet-full",
            "too much waits of one table or person: more of it waits longer or is dropped");
    }
}

// Whether it is for one person and about a table that lies in an encrypted room, or says so of a
// room that is not known any more.
static bool must_seal(const struct speech *speech, const struct chat_out *out)
{
    const struct speech_setup *const setup = &speech->setup;
    const bool somewhere = out->place != NULL && out->place[0] != '\0';
    const struct room *const room = somewhere ? rooms_find(setup->rooms, out->place) : NULL;
    const struct room *const home = out->home != NULL ? rooms_find(setup->rooms, out->home) : NULL;
    return out->person != NULL && seal_is_wanted(setup->seal) &&
           ((somewhere && (room == NULL || room_is_encrypted(room))) ||
            (home != NULL && room_is_encrypted(home)));
}

// Whether it may be the hand of a table in an encrypted room.
static bool is_sealed_hand(const struct speech *speech, const struct chat_out *out)
{
    return out->kind == CHAT_HAND && must_seal(speech, out) &&
           rooms_find(speech->setup.rooms, out->place) != NULL &&
           seal_will_read(speech->setup.seal);
}

static void say_letter(struct speech *speech, const struct chat_out *out, bool unasked, bool aside)
{
    const bool in_public = out->kind == CHAT_REPLY && out->open &&
                           hands_room(speech->hands, out->person, false) == NULL;
    struct letter *const letter = letter_make(out, in_public, speech->setup.prefix);
    letter->speech = speech;
    letter->number = ++speech->numbers;
    letter->next = speech->letters;
    speech->letters = letter;
    letter->unasked = unasked;
    letter->aside = aside;
    letter->seals = must_seal(speech, out);
    if (is_sealed_hand(speech, out)) {
        hands_retire(speech->hands, letter->person);
    }
    if (letter->text[0] == '\0') {
        finish_letter(letter, CHAT_DELIVERED, ""); // it was heard: nothing more is to be said
    } else if (letter->person != NULL) {
        (void)queue_private(letter);
    } else {
        queue_letter(letter, letter->place);
    }
}

void speech_say(struct speech *speech, const struct chat_out *out)
{
    say_letter(speech, out, false, false);
}

// What no host keeps, dropped where too much waits. `open`: it holds nothing of anybody, and may be
// said in an encrypted room, too.
static void say_aside(struct speech *speech, const struct chat_out *out, bool open)
{
    if (speech_is_full(speech, out)) {
        speech_note_full(speech);
    } else {
        say_letter(speech, out, out->person == NULL, open);
    }
}

static void pump_for(void *user)
{
    pump_soon(user);
}

static void make_parts(struct speech *speech)
{
    const struct speech_setup *const setup = &speech->setup;
    speech->outlet = outlet_create();
    speech->boards = boards_create();
    const struct hands_setup hands = {.api = setup->api,
                                      .chat = setup->chat,
                                      .fibres = setup->fibres,
                                      .seal = setup->seal,
                                      .rooms = setup->rooms,
                                      .outlet = speech->outlet,
                                      .limits = setup->limits,
                                      .bot = setup->bot,
                                      .numbers = &speech->numbers,
                                      .log = setup->log,
                                      .log_user = setup->log_user,
                                      .release = release_letters,
                                      .left_out = tell_left_out,
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
    speech->reminded = json_object();
    (void)uv_timer_init(setup->loop, &speech->timer);
    (void)uv_idle_init(setup->loop, &speech->pump);
    speech->timer.data = speech->pump.data = speech;
    make_parts(speech);
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
    for (size_t i = 0; i < SPEECH_THREADS_MAX; i++) {
        free(speech->threaded[i].event);
        free(speech->threaded[i].root);
    }
    json_decref(speech->reminded);
    boards_destroy(speech->boards);
    outlet_destroy(speech->outlet);
    free(speech);
}

/* Beside all tables. */

enum { ASIDE_SIZE = 2048 };

void aside_say(struct speech *speech, const struct aside *aside)
{
    char sentence[ASIDE_SIZE];
    uint64_t numbers[2] = {0};
    struct text_out text;
    text_begin(&text, sentence, sizeof sentence);
    text_put(&text, aside->text, aside->args);
    (void)crypto_generichash((unsigned char *)numbers, sizeof numbers,
                             (const unsigned char *)aside->about, strlen(aside->about), NULL, 0);
    const struct chat_out out = {.kind = aside->person != NULL ? CHAT_REPLY : CHAT_NARRATION,
                                 .key = {.epoch = numbers[0], .number = numbers[1]},
                                 .mark = numbers[0],
                                 .place = aside->place,
                                 .person = aside->person,
                                 .text = sentence};
    // Of an encrypted room the sentences that it is told.
    say_aside(speech, &out,
              aside->text == TEXT_MATRIX_SEALED || aside->text == TEXT_MATRIX_SEALED_MANY ||
                  aside->text == TEXT_MATRIX_LEFT_OUT || aside->text == TEXT_MATRIX_UNHEARD);
}
