// What of a table may be seen by whom: views made when they are asked for, and the narration of
// what a command did. A view is made for those only who are shown or told something.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/value/value.h"

void table_changed(struct table_work *work)
{
    work->stamp = table_workspace_stamp(work->ws);
    work->dirty = true;
}

static const struct game *view_of(const struct table *table, uint64_t stamp, const struct box *box,
                                  struct table_workspace *ws, unsigned seat)
{
    const unsigned viewer = seat < table->seat_count ? seat : (unsigned)NO_SEAT;
    struct table_view *const view = &ws->views[viewer != NO_SEAT ? viewer : MB_SEATS_MAX];
    if (view->stamp != stamp) {
        game_redact(table_game(table), box, viewer, view->state);
        view->stamp = stamp;
    }
    return view->state;
}

const struct game *table_view(const struct table_work *work, unsigned seat)
{
    return view_of(work->table, work->stamp, work->box, work->ws, seat);
}

bool table_list_moves(const struct table_work *work, unsigned seat)
{
    struct move_list *const moves = &work->ws->scene->moves;
    moves->count = 0;
    moves->overflow = false;
    moves_list(table_view(work, seat), work->box, seat, moves);
    return moves->count > 0;
}

bool table_is_idle(const struct table_work *work, unsigned seat)
{
    static const uint8_t IDLE_VERBS[] = {VERB_PASS, VERB_HOLD, VERB_SHOW};
    const struct query_clock running = table_running_clock(work->table);
    const bool window = running.kind == CLOCK_WINDOW || running.kind == CLOCK_ANSWER;
    if (!window || table_people_seats(work->table) != seat_bit(seat) ||
        !table_list_moves(work, seat)) {
        return false;
    }
    const struct move_list *const moves = &work->ws->scene->moves;
    for (uint32_t i = 0; i < moves->count; i++) {
        const int verb = moves->items[i].command.verb;
        if (memchr(IDLE_VERBS, verb, sizeof IDLE_VERBS) == NULL) {
            return false;
        }
    }
    return true;
}

// A terminal passes for who is alone there with bot players and can do nothing else.
static unsigned lets_stand(const struct table_work *work)
{
    const unsigned people = table_people_seats(work->table);
    const unsigned seat = seat_first(people);
    const bool alone = work->table->options.pace == PACE_TERMINAL && people != 0 &&
                       table_running_clock(work->table).kind == CLOCK_ANSWER;
    return alone && table_is_idle(work, seat) ? people : 0;
}

// Whether everybody reads it on a card, whose first lines say what is asked.
static bool tells_on_cards(const struct table_work *work)
{
    bool all = work->table->site_count > 0;
    for (unsigned i = 0; i < work->table->site_count; i++) {
        const uint32_t caps = table_workspace_caps(work->ws, work->table->sites[i].network);
        all = all && (caps & CHAT_CAP_STORY) != 0;
    }
    return all;
}

void table_narrate(struct table_work *work)
{
    const struct event_list *const events = &work->ws->events;
    const struct game *views[MB_SEATS_MAX + 1] = {0};
    const unsigned told = render_secret_seats(events->items, events->count);
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const bool person = table_seat_is_person(&work->table->seats[seat]);
        const bool reads = person && (told & seat_bit(seat)) != 0;
        views[seat] = reads ? table_view(work, seat) : NULL;
    }
    views[MB_SEATS_MAX] = table_view(work, NO_SEAT);
    struct table_words words = table_words_of(work, NO_SEAT);
    words.told = &work->table->told;
    words.telling = &work->outcome->telling;
    words.unasked = lets_stand(work);
    words.asked = tells_on_cards(work);
    render_events(&words, views, events->items, events->count, work->said);
}

