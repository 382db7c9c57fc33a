// What Discord tells of servers, shards and places, as news for the bot.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

#include "adapters/discord/gateway/guilds.h"

#include "tests/support/test.h"

enum { KEPT_SIZE = 128 };

struct fixture {
    struct chat_queue queue;
    struct chat chat; // whose host keeps words, and answers late
    struct fibres *fibres;
    struct guilds *guilds;
    const char *before; // kept by an earlier process; NULL: nothing
    char word[KEPT_SIZE], kept[KEPT_SIZE];
    chat_kept_fn *done;
    void *done_user;
    chat_kept_fn *written; // of what is kept last
    void *written_user;
    size_t writes, bytes; // in all
};

static bool keep(void *user, struct chat *chat, const struct chat_kept *item, chat_kept_fn *done,
                 void *done_user)
{
    struct fixture *const f = user;
    (void)chat;
    f->written = done;
    f->written_user = done_user;
    f->writes++;
    f->bytes += item->size;
    (void)snprintf(f->word, sizeof f->word, "%s", item->word);
    (void)snprintf(f->kept, sizeof f->kept, "%s", (const char *)item->at);
    return true;
}

static bool read_kept(void *user, struct chat *chat, const char *begins, chat_kept_fn *done,
                      void *done_user)
{
    struct fixture *const f = user;
    (void)chat;
    assert_string_equal(begins, "guilds/");
    assert_null(f->done); // once
    f->done = done;
    f->done_user = done_user;
    return true;
}

// What was asked is answered.
static void answer(struct fixture *f)
{
    const struct chat_kept item = {.word = "guilds/0/2",
                                   .at = f->before,
                                   .size = f->before != NULL ? strlen(f->before) + 1 : 0};
    assert_non_null(f->done);
    f->done(f->done_user, &item, f->before != NULL ? 1 : 0);
}

static const struct chat_keeper KEEPER = {.keep = keep, .read = read_kept};

static int set_up(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    chat_queue_init(&f->queue);
    f->chat.sink = (struct chat_sink){.queue = &f->queue, .keeper = &KEEPER, .user = f};
    f->fibres = fibres_create();
    f->guilds = guilds_create(f->fibres, &f->queue, &f->chat);
    assert_non_null(f->guilds);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const f = *state;
    fibres_stop(f->fibres);
    guilds_destroy(f->guilds);
    fibres_destroy(f->fibres);
    chat_queue_finish(&f->queue);
    free(f);
    return 0;
}

static void hear(struct fixture *f, const char *event, const char *data)
{
    guilds_heard(f->guilds, event, data, strlen(data));
}

// The next news.
static void is_told(struct fixture *f, enum chat_in_kind kind, const char *what)
{
    struct chat_in *const in = chat_queue_take(&f->queue);
    assert_non_null(in);
    assert_int_equal(in->kind, kind);
    const bool ties = kind == CHAT_IN_AWAY || kind == CHAT_IN_BACK;
    const bool place = kind >= CHAT_IN_PLACE_CLOSED && kind <= CHAT_IN_PLACE_MOVED;
    const char *const words = ties ? in->communities : (place ? in->place : in->community);
    assert_string_equal(words, what);
    (void)chat_queue_settle(&f->queue, in);
}

static void nothing_is_told(struct fixture *f)
{
    assert_null(chat_queue_take(&f->queue));
}

static void tie(struct fixture *f, unsigned shard, unsigned live, bool linked)
{
    const struct shard_link link = {
        .shard = shard, .shards = 2, .live = live, .own = 2, .linked = linked};
    guilds_linked(f->guilds, &link);
}

// Servers 4194304 (shard 1 of 2) and 8388608 (shard 0 of 2).
static const char BOTH[] = "{\"guilds\":[{\"id\":\"8388608\",\"unavailable\":true},"
                           "{\"id\":\"4194304\",\"unavailable\":true}]}";

static void begin(struct fixture *f)
{
    hear(f, "READY", BOTH);
    tie(f, 0, 1, true);
    nothing_is_told(f);
    tie(f, 1, 2, true);
    is_told(f, CHAT_IN_BACK, "8388608 ");
    is_told(f, CHAT_IN_BACK, "4194304 ");
    is_told(f, CHAT_IN_BACK, "");
    nothing_is_told(f);
}

