#include "adapters/discord/rest/answers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/discord/wire/heard.h"
#include "adapters/discord/wire/payload.h"

enum {
    ID_SIZE = HEARD_ID_SIZE,
    DECIMAL = 10,
    CODE_UNKNOWN_WEBHOOK = 10015,
    CODE_UNKNOWN_INTERACTION = 10062,
    CODE_ACKNOWLEDGED = 40060,
    CODE_EXPIRED = 50027
};

struct answers {
    struct fibres *fibres;
    struct rest *rest;
    const char *application_id;
    struct heards heards;
    int64_t due_ms; // something may be to be done; -1: nothing
};

/* One message on its way. */
struct sending {
    struct answers *answers;
    char id[ID_SIZE];
    char token[CHAT_ANSWER_SIZE];
    enum payload_answer type; // of its callback
    json_t *message;          // for a second try in another way
    uint64_t edits;           // what was pressed and becomes it, or 0
    bool press;
};

/* Which. */

static struct heard *add(struct answers *answers, const struct interaction *interaction,
                         int64_t age_ms, int64_t now_ms)
{
    struct heard *const heard = heards_add(&answers->heards, interaction, age_ms, now_ms);
    if (answers->due_ms < 0 || heard->caller->defer_ms < answers->due_ms) {
        answers->due_ms = heard->caller->defer_ms;
    }
    return heard;
}

bool answers_add(struct answers *answers, const struct interaction *interaction, int64_t age_ms,
                 int64_t now_ms)
{
    const bool again = heards_find(&answers->heards, interaction->id) != NULL;
    if (!again) {
        (void)add(answers, interaction, age_ms, now_ms);
    }
    return !again;
}

bool answers_callback(const struct interaction *interaction, char *out, size_t size)
{
    const int length =
        snprintf(out, size, "%c%s %s", interaction->type == INTERACTION_PRESS ? 'p' : 'c',
                 interaction->id, interaction->token);
    return length > 0 && (size_t)length < size;
}

/* Taken apart. */
struct callback {
    char id[ID_SIZE];
    const char *token;
    bool press;
};

// False: they are none.
static bool read_callback(const char *callback, struct callback *out)
{
    *out = (struct callback){.token = NULL};
    const size_t length = callback[0] != '\0' ? strcspn(callback + 1, " ") : 0;
    if (length == 0 || length >= ID_SIZE || callback[1 + length] != ' ') {
        return false;
    }
    memcpy(out->id, callback + 1, length);
    out->token = callback + 1 + length + 1;
    out->press = callback[0] == 'p';
    return discord_is_id(out->id) && out->token[0] != '\0' && strpbrk(out->token, "/?#% ") == NULL;
}

/* Calls. */

/* An interaction, and the message that its answer makes anew, or 0. */
struct target {
    const char *id, *token;
    uint64_t edits;
};

/* A call with what it borrows. */
struct calling {
    struct rest_call call;
    char path[REST_PATH_SIZE], order[ID_SIZE + 2], route[64];
};

static const struct rest_call *callback_call(struct calling *out, const struct target *to,
                                             json_t *body)
{
    (void)snprintf(out->path, sizeof out->path, "/interactions/%s/%s/callback?with_response=true",
                   to->id, to->token);
    (void)snprintf(out->order, sizeof out->order, "i%s", to->id);
    out->call = (struct rest_call){.method = "POST",
                                   .route = "POST /interactions/callback",
                                   .major = to->id,
                                   .path = out->path,
                                   .order = out->order,
                                   .edits = to->edits,
                                   .body = body,
                                   .bare = true};
    return &out->call;
}

