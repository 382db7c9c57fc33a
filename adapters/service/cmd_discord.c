#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/discord/application.h"
#include "adapters/discord/discord.h"
#include "adapters/discord/wire/commands.h"
#include "adapters/net/http.h"
#include "adapters/service/preparation.h"

static const char PROGRAM[] = "munchbot discord";
static const char SETTINGS[] = "/applications/@me";

enum {
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300,
    STATUS_UNAUTHORIZED = 401,
    WAIT_MS = 20000,
    LINE_SIZE = 1024
};

static bool complain(const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", PROGRAM, why);
    return false;
}

static void on_wrong(void *user, const struct mb_error *what)
{
    (void)user;
    (void)complain(what->text);
}

// The answer's status, 0 without one; its body is in `out`, or NULL.
static int ask(const struct preparation *preparation, const char *method, const char *path,
               json_t *body, json_t **out)
{
    struct mb_error err = {0};
    struct http_once answer;
    char url[LINE_SIZE];
    char authorization[LINE_SIZE];
    const char *const api = preparation->config.values[CONFIG_DISCORD_API_URL];
    char *const text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    (void)snprintf(url, sizeof url, "%s%s", api != NULL ? api : DISCORD_API_URL, path);
    (void)snprintf(authorization, sizeof authorization, "Authorization: Bot %s",
                   preparation->discord_token);
    const struct http_request request = {
        .method = method,
        .url = url,
        .headers = {authorization, body != NULL ? "Content-Type: application/json" : NULL},
        .body = text,
        .body_size = text != NULL ? strlen(text) : 0,
        .timeout_ms = WAIT_MS};
    const bool good = http_once(&request, "DiscordBot (munchbot, " MB_VERSION ")",
                                getenv("SSL_CERT_FILE"), &answer, &err);
    *out = good ? json_loadb(answer.body, answer.body_size, 0, NULL) : NULL;
    json_decref(body);
    free(text);
    free(answer.body);
    return good ? answer.status : 0;
}

static json_t *settings_of(const struct preparation *preparation)
{
    json_t *settings = NULL;
    const int status = ask(preparation, "GET", SETTINGS, NULL, &settings);
    if (status == STATUS_OK && json_is_object(settings)) {
        return settings;
    }
    if (status == STATUS_UNAUTHORIZED) {
        (void)complain("Discord rejected the token: create a new one in the developer portal");
    } else {
        (void)complain(status == 0 ? "Discord does not answer"
                                   : "Discord did not show the application's settings");
    }
    json_decref(settings);
    return NULL;
}

static bool set_up(const struct preparation *preparation, json_t *settings)
{
    json_t *answer = NULL;
    json_t *const change = application_change(settings);
    if (change == NULL) {
        return true;
    }
    const int status = ask(preparation, "PATCH", SETTINGS, change, &answer);
    const bool good = status >= STATUS_OK && status < STATUS_MULTIPLE;
    json_decref(answer);
    return good || complain("Discord rejected the change");
}

// Who the bot is, and how often it may connect; what Discord leaves out is not said.
static void print_bot(const struct preparation *preparation, const json_t *settings)
{
    json_t *bot = NULL;
    json_t *gateway = NULL;
    const json_t *const servers = json_object_get(settings, "approximate_guild_count");
    (void)ask(preparation, "GET", "/users/@me", NULL, &bot);
    (void)ask(preparation, "GET", "/gateway/bot", NULL, &gateway);
    const char *const name = json_string_value(json_object_get(bot, "username"));
    const json_t *const starts = json_object_get(gateway, "session_start_limit");
    if (name != NULL) {
        (void)printf("The bot is %.64s, of application %s.\n", name,
                     preparation->config.values[CONFIG_DISCORD_APPLICATION_ID]);
    }
    if (json_is_integer(servers)) {
        (void)printf("It is in about %lld servers.\n", (long long)json_integer_value(servers));
    }
    if (json_is_object(starts)) {
        (void)printf("It may connect %lld more times today (of %lld), %lld shards at once; Discord "
                     "recommends %lld shards.\n",
                     (long long)json_integer_value(json_object_get(starts, "remaining")),
                     (long long)json_integer_value(json_object_get(starts, "total")),
                     (long long)json_integer_value(json_object_get(starts, "max_concurrency")),
                     (long long)json_integer_value(json_object_get(gateway, "shards")));
        (void)puts("Its requests are limited to 50 a second, and fewer in one channel; Discord "
                   "exempts nobody, but raises that for very large bots that ask.");
    }
    json_decref(bot);
    json_decref(gateway);
}

static bool carry_out(const struct preparation *preparation, bool sets_up)
{
    json_t *settings = settings_of(preparation);
    bool good = settings != NULL;
    if (good && sets_up) {
        good = set_up(preparation, settings);
        json_decref(settings);
        settings = good ? settings_of(preparation) : NULL;
    }
    good = settings != NULL &&
           application_check(settings, preparation->config.values[CONFIG_DISCORD_APPLICATION_ID],
                             on_wrong, NULL);
    if (settings != NULL) {
        print_bot(preparation, settings);
    }
    if (good) {
        (void)puts("The application's settings are right.");
    }
    json_decref(settings);
    return good;
}

bool discord_look(const struct preparation *preparation)
{
    return carry_out(preparation, false);
}

int cmd_discord(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct preparation preparation;
    (void)stores;
    struct problems *const problems = mb_new(1, sizeof *problems);
    bool good = preparation_make(arguments->value[OPTION_CONFIG], &preparation, problems);
    if (good && problems->count == 0 && !preparation.config.on[CONFIG_DISCORD]) {
        problems_add(problems, "the configuration has no [discord]");
    }
    good = good && problems->count == 0;
    problems_print(problems, PROGRAM);
    good = good && carry_out(&preparation, strcmp(arguments->verb, "setup") == 0);
    preparation_finish(&preparation);
    free(problems);
    return good ? CMD_DONE : CMD_FAILED;
}

// `munchbot commands --discord`: what `munchbot run` registers, for operators who want to see it.

enum { INDENT = 2 };

int cmd_commands(const struct arguments *arguments, const struct cmd_stores *stores)
{
    (void)stores;
    if (arguments->value[OPTION_DISCORD] == NULL) {
        (void)arguments_lack(arguments, "--discord");
        (void)fprintf(stderr, "%s\n", arguments->complaint);
        return CMD_WRONG_USAGE;
    }
    json_t *const all = commands_registration(COMMANDS_NAME);
    char *const text = json_dumps(all, JSON_INDENT(INDENT));
    json_decref(all);
    const bool written = puts(text) != EOF;
    free(text);
    return written ? CMD_DONE : CMD_FAILED;
}
