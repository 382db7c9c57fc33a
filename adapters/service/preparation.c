#include "adapters/service/preparation.h"

#include <stdio.h>

#include <getopt.h>

#include "bot/cards_dir.h"

bool preparation_arguments(int argc, char **argv, const char *program, struct preparation *out)
{
    static const struct option OPTIONS[] = {{"config", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    *out = (struct preparation){.path = CONFIG_PATH};
    opterr = 0;
    optind = 1;
    for (int option = getopt_long(argc, argv, "", OPTIONS, NULL); option != -1;
         option = getopt_long(argc, argv, "", OPTIONS, NULL)) {
        if (option != 'c') {
            (void)fprintf(stderr, "%s: only --config FILE can be said; \"%s --help\" says more\n",
                          program, program);
            return false;
        }
        out->path = optarg;
    }
    if (optind < argc) {
        (void)fprintf(stderr, "%s: what is meant by \"%s\"? \"%s --help\" says what there is\n",
                      program, argv[optind], program);
    }
    return optind == argc;
}

static void read_tokens(struct preparation *preparation, struct problems *problems)
{
    const struct config *const config = &preparation->config;
    const struct secret_names names = {.variable = "MUNCHBOT_DISCORD_TOKEN",
                                       .file = config->values[CONFIG_DISCORD_TOKEN_FILE],
                                       .credential = "discord_token"};
    const bool named =
        config->lines[CONFIG_DISCORD_TOKEN_FILE] > 0 && names.file == NULL; // but wrongly
    struct mb_error err = {0};
    if (config->on[CONFIG_DISCORD] && !named &&
        !secret_read(&names, preparation->discord_token, &err)) {
        problems_add(problems, "[discord]: %s", err.text);
    }
}

bool preparation_make(struct preparation *preparation, struct problems *problems)
{
    struct mb_error err = {0};
    struct config *const config = &preparation->config;
    const bool there = config_read_path(config, preparation->path, problems);
    if (there && !config->on[CONFIG_DISCORD]) {
        problems_add(problems, "%s: no chat network is configured: add a section [discord]",
                     preparation->path);
    }
    read_tokens(preparation, problems);
    preparation->catalog = cards_load(&err);
    if (preparation->catalog == NULL) {
        problems_add(problems, "%s", err.text);
    }
    return there;
}

void preparation_finish(struct preparation *preparation)
{
    config_finish(&preparation->config);
    secret_wipe(preparation->discord_token);
    catalog_destroy(preparation->catalog);
    preparation->catalog = NULL;
}