// What follows a first answer: `which` is "" for another message, or "/messages/@original".
static const struct rest_call *webhook_call(struct calling *out, const struct sending *sending,
                                            const char *method, const char *which, json_t *body)
{
    (void)snprintf(out->path, sizeof out->path, "/webhooks/%s/%s%s",
                   sending->answers->application_id, sending->token, which);
    (void)snprintf(out->order, sizeof out->order, "i%s", sending->id);
    (void)snprintf(out->route, sizeof out->route, "%s /webhooks%s", method, which);
    out->call = (struct rest_call){.method = method,
                                   .route = out->route,
                                   .major = sending->token,
                                   .path = out->path,
                                   .order = out->order,
                                   .edits = sending->edits,
                                   .body = body,
                                   .bare = true,
                                   .doubts = strcmp(method, "GET") != 0,
                                   .repeats = strcmp(method, "POST") != 0};
    return &out->call;
}

// Whatever comes of it.
static void call_back(const struct answers *answers, const struct target *to, json_t *body)
{
    struct calling calling;
    (void)!rest_call(answers->rest, callback_call(&calling, to, body), NULL, NULL);
}

static void defer(struct answers *answers, struct heard *heard)
{
    const enum payload_answer type = heard->press ? PAYLOAD_KEEP : PAYLOAD_THINKING;
    json_t *const data = heard->press ? NULL : json_pack("{s:i}", "flags", PAYLOAD_EPHEMERAL);
    char id[ID_SIZE];
    (void)snprintf(id, sizeof id, "%" PRIu64, heard->id);
    const struct target to = {.id = id, .token = heard->caller->token};
    call_back(answers, &to, payload_callback(type, data));
    heards_move(&answers->heards, heard, HEARD_DEFERRED);
}

/* Messages. */