static void discord_is_away_until_all_shards_are_connected(void **state)
{
    begin(*state);
}

static void a_shard_takes_its_servers_with_it(void **state)
{
    struct fixture *const f = *state;
    begin(f);
    tie(f, 1, 1, false);
    is_told(f, CHAT_IN_AWAY, "4194304 ");
    nothing_is_told(f);
    tie(f, 0, 0, false);
    is_told(f, CHAT_IN_AWAY, "8388608 ");
    is_told(f, CHAT_IN_AWAY, "");
    tie(f, 1, 1, true);
    is_told(f, CHAT_IN_BACK, "4194304 ");
    is_told(f, CHAT_IN_BACK, "");
    tie(f, 0, 2, true);
    is_told(f, CHAT_IN_BACK, "8388608 ");
    nothing_is_told(f);
}

static void an_outage_is_no_farewell(void **state)
{
    struct fixture *const f = *state;
    begin(f);
    hear(f, "GUILD_DELETE", "{\"id\":\"4194304\",\"unavailable\":true}");
    is_told(f, CHAT_IN_AWAY, "4194304");
    tie(f, 1, 1, false);
    tie(f, 1, 2, true); // it is out, whatever its shard does
    nothing_is_told(f);
    hear(f, "GUILD_CREATE", "{\"id\":\"4194304\"}");
    is_told(f, CHAT_IN_BACK, "4194304");
    hear(f, "GUILD_CREATE", "{\"id\":\"4194304\"}");
    nothing_is_told(f);
    hear(f, "GUILD_DELETE", "{\"id\":\"4194304\"}");
    is_told(f, CHAT_IN_COMMUNITY_GONE, "4194304");
    hear(f, "GUILD_CREATE", "{\"id\":\"4194304\"}");
    is_told(f, CHAT_IN_COMMUNITY_BACK, "4194304");
    nothing_is_told(f);
}

static void who_put_us_out_while_nobody_listened_is_found_out(void **state)
{
    struct fixture *const f = *state;
    begin(f);
    hear(f, "READY", "{\"shard\":[0,2],\"guilds\":[{\"id\":\"16777216\"}]}");
    is_told(f, CHAT_IN_COMMUNITY_GONE, "8388608");
    nothing_is_told(f);
}

static const char FIRST[] = "{\"shard\":[0,2],\"guilds\":[{\"id\":\"8388608\"}]}";

static void who_did_while_no_process_lived_is_found_out_too(void **state)
{
    struct fixture *const f = *state;
    f->before = "16777216 8388608 4194304 ";
    hear(f, "READY", FIRST);
    nothing_is_told(f);
    answer(f);
    is_told(f, CHAT_IN_COMMUNITY_GONE, "16777216");
    nothing_is_told(f); // of the other shard's nobody knows yet
    hear(f, "READY", "{\"shard\":[1,2],\"guilds\":[]}");
    is_told(f, CHAT_IN_COMMUNITY_GONE, "4194304");
    nothing_is_told(f);
}

static void who_took_us_in_again_meanwhile_is_told_of(void **state)
{
    struct fixture *const f = *state;
    f->before = "16777216 ";
    hear(f, "READY", "{\"shard\":[0,2],\"guilds\":[{\"id\":\"8388608\"},{\"id\":\"16777216\"}]}");
    answer(f);
    is_told(f, CHAT_IN_COMMUNITY_BACK, "8388608");
    nothing_is_told(f);
}

static void the_first_process_tells_of_nobody(void **state)
{
    struct fixture *const f = *state;
    hear(f, "READY", FIRST);
    answer(f);
    nothing_is_told(f);
}

static void write_out(struct fixture *f)
{
    chat_kept_fn *const written = f->written;
    assert_non_null(written);
    f->written = NULL;
    written(f->written_user, NULL, 0);
}

static void the_servers_of_a_shard_are_kept(void **state)
{
    struct fixture *const f = *state;
    hear(f, "READY", FIRST);
    assert_string_equal(f->word, "guilds/0/2");
    assert_string_equal(f->kept, "8388608 ");
    hear(f, "GUILD_CREATE", "{\"id\":\"16777216\"}");
    assert_string_equal(f->kept, "8388608 "); // the next when that is written
    write_out(f);
    assert_string_equal(f->kept, "8388608 16777216 ");
    write_out(f);
    hear(f, "GUILD_CREATE", "{\"id\":\"4194304\"}");
    assert_string_equal(f->word, "guilds/1/2");
    write_out(f);
    hear(f, "GUILD_DELETE", "{\"id\":\"8388608\"}");
    assert_string_equal(f->word, "guilds/0/2");
    assert_string_equal(f->kept, "16777216 ");
}

