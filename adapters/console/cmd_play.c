// `munchbot play`: options, card sets, a table, and off it goes (adapters/console/play.h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <sodium.h>
#include <strings.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/session/session.h"
#include "bot/table/journal_file.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/play.h"
#include "adapters/console/play_options.h"

enum { SENTENCE_SIZE = 1024 };

// Everything a game at the terminal holds.
struct kit {
    struct play_options options;
    struct catalog *catalog;
    struct session *session;
    struct chat *chat;
    struct chat_queue queue;
    const char *people[MB_SEATS_MAX];
    char seed[DIGEST_HEX_SIZE];
    uint8_t seed_bytes[DIGEST_SIZE];
    unsigned recorded_turn; // the last one of which the file tells
    struct mb_error record_error;
};

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
        memcpy(kit->seed_bytes, kit->options.seed, sizeof kit->seed_bytes);
    } else {
        randombytes_buf(kit->seed_bytes, sizeof kit->seed_bytes);
    }
    digest_hex(kit->seed_bytes, sizeof kit->seed_bytes, kit->seed);
}

static void record(struct kit *kit)
{
    if (kit->options.record != NULL && kit->record_error.code == MB_OK) {
        (void)journal_save(session_journal(kit->session), session_game(kit->session),
                           kit->options.record, &kit->record_error);
    }
}

// Once a turn: what is lost when the power goes is the turn that was being played.
static void record_step(void *user, const struct session_step *step)
{
    struct kit *const kit = user;
    const unsigned turn = query_round(step->before) * MB_SEATS_MAX + query_turn(step->before);
    if (turn != kit->recorded_turn) {
        kit->recorded_turn = turn;
        record(kit);
    }
}

// The file is made before the first card is dealt: what cannot be written is told at once.
static bool start_recording(struct kit *kit)
{
    if (kit->options.record == NULL) {
        return true;
    }
    const struct session_watcher watcher = {.step = record_step, .user = kit};
    session_watch(kit->session, &watcher);
    record(kit);
    return kit->record_error.code == MB_OK;
}

static int finish_recording(struct kit *kit, int status)
{
    if (kit->options.record == NULL) {
        return status;
    }
    session_interrupt(kit->session);
    record(kit);
    return kit->record_error.code == MB_OK
               ? status
               : fail(TEXT_PLAY_NOT_RECORDED, kit->record_error.text, CMD_FAILED);
}

// People first, then bot players, women and men in turn.
static bool sit_down(struct kit *kit, const struct policy *policy, struct mb_error *err)
{
    for (unsigned i = 0; i < kit->options.people_count; i++) {
        kit->people[i] = kit->options.people[i];
        if (session_sit(kit->session, kit->people[i], kit->options.female[i], NULL) == NO_SEAT) {
            return mb_fail(err, MB_ERR_STATE, "%s finds no seat", kit->people[i]);
        }
    }
    for (unsigned i = kit->options.people_count; i < kit->options.seats; i++) {
        const unsigned bot = i - kit->options.people_count;
        const char *const name = play_options_bot_name(&kit->options, bot);
        if (session_sit(kit->session, name, bot % 2 == 0, policy) == NO_SEAT) {
            return mb_fail(err, MB_ERR_STATE, "%s finds no seat", name);
        }
    }
    return true;
}

static void welcome(struct kit *kit)
{
    const char *names[MB_SEATS_MAX];
    char players[SENTENCE_SIZE];
    struct text_out out;
    const unsigned count = session_seat_count(kit->session);
    for (unsigned i = 0; i < count; i++) {
        names[i] = session_seat_name(kit->session, i);
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

static void complete(void *user, unsigned person, const char *line, size_t cursor,
                     struct complete_list *out)
{
    struct kit *const kit = user;
    struct table_words words;
    const unsigned seat = session_find_seat(kit->session, kit->people[person]);
    // Whoever has left is an onlooker: the hand is a bot player's now.
    const bool left = session_seat_is_bot(kit->session, seat);
    session_words(kit->session, left ? (unsigned)NO_SEAT : seat, &words);
    complete_line(&words, line, cursor, out);
    if (out->from == 0 && cursor < sizeof "quit" && strncasecmp(line, "quit", cursor) == 0) {
        complete_add(out, "quit", false);
    }
}

static int play_table(struct kit *kit, const struct table_options *table,
                      const struct policy *policy)
{
    static const char PLACE[] = "terminal";
    struct mb_error err = {0};
    const struct console_setup setup = {.in = STDIN_FILENO,
                                        .out = STDOUT_FILENO,
                                        .place = PLACE,
                                        .people = kit->people,
                                        .people_count = kit->options.people_count,
                                        .queue = &kit->queue,
                                        .complete = complete,
                                        .user = kit};
    chat_queue_init(&kit->queue);
    kit->session = session_create(kit->catalog, NULL);
    kit->chat = console_create(&setup);
    if (kit->session == NULL || kit->chat == NULL ||
        (kit->options.record != NULL && !session_keep_journal(kit->session))) {
        return fail(TEXT_PLAY_NO_MEMORY, "", CMD_FAILED);
    }
    draw_seed(kit);
    if (!session_open(kit->session, table, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text,
                    err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED);
    }
    if (!sit_down(kit, policy, &err) || !chat_start(kit->chat, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    session_marks(kit->session, console_has_colors(kit->chat));
    welcome(kit);
    if (!session_start(kit->session, kit->seed_bytes, &err)) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    if (!start_recording(kit)) {
        return fail(TEXT_PLAY_NOT_RECORDED, kit->record_error.text, CMD_FAILED);
    }
    struct play play = {.session = kit->session,
                        .chat = kit->chat,
                        .queue = &kit->queue,
                        .place = PLACE,
                        .people = kit->people,
                        .people_count = kit->options.people_count,
                        .guided = kit->options.guide == PLAY_GUIDE_ON,
                        .ask_guide = kit->options.guide == PLAY_GUIDE_ASK,
                        .seed = kit->seed};
    const int status = play_run(&play);
    chat_stop(kit->chat); // what follows goes to a terminal as it was
    return finish_recording(kit, status);
}

static int play_with(struct kit *kit)
{
    char complaint[PLAY_COMPLAINT_SIZE];
    struct table_options table;
    struct mb_error err = {0};
    const struct policy *const policy =
        kit->options.level != NULL ? policy_find(kit->options.level, &err) : policy_default();
    if (policy == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_WRONG_USAGE);
    }
    kit->catalog = cards_load(&err);
    if (kit->catalog == NULL) {
        return fail(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    if (!play_options_table(&kit->options, kit->catalog, &table, complaint)) {
        (void)fprintf(stderr, "%s\n", complaint);
        return CMD_WRONG_USAGE;
    }
    const int status = play_table(kit, &table, policy);
    chat_destroy(kit->chat);
    chat_queue_finish(&kit->queue);
    session_destroy(kit->session);
    return status;
}

int cmd_play(int argc, char **argv)
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
        status = play_with(kit);
    }
    catalog_destroy(kit->catalog);
    free(kit);
    return status;
}
