// Communities that we are no longer in, each an errand: since when is kept, in store time; thirty
// days later what is left of them goes. Whoever takes us in again before keeps everything.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/cluster/cluster.h"

enum { NUMBER_SIZE = 24, DECIMAL = 10 };

static const char BACK[] = "back"; // kept instead of since when

struct going {
    bool back;       // it is not gone
    bool purged;     // or nothing is left of it
    uint64_t ticket; // of its purge
};

// What cannot be read has been gone since now: nothing goes too early.
static int64_t since_of(const struct hall *hall, const char *text)
{
    char *end = NULL;
    const int64_t ms = strtoll(text, &end, DECIMAL);
    return end != text && *end == '\0' ? ms : hall_time(hall);
}

static void refresh_tables(struct hall *hall, const char *community)
{
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->community != NULL && strcmp(table->community, community) == 0) {
            hall_table_refresh(hall, table);
        }
    }
}

static int64_t left_ms(const struct hall *hall, const struct errand *errand)
{
    return since_of(hall, errand->text) + HALL_GONE_MS - hall_time(hall);
}

static bool await_end(struct fibre *fibre, struct hall *hall, const struct errand *errand,
                      struct going *going)
{
    // The store's time may have stood meanwhile, and they may have gone once more.
    for (int64_t left = left_ms(hall, errand); left > 0 && !going->back;
         left = left_ms(hall, errand)) {
        if (!hall_sleep(fibre, hall, hall->now_ms + left, &going->back)) {
            return false;
        }
    }
    while (!going->back && !going->purged) {
        const struct store_request request = {.kind = STORE_FORGET, .community = errand->name};
        const struct hall_ask ask = {.of = HALL_ASK_HALL};
        const bool asked = hall_ask(hall, &request, ask, &going->ticket);
        const int64_t ms = asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS;
        if (!hall_sleep(fibre, hall, hall->now_ms + ms, &going->purged)) {
            return false;
        }
    }
    return true;
}

static bool run(struct fibre *fibre, struct errand *errand)
{
    struct hall *const hall = errand->errands->user;
    struct going *const going = errand->own != NULL ? errand->own : mb_new(1, sizeof *going);
    errand->own = going;
    going->back = going->back || strcmp(errand->text, BACK) == 0;
    const bool done = await_end(fibre, hall, errand, going);
    if (going->purged) {
        refresh_tables(hall, errand->name);
    }
    errand->own = NULL;
    free(going);
    return done;
}

static void begin(struct errands *gone, const char *community, const char *text)
{
    struct going *const going = mb_new(1, sizeof *going);
    if (!errands_begin(gone, community, text, going)) {
        free(going);
    }
}

void hall_gone_tell(struct hall *hall, unsigned chat, const char *community)
{
    char number[NUMBER_SIZE];
    struct errands *const gone = &hall->gone[chat];
    struct errand *const known = community[0] != '\0' ? errands_find(gone, community) : NULL;
    struct going *const going = known != NULL ? known->own : NULL;
    (void)snprintf(number, sizeof number, "%" PRId64, hall_time(hall));
    if (going != NULL && going->back) { // they were back for as long as that took to be kept
        going->back = false;
        errand_keep(known, number);
    } else if (known == NULL && community[0] != '\0') {
        begin(gone, community, number);
    }
}

void hall_gone_back(struct hall *hall, unsigned chat, const char *community)
{
    struct errands *const gone = &hall->gone[chat];
    const struct errand *const errand = errands_find(gone, community);
    struct going *going = errand != NULL ? errand->own : NULL;
    if (going != NULL) {
        going->back = true;
        fibre_wake(errand->fibre);
    } else if (errand == NULL && gone->reading) { // what is being read of it is out of date
        begin(gone, community, BACK);
    }
}

void hall_gone_answered(struct hall *hall, const struct store_answer *answer)
{
    for (unsigned i = 0; i < hall->chat_count && answer->result == STORE_DONE; i++) {
        for (const struct errand *at = hall->gone[i].first; at != NULL; at = at->next) {
            struct going *const going = at->own;
            if (going != NULL && going->ticket == answer->ticket) {
                going->purged = true;
                fibre_wake(at->fibre);
                return;
            }
        }
    }
}

void hall_gone_read(struct hall *hall, unsigned chat)
{
    hall->gone[chat] = (struct errands){.fibres = hall->gone_fibres,
                                        .chat = hall->chats[chat],
                                        .begins = "gone/",
                                        .run = run,
                                        .drop = free,
                                        .boundless = true,
                                        .user = hall};
    errands_take_up(&hall->gone[chat]);
}
