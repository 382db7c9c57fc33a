/*
 * What is said about the table itself: new, join, leave, add-bot, remove, pause, resume, end.
 * Who may; what becomes of the seats is play/seats.c's, starting start.c's.
 */
#include "bot/table/lobby/lobby.h"

#include <string.h>

#include <strings.h>

enum { WINDOW_SCARCE_S = 25, LIST_SIZE = 512 };

static bool refuse_error(struct table_work *work, unsigned seat, enum refusal_code code,
                         const struct mb_error *err, struct refusal *why)
{
    return table_refuse_text(work, seat, code, TEXT_SESSION_BAD_OPTION,
                             TEXT_ARGS(text_str("reason", err->text)), why);
}

// The options with the sets of the library's catalogue of all become those of a table, whose sets
// are known by their digests and numbered as they stand.
static bool take_sets(struct table *table, const struct table_options *options,
                      const struct catalog *all, struct mb_error *err)
{
    table->options = *options;
    if (options->set_count > TABLE_SETS_MAX) {
        return mb_fail(err, MB_ERR_LIMIT, "a table plays with %d sets at most",
                       (int)TABLE_SETS_MAX);
    }
    for (unsigned i = 0; i < options->set_count; i++) {
        const struct catalog_set *const set = catalog_set(all, options->sets[i]);
        if (set == NULL) {
            return mb_fail(err, MB_ERR_STATE, "one of its sets is no longer installed");
        }
        memcpy(table->digests[i], set->digest, CATALOG_DIGEST_SIZE);
        table->options.sets[i] = (uint8_t)i;
    }
    return true;
}

// What is played here from now on.
static bool take_options(struct table_work *work, const struct table_options *options,
                         struct mb_error *err)
{
    struct table *const table = work->table;
    struct box box;
    const struct catalog *const all = library_all(work->ws->library);
    if (!table_options_ready(options, all, err) || !take_sets(table, options, all, err)) {
        return false;
    }
    const struct mix *const mix =
        library_mix(work->ws->library, table->digests[0], table->options.set_count, err);
    if (mix == NULL || !table_options_box(&table->options, mix->catalog, &box, err)) {
        return false;
    }
    table->profile = box.profile;
    return true;
}

// Opens the lobby: makes the box, and checks that people can play these sets.
static bool table_open(struct table_work *work, const struct table_options *options,
                       struct mb_error *err)
{
    struct table *const table = work->table;
    if (table->state != TABLE_EMPTY && table->state != TABLE_OVER) {
        return mb_fail(err, MB_ERR_STATE, "there is already a table here");
    }
    if (!take_options(work, options, err)) {
        return false;
    }
    table->state = TABLE_LOBBY;
    table->stand_ins = 1;
    table->shut = SHUT_NO;
    table->shut_runs = 0;
    table->seat_count = 0;
    table->host = NO_SEAT;
    table->deserted = 0;
    table->pauses = 0;
    table->pause_asked = 0;
    table->resumed = 0;
    table->end_asked = 0;
    table->story = 0;
    table->chapter = 0;
    table->removed_count = 0;
    table->told = (struct table_told){0};
    table->highlights = (struct highlights){0};
    table_fair_open(work);
    memset(table->seats, 0, sizeof table->seats);
    for (unsigned i = 0; i < table->site_count; i++) { // what was shown there is the old game's
        memset(table->sites[i].from, 0, sizeof table->sites[i].from);
        table->sites[i].link_hash = 0;
        table->sites[i].led = 0;
    }
    memset(table->game, 0, game_size());
    table_undo_forget(table);
    table_changed(work);
    if (!table_find_box(work, err)) {
        return false;
    }
    table_clock_wind(work);
    return true;
}

