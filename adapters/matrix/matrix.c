#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

#include "adapters/matrix/matrix_impl.h"
#include "adapters/matrix/rooms/stay.h"
#include "adapters/matrix/say/prose.h"
#include "adapters/matrix/say/speech.h"

static struct matrix *matrix_of(struct chat *chat);

/* A chat. */

static bool matrix_start(struct chat *chat, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    (void)err;
    if (!matrix->started) {
        matrix->started = true;
        poll_start(matrix->poll);
    }
    return true;
}

// Where the card was named, with the room in which it would have been better named.
static void tell_blurted(struct matrix *matrix, const struct chat_out *refusal)
{
    char of[CHAT_ID_SIZE + sizeof "blurted "];
    char name[CHAT_NAME_SIZE + CHAT_ID_SIZE + 4];
    char link[CHAT_ID_SIZE + 32];
    const char *const hand = speech_hand_room(matrix->speech, refusal->person);
    const struct room *const room = rooms_find(matrix->rooms, refusal->place);
    if (hand == NULL || room == NULL) {
        return;
    }
    room_name_of(room, refusal->person, name, sizeof name);
    (void)snprintf(of, sizeof of, "blurted %s", refusal->event);
    (void)snprintf(link, sizeof link, "https://matrix.to/#/%s", hand);
    const struct aside aside = {.about = of,
                                .place = refusal->place,
                                .text = TEXT_MATRIX_BLURTED,
                                .args = TEXT_ARGS(text_str("who", name), text_str("link", link))};
    aside_say(matrix->speech, &aside);
}

// Once, where the table lies that was one too many: what helps is the operator's to do.
static void tell_crowded(struct matrix *matrix, const char *place)
{
    const struct aside aside = {.about = "crowded", .place = place, .text = TEXT_MATRIX_CROWDED};
    matrix_log(matrix, NET_LOG_WARN, "crowded",
               "several tables share the account's rate limit: exempt it (README, Play on Matrix)");
    aside_say(matrix->speech, &aside);
}

static bool matrix_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct matrix *const matrix = matrix_of(chat);
    if (!matrix->started || matrix->stopped) {
        return mb_fail(err, MB_ERR_STATE, "Matrix is not started");
    }
    if (!poll_is_told(matrix->poll)) { // whose room is whose is not known yet
        return mb_fail(err, MB_ERR_RETRY, "waiting for the homeserver's list of rooms");
    }
    if (fibres_are_many(matrix->fibres)) {
        return mb_fail(err, MB_ERR_RETRY, "too much is under way");
    }
    if (out->kind == CHAT_FORGET) {
        const struct farewell farewell = {
            .api = matrix->api, .rooms = matrix->rooms, .chat = chat, .key = out->key};
        farewell_say(matrix->fibres, &farewell, out->person);
        return true;
    }
    if (out->kind == CHAT_REPLY && out->refusal != NULL && out->event != NULL &&
        blurted_refused(matrix->blurted, out->event, out->refusal->code)) {
        tell_blurted(matrix, out);
    }
    if (speech_is_full(matrix->speech, out)) {
        speech_note_full(matrix->speech);
        return mb_fail(err, MB_ERR_RETRY, "too much waits of that table or person");
    }
    speech_say(matrix->speech, out);
    if (out->kind == CHAT_CARD && speech_turns_crowded(matrix->speech)) {
        tell_crowded(matrix, out->place);
    }
    return true;
}

// Where another process listens it knows better, and is asked.
static int64_t matrix_reach(struct chat *chat, const char *person)
{
    struct matrix *const matrix = matrix_of(chat);
    const bool knows = matrix->started && !matrix->stopped && poll_is_told(matrix->poll);
    return knows ? speech_reach_ms(matrix->speech, person) : 0;
}

static void matrix_stop(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    if (matrix->stopped) {
        return;
    }
    matrix->stopped = true;
    api_close(matrix->api);
    fibres_stop(matrix->fibres);
    if (matrix->speech != NULL) {
        speech_stop(matrix->speech);
    }
    poll_stop(matrix->poll);
    seal_stop(matrix->seal);
}

