/*
 * A hall's commits while its database fails: tables go on side by side, each by one commit after
 * the other. What was accepted must be there for the next one, and nothing may be there twice.
 * usage: failover_load URL COMMITS; prints "half" when half of them are done; exit status 0: all
 * tables are as they should be.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bot/store.h"

#include "adapters/store/postgres/postgres_store.h"

enum { TABLES = 16, PATIENCE_S = 60 };

struct load_table {
    char id[STORE_TABLE_SIZE];
    uint64_t version;
    uint64_t ticket; // of what was asked; 0: nothing is
    bool checks;     // whether the step was committed: its answer was lost
};

static struct load_table tables[TABLES];

static void end(const char *why, const struct load_table *table)
{
    (void)fprintf(stderr, "failover_load: %s (%s, version %" PRIu64 ")\n", why,
                  table != NULL ? table->id : "-", table != NULL ? table->version : 0);
    exit(1);
}

static void breathe(void)
{
    static const struct timespec BREATH = {.tv_nsec = 2000000};
    (void)nanosleep(&BREATH, NULL);
}

// The next step of a table; the same at every attempt.
static void ask(struct store *store, struct load_table *table, size_t index)
{
    const uint64_t next = table->version + 1;
    const struct store_bytes piece = {.at = (const unsigned char *)&next, .size = sizeof next};
    const struct chat_key step = {.epoch = index + 1, .number = next};
    struct store_request request = {
        .kind = table->checks ? STORE_STEP : STORE_COMMIT, .table = table->id, .key = step};
    if (!table->checks) {
        request.commit = (struct store_commit){.step = step,
                                               .table = table->id,
                                               .expected = table->version,
                                               .bytes = piece,
                                               .opener_network = "fake",
                                               .opener = table->id,
                                               .community = "town",
                                               .due_ms = STORE_NEVER,
                                               .until_ms = STORE_NEVER,
                                               .event = "",
                                               .journal = &piece,
                                               .journal_count = 1};
    }
    if (!store_ask(store, &request, &table->ticket)) {
        table->ticket = 0;
    }
}

static void answered(struct load_table *table, const struct store_answer *answer)
{
    table->ticket = 0;
    if (answer->result == STORE_FAILED) {
        table->checks = true;
    } else if (answer->result == STORE_NOTHING && answer->kind == STORE_STEP) {
        table->checks = false; // it was not: again
    } else if (answer->result == STORE_DONE) {
        table->checks = false;
        if (answer->version != ++table->version) {
            end("a step made another version", table);
        }
    } else {
        end("what was accepted is lost, or somebody else's", table);
    }
}

static void take_all(struct store *store)
{
    struct store_answer *answer = NULL;
    while ((answer = store_take(store)) != NULL) {
        for (size_t i = 0; i < TABLES; i++) {
            if (tables[i].ticket == answer->ticket) {
                answered(&tables[i], answer);
                break;
            }
        }
        store_answer_free(answer);
    }
}

static void commit_all(struct store *store, uint64_t commits)
{
    bool half = false;
    uint64_t done = 0;
    time_t until = time(NULL) + PATIENCE_S;
    while (done < commits * TABLES) {
        const uint64_t before = done;
        done = 0;
        for (size_t i = 0; i < TABLES; i++) {
            if (tables[i].ticket == 0 && tables[i].version < commits) {
                ask(store, &tables[i], i);
            }
            done += tables[i].version;
        }
        if (!half && done > commits * TABLES / 2) {
            half = true;
            (void)printf("half\n");
            (void)fflush(stdout);
        }
        until = done > before ? time(NULL) + PATIENCE_S : until;
        if (time(NULL) > until) {
            end("the store does not come back", NULL);
        }
        breathe();
        take_all(store);
    }
}

static void check_journal(struct store *store, struct load_table *table)
{
    uint64_t pieces = 0;
    for (size_t count = 1; count > 0;) {
        const struct store_request request = {.kind = STORE_JOURNAL,
                                              .table = table->id,
                                              .from = (size_t)pieces,
                                              .count = STORE_JOURNAL_MAX};
        struct store_answer *answer = NULL;
        if (!store_ask(store, &request, &table->ticket)) {
            end("the queue is full", table);
        }
        while ((answer = store_take(store)) == NULL) {
            breathe();
        }
        if (answer->result != STORE_DONE) {
            end("the journal cannot be read", table);
        }
        count = answer->count;
        for (size_t i = 0; i < count; i++) {
            uint64_t word = 0;
            memcpy(&word, answer->pieces[i].at, sizeof word);
            if (word != ++pieces) {
                end("a piece of the journal is doubled or lost", table);
            }
        }
        store_answer_free(answer);
    }
    if (pieces != table->version) {
        end("the journal has another length", table);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: failover_load URL COMMITS\n");
        return 2;
    }
    struct mb_error err = {0};
    const struct postgres_setup setup = {.url = argv[1]};
    struct store *const store = postgres_store_create(&setup);
    if (store == NULL || !store_start(store, &err)) {
        (void)fprintf(stderr, "failover_load: %s\n", err.text);
        return 1;
    }
    for (size_t i = 0; i < TABLES; i++) {
        (void)snprintf(tables[i].id, sizeof tables[i].id, "t%zu", i);
    }
    commit_all(store, strtoull(argv[2], NULL, 10));
    for (size_t i = 0; i < TABLES; i++) {
        check_journal(store, &tables[i]);
    }
    store_destroy(store);
    return 0;
}
