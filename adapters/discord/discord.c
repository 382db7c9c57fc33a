#include "adapters/discord/discord.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/time.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/parse/complete.h"
#include "bot/text/text.h"

#include "adapters/discord/gateway/guilds.h"
#include "adapters/discord/gateway/shards.h"
#include "adapters/discord/rest/answers.h"
#include "adapters/discord/rest/rest.h"
#include "adapters/discord/say/chores.h"
#include "adapters/discord/say/post.h"
#include "adapters/discord/wire/commands.h"
#include "adapters/discord/wire/controls.h"
#include "adapters/discord/wire/interaction.h"
#include "adapters/discord/wire/markup.h"
#include "adapters/discord/wire/payload.h"

enum {
    MS_PER_S = 1000,
    US_PER_MS = 1000,
    LATE_MS = 3000,
    VALUE_SIZE = 4 * COMMANDS_TEXT_MAX + 1,
    STATUS_OK = 200,
    PATH_SIZE = 128,
    URL_SIZE = 256
};

enum {
    FLOOD_SLOTS = 1024,
    FLOOD_MAX = 50 // of one person in a second
};

/* What people have done since `ms`. Who shares a slot is decided by a key of this process. */
struct flood {
    int64_t ms;
    unsigned count;
};

struct discord {
    struct chat chat;
    struct flood floods[FLOOD_SLOTS];
    unsigned char flood_key[crypto_shorthash_KEYBYTES];
    struct discord_setup setup;
    struct fibres *fibres;
    struct rest *rest;
    struct answers *answers;
    struct post *post;
    struct chores chores;
    struct shards *shards;
    struct guilds *guilds;
    uv_timer_t timer; // of what waits for an answer
    int64_t armed_ms; // when it goes off; -1: it does not
    json_t *registration;
    bool started, stopped;
};

static struct discord *discord_of(struct chat *chat);

static void log_line(const struct discord *discord, enum net_log_level level, const char *event,
                     const char *text)
{
    discord->setup.log(discord->setup.user, level, event, text);
}

/* Interactions. */

static int64_t wall_ms(void)
{
    struct timeval now = {0};
    (void)gettimeofday(&now, NULL);
    return (int64_t)now.tv_sec * MS_PER_S + now.tv_usec / US_PER_MS;
}

// How long ago it was done, by Discord's clock; nothing is late before that is known.
static int64_t age_of(const struct discord *discord, const struct interaction *interaction)
{
    int64_t ahead_ms = 0;
    if (!rest_clock(discord->rest, &ahead_ms)) {
        return 0;
    }
    const int64_t age = wall_ms() + ahead_ms - interaction->at_ms;
    return age > 0 ? age : 0;
}

// A sentence of the adapter's own to whoever did that, seen by nobody else.
static void answer_text(struct discord *discord, const char *callback, enum text_id id,
                        const struct text_arg *args)
{
    char text[1024];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_line(&out, id, args);
    json_t *const body = payload_text(text, NULL, 0, PAYLOAD_EPHEMERAL);
    answers_say(discord->answers, callback, body, (int64_t)uv_now(discord->setup.loop));
}

// The permission that is lacking there, in Discord's words; NULL: none is.
static const char *lacking(uint64_t permissions, bool thread)
{
    enum { ADMINISTRATOR = 3 };
    static const struct {
        unsigned bit;
        enum text_id name;
    } NEEDED[] = {{10, TEXT_PERMISSION_VIEW},
                  {38, TEXT_PERMISSION_THREADS},
                  {11, TEXT_PERMISSION_SEND},
                  {14, TEXT_PERMISSION_EMBED},
                  {16, TEXT_PERMISSION_HISTORY}};
    for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++) {
        // In threads one permission to speak counts, elsewhere the other.
        const bool counts = NEEDED[i].bit != (thread ? 11U : 38U);
        if (counts && (permissions >> ADMINISTRATOR & 1u) == 0 &&
            (permissions >> NEEDED[i].bit & 1u) == 0) {
            return text_sentence(NEEDED[i].name);
        }
    }
    return NULL;
}

