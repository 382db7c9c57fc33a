// Messages become requests here, and requests lines of an account. This is the REST that the
// adapter's parts find: `struct rest` and rest_call() are this file's.
#include "tests/twins/halls/through_discord.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/time.h>

#include <uv.h>

#include "bot/chat_impl.h"

#include "adapters/discord/rest/answers.h"
#include "adapters/discord/say/post.h"

#include "tests/support/test.h"
#include "tests/twins/halls/pair.h"

enum { CALLS_MAX = 64, ID_SIZE = 32, PINGS_MAX = 16, MS_PER_S = 1000, STATUS_OK = 200 };

static const char APPLICATION[] = "900";
static const char INTERACTIONS[] = "/interactions/";
static const char WEBHOOKS[] = "/webhooks/900/token-";
static const char CHANNELS[] = "/channels/";

/* A request that is not answered yet. */
struct call {
    char *method, *path;
    json_t *body;
    rest_done_fn *done;
    void *user;
};

/* Where a message of the fake chat lies. */
struct lies {
    char fake[CHAT_TABLE_SIZE], id[CHAT_ID_SIZE];
};

struct rest {
    struct call calls[CALLS_MAX];
    size_t count;
};

struct through {
    struct rest rest;
    uv_loop_t loop;
    struct answers *answers;
    struct post *post;
    struct fibres *fibres;
    struct chat chat; // that is told outcomes
    struct pair_told *told;
    char secret[ID_SIZE];
    unsigned long asked, made[2]; // messages, those of the secret seat's private channel apart
    const struct fake_message *message;
    struct lies *lies;
    size_t lies_count;
    char words[CHAT_ANSWER_SIZE], replaced[CHAT_ID_SIZE];
    bool shown; // to all at the place
};

static const struct pair_told *clock_of; // of the side that is told now

// NOLINTBEGIN(readability-identifier-naming): ld --wrap makes the name
int __wrap_gettimeofday(struct timeval *now, void *zone);

int __wrap_gettimeofday(struct timeval *now, void *zone)
{
    (void)zone;
    *now = (struct timeval){.tv_sec = (time_t)(clock_of->now_ms / MS_PER_S)};
    return 0;
}

// NOLINTEND(readability-identifier-naming)