// The box of a mix with a table's constants, unless the workspace has it already.
static const struct box *box_of(const struct table *table, struct table_workspace *ws,
                                const struct catalog **catalog, struct mb_error *err)
{
    if (table->options.set_count == 0) { // arranged
        *catalog = ws->arranged_catalog;
        return ws->arranged;
    }
    const struct mix *const mix =
        library_mix(ws->library, table->digests[0], table->options.set_count, err);
    if (mix == NULL) {
        return NULL;
    }
    if (ws->mix_number != mix->number) {
        ws->box = mix->box;
        ws->mix = mix;
        ws->mix_number = mix->number;
        row_memo_empty(&ws->rows);
    }
    ws->box.profile = table->profile;
    *catalog = mix->catalog;
    return &ws->box;
}

bool table_find_box(struct table_work *work, struct mb_error *err)
{
    work->catalog = library_all(work->ws->library);
    work->box = NULL;
    if (work->table->state != TABLE_EMPTY) {
        work->box = box_of(work->table, work->ws, &work->catalog, err);
        return work->box != NULL;
    }
    return true;
}

const struct box *table_box(const struct table *table, struct table_workspace *workspace,
                            struct mb_error *err)
{
    const struct catalog *catalog = NULL;
    return table->state != TABLE_EMPTY ? box_of(table, workspace, &catalog, err) : NULL;
}

// How long the innermost window lasts from its opening: its stakes are public.
static unsigned window_seconds(const struct table *table, const struct box *box)
{
    enum { SECOND_MS = 1000 };
    const struct game *const game = table_game(table);
    if (query_pause(game, PAUSE_ANSWER).kind != PAUSE_NONE) {
        return (unsigned)(pace_clock_ms(&table->options, CLOCK_ANSWER) / SECOND_MS);
    }
    if (query_pause(game, PAUSE_WIN).kind != PAUSE_NONE) {
        return (unsigned)(pace_window_ms(&table->options, query_win_level(game, box),
                                         box->profile.constant[PROFILE_GOAL]) /
                          SECOND_MS);
    }
    return 0;
}

// `late_ms`: how long ago the table's clocks were wound.
static unsigned seconds_left(const struct table *table, int64_t late_ms)
{
    enum { SECOND_MS = 1000 };
    const struct table_due due = table_due(table);
    // At a terminal nobody is hurried: only windows and answers have a clock there.
    const bool clocked = table->options.pace != PACE_TERMINAL || due.clock == CLOCK_WINDOW ||
                         due.clock == CLOCK_ANSWER;
    const int64_t left_ms = clocked ? due.clock_ms - late_ms : 0;
    return left_ms > 0 ? (unsigned)((left_ms + SECOND_MS - 1) / SECOND_MS) : 0;
}

// Of the state itself: of passes views hold their reader's own and those that all saw.
static unsigned shown_passes(const struct table *table)
{
    const struct pause window = query_pause(table_game(table), PAUSE_WIN);
    const struct table_timer *const timer = &table->timers[CLOCK_WINDOW];
    const bool shown = timer->passes != 0 && timer->about == window.restarts;
    return window.kind != PAUSE_NONE && shown ? window.passed : 0;
}

static void mark_name(struct table_name *name, const char *text)
{
    struct text_out marked;
    (void)snprintf(name->plain, sizeof name->plain, "%s", text);
    text_begin(&marked, name->marked, sizeof name->marked);
    text_mark(&marked, MARK_PLAYER);
    text_value(&marked, text);
    text_mark(&marked, MARK_END);
}

// Names between marks, and words for what was worded already, as far as they still hold.
static void lend_names(const struct table *table, uint64_t stamp, struct table_workspace *ws,
                       struct table_words *out)
{
    bool same = ws->named == table->seat_count;
    ws->named = table->seat_count;
    for (unsigned i = 0; i < table->seat_count; i++) {
        struct table_name *const name = &ws->names[i];
        out->players[i] = table_seat_name(table, i);
        out->bots |= table_seat_is_bot(table, i) ? seat_bit(i) : 0u;
        if (name->marked[0] == '\0' || strcmp(name->plain, out->players[i]) != 0) {
            mark_name(name, out->players[i]);
            same = false;
        }
        out->marked[i] = name->marked;
    }
    if (!same) {
        memo_empty_names(&ws->memo);
    } else if (ws->memo_stamp != stamp || ws->memo_seat != out->seat) {
        memo_empty(&ws->memo);
    }
    ws->memo_stamp = stamp;
    ws->memo_seat = out->seat;
    out->memo = &ws->memo;
}

