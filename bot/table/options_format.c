#include <inttypes.h>
#include <stdio.h>

#include "bot/table/options.h"
#include "bot/text/text.h"

/* Words being put together; what begins one stands before its first value, a comma before others.
 */
struct words {
    struct text_out out;
    bool open; // the word that is being written has a value
};

static void begin(struct words *words)
{
    words->open = false;
}

static void put(struct words *words, const char *key, const char *value, const char *tail)
{
    if (!words->open) {
        text_raw(&words->out, words->out.length > 0 ? " " : "");
        text_raw(&words->out, key);
    } else {
        text_raw(&words->out, ",");
    }
    text_raw(&words->out, value);
    text_raw(&words->out, tail);
    words->open = true;
}

static void put_one(struct words *words, const char *key, const char *value)
{
    begin(words);
    put(words, key, value, "");
}

static void put_variants(struct words *words, const struct table_options *options)
{
    begin(words);
    if (options->listen) {
        put(words, "variant=", "listen", "");
    }
    if (options->shared) {
        put(words, "variant=", "shared", "");
    }
    if (options->epic) {
        put(words, "variant=", "epic", "");
    }
    begin(words);
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        if (options->flag[i] != 0) {
            put(words, "flag=", profile_flag_name(i), options->flag[i] < 0 ? "=off" : "");
        }
    }
}

static void put_times(struct words *words, const struct table_options *options)
{
    enum { NUMBER_SIZE = 32 };
    char key[NUMBER_SIZE];
    char value[NUMBER_SIZE];
    for (unsigned i = 0; i <= CLOCK_WINDOW; i++) {
        if (options->clock_s[i] != 0) {
            (void)snprintf(key, sizeof key, "%s=", table_options_clock_name(i));
            (void)snprintf(value, sizeof value, "%" PRIu32, options->clock_s[i]);
            put_one(words, key, value);
        }
    }
    if (options->quiet.from != options->quiet.to) {
        (void)snprintf(value, sizeof value, "%u-%u", options->quiet.from, options->quiet.to);
        put_one(words, "quiet=", value);
    }
    if (options->quiet.zone != 0) {
        (void)snprintf(value, sizeof value, "%+d", options->quiet.zone);
        put_one(words, "zone=", value);
    }
}

bool table_options_format(const struct table_options *options, const struct catalog *catalog,
                          char *out, size_t size)
{
    const char seats[] = {(char)('0' + options->seats), '\0'};
    struct words words = {.open = false};
    text_begin(&words.out, out, size);
    for (unsigned i = 0; i < options->set_count; i++) {
        put(&words, "sets=", catalog_set(catalog, options->sets[i])->id, "");
    }
    if (options->seats > 0) {
        put_one(&words, "players=", seats);
    }
    if (options->pace != PACE_LIVE) {
        put_one(&words, "pace=", table_options_pace_name(options->pace));
    }
    if (options->house < EDITION_TOTAL) {
        put_one(&words, "house=", edition_name(options->house));
    }
    put_variants(&words, options);
    put_times(&words, options);
    if (options->stays) {
        put_one(&words, "thread=", "off");
    }
    return words.out.length < size;
}