bool table_open_whole(struct table_work *work, struct refusal *why)
{
    const struct deed *const deed = work->deed;
    struct mb_error err = {0};
    struct luck luck;
    uint8_t seed[DIGEST_SIZE] = {0};
    bool seated = table_open(work, deed->whole->options, &err);
    for (unsigned i = 0; seated && i < deed->whole->seat_count; i++) {
        const struct deed_seat *const seat = &deed->whole->seats[i];
        const struct deed sits = {.kind = DEED_OPEN, .person = seat->person};
        work->deed = &sits;
        seated = (seat->bot != NULL ? table_sit_bot(work, seat->bot, seat->female, seat->policy)
                                    : table_sit(work, seat->female)) != NO_SEAT;
        work->deed = deed;
    }
    message_list_clear(work->said); // who is told knows who sits there
    const bool drawn = work->table->drawn != 0;
    if (drawn) {
        table_fair_commit(work);
        table_fair_draw(work->table, "", &luck, seed);
    }
    if (!seated || !table_start(work, drawn ? seed : deed->chance, drawn ? &luck : NULL, &err)) {
        return refuse_error(work, NO_SEAT, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    return true;
}

// The sets of a table as they are installed now: other cards may be in them.
static bool find_again(const struct table_work *work, const struct table *last,
                       struct table_options *options, struct mb_error *err)
{
    struct mb_error none = {0};
    const struct catalog *const all = library_all(work->ws->library);
    const struct mix *const mix =
        library_mix(work->ws->library, last->digests[0], last->options.set_count, &none);
    for (unsigned i = 0; i < options->set_count; i++) {
        const struct catalog_set *const was =
            mix != NULL ? catalog_set(mix->catalog, options->sets[i]) : NULL;
        options->sets[i] = library_set(work->ws->library, last->digests[i]);
        if (options->sets[i] == NO_SET && was != NULL) {
            options->sets[i] = catalog_find_set(all, was->id);
        }
        if (options->sets[i] == NO_SET) {
            return mb_fail(err, MB_ERR_STATE, "the set \"%s\" is no longer installed",
                           was != NULL ? was->id : "");
        }
    }
    return true;
}

// Whether `new` is to open the last game once more.
static bool is_again(const struct table_work *work, const char *words)
{
    return work->last != NULL && words[0] == '\0' && work->last->options.set_count > 0;
}

// What `new` is to open: as it says, or else the last game once more.
static bool read_options(const struct table_work *work, const char *words,
                         struct table_options *options, struct mb_error *err)
{
    const struct catalog *const all = library_all(work->ws->library);
    table_options_init(options);
    if (is_again(work, words)) {
        *options = work->last->options;
        return find_again(work, work->last, options, err);
    }
    struct mb_error none = {0};
    const bool usual = table_options_sets(options, all, "classic", &none);
    if (!table_options_words(options, all, words, err)) {
        return false;
    }
    return usual || options->set_count > 0 || mb_fail(err, none.code, "%s", none.text);
}

// Whether a message costs seconds where the table lies: then windows are as much longer.
static bool is_scarce(const struct table_work *work)
{
    const struct table *const table = work->table;
    uint32_t caps = 0;
    for (unsigned i = 0; i < table->site_count; i++) {
        caps |= table_workspace_caps(work->ws, table->sites[i].network);
    }
    return (caps & CHAT_CAP_SCARCE) != 0;
}

// What the host says of a table that has not begun: that is otherwise from now on, the rest stays.
static bool change_options(struct table_work *work, unsigned seat, const char *words,
                           struct refusal *why)
{
    struct table *const table = work->table;
    struct mb_error err = {0};
    struct table_options options = table->options;
    bool good = find_again(work, table, &options, &err) &&
                table_options_words(&options, library_all(work->ws->library), words, &err);
    if (good && options.seats > 0 && options.seats < table->seat_count) {
        good =
            mb_fail(&err, MB_ERR_INPUT, "%u people already sit there", (unsigned)table->seat_count);
    }
    if (!good || !take_options(work, &options, &err) || !table_find_box(work, &err)) {
        return refuse_error(work, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    table_tell(work, TEXT_SESSION_CHANGED,
               TEXT_ARGS(text_str("who", table_seat_name(table, seat)), text_str("what", words)));
    table_changed(work);
    table_clock_wind(work);
    return true;
}

// A game that everybody has left is over; what it can be checked by is told at once.
static void make_room(struct table_work *work)
{
    struct text_out out;
    table_over(work, JOURNAL_ENDED);
    text_begin(&out, work->ws->text, sizeof work->ws->text);
    if (table_fair_proof(work->table, &out)) {
        (void)message_add(work->said, MESSAGE_TABLE, NO_SEAT, work->ws->text);
    }
}

// The first who sits down; of a game that they play once more the others are called.
static void sit_first(struct table_work *work, const char *words)
{
    char sets[LIST_SIZE];
    const unsigned was =
        work->last != NULL ? table_seat_of(work->last, &work->deed->person) : (unsigned)NO_SEAT;
    const bool again = is_again(work, words) && was != NO_SEAT;
    table_list_sets(work, sets, sizeof sets);
    table_tell(work, TEXT_SESSION_NEW, TEXT_ARGS(text_str("sets", sets)));
    table_fair_commit(work);
    const unsigned seat = table_sit(work, again && work->last->seats[was].female != 0);
    if (again && seat != NO_SEAT) {
        work->table->seats[seat].notify = work->last->seats[was].notify;
        table_tell(work, TEXT_SESSION_ONCE_MORE,
                   TEXT_ARGS(text_str("who", table_seat_name(work->table, seat))));
        table_sit_again(work, work->last);
    }
}

static void is_in(struct table_work *work, unsigned seat)
{
    work->table->seats[seat].away = 0;
    table_tell(work, TEXT_SESSION_IS_IN,
               TEXT_ARGS(text_str("who", table_seat_name(work->table, seat))));
    work->dirty = true;
}

// Something else is open or on there. Who presses Again may be elsewhere.
static bool refuse_new(struct table_work *work, unsigned seat, struct refusal *why)
{
    const struct table *const table = work->table;
    const bool lobby = table->state == TABLE_LOBBY;
    if (work->deed->last != NULL) {
        return table_refuse_text(work, seat, REFUSAL_TABLE_RUNNING,
                                 lobby ? TEXT_SESSION_OPEN_THERE : TEXT_SESSION_RUNS_THERE,
                                 TEXT_ARGS(text_str("what", table->sites[0].name)), why);
    }
    return lobby
               ? table_refuse_text(work, seat, REFUSAL_TABLE_RUNNING, TEXT_SESSION_OPEN, NULL, why)
               : table_refuse(work, seat, REFUSAL_TABLE_RUNNING, why);
}

static bool open_table(struct table_work *work, unsigned seat, const struct request *request,
                       struct refusal *why)
{
    struct table *const table = work->table;
    if (table->state == TABLE_LOBBY && table->starting == 0 && seat != NO_SEAT &&
        seat == table->host && request->text[0] != '\0') {
        return change_options(work, seat, request->text, why);
    }
    if (table->state == TABLE_LOBBY && (table_asked_again(table) & seat_bit(seat)) != 0) {
        is_in(work, seat); // somebody else was faster
        return true;
    }
    if (table->state != TABLE_EMPTY && table->state != TABLE_OVER && table->deserted == 0) {
        return refuse_new(work, seat, why);
    }
    struct mb_error err = {0};
    struct table_options options;
    const bool deserted = table->deserted != 0;
    if (!read_options(work, request->text, &options, &err)) {
        return refuse_error(work, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    if (options.pace == PACE_LIVE && options.clock_s[CLOCK_WINDOW] == 0 && is_scarce(work)) {
        options.clock_s[CLOCK_WINDOW] = WINDOW_SCARCE_S;
    }
    if (deserted) {
        make_room(work);
    }
    if (!table_open(work, &options, &err)) {
        return refuse_error(work, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    sit_first(work, request->text);
    if (!work->deed->at_site && work->deed->last != NULL) {
        memcpy(table->sites[0].name, work->last->sites[0].name, sizeof table->sites[0].name);
        table_reply_text(work, table_seat_of(table, &work->deed->person), TEXT_SESSION_OPENED_THERE,
                         TEXT_ARGS(text_str("what", table->sites[0].name)));
    }
    return true;
}

static bool change_sex(struct table_work *work, unsigned seat, const struct request *request)
{
    struct table_seat *const who = &work->table->seats[seat];
    const uint8_t before = who->female;
    if (request->text[0] == '\0') {
        table_reply_text(work, seat,
                         who->female != 0 ? TEXT_SESSION_SITS_WOMAN : TEXT_SESSION_SITS_MAN, NULL);
        return true;
    }
    who->female = strcasecmp(request->text, "female") == 0 ? 1 : 0;
    work->dirty = work->dirty || who->female != before;
    table_reply_text(work, seat,
                     who->female != 0 ? TEXT_SESSION_PLAYS_WOMAN : TEXT_SESSION_PLAYS_MAN, NULL);
    return true;
}

static bool join(struct table_work *work, unsigned seat, const struct request *request,
                 struct refusal *why)
{
    const unsigned state = work->table->state;
    if (state == TABLE_EMPTY || state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if (state != TABLE_LOBBY) {
        return table_take_over(work, request, why);
    }
    if ((table_asked_again(work->table) & seat_bit(seat)) != 0) {
        work->table->seats[seat].female = request->text[0] != '\0'
                                              ? strcasecmp(request->text, "female") == 0
                                              : work->table->seats[seat].female;
        is_in(work, seat);
        return true;
    }
    if (seat != NO_SEAT) {
        return change_sex(work, seat, request);
    }
    if (table_sit(work, strcasecmp(request->text, "female") == 0) == NO_SEAT) {
        return table_refuse(work, seat, REFUSAL_TABLE_FULL, why);
    }
    return true;
}

static bool add_bot(struct table_work *work, unsigned seat, const struct request *request,
                    struct refusal *why)
{
    const unsigned state = work->table->state;
    if (state != TABLE_LOBBY) {
        const bool none = state == TABLE_EMPTY || state == TABLE_OVER;
        return table_refuse(work, seat, none ? REFUSAL_NO_TABLE : REFUSAL_TABLE_RUNNING, why);
    }
    if (seat == NO_SEAT) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    struct mb_error err = {0};
    const struct policy *const policy =
        request->text[0] != '\0' ? policy_find(request->text, &err) : policy_default();
    if (policy == NULL) {
        return refuse_error(work, seat, REFUSAL_BAD_ARGUMENTS, &err, why);
    }
    // Names by turns of women and men, enough of them for those that people have.
    for (unsigned id = TEXT_BOT_NAME_1; id <= TEXT_BOT_NAME_12; id++) {
        const char *const name = text_sentence((enum text_id)id);
        if (table_sit_bot(work, name, (id - TEXT_BOT_NAME_1) % 2 == 0, policy) != NO_SEAT) {
            return true;
        }
    }
    return table_refuse(work, seat, REFUSAL_TABLE_FULL, why);
}

// While a win that would end the game can still be stopped nobody takes it away by other means.
static bool last_window(const struct table_work *work)
{
    const unsigned state = work->table->state; // its place may have been shut
    return (state == TABLE_RUNNING || state == TABLE_PAUSED) && work->table->last_call != 0;
}

/* Pauses: a host has some for nothing, and none to spoil an evening with (attack G-4.4). */

// For how long a pause is the host's alone to end; for as long nobody overrules who has ended it.
static int64_t pause_bound_ms(const struct table *table)
{
    return 2 * pace_clock_ms(&table->options, CLOCK_TURN);
}

static bool just_resumed(struct table_work *work, unsigned seat, struct refusal *why)
{
    enum { MINUTE_MS = 60000 };
    const struct table *const table = work->table;
    const int64_t left = pause_bound_ms(table) - table->paused_ms;
    if (table->resumed == 0 || left <= 0) {
        return false;
    }
    (void)table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_PAUSE_SOON,
                            TEXT_ARGS(text_num("n", (long)((left + MINUTE_MS - 1) / MINUTE_MS))),
                            why);
    return true;
}

// Who has had their pauses asks the others, once: any of them may agree.
static bool asks_to_pause(struct table_work *work, unsigned seat)
{
    struct table *const table = work->table;
    const unsigned others = table_people_seats(table) & ~(unsigned)seat_bit(seat);
    const bool free = table->pauser != seat || table->pauses < TABLE_PAUSES_FREE;
    if (seat != table->host || free || others == 0) {
        return false;
    }
    if (table->pause_asked != 0) {
        table_reply_text(work, seat, TEXT_SESSION_PAUSE_ASKED, NULL);
        return true;
    }
    table->pause_asked = 1;
    work->dirty = true;
    table_tell(work, TEXT_SESSION_PAUSE_ASKS,
               TEXT_ARGS(text_str("who", table_seat_name(table, seat))));
    message_ping(work->said, others);
    return true;
}

static bool pause_game(struct table_work *work, unsigned seat, struct refusal *why)
{
    struct table *const table = work->table;
    if (last_window(work)) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_LAST_WINDOW, NULL,
                                 why);
    }
    if (table->state != TABLE_RUNNING) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE,
                                 table->state == TABLE_PAUSED ? TEXT_SESSION_PAUSED
                                                              : TEXT_SESSION_PAUSED_NOT,
                                 NULL, why);
    }
    if (just_resumed(work, seat, why)) {
        return false;
    }
    if (asks_to_pause(work, seat)) {
        return true;
    }
    const unsigned pauses = table->pauser == table->host ? table->pauses : 0;
    table->pauses = (uint8_t)(pauses < TABLE_PAUSES_FREE ? pauses + 1 : pauses);
    table->pauser = table->host;
    table->pause_asked = 0;
    table->resumed = 0;
    table->state = TABLE_PAUSED;
    table->paused_ms = 0;
    table_tell(work, TEXT_SESSION_PAUSES, NULL);
    table_returns(work, seat);
    table_clock_wind(work);
    return true;
}

static bool resume_game(struct table_work *work, unsigned seat, struct refusal *why)
{
    struct table *const table = work->table;
    if (table->shut != SHUT_NO) {
        return table_resume_here(work, seat, why);
    }
    if (table->state != TABLE_PAUSED) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_PAUSED_NOT, NULL,
                                 why);
    }
    table->state = TABLE_RUNNING;
    table->paused_ms = 0;
    table->resumed = seat != table->host ? 1 : 0;
    table_tell(work, TEXT_SESSION_RESUMES, NULL);
    table_returns(work, seat);
    table_clock_wind(work);
    return true;
}

// Asks once: a game that is ended is gone for everybody.
static bool end(struct table_work *work, unsigned seat, const struct request *request,
                struct refusal *why)
{
    struct table *const table = work->table;
    const bool lobby = table->state == TABLE_LOBBY;
    const uint64_t who = table_hash_of(work, &work->deed->person);
    char name[PERSON_NAME_SIZE];
    if (last_window(work)) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_LAST_WINDOW, NULL,
                                 why);
    }
    if (!lobby && table->end_asked != who && strcasecmp(request->text, "yes") != 0) {
        table->end_asked = who;
        work->dirty = true;
        table_reply_text(work, seat, TEXT_SESSION_END_SURE, NULL);
        return true;
    }
    table_name_of(work, name);
    table_tell(work, lobby ? TEXT_SESSION_CLOSES_BY : TEXT_SESSION_ENDS,
               TEXT_ARGS(text_str("who", name)));
    if (lobby) {
        table->state = TABLE_EMPTY;
        table->seat_count = 0;
        table->starting = 0;
        table->drawn = 0;
        table_clock_wind(work);
    } else {
        table_over(work, JOURNAL_ENDED);
    }
    return true;
}

