// `munchbot play`: options, card sets, a table, and off it goes (adapters/console/play.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <sodium.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/hall/hall.h"
#include "bot/policy/policy.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/play.h"
#include "adapters/console/play_options.h"
#include "adapters/console/record.h"

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
    const char *people[MB_SEATS_MAX];
    struct deed_seat seats[MB_SEATS_MAX];
    char seed[DIGEST_HEX_SIZE];
    uint8_t chance[TABLE_CHANCE_SIZE];
    struct mb_error record_error;
};

_Static_assert((int)TABLE_CHANCE_SIZE == (int)DIGEST_SIZE, "a seed is all the chance of a game");

static const char PLACE[] = "terminal";

static int fail(enum text_id id, const char *reason, int status)
{
    char line[SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("reason", reason)));
    (void)fputs(line, stderr);
    return status;
}

static void draw_seed(struct kit *kit)
{
    if (kit->options.seeded) {
        memcpy(kit->chance, kit->options.seed, sizeof kit->chance);
    } else {
        randombytes_buf(kit->chance, sizeof kit->chance);
    }
    digest_hex(kit->chance, sizeof kit->chance, kit->seed);
}

static bool record(struct kit *kit, bool interrupted)
{
    struct table_words words;
    const struct table *const table = hall_table(kit->hall, kit->chat, PLACE);
    if (kit->options.record == NULL || kit->record_error.code != MB_OK || table == NULL ||
        !hall_words(kit->hall, kit->chat, PLACE, NO_SEAT, &words)) {
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
    for (unsigned i = 0; i < options->seats; i++) {
        if (i < options->people_count) {
            kit->people[i] = options->people[i];
            kit->seats[i].person =
                (struct person){.network = "console", .id = kit->people[i], .name = kit->people[i]};
            kit->seats[i].female = options->female[i];
        } else {
            const unsigned bot = i - options->people_count;
            kit->seats[i] = (struct deed_seat){.bot = play_options_bot_name(options, bot),
                                               .policy = kit->policy,
                                               .female = bot % 2 == 0};
        }
    }
}

static void welcome(struct kit *kit)
{
    const char *names[MB_SEATS_MAX];
    char players[SENTENCE_SIZE];
    struct text_out out;
    const unsigned count = kit->options.seats;
    for (unsigned i = 0; i < count; i++) {
        names[i] = i < kit->options.people_count ? kit->people[i] : kit->seats[i].bot;
    }
    text_begin(&out, players, sizeof players);
    text_list(&out, names, count, TEXT_AND);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("players", players), text_str("who", names[0]));
    enum text_id id = TEXT_CONSOLE_WELCOME;
    if (kit->options.people_count != 1) {
        id = kit->options.watch ? TEXT_CONSOLE_WELCOME_WATCH : TEXT_CONSOLE_WELCOME_HOTSEAT;
    }
    console_say(kit->chat, id, args);
    console_say(kit->chat, TEXT_CONSOLE_UNOFFICIAL, NULL);
    if (console_in_is_terminal(kit->chat) && kit->options.people_count > 0 &&
        count > kit->options.people_count) {
        console_say(kit->chat, TEXT_CONSOLE_ENTER, NULL);
    }
}

// A hall with one chat, on a store of its own.
static bool make_hall(struct kit *kit, struct store *(*make_store)(void), struct mb_error *err)
{
    static const struct rate_rule AT_WILL = {.burst = INT16_MAX, .refill_ms = 1};
    const struct console_setup setup = {.in = STDIN_FILENO,
                                        .out = STDOUT_FILENO,
                                        .place = PLACE,
                                        .people = kit->people,
                                        .people_count = kit->options.people_count,
                                        .queue = &kit->queue};
    chat_queue_init(&kit->queue);
    kit->store = make_store();
    kit->chat = console_create(&setup);
    if (kit->store == NULL || kit->chat == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "there is not enough memory");
    }
    if (!store_start(kit->store, err) || !chat_start(kit->chat, err)) {
        return false;
    }
    const struct hall_setup hall = {
        .catalog = kit->catalog, .store = kit->store, .person = AT_WILL, .place = AT_WILL};
    kit->hall = hall_create(&hall);
    if (kit->hall == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "there is not enough memory");
    }
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

// One game; `again`: another one is wanted.
static int play_once(struct kit *kit, struct store *(*make_store)(void), bool *again)
{
    struct mb_error err = {0};
    if (!make_hall(kit, make_store, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    draw_seed(kit);
    welcome(kit);
    const struct deed_table table = {
        .options = &kit->table, .seats = kit->seats, .seat_count = kit->options.seats};
    struct play play = {.hall = kit->hall,
                        .chat = kit->chat,
                        .queue = &kit->queue,
                        .place = PLACE,
                        .table = &table,
                        .chance = kit->chance,
                        .people = kit->people,
                        .people_count = kit->options.people_count,
                        .guided = kit->options.guide == PLAY_GUIDE_ON,
                        .ask_guide = kit->options.guide == PLAY_GUIDE_ASK,
                        .ask_again = !kit->options.seeded && kit->options.record == NULL,
                        .seed = kit->seed,
                        .turn = kit->options.record != NULL ? record_turn : NULL,
                        .user = kit};
    const int status = play_run(&play);
    *again = play.again;
    chat_stop(kit->chat); // what follows goes to a terminal as it was
    return finish_recording(kit, status);
}

static int play_with(struct kit *kit, struct store *(*make_store)(void))
{
    char complaint[PLAY_COMPLAINT_SIZE];
    struct box box;
    struct mb_error err = {0};
    kit->policy =
        kit->options.level != NULL ? policy_find(kit->options.level, &err) : policy_default();
    if (kit->policy == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_WRONG_USAGE);
    }
    kit->catalog = cards_load(&err);
    if (kit->catalog == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    if (!play_options_table(&kit->options, kit->catalog, &kit->table, complaint)) {
        (void)fprintf(stderr, "%s\n", complaint);
        return CMD_WRONG_USAGE;
    }
    if (!table_options_ready(&kit->table, kit->catalog, &err) ||
        !table_options_box(&kit->table, kit->catalog, &box, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text,
                    err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED);
    }
    sit_down(kit);
    int status = CMD_DONE;
    for (bool again = true; again;) {
        again = false;
        status = play_once(kit, make_store, &again);
        unmake_hall(kit);
    }
    return status;
}

int cmd_play(int argc, char **argv, struct store *(*make_store)(void))
{
    char complaint[PLAY_COMPLAINT_SIZE];
    int status = CMD_DONE;
    if (sodium_init() < 0) {
        return fail(TEXT_PLAY_NO_MEMORY, "", CMD_FAILED);
    }
    struct kit *const kit = calloc(1, sizeof *kit);
    if (kit == NULL) {
        return fail(TEXT_PLAY_NO_MEMORY, "", CMD_FAILED);
    }
    if (!play_options_read(&kit->options, argc, argv, complaint, &status)) {
        (void)fprintf(stderr, "%s\n", complaint);
    } else {
        status = play_with(kit, make_store);
    }
    catalog_destroy(kit->catalog);
    free(kit);
    return status;
}
