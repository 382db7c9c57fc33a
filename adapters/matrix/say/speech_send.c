#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/matrix/say/aside.h"
#include "adapters/matrix/say/content.h"
#include "adapters/matrix/say/prose.h"
#include "adapters/matrix/say/seal.h"
#include "adapters/matrix/say/speech_impl.h"

enum {
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    LOOK_COUNT = 100,
    LOOK_PAGES = 10,
    LOOK_PAGE_SIZE = 256,
    TYPE_SIZE = 64,
    CARD_FAR = 10, // so many below, and it is posted anew
    HAND_FAR = 5
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
                speech_now_ms(speech));
}

static void end(struct letter *letter, const struct api_answer *answer)
{
    struct speech *const speech = letter->speech;
    const char *const id = wire_id(answer->body, "event_id");
    const bool later = api_is_later(answer) || (api_good(answer) && id == NULL);
    struct posting posting;
    speech_posting(speech, letter->number, &posting);
    if (later) {
        const bool many = answer->status == STATUS_TOO_MANY;
        if (many) {
            speech->setup.log(speech->setup.log_user, NET_LOG_INFO, "too-many", answer->why);
        }
        put_off(letter, many ? OUTLET_TOO_MANY : OUTLET_AGAIN, answer);
        return;
    }
    outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, speech_now_ms(speech));
    if (api_good(answer)) {
        speech_delivered(speech, &posting, id);
    } else {
        log_refused(speech, answer);
        speech_refused(&posting, answer->status == STATUS_FORBIDDEN);
    }
}

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
        posting->letters[i]->tried_ms = speech_now_ms(speech);
    }
    if (board != NULL && board->replaces != NULL) {
        const bool known = boards_knows(speech->boards, board->replaces);
        const char *const edited =
            boards_edited(speech->boards, board->room, board->replaces, board->chapter,
                          board->kind == CHAT_CARD ? CARD_FAR : HAND_FAR);
        first->edits = edited[0] != '\0' && posting->count == 1;
        boards_ask(speech->boards, board->replaces, NULL); // nobody knows until it is answered
        (void)snprintf(first->shown, sizeof first->shown, "%s", edited);
        board->unsure = !first->edits && !known;
    } else if (board != NULL) {
        board->unsure = board->again;
    }
    letter_name(posting->count > 1 || board == NULL ? first : board);
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
    const struct content_said said = {
        .text = text,
        .called = (const char *const *)first->called,
        .names = called,
        .called_count = first->called_count,
        .replaces = first->edits ? first->shown : NULL,
        .answers = first->kind == CHAT_REPLY && first->person == NULL ? first->event : NULL,
        .txn = first->txn,
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
    speech_posting(speech, first->number, &posting);
    tell_opened(speech, first);
    outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, speech_now_ms(speech));
    for (size_t i = 0; i < posting.count; i++) {
        struct letter *const letter = posting.letters[i];
        letter->room = NULL;
        letter->tried_ms = -1;
        letter->tries = 0;
        letter->edits = false;
        letter->looked_ms = -1;
        letter->txn[0] = '\0';
        speech_queue_private(letter);
    }
}

static void distrust(struct speech *speech, struct letter *first)
{
    struct room *const room = rooms_find(speech->setup.rooms, first->room);
    if (room != NULL) {
        room_distrust(room);
    }
    speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "hand-room",
                      "a hand room has somebody else in it, or nobody: making another");
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
        json_t *opened = NULL;
        if (api_good(out) && chunk != NULL &&
            !seal_open_await(fibre, letter->room, chunk, &opened)) {
            return false;
        }
        const char *const id = find_sent(opened, letter);
        (void)snprintf(found, CHAT_ID_SIZE, "%s", id != NULL ? id : "");
        json_decref(opened);
        more = more && id == NULL;
    }
    return true;
}

/* Sending. */

static bool put(struct fibre *fibre, struct letter *first, struct api_answer *out)
{
    char behind[LETTER_TXN_SIZE + TYPE_SIZE + sizeof "/send//"];
    const char *type = NULL;
    json_t *content = NULL;
    struct posting posting;
    speech_posting(first->speech, first->number, &posting);
    if (!seal_content_await(fibre, first->room, content_of(&posting), &type, &content)) {
        return false;
    }
    if (content == NULL) {
        *out = (struct api_answer){.errcode = "", .why = "unsent"};
        return true;
    }
    (void)snprintf(behind, sizeof behind, "/send/%s/%s", type, first->txn);
    const struct api_room_call call = {
        .method = "PUT", .room = first->room, .what = behind, .body = content};
    return api_room_await(fibre, first->speech->setup.api, &call, out);
}

// What may stand there already.
static bool look(struct fibre *fibre, struct letter *first, bool *goes_on)
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
        speech_posting(speech, first->number, &posting);
        outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, speech_now_ms(speech));
        speech_delivered(speech, &posting, found);
    } else if (api_is_later(&answer)) {
        put_off(first, OUTLET_AGAIN, &answer);
    } else {
        first->looked_ms = speech_now_ms(speech);
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
        distrust(speech, first);
    }
    return true;
}

static void send_letter(struct fibre *fibre, void *user)
{
    struct letter *const first = user;
    struct speech *const speech = first->speech;
    struct api_answer answer;
    bool goes_on = true;
    if (letter_is_doubtful(first, speech_now_ms(speech)) && !look(fibre, first, &goes_on)) {
        return;
    }
    if (goes_on && first->person != NULL && !ask_members(fibre, first, &goes_on)) {
        return;
    }
    if (goes_on) {
        if (!put(fibre, first, &answer)) {
            return;
        }
        end(first, &answer);
    }
    speech_pump(speech);
}

void speech_send(struct speech *speech, uint64_t number)
{
    struct posting posting;
    speech_posting(speech, number, &posting);
    if (posting.count == 0) {
        if (!marks_ask(speech->marks, number)) {
            hands_ask(speech->hands, number);
        }
        return;
    }
    struct letter *const first = posting.letters[0];
    if (!may_say(first)) {
        outlet_done(speech->outlet, number, OUTLET_SENT, 0, speech_now_ms(speech));
        speech_refused(&posting, true);
        return;
    }
    settle(speech, &posting);
    fibres_start(speech->setup.fibres, send_letter, first);
}
