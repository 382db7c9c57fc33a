#include "adapters/discord/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/payload.h"

enum {
    BUCKETS = 1024,
    ID_SIZE = 24,
    PAST_MS = 10000,
    CODE_UNKNOWN_WEBHOOK = 10015,
    CODE_UNKNOWN_INTERACTION = 10062,
    CODE_ACKNOWLEDGED = 40060,
    CODE_EXPIRED = 50027,
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300
};

enum state {
    OPEN,     // nothing has gone out
    DEFERRED, // an empty acknowledgement has, or is on its way
    ANSWERED, // an answer has, or is on its way
    EDITED    // the same: it is the pressed message itself
};

struct answer {
    struct answer *next;                // of its bucket
    struct answer *older, *newer;       // by when it came
    char id[ID_SIZE], message[ID_SIZE]; // and what was pressed, "" : unknown
    char person[ID_SIZE];               // "" : unknown
    char *token;
    enum state state;
    bool press;
    int64_t came_ms, defer_ms, end_ms;
};

struct answers {
    struct rest *rest;
    const char *application_id;
    struct answer *buckets[BUCKETS];
    struct answer *oldest, *newest;
    size_t count;
};

/* One message on its way. */
struct sending {
    struct answers *answers;
    char id[ID_SIZE];
    char *token;
    enum payload_answer type; // of its callback
    json_t *message;          // for a second try in another way
    bool press, again;        // the callback has been called twice
    answers_done_fn *done;
    void *user;
};

/* Which. */

static struct answer **find(struct answers *answers, const char *id)
{
    struct answer **at = &answers->buckets[strtoull(id, NULL, 10) % BUCKETS];
    while (*at != NULL && strcmp((*at)->id, id) != 0) {
        at = &(*at)->next;
    }
    return at;
}

static void drop(struct answers *answers, struct answer *answer)
{
    *find(answers, answer->id) = answer->next;
    *(answer->older != NULL ? &answer->older->newer : &answers->oldest) = answer->newer;
    *(answer->newer != NULL ? &answer->newer->older : &answers->newest) = answer->older;
    answers->count--;
    free(answer->token);
    free(answer);
}

static struct answer *add(struct answers *answers, const char *id, const char *token, bool press,
                          int64_t age_ms, int64_t now_ms)
{
    if (strlen(id) >= ID_SIZE) {
        return NULL;
    }
    while (answers->count >= ANSWERS_MAX) {
        drop(answers, answers->oldest);
    }
    struct answer *const answer = calloc(1, sizeof *answer);
    char *const copy = strdup(token);
    if (answer == NULL || copy == NULL) {
        free(answer);
        free(copy);
        return NULL;
    }
    (void)snprintf(answer->id, sizeof answer->id, "%s", id);
    answer->token = copy;
    answer->press = press;
    answer->came_ms = now_ms;
    answer->defer_ms = now_ms + (age_ms < ANSWERS_DEFER_MS ? ANSWERS_DEFER_MS - age_ms : 0);
    answer->end_ms = now_ms + ANSWERS_LIVE_MS - age_ms;
    answer->older = answers->newest;
    *(answers->newest != NULL ? &answers->newest->newer : &answers->oldest) = answer;
    answers->newest = answer;
    *find(answers, id) = answer;
    answers->count++;
    return answer;
}

bool answers_add(struct answers *answers, const struct interaction *interaction, int64_t age_ms,
                 int64_t now_ms)
{
    struct answer *const answer = *find(answers, interaction->id) == NULL
                                      ? add(answers, interaction->id, interaction->token,
                                            interaction->type == INTERACTION_PRESS, age_ms, now_ms)
                                      : NULL;
    if (answer != NULL) {
        (void)snprintf(answer->message, sizeof answer->message, "%s", interaction->message);
        (void)snprintf(answer->person, sizeof answer->person, "%s", interaction->person);
    }
    return answer != NULL;
}

bool answers_words(const struct interaction *interaction, char *out, size_t size)
{
    const int length =
        snprintf(out, size, "%c%s %s", interaction->type == INTERACTION_PRESS ? 'p' : 'c',
                 interaction->id, interaction->token);
    return length > 0 && (size_t)length < size;
}

// The words taken apart; false: they are none.
static bool read_words(const char *words, char id[ID_SIZE], const char **token, bool *press)
{
    const size_t length = words[0] != '\0' ? strcspn(words + 1, " ") : 0;
    if (length == 0 || length >= ID_SIZE || words[1 + length] != ' ') {
        return false;
    }
    memcpy(id, words + 1, length);
    id[length] = '\0';
    *token = words + 1 + length + 1;
    *press = words[0] == 'p';
    return discord_is_id(id) && (*token)[0] != '\0' && strpbrk(*token, "/?#% ") == NULL;
}

