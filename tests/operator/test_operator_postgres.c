// The same on PostgreSQL: a table comes from a SQLite store, a hall of this process serves it, and
// an operator looks at it, is heard of, forgets a person.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>

#include "core/loop/query.h"

#include "adapters/store/postgres/postgres_store.h"

#include "tests/support/chance.h"
#include "tests/support/cluster.h"
#include "tests/support/shown.h"
#include "tests/support/stage.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

enum { SAID_MAX = 1 << 20, WORD_SIZE = 1024, STEPS = 200, STEP_MS = 100 };

static const char PLACE[] = "tavern";
static const char DATABASE[] = "operator";

static char said[SAID_MAX];

static int run(const char *url, const char *words)
{
    char line[4 * WORD_SIZE];
    (void)snprintf(line, sizeof line, "%s %s --store '%s' 2>&1", MB_PROGRAM, words, url);
    FILE *const pipe = popen(line, "r"); // NOLINT(cert-env33-c): its words are the test's own
    assert_non_null(pipe);
    const size_t size = fread(said, 1, SAID_MAX - 1, pipe);
    said[size] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void runs(const char *url, const char *words, const char *word)
{
    if (run(url, words) != 0 || strstr(said, word) == NULL) {
        fail_msg("%s: \"%s\" is not in:\n%s", words, word, said);
    }
}

// A game in a SQLite store, exported with all that is secret.
static void export_game(const struct catalog *catalog, char id[TABLE_ID_SIZE],
                        const char path[FOLDER_PATH_SIZE])
{
    struct stage stage;
    char file[FOLDER_PATH_SIZE];
    char url[WORD_SIZE];
    char line[WORD_SIZE];
    stage_open_on(&stage, catalog, STAGE_SQLITE);
    stage_start(&stage, PLACE, 3, 1);
    (void)snprintf(id, TABLE_ID_SIZE, "%s", table_id(stage_table(&stage, PLACE)));
    folder_in(stage.folder, "tables.db", file);
    (void)snprintf(url, sizeof url, "sqlite:%s", file);
    (void)snprintf(line, sizeof line, "table export %s --reveal", id);
    assert_int_equal(run(url, line), 0);
    FILE *const out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fputs(said, out) >= 0);
    assert_int_equal(fclose(out), 0);
    stage_close(&stage);
}

/** A process that serves the database. */
struct service {
    struct store *store;
    struct hall *hall;
    struct chat_queue queue;
    struct chat *chat;
};

static void serve(struct service *service, const struct catalog *catalog, const char *url)
{
    struct mb_error err = {0};
    service->store = postgres_store_create(&(struct postgres_setup){.url = url, .waits = true});
    assert_non_null(service->store);
    if (!store_start(service->store, &err)) {
        fail_msg("%s", err.text);
    }
    chat_queue_init(&service->queue);
    service->chat = fake_create_with(&service->queue, FAKE_CAPS_ALL);
    service->hall = hall_create(&(struct hall_setup){.catalog = catalog, .store = service->store});
    assert_non_null(service->chat);
    assert_true(chat_start(service->chat, &err));
    assert_true(hall_add_chat(service->hall, service->chat, &err));
}

static void stop(struct service *service)
{
    hall_destroy(service->hall);
    store_destroy(service->store);
    chat_destroy(service->chat);
    chat_queue_finish(&service->queue);
}

// Time passes until something is said there, or long enough.
static bool hears(struct service *service, enum text_id id)
{
    for (unsigned i = 0; i < STEPS; i++) {
        (void)hall_advance(service->hall, STEP_MS);
        hall_hear(service->hall);
        if (shown(service->chat, NULL, id, NULL) != NULL) {
            return true;
        }
    }
    return false;
}

static void a_database_is_looked_at_while_it_is_served(void **state)
{
    (void)state;
    struct catalog *const catalog = given_catalog();
    struct service service;
    char folder[FOLDER_PATH_SIZE];
    char path[FOLDER_PATH_SIZE];
    char url[CLUSTER_URL_SIZE];
    char id[TABLE_ID_SIZE];
    char line[WORD_SIZE];
    chance_fix();
    folder_make(folder);
    folder_in(folder, "table.json", path);
    export_game(catalog, id, path);
    cluster_empty(DATABASE);
    cluster_url(DATABASE, url);
    serve(&service, catalog, url);
    (void)snprintf(line, sizeof line, "table import %s", path);
    runs(url, line, "Imported ");
    runs(url, "table list", id);
    runs(url, "table verify", "1 verified, 0 failed\n");
    (void)snprintf(line, sizeof line, "table show %s --reveal", id);
    runs(url, line, "Seed ");
    assert_true(fake_hear(service.chat, PLACE, "Ann", "status"));
    assert_true(hears(&service, TEXT_TABLE_REVEALED));
    runs(url, "user export fake:Bob", "\"plays\": true");
    runs(url, "user forget fake:Bob", "1 table changed");
    runs(url, "table list", "former player");
    assert_null(strstr(said, "Bob"));
    runs(url, "table verify", "1 verified, 0 failed\n");
    assert_true(fake_hear(service.chat, PLACE, "Ann", "orders pass below 5"));
    assert_true(hears(&service, TEXT_SESSION_FORGOTTEN));
    const struct table *const table = hall_table(service.hall, service.chat, PLACE);
    assert_non_null(table);
    assert_string_equal(table_seat_name(table, 1), "former player");
    assert_true(table_seat_is_bot(table, 1));
    assert_int_equal(run(url, "store backup copy.db"), 1);
    assert_non_null(strstr(said, "pg_dump"));
    runs(url, "store restored", "knows that it was restored");
    stop(&service);
    folder_remove(folder);
    catalog_destroy(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_database_is_looked_at_while_it_is_served)};
    return cmocka_run_group_tests_name("an operator of a database", tests, NULL, NULL);
}
