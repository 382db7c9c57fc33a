#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <termios.h>

#include "core/codec/memory.h"

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/matrix/account/account.h"
#include "adapters/service/preparation.h"

static const char PROGRAM[] = "munchbot matrix";
static const char PASSWORD_VARIABLE[] = "MUNCHBOT_MATRIX_PASSWORD";

enum { PATH_SIZE = 4096, RECOVERY_SIZE = 16384 };

static bool complain(const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", PROGRAM, why);
    return false;
}

static struct account_setup setup_of(const struct config *config)
{
    const char *const encryption = config->values[CONFIG_MATRIX_ENCRYPTION];
    const char *const keys = config->values[CONFIG_MATRIX_KEYS];
    const bool off = encryption != NULL && strcmp(encryption, "off") == 0;
    return (struct account_setup){.homeserver = config->values[CONFIG_MATRIX_HOMESERVER],
                                  .user_id = config->values[CONFIG_MATRIX_USER_ID],
                                  .device_id = config->values[CONFIG_MATRIX_DEVICE_ID],
                                  .user_agent = "munchbot/" MB_VERSION,
                                  .crypto_path =
                                      off ? NULL : config->values[CONFIG_MATRIX_CRYPTO_PATH],
                                  .all_devices = keys != NULL && strcmp(keys, "all") == 0,
                                  .always = encryption != NULL && strcmp(encryption, "always") == 0,
                                  .ca_file = getenv("SSL_CERT_FILE")};
}

/* Logging in. */

// A line of standard input, unseen where somebody types it.
static bool ask_password(const char *user, char out[SECRET_SIZE])
{
    struct termios seen;
    const bool typed = isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &seen) == 0;
    if (typed) {
        struct termios unseen = seen;
        unseen.c_lflag &= ~(tcflag_t)ECHO;
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen);
        (void)fprintf(stderr, "Password of %s: ", user);
    }
    const bool got = fgets(out, SECRET_SIZE, stdin) != NULL;
    if (typed) {
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &seen);
        (void)fputc('\n', stderr);
    }
    out[got ? strcspn(out, "\r\n") : 0] = '\0';
    return out[0] != '\0';
}

/* What a login needs of this machine. */
struct login {
    const struct config *config;
    char password[SECRET_SIZE]; // or empty: nobody has asked for it yet
    char recovery[RECOVERY_SIZE];
};

static const char *give_password(void *user, struct mb_error *err)
{
    struct login *const login = user;
    const char *const own = getenv(PASSWORD_VARIABLE);
    if (own != NULL) {
        (void)snprintf(login->password, sizeof login->password, "%s", own);
    }
    if (login->password[0] == '\0' && own != NULL) {
        (void)mb_fail(err, MB_ERR_INPUT,
                      "the environment variable MUNCHBOT_MATRIX_PASSWORD is empty");
    } else if (login->password[0] == '\0' &&
               !ask_password(login->config->values[CONFIG_MATRIX_USER_ID], login->password)) {
        (void)mb_fail(err, MB_ERR_INPUT, "no password: type it, or set MUNCHBOT_MATRIX_PASSWORD");
    }
    return login->password[0] != '\0' ? login->password : NULL;
}

// Whole or not at all, and for nobody else to read.
static bool write_private(const char *path, const char *text, const char *what,
                          struct mb_error *err)
{
    char fresh[PATH_SIZE];
    const int length = snprintf(fresh, sizeof fresh, "%s.new", path);
    const int fd = length > 0 && (size_t)length < sizeof fresh
                       ? open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
                       : -1;
    const size_t size = strlen(text);
    bool good = fd >= 0 && fchmod(fd, S_IRUSR | S_IWUSR) == 0 &&
                write(fd, text, size) == (ssize_t)size && fsync(fd) == 0;
    if (fd >= 0) {
        good = close(fd) == 0 && good;
    }
    good = good && rename(fresh, path) == 0;
    if (!good) {
        (void)mb_fail(err, MB_ERR_IO, "cannot write %s to %s (%s)", what, path, strerror(errno));
        (void)unlink(fresh);
    }
    return good;
}

