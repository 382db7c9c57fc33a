// Networks that cannot be heard, and communities in them: what is away, since when. Chats tell it;
// the store keeps it, for all processes and those to come, and its word counts. Meanwhile time
// stands at all tables there.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/cluster/cluster.h"

/* The list. */

static void forget(struct hall_aways *aways)
{
    for (size_t i = 0; i < aways->count; i++) {
        free(aways->list[i].key);
    }
    free(aways->list);
    keyed_map_finish(&aways->map);
    *aways = (struct hall_aways){.list = NULL};
}

// There is room in the list. What is there already stays as it is.
static void add(struct hall_aways *aways, const char *key, int64_t ms)
{
    if (keyed_map_get(&aways->map, key) == KEYED_NONE) {
        aways->list[aways->count] = (struct hall_away){.key = mb_text(key), .ms = ms};
        keyed_map_put(&aways->map, key, (uint32_t)aways->count++);
    }
}

static void begin_list(const struct hall *hall, struct hall_aways *out, size_t room)
{
    *out = (struct hall_aways){.list = mb_new(room, sizeof *out->list)};
    keyed_map_init(&out->map, hall->secret);
}

static bool is_same(const struct hall_aways *one, const struct hall_aways *other)
{
    bool same = one->count == other->count;
    for (size_t i = 0; same && i < one->count; i++) {
        const uint32_t at = keyed_map_get(&other->map, one->list[i].key);
        same = at != KEYED_NONE && other->list[at].ms == one->list[i].ms;
    }
    return same;
}

// A table's time goes on, or stands by another thing from now on: what has passed while it stood
// has not passed there.
static void shift(struct hall_table *table, int64_t before, int64_t after, int64_t ms)
{
    const int64_t to = after >= 0 && after < ms ? after : ms;
    const int64_t from = before > table->since_ms ? before : table->since_ms;
    if (table->since_ms >= 0 && to > from) {
        table->since_ms += to - from;
    }
    if (table->step != NULL && table->step->base_ms >= before && table->step->base_ms < to) {
        table->step->base_ms = to;
    }
}

// Something of a network is back: what falls due there soon is looked at.
static void note_back_of(struct hall *hall, unsigned chat, const struct hall_away *away, int64_t ms)
{
    const int64_t stood = ms > away->ms ? ms - away->ms : 0;
    const int64_t ahead = HALL_AHEAD_MS + HALL_AHEAD_TIMES * stood;
    hall->back_ms[chat] = ms;
    hall->ahead_ms = ahead > hall->ahead_ms ? ahead : hall->ahead_ms;
    hall->store_due_ms = hall_time(hall);
}

static void note_back(struct hall *hall, const struct hall_aways *now, int64_t ms)
{
    for (size_t i = 0; i < hall->aways.count; i++) {
        const struct hall_away *const away = &hall->aways.list[i];
        const size_t length = strcspn(away->key, "\n");
        const bool back = keyed_map_get(&now->map, away->key) == KEYED_NONE;
        for (unsigned chat = 0; back && chat < hall->chat_count; chat++) {
            const char *const name = chat_name(hall->chats[chat]);
            if (strlen(name) == length && strncmp(name, away->key, length) == 0) {
                note_back_of(hall, chat, away, ms);
            }
        }
    }
}

// A network is heard, or is not any more; if it stays so, that is told where the table lies, too,
// when hall_link_tell() is called later.
static void note_silence(struct hall *hall, struct hall_table *table)
{
    if (table_site_count(table->table) > 1 && hall_away_sites(hall, table) != table->silent &&
        table->silent_ms == 0) {
        table->silent_ms = hall->now_ms + HALL_SILENT_MS;
        hall_schedule(hall, table);
    }
}

