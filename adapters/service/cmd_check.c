#include <stdio.h>
#include <stdlib.h>

#include "core/codec/memory.h"

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/service/preparation.h"
#include "adapters/store/store_url.h"

static const char PROGRAM[] = "munchbot check";

// A set with mistakes is left out of new tables, so a service runs without it; but somebody made
// it.
static void check_sets(const struct catalog *catalog, struct problems *problems)
{
    for (unsigned i = 0; i < catalog_set_count(catalog); i++) {
        const struct catalog_set *const set = catalog_set(catalog, i);
        if (set->errors > 0) {
            problems_add(
                problems,
                "the card set \"%s\" has %u errors: \"munchbot cards check %s\" lists them",
                set->id, (unsigned)set->errors, set->folder);
        }
    }
}

static void check_store(const struct config *config, struct problems *problems)
{
    struct mb_error err = {0};
    const bool named = config->lines[CONFIG_MUNCHBOT_STORE] == 0 ||
                       config->values[CONFIG_MUNCHBOT_STORE] != NULL ||
                       getenv("MUNCHBOT_STORE") != NULL;
    if (named && !store_url_check(config_store(config), &err)) {
        problems_add(problems, "%s", err.text);
    }
}

static void print_summary(const struct preparation *preparation)
{
    const struct config *const config = &preparation->config;
    (void)printf("configuration: %s\n", preparation->path);
    if (config->on[CONFIG_DISCORD]) {
        (void)printf("discord: application %s, command /%s\n",
                     config->values[CONFIG_DISCORD_APPLICATION_ID], config_prefix(config));
    }
    if (config->on[CONFIG_MATRIX]) {
        (void)printf("matrix: %s, prefix !%s\n", config->values[CONFIG_MATRIX_HOMESERVER],
                     config_prefix(config));
    }
    (void)printf("card sets:");
    for (unsigned i = 0; i < catalog_set_count(preparation->catalog); i++) {
        (void)printf("%s %s", i > 0 ? "," : "", catalog_set(preparation->catalog, i)->id);
    }
    // The environment's URL may hold a password.
    (void)printf("\nstore: %s\n", getenv("MUNCHBOT_STORE") != NULL ? "as MUNCHBOT_STORE says"
                                                                   : config_store(config));
}

// Each network that is configured, the second one even if the first has a problem.
static bool look_at_networks(const struct preparation *preparation)
{
    const struct config *const config = &preparation->config;
    const bool discord = !config->on[CONFIG_DISCORD] || discord_look(preparation);
    const bool matrix = !config->on[CONFIG_MATRIX] || matrix_look(preparation);
    return discord && matrix;
}

int cmd_check(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct preparation preparation;
    (void)stores;
    struct problems *const problems = mb_new(1, sizeof *problems);
    const bool there = preparation_make(arguments->value[OPTION_CONFIG], &preparation, problems);
    if (preparation.catalog != NULL) {
        check_sets(preparation.catalog, problems);
    }
    if (there) {
        check_store(&preparation.config, problems);
    }
    const bool online = arguments->value[OPTION_ONLINE] != NULL;
    bool good = problems->count == 0;
    problems_print(problems, PROGRAM);
    if (good) {
        print_summary(&preparation);
        good = !online || look_at_networks(&preparation);
    }
    if (good) {
        (void)puts(online ? "No problem found." : "No problem found; nothing was connected.");
    }
    preparation_finish(&preparation);
    free(problems);
    return good ? CMD_DONE : CMD_FAILED;
}
