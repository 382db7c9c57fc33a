#include "adapters/service/service.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <poll.h>
#include <signal.h>

#include "core/codec/memory.h"

#include "bot/chat_queue.h"
#include "bot/hall/hall_limits.h"
#include "bot/kept/kept_table.h"

#include "adapters/service/figures.h"
#include "adapters/service/service_log.h"
#include "adapters/store/store_url.h"

/* Somebody forgotten in the store that is being served: on a thread and a connection of its own,
 * for every table is rewritten (bot/kept/kept_table.h). */

struct forgetting_setup {
    uv_loop_t *loop;
    const struct catalog *catalog;
    const char *url;
    /** On the loop's thread; `why` NULL: it is done. */
    void (*done)(void *user, const struct mb_error *why);
    void *user;
};

struct forgetting {
    uv_work_t work;
    struct forgetting_setup setup;
    char network[PERSON_NETWORK_SIZE], person[CHAT_ID_SIZE];
    struct mb_error why;
    bool good;
};

static void forget_in_store(uv_work_t *request)
{
    struct forgetting *const forgetting = request->data;
    struct mb_error *const why = &forgetting->why;
    struct kept kept = {.store = NULL};
    size_t tables = 0;
    struct store *const store = store_url_find(forgetting->setup.url, why);
    forgetting->good = store != NULL && kept_open(&kept, forgetting->setup.catalog, store, why) &&
                       forget_person(&kept, forgetting->network, forgetting->person, &tables, why);
    kept_close(&kept);
    store_destroy(store);
}

static void forgotten_in_store(uv_work_t *request, int status)
{
    const struct forgetting *const forgetting = request->data;
    (void)status; // it is never cancelled
    forgetting->setup.done(forgetting->setup.user, forgetting->good ? NULL : &forgetting->why);
}

// One at a time; `forgetting` stays where it is until `done` was called.
static void forgetting_begin(struct forgetting *forgetting, const struct forgetting_setup *setup,
                             const char *network, const char *person)
{
    *forgetting = (struct forgetting){.setup = *setup};
    forgetting->work.data = forgetting;
    (void)snprintf(forgetting->network, sizeof forgetting->network, "%s", network);
    (void)snprintf(forgetting->person, sizeof forgetting->person, "%s", person);
    if (uv_queue_work(setup->loop, &forgetting->work, forget_in_store, forgotten_in_store) != 0) {
        (void)mb_fail(&forgetting->why, MB_ERR_LIMIT, "cannot start a thread; try again");
        setup->done(setup->user, &forgetting->why);
    }
}

enum { NS_PER_MS = 1000000, SIGNALS = 3 };

struct service_chat {
    struct service *service;
    const struct service_adapter *adapter;
    struct chat_queue queue;
    struct chat *chat; // NULL: not made
    bool gone;
};

struct service {
    struct service_setup setup;
    enum service_state state;
    uv_loop_t loop;
    uv_timer_t due, again, drain, watchdog; // again: the store is tried again
    uv_async_t wake;
    uv_signal_t signals[SIGNALS];
    uv_work_t opening;
    struct mb_error opened;
    bool opening_now, open, away; // away: and it has been said
    int64_t silent_ms;            // so long has the store not answered
    unsigned last_turns;          // while draining: in which what had been heard is dealt with
    bool heard_last;              // while draining: what had been heard by then
    uint64_t again_ms;
    int64_t looked_ms; // at the clock, last
    int64_t passed_ms; // since then, that the hall is to be told of
    struct http *http;
    struct websockets *websockets;
    struct pages *pages; // NULL: none are wanted
    struct hall *hall;
    struct forgetting forgetting;
    struct service_chat chats[HALL_CHATS_MAX];
    struct mb_error failed; // why it ends, unless it was told to
    unsigned long turns;
    uint64_t woken_ns;     // since when the loop is held
    unsigned long held_ms; // the longest that it was
    struct histogram held;
    struct tallies tallies;
    int64_t started_s;
};

