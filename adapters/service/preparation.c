#include "adapters/service/preparation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "bot/cards_dir.h"

enum { PATH_SIZE = 4096 };

// One line of visible letters, the rest is an editor's; `from` is where it comes from.
static bool keep_token(const char *said, size_t size, const char *from, char out[SECRET_SIZE],
                       struct mb_error *err)
{
    while (size > 0 && strchr(" \t\r\n", said[size - 1]) != NULL) {
        size--;
    }
    if (size == 0 || size >= SECRET_SIZE) {
        return mb_fail(err, MB_ERR_INPUT, "%s contains no token: it is %s", from,
                       size == 0 ? "empty" : "too long");
    }
    for (size_t i = 0; i < size; i++) {
        if (said[i] <= ' ' || said[i] > '~') {
            return mb_fail(err, MB_ERR_INPUT,
                           "%s contains no token: write a single word, without \"Bot\"", from);
        }
    }
    memcpy(out, said, size);
    out[size] = '\0';
    return true;
}

static bool read_all(int fd, char *bytes, size_t room, size_t *size)
{
    *size = 0;
    for (;;) {
        const ssize_t got = read(fd, bytes + *size, room - *size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        *size += (size_t)got;
    }
}

static bool look_at(int fd, const struct secret_file *file, struct mb_error *err)
{
    enum { OTHERS = S_IRWXG | S_IRWXO };
    struct stat is;
    if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode)) {
        return mb_fail(err, MB_ERR_INPUT, "%s is not a file", file->path);
    }
    return !file->guarded || (is.st_mode & OTHERS) == 0 ||
           mb_fail(err, MB_ERR_INPUT, "others can read %s: chmod 600 %s", file->what, file->path);
}

bool secret_read_file(const struct secret_file *file, char *out, size_t room, size_t *size,
                      struct mb_error *err)
{
    const int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool good = fd >= 0 && look_at(fd, file, err);
    if (fd < 0 || (good && !read_all(fd, out, room, size))) {
        good = mb_fail(err, MB_ERR_IO, "cannot read %s from %s (%s)", file->what, file->path,
                       strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

// `guarded`: nobody but its owner may read it.
static bool from_file(const char *path, bool guarded, char out[SECRET_SIZE], struct mb_error *err)
{
    char bytes[SECRET_SIZE + 2];
    size_t size = 0;
    const struct secret_file file = {.path = path, .what = "the token", .guarded = guarded};
    const bool good = secret_read_file(&file, bytes, sizeof bytes, &size, err) &&
                      keep_token(bytes, size, path, out, err);
    sodium_memzero(bytes, sizeof bytes);
    return good;
}

bool secret_read(const struct secret_names *names, char out[SECRET_SIZE], struct mb_error *err)
{
    char path[PATH_SIZE];
    const char *const variable = getenv(names->variable);
    const char *const folder = getenv("CREDENTIALS_DIRECTORY");
    out[0] = '\0';
    if (variable != NULL) {
        return keep_token(variable, strlen(variable), names->variable, out, err);
    }
    if (names->file != NULL) {
        return from_file(names->file, true, out, err);
    }
    if (folder != NULL && snprintf(path, sizeof path, "%s/%s", folder, names->credential) > 0 &&
        access(path, F_OK) == 0) {
        // Who reads it is systemd's to say, and modes do not tell all of that.
        return from_file(path, false, out, err);
    }
    return mb_fail(err, MB_ERR_INPUT, "no token: set %s, token_file, or systemd's credential %s",
                   names->variable, names->credential);
}

void secret_wipe(char secret[SECRET_SIZE])
{
    sodium_memzero(secret, SECRET_SIZE);
}

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