static bool remove_seat(struct table_work *work, unsigned seat, const struct request *request,
                        struct refusal *why)
{
    struct table *const table = work->table;
    if (request->player >= table->seat_count) {
        return table_refuse(work, seat, REFUSAL_NO_SUCH_PLAYER, why);
    }
    const bool lobby = table->state == TABLE_LOBBY;
    if (!lobby && !table_seat_is_person(&table->seats[request->player])) {
        return table_refuse(work, seat, REFUSAL_ILLEGAL_TARGET, why);
    }
    if (last_window(work)) {
        return table_refuse_text(work, seat, REFUSAL_WRONG_PHASE, TEXT_SESSION_LAST_WINDOW, NULL,
                                 why);
    }
    if (!lobby) {
        table_remember_removed(work, request->player);
    }
    table_vacate(work, request->player, lobby ? TEXT_SESSION_LEAVES : TEXT_SESSION_REMOVED);
    return true;
}

// A host who pauses and goes away holds nobody's table: after a while anybody there may go on.
static bool pause_is_stale(const struct table_work *work)
{
    const struct table *const table = work->table;
    return table->state == TABLE_PAUSED && table->paused_ms >= pause_bound_ms(table);
}

static bool host_only(struct table_work *work, unsigned seat, const struct request *request,
                      struct refusal *why)
{
    const struct table *const table = work->table;
    const bool ends = request->kind == REQUEST_END;
    if (table->state == TABLE_EMPTY || table->state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if (ends && work->deed->person.moderates) {
        return end(work, seat, request, why);
    }
    if (seat == NO_SEAT) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    const bool stale = (ends || request->kind == REQUEST_RESUME) && pause_is_stale(work);
    const bool agrees = request->kind == REQUEST_PAUSE && table->pause_asked != 0;
    if (table->host != seat && !stale && !agrees) {
        return table_refuse(work, seat, REFUSAL_NOT_HOST, why);
    }
    switch (request->kind) {
    case REQUEST_REMOVE:
        return remove_seat(work, seat, request, why);
    case REQUEST_START:
        return table_ask_start(work, seat, why);
    case REQUEST_PAUSE:
        return pause_game(work, seat, why);
    case REQUEST_RESUME:
        return resume_game(work, seat, why);
    default:
        return end(work, seat, request, why);
    }
}

static bool leave(struct table_work *work, unsigned seat, struct refusal *why)
{
    const unsigned state = work->table->state;
    if (state == TABLE_EMPTY || state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if (seat == NO_SEAT && table_stop_waiting(work)) {
        table_reply_text(work, seat, TEXT_SESSION_WAITS_NOT, NULL);
        return true;
    }
    if (seat == NO_SEAT) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    table_vacate(work, seat, state == TABLE_LOBBY ? TEXT_SESSION_LEAVES : TEXT_SESSION_BOT_TAKES);
    return true;
}

bool table_lobby(struct table_work *work, unsigned seat, const struct request *request,
                 struct refusal *why)
{
    if (work->table->starting != 0 && request->kind != REQUEST_END &&
        request->kind != REQUEST_NEW) {
        if (request->kind == REQUEST_START && seat == work->table->host && table_deal_now(work)) {
            return true;
        }
        return table_refuse_text(work, seat, REFUSAL_TABLE_RUNNING, TEXT_SESSION_DEALING, NULL,
                                 why);
    }
    switch (request->kind) {
    case REQUEST_NEW:
        return open_table(work, seat, request, why);
    case REQUEST_JOIN:
        return join(work, seat, request, why);
    case REQUEST_ADD_BOT:
        return add_bot(work, seat, request, why);
    case REQUEST_LEAVE:
        return leave(work, seat, why);
    case REQUEST_LINK:
        return table_link_line(work, seat, request, why);
    case REQUEST_UNLINK:
        return table_unlink_line(work, seat, why);
    default:
        return host_only(work, seat, request, why);
    }
}