// Whether whoever did that can be served there. False: they have been told why not, before anything
// of theirs is lost.
static bool may_play(struct discord *discord, const struct interaction *interaction,
                     const char *callback)
{
    if (interaction->guild[0] == '\0') {
        return true;
    }
    if (guilds_lacks(discord->guilds, interaction->guild)) {
        char url[URL_SIZE];
        (void)snprintf(url, sizeof url,
                       "https://discord.com/oauth2/authorize?client_id=%.24s&permissions=%" PRIu64
                       "&scope=bot+applications.commands",
                       discord->setup.application_id, DISCORD_PERMISSIONS);
        json_t *const body = payload_link(text_sentence(TEXT_HALL_NO_BOT),
                                          text_sentence(TEXT_HALL_INVITE), url, PAYLOAD_EPHEMERAL);
        answers_say(discord->answers, callback, body, (int64_t)uv_now(discord->setup.loop));
        return false;
    }
    const char *const missing = lacking(interaction->app_permissions, interaction->thread);
    if (missing != NULL) {
        answer_text(discord, callback, TEXT_HALL_PERMISSION, TEXT_ARGS(text_str("what", missing)));
    }
    return missing == NULL;
}

static void push(struct discord *discord, const struct chat_in *in)
{
    switch (chat_queue_push(discord->chat.sink.queue, in)) {
    case CHAT_PUSHED:
        break;
    case CHAT_FULL:
    case CHAT_FLOODS:
        answer_text(discord, in->answer, TEXT_HALL_COME_AGAIN, NULL);
        break;
    case CHAT_TOO_LONG:
        answer_text(discord, in->answer, TEXT_HALL_TOO_LONG, NULL);
        break;
    }
}

// What is pressed there is answered by that message, made anew with what is in a hand.
static bool is_private(const struct controls_press *press)
{
    return press->bond.on == CHAT_ON_HAND || press->bond.on == CHAT_ON_PANEL;
}

// What was pressed, or filled in: the rest of `in` is there. False: it has been answered already.
static bool read_press(struct discord *discord, const struct interaction *interaction,
                       struct controls_press *press, struct chat_in *in,
                       char line[CHAT_LINE_SIZE + 1])
{
    const bool filled = interaction->type == INTERACTION_FORM;
    if (!controls_pressed(interaction->data, press) || (filled && press->bond.on != CHAT_ON_FORM) ||
        (is_private(press) && !interaction->alone)) {
        log_line(discord, NET_LOG_WARN, "press-unknown",
                 "received a control that was never offered");
        answer_text(discord, in->answer, TEXT_HALL_ELSEWHERE, NULL);
        return false;
    }
    if (press->bond.on == CHAT_ON_FORM && !filled) {
        answers_form(discord->answers, interaction, controls_show_form(press));
        return false;
    }
    in->kind = CHAT_IN_PRESS;
    in->bond = press->bond;
    in->path = filled ? "" : press->path;
    in->pressed = press->number;
    in->pick_count = press->pick_count;
    memcpy(in->picks, press->picks, sizeof in->picks);
    if (filled) {
        (void)snprintf(line, CHAT_LINE_SIZE + 1, "%s%s", form_words(press->form).before,
                       controls_written(interaction->data));
    }
    return true;
}

// What was said, likewise.
static bool read_deed(struct discord *discord, const struct interaction *interaction,
                      struct controls_press *press, struct chat_in *in,
                      char line[CHAT_LINE_SIZE + 1])
{
    struct mb_error err = {0};
    if (interaction->type != INTERACTION_COMMAND) {
        return read_press(discord, interaction, press, in, line);
    }
    if (!commands_line(interaction->data, line, CHAT_LINE_SIZE + 1, &err)) {
        log_line(discord, NET_LOG_WARN, "command-unknown", err.text);
        answer_text(discord, in->answer, TEXT_HALL_TOO_LONG, NULL);
        return false;
    }
    return true;
}

// A command for a table elsewhere goes there, with what whoever says it may do there. False: they
// see no such place.
static bool find_table(const struct interaction *interaction, struct chat_in *in)
{
    struct commands_table table;
    if (!commands_table(interaction->data, &table) ||
        strcmp(table.channel, interaction->channel) == 0) {
        return true;
    }
    in->place = table.channel;
    in->place_name = table.name;
    in->afar = true;
    in->moderator = (table.permissions >> DISCORD_MANAGE_CHANNELS & 1u) != 0;
    return table.channel[0] != '\0' && (table.permissions >> DISCORD_VIEW_CHANNEL & 1u) != 0;
}