// Whether the token could be written: a login that cannot keep it would leave a device behind.
static bool may_write(const char *path, struct mb_error *err)
{
    char fresh[PATH_SIZE];
    const int length = snprintf(fresh, sizeof fresh, "%s.new", path);
    const int fd = length > 0 && (size_t)length < sizeof fresh
                       ? open(fresh, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
                       : -1;
    if (fd < 0) {
        return mb_fail(err, MB_ERR_IO, "cannot write the token to %s (%s)", path, strerror(errno));
    }
    (void)close(fd);
    return unlink(fresh) == 0;
}

static bool keep_recovery(void *user, const char *text, struct mb_error *err)
{
    const struct login *const login = user;
    return strlen(text) < RECOVERY_SIZE
               ? write_private(login->config->values[CONFIG_MATRIX_RECOVERY_FILE], text,
                               "the account's identity", err)
               : mb_fail(err, MB_ERR_LIMIT, "recovery_file is full: move it away");
}

// `there`: false: there is no file yet.
static bool read_recovery(struct login *login, bool *there, struct mb_error *err)
{
    const struct secret_file file = {.path = login->config->values[CONFIG_MATRIX_RECOVERY_FILE],
                                     .what = "the account's identity",
                                     .guarded = true};
    struct stat is;
    size_t size = 0;
    *there = file.path != NULL && (stat(file.path, &is) == 0 || errno != ENOENT);
    if (!*there) {
        return true;
    }
    if (!secret_read_file(&file, login->recovery, sizeof login->recovery - 1, &size, err)) {
        return false;
    }
    return strlen(login->recovery) == size ||
           mb_fail(err, MB_ERR_INPUT, "recovery_file is damaged: restore it, or move it away");
}

static void print_line(void *user, bool problem, const char *line)
{
    (void)user;
    if (problem) {
        (void)complain(line);
    } else {
        (void)printf("%s\n", line);
    }
}

static bool has_settings(const struct account_setup *setup, const struct config *config,
                         bool has_token)
{
    if (setup->user_id == NULL ||
        (!has_token && config->values[CONFIG_MATRIX_TOKEN_FILE] == NULL)) {
        return complain("[matrix] needs \"user_id\", whom to log in, and \"token_file\", where to "
                        "put the token");
    }
    if (setup->crypto_path != NULL && config->values[CONFIG_MATRIX_RECOVERY_FILE] == NULL) {
        return complain("[matrix] needs \"recovery_file\" beside \"crypto_path\": where to keep "
                        "what signs the bot's devices");
    }
    return setup->crypto_path != NULL || !has_token ||
           complain("MUNCHBOT_MATRIX_TOKEN is set, and nothing else is to be made without "
                    "\"crypto_path\"");
}

static bool log_in_with(struct login *login, const struct account_setup *setup, bool replace)
{
    const char *const path = login->config->values[CONFIG_MATRIX_TOKEN_FILE];
    char text[SECRET_SIZE + 1];
    struct account account;
    struct mb_error err = {0};
    bool there = false;
    struct account_login how = {.token = getenv("MUNCHBOT_MATRIX_TOKEN"),
                                .replace = replace,
                                .password = give_password,
                                .keep = keep_recovery,
                                .line = print_line,
                                .user = login};
    bool good = read_recovery(login, &there, &err);
    how.recovery = there ? login->recovery : NULL;
    good = good && (how.token != NULL || may_write(path, &err)) &&
           account_login(setup, &how, &account, &err);
    if (good && how.token == NULL) {
        (void)snprintf(text, sizeof text, "%s\n", account.token);
        good = write_private(path, text, "the token", &err);
    }
    if (!good) {
        (void)complain(err.text);
    } else {
        (void)printf("The bot is %s, device %s; its token is in %s.\n", account.user_id,
                     account.device_id, how.token == NULL ? path : "MUNCHBOT_MATRIX_TOKEN");
    }
    sodium_memzero(text, sizeof text);
    sodium_memzero(&account, sizeof account);
    return good;
}

static bool log_in(const struct config *config, bool replace)
{
    const struct account_setup setup = setup_of(config);
    if (!has_settings(&setup, config, getenv("MUNCHBOT_MATRIX_TOKEN") != NULL)) {
        return false;
    }
    struct login *const login = mb_new(1, sizeof *login);
    login->config = config;
    const bool good = log_in_with(login, &setup, replace);
    sodium_memzero(login, sizeof *login);
    free(login);
    return good;
}

/* Checking. */

static bool check_account(const struct config *config)
{
    char token[SECRET_SIZE];
    struct mb_error err = {0};
    const struct account_setup setup = setup_of(config);
    const struct secret_names names = {.variable = "MUNCHBOT_MATRIX_TOKEN",
                                       .file = config->values[CONFIG_MATRIX_TOKEN_FILE],
                                       .credential = "matrix_token"};
    if (!secret_read(&names, token, &err)) {
        return complain(err.text);
    }
    const bool good = account_check(&setup, token, print_line, NULL);
    secret_wipe(token);
    return good;
}

bool matrix_look(const struct preparation *preparation)
{
    return check_account(&preparation->config);
}

static bool run_command(const char *path, bool login, bool replace)
{
    struct config config;
    struct problems problems = {0};
    (void)config_read_path(&config, path, &problems);
    bool good = problems.count == 0;
    if (!good) {
        problems_print(&problems, PROGRAM);
    } else if (!config.on[CONFIG_MATRIX]) {
        good = complain("the configuration has no section [matrix]: "
                        "config/munchbot.example.conf shows one");
    } else {
        good = login ? log_in(&config, replace) : check_account(&config);
        if (good && !login) {
            (void)puts("No problem found.");
        }
    }
    config_finish(&config);
    return good;
}

int cmd_matrix(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const char *const path = arguments->value[OPTION_CONFIG];
    (void)stores;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)umask(S_IRWXG | S_IRWXO);
    return run_command(path != NULL ? path : CONFIG_PATH, strcmp(arguments->verb, "login") == 0,
                       arguments->value[OPTION_REPLACE] != NULL)
               ? CMD_DONE
               : CMD_FAILED;
}
