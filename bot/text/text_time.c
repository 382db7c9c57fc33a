#include "bot/text/text.h"

void text_time_words(char *out, size_t size, int64_t ms)
{
    enum {
        SECOND_MS = 1000,
        MINUTE_MS = 60 * SECOND_MS,
        HOUR_MS = 60 * MINUTE_MS,
        DAY_MS = 24 * HOUR_MS
    };
    struct text_out text;
    text_begin(&text, out, size);
    if (ms >= 2 * (int64_t)DAY_MS) {
        text_put(&text, TEXT_TIME_DAYS, TEXT_ARGS(text_num("n", (long)(ms / DAY_MS))));
    } else if (ms >= 2 * (int64_t)HOUR_MS) {
        text_put(&text, TEXT_TIME_HOURS, TEXT_ARGS(text_num("n", (long)(ms / HOUR_MS))));
    } else if (ms >= 2 * (int64_t)MINUTE_MS) {
        text_put(&text, TEXT_TIME_MINUTES, TEXT_ARGS(text_num("n", (long)(ms / MINUTE_MS))));
    } else {
        text_put(&text, TEXT_TIME_SECONDS, TEXT_ARGS(text_num("n", (long)(ms / SECOND_MS))));
    }
}