// Whether somebody does more in a second than anybody can: it is not looked at, for its answer
// would keep those of others waiting. Discord tells them that nothing came.
static bool floods(struct discord *discord, const struct interaction *interaction)
{
    const int64_t now_ms = (int64_t)uv_now(discord->setup.loop);
    union {
        unsigned char bytes[crypto_shorthash_BYTES];
        uint64_t number;
    } hash;
    (void)crypto_shorthash(hash.bytes, (const unsigned char *)interaction->person,
                           strlen(interaction->person), discord->flood_key);
    struct flood *const flood = &discord->floods[hash.number % FLOOD_SLOTS];
    if (now_ms - flood->ms >= MS_PER_S) {
        *flood = (struct flood){.ms = now_ms};
    }
    if (++flood->count == FLOOD_MAX + 1) {
        log_line(discord, NET_LOG_WARN, "flood",
                 "leaves interactions of one person without an answer: too many at once");
    }
    return flood->count > FLOOD_MAX;
}

static void hear_deed(struct discord *discord, const struct interaction *interaction,
                      int64_t age_ms)
{
    char line[CHAT_LINE_SIZE + 1] = "";
    char callback[CHAT_ANSWER_SIZE];
    struct controls_press press;
    if (!answers_callback(interaction, callback, sizeof callback)) {
        log_line(discord, NET_LOG_ERROR, "token-too-long",
                 "cannot answer an interaction: its token is too long");
        return;
    }
    if (!may_play(discord, interaction, callback)) {
        return;
    }
    if (interaction->guild[0] == '\0') {
        post_retry(discord->post, interaction->person); // whoever writes there can be written to
    }
    if (interaction->newest[0] != '\0') {
        post_heard(discord->post, interaction->channel, interaction->newest);
    }
    struct chat_in in = {.place = interaction->channel,
                         .person = interaction->person,
                         .event = interaction->id,
                         .line = line,
                         .name = interaction->name,
                         .place_name = interaction->channel_name,
                         .community = interaction->guild,
                         .above = interaction->above,
                         .answer = callback,
                         .age_ms = age_ms,
                         .direct = interaction->guild[0] == '\0',
                         .moderator = interaction->moderates};
    if (interaction->type == INTERACTION_COMMAND && !find_table(interaction, &in)) {
        answer_text(discord, callback, TEXT_HALL_NO_SUCH_PLACE, NULL);
        return;
    }
    if (read_deed(discord, interaction, &press, &in, line)) {
        push(discord, &in);
    }
}

/* What is being typed. */

// A candidate as the whole value of the option: what stands before it there stays.
static void add_choice(json_t *choices, const char *before, size_t length, const char *candidate)
{
    char value[CHAT_LINE_SIZE];
    char shown[VALUE_SIZE];
    const int whole = snprintf(value, sizeof value, "%.*s%s", (int)length, before, candidate);
    markup_plain(value, COMMANDS_TEXT_MAX, shown, sizeof shown);
    if (whole > 0 && (size_t)whole < sizeof value && strcmp(value, shown) == 0) {
        (void)json_array_append_new(choices,
                                    json_pack("{s:s, s:s}", "name", value, "value", value));
    }
}

static json_t *choices_of(struct discord *discord, const struct interaction *interaction)
{
    char line[CHAT_LINE_SIZE];
    size_t from = 0;
    struct mb_error err = {0};
    const struct chat_sink *const sink = &discord->chat.sink;
    json_t *const choices = json_array();
    struct complete_list *const list = mb_new(1, sizeof *list);
    if (sink->complete != NULL &&
        commands_typed(interaction->data, line, sizeof line, &from, &err)) {
        struct chat_in in = {.place = interaction->channel,
                             .person = interaction->person,
                             .line = line,
                             .name = interaction->name,
                             .direct = interaction->guild[0] == '\0'};
        if (!find_table(interaction, &in)) {
            in.place = interaction->channel;
        }
        sink->complete(sink->user, &discord->chat, &in, strlen(line), list);
        for (unsigned i = 0; i < list->count && list->from >= from &&
                             json_array_size(choices) < COMMANDS_OPTIONS_MAX;
             i++) {
            add_choice(choices, line + from, list->from - from, list->items[i].text);
        }
    }
    free(list);
    return choices;
}

static void arm(struct discord *discord);

static void hear_in_time(struct discord *discord, const struct interaction *interaction,
                         int64_t age_ms)
{
    if (interaction->type == INTERACTION_TYPING) {
        answers_choices(discord->answers, interaction, choices_of(discord, interaction));
    } else if ((interaction->type == INTERACTION_COMMAND ||
                interaction->type == INTERACTION_PRESS || interaction->type == INTERACTION_FORM) &&
               answers_add(discord->answers, interaction, age_ms,
                           (int64_t)uv_now(discord->setup.loop))) {
        hear_deed(discord, interaction, age_ms);
        arm(discord);
    }
}

