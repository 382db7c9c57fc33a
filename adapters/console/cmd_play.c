// `munchbot play`: options, card sets, a table, and off it goes (adapters/console/play.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/hall/hall.h"
#include "bot/policy/policy.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/play.h"
#include "adapters/console/play_options.h"
#include "adapters/console/record.h"
#include "adapters/console/saved.h"

enum { SENTENCE_SIZE = 1024 };

// Everything a game at the terminal holds.
struct kit {
    struct play_options options;
    struct table_options table;
    const struct policy *policy;
    struct catalog *catalog;
    struct store *store;
    struct hall *hall;
    struct chat *chat;
    struct chat_queue queue;
    struct saved saved; // who plays, and where
    bool kept;          // in a store that outlives the program
    char not_kept[SENTENCE_SIZE];
    const char *people[MB_SEATS_MAX];
    struct deed_seat seats[MB_SEATS_MAX];
    uint8_t chance[TABLE_CHANCE_SIZE];
    struct mb_error record_error;
};

_Static_assert((int)TABLE_CHANCE_SIZE == (int)DIGEST_SIZE, "a seed fixes all the chance of a game");

static int fail(enum text_id id, const char *reason, int status)
{
    char line[SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("reason", reason)));
    (void)fputs(line, stderr);
    return status;
}

// A seed that was given is all the chance of the game; else a secret from which its seed is drawn.
static void draw_chance(struct kit *kit)
{
    if (kit->options.seeded) {
        memcpy(kit->chance, kit->options.seed, sizeof kit->chance);
    } else {
        randombytes_buf(kit->chance, sizeof kit->chance);
    }
}

static bool record(struct kit *kit, bool interrupted)
{
    struct table_words words;
    const struct table *const table = hall_table(kit->hall, kit->chat, kit->saved.place);
    if (kit->options.record == NULL || kit->record_error.code != MB_OK || table == NULL ||
        !hall_words(kit->hall, kit->chat, kit->saved.place, NO_SEAT, &words)) {
        return true;
    }
    return record_save(kit->store, table, &words, interrupted, kit->options.record,
                       &kit->record_error);
}

// Once a turn: what is lost when the power goes is the turn that was being played. The file is made
// before anybody acts: what cannot be written is told at once.
static bool record_turn(void *user)
{
    return record(user, false);
}

static int finish_recording(struct kit *kit, int status)
{
    return record(kit, true) && kit->record_error.code == MB_OK
               ? status
               : fail(TEXT_PLAY_NOT_RECORDED, kit->record_error.text, CMD_FAILED);
}

// People first, then bot players, women and men in turn.
static void sit_down(struct kit *kit)
{
    const struct play_options *const options = &kit->options;
    kit->saved.people_count = options->people_count;
    memcpy(kit->saved.people, options->people, sizeof kit->saved.people);
    for (unsigned i = 0; i < options->seats; i++) {
        if (i < options->people_count) {
            kit->seats[i].person = (struct person){
                .network = "console", .id = options->people[i], .name = options->people[i]};
            kit->seats[i].female = options->female[i];
        } else {
            const unsigned bot = i - options->people_count;
            kit->seats[i] = (struct deed_seat){.bot = play_options_bot_name(options, bot),
                                               .policy = kit->policy,
                                               .female = bot % 2 == 0};
        }
    }
}

