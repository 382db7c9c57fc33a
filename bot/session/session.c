#include "bot/session/session.h"

#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/snapshot.h"
#include "core/rng.h"

#include "bot/render/render.h"
#include "bot/session/session_impl.h"
#include "bot/table/person_name.h"

struct session *session_create(const struct catalog *catalog, struct session_workspace *workspace)
{
    struct session *const session = calloc(1, sizeof *session);
    if (session == NULL) {
        return NULL;
    }
    session->catalog = catalog;
    session->host = NO_SEAT;
    session->undo.asker = NO_SEAT;
    session->clock.bots.left_ms = -1;
    table_options_init(&session->options);
    session->game = calloc(1, game_size());
    session->own_workspace = workspace == NULL ? session_workspace_create() : NULL;
    session->workspace = workspace != NULL ? workspace : session->own_workspace;
    if (session->game == NULL || session->workspace == NULL) {
        session_destroy(session);
        return NULL;
    }
    session_changed(session);
    return session;
}

void session_destroy(struct session *session)
{
    if (session == NULL) {
        return;
    }
    free(session->game);
    session_workspace_destroy(session->own_workspace);
    message_list_finish(&session->outbox);
    session_log_finish(&session->log);
    session_undo_forget(session);
    if (session->journal != NULL) {
        journal_finish(session->journal);
        free(session->journal);
    }
    free(session);
}

bool session_open(struct session *session, const struct table_options *options,
                  struct mb_error *err)
{
    if (session->state != SESSION_EMPTY && session->state != SESSION_OVER) {
        return mb_fail(err, MB_ERR_STATE, "there is a table here already");
    }
    struct box box;
    if (!table_options_ready(options, session->catalog, err) ||
        !table_options_box(options, session->catalog, &box, err)) {
        return false;
    }
    session->box = box;
    session->options = *options;
    session->stand_ins = true;
    session->state = SESSION_LOBBY;
    session->seat_count = 0;
    session->host = NO_SEAT;
    memset(session->seats, 0, sizeof session->seats);
    session->deserted = false;
    session->end_asked[0] = '\0';
    session->told = (struct table_told){0};
    session_undo_forget(session);
    session_clock_wind(session);
    return true;
}

static bool is_name_free(const struct session *session, const char *name)
{
    for (unsigned i = 0; i < session->seat_count; i++) {
        if (session->seats[i].taken && person_name_alike(session->seats[i].name, name)) {
            return false;
        }
    }
    return session_find_seat(session, name) == NO_SEAT;
}

unsigned session_sit(struct session *session, const char *name, bool female,
                     const struct policy *policy)
{
    const unsigned room = session->options.seats > 0 ? session->options.seats : MB_SEATS_MAX;
    if (session->state != SESSION_LOBBY || session->seat_count >= room || *name == '\0' ||
        strlen(name) >= SESSION_NAME_SIZE || !is_name_free(session, name)) {
        return NO_SEAT;
    }
    const unsigned seat = session->seat_count++;
    struct session_seat *const who = &session->seats[seat];
    *who = (struct session_seat){
        .taken = true, .female = female, .policy = policy, .was_person = policy == NULL};
    text_clean(name, who->name, sizeof who->name);
    if (policy == NULL && session->host == NO_SEAT) {
        session->host = seat;
    }
    return seat;
}

// A new or loaded game is on the table.
static void begin(struct session *session, const uint8_t seed[32])
{
    uint8_t bots_seed[32];
    memcpy(bots_seed, seed, sizeof bots_seed);
    bots_seed[0] ^= 0x5Au; // another stream than the game's own, so that it tells nothing of it
    mb_rng_init(&session->rng, bots_seed);
    session->state = SESSION_RUNNING;
    session->alone = 0;
    session->rests = false;
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        session_default_order(session, seat);
    }
    session_undo_forget(session);
    memset(session->tally, 0, sizeof session->tally);
    session->highlights = (struct highlights){0};
    session_changed(session);
    session_clock_wind(session);
}

