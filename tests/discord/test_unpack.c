// Messages packed as Discord packs them, and cut wherever sockets cut.
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#include "adapters/discord/wire/unpack.h"

#include "tests/support/test.h"

enum { PACKED_SIZE = 1 << 20 };

struct server {
    z_stream stream;
    unsigned char packed[PACKED_SIZE];
    size_t size;
    struct unpack *unpack;
};

static int begin(void **state)
{
    struct server *const server = calloc(1, sizeof *server);
    assert_non_null(server);
    assert_int_equal(deflateInit(&server->stream, Z_DEFAULT_COMPRESSION), Z_OK);
    server->unpack = unpack_create();
    assert_non_null(server->unpack);
    *state = server;
    return 0;
}

static int end(void **state)
{
    struct server *const server = *state;
    (void)deflateEnd(&server->stream);
    unpack_destroy(server->unpack);
    free(server);
    return 0;
}

static void pack(struct server *server, const void *text, size_t size)
{
    server->stream.next_in = text;
    server->stream.avail_in = (uInt)size;
    server->stream.next_out = server->packed;
    server->stream.avail_out = PACKED_SIZE;
    assert_int_equal(deflate(&server->stream, Z_SYNC_FLUSH), Z_OK);
    assert_true(server->stream.avail_out > 0);
    server->size = PACKED_SIZE - server->stream.avail_out;
}

static void assert_message(struct server *server, const void *bytes, size_t size, const char *said)
{
    const char *text = NULL;
    size_t text_size = 0;
    assert_int_equal(unpack_take(server->unpack, bytes, size, &text, &text_size), UNPACK_WHOLE);
    assert_int_equal(text_size, strlen(said));
    assert_memory_equal(text, said, text_size);
}

static void messages_come_one_behind_the_other(void **state)
{
    struct server *const server = *state;
    static const char *const SAID[] = {"{\"op\":10}", "{\"op\":0,\"t\":\"READY\"}", "{\"op\":11}"};
    for (size_t i = 0; i < 3; i++) {
        pack(server, SAID[i], strlen(SAID[i]));
        assert_message(server, server->packed, server->size, SAID[i]);
    }
}

static void a_message_may_be_cut_anywhere_in_its_end_too(void **state)
{
    struct server *const server = *state;
    static const char SAID[] = "{\"op\":0,\"d\":\"something to be cut\"}";
    for (size_t cut = 1; cut < 40; cut++) {
        const char *text = NULL;
        size_t size = 0;
        pack(server, SAID, strlen(SAID));
        const size_t at = server->size > cut ? server->size - cut : 1;
        assert_int_equal(unpack_take(server->unpack, server->packed, at, &text, &size),
                         UNPACK_PART);
        assert_message(server, server->packed + at, server->size - at, SAID);
    }
    pack(server, SAID, strlen(SAID));
    for (size_t i = 0; i + 1 < server->size; i++) { // and into single bytes
        const char *text = NULL;
        size_t size = 0;
        assert_int_equal(unpack_take(server->unpack, server->packed + i, 1, &text, &size),
                         UNPACK_PART);
    }
    assert_message(server, server->packed + server->size - 1, 1, SAID);
}

static void nothing_is_no_end(void **state)
{
    struct server *const server = *state;
    const char *text = NULL;
    size_t size = 0;
    pack(server, "{}", 2);
    assert_message(server, server->packed, server->size, "{}");
    assert_int_equal(unpack_take(server->unpack, "", 0, &text, &size), UNPACK_PART);
}

static void what_is_no_stream_is_broken(void **state)
{
    struct server *const server = *state;
    const char *text = NULL;
    size_t size = 0;
    assert_int_equal(unpack_take(server->unpack, "{\"op\":10}", 9, &text, &size), UNPACK_BROKEN);
}

// A few thousand bytes that would fill the memory: zeros, never flushed.
static void what_grows_too_great_is_broken(void **state)
{
    struct server *const server = *state;
    enum { PIECE = 1 << 20, PIECES = UNPACK_MESSAGE_MAX / PIECE + 1 };
    char *const zeros = calloc(1, PIECE);
    const char *text = NULL;
    size_t size = 0;
    assert_non_null(zeros);
    server->stream.next_out = server->packed;
    server->stream.avail_out = PACKED_SIZE;
    for (size_t i = 0; i < PIECES; i++) {
        server->stream.next_in = (const Bytef *)zeros;
        server->stream.avail_in = PIECE;
        assert_int_equal(deflate(&server->stream, Z_NO_FLUSH), Z_OK);
        assert_int_equal(server->stream.avail_in, 0);
    }
    free(zeros);
    assert_int_equal(deflate(&server->stream, Z_SYNC_FLUSH), Z_OK);
    server->size = PACKED_SIZE - server->stream.avail_out;
    assert_true(server->size < PACKED_SIZE / 4);
    assert_int_equal(unpack_take(server->unpack, server->packed, server->size, &text, &size),
                     UNPACK_BROKEN);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(messages_come_one_behind_the_other),
        TEST(a_message_may_be_cut_anywhere_in_its_end_too),
        TEST(nothing_is_no_end),
        TEST(what_is_no_stream_is_broken),
        TEST(what_grows_too_great_is_broken),
    };
    return cmocka_run_group_tests_name("unpack", tests, NULL, NULL);
}
