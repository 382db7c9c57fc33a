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
     "  --house      the edition whose rules hold, if not the first set's\n"
     "  --players    3 to 6 (4); bot players take the seats that people leave\n"
     "  --name       what you are called; \"Tess/female\" plays a woman, else a man\n"
     "  --hotseat    several people at this keyboard\n"
     "  --level      how well the bot players play (regular)\n"
     "  --seed       the same cards and dice again: a number of at most 64 bits, or the\n"
     "               64 hexadecimal digits that a game shows at its end\n"
     "  --variant    listen (a Door before each turn), shared (whoever helps to\n"
     "               win wins too), epic (to Level 20)\n"
     "  --preset     a bundle of house rules: quick, gentle, strict or marathon\n"
     "               (\"rules edition\" tells them); single flags come after it\n"
     "  --flag       single rules on or off, unlike the house has them:\n"
#define FLAG(id, name, ...) "               " #name "\n"
#include "core/card/profile_flags.def"
#undef FLAG

     "  --watch      bot players only\n"
     "  --guide      hints for a first game, each when it first matters; a newcomer at\n"
     "               a terminal is asked, once; --no-guide: neither\n"
     "  --record     writes the game down in FILE, for \"munchbot table verify FILE\"\n"
     "  --store      where the game is kept: \"sqlite:PATH\" or \"postgresql://...\"; if\n"
     "               not said, in your own folder for such things\n"
     "               ($XDG_STATE_HOME/munchbot/tables.db); a game that is only watched\n"
     "               is kept nowhere unless it is said\n"
     "  --resume     goes on with the newest game there that was interrupted\n"
     "  --sets-path  a folder with card sets of your own, or one set, for --set to name",
     play},
    {"run", "the service: connects every configured chat network and serves all tables",
     "[--config FILE]\n\n"
     "  --config     the configuration; if not said, /etc/munchbot/munchbot.conf.\n"
     "               config/munchbot.example.conf explains every key\n\n"
     "Tokens come from the environment (MUNCHBOT_DISCORD_TOKEN), a file or systemd's\n"
     "credentials, and MUNCHBOT_STORE goes before the configuration's store. What\n"
     "happens is logged on standard error. SIGTERM and SIGINT finish what is under\n"
     "way and end it; SIGHUP has the log's level read again.",
     cmd_run},
    {"check", "checks configuration, secrets, card sets and store without connecting",
     "[--config FILE]\n\n"
     "Names every problem, and exits 1 if there is one. A store that is not there yet\n"
     "is not made.",
     cmd_check},
    {"cards", "lists, shows and checks card sets, and begins one of your own",
     "list [--set S] [--sets-path DIR]\n       munchbot cards show NAME [--sets-path DIR]\n"
     "       munchbot cards check [DIR...]\n"
     "       munchbot cards new DIR\n       munchbot cards reference\n\n"
     "  check        names what is wrong with sets, all or those; a \"note\" is worth a\n"
     "               look, and no mistake\n"
     "  new          writes a small set to DIR, which is not there yet, to begin with\n"
     "  reference    prints the words of the card language\n"
     "  --sets-path  a folder with sets of your own, or one set: they are there too",
     cmd_cards},
    {"scenario", "runs scenario files and prints TAP",
     "[--verbose] [--restart[=URL]] [--sets-path DIR] FILE...\n\n"
     "  --verbose    says what happens, as comment lines\n"
     "  --restart    destroys the table after everything done at it and makes it from\n"
     "               its bytes: every file must pass as well; with a store's URL these\n"
     "               come out of the store, stopped and started each time\n"
     "  --sets-path  a folder with card sets of your own, or one set, for files to name",
     scenario},
    {"simulate", "plays whole games without chat and prints figures",
     "--set S[,S...] --players N --games N [--seed X] [--policy P[,P...]]\n"
     "       [--house S] [--variant V,...] [--preset P] [--flag NAME[=off],...]\n"
     "       [--json] [--check[=sample]] [--report] [--sets-path DIR]\n\n"
     "  --house, --variant, --preset, --flag: as \"munchbot play\" has them\n"
     "  --sets-path  a folder with card sets of your own, or one set, for --set to name\n"
     "  --check      every rule that always holds, tried after every command;\n"
     "               =sample: some of them only now and then\n"
     "  --report     what the games say about the balance: rounds, wins by seat and\n"
     "               by order of play, final Levels, deaths, and how often the one\n"
     "               player who put a card in play won; with --json under \"balance\"\n"
     "  --json       the figures as one JSON object\n\n"
     "Policies: random, rookie, regular, ruthless; one for all seats or one a seat.",
     cmd_simulate},
    {"soak", "tables of people who type, through hall and store: capacity and torture test",
     "--store URL [--tables N] [--rate R] [--seconds T | --games N] [--seed X]\n"
     "       [--policy P[,P...]] [--platform FILE] [--speed S] [--first N] [--verify]\n"
     "       [--set S[,S...]] [--sets-path DIR] [--json]\n\n"
     "  --store      \"sqlite:PATH\" or \"postgresql://...\": what lies there is gone on\n"
     "               with; several soaks on one store play its games together\n"
     "  --tables     games at once (64)\n"
     "  --rate       lines a second at most\n"
     "  --seconds    for so long; --games: until so many games are over\n"
     "  --seed       the same lines again (1)\n"
     "  --policy     who types, by seat: random, rookie, regular, ruthless (regular)\n"
     "  --platform   a file that shows what was said, a line a message, and outlives\n"
     "               the bot: what comes again under a key is not shown again\n"
     "  --speed      how many times as fast as a clock time passes; without it, on to\n"
     "               what falls due. Several soaks on one store need it, the same\n"
     "  --first      game to begin with; those before it come last\n"
     "  --verify     at the end each game is played again from its journal\n"
     "  --set        card sets to mix (classic)\n"
     "  --sets-path  a folder with card sets of your own, or one set, for --set to name\n"
     "  --json       one object with all figures, each game's among them",
     soak},
    {"table", "an operator's view of the store's tables; checks recorded games",
     "list [--store URL]\n"
     "       munchbot table show ID|export ID [--reveal] [--store URL]\n"
     "       munchbot table import FILE [--store URL] [--sets-path DIR]\n"
     "       munchbot table verify [ID...|FILE...] [--store URL] [--sets-path DIR]\n\n"
     "  list         every table, one a line: those that are put away last\n"
     "  show         how things stand there, as everybody sees it\n"
     "  export       all of it as JSON; while the game runs without hands and seed\n"
     "  --reveal     hands and seed, too: it is announced at that table, first\n"
     "  import       puts an export into a store that does not have the table\n"
     "  verify       plays games again, with only the card sets: commitment, every roll\n"
     "               and shuffle, every command, the result; those of these tables, or\n"
     "               in these files (\"munchbot play --record FILE\" or \"table export\"\n"
     "               wrote them), or of all tables; exit 1 if one does not agree\n"
     "  --store      \"sqlite:PATH\" or \"postgresql://...\"; if not said, MUNCHBOT_STORE,\n"
     "               else the service's store, else your own. The service may run.\n"
     "  --sets-path  a folder with sets of your own, or one set: games may be of them",
     table},
    {"user", "what is kept of a person, told or forgotten",
     "export NETWORK:ID [--store URL]\n"
     "       munchbot user forget NETWORK:ID [--store URL]\n\n"
     "  export       all that the store keeps of them, as JSON\n"
     "  forget       they are \"former player\" everywhere: at tables (bot players take\n"
     "               their seats), in journals, logs and records; \"table verify\" still\n"
     "               finds all as it was\n"
     "  NETWORK:ID   discord:80351110224678912, matrix:@ann:example.org\n"
     "  --store      as for \"munchbot table\"; the service may run",
     user},
    {"store", "copies a store while it is served, and makes one of a copy",
     "backup FILE [--store URL]\n"
     "       munchbot store restore FILE [--store URL]\n\n"
     "  backup       writes a consistent copy to FILE, which is not there yet\n"
     "  restore      makes the store of FILE, where none is yet; nothing that was said\n"
     "               before is taken for what is said from then on\n"
     "  --store      \"sqlite:PATH\"; as for \"munchbot table\". For PostgreSQL use its own\n"
     "               tools: pg_dump and pg_restore, or a base backup",
     store},
    {"matrix", "the bot's account at its homeserver: logs in, or names every problem",
     "login [--config FILE]\n       munchbot matrix check [--config FILE]\n\n"
     "  login        asks once for the password of [matrix]'s user_id (or reads it from\n"
     "               MUNCHBOT_MATRIX_PASSWORD) and writes the token into its token_file\n"
     "  check        looks at token, account and server; nothing is served",
     cmd_matrix},
    {"discord", "the application's settings at Discord: names what is wrong, or mends it",
     "check [--config FILE]\n       munchbot discord setup [--config FILE]\n\n"
     "  check        compares the settings with what the bot needs; nothing is served\n"
     "  setup        changes those that can be changed from here, then checks",
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
    (void)fputs("\n\"munchbot COMMAND --help\" says more; \"munchbot --version\" says which.\n",
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
