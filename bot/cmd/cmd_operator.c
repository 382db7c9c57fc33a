// `munchbot table|user|store ...`: what an operator sees and does of a store, its tables, and
// recorded games, checked with nothing but the card sets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "core/codec/memory.h"

#include "bot/cards_dir.h"
#include "bot/cmd/arguments.h"
#include "bot/cmd/cmd.h"
#include "bot/kept/kept_table.h"
#include "bot/render/render.h"
#include "bot/store.h"
#include "bot/table/journal_file.h"
#include "bot/table/workspace.h"
#include "bot/text/text.h"

enum { LINE_SIZE = 1024, SENTENCE_SIZE = 4096, SHOWN_SIZE = 32768 };

/* A store, and card sets. */

struct operator
{
    const struct cmd_stores *stores;
    const struct arguments *arguments;
    struct catalog *catalog;
    struct store *store;
    bool makes;       // a store that is named is made if it is not there
    struct kept kept; // open if `store` is not NULL
};
static void operator_say(FILE *to, enum text_id id, const struct text_arg *args)
{
    char line[SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    (void)fputs(line, to);
}

// One line on stderr: "munchbot COMMAND: ..."; returns CMD_FAILED.
static int operator_fail(const struct operator* op, const struct mb_error *err)
{
    (void)fflush(stdout);
    operator_say(stderr, TEXT_OPERATOR_FAILED,
                 TEXT_ARGS(text_str("what", op->arguments->name), text_str("reason", err->text)));
    return CMD_FAILED;
}

// Opens the card sets ...
static bool operator_open_cards(struct operator* op, struct mb_error *err)
{
    op->catalog =
        op->catalog != NULL ? op->catalog : cards_load(op->arguments->value[OPTION_SETS_PATH], err);
    return op->catalog != NULL;
}

// ... and the store that is named, or is there. False with an error.
static bool operator_open(struct operator* op, struct mb_error *err)
{
    if (op->store != NULL) {
        return true;
    }
    if (!operator_open_cards(op, err)) {
        return false;
    }
    const char *const url = op->arguments->value[OPTION_STORE];
    op->store = op->makes && url != NULL ? op->stores->open(url, err) : op->stores->find(url, err);
    return op->store != NULL && kept_open(&op->kept, op->catalog, op->store, err);
}

static void operator_end(struct operator* op)
{
    kept_close(&op->kept);
    store_destroy(op->store);
    catalog_destroy(op->catalog);
}

// Calls `each` with the id of every table of the store, archived ones or the others, in the order
// of ids; false: it or the store has failed.
static bool operator_each(struct operator* op, bool archived,
                          bool (*each)(void *user, const char *id, struct mb_error *err),
                          void *user, struct mb_error *err)
{
    char after[STORE_TABLE_SIZE] = "";
    size_t count = STORE_DUE_MAX;
    while (count == STORE_DUE_MAX) {
        const struct store_request request = {
            .kind = STORE_LIST, .archived = archived, .after = after};
        struct store_answer *const page = store_call(op->store, &request);
        bool done = page != NULL && page->result == STORE_DONE;
        count = done ? page->count : 0;
        if (!done) {
            (void)mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
        for (size_t i = 0; done && i < count; i++) {
            done = each(user, page->texts[i], err);
            (void)snprintf(after, sizeof after, "%s", page->texts[i]);
        }
        store_answer_free(page);
        if (!done) {
            return false;
        }
    }
    return true;
}

static const enum text_id STATES[] = {[TABLE_EMPTY] = TEXT_TABLE_STATE_EMPTY,
                                      [TABLE_LOBBY] = TEXT_TABLE_STATE_LOBBY,
                                      [TABLE_RUNNING] = TEXT_TABLE_STATE_RUNNING,
                                      [TABLE_PAUSED] = TEXT_TABLE_STATE_PAUSED,
                                      [TABLE_OVER] = TEXT_TABLE_STATE_OVER};

/* Verifying. */

struct tally {
    struct operator* op;
    long verified, failed;
};

// What a doubter finds in the chat.
static void report_luck(const char *what, const struct journal_report *report)
{
    const char *names[MB_SEATS_MAX];
    char who[LINE_SIZE];
    struct text_out out;
    if (!report->luck.drawn) {
        operator_say(stdout, TEXT_VERIFY_GIVEN, TEXT_ARGS(text_str("file", what)));
        return;
    }
    for (unsigned seat = 0; seat < report->dealt; seat++) {
        names[seat] = report->first[seat].name;
    }
    text_begin(&out, who, sizeof who);
    text_list(&out, names, report->dealt, TEXT_AND);
    const char *const start = report->luck.start;
    operator_say(
        stdout, TEXT_VERIFY_DRAWN,
        TEXT_ARGS(text_str("file", what), text_str("table", report->luck.table),
                  text_str("start", start[0] != '\0' ? start : text_sentence(TEXT_VERIFY_NO_START)),
                  text_str("who", who)));
}

static void report_good(const char *what, const struct journal_report *report, bool runs)
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
    enum text_id id = count > 0 ? TEXT_VERIFY_WON : TEXT_VERIFY_ENDED;
    id = runs ? TEXT_VERIFY_RUNS : id;
    operator_say(stdout, id,
                 TEXT_ARGS(text_str("file", what), text_num("n", (long)report->commands),
                           text_num("m", (long)report->rolls),
                           text_num("shuffles", (long)report->shuffles),
                           text_num("rounds", (long)report->rounds), text_str("who", winners),
                           text_str("hash", report->commitment)));
    report_luck(what, report);
    if (report->from > 0) {
        operator_say(stdout, TEXT_VERIFY_FROM,
                     TEXT_ARGS(text_str("file", what), text_num("n", (long)report->from)));
    }
}

static void note_verified(struct tally *tally, const char *what, bool good,
                          const struct journal_report *report, bool runs,
                          const struct mb_error *why)
{
    if (good) {
        report_good(what, report, runs);
        tally->verified++;
    } else {
        (void)fflush(stdout);
        operator_say(stderr, TEXT_VERIFY_FAILED,
                     TEXT_ARGS(text_str("file", what), text_str("reason", why->text)));
        tally->failed++;
    }
}

// A recorded game, or the one in an exported table.
static bool verify_file(struct tally *tally, const char *path)
{
    struct mb_error why = {0};
    struct journal_report report;
    size_t size = 0;
    if (!operator_open_cards(tally->op, &why)) {
        (void)operator_fail(tally->op, &why);
        return false;
    }
    char *const text = journal_file_read(path, &size, &why);
    char *const game = text != NULL ? table_file_game(text, size) : NULL;
    const bool good =
        text != NULL && journal_verify(tally->op->catalog, game != NULL ? game : text,
                                       game != NULL ? strlen(game) : size, &report, &why);
    note_verified(tally, path, good, &report, false, &why);
    free(game);
    free(text);
    return true;
}

// `all`: a table at which nothing was played yet is none.
static void verify_table(struct tally *tally, const char *id, bool all)
{
    struct kept_table table;
    struct journal_report report;
    struct mb_error why = {0};
    bool good = kept_fetch(&tally->op->kept, id, &table, &why);
    if (!good || table.piece_count > 0 || !all) {
        good = good && (table.piece_count > 0 ||
                        mb_fail(&why, MB_ERR_STATE, "nothing was played there yet"));
        good = good && kept_verify(&table, &report, &why);
        note_verified(tally, id, good, &report, good && kept_is_secret(&table), &why);
    }
    kept_table_finish(&table);
}

static bool verify_each(void *user, const char *id, struct mb_error *err)
{
    (void)err;
    verify_table(user, id, true);
    return true;
}

static bool is_file(const char *name)
{
    return strchr(name, '/') != NULL || strchr(name, '.') != NULL || access(name, F_OK) == 0;
}

static int verify_tables(struct operator* op)
{
    struct tally tally = {.op = op};
    struct mb_error err = {0};
    bool done = true;
    for (int i = 0; done && i < op->arguments->count; i++) {
        const char *const what = op->arguments->operands[i];
        if (is_file(what)) {
            done = verify_file(&tally, what);
        } else if (operator_open(op, &err)) {
            verify_table(&tally, what, false);
        } else {
            return operator_fail(op, &err);
        }
    }
    if (op->arguments->count == 0 &&
        (!operator_open(op, &err) || !operator_each(op, false, verify_each, &tally, &err) ||
         !operator_each(op, true, verify_each, &tally, &err))) {
        return operator_fail(op, &err);
    }
    if (!done) {
        return CMD_FAILED;
    }
    operator_say(stdout, TEXT_VERIFY_TOTAL,
                 TEXT_ARGS(text_num("n", tally.verified), text_num("m", tally.failed)));
    return tally.failed == 0 ? CMD_DONE : CMD_FAILED;
}

/* Listing and showing. */

static const char *word_of(enum text_id id, char out[LINE_SIZE])
{
    struct text_out to;
    text_begin(&to, out, LINE_SIZE);
    text_put(&to, id, NULL);
    return out;
}

static void put_table(const struct kept_table *table)
{
    char state[LINE_SIZE];
    char people[LINE_SIZE];
    const char *names[MB_SEATS_MAX];
    struct text_out out;
    const unsigned count = table_seat_count(table->table);
    for (unsigned i = 0; i < count; i++) {
        names[i] = table_seat_name(table->table, i);
    }
    text_begin(&out, people, sizeof people);
    text_list(&out, names, count, TEXT_AND);
    const bool away = table->loaded->version == 0;
    const bool sites = table_site_count(table->table) > 0;
    operator_say(stdout, away ? TEXT_TABLE_LINE_AWAY : TEXT_TABLE_LINE,
                 TEXT_ARGS(text_str("what", table_id(table->table)),
                           text_str("how", word_of(STATES[table_state(table->table)], state)),
                           text_str("where", sites ? table_site_name(table->table, 0) : "-"),
                           text_str("who", count > 0 ? people : "-"),
                           text_num("n", (long)table->journal.count)));
}

// A table that goes while it is looked at, or cannot be read, is named with the reason.
static bool list_one(void *user, const char *id, struct mb_error *err)
{
    struct operator* const op = user;
    struct kept_table table;
    struct mb_error why = {0};
    (void)err;
    if (kept_fetch(&op->kept, id, &table, &why)) {
        put_table(&table);
    } else {
        (void)fflush(stdout);
        operator_say(stderr, TEXT_VERIFY_FAILED,
                     TEXT_ARGS(text_str("file", id), text_str("reason", why.text)));
    }
    kept_table_finish(&table);
    return true;
}

static int list_tables(struct operator* op)
{
    struct mb_error err = {0};
    if (!operator_open(op, &err) || !operator_each(op, false, list_one, op, &err) ||
        !operator_each(op, true, list_one, op, &err)) {
        return operator_fail(op, &err);
    }
    return CMD_DONE;
}

static bool fetch_table(struct operator* op, struct kept_table *out, struct mb_error *err)
{
    *out = (struct kept_table){.loaded = NULL};
    return operator_open(op, err) && kept_fetch(&op->kept, op->arguments->operands[0], out, err);
}

static bool reveals_table(const struct operator* op, const struct kept_table *table)
{
    return op->arguments->value[OPTION_REVEAL] != NULL && kept_is_secret(table);
}

static int show_table(struct operator* op)
{
    struct kept_table table;
    struct mb_error err = {0};
    struct table_words words;
    char *const text = mb_new(1, SHOWN_SIZE);
    bool done = fetch_table(op, &table, &err);
    done = done && (!reveals_table(op, &table) || kept_announce(&op->kept, &table, &err));
    if (done) {
        put_table(&table);
    }
    const uint64_t stamp = done ? table_workspace_stamp(op->kept.workspace) : 0;
    const bool plays = done && query_seat_count(table_game(table.table)) > 0;
    if (plays && table_words(table.table, stamp, op->kept.workspace, NO_SEAT, &words)) {
        scene_make(op->kept.workspace->scene, &words, SAYS_NOTHING);
        (void)render_table(op->kept.workspace->scene, text, SHOWN_SIZE);
        (void)printf("\n%s\n", text);
    }
    for (unsigned seat = 0;
         plays && reveals_table(op, &table) && seat < table_seat_count(table.table); seat++) {
        if (table_words(table.table, stamp, op->kept.workspace, seat, &words)) {
            scene_make(op->kept.workspace->scene, &words, SAYS_OWN);
            (void)render_hand(op->kept.workspace->scene, text, SHOWN_SIZE);
            (void)printf("\n%s:\n%s\n", table_seat_name(table.table, seat), text);
        }
    }
    if (plays && reveals_table(op, &table)) {
        char seed[DIGEST_HEX_SIZE];
        digest_hex(table.journal.seed, sizeof table.journal.seed, seed);
        operator_say(stdout, TEXT_TABLE_SEED, TEXT_ARGS(text_str("hash", seed)));
    }
    kept_table_finish(&table);
    free(text);
    return done ? CMD_DONE : operator_fail(op, &err);
}

/* Files. */

static int export_table(struct operator* op)
{
    struct kept_table table;
    struct mb_error err = {0};
    const bool done = fetch_table(op, &table, &err) &&
                      (!reveals_table(op, &table) || kept_announce(&op->kept, &table, &err));
    char *const text =
        done ? table_file_export(&table, op->arguments->value[OPTION_REVEAL] != NULL, &err) : NULL;
    if (text != NULL) {
        (void)puts(text);
    }
    kept_table_finish(&table);
    free(text);
    return text != NULL ? CMD_DONE : operator_fail(op, &err);
}

static int import_file(struct operator* op)
{
    struct mb_error err = {0};
    char id[TABLE_ID_SIZE];
    size_t size = 0;
    op->makes = true;
    char *const text = journal_file_read(op->arguments->operands[0], &size, &err);
    const bool done = text != NULL && operator_open(op, &err) &&
                      table_file_import(&op->kept, text, size, id, &err);
    free(text);
    if (!done) {
        return operator_fail(op, &err);
    }
    operator_say(stdout, TEXT_TABLE_IMPORTED, TEXT_ARGS(text_str("what", id)));
    return CMD_DONE;
}

int cmd_table(const struct arguments *arguments, const struct cmd_stores *stores)
{
    static const struct {
        const char *verb;
        int (*run)(struct operator* op);
    } VERBS[] = {{"list", list_tables},
                 {"show", show_table},
                 {"export", export_table},
                 {"import", import_file},
                 {"verify", verify_tables}};
    struct operator op = {.arguments = arguments, .stores = stores };
    int status = CMD_WRONG_USAGE;
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; i++) {
        status = strcmp(arguments->verb, VERBS[i].verb) == 0 ? VERBS[i].run(&op) : status;
    }
    operator_end(&op);
    return status;
}