// A name's id: the same at both sides, whoever is met first.
static const char *id_of(const char *name, char id[ID_SIZE])
{
    uint32_t hash = UINT32_C(2166136261);
    for (const char *at = name; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT32_C(16777619);
    }
    (void)snprintf(id, ID_SIZE, "1%010lu", (unsigned long)hash);
    return id;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool rest_call(struct rest *rest, const struct rest_call *call, rest_done_fn *done, void *user)
{
    assert_true(rest->count < CALLS_MAX);
    rest->calls[rest->count++] = (struct call){.method = strdup(call->method),
                                               .path = strdup(call->path),
                                               .body = call->body,
                                               .done = done,
                                               .user = user};
    return true;
}

/* What others see of it. */

// Private channels are called by their owner's id with a 2 before it.
static bool is_secret(const struct through *through, const struct call *call)
{
    const json_t *const data = json_object_get(call->body, "data");
    const json_t *const body = data != NULL ? data : call->body;
    const long flags = (long)json_integer_value(json_object_get(body, "flags"));
    const char *const person = json_string_value(json_object_get(call->body, "recipient_id"));
    const char *const author = begins(call->path, INTERACTIONS) ? strstr(call->path, "token-") + 6
                               : begins(call->path, WEBHOOKS)   ? call->path + strlen(WEBHOOKS)
                                                                : NULL;
    if (author != NULL) {
        const bool shows = data != NULL || begins(call->path, WEBHOOKS);
        return begins(author, through->secret) && ((flags & 64) != 0 || !shows);
    }
    return (person != NULL && strcmp(person, through->secret) == 0) ||
           (begins(call->path, CHANNELS) && call->path[strlen(CHANNELS)] == '2' &&
            begins(call->path + strlen(CHANNELS) + 1, through->secret));
}

static bool all_see(const struct call *call)
{
    return call->body != NULL && begins(call->path, CHANNELS) &&
           call->path[strlen(CHANNELS)] == '1';
}

static void write_down(struct through *through, const struct call *call)
{
    json_t *const body = call->body != NULL ? json_deep_copy(call->body) : NULL;
    // A keyed hash of the message's key (chat_send()), which counts secret messages, too.
    (void)json_object_del(body, "nonce");
    (void)json_object_del(json_array_get(json_object_get(body, "components"), 0), "id");
    char *const text = body != NULL ? json_dumps(body, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    // Interactions have numbers of their own at each side: the token says whose it is.
    const char *const token = strstr(call->path, "token-");
    pair_note(through->told, "  Discord: %s %s %s\n", call->method,
              token != NULL ? token : call->path, text != NULL ? text : "");
    free(text);
    json_decref(body);
}

/* Answers of a Discord that takes everything. */

static void answer(struct through *through, const struct call *call)
{
    char id[ID_SIZE] = "";
    const bool secret = is_secret(through, call);
    const char *const person = json_string_value(json_object_get(call->body, "recipient_id"));
    const struct rest_answer empty = {.status = STATUS_OK};
    if (call->done == NULL) {
        return;
    }
    if (strcmp(call->method, "GET") == 0) {
        call->done(call->user, &empty);
        return;
    }
    if (person != NULL) {
        (void)snprintf(id, sizeof id, "2%s", person);
    } else {
        (void)snprintf(id, sizeof id, "%u%06lu", secret ? 8u : 7u, ++through->made[secret ? 1 : 0]);
    }
    json_t *const body =
        json_pack("{s:s,s:{s:s}}", "id", id, "interaction", "response_message_id", id);
    const struct rest_answer good = {.status = STATUS_OK, .body = body};
    call->done(call->user, &good);
    json_decref(body);
}

static void drain(struct through *through)
{
    struct rest *const rest = &through->rest;
    while (rest->count > 0) {
        struct call call = rest->calls[0];
        memmove(rest->calls, rest->calls + 1, --rest->count * sizeof *rest->calls);
        if (!is_secret(through, &call)) {
            write_down(through, &call);
            through->shown = through->shown || all_see(&call);
        }
        answer(through, &call);
        free(call.method);
        free(call.path);
        json_decref(call.body);
    }
}

static struct lies *where(struct through *through, const char *fake)
{
    for (size_t i = through->lies_count; i > 0; i--) {
        if (strcmp(through->lies[i - 1].fake, fake) == 0) {
            return &through->lies[i - 1];
        }
    }
    return NULL;
}

static void done(void *user, struct chat *chat, const struct chat_outcome *outcome)
{
    struct through *const through = user;
    (void)chat;
    assert_int_equal(outcome->key.number, through->message->key.number);
    if (outcome->fate != CHAT_DELIVERED || outcome->id == NULL) {
        pair_note(through->told, "  not delivered: %d\n", (int)outcome->fate);
        return;
    }
    struct lies *at = where(through, through->message->id);
    if (at == NULL) {
        struct lies *const lies =
            realloc(through->lies, (through->lies_count + 1) * sizeof *through->lies);
        assert_non_null(lies);
        through->lies = lies;
        at = &through->lies[through->lies_count++];
        (void)snprintf(at->fake, sizeof at->fake, "%s", through->message->id);
    }
    (void)snprintf(at->id, sizeof at->id, "%s", outcome->id);
}

/* Messages. */

static size_t names(const char *words, char ids[PINGS_MAX][ID_SIZE], const char *out[PINGS_MAX])
{
    size_t count = 0;
    for (const char *at = words; *at != '\0' && count < PINGS_MAX; count++) {
        char name[CHAT_NAME_SIZE];
        const size_t length = strcspn(at, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, at);
        out[count] = id_of(name, ids[count]);
        at += length + (at[length] == ' ' ? 1 : 0);
    }
    return count;
}

bool through_tell(struct through *through, const struct fake_message *message)
{
    char place[ID_SIZE];
    char person[ID_SIZE];
    char ids[PINGS_MAX][ID_SIZE];
    const char *pings[PINGS_MAX];
    const struct lies *const lies = where(through, message->replaces);
    const struct chat_out out = {
        .kind = message->kind,
        .key = message->key,
        .place = id_of(message->place, place),
        .person = message->person[0] != '\0' ? id_of(message->person, person) : NULL,
        .answer = message->answer[0] != '\0' ? message->answer : NULL,
        .retries = message->retries,
        .anew = message->anew,
        .replaces = lies != NULL ? lies->id : NULL,
        .text = message->text,
        .prompt = message->prompt[0] != '\0' ? message->prompt : NULL,
        .story = message->tells ? message->story : NULL,
        .kept = message->kept[0] != '\0' ? message->kept : NULL,
        .chapter = message->chapter,
        .open = message->open,
        .pings = pings,
        .ping_count = names(message->pings, ids, pings),
        .bond = message->bond,
        .controls = message->controls,
        .control_count = message->control_count,
        .clock_ms = message->clock_ms,
        .path = message->path[0] != '\0' ? message->path : NULL,
    };
    clock_of = through->told;
    through->message = message;
    through->shown = false;
    post_send(through->post, &out);
    drain(through);
    return through->shown;
}

const char *through_asked(struct through *through, const struct chat_in *in, const char *replaces)
{
    char id[ID_SIZE];
    char person[ID_SIZE];
    char token[2 * ID_SIZE];
    const struct lies *const lies = where(through, replaces);
    const char *const slash = lies != NULL ? strrchr(lies->id, '/') : NULL;
    (void)snprintf(id, sizeof id, "5%lu", ++through->asked);
    (void)snprintf(token, sizeof token, "token-%s", id_of(in->person, person));
    const struct interaction interaction = {.type = in->bond.table[0] != '\0' ? INTERACTION_PRESS
                                                                              : INTERACTION_COMMAND,
                                            .id = id,
                                            .token = token,
                                            .message = slash != NULL ? slash + 1 : "",
                                            .person = person};
    assert_true(answers_add(through->answers, &interaction, 0, 0));
    assert_true(answers_callback(&interaction, through->words, sizeof through->words));
    return through->words;
}

static void log_nothing(void *user, enum net_log_level level, const char *event, const char *text)
{
    (void)user;
    (void)level;
    (void)event;
    (void)text;
}

struct through *through_open(struct pair_told *told, const char *secret)
{
    struct through *const through = calloc(1, sizeof *through);
    assert_non_null(through);
    through->told = told;
    (void)id_of(secret, through->secret);
    assert_int_equal(uv_loop_init(&through->loop), 0);
    through->fibres = fibres_create();
    through->chat.sink = (struct chat_sink){.outcome = done, .user = through};
    through->answers = answers_create(through->fibres, &through->rest, APPLICATION);
    const struct post_setup setup = {.loop = &through->loop,
                                     .command = "munch",
                                     .fibres = through->fibres,
                                     .rest = &through->rest,
                                     .answers = through->answers,
                                     .log = log_nothing,
                                     .chat = &through->chat};
    through->post = post_create(&setup);
    return through;
}

void through_close(struct through *through)
{
    if (through == NULL) {
        return;
    }
    fibres_stop(through->fibres);
    post_destroy(through->post);
    answers_destroy(through->answers);
    fibres_destroy(through->fibres);
    assert_int_equal(uv_loop_close(&through->loop), 0);
    free(through->lies);
    free(through);
}