// The list is another at that time; it is the hall's from now on. `returns`: what is missing in it
// was away and is back, for whoever was there.
static void put_list(struct hall *hall, struct hall_aways *list, int64_t ms, bool returns)
{
    if (is_same(&hall->aways, list)) {
        forget(list);
        return;
    }
    if (returns) {
        note_back(hall, list, ms);
    }
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table == NULL || table->table == NULL) {
            continue;
        }
        const int64_t before = hall_aways_ms(&hall->aways, table);
        const int64_t after = hall_aways_ms(list, table);
        if (before >= 0) {
            shift(table, before, after, ms);
        }
        table->returned = table->returned || (returns && before >= 0 && after < 0);
        if (table->returned) {
            hall_table_work(hall, table);
        }
        hall_schedule(hall, table);
    }
    forget(&hall->aways);
    hall->aways = *list;
    for (uint32_t i = 0; i < hall->table_capacity; i++) {
        struct hall_table *const table = hall->tables[i];
        if (table != NULL && table->table != NULL) {
            note_silence(hall, table);
        }
    }
}

static void stood(struct hall *hall, const struct store_answer *answer, int64_t ms, bool returns)
{
    struct hall_aways list;
    begin_list(hall, &list, answer->away_count);
    for (size_t i = 0; i < answer->away_count; i++) {
        char key[HALL_KEY_SIZE];
        hall_key(key, answer->aways[i].network, answer->aways[i].community);
        add(&list, key, answer->aways[i].ms);
    }
    put_list(hall, &list, ms, returns);
}

/* What chats tell. */

// The next of some words with a blank between; `*at` moves behind it. False: there is none.
static bool next_word(const char **at, char out[CHAT_ID_SIZE])
{
    *at += strspn(*at, " ");
    const size_t length = strcspn(*at, " ");
    const size_t taken = length < CHAT_ID_SIZE ? length : CHAT_ID_SIZE - 1;
    memcpy(out, *at, taken);
    out[taken] = '\0';
    *at += length;
    return length > 0;
}

static size_t count_words(const char *words)
{
    char word[CHAT_ID_SIZE];
    size_t count = 0;
    while (next_word(&words, word)) {
        count++;
    }
    return count;
}

static void add_here(struct hall *hall, const struct hall_stand *told)
{
    struct hall_aways list;
    const char *const network = chat_name(hall->chats[told->chat]);
    const char *at = told->communities;
    char word[CHAT_ID_SIZE] = "";
    char key[HALL_KEY_SIZE];
    begin_list(hall, &list, hall->aways.count + count_words(told->communities) + 1);
    for (size_t i = 0; i < hall->aways.count; i++) {
        add(&list, hall->aways.list[i].key, hall->aways.list[i].ms);
    }
    for (bool more = next_word(&at, word) || told->communities[0] == '\0'; more;
         more = next_word(&at, word)) {
        hall_key(key, network, word);
        add(&list, key, told->ms);
    }
    put_list(hall, &list, told->ms, false);
}

static void tell(struct hall *hall, unsigned chat, struct chat_in *in, const char *communities,
                 bool back)
{
    const size_t size = strlen(communities) + 1;
    struct hall_stand *const told = mb_new(1, sizeof *told + size);
    *told =
        (struct hall_stand){.in = in, .ms = hall_time(hall), .chat = (uint8_t)chat, .back = back};
    memcpy(told->communities, communities, size);
    *hall->stands_end = told;
    hall->stands_end = &told->next;
    hall->stand_turn++;
    hall->stand_ms = hall->stands == told ? hall->now_ms : hall->stand_ms;
    if (communities[0] == '\0') {
        const unsigned bit = 1u << chat;
        hall->linked = back ? hall->linked | bit : hall->linked & ~bit;
        hall->lost = back ? hall->lost & ~bit : hall->lost | bit;
    }
}

// The same; and nothing falls due there any more, before the store knows it.
static void tell_away(struct hall *hall, unsigned chat, struct chat_in *in, const char *communities)
{
    struct hall_stand *const *const end = hall->stands_end;
    tell(hall, chat, in, communities, false);
    if (*end != NULL) {
        add_here(hall, *end);
    }
}

void hall_away_tell(struct hall *hall, unsigned chat, struct chat_in *in)
{
    if (in->kind == CHAT_IN_BACK) {
        tell(hall, chat, in, in->communities, true);
    } else {
        tell_away(hall, chat, in, in->communities);
    }
}