bool session_start(struct session *session, const uint8_t seed[32], struct mb_error *err)
{
    const unsigned least = (unsigned)session->box.profile.constant[PROFILE_SEATS_MIN];
    if (session->state != SESSION_LOBBY) {
        return mb_fail(err, MB_ERR_STATE, "there is no table that could start");
    }
    if (session->seat_count < least) {
        return mb_fail(err, MB_ERR_STATE, "%u seats are taken; a game needs %u",
                       session->seat_count, least);
    }
    struct game_setup setup = {.seat_count = (uint8_t)session->seat_count};
    memcpy(setup.seed, seed, sizeof setup.seed);
    for (unsigned i = 0; i < session->seat_count; i++) {
        setup.female[i] = session->seats[i].female ? 1 : 0;
    }
    struct event_list *const events = &session->workspace->events;
    events->count = 0;
    events->overflow = false;
    game_create(session->game, &session->box, &setup, events);
    session_fair_begin(session, &setup);
    begin(session, seed);
    session_narrate(session);
    const uint8_t below = pace_lengths(session->options.pace)->pass_below;
    if (below > 0) {
        session_tell(session, TEXT_SESSION_ORDERS_DEFAULT, TEXT_ARGS(text_num("n", below)));
    }
    return true;
}

void session_adopt(struct session *session, const struct box *box, const struct game *game,
                   const char *const *names, enum pace pace)
{
    session->box = *box;
    session->options.pace = (uint8_t)pace;
    session->stand_ins = false; // nothing happens by itself at a table set up to be looked at
    game_copy(session->game, game);
    session->seat_count = query_seat_count(game);
    session->host = 0;
    memset(session->seats, 0, sizeof session->seats);
    for (unsigned i = 0; i < session->seat_count; i++) {
        struct session_seat *const who = &session->seats[i];
        who->taken = true;
        who->was_person = true;
        text_clean(names[i], who->name, sizeof who->name);
    }
    const uint8_t seed[32] = {0};
    begin(session, seed);
    if (query_phase(session->game) == PHASE_OVER) {
        session->state = SESSION_OVER;
        session_clock_wind(session);
    }
}

bool session_restart(struct session *session, struct mb_error *err)
{
    unsigned char *const bytes = malloc(SNAPSHOT_SIZE_MAX);
    if (bytes == NULL) {
        return mb_fail(err, MB_ERR_LIMIT, "not enough memory");
    }
    const size_t size = snapshot_encode(session->game, bytes, SNAPSHOT_SIZE_MAX);
    memset(session->game, 0xEE, game_size());
    const bool loaded = snapshot_decode(bytes, size, &session->box, session->game, err);
    free(bytes);
    if (loaded) {
        session_changed(session);
        session_clock_wind(session);
    }
    return loaded;
}

static void watch_step(struct session *session, const struct command *command)
{
    if (session->watcher.step != NULL) {
        const struct session_step step = {.command = command,
                                          .before = session->game,
                                          .after = session->workspace->after,
                                          .events = &session->workspace->events};
        session->watcher.step(session->watcher.user, &step);
    }
}

bool session_carry_out(struct session *session, const struct command *command, struct refusal *why)
{
    struct refusal reason = {0};
    struct session_workspace *const workspace = session->workspace;
    workspace->events.count = 0;
    workspace->events.overflow = false;
    const bool accepted = game_decide(session->game, &session->box, command, workspace->after,
                                      &workspace->events, &reason);
    if (why != NULL) {
        *why = reason;
    }
    if (!accepted) {
        return false;
    }
    watch_step(session, command);
    struct game *const before = session->game;
    session->game = workspace->after; // all states are alike; the old one is scratch now
    workspace->after = before;
    if (command->seat < session->seat_count) {
        session->seats[command->seat].acts++;
    }
    session_changed(session);
    session_fair_step(session, command);
    session_tally(session);
    const size_t said = session->outbox.count;
    session_narrate(session);
    for (size_t i = said; i < session->outbox.count; i++) {
        if (session->outbox.items[i].to == MESSAGE_TABLE) {
            session_log_add(&session->log, session->outbox.items[i].text);
        }
    }
    session_deals_note(session, command);
    session_orders_lapse(session);
    session_undo_note(session, command); // takes the state before it
    if (query_phase(session->game) == PHASE_OVER) {
        session_over(session, JOURNAL_FINISHED);
    }
    session_rest(session);
    session_seat_waiting(session);
    session_clock_wind(session);
    return true;
}

