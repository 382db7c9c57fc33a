// What of a table may be seen by whom: views made when they are asked for, and the narration of
// what a command did. A view is made for those only who are shown or told something.
#include "bot/render/render.h"
#include "bot/session/session_impl.h"

void session_changed(struct session *session)
{
    session->stamp = session_workspace_stamp(session->workspace);
}

const struct game *session_view(struct session *session, unsigned seat)
{
    const unsigned viewer = seat < session->seat_count ? seat : (unsigned)NO_SEAT;
    struct session_view *const view =
        &session->workspace->views[viewer != NO_SEAT ? viewer : MB_SEATS_MAX];
    if (view->stamp != session->stamp) {
        game_redact(session->game, &session->box, viewer, view->state);
        view->stamp = session->stamp;
    }
    return view->state;
}

void session_narrate(struct session *session)
{
    const struct event_list *const events = &session->workspace->events;
    const struct game *views[MB_SEATS_MAX + 1] = {0};
    const unsigned told = render_secret_seats(events->items, events->count);
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        const bool reads = session->seats[seat].policy == NULL && (told & seat_bit(seat)) != 0;
        views[seat] = reads ? session_view(session, seat) : NULL;
    }
    views[MB_SEATS_MAX] = session_view(session, NO_SEAT);
    struct table_words words = session_words_of(session, NO_SEAT);
    words.told = &session->told;
    (void)render_events(&words, views, events->items, events->count, &session->outbox);
}

// How long the innermost window lasts from its opening: its stakes are public.
static unsigned find_window_seconds(const struct session *session)
{
    enum { SECOND_MS = 1000 };
    if (query_pause(session->game, PAUSE_ANSWER).kind != PAUSE_NONE) {
        return (unsigned)(pace_clock_ms(&session->options, CLOCK_ANSWER) / SECOND_MS);
    }
    if (query_pause(session->game, PAUSE_WIN).kind != PAUSE_NONE) {
        return (unsigned)(pace_window_ms(&session->options,
                                         query_win_level(session->game, &session->box),
                                         session->box.profile.constant[PROFILE_GOAL]) /
                          SECOND_MS);
    }
    return 0;
}

static unsigned window_seconds(struct session *session)
{
    if (session->window_stamp != session->stamp) {
        session->window_stamp = session->stamp;
        session->window_s = find_window_seconds(session);
    }
    return session->window_s;
}

void session_words(struct session *session, unsigned seat, struct table_words *out)
{
    const bool running = session->state != SESSION_EMPTY && session->state != SESSION_LOBBY;
    const struct game *view = NULL;
    if (running) {
        view = session_view(session, seat);
    }
    *out = (struct table_words){.catalog = session->catalog,
                                .box = session->state == SESSION_EMPTY ? NULL : &session->box,
                                .view = view,
                                .seat = seat,
                                .window_s = running ? window_seconds(session) : 0};
    const struct session_due due = session_due(session);
    enum { SECOND_MS = 1000 };
    // At a terminal nobody is hurried: only windows and answers have a clock there.
    const bool clocked = session->options.pace != PACE_TERMINAL || due.clock == CLOCK_WINDOW ||
                         due.clock == CLOCK_ANSWER;
    out->left_s = running && clocked && due.clock_ms > 0
                      ? (unsigned)((due.clock_ms + SECOND_MS - 1) / SECOND_MS)
                      : 0;
    out->marks = session->marks;
    out->seal = running && session->seal[0] != '\0' ? session->seal : NULL;
    for (unsigned i = 0; i < session->seat_count; i++) {
        out->players[i] = session->seats[i].name;
        out->bots |= session->seats[i].policy != NULL ? seat_bit(i) : 0u;
        if (session->marks) {
            struct text_out marked;
            text_begin(&marked, session->marked[i], sizeof session->marked[i]);
            text_mark(&marked, MARK_PLAYER);
            text_value(&marked, session->seats[i].name);
            text_mark(&marked, MARK_END);
            out->marked[i] = session->marked[i];
        }
    }
}

uint64_t session_stamp(const struct session *session)
{
    return session->stamp;
}

static void put_seat(const struct session *session, unsigned seat, struct text_out *out)
{
    const struct session_seat *const who = &session->seats[seat];
    enum text_id id = TEXT_LOBBY_PERSON;
    if (who->policy != NULL) {
        id = TEXT_LOBBY_BOT;
    } else if (session->host == seat) {
        id = TEXT_LOBBY_HOST;
    }
    text_line(out, id,
              TEXT_ARGS(text_num("n", (long)seat + 1), text_str("who", who->name),
                        text_str("level", who->policy != NULL ? who->policy->name : "")));
}

static size_t lobby_card(const struct session *session, char *out, size_t size)
{
    const struct table_options *const options = &session->options;
    const unsigned room = options->seats > 0 ? options->seats : MB_SEATS_MAX;
    const unsigned least = (unsigned)session->box.profile.constant[PROFILE_SEATS_MIN];
    const char *names[CATALOG_SETS_MAX];
    char sets[512];
    struct text_out text;
    for (size_t i = 0; i < options->set_count; i++) {
        names[i] = catalog_set(session->catalog, options->sets[i])->name;
    }
    text_begin(&text, sets, sizeof sets);
    text_list(&text, names, options->set_count, TEXT_AND);
    text_begin(&text, out, size);
    text_line(
        &text, TEXT_LOBBY_HEAD,
        TEXT_ARGS(text_str("sets", sets), text_num("n", session->seat_count), text_num("m", room)));
    for (unsigned seat = 0; seat < session->seat_count; seat++) {
        put_seat(session, seat, &text);
    }
    if (session->seat_count < least) {
        text_line(&text, TEXT_LOBBY_WANTS, TEXT_ARGS(text_num("n", least - session->seat_count)));
    } else {
        text_line(&text, TEXT_LOBBY_READY, NULL);
    }
    return text.length;
}

size_t session_card(struct session *session, char *out, size_t size)
{
    if (size > 0) {
        out[0] = '\0';
    }
    if (session->state == SESSION_EMPTY) {
        return 0;
    }
    if (session->state == SESSION_LOBBY || query_seat_count(session->game) == 0) {
        return session->state == SESSION_LOBBY ? lobby_card(session, out, size) : 0;
    }
    const struct table_words words = session_words_of(session, NO_SEAT);
    return render_table(&words, out, size);
}