static void hear(struct discord *discord, const char *data, size_t size)
{
    struct interaction interaction;
    struct mb_error err = {0};
    if (!interaction_read(data, size, &interaction, &err)) {
        log_line(discord, NET_LOG_WARN, "interaction-malformed", err.text);
        return;
    }
    const int64_t age_ms = age_of(discord, &interaction);
    if (age_ms > LATE_MS) {
        log_line(discord, NET_LOG_INFO, "interaction-late",
                 "an interaction arrived too late and is not carried out");
    } else if (!floods(discord, &interaction)) {
        hear_in_time(discord, &interaction, age_ms);
    }
    interaction_finish(&interaction);
}

static uint64_t on_event(void *user, const char *event, const char *data, size_t size)
{
    struct discord *const discord = user;
    const struct chat_queue *const queue = discord->chat.sink.queue;
    const uint64_t before = queue->pushed;
    if (discord->stopped) {
        return 0;
    }
    if (strcmp(event, "INTERACTION_CREATE") == 0) {
        hear(discord, data, size);
    } else {
        guilds_heard(discord->guilds, event, data, size);
    }
    return queue->pushed != before ? queue->pushed : 0;
}

static void on_settled(struct chat *chat, uint64_t number)
{
    struct discord *const discord = discord_of(chat);
    if (!discord->stopped) {
        shards_settled(discord->shards, number);
    }
}

static void on_linked(void *user, const struct shard_link *link)
{
    const struct discord *const discord = user;
    if (!discord->stopped) {
        guilds_linked(discord->guilds, link);
    }
}

/* What waits for an answer. */

static void on_timer(uv_timer_t *timer)
{
    struct discord *const discord = timer->data;
    discord->armed_ms = -1;
    answers_tick(discord->answers, (int64_t)uv_now(discord->setup.loop));
    arm(discord);
}

static void arm(struct discord *discord)
{
    const int64_t now = (int64_t)uv_now(discord->setup.loop);
    const int64_t due = answers_due_ms(discord->answers);
    if (due < 0 || due == discord->armed_ms || discord->stopped) {
        return;
    }
    discord->armed_ms = due;
    (void)uv_timer_start(&discord->timer, on_timer, due > now ? (uint64_t)(due - now) : 0, 0);
}

/* Registration. */

static void commands_path(const struct discord *discord, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "/applications/%.24s/commands", discord->setup.application_id);
}

static void register_commands(struct fibre *fibre, void *user)
{
    struct discord *const discord = user;
    char path[PATH_SIZE];
    struct rest_answer answer;
    commands_path(discord, path);
    const struct rest_call list = {.method = "GET",
                                   .route = "GET /applications/commands",
                                   .major = "",
                                   .path = path,
                                   .order = "commands",
                                   .repeats = true};
    if (!rest_await(fibre, discord->rest, &list, &answer) ||
        (answer.status == STATUS_OK && commands_registered(answer.body, discord->registration))) {
        return;
    }
    if (answer.status != STATUS_OK) {
        log_line(discord, NET_LOG_ERROR, "commands",
                 "Discord did not list the commands: check application_id");
        return;
    }
    const struct rest_call set = {.method = "PUT",
                                  .route = "PUT /applications/commands",
                                  .major = "",
                                  .path = path,
                                  .order = "commands",
                                  .body = json_incref(discord->registration),
                                  .repeats = true};
    if (rest_await(fibre, discord->rest, &set, &answer)) {
        const bool good = answer.status == STATUS_OK;
        log_line(discord, good ? NET_LOG_INFO : NET_LOG_ERROR, "commands",
                 good ? "registered the commands again" : "Discord rejected the slash commands");
    }
}

/* A chat. */

static bool discord_start(struct chat *chat, struct mb_error *err)
{
    struct discord *const discord = discord_of(chat);
    (void)err;
    if (!discord->started) {
        discord->started = true;
        fibres_start(discord->fibres, register_commands, discord);
        shards_start(discord->shards);
    }
    return true;
}