// `box` NULL: there is no table yet.
static struct table_words words_with(const struct table *table, uint64_t stamp,
                                     const struct box *box, const struct catalog *catalog,
                                     struct table_workspace *ws, unsigned seat)
{
    struct table_words words = {.catalog = catalog, .box = box, .seat = seat, .marks = true};
    if (table->state != TABLE_EMPTY && table->state != TABLE_LOBBY) {
        words.view = view_of(table, stamp, box, ws, seat);
        words.window_s = window_seconds(table, box);
        words.left_s = seconds_left(table, 0);
        words.passed = shown_passes(table);
        words.undo_asker = table->undo.asker;
        words.undo_entry = table->undo.entry;
        words.undo_seats = table_undo_asked(table);
    }
    lend_names(table, stamp, ws, &words);
    for (unsigned i = 0; words.view != NULL && i < table->seat_count; i++) {
        const bool away = table->seats[i].away != 0 && table_seat_is_person(&table->seats[i]);
        words.away |= away ? seat_bit(i) : 0u;
    }
    words.numbers =
        seat < table->seat_count && table_seat_is_person(&table->seats[seat]) &&
        (table_workspace_caps(ws, table->seats[seat].person.network) & CHAT_CAP_NUMBERS) != 0;
    if (ws->mix != NULL && ws->mix->catalog == catalog) {
        words.looks = ws->mix->looks;
        words.rows = &ws->rows;
    }
    return words;
}

struct table_words table_words_of(const struct table_work *work, unsigned seat)
{
    struct table_words words =
        words_with(work->table, work->stamp, work->box, work->catalog, work->ws, seat);
    words.left_s = words.left_s != 0 ? seconds_left(work->table, work->late_ms) : 0;
    return words;
}

bool table_words(const struct table *table, uint64_t stamp, struct table_workspace *workspace,
                 unsigned seat, struct table_words *out)
{
    const struct catalog *catalog = library_all(workspace->library);
    const struct box *const box =
        table->state != TABLE_EMPTY ? box_of(table, workspace, &catalog, NULL) : NULL;
    if (table->state != TABLE_EMPTY && box == NULL) {
        return false;
    }
    *out = words_with(table, stamp, box, catalog, workspace, seat);
    return true;
}

static void put_seat(const struct table *table, unsigned seat, struct text_out *out)
{
    const struct policy *const policy = table_policy(&table->seats[seat]);
    enum text_id id = TEXT_LOBBY_PERSON;
    if (policy != NULL) {
        id = TEXT_LOBBY_BOT;
    } else if (table->host == seat) {
        id = TEXT_LOBBY_HOST;
    } else if (table->seats[seat].away != 0) {
        id = TEXT_LOBBY_ASKED;
    }
    text_line(out, id,
              TEXT_ARGS(text_num("n", (long)seat + 1),
                        text_str("who", table_seat_name(table, seat)),
                        text_str("level", policy != NULL ? policy->name : "")));
}

// How much time people have, and when clocks stop.
static void put_times(const struct table *table, struct text_out *out)
{
    enum { TIME_SIZE = 64 };
    char turn[TIME_SIZE];
    const struct table_options *const options = &table->options;
    const struct quiet *const quiet = &options->quiet;
    if (options->pace != PACE_TERMINAL) {
        text_time_words(turn, sizeof turn, pace_clock_ms(options, CLOCK_TURN));
        text_line(out, TEXT_LOBBY_PACE,
                  TEXT_ARGS(text_str("what", table_options_pace_name(options->pace)),
                            text_str("other", turn)));
    }
    if (quiet->from != quiet->to) {
        text_line(out, TEXT_LOBBY_QUIET,
                  TEXT_ARGS(text_num("n", quiet->from), text_num("m", quiet->to),
                            text_str("sign", quiet->zone < 0 ? "" : "+"),
                            text_num("hours", quiet->zone)));
    }
}

