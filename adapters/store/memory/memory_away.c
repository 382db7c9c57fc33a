// Networks and communities that cannot be heard: their tables' time stands.
#include <stdlib.h>
#include <string.h>

#include "adapters/store/memory/memory_impl.h"

static bool lies_in(const struct memory_store *memory, const struct row *row, const char *network)
{
    const size_t length = strlen(network);
    for (size_t i = 0; i < row->place_count; i++) {
        const char *const key = memory->places[row->places[i]].key;
        if (strncmp(key, network, length) == 0 && key[length] == '\n') {
            return true;
        }
    }
    return false;
}

static bool concerns(const struct memory_store *memory, const struct away_row *away,
                     const struct row *row)
{
    return away->door == 0 && lies_in(memory, row, away->network) &&
           (away->community[0] == '\0' || strcmp(away->community, row->community) == 0);
}

bool memory_stands(const struct memory_store *memory, const struct row *row)
{
    const struct away_row *at = memory->aways;
    while (at != NULL && !concerns(memory, at, row)) {
        at = at->next;
    }
    return at != NULL;
}

/* Rows. */

static void row_free(struct away_row *away)
{
    free(away->network);
    free(away->community);
    free(away);
}

static struct away_row **find(struct memory_store *memory, const char *network,
                              const char *community, unsigned door)
{
    struct away_row **at = &memory->aways;
    while (*at != NULL && ((*at)->door != door || strcmp((*at)->network, network) != 0 ||
                           strcmp((*at)->community, community) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

static void drop(struct memory_store *memory, const char *network, const char *community,
                 unsigned door)
{
    struct away_row **const at = find(memory, network, community, door);
    struct away_row *const away = *at;
    if (away != NULL) {
        *at = away->next;
        row_free(away);
    }
}

// Nothing changes if it is there already.
static bool add(struct memory_store *memory, const struct store_request *request,
                const char *community, unsigned door)
{
    struct away_row **const end = find(memory, request->network, community, door);
    if (*end != NULL) {
        return true;
    }
    struct away_row *const away = calloc(1, sizeof *away);
    if (away == NULL) {
        return false;
    }
    *away = (struct away_row){.door = door,
                              .ms = request->ms,
                              .network = strdup(request->network),
                              .community = strdup(community)};
    if (away->network == NULL || away->community == NULL) {
        row_free(away);
        return false;
    }
    *end = away;
    return true;
}

// Whether a living process has the network.
static bool is_present(const struct memory_store *memory, const char *network)
{
    for (const struct away_row *at = memory->aways; at != NULL; at = at->next) {
        if (memory_lives(memory, at->door) && strcmp(at->network, network) == 0) {
            return true;
        }
    }
    return false;
}

/* Running on. */

// From when on something else keeps a table's time standing; `ms`: nothing does.
static int64_t other_ms(const struct memory_store *memory, const struct away_row *but,
                        const struct row *row, int64_t ms)
{
    for (const struct away_row *at = memory->aways; at != NULL; at = at->next) {
        ms = at != but && at->ms < ms && concerns(memory, at, row) ? at->ms : ms;
    }
    return ms;
}

static bool runs_on(struct memory_store *memory, const struct store_request *request,
                    const char *community)
{
    const struct away_row *const away = *find(memory, request->network, community, 0);
    bool done = true;
    for (uint32_t i = 0; away != NULL && i < memory->row_room; i++) {
        struct row *const row = memory->rows[i];
        if (row == NULL || row->since_ms < 0 || !concerns(memory, away, row)) {
            continue;
        }
        const int64_t from = row->since_ms > away->ms ? row->since_ms : away->ms;
        const int64_t to = other_ms(memory, away, row, request->ms);
        row->since_ms += to > from ? to - from : 0;
        done = memory_due_set(memory, row, memory_due_ms(row)) && done;
    }
    drop(memory, request->network, community, 0);
    return done;
}

static bool is_known(const struct memory_store *memory, const char *community)
{
    return keyed_map_get(&memory->opened_in, community) != KEYED_NONE;
}

static bool stand_network(struct memory_store *memory, const struct store_request *request)
{
    if (request->back) {
        return add(memory, request, "", memory->me) && runs_on(memory, request, "");
    }
    drop(memory, request->network, "", memory->me);
    return is_present(memory, request->network) || add(memory, request, "", 0);
}

bool memory_stand(struct memory_store *memory, const struct store_request *request)
{
    bool done = request->community_count > 0 || stand_network(memory, request);
    for (size_t i = 0; i < request->community_count; i++) {
        const char *const community = request->communities[i];
        if (request->back) {
            done = runs_on(memory, request, community) && done;
        } else if (is_known(memory, community)) {
            done = add(memory, request, community, 0) && done;
        }
    }
    return done;
}

struct store_answer *memory_answer_aways(const struct memory_store *memory,
                                         const struct store_answer *begun)
{
    size_t count = 0;
    struct store_answer answer = *begun;
    for (const struct away_row *at = memory->aways; at != NULL; at = at->next) {
        count++;
    }
    struct store_away *const list = calloc(count + 1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    for (const struct away_row *at = memory->aways; at != NULL; at = at->next) {
        if (at->door == 0) {
            list[answer.away_count++] = (struct store_away){
                .network = at->network, .community = at->community, .ms = at->ms};
        }
    }
    answer.aways = list;
    struct store_answer *const copy = store_answer_copy(&answer);
    free(list);
    return copy;
}

void memory_away_finish(struct memory_store *memory)
{
    while (memory->aways != NULL) {
        struct away_row *const away = memory->aways;
        memory->aways = away->next;
        row_free(away);
    }
}
