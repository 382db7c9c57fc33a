// Writes seeds that are made by playing: states in the middle of games, as fuzz_snapshot.c reads
// them, and recorded games, broken off early by agreement so that their seed is in them.
// usage: fuzz_seeds snapshot|record FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/journal.h"
#include "core/codec/snapshot.h"
#include "core/rng.h"

#include "bot/policy/policy.h"
#include "bot/table/solo.h"

#include "tests/fuzz/fuzz.h"

enum { STATES = 48, RECORDS = 8, HEAD = 6, CHECK = 4, PATH_SIZE = 1024, STEP_MS = 3000 };

static bool write_file(const char *folder, unsigned number, const void *bytes, size_t size)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/seed%02u", folder, number);
    FILE *const file = length > 0 && length < PATH_SIZE ? fopen(path, "wb") : NULL;
    bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
    written = file != NULL && fclose(file) == 0 && written;
    return written;
}

static bool write_state(const char *folder, unsigned number)
{
    static unsigned char bytes[SNAPSHOT_SIZE_MAX];
    struct game *const game = calloc(1, game_size());
    if (game == NULL) {
        return false;
    }
    const bool all = number % 4 == 3;
    fuzz_game(game, fuzz_box(all), 3 + number % 4, number * 23, number);
    const size_t size = snapshot_encode(game, bytes, sizeof bytes);
    free(game);
    bytes[HEAD - 1] = all ? 1 : 0; // in place of the head: which box
    return write_file(folder, number, bytes + HEAD - 1, size - HEAD - CHECK + 1);
}

static bool play_record(struct solo *session, unsigned number)
{
    struct table_options options;
    struct mb_error err = {0};
    uint8_t seed[32];
    mb_rng_seed_u64(seed, number);
    solo_keep_journal(session);
    table_options_init(&options);
    if (!table_options_sets(&options, fuzz_catalog(), "classic", &err) ||
        !solo_open(session, &options, &err) || solo_sit(session, "Ann", true, NULL) == NO_SEAT ||
        solo_sit(session, "Bob", false, &POLICY_RANDOM) == NO_SEAT ||
        solo_sit(session, "Cy", true, &POLICY_RANDOM) == NO_SEAT ||
        !solo_start(session, seed, &err)) {
        return false;
    }
    (void)solo_line(session, 0, "done", NULL);
    for (unsigned i = 0; i < number * 4; i++) {
        solo_advance(session, STEP_MS);
        (void)solo_line(session, 0, i % 2 == 0 ? "kick" : "loot", NULL);
        (void)solo_line(session, 0, i % 2 == 0 ? "run" : "done", NULL);
        message_list_clear(solo_outbox(session));
    }
    (void)solo_line(session, 0, "end", NULL); // asks whether that is meant
    (void)solo_line(session, 0, "end", NULL);
    return solo_state(session) == TABLE_OVER;
}

// A record that is refused would teach the fuzzer nothing about games that are played again.
static bool is_verified(const char *text)
{
    struct journal_report report;
    struct mb_error err = {0};
    const bool verified = journal_verify(fuzz_catalog(), text, strlen(text), &report, &err);
    if (!verified) {
        (void)fprintf(stderr, "a record does not verify: %s\n", err.text);
    }
    return verified;
}

static bool write_record(const char *folder, unsigned number)
{
    struct solo *const session = solo_create(fuzz_catalog());
    struct mb_error err = {0};
    char *text = NULL;
    if (session != NULL && play_record(session, number)) {
        text = journal_export(solo_journal(session), solo_game(session), &err);
    }
    const bool written =
        text != NULL && is_verified(text) && write_file(folder, number, text, strlen(text));
    free(text);
    solo_destroy(session);
    return written;
}

int main(int argc, char **argv)
{
    const bool records = argc == 3 && strcmp(argv[1], "record") == 0;
    bool written = records || (argc == 3 && strcmp(argv[1], "snapshot") == 0);
    for (unsigned i = 0; written && i < (records ? RECORDS : STATES); i++) {
        written = records ? write_record(argv[2], i) : write_state(argv[2], i);
    }
    if (!written) {
        (void)fputs("not written; usage: fuzz_seeds snapshot|record FOLDER (which must exist)\n",
                    stderr);
    }
    return written ? 0 : 1;
}
