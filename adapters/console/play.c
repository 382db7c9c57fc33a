/*
 * `munchbot play`: a game at the terminal. Whom to ask when, and how time passes in the hall.
 *
 * A person who has to answer, or whose turn it is, is waited for without any clock. When standard
 * input is a terminal, win windows and answer moments run on the clock on the wall, and bot players
 * take the time that reading takes; people may speak and look meanwhile. When it is not, the game
 * is a function of seed and lines: bot players act at once, no window runs out while a person may
 * still speak, and each line is read when, and only when, a person is waited for; so a person ends
 * a window with `pass` (or by acting in it). With --watch nobody is asked; on a terminal the bot
 * players take their time, elsewhere none.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <unistd.h>

#include <sodium.h>
#include <strings.h>

#include "core/codec/journal_bytes.h"
#include "core/codec/memory.h"

#include "bot/cards_dir.h"
#include "bot/chat_queue.h"
#include "bot/cmd/cmd.h"
#include "bot/hall/hall.h"
#include "bot/kept/kept_table.h"
#include "bot/policy/policy.h"
#include "bot/render/guide.h"
#include "bot/store.h"
#include "bot/table/journal_file.h"
#include "bot/text/text.h"

#include "adapters/console/console.h"
#include "adapters/console/play_options.h"

enum {
    SENTENCE_SIZE = 1024,
    HINTS_SIZE = 8192,
    PATH_SIZE = 4096,
    STORE_AGAIN_MS = 250,
    STATUS_SIGNALLED = 128 // and the signal's number, as a shell reports it
};

static const char GUIDE[] = "/guide";

enum { SAVED_PLACE_SIZE = 32, SAVED_MAX = 6 };

struct saved {
    char place[SAVED_PLACE_SIZE];
    unsigned people_count;
    char people[MB_SEATS_MAX][CHAT_ID_SIZE];
};

// How far one game has come.
struct game_at {
    bool live;        // lines are typed at a terminal
    bool away;        // the store is, and it has been said
    bool guided;      // hints for newcomers, each once
    bool again;       // another game is wanted
    bool interrupted; // nobody has left the game, and it is not over
    unsigned guest;   // who has asked for the keyboard; people_count: nobody
    uint32_t turn;    // round and turn that were told last
    struct guide guide[MB_SEATS_MAX];
};

// Everything games at the terminal hold.
struct play {
    struct play_options options;
    struct table_options table;
    const struct policy *policy;
    struct catalog *catalog;
    struct store *store;
    struct hall *hall;
    struct chat *chat; // the hall's only one
    struct chat_queue queue;
    struct saved saved; // who is at the keyboard, and the table's place
    bool kept;          // in a store that outlives the program
    char not_kept[SENTENCE_SIZE];
    const char *people[MB_SEATS_MAX];
    struct deed_seat seats[MB_SEATS_MAX];
    uint8_t chance[TABLE_CHANCE_SIZE];
    struct mb_error record_error;
    struct game_at at;
};

_Static_assert((int)TABLE_CHANCE_SIZE == (int)DIGEST_SIZE, "a seed fixes all the chance of a game");

static int fail_with(enum text_id id, const char *reason, int status)
{
    char line[SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("reason", reason)));
    (void)fputs(line, stderr);
    return status;
}

/*
 * Games of the terminal that a store keeps, so that what was interrupted can be gone on with.
 *
 * Each lies at a place of its own. Under the word "console/PLACE" the store keeps who is at the
 * keyboard; the process that plays holds that word, so that nobody else goes on with the game
 * meanwhile. A game that is over or was left loses its word. Only so many that were interrupted are
 * kept: the oldest makes room.
 */

static const char CONSOLE[] = "console";
static const char SAVED_PREFIX[] = "console/";

enum {
    SAVED_WORD_SIZE = SAVED_PLACE_SIZE + sizeof SAVED_PREFIX,
    PEOPLE_SIZE = MB_SEATS_MAX * CHAT_ID_SIZE
};

static void saved_word(const struct saved *saved, char out[SAVED_WORD_SIZE])
{
    (void)snprintf(out, SAVED_WORD_SIZE, "%s%s", SAVED_PREFIX, saved->place);
}