/* `munchbot user`: what is kept of a person. */

// "discord:80351110224678912": a network and the person's id there. False: it is none.
static bool split_id(char *word, const char **network, const char **person)
{
    char *const colon = strchr(word, ':');
    if (colon == NULL || colon == word || colon[1] == '\0' || colon - word >= PERSON_NETWORK_SIZE ||
        strlen(colon + 1) >= PERSON_ID_SIZE) {
        return false;
    }
    *colon = '\0';
    *network = word;
    *person = colon + 1;
    return true;
}

static int export_user(struct operator* op, const char *network, const char *person)
{
    struct mb_error err = {0};
    char *const text =
        operator_open(op, &err) ? forget_export(&op->kept, network, person, &err) : NULL;
    if (text == NULL) {
        return operator_fail(op, &err);
    }
    (void)puts(text);
    free(text);
    return CMD_DONE;
}

static int forget_user(struct operator* op, const char *network, const char *person)
{
    struct mb_error err = {0};
    size_t tables = 0;
    if (!operator_open(op, &err) || !forget_person(&op->kept, network, person, &tables, &err)) {
        return operator_fail(op, &err);
    }
    operator_say(stdout, TEXT_USER_FORGOTTEN, TEXT_ARGS(text_num("n", (long)tables)));
    return CMD_DONE;
}