static void say(const struct service *service, enum net_log_level level, const char *event,
                const char *text)
{
    service_log(service->setup.log, level, event, text != NULL ? LOG_FIELDS(log_text(text)) : NULL);
}

/* The end. */

static void close_handle(uv_handle_t *handle)
{
    if (handle->type != UV_UNKNOWN_HANDLE && uv_is_closing(handle) == 0) {
        uv_close(handle, NULL);
    }
}

static void log_figures(const struct service *service)
{
    char heard[LOG_NUMBER_SIZE];
    char steps[LOG_NUMBER_SIZE];
    char sent[LOG_NUMBER_SIZE];
    char held[LOG_NUMBER_SIZE];
    const struct hall_stats *const stats = hall_stats(service->hall);
    service_log(service->setup.log, NET_LOG_INFO, "stopped",
                LOG_FIELDS(log_number("heard", stats->heard, heard),
                           log_number("steps", stats->steps, steps),
                           log_number("sent", stats->sent, sent),
                           log_number("held_ms", service->held_ms, held)));
}

// Everything that keeps the loop running is let go of.
static void close_all(struct service *service)
{
    if (service->state == SERVICE_CLOSED) {
        return;
    }
    service->state = SERVICE_CLOSED;
    for (size_t i = 0; i < service->setup.adapter_count; i++) {
        if (service->chats[i].chat != NULL) {
            chat_stop(service->chats[i].chat);
        }
    }
    if (service->hall != NULL) {
        log_figures(service);
    }
    hall_destroy(service->hall);
    service->hall = NULL;
    store_stop(service->setup.store);
    if (service->http != NULL) {
        http_close(service->http);
    }
    if (service->websockets != NULL) {
        websockets_close(service->websockets);
    }
    pages_close(service->pages);
    close_handle((uv_handle_t *)&service->due);
    close_handle((uv_handle_t *)&service->again);
    close_handle((uv_handle_t *)&service->drain);
    close_handle((uv_handle_t *)&service->watchdog);
    close_handle((uv_handle_t *)&service->wake);
    for (unsigned i = 0; i < SIGNALS; i++) {
        close_handle((uv_handle_t *)&service->signals[i]);
    }
}

static void on_drained(uv_timer_t *timer)
{
    struct service *const service = timer->data;
    if (!service->opening_now) { // which has an end of its own
        say(service, NET_LOG_WARN, "drain-cut", "stopped before everything was finished");
        close_all(service);
    }
}

static void wake_loop(void *user)
{
    struct service *const service = user;
    (void)uv_async_send(&service->wake); // from any thread
}

void service_stop(struct service *service)
{
    if (service->state >= SERVICE_DRAINING) {
        return;
    }
    notify_send("STOPPING=1");
    say(service, NET_LOG_INFO, "stopping", NULL);
    service->state = SERVICE_DRAINING;
    (void)uv_timer_stop(&service->again);
    // The rest is the next turn's: this may be called from within the hall.
    const uint64_t drain_ms = service->setup.drain_ms;
    (void)uv_timer_start(&service->drain, on_drained, drain_ms > 0 ? drain_ms : SERVICE_DRAIN_MS,
                         0);
    wake_loop(service);
}

static void fail_service(struct service *service, const struct mb_error *why)
{
    (void)mb_fail(&service->failed, why->code, "%s", why->text);
    service_stop(service);
}

/* Time and turns. */

static void on_due(uv_timer_t *timer)
{
    (void)timer; // the turn that follows does what there is to do
}

static void on_wake(uv_async_t *async)
{
    (void)async; // likewise
}

// Goes on while the machine sleeps.
static int64_t clock_ms(void)
{
    enum { MS = 1000 };
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * MS + now.tv_nsec / NS_PER_MS;
}