// Under a word: the names one after the other, each with its end.
static bool read_saved(const char *word, struct store_bytes bytes, struct saved *out)
{
    *out = (struct saved){.people_count = 0};
    if (strlen(word) >= SAVED_WORD_SIZE) {
        return false;
    }
    (void)snprintf(out->place, sizeof out->place, "%s", word + sizeof SAVED_PREFIX - 1);
    for (size_t at = 0; at < bytes.size; out->people_count++) {
        const char *const name = (const char *)bytes.at + at;
        const size_t length = strnlen(name, bytes.size - at);
        if (length == bytes.size - at || length >= CHAT_ID_SIZE ||
            out->people_count == MB_SEATS_MAX) {
            return false;
        }
        memcpy(out->people[out->people_count], name, length + 1);
        at += length + 1;
    }
    return true;
}

static bool hold_game(struct store *store, const struct saved *saved)
{
    char word[SAVED_WORD_SIZE];
    saved_word(saved, word);
    const struct store_request request = {.kind = STORE_HOLD, .word = word};
    return store_call_result(store, &request) == STORE_DONE;
}

// Nothing more is known of its table, if there is one.
static void drop_table(struct store *store, const struct saved *saved)
{
    const struct store_request place = {
        .kind = STORE_PLACE, .network = CONSOLE, .place = saved->place};
    struct store_answer *const found = store_call(store, &place);
    const bool there = found != NULL && found->result == STORE_DONE;
    const struct store_request load = {.kind = STORE_LOAD, .table = there ? found->table : ""};
    struct store_answer *const loaded = there ? store_call(store, &load) : NULL;
    if (loaded != NULL && loaded->result == STORE_DONE) {
        struct store_request gone = {
            .kind = STORE_COMMIT,
            .commit = {.table = found->table, .expected = loaded->version, .event = ""}};
        randombytes_buf(&gone.commit.step, sizeof gone.commit.step);
        (void)store_call_result(store, &gone); // what stays makes room one day
    }
    store_answer_free(loaded);
    store_answer_free(found);
}

// It is not gone on with; `drop`: nor looked at again.
static void saved_end(struct store *store, const struct saved *saved, bool drop)
{
    char word[SAVED_WORD_SIZE];
    if (drop) {
        drop_table(store, saved);
    }
    saved_word(saved, word);
    const struct store_request forget = {.kind = STORE_KEEP, .word = word};
    (void)store_call_result(store,
                            &forget); // if it fails, a game that is over is gone on with, and ends
}

static struct store_answer *list_saved(struct store *store)
{
    const struct store_request request = {.kind = STORE_KEPT, .word = SAVED_PREFIX};
    return store_call(store, &request);
}

// Room for one more: the oldest go that nobody plays.
static void make_room_for_one(struct store *store)
{
    struct store_answer *const all = list_saved(store);
    struct saved saved;
    size_t left = all != NULL && all->result == STORE_DONE ? all->count : 0;
    for (size_t i = left; i > 0 && left >= SAVED_MAX; i--) {
        if (read_saved(all->texts[i - 1], all->pieces[i - 1], &saved) && hold_game(store, &saved)) {
            saved_end(store, &saved, true);
            left--;
        }
    }
    store_answer_free(all);
}

// A place for a new game of these people.
static bool saved_begin(struct store *store, struct saved *saved, struct mb_error *err)
{
    unsigned char bytes[PEOPLE_SIZE];
    unsigned char chance[8];
    char word[SAVED_WORD_SIZE];
    size_t size = 0;
    make_room_for_one(store);
    randombytes_buf(chance, sizeof chance);
    (void)sodium_bin2hex(saved->place, sizeof saved->place, chance, sizeof chance);
    for (unsigned i = 0; i < saved->people_count; i++) {
        const size_t length = strlen(saved->people[i]) + 1;
        memcpy(bytes + size, saved->people[i], length);
        size += length;
    }
    saved_word(saved, word);
    const struct store_request keep = {
        .kind = STORE_KEEP, .word = word, .bytes = {.at = bytes, .size = size}};
    return (hold_game(store, saved) && store_call_result(store, &keep) == STORE_DONE) ||
           mb_fail(err, MB_ERR_IO, "the store does not save the game: check its disk");
}