/* Calls. */

static bool call_callback(struct answers *answers, const char *id, const char *token, json_t *body,
                          rest_done_fn *done, void *user)
{
    char path[REST_PATH_SIZE];
    char order[ID_SIZE + 2];
    (void)snprintf(path, sizeof path, "/interactions/%s/%s/callback?with_response=true", id, token);
    (void)snprintf(order, sizeof order, "i%s", id);
    const struct rest_call call = {.method = "POST",
                                   .route = "POST /interactions/callback",
                                   .major = id,
                                   .path = path,
                                   .order = order,
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

static void defer(struct answers *answers, struct answer *answer)
{
    const enum payload_answer type = answer->press ? PAYLOAD_KEEP : PAYLOAD_THINKING;
    json_t *const data = answer->press ? NULL : json_pack("{s:i}", "flags", PAYLOAD_EPHEMERAL);
    answer->state = DEFERRED;
    (void)call_callback(answers, answer->id, answer->token, payload_callback(type, data), ignored,
                        NULL);
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

static void followed(void *user, const struct rest_answer *answer)
{
    struct sending *const sending = user;
    if (is_good(answer)) {
        finish(sending, ANSWER_SHOWN, word(answer->body, "id"));
    } else {
        finish(sending, fate_of(answer), "");
    }
}

static void called_back(void *user, const struct rest_answer *answer);

static bool call_first(struct sending *sending)
{
    return call_callback(sending->answers, sending->id, sending->token,
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
        goes_on = call_behind(sending);
    } else if (answer->code == CODE_UNKNOWN_INTERACTION && !sending->press) {
        // Too late, or done before the process that did it was killed.
        goes_on = call_webhook(sending, "GET", "/messages/@original", NULL, followed, sending);
    }
    if (!goes_on) {
        finish(sending, fate_of(answer), "");
    }
}

static struct sending *sending_new(struct answers *answers, const struct answer *answer,
                                   json_t *message, answers_done_fn *done, void *user)
{
    struct sending *const sending = calloc(1, sizeof *sending);
    char *const token = strdup(answer->token);
    if (sending == NULL || token == NULL || message == NULL) {
        free(sending);
        free(token);
        json_decref(message);
        return NULL;
    }
    *sending = (struct sending){.answers = answers,
                                .token = token,
                                .type = PAYLOAD_ANSWER,
                                .message = message,
                                .press = answer->press,
                                .done = done,
                                .user = user};
    memcpy(sending->id, answer->id, sizeof sending->id);
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
static const struct answer *noted(const struct answers *answers, const char *words)
{
    char id[ID_SIZE];
    const char *token = NULL;
    bool press = false;
    if (!read_words(words, id, &token, &press)) {
        return NULL;
    }
    const struct answer *at = answers->buckets[strtoull(id, NULL, 10) % BUCKETS];
    while (at != NULL && strcmp(at->id, id) != 0) {
        at = at->next;
    }
    return at;
}

// The interaction of these words, known or made known; NULL: there is none, or no memory.
static struct answer *known(struct answers *answers, const char *words, int64_t now_ms)
{
    char id[ID_SIZE];
    const char *token = NULL;
    bool press = false;
    if (!read_words(words, id, &token, &press)) {
        return NULL;
    }
    struct answer *const answer = *find(answers, id);
    return answer != NULL ? answer : add(answers, id, token, press, ANSWERS_DEFER_MS, now_ms);
}

bool answers_send(struct answers *answers, const char *words, json_t *message, int64_t now_ms,
                  answers_done_fn *done, void *user)
{
    struct answer *const answer = known(answers, words, now_ms);
    struct sending *const sending =
        answer != NULL ? sending_new(answers, answer, message, done, user) : NULL;
    bool sent = false;
    if (answer == NULL) {
        json_decref(message);
        return false;
    }
    if (sending == NULL) {
        return false;
    }
    if (answer->state == OPEN) {
        sent = call_first(sending);
    } else if (answer->state == DEFERRED && !answer->press) {
        sent = call_behind(sending);
    } else {
        sent = call_webhook(sending, "POST", "", json_incref(message), followed, sending);
    }
    answer->state = answer->state == DEFERRED && answer->press ? EDITED : ANSWERED;
    return sent || sending_free(sending);
}

bool answers_pressed(const struct answers *answers, const char *words, const char *message)
{
    const struct answer *const answer = noted(answers, words);
    return answer != NULL && message != NULL && strcmp(answer->message, message) == 0;
}

bool answers_edit(struct answers *answers, const char *words, json_t *message, int64_t now_ms,
                  answers_done_fn *done, void *user)
{
    struct answer *const answer = known(answers, words, now_ms);
    const bool can = answer != NULL && answer->press && answer->state != ANSWERED;
    struct sending *const sending = can ? sending_new(answers, answer, message, done, user) : NULL;
    if (!can) {
        json_decref(message);
    }
    if (sending == NULL) {
        return false;
    }
    sending->type = PAYLOAD_ANEW;
    const bool sent = answer->state == OPEN ? call_first(sending) : call_behind(sending);
    answer->state = EDITED;
    return sent || sending_free(sending);
}

bool answers_last(const struct answers *answers, const char *person, char *out, size_t size)
{
    for (const struct answer *at = answers->newest; at != NULL; at = at->older) {
        if (strcmp(at->person, person) == 0 && (at->state == ANSWERED || at->state == EDITED)) {
            const int length =
                snprintf(out, size, "%c%s %s", at->press ? 'p' : 'c', at->id, at->token);
            return length > 0 && (size_t)length < size;
        }
    }
    return false;
}

void answers_hush(struct answers *answers, const char *words, int64_t now_ms)
{
    struct answer *const answer = known(answers, words, now_ms);
    if (answer != NULL && answer->state == OPEN) {
        defer(answers, answer);
    }
}

bool answers_open(const struct answers *answers, const char *words)
{
    const struct answer *const at = noted(answers, words);
    return words[0] == 'c' && (at == NULL || at->state == OPEN);
}

void answers_close(struct answers *answers, const char *words)
{
    char id[ID_SIZE];
    const char *token = NULL;
    bool press = false;
    if (!read_words(words, id, &token, &press)) {
        return;
    }
    struct answer *const answer = *find(answers, id);
    if (answer != NULL && answer->state == DEFERRED && !press) {
        struct sending sending = {.answers = answers, .token = answer->token};
        memcpy(sending.id, answer->id, sizeof sending.id);
        answer->state = ANSWERED;
        (void)call_webhook(&sending, "DELETE", "/messages/@original", NULL, ignored, NULL);
    }
}

void answers_form(struct answers *answers, const struct interaction *interaction, json_t *form)
{
    struct answer *const answer = *find(answers, interaction->id);
    if (answer == NULL || answer->state != OPEN || form == NULL) {
        json_decref(form);
        return;
    }
    answer->state = ANSWERED;
    (void)call_callback(answers, interaction->id, interaction->token,
                        payload_callback(PAYLOAD_FORM, form), ignored, NULL);
}

void answers_choices(struct answers *answers, const struct interaction *interaction,
                     json_t *choices)
{
    json_t *const data = json_pack("{s:o}", "choices", choices);
    (void)call_callback(answers, interaction->id, interaction->token,
                        payload_callback(PAYLOAD_CHOICES, data), ignored, NULL);
}

/* Time. */

// Whether it came so long ago that all that came before it has been dealt with.
static bool is_past(const struct answer *answer, int64_t now_ms)
{
    return answer->came_ms + PAST_MS < now_ms;
}

int64_t answers_due_ms(const struct answers *answers, int64_t now_ms)
{
    int64_t due = answers->oldest != NULL ? answers->oldest->end_ms : -1;
    for (const struct answer *at = answers->newest; at != NULL && !is_past(at, now_ms);
         at = at->older) {
        due = at->state == OPEN && at->defer_ms < due ? at->defer_ms : due;
    }
    return due;
}

void answers_tick(struct answers *answers, int64_t now_ms)
{
    while (answers->oldest != NULL && answers->oldest->end_ms <= now_ms) {
        drop(answers, answers->oldest);
    }
    for (struct answer *at = answers->newest; at != NULL && !is_past(at, now_ms); at = at->older) {
        if (at->state == OPEN && at->defer_ms <= now_ms) {
            defer(answers, at);
        }
    }
}

/* Whole. */

struct answers *answers_create(struct rest *rest, const char *application_id)
{
    struct answers *const answers = calloc(1, sizeof *answers);
    if (answers != NULL) {
        answers->rest = rest;
        answers->application_id = application_id;
    }
    return answers;
}

void answers_destroy(struct answers *answers)
{
    while (answers != NULL && answers->oldest != NULL) {
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it is another each time
        drop(answers, answers->oldest);
    }
    free(answers);
}
