#include "bot/table/board_hash.h"

#include <string.h>

#include <sodium.h>

uint64_t board_hash(const struct table_workspace *ws, const void *bytes, size_t length)
{
    uint8_t hashed[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    (void)crypto_shorthash(hashed, bytes, length, ws->secret);
    memcpy(&hash, hashed, sizeof hash);
    return hash | 1u; // 0: nothing shown
}

// How much time is left is no change by itself, or who passes unseen would be seen in it.
uint64_t board_hash_text(const struct table_workspace *ws, const char *text)
{
    uint64_t hash = 1;
    for (const char *at = text; *at != '\0';) {
        const char *const time = strchr(at, MARK_TIME);
        const char *const end = time != NULL ? strchr(time, MARK_END) : NULL;
        const size_t length = end != NULL ? (size_t)(time - at) : strlen(at);
        hash = board_mix(hash, board_hash(ws, at, length));
        at = end != NULL ? end + 1 : at + length;
    }
    return hash | 1u;
}
