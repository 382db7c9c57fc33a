#include "adapters/discord/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/discord/heard.h"
#include "adapters/discord/payload.h"

enum {
    ID_SIZE = HEARD_ID_SIZE,
    DECIMAL = 10,
    CODE_UNKNOWN_WEBHOOK = 10015,
    CODE_UNKNOWN_INTERACTION = 10062,
    CODE_ACKNOWLEDGED = 40060,
    CODE_EXPIRED = 50027,
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300
};

struct answers {
    struct rest *rest;
    const char *application_id;
    struct heards heards;
    int64_t due_ms; // something may be to be done; -1: nothing
};

/* One message on its way. */
struct sending {
    struct answers *answers;
    char id[ID_SIZE];
    char *token;
    enum payload_answer type; // of its callback
    json_t *message;          // for a second try in another way
    uint64_t edits;           // what was pressed and becomes it, or 0
    bool press, again;        // the callback has been called twice
    answers_done_fn *done;
    void *user;
};

/* Which. */

static struct heard *add(struct answers *answers, const struct interaction *interaction,
                         int64_t age_ms, int64_t now_ms)
{
    struct heard *const heard = heards_add(&answers->heards, interaction, age_ms, now_ms);
    if (heard != NULL && (answers->due_ms < 0 || heard->caller->defer_ms < answers->due_ms)) {
        answers->due_ms = heard->caller->defer_ms;
    }
    return heard;
}

bool answers_add(struct answers *answers, const struct interaction *interaction, int64_t age_ms,
                 int64_t now_ms)
{
    return heards_find(&answers->heards, interaction->id) == NULL &&
           add(answers, interaction, age_ms, now_ms) != NULL;
}

bool answers_words(const struct interaction *interaction, char *out, size_t size)
{
    const int length =
        snprintf(out, size, "%c%s %s", interaction->type == INTERACTION_PRESS ? 'p' : 'c',
                 interaction->id, interaction->token);
    return length > 0 && (size_t)length < size;
}

/* How it is called in chat_in.answer, taken apart. */
struct words {
    char id[ID_SIZE];
    const char *token;
    bool press;
};

// False: they are none.
static bool read_words(const char *words, struct words *out)
{
    *out = (struct words){.token = NULL};
    const size_t length = words[0] != '\0' ? strcspn(words + 1, " ") : 0;
    if (length == 0 || length >= ID_SIZE || words[1 + length] != ' ') {
        return false;
    }
    memcpy(out->id, words + 1, length);
    out->token = words + 1 + length + 1;
    out->press = words[0] == 'p';
    return discord_is_id(out->id) && out->token[0] != '\0' && strpbrk(out->token, "/?#% ") == NULL;
}

/* Calls. */

/* An interaction, and the message that its answer makes anew, or 0. */
struct target {
    const char *id, *token;
    uint64_t edits;
};

static bool call_callback(struct answers *answers, const struct target *to, json_t *body,
                          rest_done_fn *done, void *user)
{
    char path[REST_PATH_SIZE];
    char order[ID_SIZE + 2];
    (void)snprintf(path, sizeof path, "/interactions/%s/%s/callback?with_response=true", to->id,
                   to->token);
    (void)snprintf(order, sizeof order, "i%s", to->id);
    const struct rest_call call = {.method = "POST",
                                   .route = "POST /interactions/callback",
                                   .major = to->id,
                                   .path = path,
                                   .order = order,
                                   .edits = to->edits,
                                   .body = body,
                                   .bare = true};
    return rest_call(answers->rest, &call, done, user);
}

// What follows a first answer: `which` is "" for another message, or "/messages/@original".
static bool call_webhook(const struct sending *sending, const char *method, const char *which,
                         json_t *body, rest_done_fn *done, void *user)
{
    char path[REST_PATH_SIZE];
    char order[ID_SIZE + 2];
    char route[64];
    (void)snprintf(path, sizeof path, "/webhooks/%s/%s%s", sending->answers->application_id,
                   sending->token, which);
    (void)snprintf(order, sizeof order, "i%s", sending->id);
    (void)snprintf(route, sizeof route, "%s /webhooks%s", method, which);
    const struct rest_call call = {.method = method,
                                   .route = route,
                                   .major = sending->token,
                                   .path = path,
                                   .order = order,
                                   .edits = sending->edits,
                                   .body = body,
                                   .bare = true,
                                   .doubts = strcmp(method, "GET") != 0,
                                   .repeats = strcmp(method, "POST") != 0};
    return rest_call(sending->answers->rest, &call, done, user);
}

