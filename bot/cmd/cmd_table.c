// `munchbot table verify FILE...`: recorded games, checked with nothing but the card sets. The
// other subcommands look into a store, and there is none yet.
#include <stdio.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/table/journal_file.h"
#include "bot/text/text.h"

enum { LINE_SIZE = 1024 };

static void say(FILE *to, enum text_id id, const struct text_arg *args)
{
    char line[LINE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    (void)fputs(line, to);
}

static void report_good(const char *path, const struct journal_report *report)
{
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    char winners[LINE_SIZE];
    struct text_out out;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if ((report->winners & seat_bit(seat)) != 0) {
            names[count++] = report->players[seat].name;
        }
    }
    text_begin(&out, winners, sizeof winners);
    text_list(&out, names, count, TEXT_AND);
    say(stdout, count > 0 ? TEXT_VERIFY_WON : TEXT_VERIFY_ENDED,
        TEXT_ARGS(text_str("file", path), text_num("n", (long)report->commands),
                  text_num("m", (long)report->rolls), text_num("shuffles", (long)report->shuffles),
                  text_num("rounds", (long)report->rounds), text_str("who", winners),
                  text_str("hash", report->commitment)));
}

static int verify(int count, char **files)
{
    struct mb_error err = {0};
    struct catalog *const catalog = cards_load(&err);
    long verified = 0;
    if (catalog == NULL) {
        say(stderr, TEXT_TABLE_FAILED, TEXT_ARGS(text_str("reason", err.text)));
        return CMD_FAILED;
    }
    for (int i = 0; i < count; i++) {
        struct journal_report report;
        struct mb_error why = {0};
        if (journal_check_file(catalog, files[i], &report, &why)) {
            report_good(files[i], &report);
            verified++;
        } else {
            (void)fflush(stdout);
            say(stderr, TEXT_VERIFY_FAILED,
                TEXT_ARGS(text_str("file", files[i]), text_str("reason", why.text)));
        }
    }
    catalog_destroy(catalog);
    say(stdout, TEXT_VERIFY_TOTAL,
        TEXT_ARGS(text_num("n", verified), text_num("m", (long)count - verified)));
    return verified == count ? CMD_DONE : CMD_FAILED;
}

static int turn_down(enum text_id id, const char *what, int status)
{
    say(stderr, id, TEXT_ARGS(text_str("what", what)));
    return status;
}

int cmd_table(int argc, char **argv)
{
    static const char *const LATER[] = {"list", "show", "export", "import"};
    if (argc < 2) {
        return turn_down(TEXT_TABLE_USAGE, "", CMD_WRONG_USAGE);
    }
    for (size_t i = 0; i < sizeof LATER / sizeof LATER[0]; i++) {
        if (strcmp(argv[1], LATER[i]) == 0) {
            return turn_down(TEXT_TABLE_LATER, argv[1], CMD_FAILED);
        }
    }
    if (strcmp(argv[1], "verify") != 0) {
        return turn_down(TEXT_TABLE_UNKNOWN, argv[1], CMD_WRONG_USAGE);
    }
    int first = 2;
    for (int i = first; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--store", strlen("--store")) == 0) {
            return turn_down(TEXT_TABLE_LATER, "verify --store", CMD_FAILED);
        }
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            return turn_down(TEXT_TABLE_UNKNOWN, argv[i], CMD_WRONG_USAGE);
        }
    }
    first += first < argc && strcmp(argv[first], "--") == 0 ? 1 : 0;
    if (first >= argc) {
        return turn_down(TEXT_TABLE_NO_FILE, "", CMD_WRONG_USAGE);
    }
    return verify(argc - first, argv + first);
}