// Time has passed, of which so much was expected (-1: nobody knows how much). What is far more,
// this process or its machine has not lived through; the hall hears that before anything else.
static void count_time(struct service *service, int expected_ms)
{
    const int64_t now_ms = clock_ms();
    const int64_t ms = now_ms - service->looked_ms;
    const bool stood = expected_ms >= 0 && ms > expected_ms + SERVICE_LATE_MS;
    service->looked_ms = now_ms;
    service->passed_ms += stood ? expected_ms : ms;
    if (stood && service->hall != NULL) {
        char number[LOG_NUMBER_SIZE];
        hall_stand(service->hall, ms - expected_ms);
        service_log(service->setup.log, NET_LOG_WARN, "stood-still",
                    LOG_FIELDS(log_number("ms", (unsigned long)(ms - expected_ms), number)));
    }
}

static void arm_timer(struct service *service, bool done)
{
    int64_t ms = done ? hall_due_ms(service->hall) : 0;
    if (ms < 0) {
        (void)uv_timer_stop(&service->due);
        return;
    }
    (void)uv_timer_start(&service->due, on_due, (uint64_t)ms, 0);
}

// Whether it answers, said once.
static void look_after_store(struct service *service)
{
    const bool silent = hall_lacks_store(service->hall);
    service->silent_ms = silent ? service->silent_ms + service->passed_ms : 0;
    if (silent && !service->away && service->silent_ms >= SERVICE_AWAY_MS) {
        service->away = true;
        say(service, NET_LOG_WARN, "store-away",
            "the store does not answer; games pause until it does");
    } else if (!silent && service->away) {
        service->away = false;
        say(service, NET_LOG_INFO, "store-back", NULL);
    }
}

// What has come is dealt with; the rest, if it is much, in the next turn.
static void take_turn(struct service *service)
{
    const bool drains = service->state == SERVICE_DRAINING;
    bool done = true;
    if (service->hall != NULL) {
        uv_update_time(&service->loop);
        count_time(service, 0);
        service->turns++;
        done = hall_advance(service->hall, service->passed_ms);
        look_after_store(service);
        service->passed_ms = 0;
        if (service->heard_last) {
            hall_dismiss(service->hall);
        } else {
            const bool heard = hall_hear(service->hall);
            service->last_turns += drains ? 1 : 0;
            service->heard_last = drains && (heard || service->last_turns >= SERVICE_LAST_TURNS);
            done = done && heard;
        }
    }
    if (drains && !service->opening_now &&
        (service->hall == NULL || (done && !hall_is_busy(service->hall)))) {
        close_all(service);
    } else if (service->hall != NULL) {
        arm_timer(service, done);
    }
}

static void note_held(struct service *service)
{
    const uint64_t ms = (uv_hrtime() - service->woken_ns) / NS_PER_MS;
    service->held_ms = ms > service->held_ms ? (unsigned long)ms : service->held_ms;
    histogram_note(&service->held, (int64_t)ms);
}

// The loop's own wait, but what is first done behind it is to look at the clock.
static void wait_for_something(struct service *service)
{
    uv_update_time(&service->loop);
    const int ms = uv_backend_timeout(&service->loop);
    struct pollfd events = {.fd = uv_backend_fd(&service->loop), .events = POLLIN};
    note_held(service);
    if (ms != 0) {
        (void)poll(&events, 1, ms);
        count_time(service, ms);
    }
    service->woken_ns = uv_hrtime();
}

/* Chats. */

static void on_log(void *user, enum net_log_level level, const char *event, const char *text)
{
    const struct service_chat *const at = user;
    service_log(at->service->setup.log, level, event,
                LOG_FIELDS({.key = "network", .value = at->adapter->name}, log_text(text)));
}

static void on_fatal(void *user, const struct mb_error *why)
{
    struct service_chat *const at = user;
    struct service *const service = at->service;
    bool any = false;
    if (at->gone) {
        return;
    }
    on_log(at, NET_LOG_ERROR, "network-lost", why->text);
    at->gone = true;
    for (size_t i = 0; i < service->setup.adapter_count; i++) {
        any = any || !service->chats[i].gone;
    }
    if (!any) {
        fail_service(service, why);
    }
}