int cmd_user(const struct arguments *arguments, const struct cmd_stores *stores)
{
    struct operator op = {.arguments = arguments, .stores = stores };
    const char *network = NULL;
    const char *person = NULL;
    int status = CMD_WRONG_USAGE;
    if (!split_id(arguments->operands[0], &network, &person)) {
        operator_say(stderr, TEXT_USER_WHO, TEXT_ARGS(text_str("what", arguments->operands[0])));
    } else if (strcmp(arguments->verb, "export") == 0) {
        status = export_user(&op, network, person);
    } else {
        status = forget_user(&op, network, person);
    }
    operator_end(&op);
    return status;
}

// A copy of a store while it is served, and a store of a copy.
int cmd_store(const struct arguments *arguments, const struct cmd_stores *stores)
{
    const struct operator op = {.arguments = arguments, .stores = stores };
    struct mb_error err = {0};
    const bool backs_up = strcmp(arguments->verb, "backup") == 0;
    const char *const url = arguments->value[OPTION_STORE];
    const char *const file = arguments->count > 0 ? arguments->operands[0] : NULL;
    if (!(backs_up ? stores->backup(url, file, &err) : stores->restore(url, file, &err))) {
        return operator_fail(&op, &err);
    }
    operator_say(stdout,
                 backs_up       ? TEXT_STORE_BACKED_UP
                 : file != NULL ? TEXT_STORE_RESTORED
                                : TEXT_STORE_RESTORED_ALREADY,
                 TEXT_ARGS(text_str("file", file != NULL ? file : "")));
    return CMD_DONE;
}
