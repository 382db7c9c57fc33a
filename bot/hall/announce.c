#include "bot/hall/announce.h"

#include "bot/hall/hall_impl.h"

size_t announce_encode(const char *network, const char *place, unsigned char *out, size_t size)
{
    const struct hall_message words = {.network = network,
                                       .narrates = true,
                                       .out = {.kind = CHAT_NARRATION, .place = place, .text = ""}};
    struct hall_message *const message = hall_message_make(NULL, &words);
    const size_t length = hall_message_encode(message, out, size);
    hall_message_free(message);
    return length;
}
