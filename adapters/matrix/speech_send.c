#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/content.h"
#include "adapters/matrix/prose.h"
#include "adapters/matrix/seal.h"
#include "adapters/matrix/speech_impl.h"

enum {
    STATUS_FORBIDDEN = 403,
    STATUS_TOO_MANY = 429,
    AGAIN_MS = 1000, // without memory
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

static void sent(void *user, const struct api_answer *answer)
{
    struct letter *const letter = user;
    struct speech *const speech = letter->speech;
    const char *const id = wire_id(answer->body, "event_id");
    const bool later = api_is_later(answer) || (api_good(answer) && id == NULL);
    struct posting posting;
    speech_posting(speech, letter->number, &posting);
    speech_pump(speech);
    if (later) {
        if (answer->status == STATUS_TOO_MANY) {
            speech->setup.log(speech->setup.log_user, NET_LOG_INFO, "too-many", answer->why);
        }
        outlet_done(speech->outlet, letter->number,
                    answer->status == STATUS_TOO_MANY ? OUTLET_TOO_MANY : OUTLET_AGAIN,
                    api_wait_ms(answer, letter->tries++), speech_now_ms(speech));
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
    char *const text = malloc(size);
    size_t length = 0;
    for (size_t i = 0; text != NULL && i < posting->count; i++) {
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
    if (text == NULL) {
        return NULL;
    }
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
    outlet_done(speech->outlet, first->number, OUTLET_AGAIN, AGAIN_MS, speech_now_ms(speech));
    speech_pump(speech);
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
    speech_posting(speech, first->number, &posting);
    if (!seal_content(speech->setup.seal, first->room, content_of(&posting), sealed, first)) {
        put_off(first);
    }
}

/* Who is in a hand room: the server is asked before each secret, for syncs come later. */

// Into another room, as if nobody had tried.
static void send_elsewhere(struct speech *speech, struct letter *first)
{
    struct posting posting;
    speech_posting(speech, first->number, &posting);
    speech->setup.opened(speech->setup.user, first->person, first->room);
    outlet_done(speech->outlet, first->number, OUTLET_SENT, 0, speech_now_ms(speech));
    for (size_t i = 0; i < posting.count; i++) {
        struct letter *const letter = posting.letters[i];
        free(letter->room);
        letter->room = NULL;
        letter->tried_ms = -1;
        letter->tries = 0;
        letter->edits = false;
        letter->looked_ms = -1;
        letter->txn[0] = '\0';
        speech_queue_private(letter);
    }
}

static void told_members(void *user, const struct api_answer *answer)
{
    struct letter *const first = user;
    struct speech *const speech = first->speech;
    if (api_is_later(answer)) {
        outlet_done(speech->outlet, first->number, OUTLET_AGAIN,
                    api_wait_ms(answer, first->tries++), speech_now_ms(speech));
    } else if (api_good(answer) &&
               room_is_between(answer->body, speech->setup.bot, first->person)) {
        put_now(speech, first);
    } else {
        struct room *const room = rooms_find(speech->setup.rooms, first->room);
        if (room != NULL) {
            room_distrust(room);
        }
        speech->setup.log(speech->setup.log_user, NET_LOG_WARN, "hand-room",
                          "a hand room has somebody else in it, or nobody: making another");
        send_elsewhere(speech, first);
    }
    speech_pump(speech);
}

static void put_or_wait(struct speech *speech, struct letter *first)
{
    if (first->person == NULL) {
        put_now(speech, first);
    } else if (api_members(speech->setup.api, first->room, told_members, first) == 0) {
        outlet_done(speech->outlet, first->number, OUTLET_AGAIN, AGAIN_MS, speech_now_ms(speech));
    }
}

/* What may stand there already. */

void speech_looked(struct letter *letter, const char *id, int64_t wait_ms)
{
    struct speech *const speech = letter->speech;
    struct posting posting;
    if (id != NULL) {
        speech_posting(speech, letter->number, &posting);
        outlet_done(speech->outlet, letter->number, OUTLET_SENT, 0, speech_now_ms(speech));
        speech_delivered(speech, &posting, id);
    } else if (wait_ms > 0) {
        outlet_done(speech->outlet, letter->number, OUTLET_AGAIN, wait_ms, speech_now_ms(speech));
    } else {
        letter->looked_ms = speech_now_ms(speech);
        put_or_wait(speech, letter);
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
    if (letter_is_doubtful(first, speech_now_ms(speech))) {
        if (!lookup_begin(&speech->lookup, first)) {
            put_off(first);
        }
    } else {
        put_or_wait(speech, first);
    }
}
