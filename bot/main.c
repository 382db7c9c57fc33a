/*
 * The program: finds the subcommand in one table and calls it. Everything else is elsewhere.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "bot/cmd/cmd.h"

#include "adapters/service/config.h"
#include "adapters/store/memory/memory_store.h"
#include "adapters/store/store_url.h"

static struct store *open_store(const char *url, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    if (url != NULL) {
        return store_url_open(url, err);
    }
    return store_url_default(own, err) ? store_url_open(own, err) : NULL;
}

// Named, else the environment's, the service's if that is there, or one's own.
static const char *choose_store(const char *url, char own[STORE_URL_SIZE], struct mb_error *err)
{
    static const char SCHEME[] = "sqlite:";
    const char *const named = url != NULL ? url : getenv("MUNCHBOT_STORE");
    if (named != NULL && named[0] != '\0') {
        return named;
    }
    if (access(&CONFIG_STORE[sizeof SCHEME - 1], F_OK) == 0) {
        return CONFIG_STORE;
    }
    return store_url_default(own, err) ? own : NULL;
}

static struct store *find_store(const char *url, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL ? store_url_find(chosen, err) : NULL;
}

static bool backup_store(const char *url, const char *file, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL && store_url_backup(chosen, file, err);
}

static bool restore_store(const char *url, const char *file, struct mb_error *err)
{
    char own[STORE_URL_SIZE];
    const char *const chosen = choose_store(url, own, err);
    return chosen != NULL && store_url_restore(chosen, file, err);
}

static const struct cmd_stores STORES = {.open = open_store,
                                         .find = find_store,
                                         .backup = backup_store,
                                         .restore = restore_store,
                                         .memory = memory_store_create};

static int play(int argc, char **argv)
{
    return cmd_play(argc, argv, &STORES);
}

static int scenario(int argc, char **argv)
{
    return cmd_scenario(argc, argv, &STORES);
}

static int user(int argc, char **argv)
{
    return cmd_user(argc, argv, &STORES);
}

static int store(int argc, char **argv)
{
    return cmd_store(argc, argv, &STORES);
}

static int table(int argc, char **argv)
{
    return cmd_table(argc, argv, &STORES);
}

static int soak(int argc, char **argv)
{
    return cmd_soak(argc, argv, &STORES);
}

struct subcommand {
    const char *name;
    const char *help;  // one line, for the overview
    const char *usage; // what may follow the name
    int (*run)(int argc, char **argv);
};

static const struct subcommand SUBCOMMANDS[] = {
    {"play", "a game in this terminal, with bot players or several people",
     "[--set S[,S...]] [--house S] [--players N] [--name NAME] [--hotseat A,B,C]\n"
     "       [--level random|rookie|regular|ruthless] [--seed X] [--variant V,...]\n"
     "       [--preset P] [--flag NAME[=off],...] [--watch] [--record FILE] [--guide|--no-guide]\n"
     "       [--store URL] [--resume] [--sets-path DIR]\n\n"
     "  --set        card sets to mix (classic); \"munchbot cards list\" names them\n"
     "  --house      the edition whose rules apply (the first set's)\n"
     "  --players    number of seats, 3 to 6 (4); bot players take those left over\n"
     "  --name       your name; \"Tess/female\" plays a woman, otherwise a man\n"
     "  --hotseat    seats several people at this keyboard\n"
     "  --level      how well the bot players play (regular)\n"
     "  --seed       repeats cards and dice: a number of at most 64 bits, or the 64\n"
     "               hexadecimal digits that a game shows at its end\n"
     "  --variant    listen (a Door before each turn), shared (the helper in the winning\n"
     "               fight wins too), epic (to Level 20)\n"
     "  --preset     a bundle of house rules: quick, gentle, strict or marathon\n"
     "               (\"rules edition\" explains them); flags change it\n"
     "  --flag       switches a single rule on or off:\n"
#define FLAG(id, name, ...) "               " #name "\n"
#include "core/card/profile_flags.def"
#undef FLAG

     "  --watch      lets bot players play alone\n"
     "  --guide      shows hints during a first game, --no-guide does not; without\n"
     "               either option, a new player is asked once\n"
     "  --record     records the game in FILE, for \"munchbot table verify FILE\"\n"
     "  --store      where to save the game: \"sqlite:PATH\" or \"postgresql://...\"\n"
     "               (sqlite:$XDG_STATE_HOME/munchbot/tables.db; a watched game is saved\n"
     "               only with --store)\n"
     "  --resume     continues the newest game in the store that was interrupted\n"
     "  --sets-path  a folder with your own card sets, or one set, for --set",
     play},
    {"run", "the service: connects every configured chat network and serves all tables",
     "[--config FILE]\n\n"
     "  --config     the configuration (/etc/munchbot/munchbot.conf);\n"
     "               config/munchbot.example.conf explains every key\n\n"
     "Tokens come from the environment (MUNCHBOT_DISCORD_TOKEN), a file or systemd's\n"
     "credentials. MUNCHBOT_STORE overrides the configuration's store. The log goes to\n"
     "standard error. SIGTERM and SIGINT finish what is under way and exit; SIGHUP\n"
     "rereads the log level.",
     cmd_run},
    {"check", "checks configuration, secrets, card sets and store without connecting",
     "[--config FILE]\n\n"
     "Prints every problem; exits 1 if there is one. Never creates a store.",
     cmd_check},
    {"cards", "lists, shows and checks card sets, and begins one of your own",
     "list [--set S] [--sets-path DIR]\n       munchbot cards show NAME [--sets-path DIR]\n"
     "       munchbot cards check [DIR...]\n"
     "       munchbot cards new DIR\n       munchbot cards reference\n\n"
     "  check        checks all sets, or those in DIR; a \"note\" is a hint, not an error\n"
     "  new          writes a small set to begin with to DIR, which must not exist yet\n"
     "  reference    prints the words of the card language\n"
     "  --sets-path  adds a folder with your own sets, or one set",
     cmd_cards},
    {"scenario", "runs scenario files and prints TAP",
     "[--verbose] [--restart[=URL]] [--sets-path DIR] FILE...\n\n"
     "  --verbose    prints what happens, as comment lines\n"
     "  --restart    rebuilds the table from its bytes after every step; with URL,\n"
     "               through that store, restarted each time\n"
     "  --sets-path  a folder with your own card sets, or one set, for the files",
     scenario},
    {"simulate", "plays whole games without chat and prints figures",
     "--set S[,S...] --players N --games N [--seed X] [--policy P[,P...]]\n"
     "       [--house S] [--variant V,...] [--preset P] [--flag NAME[=off],...]\n"
     "       [--json] [--check[=sample]] [--report] [--sets-path DIR]\n\n"
     "  --house, --variant, --preset, --flag: as for \"munchbot play\"\n"
     "  --sets-path  a folder with your own card sets, or one set, for --set\n"
     "  --check      checks every invariant after every command; =sample: some of them\n"
     "               only now and then\n"
     "  --report     prints the balance: rounds, wins by seat and by order of play,\n"
     "               final Levels, deaths, and how often the only player who put a card\n"
     "               in play won; with --json under \"balance\"\n"
     "  --json       prints the figures as one JSON object\n\n"
     "Policies: random, rookie, regular, ruthless; one for all seats or one per seat.",
     cmd_simulate},
    {"soak", "load test: simulated people type at many tables, through hall and store",
     "--store URL [--tables N] [--rate R] [--seconds T | --games N] [--seed X]\n"
     "       [--policy P[,P...]] [--platform FILE] [--speed S] [--first N] [--verify]\n"
     "       [--set S[,S...]] [--sets-path DIR] [--json]\n\n"
     "  --store      \"sqlite:PATH\" or \"postgresql://...\": continues the games in it;\n"
     "               several soaks on one store play its games together\n"
     "  --tables     games at once (64)\n"
     "  --rate       lines a second at most\n"
     "  --seconds    stops after so many seconds; --games: after so many games\n"
     "  --seed       repeats the same lines (1)\n"
     "  --policy     who types, by seat: random, rookie, regular, ruthless (regular)\n"
     "  --platform   writes each message to this file as one line; the file outlives the\n"
     "               bot, and a key that comes again is not written again\n"
     "  --speed      how many times faster than a clock time passes; without it, time\n"
     "               jumps to what falls due. Several soaks on one store need it, alike\n"
     "  --first      the game to begin with; those before it come last\n"
     "  --verify     replays each game from its journal at the end\n"
     "  --set        card sets to mix (classic)\n"
     "  --sets-path  a folder with your own card sets, or one set, for --set\n"
     "  --json       prints one object with all figures, per game too",
     soak},
    {"table", "shows, exports and verifies the store's tables and recorded games",
     "list [--store URL]\n"
     "       munchbot table show ID|export ID [--reveal] [--store URL]\n"
     "       munchbot table import FILE [--store URL] [--sets-path DIR]\n"
     "       munchbot table verify [ID...|FILE...] [--store URL] [--sets-path DIR]\n\n"
     "  list         lists all tables, archived ones last\n"
     "  show         shows a table as everybody at it sees it\n"
     "  export       writes a table as JSON, without hands and seed while its game runs\n"
     "  --reveal     adds hands and seed; the table is told first\n"
     "  import       puts an export into a store that does not have the table\n"
     "  verify       replays games and checks commitment, rolls, shuffles, commands and\n"
     "               result: of these tables, of these files (from \"munchbot play\n"
     "               --record FILE\" or \"table export\"), or of all tables; exits 1 if\n"
     "               one differs\n"
     "  --store      \"sqlite:PATH\" or \"postgresql://...\" (MUNCHBOT_STORE, else the\n"
     "               service's store, else your own); the service may be running\n"
     "  --sets-path  a folder with your own card sets, or one set, for their games",
     table},
    {"user", "exports or deletes what is kept about a person",
     "export NETWORK:ID [--store URL]\n"
     "       munchbot user forget NETWORK:ID [--store URL]\n\n"
     "  export       prints all that the store keeps about them, as JSON\n"
     "  forget       replaces them by \"former player\" everywhere: at tables (bot players\n"
     "               take their seats), in journals, logs and records; \"table verify\"\n"
     "               still succeeds\n"
     "  NETWORK:ID   discord:80351110224678912, matrix:@ann:example.org\n"
     "  --store      as for \"munchbot table\"; the service may be running",
     user},
    {"store", "backs up a store while the service runs, and restores a backup",
     "backup FILE [--store URL]\n"
     "       munchbot store restore FILE [--store URL]\n\n"
     "  backup       writes a consistent copy to FILE, which must not exist yet\n"
     "  restore      creates a store from FILE; none may exist yet. Old and new messages\n"
     "               are never mixed up\n"
     "  --store      \"sqlite:PATH\"; as for \"munchbot table\". For PostgreSQL use its own\n"
     "               tools: pg_dump and pg_restore, or a base backup",
     store},
    {"matrix", "logs in to the bot's homeserver, or checks its account there",
     "login [--config FILE]\n       munchbot matrix check [--config FILE]\n\n"
     "  login        asks once for the password of [matrix]'s user_id (or reads it from\n"
     "               MUNCHBOT_MATRIX_PASSWORD) and writes the token into its token_file\n"
     "  check        checks token, account and server; serves nothing",
     cmd_matrix},
    {"discord", "checks the application's settings at Discord, or sets them",
     "check [--config FILE]\n       munchbot discord setup [--config FILE]\n\n"
     "  check        compares the settings with what the bot needs; serves nothing\n"
     "  setup        sets those that can be set from here, then checks",
     cmd_discord},
    {"commands", "prints the slash-command registration that run would send", "--discord",
     cmd_commands},
};

enum { SUBCOMMAND_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

static void print_overview(FILE *to)
{
    (void)fputs("usage: munchbot COMMAND [ARGUMENT...]\n\n", to);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        (void)fprintf(to, "  %-9s  %s\n", SUBCOMMANDS[i].name, SUBCOMMANDS[i].help);
    }
    (void)fputs(
        "\n\"munchbot COMMAND --help\" explains a command; \"munchbot --version\" prints the "
        "version.\n",
        to);
}

static const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(SUBCOMMANDS[i].name, name) == 0) {
            return &SUBCOMMANDS[i];
        }
    }
    return NULL;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// How many letters must be put in, taken out or replaced to make one word of the other.
static size_t word_distance(const char *from, const char *to)
{
    enum { WORD_MAX = 32 };
    size_t row[WORD_MAX + 1];
    const size_t width = strlen(to);
    if (strlen(from) > WORD_MAX || width > WORD_MAX) {
        return WORD_MAX;
    }
    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; from[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= width; j++) {
            const size_t replaced = diagonal + (from[i] == to[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = smallest(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[width];
}

static const char *subcommand_nearest(const char *name)
{
    const char *nearest = SUBCOMMANDS[0].name;
    for (size_t i = 1; i < SUBCOMMAND_COUNT; i++) {
        if (word_distance(name, SUBCOMMANDS[i].name) < word_distance(name, nearest)) {
            nearest = SUBCOMMANDS[i].name;
        }
    }
    return nearest;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CMD_WRONG_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("munchbot " MB_VERSION);
        return CMD_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return CMD_DONE;
    }
    const struct subcommand *const found = subcommand_find(argv[1]);
    if (found == NULL) {
        (void)fprintf(stderr, "munchbot: there is no command \"%s\"; did you mean \"%s\"?\n",
                      argv[1], subcommand_nearest(argv[1]));
        return CMD_WRONG_USAGE;
    }
    if (wants_help(argc - 1, argv + 1)) {
        printf("munchbot %s: %s\n\nusage: munchbot %s %s\n", found->name, found->help, found->name,
               found->usage);
        return CMD_DONE;
    }
    return found->run(argc - 1, argv + 1);
}
