#include "tests/support/store_talk.h"

#include <string.h>
#include <time.h>

#include "tests/support/test.h"

static struct store_answer *last;

void store_talk_end(void)
{
    store_answer_free(last);
    last = NULL;
}

const struct store_answer *store_talk(struct store *store, const struct store_request *request)
{
    enum { TRIES = 20000 };
    static const struct timespec BREATH = {.tv_nsec = 500000};
    uint64_t ticket = 0;
    assert_true(store_ask(store, request, &ticket));
    for (unsigned i = 0; i < TRIES; i++) {
        store_talk_end();
        last = store_take(store);
        if (last != NULL && last->ticket == ticket) {
            return last;
        }
        if (last == NULL) {
            (void)nanosleep(&BREATH, NULL);
        }
    }
    fail_msg("no answer");
    return NULL;
}

const struct store_answer *store_talk_commit(struct store *store, const struct store_commit *commit)
{
    const struct store_request request = {.kind = STORE_COMMIT, .commit = *commit};
    return store_talk(store, &request);
}

const struct store_answer *store_talk_load(struct store *store, const char *table)
{
    const struct store_request request = {.kind = STORE_LOAD, .table = table};
    return store_talk(store, &request);
}

const struct store_answer *store_talk_place(struct store *store, const char *place)
{
    const struct store_request request = {.kind = STORE_PLACE, .network = "fake", .place = place};
    return store_talk(store, &request);
}

const struct store_answer *store_talk_person(struct store *store, const char *person)
{
    const struct store_request request = {
        .kind = STORE_PERSON, .network = "fake", .person = person};
    return store_talk(store, &request);
}

struct store_bytes store_word(const char *word)
{
    return (struct store_bytes){.at = (const unsigned char *)word, .size = strlen(word)};
}

struct store_commit store_change(const char *table, uint64_t expected, const char *word)
{
    static uint64_t steps;
    return (struct store_commit){.step = {.epoch = 1, .number = ++steps},
                                 .table = table,
                                 .expected = expected,
                                 .bytes = word != NULL ? store_word(word)
                                                       : (struct store_bytes){.at = NULL},
                                 .opener_network = "fake",
                                 .opener = "Ann",
                                 .community = "town",
                                 .since_ms = 0,
                                 .due_ms = STORE_NEVER,
                                 .until_ms = STORE_NEVER,
                                 .event = ""};
}
