// All that is kept of a person, as JSON.
#include <string.h>

#include <jansson.h>

#include "bot/kept/forget.h"
#include "bot/store.h"

struct telling {
    struct kept *kept;
    struct person person;
    json_t *tables;
};

static json_t *statistics(struct kept *kept, const struct person *person)
{
    json_t *const list = json_array();
    const struct store_request known = {
        .kind = STORE_KNOWN, .network = person->network, .person = person->id};
    struct store_answer *const communities = store_call(kept->store, &known);
    bool whole = communities != NULL && communities->result == STORE_DONE;
    for (size_t i = 0; whole && i < communities->count; i++) {
        const struct store_request request = {.kind = STORE_STATISTICS,
                                              .network = person->network,
                                              .person = person->id,
                                              .community = communities->texts[i]};
        struct store_answer *const answer = store_call(kept->store, &request);
        whole = answer != NULL && answer->result != STORE_FAILED;
        if (whole) {
            (void)json_array_append_new(
                list,
                json_pack("{s:s, s:i, s:i, s:i, s:i}", "community", communities->texts[i], "games",
                          (int)answer->line.games, "wins", (int)answer->line.wins, "kills",
                          (int)answer->line.kills, "deaths", (int)answer->line.deaths));
        }
        store_answer_free(answer);
    }
    store_answer_free(communities);
    if (!whole) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *sittings(struct kept *kept, const struct person *person)
{
    json_t *const list = json_array();
    const struct store_request request = {
        .kind = STORE_PERSON, .network = person->network, .person = person->id};
    struct store_answer *const answer = store_call(kept->store, &request);
    for (size_t i = 0; answer != NULL && i < answer->count; i++) {
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:s}", "table", answer->sittings[i].table,
                                              "place", answer->sittings[i].place_name));
    }
    store_answer_free(answer);
    return list;
}

// A table that knows them, under which name, and which of its latest lines say it.
static bool tell_table(struct telling *telling, const char *id, struct mb_error *err)
{
    struct kept_table table;
    struct mb_error why = {0};
    if (!kept_fetch(telling->kept, id, &table, &why)) {
        const bool gone = table.loaded != NULL && table.loaded->result == STORE_NOTHING;
        kept_table_finish(&table);
        return gone || mb_fail(err, why.code, "table %s: %s", id, why.text);
    }
    for (unsigned seat = 0; seat < table_seat_count(table.table); seat++) {
        struct person who;
        for (int waits = 0; waits < 2; waits++) {
            if (table_seat_person(table.table, seat, waits != 0, &who) &&
                strcmp(who.network, telling->person.network) == 0 &&
                strcmp(who.id, telling->person.id) == 0) {
                (void)json_array_append_new(
                    telling->tables,
                    json_pack("{s:s, s:s, s:b, s:b}", "table", id, "name", who.name, "plays",
                              (int)(waits == 0 && !table_seat_is_bot(table.table, seat)),
                              "put_away", (int)(table.loaded->version == 0)));
            }
        }
    }
    kept_table_finish(&table);
    return true;
}

static bool tell_all(struct telling *telling, bool archived, struct mb_error *err)
{
    char after[STORE_TABLE_SIZE] = "";
    size_t count = STORE_DUE_MAX;
    while (count == STORE_DUE_MAX) {
        const struct store_request request = {
            .kind = STORE_LIST, .archived = archived, .after = after};
        struct store_answer *const page = store_call(telling->kept->store, &request);
        bool done = page != NULL && page->result == STORE_DONE;
        count = done ? page->count : 0;
        for (size_t i = 0; done && i < count; i++) {
            done = tell_table(telling, page->texts[i], err);
            memcpy(after, page->texts[i], strnlen(page->texts[i], sizeof after - 1) + 1);
        }
        store_answer_free(page);
        if (!done) {
            return mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
    }
    return true;
}

char *forget_export(struct kept *kept, const char *network, const char *person,
                    struct mb_error *err)
{
    struct telling telling = {
        .kept = kept, .person = {.network = network, .id = person}, .tables = json_array()};
    char *text = NULL;
    if (tell_all(&telling, false, err) && tell_all(&telling, true, err)) {
        json_t *const root = json_pack(
            "{s:s, s:i, s:s, s:s, s:o, s:o, s:O}", "format", "munchbot-user", "version", 1,
            "network", network, "id", person, "statistics", statistics(kept, &telling.person),
            "sits", sittings(kept, &telling.person), "tables", telling.tables);
        text = root != NULL ? json_dumps(root, JSON_INDENT(1)) : NULL;
        json_decref(root);
        if (text == NULL) {
            (void)mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
    }
    json_decref(telling.tables);
    return text;
}
