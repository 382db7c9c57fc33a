#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/cmd.h"

#include "adapters/discord/application.h"
#include "adapters/discord/discord.h"
#include "adapters/discord/rest.h"
#include "adapters/service/preparation.h"

static const char PROGRAM[] = "munchbot discord";
static const char PATH[] = "/applications/@me";

enum { STATUS_OK = 200, STATUS_MULTIPLE = 300, STATUS_UNAUTHORIZED = 401, WAIT_MS = 20000 };

/* One question to Discord, on a loop of its own. */
struct talk {
    uv_loop_t loop;
    uv_timer_t patience;
    struct http *http;
    struct rest *rest;
    int status;
    json_t *body; // of the answer
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

static void on_log(void *user, enum net_log_level level, const char *event, const char *text)
{
    (void)user;
    (void)level;
    (void)event;
    (void)text; // what comes of it is said in the end
}

static void on_fatal(void *user, const struct mb_error *why)
{
    (void)user;
    (void)complain(why->text);
}

static void end_talk(struct talk *talk)
{
    rest_close(talk->rest);
    http_close(talk->http);
    if (uv_is_closing((uv_handle_t *)&talk->patience) == 0) {
        uv_close((uv_handle_t *)&talk->patience, NULL);
    }
}

static void on_answer(void *user, const struct rest_answer *answer)
{
    struct talk *const talk = user;
    talk->status = answer->status;
    talk->body = json_deep_copy(answer->body);
    uv_stop(&talk->loop);
}

static void on_impatience(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

// The answer's status, 0 without one; its body is in `out`, or NULL.
static int ask(const struct preparation *preparation, const char *method, json_t *body,
               json_t **out)
{
    struct mb_error err = {0};
    struct talk talk = {.status = 0};
    const char *const url = preparation->config.values[CONFIG_DISCORD_API_URL];
    *out = NULL;
    if (uv_loop_init(&talk.loop) != 0) {
        json_decref(body);
        return 0;
    }
    const struct http_setup http = {.loop = &talk.loop,
                                    .user_agent = "DiscordBot (munchbot, " MB_VERSION ")",
                                    .ca_file = getenv("SSL_CERT_FILE")};
    (void)uv_timer_init(&talk.loop, &talk.patience);
    talk.http = http_create(&http, &err);
    const struct rest_setup setup = {.loop = &talk.loop,
                                     .http = talk.http,
                                     .api_url = url != NULL ? url : DISCORD_API_URL,
                                     .token = preparation->discord_token,
                                     .log = on_log,
                                     .fatal = on_fatal};
    talk.rest = talk.http != NULL ? rest_create(&setup, &err) : NULL;
    const struct rest_call call = {.method = method,
                                   .route = PATH,
                                   .major = "",
                                   .path = PATH,
                                   .order = "application",
                                   .body = body,
                                   .repeats = true};
    if (talk.rest != NULL && rest_call(talk.rest, &call, on_answer, &talk)) {
        (void)uv_timer_start(&talk.patience, on_impatience, WAIT_MS, 0);
        (void)uv_run(&talk.loop, UV_RUN_DEFAULT);
    }
    if (talk.rest != NULL) {
        const int status = talk.status; // what is cut off now is no answer
        json_t *const said = talk.body;
        talk.body = NULL;
        end_talk(&talk);
        json_decref(talk.body);
        talk.status = status;
        talk.body = said;
        (void)uv_run(&talk.loop, UV_RUN_DEFAULT);
    }
    rest_destroy(talk.rest);
    http_destroy(talk.http);
    (void)uv_loop_close(&talk.loop);
    *out = talk.body;
    return talk.status;
}

static json_t *settings_of(const struct preparation *preparation)
{
    json_t *settings = NULL;
    const int status = ask(preparation, "GET", NULL, &settings);
    if (status == STATUS_OK && json_is_object(settings)) {
        return settings;
    }
    if (status != STATUS_UNAUTHORIZED) { // which has been said
        (void)complain(status == 0 ? "Discord does not answer"
                                   : "Discord does not tell the application's settings");
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
    const int status = ask(preparation, "PATCH", change, &answer);
    const bool good = status >= STATUS_OK && status < STATUS_MULTIPLE;
    json_decref(answer);
    return good || complain("Discord does not take the change");
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
    if (good) {
        (void)puts("The application is as the bot needs it.");
    }
    json_decref(settings);
    return good;
}

int cmd_discord(int argc, char **argv)
{
    struct preparation preparation;
    const bool checks = argc >= 2 && strcmp(argv[1], "check") == 0;
    const bool sets_up = argc >= 2 && strcmp(argv[1], "setup") == 0;
    if (!checks && !sets_up) {
        (void)complain("say \"munchbot discord check\" or \"munchbot discord setup\"");
        return CMD_WRONG_USAGE;
    }
    if (!preparation_arguments(argc - 1, argv + 1, PROGRAM, &preparation)) {
        return CMD_WRONG_USAGE;
    }
    struct problems *const problems = calloc(1, sizeof *problems);
    if (problems == NULL) {
        (void)complain("there is not enough memory");
        return CMD_FAILED;
    }
    bool good = preparation_make(&preparation, problems);
    if (good && problems->count == 0 && !preparation.config.on[CONFIG_DISCORD]) {
        problems_add(problems, "the configuration has no [discord]");
    }
    good = good && problems->count == 0;
    problems_print(problems, PROGRAM);
    good = good && carry_out(&preparation, sets_up);
    preparation_finish(&preparation);
    free(problems);
    return good ? CMD_DONE : CMD_FAILED;
}