static void matrix_destroy(struct chat *chat)
{
    struct matrix *const matrix = matrix_of(chat);
    house_destroy(matrix->house);
    speech_destroy(matrix->speech);
    rooms_destroy(matrix->rooms);
    poll_destroy(matrix->poll);
    seal_destroy(matrix->seal);
    heard_destroy(matrix->heard);
    numbers_destroy(matrix->numbers);
    blurted_destroy(matrix->blurted);
    lobbies_destroy(matrix->lobbies);
    api_destroy(matrix->api);
    fibres_destroy(matrix->fibres);
    free(matrix);
}

static void matrix_figures(const struct chat *chat, struct chat_figures *out)
{
    const struct matrix *const matrix = (const struct matrix *)chat;
    poll_figures(matrix->poll, out);
    if (matrix->speech != NULL) {
        speech_figures(matrix->speech, out);
    }
}

static const struct chat_ops OPS = {.name = "matrix",
                                    .caps = CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_ONE |
                                            CHAT_CAP_AFAR | CHAT_CAP_NUMBERS | CHAT_CAP_SCARCE |
                                            CHAT_CAP_STORY | CHAT_CAP_SIGNS,
                                    .text_max = PROSE_MAX / 2,
                                    .start = matrix_start,
                                    .send = matrix_send,
                                    .stop = matrix_stop,
                                    .destroy = matrix_destroy,
                                    .reach = matrix_reach,
                                    .figures = matrix_figures};

static struct matrix *matrix_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct matrix *)chat;
}

static void settled(struct chat *chat, uint64_t number)
{
    (void)number;
    matrix_pump(matrix_of(chat));
}

// The seal's words are the matrix's.
static void log_for(void *user, enum net_log_level level, const char *event, const char *text)
{
    matrix_log(user, level, event, text);
}

static enum seal_makes makes_of(const char *word)
{
    return word == NULL || strcmp(word, "auto") == 0 ? SEAL_AUTO
           : strcmp(word, "always") == 0             ? SEAL_ALWAYS
                                                     : SEAL_OFF;
}

static void fatal(void *user, const struct mb_error *why)
{
    const struct matrix *const matrix = user;
    matrix->setup.fatal(matrix->setup.user, why);
}

static void unheard(void *user, const char *room, const char *person, enum seal_unheard why)
{
    const struct matrix *const matrix = user;
    if (matrix->speech != NULL) {
        speech_unheard(matrix->speech, room, person, why);
    }
}

static void verifies(void *user, const char *person, const char *device, const char *transaction)
{
    const struct matrix *const matrix = user;
    if (matrix->speech != NULL) {
        speech_verify(matrix->speech, person, device, transaction);
    }
}

struct chat *matrix_create(struct chat_queue *queue, const struct matrix_setup *setup)
{
    struct matrix *const matrix = mb_new(1, sizeof *matrix);
    const struct api_setup api = {.loop = setup->loop,
                                  .http = setup->http,
                                  .homeserver = setup->homeserver,
                                  .token = setup->token};
    matrix->chat = (struct chat){.ops = &OPS, .sink = {.queue = queue, .settled = settled}};
    matrix->setup = *setup;
    matrix->api = api_create(&api);
    matrix->fibres = fibres_create();
    const struct seal_setup seal = {.loop = setup->loop,
                                    .api = matrix->api,
                                    .fibres = matrix->fibres,
                                    .path = setup->crypto_path,
                                    .keys = setup->keys != NULL ? setup->keys : "signed",
                                    .makes = makes_of(setup->encryption),
                                    .log = log_for,
                                    .fatal = fatal,
                                    .late = matrix_late,
                                    .unheard = unheard,
                                    .verifies = verifies,
                                    .user = matrix};
    matrix->seal = seal_create(&seal);
    matrix->heard = heard_create();
    matrix->numbers = numbers_create();
    matrix->blurted = blurted_create();
    matrix->lobbies = lobbies_create(&matrix->chat);
    matrix->poll = poll_create(matrix);
    return &matrix->chat;
}
