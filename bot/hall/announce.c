#include "bot/hall/announce.h"

#include "bot/hall/hall_impl.h"

size_t announce_encode(const char *network, const char *place, unsigned char *out, size_t size)
{
    const struct hall_message words = {.kind = CHAT_NARRATION,
                                       .network = network,
                                       .place = place,
                                       .text = "",
                                       .refusal = {.code = REFUSAL_NONE},
                                       .narrates = true};
    struct hall_message *const message = hall_message_make(&words);
    const size_t length = message != NULL ? hall_message_encode(message, out, size) : 0;
    if (message != NULL) {
        hall_message_free(message);
    }
    return length;
}