static bool start_chat(struct service *service, struct service_chat *at, struct mb_error *err)
{
    const struct service_host host = {.loop = &service->loop,
                                      .http = service->http,
                                      .websockets = service->websockets,
                                      .log = on_log,
                                      .fatal = on_fatal,
                                      .user = at};
    at->chat = at->adapter->create(at->adapter->setup, &host, &at->queue, err);
    return at->chat != NULL && chat_start(at->chat, err) &&
           hall_add_chat(service->hall, at->chat, err);
}

// Tables that come and go are few; what happens at them is for who looks for something.
static void on_note(void *user, const struct hall_note *note)
{
    static const char *const EVENTS[] = {
        [HALL_NOTE_OPENED] = "table-opened",     [HALL_NOTE_CHANGED] = "table-changed",
        [HALL_NOTE_CLOSED] = "table-closed",     [HALL_NOTE_LOOKED] = "command-answered",
        [HALL_NOTE_REFUSED] = "command-refused", [HALL_NOTE_UNREADABLE] = "table-unreadable"};
    static const enum net_log_level LEVELS[] = {
        [HALL_NOTE_OPENED] = NET_LOG_INFO,   [HALL_NOTE_CHANGED] = NET_LOG_DEBUG,
        [HALL_NOTE_CLOSED] = NET_LOG_INFO,   [HALL_NOTE_LOOKED] = NET_LOG_DEBUG,
        [HALL_NOTE_REFUSED] = NET_LOG_DEBUG, [HALL_NOTE_UNREADABLE] = NET_LOG_WARN};
    struct service *const service = user;
    char version[LOG_NUMBER_SIZE];
    if (note->verb[0] != '\0') {
        tallies_add(&service->tallies, note->verb, note->refusal);
    }
    service_log(service->setup.log, LEVELS[note->kind], EVENTS[note->kind],
                LOG_FIELDS({.key = "table", .value = note->table},
                           log_number("version", (unsigned long)note->version, version),
                           {.key = "network", .value = note->network},
                           {.key = "command", .value = note->event},
                           {.key = "verb", .value = note->verb},
                           {.key = "refusal", .value = note->refusal}, log_text(note->reason)));
}

static int64_t wall_s(void *user)
{
    (void)user;
    return (int64_t)time(NULL);
}

static void on_forgotten(void *user, const struct mb_error *why)
{
    struct service *const service = user;
    service_log(service->setup.log, why == NULL ? NET_LOG_INFO : NET_LOG_WARN, "person-forgotten",
                LOG_FIELDS(log_text(why == NULL ? "" : why->text)));
    if (service->hall != NULL) {
        hall_forgotten(service->hall, why == NULL);
    }
}

static void on_forget(void *user, const char *network, const char *person)
{
    struct service *const service = user;
    const struct forgetting_setup setup = {.loop = &service->loop,
                                           .catalog = service->setup.catalog,
                                           .url = service->setup.store_url,
                                           .done = on_forgotten,
                                           .user = service};
    forgetting_begin(&service->forgetting, &setup, network, person);
}

static void begin_to_serve(struct service *service)
{
    const struct hall_setup setup = {.catalog = service->setup.catalog,
                                     .store = service->setup.store,
                                     .policy = service->setup.policy,
                                     .pieces = SERVICE_PIECES,
                                     .wall_s = wall_s,
                                     .note = on_note,
                                     .note_user = service,
                                     .forget = service->setup.store_url != NULL ? on_forget : NULL,
                                     .forget_user = service};
    service->hall = hall_create(&setup);
    service->state = SERVICE_SERVING;
    service->looked_ms = clock_ms();
    service->passed_ms = 0;
    for (size_t i = 0; i < service->setup.adapter_count; i++) {
        struct mb_error why = {0};
        if (!start_chat(service, &service->chats[i], &why)) {
            on_fatal(&service->chats[i], &why);
        }
    }
    if (service->state == SERVICE_SERVING) {
        say(service, NET_LOG_INFO, "serving", NULL);
        notify_send("READY=1\nSTATUS=serving");
    }
}