// Who is at the keyboard, and bot players where a game begins.
static void welcome(struct kit *kit)
{
    const char *names[MB_SEATS_MAX];
    char players[SENTENCE_SIZE];
    struct text_out out;
    const unsigned people = kit->saved.people_count;
    const unsigned count = kit->options.resume ? people : kit->options.seats;
    for (unsigned i = 0; i < count; i++) {
        names[i] = i < people ? kit->people[i] : kit->seats[i].bot;
    }
    text_begin(&out, players, sizeof players);
    text_list(&out, names, count, TEXT_AND);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("players", players), text_str("who", names[0]));
    enum text_id id = TEXT_CONSOLE_WELCOME;
    if (kit->options.resume) {
        id = TEXT_CONSOLE_RESUMED;
    } else if (people != 1) {
        id = kit->options.watch ? TEXT_CONSOLE_WELCOME_WATCH : TEXT_CONSOLE_WELCOME_HOTSEAT;
    }
    console_say(kit->chat, id, args);
    console_say(kit->chat, TEXT_CONSOLE_UNOFFICIAL, NULL);
    if (kit->not_kept[0] != '\0') {
        console_say(kit->chat, TEXT_CONSOLE_NOT_KEPT, TEXT_ARGS(text_str("reason", kit->not_kept)));
    }
    // Of a game that is gone on with nothing is known yet: several people need no bot players.
    const bool bots = kit->options.resume ? people == 1 : people > 0 && kit->options.seats > people;
    if (console_in_is_terminal(kit->chat) && bots) {
        console_say(kit->chat, TEXT_CONSOLE_ENTER, NULL);
    }
}

// A store in memory: nobody's game can be lost with it, or its own place cannot be written.
static bool open_memory(struct kit *kit, const struct cmd_stores *stores, struct mb_error *err)
{
    kit->store = stores->memory();
    return kit->store != NULL && store_start(kit->store, err);
}

static bool open_store(struct kit *kit, const struct cmd_stores *stores, struct mb_error *err)
{
    struct mb_error why = {0};
    const char *const named = kit->options.arguments->value[OPTION_STORE];
    const char *url = named != NULL ? named : getenv("MUNCHBOT_STORE");
    url = url != NULL && url[0] != '\0' ? url : NULL;
    if (kit->options.watch && named == NULL) {
        return open_memory(kit, stores, err);
    }
    kit->store = stores->open(url, &why);
    kit->kept = kit->store != NULL;
    if (kit->kept) {
        return true;
    }
    if (url != NULL || kit->options.resume) {
        return mb_fail(err, why.code, "%s", why.text);
    }
    (void)snprintf(kit->not_kept, sizeof kit->not_kept, "%s", why.text);
    return open_memory(kit, stores, err);
}

// Which game it is: a new one, or the one that was interrupted last.
static bool choose_game(struct kit *kit, struct mb_error *err)
{
    const bool found = kit->options.resume ? saved_find(kit->store, &kit->saved, err)
                                           : saved_begin(kit->store, &kit->saved, err);
    for (unsigned i = 0; i < kit->saved.people_count; i++) {
        kit->people[i] = kit->saved.people[i];
    }
    return found;
}

// A hall with one chat.
static bool make_hall(struct kit *kit, const struct cmd_stores *stores, struct mb_error *err)
{
    static const struct rate_rule AT_WILL = {.burst = INT16_MAX, .refill_ms = 1};
    chat_queue_init(&kit->queue);
    if (!open_store(kit, stores, err) || !choose_game(kit, err)) {
        return false;
    }
    const struct console_setup setup = {.in = STDIN_FILENO,
                                        .out = STDOUT_FILENO,
                                        .place = kit->saved.place,
                                        .people = kit->people,
                                        .people_count = kit->saved.people_count,
                                        .resumed = kit->options.resume,
                                        .queue = &kit->queue};
    kit->chat = console_create(&setup);
    if (!chat_start(kit->chat, err)) {
        return false;
    }
    const struct hall_setup hall = {.catalog = kit->catalog,
                                    .store = kit->store,
                                    .person = AT_WILL,
                                    .place = AT_WILL,
                                    .alone = true};
    kit->hall = hall_create(&hall);
    return hall_add_chat(kit->hall, kit->chat, err);
}

static void unmake_hall(struct kit *kit)
{
    hall_destroy(kit->hall);
    chat_destroy(kit->chat);
    store_destroy(kit->store);
    chat_queue_finish(&kit->queue);
    kit->hall = NULL;
    kit->chat = NULL;
    kit->store = NULL;
}

