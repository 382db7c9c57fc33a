#include "adapters/service/preparation.h"

#include "bot/cards_dir.h"

static void read_token(const struct config *config, enum config_section section,
                       const struct secret_names *names, char out[SECRET_SIZE],
                       struct problems *problems)
{
    struct mb_error err = {0};
    if (config->on[section] && !secret_read(names, out, &err)) {
        problems_add(problems, "[%s]: %s", section == CONFIG_DISCORD ? "discord" : "matrix",
                     err.text);
    }
}

// A file that is named wrongly is a problem already.
static bool is_misnamed(const struct config *config, enum config_key file)
{
    return config->lines[file] > 0 && config->values[file] == NULL;
}

static void read_tokens(struct preparation *preparation, struct problems *problems)
{
    const struct config *const config = &preparation->config;
    const struct secret_names discord = {.variable = "MUNCHBOT_DISCORD_TOKEN",
                                         .file = config->values[CONFIG_DISCORD_TOKEN_FILE],
                                         .credential = "discord_token"};
    const struct secret_names matrix = {.variable = "MUNCHBOT_MATRIX_TOKEN",
                                        .file = config->values[CONFIG_MATRIX_TOKEN_FILE],
                                        .credential = "matrix_token"};
    if (!is_misnamed(config, CONFIG_DISCORD_TOKEN_FILE)) {
        read_token(config, CONFIG_DISCORD, &discord, preparation->discord_token, problems);
    }
    if (!is_misnamed(config, CONFIG_MATRIX_TOKEN_FILE)) {
        read_token(config, CONFIG_MATRIX, &matrix, preparation->matrix_token, problems);
    }
}

bool preparation_make(const char *path, struct preparation *preparation, struct problems *problems)
{
    struct mb_error err = {0};
    *preparation = (struct preparation){.path = path != NULL ? path : CONFIG_PATH};
    struct config *const config = &preparation->config;
    const bool there = config_read_path(config, preparation->path, problems);
    if (there && !config->on[CONFIG_DISCORD] && !config->on[CONFIG_MATRIX]) {
        problems_add(problems,
                     "%s: no chat network is configured: add a section [discord] or [matrix]",
                     preparation->path);
    }
    read_tokens(preparation, problems);
    preparation->catalog = cards_load(config->values[CONFIG_MUNCHBOT_SETS_PATH], &err);
    if (preparation->catalog == NULL) {
        problems_add(problems, "%s", err.text);
    }
    return there;
}

void preparation_finish(struct preparation *preparation)
{
    config_finish(&preparation->config);
    secret_wipe(preparation->discord_token);
    secret_wipe(preparation->matrix_token);
    catalog_destroy(preparation->catalog);
    preparation->catalog = NULL;
}