static bool saved_has_table(struct store *store, const struct saved *saved)
{
    const struct store_request place = {
        .kind = STORE_PLACE, .network = CONSOLE, .place = saved->place};
    return store_call_result(store, &place) != STORE_NOTHING;
}

// The newest game that was interrupted and nobody plays.
static bool saved_find(struct store *store, struct saved *out, struct mb_error *err)
{
    struct store_answer *const all = list_saved(store);
    bool found = false;
    bool held = false;
    const bool read = all != NULL && all->result == STORE_DONE;
    for (size_t i = 0; read && !found && i < all->count; i++) {
        if (!read_saved(all->texts[i], all->pieces[i], out)) {
            continue;
        }
        if (!hold_game(store, out)) {
            held = true;
        } else if (saved_has_table(store, out)) {
            found = true;
        } else {
            saved_end(store, out, false); // it never began
        }
    }
    store_answer_free(all);
    if (!read) {
        return mb_fail(err, MB_ERR_IO, "cannot read the store: check its disk");
    }
    if (!found && held) {
        return mb_fail(err, MB_ERR_STATE, "another process plays every unfinished game");
    }
    return found ||
           mb_fail(err, MB_ERR_STATE, "no interrupted game here: start one without --resume");
}

/* Whether somebody has been offered the guided first turn on this machine: an empty file, "guide".
 * Where it cannot be written, nothing is remembered, and nothing is said about it: it is a
 * courtesy.
 */

static bool guide_file(char out[PATH_SIZE])
{
    struct mb_error err = {0};
    const bool there = own_dir(out, PATH_SIZE - sizeof GUIDE, &err) && access(out, W_OK) == 0;
    memcpy(out + strlen(out), GUIDE, there ? sizeof GUIDE : 1);
    return there;
}

// Without a place to remember it nobody is asked each time.
static bool is_first_time(void)
{
    char path[PATH_SIZE];
    return guide_file(path) && access(path, F_OK) != 0;
}