// The game is over, or was left: it is not gone on with.
static void end_game(struct kit *kit, bool over)
{
    hall_destroy(kit->hall);
    kit->hall = NULL;
    saved_end(kit->store, &kit->saved, !over);
}

// One game; `again`: another one is wanted.
static int play_once(struct kit *kit, const struct cmd_stores *stores, bool *again)
{
    struct mb_error err = {0};
    if (!make_hall(kit, stores, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    draw_chance(kit);
    welcome(kit);
    const struct deed_table table = {.options = &kit->table,
                                     .seats = kit->seats,
                                     .seat_count = kit->options.seats,
                                     .seeded = kit->options.seeded};
    struct play play = {.hall = kit->hall,
                        .chat = kit->chat,
                        .queue = &kit->queue,
                        .place = kit->saved.place,
                        .resumed = kit->options.resume,
                        .table = &table,
                        .chance = kit->chance,
                        .people = kit->people,
                        .people_count = kit->saved.people_count,
                        .guided = kit->options.guide == PLAY_GUIDE_ON,
                        .ask_guide = kit->options.guide == PLAY_GUIDE_ASK,
                        .kept = kit->kept,
                        .ask_again = !kit->options.seeded && kit->options.record == NULL &&
                                     !kit->options.resume,
                        .turn = kit->options.record != NULL ? record_turn : NULL,
                        .user = kit};
    const int status = play_run(&play);
    *again = play.again;
    chat_stop(kit->chat); // what follows goes to a terminal as it was
    const int recorded = finish_recording(kit, status);
    const struct table *const last = hall_table(kit->hall, kit->chat, kit->saved.place);
    if (!play.interrupted) {
        end_game(kit, last != NULL && table_state(last) == TABLE_OVER);
    }
    return recorded;
}

// What a new game is to be; false with its exit status.
static bool prepare(struct kit *kit, int *status)
{
    struct box box;
    struct mb_error err = {0};
    *status = CMD_WRONG_USAGE;
    if (!play_options_table(&kit->options, kit->catalog, &kit->table)) {
        (void)fprintf(stderr, "%s\n", kit->options.arguments->complaint);
        return false;
    }
    if (!table_options_ready(&kit->table, kit->catalog, &err) ||
        !table_options_box(&kit->table, kit->catalog, &box, &err)) {
        *status = fail(TEXT_PLAY_FAILED, err.text,
                       err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED);
        return false;
    }
    return true;
}

static int play_with(struct kit *kit, const struct cmd_stores *stores)
{
    struct mb_error err = {0};
    int status = CMD_DONE;
    const char *const level = kit->options.arguments->value[OPTION_LEVEL];
    kit->policy = level != NULL ? policy_find(level, &err) : policy_default();
    if (kit->policy == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_WRONG_USAGE);
    }
    kit->catalog = cards_load(kit->options.arguments->value[OPTION_SETS_PATH], &err);
    if (kit->catalog == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    if (!kit->options.resume) {
        if (!prepare(kit, &status)) {
            return status;
        }
        sit_down(kit);
    }
    for (bool again = true; again;) {
        again = false;
        status = play_once(kit, stores, &again);
        unmake_hall(kit);
    }
    return status;
}

int cmd_play(const struct arguments *arguments, const struct cmd_stores *stores)
{
    int status = CMD_WRONG_USAGE;
    if (sodium_init() < 0) {
        return fail(TEXT_PLAY_FAILED, "libsodium cannot be used", CMD_FAILED);
    }
    struct kit *const kit = mb_new(1, sizeof *kit);
    if (!play_options_read(&kit->options, arguments)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
    } else {
        status = play_with(kit, stores);
    }
    catalog_destroy(kit->catalog);
    free(kit);
    return status;
}