static bool discord_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct discord *const discord = discord_of(chat);
    if (!discord->started || discord->stopped) {
        return mb_fail(err, MB_ERR_STATE, "Discord is not started");
    }
    if (fibres_are_many(discord->fibres)) {
        return mb_fail(err, MB_ERR_RETRY, "too much is under way");
    }
    if (out->kind == CHAT_FORGET || out->kind == CHAT_SEEK || out->kind == CHAT_ROOM) {
        chores_do(&discord->chores, out);
        return true;
    }
    post_send(discord->post, out);
    return true;
}

static void discord_stop(struct chat *chat)
{
    struct discord *const discord = discord_of(chat);
    if (discord->stopped) {
        return;
    }
    discord->stopped = true;
    shards_stop(discord->shards);
    fibres_stop(discord->fibres);
    rest_close(discord->rest);
    uv_close((uv_handle_t *)&discord->timer, NULL);
}

static void discord_destroy(struct chat *chat)
{
    struct discord *const discord = discord_of(chat);
    shards_destroy(discord->shards);
    guilds_destroy(discord->guilds);
    post_destroy(discord->post);
    answers_destroy(discord->answers);
    rest_destroy(discord->rest);
    fibres_destroy(discord->fibres);
    json_decref(discord->registration);
    free(discord);
}

static void discord_figures(const struct chat *chat, struct chat_figures *out)
{
    const struct discord *const discord = (const struct discord *)chat;
    rest_figures(discord->rest, out);
    shards_figures(discord->shards, out);
}

static const struct chat_ops OPS = {.name = "discord",
                                    .caps = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT |
                                            CHAT_CAP_HINTS | CHAT_CAP_AFAR | CHAT_CAP_ROOM |
                                            CHAT_CAP_SEEK | CHAT_CAP_STORY,
                                    .text_max = PAYLOAD_TEXT_BYTES,
                                    .board_max = PAYLOAD_BOARD_BYTES,
                                    .start = discord_start,
                                    .send = discord_send,
                                    .stop = discord_stop,
                                    .destroy = discord_destroy,
                                    .figures = discord_figures};

static struct discord *discord_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct discord *)chat;
}

static void make_parts(struct discord *discord)
{
    const struct discord_setup *const setup = &discord->setup;
    const struct rest_setup rest = {.loop = setup->loop,
                                    .http = setup->http,
                                    .api_url = setup->api_url,
                                    .token = setup->token,
                                    .log = setup->log,
                                    .fatal = setup->fatal,
                                    .user = setup->user};
    discord->rest = rest_create(&rest);
    discord->fibres = fibres_create();
    discord->answers = answers_create(discord->fibres, discord->rest, setup->application_id);
    const struct post_setup post = {.loop = setup->loop,
                                    .command = setup->command,
                                    .fibres = discord->fibres,
                                    .rest = discord->rest,
                                    .answers = discord->answers,
                                    .log = setup->log,
                                    .log_user = setup->user,
                                    .chat = &discord->chat};
    discord->post = post_create(&post);
    discord->chores =
        (struct chores){.fibres = discord->fibres, .rest = discord->rest, .chat = &discord->chat};
    const struct shards_setup shards = {.loop = setup->loop,
                                        .websockets = setup->websockets,
                                        .rest = discord->rest,
                                        .token = setup->token,
                                        .gateway_url = setup->gateway_url,
                                        .count = setup->shards,
                                        .log = setup->log,
                                        .log_user = setup->user,
                                        .chat = &discord->chat,
                                        .dispatch = on_event,
                                        .linked = on_linked,
                                        .fatal = setup->fatal,
                                        .user = discord};
    discord->guilds = guilds_create(discord->fibres, discord->chat.sink.queue, &discord->chat);
    discord->shards = shards_create(&shards);
    discord->registration = commands_registration(setup->command);
    (void)uv_timer_init(setup->loop, &discord->timer);
    discord->timer.data = discord;
}

struct chat *discord_create(struct chat_queue *queue, const struct discord_setup *setup,
                            struct mb_error *err)
{
    if (!discord_is_id(setup->application_id)) {
        (void)mb_fail(err, MB_ERR_INPUT,
                      "application_id must be the number that Discord's developer portal shows");
        return NULL;
    }
    struct discord *const discord = mb_new(1, sizeof *discord);
    discord->chat = (struct chat){.ops = &OPS, .sink = {.queue = queue, .settled = on_settled}};
    crypto_shorthash_keygen(discord->flood_key);
    discord->setup = *setup;
    discord->setup.api_url = setup->api_url != NULL ? setup->api_url : DISCORD_API_URL;
    make_parts(discord);
    return &discord->chat;
}
