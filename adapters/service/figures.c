#include "adapters/service/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/resource.h>
#include <unistd.h>

#include "core/codec/memory.h"

enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };

#define S_PER_MS 1e-3

/* Commands. */

void tallies_add(struct tallies *tallies, const char *verb, const char *code)
{
    size_t at = 0;
    while (at < tallies->count && (strcmp(tallies->list[at].verb, verb) != 0 ||
                                   strcmp(tallies->list[at].code, code) != 0)) {
        at++;
    }
    if (at == tallies->count) {
        tallies->list = mb_grow(tallies->list, ++tallies->count, sizeof *tallies->list);
        tallies->list[at] = (struct tally){.verb = verb, .code = code};
    }
    tallies->list[at].count++;
}

void tallies_finish(struct tallies *tallies)
{
    free(tallies->list);
    *tallies = (struct tallies){.list = NULL};
}

/* Metrics, each begun by its name, then one line a set of labels. */

static void begin(FILE *out, const char *name, const char *type, const char *help)
{
    (void)fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void put_gauge(FILE *out, const char *name, const char *help, double value)
{
    begin(out, name, "gauge", help);
    (void)fprintf(out, "%s %.15g\n", name, value);
}

static void put_counter(FILE *out, const char *name, const char *help, double value)
{
    begin(out, name, "counter", help);
    (void)fprintf(out, "%s %.15g\n", name, value);
}

// `label`: `network="x",`, or "".
static void put_histogram(FILE *out, const char *name, const char *label,
                          const struct histogram *histogram)
{
    const int length = label[0] != '\0' ? (int)strlen(label) - 1 : 0;
    uint64_t so_far = 0;
    for (unsigned i = 0; i < HISTOGRAM_BOUNDS; i++) {
        so_far += histogram->at_most[i];
        (void)fprintf(out, "%s_bucket{%sle=\"%g\"} %" PRIu64 "\n", name, label,
                      HISTOGRAM_MS[i] * S_PER_MS, so_far);
    }
    const char *const open = length > 0 ? "{" : "";
    const char *const close = length > 0 ? "}" : "";
    (void)fprintf(out, "%s_bucket{%sle=\"+Inf\"} %" PRIu64 "\n", name, label, histogram->count);
    (void)fprintf(out, "%s_sum%s%.*s%s %.15g\n", name, open, length, label, close,
                  (double)histogram->sum_ms * S_PER_MS);
    (void)fprintf(out, "%s_count%s%.*s%s %" PRIu64 "\n", name, open, length, label, close,
                  histogram->count);
}

/* The process. */

static double resident_bytes(void)
{
    enum { DECIMAL = 10, LINE_SIZE = 256 };
    char line[LINE_SIZE] = ""; // pages in all, pages resident, ...
    char *end = line;
    FILE *const file = fopen("/proc/self/statm", "re");
    if (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)strtoul(line, &end, DECIMAL);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (double)strtoul(end, NULL, DECIMAL) * (double)sysconf(_SC_PAGESIZE);
}

static double cpu_seconds(void)
{
    const double us = 1e-6;
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * us;
}

static void put_process(FILE *out, const struct figures *figures)
{
    put_gauge(out, "process_resident_memory_bytes", "Memory in use.", resident_bytes());
    put_counter(out, "process_cpu_seconds_total", "Processor time used.", cpu_seconds());
    put_gauge(out, "process_start_time_seconds", "When the process started, since 1970.",
              (double)figures->started_s);
    put_gauge(out, "munchbot_serving", "1 while tables are served.",
              figures->unready == NULL ? 1 : 0);
    put_counter(out, "munchbot_loop_turns_total", "Turns of the loop.", (double)figures->turns);
    put_gauge(out, "munchbot_loop_held_max_seconds",
              "The longest that the loop was held at a time.", (double)figures->held_ms * S_PER_MS);
    begin(out, "munchbot_loop_held_seconds", "histogram", "How long each turn held the loop.");
    put_histogram(out, "munchbot_loop_held_seconds", "", &figures->held);
}

/* The store. */

static void put_store(FILE *out, const struct figures *figures)
{
    put_gauge(out, "munchbot_store_up", "1 while the store answers.", figures->store_away ? 0 : 1);
    if (figures->store_free >= 0) {
        put_gauge(out, "munchbot_store_free_bytes", "Bytes free where the store's file is.",
                  (double)figures->store_free);
    }
    if (figures->stats != NULL) {
        put_counter(out, "munchbot_store_commit_bytes_total", "Bytes in commits.",
                    (double)figures->stats->commit_bytes);
        begin(out, "munchbot_store_commit_seconds", "histogram",
              "From asking the store for a commit to its answer.");
        put_histogram(out, "munchbot_store_commit_seconds", "", &figures->stats->commit);
    }
}

/* Networks. */

struct network_values {
    double up, refused, standby, speaks, links, live, connects, silent_s;
    double limited, waited_s, requests, oldest_request_s;
    double heard, unsent, oldest_unsent_s;
};

static const struct {
    const char *name, *type, *help;
    size_t offset;
} NETWORK_METRICS[] = {
    {"munchbot_network_up", "gauge", "1 while people can be heard there.",
     offsetof(struct network_values, up)},
    {"munchbot_network_refused", "gauge",
     "1 if it will not connect again: the log says why, mostly the token.",
     offsetof(struct network_values, refused)},
    {"munchbot_network_standby", "gauge", "1 while another process speaks there.",
     offsetof(struct network_values, standby)},
    {"munchbot_network_speaks", "gauge", "1 while this process speaks there.",
     offsetof(struct network_values, speaks)},
    {"munchbot_network_links", "gauge", "Connections that this process keeps (shards, syncs).",
     offsetof(struct network_values, links)},
    {"munchbot_network_links_live", "gauge", "Of these the ones that work.",
     offsetof(struct network_values, live)},
    {"munchbot_network_connects_total", "counter", "Connections made.",
     offsetof(struct network_values, connects)},
    {"munchbot_network_silent_seconds", "gauge",
     "Since the network last said anything, at its most silent connection.",
     offsetof(struct network_values, silent_s)},
    {"munchbot_network_limited_total", "counter", "Answers that said: too many requests.",
     offsetof(struct network_values, limited)},
    {"munchbot_network_wait_seconds_total", "counter",
     "How long all requests together waited for limits and for each other.",
     offsetof(struct network_values, waited_s)},
    {"munchbot_network_requests", "gauge", "Requests that wait or are under way.",
     offsetof(struct network_values, requests)},
    {"munchbot_network_requests_oldest_seconds", "gauge", "How long the oldest has waited.",
     offsetof(struct network_values, oldest_request_s)},
    {"munchbot_queue_heard", "gauge", "Lines heard and not taken yet.",
     offsetof(struct network_values, heard)},
    {"munchbot_queue_unsent", "gauge", "Messages that have not arrived yet.",
     offsetof(struct network_values, unsent)},
    {"munchbot_queue_unsent_oldest_seconds", "gauge", "How long the oldest has waited.",
     offsetof(struct network_values, oldest_unsent_s)},
};

static const struct hall_chat_figures *hall_figures_of(const struct figures *figures,
                                                       const struct chat *chat)
{
    static const struct hall_chat_figures NONE = {.chat = NULL};
    for (unsigned i = 0; i < figures->hall.chat_count; i++) {
        if (figures->hall.chats[i].chat == chat) {
            return &figures->hall.chats[i];
        }
    }
    return &NONE;
}

static struct network_values values_of(const struct figures *figures,
                                       const struct figures_network *network)
{
    const struct hall_chat_figures *const hall = hall_figures_of(figures, network->chat);
    struct chat_figures chat = {.silent_ms = -1};
    if (network->chat != NULL) {
        chat_figures(network->chat, &chat);
    }
    return (struct network_values){
        .up = network->chat != NULL && !network->refused && chat.away == NULL ? 1 : 0,
        .refused = network->refused ? 1 : 0,
        .standby = chat.standby ? 1 : 0,
        .speaks = hall->speaks ? 1 : 0,
        .links = chat.links,
        .live = chat.live,
        .connects = (double)chat.connects,
        .silent_s = chat.silent_ms > 0 ? (double)chat.silent_ms * S_PER_MS : 0,
        .limited = (double)chat.limited,
        .waited_s = (double)chat.waited_ms * S_PER_MS,
        .requests = (double)chat.waiting,
        .oldest_request_s = (double)chat.oldest_ms * S_PER_MS,
        .heard = (double)hall->heard,
        .unsent = (double)hall->unsent,
        .oldest_unsent_s = (double)hall->oldest_ms * S_PER_MS};
}

static void put_networks(FILE *out, const struct figures *figures)
{
    struct network_values values[HALL_CHATS_MAX];
    for (size_t i = 0; i < figures->network_count; i++) {
        values[i] = values_of(figures, &figures->networks[i]);
    }
    for (size_t m = 0; m < sizeof NETWORK_METRICS / sizeof NETWORK_METRICS[0]; m++) {
        begin(out, NETWORK_METRICS[m].name, NETWORK_METRICS[m].type, NETWORK_METRICS[m].help);
        for (size_t i = 0; i < figures->network_count; i++) {
            double value = 0;
            memcpy(&value, (const char *)&values[i] + NETWORK_METRICS[m].offset, sizeof value);
            (void)fprintf(out, "%s{network=\"%s\"} %.15g\n", NETWORK_METRICS[m].name,
                          figures->networks[i].name, value);
        }
    }
}

/* The hall. */

static const struct {
    const char *name, *help;
    size_t offset; // in struct hall_stats
} COUNTERS[] = {
    {"munchbot_lines_heard_total", "Lines of people that were handled.",
     offsetof(struct hall_stats, heard)},
    {"munchbot_lines_repeated_total", "Lines received a second time and ignored.",
     offsetof(struct hall_stats, repeated)},
    {"munchbot_lines_barred_total", "Lines not heard, by \"allow\" and \"block\".",
     offsetof(struct hall_stats, barred)},
    {"munchbot_lines_rationed_total", "Lines dropped because somebody typed too fast.",
     offsetof(struct hall_stats, rationed)},
    {"munchbot_lines_crowded_total", "Lines dropped because a queue was full.",
     offsetof(struct hall_stats, crowded)},
    {"munchbot_controls_stale_total", "Controls pressed too late or in the wrong place.",
     offsetof(struct hall_stats, stale)},
    {"munchbot_steps_committed_total", "Steps committed at tables.",
     offsetof(struct hall_stats, steps)},
    {"munchbot_steps_conflicted_total", "Commits repeated because another process was faster.",
     offsetof(struct hall_stats, conflicts)},
    {"munchbot_tables_fetched_total", "Tables loaded from the store.",
     offsetof(struct hall_stats, fetched)},
    {"munchbot_messages_sent_total", "Messages accepted by a network.",
     offsetof(struct hall_stats, sent)},
    {"munchbot_messages_retried_total", "Messages sent again.",
     offsetof(struct hall_stats, retried)},
    {"munchbot_messages_undeliverable_total", "Messages given up as undeliverable.",
     offsetof(struct hall_stats, undeliverable)},
};

static void put_counters(FILE *out, const struct hall_stats *stats)
{
    for (size_t i = 0; i < sizeof COUNTERS / sizeof COUNTERS[0]; i++) {
        unsigned long value = 0;
        memcpy(&value, (const char *)stats + COUNTERS[i].offset, sizeof value);
        put_counter(out, COUNTERS[i].name, COUNTERS[i].help, (double)value);
    }
}

static void put_commands(FILE *out, const struct tallies *tallies)
{
    begin(out, "munchbot_commands_total", "counter", "Commands carried out or answered, by verb.");
    for (size_t i = 0; i < tallies->count; i++) {
        if (tallies->list[i].code[0] == '\0') {
            (void)fprintf(out, "munchbot_commands_total{verb=\"%s\"} %lu\n", tallies->list[i].verb,
                          tallies->list[i].count);
        }
    }
    begin(out, "munchbot_refusals_total", "counter", "Commands refused, by verb and code.");
    for (size_t i = 0; i < tallies->count; i++) {
        if (tallies->list[i].code[0] != '\0') {
            (void)fprintf(out, "munchbot_refusals_total{verb=\"%s\",code=\"%s\"} %lu\n",
                          tallies->list[i].verb, tallies->list[i].code, tallies->list[i].count);
        }
    }
}

static void put_delays(FILE *out, const struct figures *figures)
{
    static const char DELIVERY[] = "munchbot_command_delivery_seconds";
    begin(out, "munchbot_command_commit_seconds", "histogram",
          "From hearing a command to its commit.");
    put_histogram(out, "munchbot_command_commit_seconds", "", &figures->stats->heard_to_commit);
    begin(out, DELIVERY, "histogram", "From hearing a command to each message that came of it.");
    for (unsigned i = 0; i < figures->hall.chat_count; i++) {
        char label[PERSON_NETWORK_SIZE + sizeof "network=\"\","];
        (void)snprintf(label, sizeof label, "network=\"%s\",",
                       chat_name(figures->hall.chats[i].chat));
        put_histogram(out, DELIVERY, label, &figures->stats->heard_to_delivery[i]);
    }
}

static void put_tables(FILE *out, const struct hall_figures *hall)
{
    static const char *const STATES[] = {[TABLE_EMPTY] = "opening",
                                         [TABLE_LOBBY] = "lobby",
                                         [TABLE_RUNNING] = "running",
                                         [TABLE_PAUSED] = "paused",
                                         [TABLE_OVER] = "over"};
    begin(out, "munchbot_tables", "gauge", "Tables in memory, by state.");
    for (unsigned i = 0; i < sizeof STATES / sizeof STATES[0]; i++) {
        (void)fprintf(out, "munchbot_tables{state=\"%s\"} %zu\n", STATES[i], hall->tables[i]);
    }
    put_gauge(out, "munchbot_tables_held",
              "Tables for which this process speaks, if several serve the store.",
              (double)hall->held);
    put_gauge(out, "munchbot_queue_lines", "Lines that wait for their table.", (double)hall->lines);
}

/* Pages. */

static void write_metrics(FILE *out, const struct figures *figures)
{
    put_process(out, figures);
    put_store(out, figures);
    put_networks(out, figures);
    if (figures->stats != NULL) {
        put_tables(out, &figures->hall);
        put_commands(out, figures->tallies);
        put_delays(out, figures);
        put_counters(out, figures->stats);
    }
}

// Why nobody can be heard at a network, or NULL. Another process's network is no fault of this one.
static const char *why_away(const struct figures_network *network)
{
    struct chat_figures chat = {.away = "it could not be started; the log says why"};
    if (network->refused) {
        return "it refused the bot for good; the log says why";
    }
    if (network->chat != NULL) {
        chat_figures(network->chat, &chat);
    }
    return chat.standby ? NULL : chat.away;
}

// One line a part; whether all are ready.
static bool write_ready(FILE *out, const struct figures *figures)
{
    bool ready = figures->unready == NULL && !figures->store_away;
    (void)fprintf(out, "service: %s\n", figures->unready != NULL ? figures->unready : "ok");
    (void)fprintf(out, "store: %s\n", figures->store_away ? "does not answer" : "ok");
    for (size_t i = 0; i < figures->network_count; i++) {
        const char *const why = why_away(&figures->networks[i]);
        ready = ready && why == NULL;
        (void)fprintf(out, "%s: %s\n", figures->networks[i].name, why != NULL ? why : "ok");
    }
    return ready;
}

bool figures_page(const struct figures *figures, const char *path, struct page *page)
{
    const bool metrics = strcmp(path, "/metrics") == 0;
    const bool ready = strcmp(path, "/readyz") == 0;
    bool good = true;
    if (!metrics && !ready && strcmp(path, "/healthz") != 0) {
        return false;
    }
    *page = (struct page){.text = NULL};
    FILE *const out = open_memstream(&page->text, &page->size);
    if (out == NULL) {
        abort(); // memory again
    }
    if (metrics) {
        write_metrics(out, figures);
    } else if (ready) {
        good = write_ready(out, figures);
    } else {
        (void)fputs("ok\n", out);
    }
    (void)fclose(out);
    page->status = good ? STATUS_OK : STATUS_UNAVAILABLE;
    return true;
}