static void tell_text(struct session *session)
{
    const char *const text = session->workspace->text;
    if (text[0] != '\0' && message_add(&session->outbox, MESSAGE_TABLE, NO_SEAT, text)) {
        session_log_add(&session->log, text);
    }
}

// How everybody stood, and what the game is remembered by.
static void look_back(struct session *session)
{
    const struct table_words words = session_words_of(session, NO_SEAT);
    char *const text = session->workspace->text;
    const size_t size = sizeof session->workspace->text;
    session_tell(session, TEXT_SESSION_STANDING,
                 TEXT_ARGS(text_num("n", (long)query_round(session->game))));
    (void)render_score(&words, text, size);
    tell_text(session);
    (void)render_highlights(&words, &session->highlights, text, size);
    tell_text(session);
}

void session_over(struct session *session, enum journal_state how)
{
    const bool dealt = session->seeded;
    session->state = SESSION_OVER;
    session->deserted = false;
    if (how == JOURNAL_FINISHED) {
        look_back(session);
        session_stats_finish(session);
    }
    session_undo_forget(session);
    session_clock_wind(session);
    if (dealt) {
        const bool terminal = session->options.pace == PACE_TERMINAL;
        session_tell(session, terminal ? TEXT_CONSOLE_AGAIN : TEXT_SESSION_AGAIN, NULL);
    }
    session_fair_end(session, how);
}

void session_skip_moments(struct session *session)
{
    struct command elapse = command_plain(NO_SEAT, VERB_ELAPSE);
    elapse.n = CLOCK_ANSWER;
    while (session->watcher.skip_moment != NULL && session->state == SESSION_RUNNING &&
           query_pause(session->game, PAUSE_ANSWER).kind != PAUSE_NONE &&
           session->watcher.skip_moment(session->watcher.user, session) &&
           session_carry_out(session, &elapse, NULL)) {
    }
}

bool session_submit(struct session *session, const struct command *command, struct refusal *why)
{
    if (session->state != SESSION_RUNNING) {
        if (why != NULL) {
            *why = (struct refusal){0};
            (void)refuse(why, session->state == SESSION_OVER ? REFUSAL_GAME_OVER : REFUSAL_NO_TABLE,
                         "");
        }
        return false;
    }
    if (!session_carry_out(session, command, why)) {
        return false;
    }
    session_skip_moments(session);
    return true;
}

void session_watch(struct session *session, const struct session_watcher *watcher)
{
    session->watcher = *watcher;
    session_skip_moments(session);
}

enum session_state session_state(const struct session *session)
{
    return session->state;
}

unsigned session_seat_count(const struct session *session)
{
    return session->seat_count;
}

const char *session_seat_name(const struct session *session, unsigned seat)
{
    return seat < session->seat_count ? session->seats[seat].name : "";
}

unsigned session_find_seat(const struct session *session, const char *name)
{
    char clean[SESSION_NAME_SIZE];
    text_clean(name, clean, sizeof clean); // as the seats have it
    for (unsigned i = 0; i < session->seat_count; i++) {
        if (session->seats[i].taken && strcasecmp(session->seats[i].name, clean) == 0) {
            return i;
        }
    }
    return NO_SEAT;
}

bool session_seat_is_bot(const struct session *session, unsigned seat)
{
    return seat < session->seat_count && session->seats[seat].policy != NULL;
}

void session_marks(struct session *session, bool marks)
{
    session->marks = marks;
}

const struct box *session_box(const struct session *session)
{
    return &session->box;
}

struct message_list *session_outbox(struct session *session)
{
    return &session->outbox;
}

const struct game *session_game(const struct session *session)
{
    return session->game;
}
