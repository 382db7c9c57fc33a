/*
 * Fuzzes messages as the store keeps them (bot/hall/out/message.c): any bytes are no message, or
 * one that is written as the same bytes again.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

#include "tests/fuzz/fuzz.h"

static const char *word_of(const char *word)
{
    return word != NULL ? word : "";
}

static void check(const struct store_message *kept)
{
    struct hall_message *const message = hall_message_decode(kept, "table");
    if (message == NULL) {
        return;
    }
    const size_t size = hall_message_size(message);
    unsigned char *const bytes = malloc(size + 1);
    if (bytes == NULL || hall_message_encode(message, bytes, size) != size) {
        fuzz_fail("what was read cannot be written");
    }
    const struct store_message again = {.bytes = {.at = bytes, .size = size},
                                        .narration = kept->narration};
    struct hall_message *const other = hall_message_decode(&again, "table");
    if (other == NULL || strcmp(other->out.text, message->out.text) != 0 ||
        other->out.ping_count != message->out.ping_count || other->out.kind != message->out.kind ||
        strcmp(word_of(other->out.answer), word_of(message->out.answer)) != 0 ||
        strcmp(other->reader, message->reader) != 0) {
        fuzz_fail("it comes back as another message");
    }
    // A narration's text is the log's: it may have come with one of its own.
    if (kept->narration == NULL &&
        (size != kept->bytes.size || memcmp(bytes, kept->bytes.at, size) != 0)) {
        fuzz_fail("other bytes of the same message");
    }
    hall_message_free(other);
    hall_message_free(message);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct store_message kept = {.bytes = {.at = data, .size = size}};
    check(&kept);
    kept.narration = "Once upon a time.\n";
    check(&kept);
    return 0;
}