void hall_away_heard(struct hall *hall, unsigned chat, const struct chat_in *in)
{
    const char *const network = chat_name(hall->chats[chat]);
    if (hall->aways.count > 0 && hall->stands == NULL && in->community[0] != '\0' &&
        hall_aways_since(&hall->aways, network, in->community) >= 0) {
        tell(hall, chat, NULL, in->community, true);
    }
}

void hall_away_begin(struct hall *hall, const struct store_answer *answer)
{
    stood(hall, answer, hall_time(hall), false);
    for (unsigned i = 0; i < hall->chat_count; i++) {
        const bool told = ((hall->linked | hall->lost) >> i & 1u) != 0;
        if ((chat_caps(hall->chats[i]) & CHAT_CAP_AFAR) != 0 && !told) {
            tell_away(hall, i, NULL, "");
        }
    }
}

void hall_away_beaten(struct hall *hall, const struct store_answer *answer)
{
    if (hall->stands != NULL || hall->beat_turn != hall->stand_turn) {
        return; // it may be older than what was told
    }
    stood(hall, answer, hall_time(hall), true);
    for (unsigned i = 0; i < hall->chat_count; i++) {
        const bool away = hall_aways_since(&hall->aways, chat_name(hall->chats[i]), "") >= 0;
        const bool linked = (hall->linked >> i & 1u) != 0;
        // Who had the network has died; or it was thought so of this one.
        if (away ? linked : (hall->lost >> i & 1u) != 0) {
            tell(hall, i, NULL, "", linked);
        }
    }
}

/* To the store. */

static bool ask(struct hall *hall, const struct hall_stand *told, const char **list, char *words)
{
    struct store_request request = {.kind = STORE_STAND,
                                    .network = chat_name(hall->chats[told->chat]),
                                    .communities = list,
                                    .back = told->back,
                                    .ms = told->back ? hall_time(hall) : told->ms};
    const struct hall_ask ask = {.of = HALL_ASK_HALL};
    for (char *at = words + strspn(words, " "); *at != '\0'; at += strspn(at, " ")) {
        list[request.community_count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    hall->stood_at_ms = request.ms;
    return hall_ask(hall, &request, ask, &hall->stand_ticket);
}

void hall_away_keep_up(struct hall *hall)
{
    const struct hall_stand *const told = hall->stands;
    if (told == NULL || hall->stand_ms > hall->now_ms) {
        return;
    }
    const char **const list = mb_new(count_words(told->communities) + 1, sizeof *list);
    char *const words = mb_text(told->communities);
    const bool asked = ask(hall, told, list, words);
    hall->stand_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
    free(list);
    free(words);
}

int64_t hall_away_due_ms(const struct hall *hall)
{
    return hall->stands != NULL ? hall->stand_ms : STORE_NEVER;
}

static void drop_first(struct hall *hall)
{
    struct hall_stand *const told = hall->stands;
    hall->stands = told->next;
    hall->stands_end = hall->stands != NULL ? hall->stands_end : &hall->stands;
    if (told->in != NULL) {
        chat_settle(hall->chats[told->chat], told->in);
    }
    free(told);
}

void hall_away_answered(struct hall *hall, const struct store_answer *answer)
{
    hall->stand_ticket = 0;
    if (answer->result != STORE_DONE) {
        hall->stand_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        return;
    }
    assert(hall->stands != NULL);
    const bool back = hall->stands->back;
    drop_first(hall);
    hall->stand_turn++;
    hall->stand_ms = hall->now_ms;
    if (hall->stands == NULL) { // else the next answer tells
        stood(hall, answer, hall->stood_at_ms, back);
    }
}

/* Coming back. */

bool hall_has_returned(const struct hall *hall, const struct hall_table *table)
{
    for (unsigned i = 0; i < table_site_count(table->table); i++) {
        const struct chat *const chat = hall_chat(hall, table_site_network(table->table, i));
        const int64_t back = chat != NULL ? hall->back_ms[hall_chat_index(hall, chat)] : 0;
        if (back > 0 && table->since_ms >= 0 && table->since_ms <= back &&
            hall_time(hall) - back <= HALL_AHEAD_MS) {
            return true;
        }
    }
    return false;
}

void hall_away_finish(struct hall *hall)
{
    while (hall->stands != NULL) {
        drop_first(hall);
    }
    forget(&hall->aways);
}
