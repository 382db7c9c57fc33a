#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>
#include <termios.h>

#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"

#include "adapters/matrix/client/account.h"
#include "adapters/service/preparation.h"

static const char PROGRAM[] = "munchbot matrix";
static const char PASSWORD_VARIABLE[] = "MUNCHBOT_MATRIX_PASSWORD";

enum { PATH_SIZE = 4096 };

static bool complain(const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", PROGRAM, why);
    return false;
}

static struct account_setup setup_of(const struct config *config)
{
    return (struct account_setup){.homeserver = config->values[CONFIG_MATRIX_HOMESERVER],
                                  .user_id = config->values[CONFIG_MATRIX_USER_ID],
                                  .device_id = config->values[CONFIG_MATRIX_DEVICE_ID],
                                  .user_agent = "munchbot/" MB_VERSION,
                                  .crypto_path = config->values[CONFIG_MATRIX_CRYPTO_PATH],
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

static bool read_password(const char *user, char out[SECRET_SIZE])
{
    const char *const own = getenv(PASSWORD_VARIABLE);
    if (own != NULL) {
        (void)snprintf(out, SECRET_SIZE, "%s", own);
        return out[0] != '\0' ||
               complain("the environment variable MUNCHBOT_MATRIX_PASSWORD is empty");
    }
    return ask_password(user, out) ||
           complain("no password: type it, or set MUNCHBOT_MATRIX_PASSWORD");
}

// Whole or not at all, and for nobody else to read.
static bool write_token(const char *path, const char *token)
{
    char fresh[PATH_SIZE];
    const int length = snprintf(fresh, sizeof fresh, "%s.new", path);
    const int fd = length > 0 && (size_t)length < sizeof fresh
                       ? open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
                       : -1;
    const size_t size = strlen(token);
    bool good = fd >= 0 && fchmod(fd, S_IRUSR | S_IWUSR) == 0 &&
                write(fd, token, size) == (ssize_t)size && write(fd, "\n", 1) == 1 &&
                fsync(fd) == 0;
    if (fd >= 0) {
        good = close(fd) == 0 && good;
    }
    good = good && rename(fresh, path) == 0;
    if (!good) {
        (void)fprintf(stderr, "%s: cannot write the token to %s (%s)\n", PROGRAM, path,
                      strerror(errno));
        (void)unlink(fresh);
    }
    return good;
}

static bool log_in(const struct config *config)
{
    const struct account_setup setup = setup_of(config);
    const char *const path = config->values[CONFIG_MATRIX_TOKEN_FILE];
    char password[SECRET_SIZE];
    struct account account;
    struct mb_error err = {0};
    if (setup.user_id == NULL || path == NULL) {
        return complain("[matrix] needs \"user_id\", whom to log in, and \"token_file\", where to "
                        "put the token");
    }
    if (!read_password(setup.user_id, password)) {
        return false;
    }
    bool good = account_login(&setup, password, &account, &err) || complain(err.text);
    good = good && write_token(path, account.token);
    if (good) {
        (void)printf("The bot is %s, device %s; its token is in %s.\n", account.user_id,
                     account.device_id, path);
    }
    sodium_memzero(password, sizeof password);
    sodium_memzero(&account, sizeof account);
    return good;
}

/* Checking. */

static void print_line(void *user, bool problem, const char *line)
{
    (void)user;
    if (problem) {
        (void)complain(line);
    } else {
        (void)printf("%s\n", line);
    }
}

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
    if (good) {
        (void)puts("No problem found.");
    }
    return good;
}

static bool run_command(const char *path, bool login)
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
        good = login ? log_in(&config) : check_account(&config);
    }
    config_finish(&config);
    return good;
}

int cmd_matrix(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const char *const path = arguments->value[OPTION_CONFIG];
    (void)stores;
    (void)umask(S_IRWXG | S_IRWXO);
    return run_command(path != NULL ? path : CONFIG_PATH, strcmp(arguments->verb, "login") == 0)
               ? CMD_DONE
               : CMD_FAILED;
}