static void ignored(void *user, const struct rest_answer *answer)
{
    (void)user;
    (void)answer;
}

static void defer(struct answers *answers, struct heard *heard)
{
    const enum payload_answer type = heard->press ? PAYLOAD_KEEP : PAYLOAD_THINKING;
    json_t *const data = heard->press ? NULL : json_pack("{s:i}", "flags", PAYLOAD_EPHEMERAL);
    char id[ID_SIZE];
    (void)snprintf(id, sizeof id, "%" PRIu64, heard->id);
    const struct target to = {.id = id, .token = heard->caller->token};
    (void)call_callback(answers, &to, payload_callback(type, data), ignored, NULL);
    heards_move(&answers->heards, heard, HEARD_DEFERRED);
}

/* Messages. */

static void finish(struct sending *sending, enum answer_fate fate, const char *id)
{
    sending->done(sending->user, fate, id);
    json_decref(sending->message);
    free(sending->token);
    free(sending);
}

static const char *word(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static bool is_good(const struct rest_answer *answer)
{
    return answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE;
}

static enum answer_fate fate_of(const struct rest_answer *answer)
{
    const bool over = answer->code == CODE_UNKNOWN_INTERACTION || answer->code == CODE_EXPIRED;
    if (answer->code == CODE_UNKNOWN_WEBHOOK) {
        return ANSWER_LOST;
    }
    return over || answer->status == 0 ? ANSWER_LATE : ANSWER_NOT;
}

static bool is_ephemeral(const json_t *message)
{
    return (json_integer_value(json_object_get(message, "flags")) & PAYLOAD_EPHEMERAL) != 0;
}

// What all are to read went where one person reads it: an earlier process had acknowledged it.
static bool is_hidden(const struct sending *sending, const struct rest_answer *answer)
{
    return sending->type == PAYLOAD_ANSWER && !is_ephemeral(sending->message) &&
           is_ephemeral(answer->body);
}

static void followed(void *user, const struct rest_answer *answer)
{
    struct sending *const sending = user;
    if (is_good(answer) && is_hidden(sending, answer)) {
        finish(sending, ANSWER_LATE, "");
    } else if (is_good(answer)) {
        finish(sending, ANSWER_SHOWN, word(answer->body, "id"));
    } else {
        finish(sending, fate_of(answer), "");
    }
}

static void called_back(void *user, const struct rest_answer *answer);

static bool call_first(struct sending *sending)
{
    const struct target to = {.id = sending->id, .token = sending->token, .edits = sending->edits};
    return call_callback(sending->answers, &to,
                         payload_callback(sending->type, json_incref(sending->message)),
                         called_back, sending);
}

// It was answered before. A command by this message or by an empty acknowledgement, either of which
// becomes it, and so does what was pressed; beside that it comes as another message.
static bool call_behind(struct sending *sending)
{
    if (sending->press && sending->type == PAYLOAD_ANSWER) {
        return call_webhook(sending, "POST", "", json_incref(sending->message), followed, sending);
    }
    return call_webhook(sending, "PATCH", "/messages/@original", json_incref(sending->message),
                        followed, sending);
}

// Who answered it before: what all read, said by an earlier process, does not become what one
// reads.
static void looked_at(void *user, const struct rest_answer *answer)
{
    struct sending *const sending = user;
    if (is_good(answer) && !is_ephemeral(answer->body)) {
        finish(sending, ANSWER_SHOWN, "");
    } else if (!call_behind(sending)) {
        finish(sending, fate_of(answer), "");
    }
}

// False: it cannot be asked.
static bool call_acknowledged(struct sending *sending)
{
    if (sending->again || !is_ephemeral(sending->message)) {
        return call_behind(sending);
    }
    return call_webhook(sending, "GET", "/messages/@original", NULL, looked_at, sending);
}

static void called_back(void *user, const struct rest_answer *answer)
{
    struct sending *const sending = user;
    const bool again = sending->again;
    bool goes_on = false;
    if (is_good(answer)) {
        finish(sending, ANSWER_SHOWN,
               word(json_object_get(answer->body, "interaction"), "response_message_id"));
        return;
    }
    if (answer->status == 0 && !again) { // whether it was heard nobody knows
        sending->again = true;
        goes_on = call_first(sending);
    } else if (answer->code == CODE_ACKNOWLEDGED && again && sending->press) {
        finish(sending, ANSWER_SHOWN, "");
        return;
    } else if (answer->code == CODE_ACKNOWLEDGED || answer->status == 0) {
        goes_on = call_acknowledged(sending);
    } else if (answer->code == CODE_UNKNOWN_INTERACTION && !sending->press) {
        // Too late, or done before the process that did it was killed.
        goes_on = call_webhook(sending, "GET", "/messages/@original", NULL, followed, sending);
    }
    if (!goes_on) {
        finish(sending, fate_of(answer), "");
    }
}

// A first try; the message is taken.
static struct sending *sending_new(struct answers *answers, const struct words *words,
                                   json_t *message, answers_done_fn *done, void *user)
{
    struct sending *const sending = mb_new(1, sizeof *sending);
    *sending = (struct sending){.answers = answers,
                                .token = mb_text(words->token),
                                .type = PAYLOAD_ANSWER,
                                .message = message,
                                .press = words->press,
                                .done = done,
                                .user = user};
    memcpy(sending->id, words->id, sizeof sending->id);
    return sending;
}

// Of what was never sent. Returns false.
static bool sending_free(struct sending *sending)
{
    json_decref(sending->message);
    free(sending->token);
    free(sending);
    return false;
}

// The interaction of these words, if it is known.
static struct heard *noted(const struct answers *answers, const char *text)
{
    struct words words;
    return read_words(text, &words) ? heards_find(&answers->heards, words.id) : NULL;
}

// The interaction of these words, known or made known; NULL: there is none.
static struct heard *known(struct answers *answers, const char *text, struct words *words,
                           int64_t now_ms)
{
    if (!read_words(text, words)) {
        return NULL;
    }
    const struct interaction interaction = {.id = words->id,
                                            .token = words->token,
                                            .type = words->press ? INTERACTION_PRESS
                                                                 : INTERACTION_COMMAND,
                                            .message = "",
                                            .person = ""};
    struct heard *const heard = heards_find(&answers->heards, words->id);
    return heard != NULL ? heard : add(answers, &interaction, HEARD_DEFER_MS, now_ms);
}

bool answers_send(struct answers *answers, const char *text, json_t *message, int64_t now_ms,
                  answers_done_fn *done, void *user)
{
    struct words words;
    struct heard *const heard = known(answers, text, &words, now_ms);
    if (heard == NULL) {
        json_decref(message);
        return false;
    }
    struct sending *const sending = sending_new(answers, &words, message, done, user);
    bool sent = false;
    if (sending == NULL) {
        return false;
    }
    if (heard->state == HEARD_OPEN) {
        sent = call_first(sending);
    } else if (heard->state == HEARD_DEFERRED && !heard->press) {
        sent = call_behind(sending);
    } else {
        sent = call_webhook(sending, "POST", "", json_incref(message), followed, sending);
    }
    heards_move(&answers->heards, heard,
                heard->state == HEARD_DEFERRED && heard->press ? HEARD_EDITED : HEARD_ANSWERED);
    return sent || sending_free(sending);
}

bool answers_pressed(const struct answers *answers, const char *words, const char *message)
{
    const struct heard *const heard = noted(answers, words);
    return heard != NULL && message != NULL && heard->message != 0 &&
           heard->message == strtoull(message, NULL, DECIMAL);
}

bool answers_edit(struct answers *answers, const char *text, json_t *message, int64_t now_ms,
                  answers_done_fn *done, void *user)
{
    struct words words;
    struct heard *const heard = known(answers, text, &words, now_ms);
    const bool can = heard != NULL && heard->press && heard->state != HEARD_ANSWERED;
    struct sending *const sending = can ? sending_new(answers, &words, message, done, user) : NULL;
    if (!can) {
        json_decref(message);
    }
    if (sending == NULL) {
        return false;
    }
    sending->type = PAYLOAD_ANEW;
    sending->edits = heard->message;
    const bool sent = heard->state == HEARD_OPEN ? call_first(sending) : call_behind(sending);
    heards_move(&answers->heards, heard, HEARD_EDITED);
    return sent || sending_free(sending);
}

bool answers_last(const struct answers *answers, const char *person, char *out, size_t size)
{
    const struct heard_caller *const last = heards_last(&answers->heards, person);
    if (last == NULL) {
        return false;
    }
    const int length = snprintf(out, size, "%c%" PRIu64 " %s", last->heard->press ? 'p' : 'c',
                                last->heard->id, last->token);
    return length > 0 && (size_t)length < size;
}

void answers_hush(struct answers *answers, const char *text, int64_t now_ms)
{
    struct words words;
    struct heard *const heard = known(answers, text, &words, now_ms);
    if (heard != NULL && heard->state == HEARD_OPEN) {
        defer(answers, heard);
    }
}

bool answers_open(const struct answers *answers, const char *words)
{
    const struct heard *const heard = noted(answers, words);
    return words[0] == 'c' && (heard == NULL || heard->state == HEARD_OPEN);
}

void answers_close(struct answers *answers, const char *text)
{
    struct words words;
    struct heard *const heard =
        read_words(text, &words) ? heards_find(&answers->heards, words.id) : NULL;
    if (heard != NULL && heard->state == HEARD_DEFERRED && !words.press) {
        char token[CHAT_ANSWER_SIZE];
        struct sending sending = {.answers = answers, .token = token};
        (void)snprintf(token, sizeof token, "%s", words.token);
        memcpy(sending.id, words.id, sizeof sending.id);
        heards_move(&answers->heards, heard, HEARD_ANSWERED);
        (void)call_webhook(&sending, "DELETE", "/messages/@original", NULL, ignored, NULL);
    }
}

void answers_form(struct answers *answers, const struct interaction *interaction, json_t *form)
{
    struct heard *const heard = heards_find(&answers->heards, interaction->id);
    if (heard == NULL || heard->state != HEARD_OPEN || form == NULL) {
        json_decref(form);
        return;
    }
    heards_move(&answers->heards, heard, HEARD_ANSWERED);
    const struct target to = {.id = interaction->id, .token = interaction->token};
    (void)call_callback(answers, &to, payload_callback(PAYLOAD_FORM, form), ignored, NULL);
}

void answers_choices(struct answers *answers, const struct interaction *interaction,
                     json_t *choices)
{
    json_t *const data = json_pack("{s:o}", "choices", choices);
    const struct target to = {.id = interaction->id, .token = interaction->token};
    (void)call_callback(answers, &to, payload_callback(PAYLOAD_CHOICES, data), ignored, NULL);
}

/* Time. */

int64_t answers_due_ms(const struct answers *answers)
{
    return answers->due_ms;
}

void answers_tick(struct answers *answers, int64_t now_ms)
{
    struct heard *newer = NULL;
    heards_drop_past(&answers->heards, now_ms);
    for (struct heard *at = heards_open(&answers->heards, NULL); at != NULL; at = newer) {
        newer = heards_open(&answers->heards, at);
        if (at->caller->defer_ms <= now_ms) {
            defer(answers, at);
        }
    }
    answers->due_ms = heards_due_ms(&answers->heards);
}

/* Whole. */

struct answers *answers_create(struct rest *rest, const char *application_id)
{
    struct answers *const answers = mb_new(1, sizeof *answers);
    if (answers != NULL) {
        answers->rest = rest;
        answers->application_id = application_id;
        answers->due_ms = -1;
    }
    return answers;
}

void answers_destroy(struct answers *answers)
{
    if (answers != NULL) {
        heards_finish(&answers->heards);
    }
    free(answers);
}