/* The store. */

static void start_store(uv_work_t *work)
{
    struct service *const service = work->data;
    service->opened = (struct mb_error){0};
    service->open = store_start(service->setup.store, &service->opened);
}

static void try_store(struct service *service);

static void on_again(uv_timer_t *timer)
{
    try_store(timer->data);
}

// Whether it is only away; else nothing will come of trying again.
static bool may_come(enum mb_code code)
{
    return code == MB_ERR_IO || code == MB_ERR_RETRY || code == MB_ERR_LIMIT;
}

static void on_store(uv_work_t *work, int status)
{
    struct service *const service = work->data;
    const struct mb_error *const why = &service->opened;
    (void)status; // it is never cancelled
    service->opening_now = false;
    if (service->state != SERVICE_OPENING) {
        return; // it is to stop
    }
    if (service->open) {
        begin_to_serve(service);
    } else if (!may_come(why->code)) {
        fail_service(service, why);
    } else {
        if (!service->away) {
            say(service, NET_LOG_WARN, "store-away", why->text);
            notify_send("READY=1\nSTATUS=waiting for the store");
        }
        service->away = true;
        (void)uv_timer_start(&service->again, on_again, service->again_ms, 0);
        service->again_ms *= 2;
        if (service->again_ms > SERVICE_STORE_LAST_MS) {
            service->again_ms = SERVICE_STORE_LAST_MS;
        }
    }
}

// It may take seconds, so it is another thread's.
static void try_store(struct service *service)
{
    service->opening.data = service;
    service->opening_now =
        uv_queue_work(&service->loop, &service->opening, start_store, on_store) == 0;
}

/* Life. */

static void on_signal(uv_signal_t *handle, int number)
{
    struct service *const service = handle->data;
    if (number != SIGHUP && service->state == SERVICE_DRAINING && !service->opening_now) {
        close_all(service); // somebody is in a hurry
    } else if (number != SIGHUP) {
        service_stop(service);
    } else if (service->setup.reread != NULL) {
        service->setup.reread(service->setup.user);
    }
}

static void on_watchdog(uv_timer_t *timer)
{
    (void)timer;
    notify_send("WATCHDOG=1");
}

static const char *why_unready(const struct service *service)
{
    static const char *const WHYS[] = {[SERVICE_OPENING] = "waiting for the store",
                                       [SERVICE_SERVING] = NULL,
                                       [SERVICE_DRAINING] = "stopping",
                                       [SERVICE_CLOSED] = "stopped"};
    return WHYS[service->state];
}

static bool on_page(void *user, const char *path, struct page *out)
{
    const struct service *const service = user;
    struct figures figures = {.unready = why_unready(service),
                              .store_away = service->away,
                              .store_free = store_url_free(service->setup.store_url),
                              .started_s = service->started_s,
                              .turns = service->turns,
                              .held = service->held,
                              .held_ms = service->held_ms,
                              .network_count = service->setup.adapter_count,
                              .tallies = &service->tallies};
    for (size_t i = 0; i < service->setup.adapter_count; i++) {
        const struct service_chat *const at = &service->chats[i];
        figures.networks[i] = (struct figures_network){
            .name = at->adapter->name, .chat = at->chat, .refused = at->gone};
    }
    if (service->hall != NULL) {
        figures.store_away = hall_lacks_store(service->hall);
        figures.stats = hall_stats(service->hall);
        hall_figures(service->hall, &figures.hall);
    }
    return figures_page(&figures, path, out);
}