static const char *word(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
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

static void set(struct answered *out, enum answer_fate fate, const char *id)
{
    out->fate = fate;
    (void)snprintf(out->id, sizeof out->id, "%s", id);
}

static bool call_webhook(struct fibre *fibre, const struct sending *sending, const char *method,
                         const char *which, struct rest_answer *out)
{
    struct calling calling;
    json_t *const body = strcmp(method, "GET") != 0 ? json_incref(sending->message) : NULL;
    return rest_await(fibre, sending->answers->rest,
                      webhook_call(&calling, sending, method, which, body), out);
}

static bool follow(struct fibre *fibre, const struct sending *sending, const char *method,
                   const char *which, struct answered *out)
{
    struct rest_answer answer;
    if (!call_webhook(fibre, sending, method, which, &answer)) {
        return false;
    }
    if (!rest_is_good(&answer)) {
        set(out, fate_of(&answer), "");
    } else if (is_hidden(sending, &answer)) {
        set(out, ANSWER_LATE, "");
    } else {
        set(out, ANSWER_SHOWN, word(answer.body, "id"));
    }
    return true;
}

// It was answered before. A command by this message or by an empty acknowledgement, either of which
// becomes it, and so does what was pressed; beside that it comes as another message.
static bool call_behind(struct fibre *fibre, const struct sending *sending, struct answered *out)
{
    const bool beside = sending->press && sending->type == PAYLOAD_ANSWER;
    return beside ? follow(fibre, sending, "POST", "", out)
                  : follow(fibre, sending, "PATCH", "/messages/@original", out);
}

// Who answered it before: what all read, said by an earlier process, does not become what one
// reads.
static bool call_acknowledged(struct fibre *fibre, const struct sending *sending,
                              struct answered *out)
{
    struct rest_answer answer;
    if (!is_ephemeral(sending->message)) {
        return call_behind(fibre, sending, out);
    }
    if (!call_webhook(fibre, sending, "GET", "/messages/@original", &answer)) {
        return false;
    }
    if (rest_is_good(&answer) && !is_ephemeral(answer.body)) {
        set(out, ANSWER_SHOWN, "");
        return true;
    }
    return call_behind(fibre, sending, out);
}

static bool call_first(struct fibre *fibre, const struct sending *sending, struct answered *out)
{
    const struct target to = {.id = sending->id, .token = sending->token, .edits = sending->edits};
    struct rest_answer answer = {.status = 0};
    bool again = false;
    for (unsigned i = 0; i < 2 && answer.status == 0; i++) { // whether it was heard nobody knows
        struct calling calling;
        json_t *const body = payload_callback(sending->type, json_incref(sending->message));
        again = i > 0;
        if (!rest_await(fibre, sending->answers->rest, callback_call(&calling, &to, body),
                        &answer)) {
            return false;
        }
    }
    if (rest_is_good(&answer)) {
        set(out, ANSWER_SHOWN,
            word(json_object_get(answer.body, "interaction"), "response_message_id"));
    } else if (answer.code == CODE_ACKNOWLEDGED && again && sending->press) {
        set(out, ANSWER_SHOWN, "");
    } else if (answer.code == CODE_ACKNOWLEDGED || answer.status == 0) {
        return again ? call_behind(fibre, sending, out) : call_acknowledged(fibre, sending, out);
    } else if (answer.code == CODE_UNKNOWN_INTERACTION && !sending->press) {
        // Too late, or done before the process that did it was killed.
        return follow(fibre, sending, "GET", "/messages/@original", out);
    } else {
        set(out, fate_of(&answer), "");
    }
    return true;
}

// The interaction of a callback, if it is known.
static struct heard *noted(const struct answers *answers, const char *text)
{
    struct callback callback;
    return read_callback(text, &callback) ? heards_find(&answers->heards, callback.id) : NULL;
}

// The interaction of a callback, known or made known; NULL: there is none.
static struct heard *known(struct answers *answers, const char *text, struct callback *callback,
                           int64_t now_ms)
{
    if (!read_callback(text, callback)) {
        return NULL;
    }
    const struct interaction interaction = {.id = callback->id,
                                            .token = callback->token,
                                            .type = callback->press ? INTERACTION_PRESS
                                                                    : INTERACTION_COMMAND,
                                            .message = "",
                                            .person = ""};
    struct heard *const heard = heards_find(&answers->heards, callback->id);
    return heard != NULL ? heard : add(answers, &interaction, HEARD_DEFER_MS, now_ms);
}

static struct sending sending_of(struct answers *answers, const struct callback *callback,
                                 json_t *message)
{
    struct sending sending = {
        .answers = answers, .type = PAYLOAD_ANSWER, .message = message, .press = callback->press};
    (void)snprintf(sending.id, sizeof sending.id, "%s", callback->id);
    (void)snprintf(sending.token, sizeof sending.token, "%s", callback->token);
    return sending;
}

bool answers_send(struct fibre *fibre, struct answers *answers, const char *text, json_t *message,
                  int64_t now_ms, struct answered *out)
{
    struct callback callback;
    struct heard *const heard = known(answers, text, &callback, now_ms);
    bool goes_on = true;
    set(out, ANSWER_LATE, "");
    if (heard != NULL) {
        const struct sending sending = sending_of(answers, &callback, message);
        const bool open = heard->state == HEARD_OPEN;
        const bool deferred = heard->state == HEARD_DEFERRED;
        heards_move(&answers->heards, heard,
                    deferred && callback.press ? HEARD_EDITED : HEARD_ANSWERED);
        goes_on = open                          ? call_first(fibre, &sending, out)
                  : deferred && !callback.press ? call_behind(fibre, &sending, out)
                                                : follow(fibre, &sending, "POST", "", out);
    }
    json_decref(message);
    return goes_on;
}

bool answers_pressed(const struct answers *answers, const char *callback, const char *message)
{
    const struct heard *const heard = noted(answers, callback);
    return heard != NULL && message != NULL && heard->message != 0 &&
           heard->message == strtoull(message, NULL, DECIMAL);
}

bool answers_edit(struct fibre *fibre, struct answers *answers, const char *text, json_t *message,
                  int64_t now_ms, struct answered *out)
{
    struct callback callback;
    struct heard *const heard = known(answers, text, &callback, now_ms);
    bool goes_on = true;
    set(out, ANSWER_TAKEN, "");
    if (heard != NULL && heard->press && heard->state != HEARD_ANSWERED) {
        struct sending sending = sending_of(answers, &callback, message);
        const bool open = heard->state == HEARD_OPEN;
        sending.type = PAYLOAD_ANEW;
        sending.edits = heard->message;
        heards_move(&answers->heards, heard, HEARD_EDITED);
        goes_on = open ? call_first(fibre, &sending, out) : call_behind(fibre, &sending, out);
    }
    json_decref(message);
    return goes_on;
}

/* Whatever comes of it. */
struct saying {
    struct answers *answers;
    const char *callback;
    json_t *message;
    int64_t now_ms;
};

static void say(struct fibre *fibre, void *user)
{
    const struct saying *const saying = user;
    struct answered answered;
    (void)!answers_send(fibre, saying->answers, saying->callback, saying->message, saying->now_ms,
                        &answered);
}

static void show(struct fibre *fibre, void *user)
{
    const struct saying *const saying = user;
    struct answered answered;
    (void)!answers_edit(fibre, saying->answers, saying->callback, saying->message, saying->now_ms,
                        &answered);
}

static void begin(struct answers *answers, fibre_fn *run, struct saying *saying)
{
    if (fibres_are_many(answers->fibres)) { // a flood is not answered
        json_decref(saying->message);
    } else {
        fibres_start(answers->fibres, run, saying);
    }
}

void answers_say(struct answers *answers, const char *callback, json_t *message, int64_t now_ms)
{
    begin(answers, say,
          &(struct saying){
              .answers = answers, .callback = callback, .message = message, .now_ms = now_ms});
}

void answers_show(struct answers *answers, const char *callback, json_t *message, int64_t now_ms)
{
    begin(answers, show,
          &(struct saying){
              .answers = answers, .callback = callback, .message = message, .now_ms = now_ms});
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
    struct callback callback;
    struct heard *const heard = known(answers, text, &callback, now_ms);
    if (heard != NULL && heard->state == HEARD_OPEN) {
        defer(answers, heard);
    }
}

bool answers_open(const struct answers *answers, const char *callback)
{
    const struct heard *const heard = noted(answers, callback);
    return callback[0] == 'c' && (heard == NULL || heard->state == HEARD_OPEN);
}

void answers_close(struct answers *answers, const char *text)
{
    struct callback callback;
    struct heard *const heard =
        read_callback(text, &callback) ? heards_find(&answers->heards, callback.id) : NULL;
    if (heard != NULL && heard->state == HEARD_DEFERRED && !callback.press) {
        const struct sending sending = sending_of(answers, &callback, NULL);
        struct calling calling;
        heards_move(&answers->heards, heard, HEARD_ANSWERED);
        (void)!rest_call(answers->rest,
                         webhook_call(&calling, &sending, "DELETE", "/messages/@original", NULL),
                         NULL, NULL);
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
    call_back(answers, &to, payload_callback(PAYLOAD_FORM, form));
}

void answers_choices(struct answers *answers, const struct interaction *interaction,
                     json_t *choices)
{
    json_t *const data = json_pack("{s:o}", "choices", choices);
    const struct target to = {.id = interaction->id, .token = interaction->token};
    call_back(answers, &to, payload_callback(PAYLOAD_CHOICES, data));
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

struct answers *answers_create(struct fibres *fibres, struct rest *rest, const char *application_id)
{
    struct answers *const answers = mb_new(1, sizeof *answers);
    answers->fibres = fibres;
    answers->rest = rest;
    answers->application_id = application_id;
    answers->due_ms = -1;
    return answers;
}

void answers_destroy(struct answers *answers)
{
    if (answers != NULL) {
        heards_finish(&answers->heards);
    }
    free(answers);
}