static size_t lobby_card(const struct table_work *work, uint32_t caps, char *out, size_t size)
{
    const struct table *const table = work->table;
    const struct table_options *const options = &table->options;
    const unsigned room = options->seats > 0 ? options->seats : MB_SEATS_MAX;
    const unsigned least = (unsigned)table->profile.constant[PROFILE_SEATS_MIN];
    const char *names[CATALOG_SETS_MAX];
    char sets[512];
    struct text_out text;
    for (size_t i = 0; i < options->set_count; i++) {
        names[i] = catalog_set(work->catalog, options->sets[i])->name;
    }
    text_begin(&text, sets, sizeof sets);
    text_list(&text, names, options->set_count, TEXT_AND);
    text_begin(&text, out, size);
    text_line(
        &text, TEXT_LOBBY_HEAD,
        TEXT_ARGS(text_str("sets", sets), text_num("n", table->seat_count), text_num("m", room)));
    if (table->profile.house != catalog_set(work->catalog, options->sets[0])->edition) {
        text_line(&text, TEXT_LOBBY_HOUSE,
                  TEXT_ARGS(text_str("house", edition_name(table->profile.house))));
    }
    (void)render_house(&table->profile, &text);
    put_times(table, &text);
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        put_seat(table, seat, &text);
    }
    unsigned sit = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        sit += (table_asked_again(table) & seat_bit(seat)) == 0 ? 1 : 0;
    }
    const enum text_id ready = table->starting != 0 ? TEXT_LOBBY_STARTS : TEXT_LOBBY_READY;
    text_line(&text, sit < least ? TEXT_LOBBY_WANTS : ready,
              TEXT_ARGS(text_num("n", (long)least - (long)sit)));
    if ((caps & CHAT_CAP_SIGNS) != 0 && table->starting == 0) {
        text_line(&text, TEXT_LOBBY_SIGNS, NULL);
    }
    return text.length;
}

size_t table_add_paused(const struct table_work *work, char *out, size_t size, size_t length)
{
    const struct table *const table = work->table;
    const bool paused =
        table->state == TABLE_PAUSED && table->shut == SHUT_NO && table->deserted == 0;
    const bool rests = table->state == TABLE_RUNNING && table->rests != 0;
    if ((!paused && !rests) || length >= size) {
        return length;
    }
    struct text_out text;
    text_begin(&text, out + length, size - length);
    text_line(&text, paused ? TEXT_SESSION_PAUSED : TEXT_SESSION_ON_HOLD, NULL);
    return length + text.length;
}

size_t table_card(const struct table_work *work, uint32_t caps, char *out, size_t size)
{
    if (size > 0) {
        out[0] = '\0';
    }
    if (work->table->state == TABLE_LOBBY) {
        return lobby_card(work, caps, out, size);
    }
    if (work->table->state == TABLE_EMPTY || query_seat_count(work->game) == 0) {
        return 0;
    }
    if (work->table->state == TABLE_OVER && (caps & CHAT_CAP_STORY) != 0) { // which has told it
        struct text_out text;
        text_begin(&text, out, size);
        text_line(&text, (caps & CHAT_CAP_BUTTONS) != 0 ? TEXT_SESSION_OVER : TEXT_SESSION_AGAIN,
                  NULL);
        return text.length;
    }
    struct scene *const scene = work->ws->scene;
    assert(scene->words.seat == NO_SEAT); // what everybody reads shows what an onlooker sees
    scene->words.small = (caps & (CHAT_CAP_BUTTONS | CHAT_CAP_STORY)) != 0;
    scene->words.asked = (caps & CHAT_CAP_STORY) != 0;
    return table_add_paused(work, out, size, render_table(scene, out, size));
}
