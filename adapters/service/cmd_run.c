#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/codec/memory.h"

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/discord/discord.h"
#include "adapters/matrix/matrix.h"
#include "adapters/service/preparation.h"
#include "adapters/service/service.h"
#include "adapters/store/store_url.h"

static const char PROGRAM[] = "munchbot run";

struct run {
    struct preparation preparation;
    struct problems problems;
    struct service_log log;
    struct store *store;
    struct hall_policy policy;
    struct guests_rules guests; // whose invitations Matrix takes
};

static struct chat *make_discord(const void *setup, const struct service_host *host,
                                 struct chat_queue *queue, struct mb_error *err)
{
    const struct preparation *const preparation = &((const struct run *)setup)->preparation;
    const struct config *const config = &preparation->config;
    const struct discord_setup discord = {.loop = host->loop,
                                          .http = host->http,
                                          .websockets = host->websockets,
                                          .application_id =
                                              config->values[CONFIG_DISCORD_APPLICATION_ID],
                                          .token = preparation->discord_token,
                                          .api_url = config->values[CONFIG_DISCORD_API_URL],
                                          .gateway_url = config->values[CONFIG_DISCORD_GATEWAY_URL],
                                          .shards = config_number(config, CONFIG_DISCORD_SHARDS),
                                          .command = config_prefix(config),
                                          .log = host->log,
                                          .fatal = host->fatal,
                                          .user = host->user};
    return discord_create(queue, &discord, err);
}

static struct chat *make_matrix(const void *setup, const struct service_host *host,
                                struct chat_queue *queue, struct mb_error *err)
{
    const struct run *const run = setup;
    const struct preparation *const preparation = &run->preparation;
    const struct config *const config = &preparation->config;
    const struct matrix_setup matrix = {.loop = host->loop,
                                        .http = host->http,
                                        .homeserver = config->values[CONFIG_MATRIX_HOMESERVER],
                                        .token = preparation->matrix_token,
                                        .user_id = config->values[CONFIG_MATRIX_USER_ID],
                                        .device_id = config->values[CONFIG_MATRIX_DEVICE_ID],
                                        .crypto_path = config->values[CONFIG_MATRIX_CRYPTO_PATH],
                                        .keys = config->values[CONFIG_MATRIX_KEYS],
                                        .encryption = config->values[CONFIG_MATRIX_ENCRYPTION],
                                        .prefix = config_prefix(config),
                                        .guests = &run->guests,
                                        .log = host->log,
                                        .fatal = host->fatal,
                                        .user = host->user};
    (void)err;
    return matrix_create(queue, &matrix);
}

/* Reading again. */

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void log_problems(const struct run *run, const struct problems *problems)
{
    for (size_t i = 0; i < problems->count && i < PROBLEMS_MAX; i++) {
        service_log(&run->log, NET_LOG_WARN, "config-problem",
                    LOG_FIELDS(log_text(problems->lines[i])));
    }
}

// What changes in a running service; for all else it would have to end.
static const enum config_key REREAD[] = {
    CONFIG_MUNCHBOT_LOG,        CONFIG_MUNCHBOT_LOG_FORMAT,    CONFIG_MUNCHBOT_RATE,
    CONFIG_MUNCHBOT_PLACE_RATE, CONFIG_MUNCHBOT_PERSON_TABLES, CONFIG_MUNCHBOT_PLACE_TABLES,
    CONFIG_MUNCHBOT_KEEP,       CONFIG_DISCORD_ALLOW,          CONFIG_DISCORD_BLOCK,
    CONFIG_MATRIX_ALLOW,        CONFIG_MATRIX_BLOCK,           CONFIG_MATRIX_PERSON_INVITES,
    CONFIG_MATRIX_INVITES};

static bool is_reread(unsigned key)
{
    for (size_t i = 0; i < sizeof REREAD / sizeof REREAD[0]; i++) {
        if (key == (unsigned)REREAD[i]) {
            return true;
        }
    }
    return false;
}