static bool make_handles(struct service *service)
{
    static const int NUMBERS[SIGNALS] = {SIGTERM, SIGINT, SIGHUP};
    uv_loop_t *const loop = &service->loop;
    uv_timer_t *const timers[] = {&service->due, &service->again, &service->drain,
                                  &service->watchdog};
    bool good = true;
    for (size_t i = 0; good && i < sizeof timers / sizeof timers[0]; i++) {
        good = uv_timer_init(loop, timers[i]) == 0;
        timers[i]->data = service;
    }
    for (unsigned i = 0; good && i < SIGNALS; i++) {
        good = uv_signal_init(loop, &service->signals[i]) == 0;
        service->signals[i].data = service;
        good = good && uv_signal_start(&service->signals[i], on_signal, NUMBERS[i]) == 0;
    }
    good = good && uv_async_init(loop, &service->wake, on_wake) == 0;
    const uint64_t watch_ms = notify_watchdog_ms() / 2;
    return good && (watch_ms == 0 ||
                    uv_timer_start(&service->watchdog, on_watchdog, watch_ms, watch_ms) == 0);
}

struct service *service_create(const struct service_setup *setup, struct mb_error *err)
{
    assert(setup->adapter_count > 0 && setup->adapter_count <= HALL_CHATS_MAX);
    struct service *const service = mb_new(1, sizeof *service);
    if (uv_loop_init(&service->loop) != 0) {
        free(service);
        (void)mb_fail(err, MB_ERR_LIMIT, "cannot create the event loop");
        return NULL;
    }
    service->setup = *setup;
    service->again_ms = SERVICE_STORE_FIRST_MS;
    service->started_s = wall_s(NULL);
    for (size_t i = 0; i < setup->adapter_count; i++) {
        service->chats[i].service = service;
        service->chats[i].adapter = &setup->adapters[i];
        chat_queue_init(&service->chats[i].queue);
    }
    service->http = http_create(&(struct http_setup){.loop = &service->loop,
                                                     .user_agent = setup->user_agent,
                                                     .ca_file = setup->ca_file},
                                err);
    service->websockets =
        service->http != NULL ? websockets_create(&service->loop, setup->ca_file, err) : NULL;
    bool good = service->websockets != NULL && make_handles(service);
    if (good && setup->listen != NULL) {
        service->pages = pages_create(&service->loop, setup->listen, on_page, service, err);
        good = service->pages != NULL;
    }
    if (!good) {
        (void)mb_fail(err, MB_ERR_LIMIT, "cannot create the event loop");
        service_destroy(service);
        return NULL;
    }
    store_on_wake(setup->store, wake_loop, service);
    return service;
}

bool service_run(struct service *service, struct mb_error *err)
{
    assert(service->state == SERVICE_OPENING);
    try_store(service);
    service->woken_ns = uv_hrtime();
    while (uv_loop_alive(&service->loop) != 0) {
        take_turn(service);
        wait_for_something(service);
        (void)uv_run(&service->loop, UV_RUN_NOWAIT);
    }
    return service->failed.code == MB_OK ||
           mb_fail(err, service->failed.code, "%s", service->failed.text);
}

void service_destroy(struct service *service)
{
    if (service == NULL) {
        return;
    }
    close_all(service);
    (void)uv_run(&service->loop, UV_RUN_DEFAULT);
    for (size_t i = 0; i < service->setup.adapter_count; i++) {
        chat_destroy(service->chats[i].chat);
        chat_queue_finish(&service->chats[i].queue);
    }
    http_destroy(service->http);
    websockets_destroy(service->websockets);
    pages_destroy(service->pages);
    tallies_finish(&service->tallies);
    (void)uv_run(&service->loop, UV_RUN_DEFAULT);
    const int left = uv_loop_close(&service->loop);
    assert(left == 0);
    (void)left;
    free(service);
}

enum service_state service_state(const struct service *service)
{
    return service->state;
}

uv_loop_t *service_loop(struct service *service)
{
    return &service->loop;
}

const struct hall *service_hall(const struct service *service)
{
    return service->hall;
}

unsigned long service_turns(const struct service *service)
{
    return service->turns;
}