static void end_first_time(void)
{
    char path[PATH_SIZE];
    const int fd = guide_file(path) ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* The game that is played. */

static const struct table *table_of(const struct play *play)
{
    return hall_table(play->hall, play->chat, play->saved.place);
}

static enum table_state state_of(const struct play *play)
{
    const struct table *const table = table_of(play);
    return table != NULL ? table_state(table) : TABLE_EMPTY;
}

static struct table_due due_of(const struct play *play)
{
    const struct table *const table = table_of(play);
    return table != NULL ? table_due(table) : (struct table_due){.kind = TABLE_DUE_NEVER, .ms = -1};
}

/* The record. */

// The journal of the game, fetched from the store, as a file.
static bool save_record(struct play *play, const struct table *table,
                        const struct table_words *words, bool interrupted)
{
    struct kept_table kept = {.loaded = NULL};
    struct journal *const journal = &kept.journal;
    struct mb_error *const err = &play->record_error;
    journal_init_for(journal, words->catalog, words->box, catalog_set_count(words->catalog));
    bool saved = kept_fetch_pieces(play->store, table_id(table), &kept, err);
    for (size_t i = 0; saved && i < kept.piece_count; i++) {
        saved = journal_append(journal, kept.pieces[i].at, kept.pieces[i].size, err);
    }
    if (saved && interrupted && journal->state == JOURNAL_RUNNING) {
        journal->state = JOURNAL_INTERRUPTED;
    }
    saved = saved && journal_save(journal, table_game(table), play->options.record, err);
    kept_table_finish(&kept);
    return saved;
}

// Once a turn: what is lost when the power goes is the turn that was being played. The file is made
// before anybody acts: what cannot be written is told at once.
static bool record_game(struct play *play, bool interrupted)
{
    struct table_words words;
    const struct table *const table = table_of(play);
    if (play->options.record == NULL || play->record_error.code != MB_OK || table == NULL ||
        !hall_words(play->hall, play->chat, play->saved.place, NO_SEAT, &words)) {
        return true;
    }
    return save_record(play, table, &words, interrupted);
}

static int finish_recording(struct play *play, int status)
{
    return record_game(play, true) && play->record_error.code == MB_OK
               ? status
               : fail_with(TEXT_PLAY_NOT_RECORDED, play->record_error.text, CMD_FAILED);
}

/* Playing. */

// The seed of the game, as --seed would take it.
static const char *seed_of(const struct play *play, char digits[DIGEST_HEX_SIZE])
{
    uint8_t seed[DIGEST_SIZE];
    digits[0] = '\0';
    if (table_of(play) != NULL) {
        game_seed(table_game(table_of(play)), seed);
        digest_hex(seed, sizeof seed, digits);
    }
    return digits;
}

static void complain_of_game(const struct play *play, enum text_id id)
{
    char seed[DIGEST_HEX_SIZE];
    char line[HINTS_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, TEXT_ARGS(text_str("seed", seed_of(play, seed))));
    (void)fputs(line, stderr);
}

// The end before the end: one sentence each.
static int leave_game(struct play *play, enum console_heard heard)
{
    struct chat *const chat = play->chat;
    switch (heard) {
    case CONSOLE_QUIT:
        console_say(chat, TEXT_CONSOLE_QUIT, NULL);
        return CMD_DONE;
    case CONSOLE_END:
        console_say(chat, TEXT_CONSOLE_END, NULL);
        return CMD_DONE;
    case CONSOLE_STOPPED:
        play->at.interrupted = true;
        console_say(chat, play->kept ? TEXT_CONSOLE_INTERRUPTED_KEPT : TEXT_CONSOLE_INTERRUPTED,
                    NULL);
        return STATUS_SIGNALLED + console_signal(chat);
    case CONSOLE_BROKEN:
        play->at.interrupted = true;
        complain_of_game(play, TEXT_CONSOLE_BROKEN);
        return CMD_FAILED;
    case CONSOLE_FAILED:
    case CONSOLE_GUEST:
    case CONSOLE_LINE:
    case CONSOLE_TIME:
        break;
    }
    play->at.interrupted = true;
    complain_of_game(play, TEXT_CONSOLE_FAILED);
    return CMD_FAILED;
}

static void show_hint(struct play *play, unsigned person)
{
    char text[HINTS_SIZE];
    struct table_words words;
    const struct person who = {.network = chat_name(play->chat), .id = play->people[person]};
    const unsigned seat = table_seat_of(table_of(play), &who);
    if (play->at.guided && seat != NO_SEAT &&
        hall_words(play->hall, play->chat, play->saved.place, seat, &words) &&
        guide_next(&play->at.guide[person], &words, text, sizeof text) > 0) {
        console_print(play->chat, text);
    }
}

// Time passes in the hall, and what is heard is dealt with.
static void pass_time(struct play *play, int64_t ms)
{
    struct hall *const hall = play->hall;
    for (bool done = hall_advance(hall, ms); !done; done = hall_advance(hall, 0)) {
        hall_hear(hall);
    }
    hall_hear(hall);
}

static uint64_t version_of(const struct play *play)
{
    return hall_version(play->hall, play->chat, play->saved.place);
}

// A guest has the keyboard until something comes of it, or Enter gives it back.
static void hear_lines(struct play *play, int64_t spent)
{
    const uint64_t version = version_of(play);
    const bool said = play->queue.count > 0;
    pass_time(play, spent);
    if (!said || version_of(play) != version) {
        play->at.guest = play->saved.people_count;
    }
}

// Asks one person. CONSOLE_LINE: go on.
static enum console_heard ask_person(struct play *play, unsigned person)
{
    struct chat *const chat = play->chat;
    const bool asked = console_asked(chat) == person;
    enum console_heard heard = console_seat(chat, person);
    if (heard != CONSOLE_LINE) {
        return heard;
    }
    console_is_read(chat); // nothing scrolls away; a window's time is theirs from the beginning
    if (play->at.live && asked && console_idle(chat, person)) {
        console_speak(chat, person, "pass");
        hear_lines(play, 0);
        return CONSOLE_LINE;
    }
    if (asked) {
        console_prompt(chat);
        show_hint(play, person);
    }
    const int64_t before = console_now_ms();
    heard = console_listen(chat, play->at.live ? hall_due_ms(play->hall) : -1, true);
    if (heard == CONSOLE_TIME) {
        pass_time(play, console_now_ms() - before);
        return CONSOLE_LINE;
    }
    if (heard == CONSOLE_LINE) {
        hear_lines(play, play->at.live ? console_now_ms() - before : 0);
    }
    return heard;
}

// Time to read what was said. People at a terminal may speak meanwhile, and look; an empty line is
// "go on".
static enum console_heard let_read(struct play *play)
{
    struct chat *const chat = play->chat;
    int64_t left = console_unread_ms(chat);
    enum console_heard heard = CONSOLE_LINE;
    if (play->saved.people_count == 0) {
        heard = console_pause(chat, left);
        left = 0;
    }
    while (heard == CONSOLE_LINE && left > 0 && console_asked(chat) == play->saved.people_count) {
        const int64_t before = console_now_ms();
        heard = console_listen(chat, left, false);
        const bool spoken = play->queue.count > 0;
        left = heard == CONSOLE_LINE && !spoken ? 0 : left - (console_now_ms() - before);
        pass_time(play, 0);
    }
    console_is_read(chat);
    return heard == CONSOLE_TIME ? CONSOLE_LINE : heard;
}

// Whom to ask now; people_count: nobody, things go on by themselves.
static unsigned whom_to_ask(const struct play *play)
{
    if (play->at.guest < play->saved.people_count) {
        return play->at.guest;
    }
    if (!play->at.live && due_of(play).kind == TABLE_DUE_BOTS) {
        return play->saved.people_count;
    }
    return console_asked(play->chat);
}

// At a terminal a newcomer is asked once; a command instead of an answer is one.
static enum console_heard offer_guide(struct play *play)
{
    console_say(play->chat, TEXT_CONSOLE_GUIDE, NULL);
    const enum console_heard heard = console_listen(play->chat, -1, true);
    if (heard != CONSOLE_LINE) {
        return heard;
    }
    end_first_time();
    play->at.guided = play->queue.count == 0;
    struct chat_in *const in = chat_queue_take(&play->queue);
    if (in != NULL) {
        const bool no = strcasecmp(in->line, "no") == 0 || strcasecmp(in->line, "n") == 0;
        play->at.guided = strcasecmp(in->line, "yes") == 0 || strcasecmp(in->line, "y") == 0;
        if (!no && !play->at.guided) {
            (void)chat_queue_push(&play->queue, in);
        }
        chat_settle(play->chat, in);
    }
    return CONSOLE_LINE;
}

// After the end: Enter deals again, anything else does not.
static void offer_another(struct play *play)
{
    const bool asks =
        !play->options.seeded && play->options.record == NULL && !play->options.resume;
    if (!asks || !play->at.live || !console_out_is_terminal(play->chat)) {
        return;
    }
    console_say(play->chat, TEXT_CONSOLE_ANOTHER, NULL);
    if (console_listen(play->chat, -1, true) != CONSOLE_LINE) {
        return;
    }
    struct chat_in *const in = chat_queue_take(&play->queue);
    play->at.again =
        in == NULL || strcasecmp(in->line, "yes") == 0 || strcasecmp(in->line, "y") == 0;
    if (in != NULL) {
        chat_settle(play->chat, in);
    }
}

static bool tell_turn(struct play *play)
{
    const struct table *const table = table_of(play);
    if (play->options.record == NULL || table == NULL) {
        return true;
    }
    const struct game *const game = table_game(table);
    const uint32_t turn = query_round(game) * MB_SEATS_MAX + query_turn(game) + 1;
    if (turn == play->at.turn) {
        return true;
    }
    play->at.turn = turn;
    return record_game(play, false);
}

static void take_guest(struct play *play)
{
    play->at.guest = console_guest(play->chat);
}

// What the store has not taken is asked again until it does, or somebody ends the waiting.
static enum console_heard wait_for_store(struct play *play)
{
    if (!play->at.away) {
        console_say(play->chat, TEXT_CONSOLE_STORE_AWAY, NULL);
        play->at.away = true;
    }
    const enum console_heard heard = console_pause(play->chat, STORE_AGAIN_MS);
    if (heard == CONSOLE_LINE) {
        pass_time(play, STORE_AGAIN_MS);
    }
    return heard;
}

// One thing happens: somebody is asked, time to read passes, or a bot player acts. CONSOLE_TIME:
// nothing ever will.
static enum console_heard go_on(struct play *play)
{
    if (hall_waits(play->hall)) {
        return wait_for_store(play);
    }
    play->at.away = false;
    const struct table_due due = due_of(play);
    const unsigned person = whom_to_ask(play);
    if (person < play->saved.people_count) {
        return ask_person(play, person);
    }
    if (console_unread_ms(play->chat) > 0) {
        return let_read(play);
    }
    if (due.kind != TABLE_DUE_NEVER) {
        pass_time(play, due.ms);
        return CONSOLE_LINE;
    }
    // Paused, and everybody has left: nobody comes back to this keyboard.
    return state_of(play) == TABLE_PAUSED ? CONSOLE_QUIT : CONSOLE_TIME;
}

static int play_on(struct play *play, enum console_heard heard)
{
    while (heard == CONSOLE_LINE && state_of(play) != TABLE_OVER) {
        if (!tell_turn(play)) {
            return CMD_FAILED;
        }
        heard = go_on(play);
        if (heard == CONSOLE_GUEST) {
            take_guest(play);
            heard = CONSOLE_LINE;
        }
        if (heard == CONSOLE_LINE) {
            heard = console_state(play->chat);
        }
    }
    if (heard == CONSOLE_TIME) {
        play->at.interrupted = true;
        complain_of_game(play, TEXT_CONSOLE_STUCK);
        return CMD_FAILED;
    }
    if (heard != CONSOLE_LINE) {
        return leave_game(play, heard);
    }
    offer_another(play);
    return console_state(play->chat) == CONSOLE_BROKEN ? CMD_FAILED : CMD_DONE;
}

// The table as it begins, or as it was; false with a complaint.
static bool open_game(struct play *play)
{
    if (!play->options.resume) {
        const struct deed_table table = {.options = &play->table,
                                         .seats = play->seats,
                                         .seat_count = play->options.seats,
                                         .seeded = play->options.seeded};
        if (hall_open(play->hall, play->chat, play->saved.place, &table, play->chance) &&
            (state_of(play) == TABLE_RUNNING || hall_waits(play->hall))) {
            return true;
        }
        complain_of_game(play, TEXT_PLAY_NOT_BEGUN);
        return false;
    }
    if (!hall_show(play->hall, play->chat, play->saved.place) ||
        (state_of(play) == TABLE_EMPTY && !hall_waits(play->hall))) {
        play->at.interrupted = true; // it stays where it is
        complain_of_game(play, TEXT_PLAY_NOT_RESUMED);
        return false;
    }
    console_speak(play->chat, 0, "status");
    return true;
}

// Opens the table, or shows it again, and plays to its end; returns the exit status.
static int run_game(struct play *play)
{
    play->at = (struct game_at){.guided = play->options.guide == PLAY_GUIDE_ON,
                                .guest = play->saved.people_count,
                                .live = console_in_is_terminal(play->chat)};
    enum console_heard heard = console_state(play->chat);
    if (play->saved.people_count == 1) {
        heard = console_seat(play->chat, 0);
        if (heard == CONSOLE_LINE && play->options.guide == PLAY_GUIDE_ASK && play->at.live &&
            console_out_is_terminal(play->chat) && is_first_time()) {
            heard = offer_guide(play);
        }
    }
    int status = CMD_FAILED;
    if (heard != CONSOLE_LINE) {
        status = leave_game(play, heard);
    } else if (open_game(play)) {
        hall_hear(play->hall);
        status = play_on(play, heard);
    }
    return status;
}

/* What a game is played with. */

// A seed that was given is all the chance of the game; else a secret from which its seed is drawn.
static void draw_chance(struct play *play)
{
    if (play->options.seeded) {
        memcpy(play->chance, play->options.seed, sizeof play->chance);
    } else {
        randombytes_buf(play->chance, sizeof play->chance);
    }
}

// People first, then bot players, women and men in turn.
static void seat_players(struct play *play)
{
    const struct play_options *const options = &play->options;
    play->saved.people_count = options->people_count;
    memcpy(play->saved.people, options->people, sizeof play->saved.people);
    for (unsigned i = 0; i < options->seats; i++) {
        if (i < options->people_count) {
            play->seats[i].person = (struct person){
                .network = "console", .id = options->people[i], .name = options->people[i]};
            play->seats[i].female = options->female[i];
        } else {
            const unsigned bot = i - options->people_count;
            play->seats[i] = (struct deed_seat){.bot = play_options_bot_name(options, bot),
                                                .policy = play->policy,
                                                .female = bot % 2 == 0};
        }
    }
}

// Who is at the keyboard, and bot players where a game begins.
static void welcome_people(struct play *play)
{
    const char *names[MB_SEATS_MAX];
    char players[SENTENCE_SIZE];
    struct text_out out;
    const unsigned people = play->saved.people_count;
    const unsigned count = play->options.resume ? people : play->options.seats;
    for (unsigned i = 0; i < count; i++) {
        names[i] = i < people ? play->people[i] : play->seats[i].bot;
    }
    text_begin(&out, players, sizeof players);
    text_list(&out, names, count, TEXT_AND);
    const struct text_arg *const args =
        TEXT_ARGS(text_str("players", players), text_str("who", names[0]));
    enum text_id id = TEXT_CONSOLE_WELCOME;
    if (play->options.resume) {
        id = TEXT_CONSOLE_RESUMED;
    } else if (people != 1) {
        id = play->options.watch ? TEXT_CONSOLE_WELCOME_WATCH : TEXT_CONSOLE_WELCOME_HOTSEAT;
    }
    console_say(play->chat, id, args);
    console_say(play->chat, TEXT_CONSOLE_UNOFFICIAL, NULL);
    if (play->not_kept[0] != '\0') {
        console_say(play->chat, TEXT_CONSOLE_NOT_KEPT,
                    TEXT_ARGS(text_str("reason", play->not_kept)));
    }
    // Of a game that is gone on with nothing is known yet: several people need no bot players.
    const bool bots =
        play->options.resume ? people == 1 : people > 0 && play->options.seats > people;
    if (console_in_is_terminal(play->chat) && bots) {
        console_say(play->chat, TEXT_CONSOLE_ENTER, NULL);
    }
}

// A store in memory: nobody's game can be lost with it, or its own place cannot be written.
static bool open_memory(struct play *play, const struct cmd_stores *stores, struct mb_error *err)
{
    play->store = stores->memory();
    return play->store != NULL && store_start(play->store, err);
}

static bool open_store(struct play *play, const struct cmd_stores *stores, struct mb_error *err)
{
    struct mb_error why = {0};
    const char *const named = play->options.arguments->value[OPTION_STORE];
    const char *url = named != NULL ? named : getenv("MUNCHBOT_STORE");
    url = url != NULL && url[0] != '\0' ? url : NULL;
    if (play->options.watch && named == NULL) {
        return open_memory(play, stores, err);
    }
    play->store = stores->open(url, &why);
    play->kept = play->store != NULL;
    if (play->kept) {
        return true;
    }
    if (url != NULL || play->options.resume) {
        return mb_fail(err, why.code, "%s", why.text);
    }
    (void)snprintf(play->not_kept, sizeof play->not_kept, "%s", why.text);
    return open_memory(play, stores, err);
}

// Which game it is: a new one, or the one that was interrupted last.
static bool choose_game(struct play *play, struct mb_error *err)
{
    const bool found = play->options.resume ? saved_find(play->store, &play->saved, err)
                                            : saved_begin(play->store, &play->saved, err);
    for (unsigned i = 0; i < play->saved.people_count; i++) {
        play->people[i] = play->saved.people[i];
    }
    return found;
}

// A hall with one chat.
static bool make_hall(struct play *play, const struct cmd_stores *stores, struct mb_error *err)
{
    chat_queue_init(&play->queue);
    if (!open_store(play, stores, err) || !choose_game(play, err)) {
        return false;
    }
    const struct console_setup setup = {.in = STDIN_FILENO,
                                        .out = STDOUT_FILENO,
                                        .place = play->saved.place,
                                        .people = play->people,
                                        .people_count = play->saved.people_count,
                                        .resumed = play->options.resume,
                                        .queue = &play->queue};
    play->chat = console_create(&setup);
    if (!chat_start(play->chat, err)) {
        return false;
    }
    const struct hall_setup hall = {
        .catalog = play->catalog, .store = play->store, .policy = &HALL_AT_WILL, .alone = true};
    play->hall = hall_create(&hall);
    return hall_add_chat(play->hall, play->chat, err);
}

static void unmake_hall(struct play *play)
{
    hall_destroy(play->hall);
    chat_destroy(play->chat);
    store_destroy(play->store);
    chat_queue_finish(&play->queue);
    play->hall = NULL;
    play->chat = NULL;
    play->store = NULL;
}

// The game is over, or was left: it is not gone on with.
static void end_game(struct play *play, bool over)
{
    hall_destroy(play->hall);
    play->hall = NULL;
    saved_end(play->store, &play->saved, !over);
}

// One game; play->at.again: another one is wanted.
static int play_once(struct play *play, const struct cmd_stores *stores)
{
    struct mb_error err = {0};
    if (!make_hall(play, stores, &err)) {
        play->at.again = false;
        return fail_with(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    draw_chance(play);
    welcome_people(play);
    const int status = run_game(play);
    chat_stop(play->chat); // what follows goes to a terminal as it was
    const int recorded = finish_recording(play, status);
    if (!play->at.interrupted) {
        end_game(play, state_of(play) == TABLE_OVER);
    }
    return recorded;
}

// What a new game is to be; false with its exit status.
static bool prepare_table(struct play *play, int *status)
{
    struct box box;
    struct mb_error err = {0};
    *status = CMD_WRONG_USAGE;
    if (!play_options_table(&play->options, play->catalog, &play->table)) {
        (void)fprintf(stderr, "%s\n", play->options.arguments->complaint);
        return false;
    }
    if (!table_options_ready(&play->table, play->catalog, &err) ||
        !table_options_box(&play->table, play->catalog, &box, &err)) {
        *status = fail_with(TEXT_PLAY_FAILED, err.text,
                            err.code == MB_ERR_INPUT ? CMD_WRONG_USAGE : CMD_FAILED);
        return false;
    }
    return true;
}

static int play_with(struct play *play, const struct cmd_stores *stores)
{
    struct mb_error err = {0};
    int status = CMD_DONE;
    const char *const level = play->options.arguments->value[OPTION_LEVEL];
    play->policy = level != NULL ? policy_find(level, &err) : policy_default();
    if (play->policy == NULL) {
        return fail_with(TEXT_PLAY_FAILED, err.text, CMD_WRONG_USAGE);
    }
    play->catalog = cards_load(play->options.arguments->value[OPTION_SETS_PATH], &err);
    if (play->catalog == NULL) {
        return fail_with(TEXT_PLAY_FAILED, err.text, CMD_FAILED);
    }
    if (!play->options.resume) {
        if (!prepare_table(play, &status)) {
            return status;
        }
        seat_players(play);
    }
    do {
        status = play_once(play, stores);
        unmake_hall(play);
    } while (play->at.again);
    return status;
}

int cmd_play(const struct arguments *arguments, const struct cmd_stores *stores)
{
    int status = CMD_WRONG_USAGE;
    if (sodium_init() < 0) {
        const char *const why = "libsodium cannot be used";
        return fail_with(TEXT_PLAY_FAILED, why, CMD_FAILED);
    }
    struct play *const play = mb_new(1, sizeof *play);
    if (!play_options_read(&play->options, arguments)) {
        (void)fprintf(stderr, "%s\n", arguments->complaint);
    } else {
        status = play_with(play, stores);
    }
    catalog_destroy(play->catalog);
    free(play);
    return status;
}