static void use_config(struct run *run)
{
    const struct config *const config = &run->preparation.config;
    const unsigned person_invites = config_number(config, CONFIG_MATRIX_PERSON_INVITES);
    const unsigned invites = config_number(config, CONFIG_MATRIX_INVITES);
    run->log.level = config_log(config);
    run->log.json = config_log_is_json(config);
    run->policy = config_policy(config);
    run->guests = (struct guests_rules){.allow = config->values[CONFIG_MATRIX_ALLOW],
                                        .block = config->values[CONFIG_MATRIX_BLOCK],
                                        .person_max = person_invites > 0 ? person_invites
                                                                         : CONFIG_PERSON_INVITES,
                                        .day_max = invites > 0 ? invites : CONFIG_INVITES};
}

static void take_again(struct run *run, struct config *fresh)
{
    struct config *const config = &run->preparation.config;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const bool gone = !fresh->on[config_key_section((enum config_key)i)];
        if (is_reread(i) && gone) {
            continue; // a network that goes on being served keeps its lists
        }
        if (is_reread(i)) {
            char *const value = config->values[i];
            config->values[i] = fresh->values[i];
            fresh->values[i] = value;
        } else if (!is_same(fresh->values[i], config->values[i])) {
            service_log(&run->log, NET_LOG_WARN, "config-restart",
                        LOG_FIELDS({.key = "key", .value = config_key_name((enum config_key)i)},
                                   log_text("has changed; restart to apply it")));
        }
    }
    use_config(run);
    service_log(&run->log, NET_LOG_INFO, "config-reread", NULL);
}

static void reread_config(void *user)
{
    struct run *const run = user;
    struct config fresh;
    struct problems *const problems = mb_new(1, sizeof *problems);
    (void)config_read_path(&fresh, run->preparation.path, problems);
    if (problems->count > 0) {
        log_problems(run, problems);
    } else {
        take_again(run, &fresh);
    }
    config_finish(&fresh);
    free(problems);
}

/* Running. */

static bool serve_networks(struct run *run, struct mb_error *err)
{
    enum { NETWORKS = 2 };
    struct service_adapter adapters[NETWORKS];
    size_t count = 0;
    if (run->preparation.config.on[CONFIG_DISCORD]) {
        adapters[count++] =
            (struct service_adapter){.name = "discord", .create = make_discord, .setup = run};
    }
    if (run->preparation.config.on[CONFIG_MATRIX]) {
        adapters[count++] =
            (struct service_adapter){.name = "matrix", .create = make_matrix, .setup = run};
    }
    const struct service_setup setup = {.catalog = run->preparation.catalog,
                                        .store = run->store,
                                        .store_url = config_store(&run->preparation.config),
                                        .adapters = adapters,
                                        .adapter_count = count,
                                        .log = &run->log,
                                        .user_agent = "DiscordBot (munchbot, " MB_VERSION ")",
                                        .ca_file = getenv("SSL_CERT_FILE"),
                                        .listen =
                                            run->preparation.config.values[CONFIG_HTTP_LISTEN],
                                        .policy = &run->policy,
                                        .reread = reread_config,
                                        .user = run};
    service_log(&run->log, NET_LOG_INFO, "starting",
                LOG_FIELDS({.key = "version", .value = MB_VERSION},
                           {.key = "store", .value = store_name(run->store)}));
    struct service *const service = service_create(&setup, err);
    const bool good = service != NULL && service_run(service, err);
    service_destroy(service);
    return good;
}

static int run_it(struct run *run, const char *path)
{
    struct mb_error err = {0};
    (void)preparation_make(path, &run->preparation, &run->problems);
    if (run->problems.count > 0) {
        problems_print(&run->problems, PROGRAM);
        return CMD_FAILED;
    }
    run->log = (struct service_log){.fd = STDERR_FILENO};
    use_config(run);
    run->store = store_url_create(config_store(&run->preparation.config), &err);
    const bool good = run->store != NULL && serve_networks(run, &err);
    if (!good) {
        (void)fprintf(stderr, "%s: %s\n", PROGRAM, err.text);
    }
    store_destroy(run->store);
    return good ? CMD_DONE : CMD_FAILED;
}

int cmd_run(const struct arguments *arguments, const struct cmd_stores *stores)
{
    (void)stores;
    struct run *const run = mb_new(1, sizeof *run);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)umask(S_IRWXG | S_IRWXO); // what it makes is its own
    const int status = run_it(run, arguments->value[OPTION_CONFIG]);
    preparation_finish(&run->preparation);
    free(run);
    return status;
}