static void places_are_told_of(void **state)
{
    struct fixture *const f = *state;
    hear(f, "CHANNEL_DELETE", "{\"id\":\"17\",\"guild_id\":\"4\"}");
    is_told(f, CHAT_IN_PLACE_GONE, "17");
    hear(f, "THREAD_DELETE", "{\"id\":\"18\",\"guild_id\":\"4\",\"parent_id\":\"17\"}");
    is_told(f, CHAT_IN_PLACE_GONE, "18");
    hear(f, "THREAD_UPDATE", "{\"id\":\"18\",\"thread_metadata\":{\"locked\":true}}");
    is_told(f, CHAT_IN_PLACE_CLOSED, "18");
    hear(f, "THREAD_UPDATE", "{\"id\":\"18\",\"thread_metadata\":{\"archived\":true}}");
    is_told(f, CHAT_IN_PLACE_OPEN, "18"); // it opens by itself
}

static void what_is_malformed_is_passed_over(void **state)
{
    static const char *const BAD[] = {"",
                                      "{",
                                      "[]",
                                      "{\"id\":17}",
                                      "{\"id\":\"x\"}",
                                      "{\"id\":\"17\",\"guild_id\":\"here\"}",
                                      "{\"guilds\":{\"id\":\"1\"}}",
                                      "{\"guilds\":[1,{\"id\":null}]}"};
    static const char *const EVENTS[] = {"READY",          "GUILD_CREATE",  "GUILD_DELETE",
                                         "CHANNEL_DELETE", "THREAD_UPDATE", "TYPING_START"};
    struct fixture *const f = *state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        for (size_t j = 0; j < sizeof EVENTS / sizeof EVENTS[0]; j++) {
            if (i != 5 || j == 0 || j >= 3) { // the others need no server
                hear(f, EVENTS[j], BAD[i]);
                nothing_is_told(f);
            }
        }
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

// 10,000 servers with long lists: no tree of any is made, and their list is written when it can be.
static void ten_thousand_servers_with_long_lists_cost_little(void **state)
{
    enum { MANY = 10000, LONG = 6000 };
    static char text[LONG + 256];
    static char list[LONG];
    struct fixture *const f = *state;
    begin(f);
    hear(f, "READY", "{\"shard\":[0,1],\"guilds\":[]}");
    for (size_t i = 0, used = 0; i < LONG / 20; i++) {
        used +=
            (size_t)snprintf(list + used, 20, "%s{\"id\":\"%07u\"}", i > 0 ? "," : "", (unsigned)i);
    }
    for (unsigned i = 0; i < MANY; i++) {
        const int size = snprintf(text, sizeof text,
                                  "{\"channels\":[%s],\"id\":\"%u00000000000000\","
                                  "\"unavailable\":false}",
                                  list, 10000 + i);
        assert_in_range(size, LONG / 2, sizeof text - 1);
        guilds_heard(f->guilds, "GUILD_CREATE", text, (size_t)size);
        if (i % 100 == 99 && f->written != NULL) { // the store takes its time
            write_out(f);
        }
    }
    while (f->written != NULL) {
        write_out(f);
    }
    assert_in_range(f->writes, MANY / 100, 3 * MANY / 100); // each of them was one: a gigabyte
    assert_false(guilds_lacks(f->guilds, "1999900000000000000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(discord_is_away_until_all_shards_are_connected),
        CASE(a_shard_takes_its_servers_with_it),
        CASE(an_outage_is_no_farewell),
        CASE(who_put_us_out_while_nobody_listened_is_found_out),
        CASE(who_did_while_no_process_lived_is_found_out_too),
        CASE(who_took_us_in_again_meanwhile_is_told_of),
        CASE(the_first_process_tells_of_nobody),
        CASE(the_servers_of_a_shard_are_kept),
        CASE(places_are_told_of),
        CASE(what_is_malformed_is_passed_over),
        CASE(ten_thousand_servers_with_long_lists_cost_little),
    };
    return cmocka_run_group_tests_name("discord_guilds", tests, NULL, NULL);
}
