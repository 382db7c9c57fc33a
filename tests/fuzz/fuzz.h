/*
 * What the fuzzers share: card sets, tables in the middle of games, and giving up with a sentence.
 *
 * A fuzzer is one function (LLVMFuzzerTestOneInput) that must survive any bytes. With clang it is
 * linked to libFuzzer (tests/fuzz/run); with any compiler to replay.c, which feeds it the inputs
 * that once broke something, and the seeds.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/codec/catalog.h"
#include "core/game.h"
#include "core/seen/moves.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Prints the sentence and aborts: the input is a finding. */
_Noreturn void fuzz_fail(const char *format, ...) MB_PRINTF(1, 2);
/** The catalog of cards/, loaded once; freed at exit. */
struct catalog *fuzz_catalog(void);
/** The box of "classic" or of all five sets. */
const struct box *fuzz_box(bool all);
/** Plays random commands on a state; clocks run out now and then. */
void fuzz_play(struct game *game, const struct box *box, unsigned commands, uint64_t seed);
/** A game begun and played for a while: the same for the same numbers. */
void fuzz_game(struct game *game, const struct box *box, unsigned seats, unsigned commands,
               uint64_t seed);
/** Every move of a seat; lent until the next call. */
struct move_list *fuzz_moves(const struct game *game, const struct box *box, unsigned seat);
enum { FUZZ_HEAD = 6, FUZZ_CHECK = 4 }; /**< bytes around the body of a snapshot */
/** An input's body, behind its first byte, as a snapshot of `out`'s SNAPSHOT_SIZE_MAX bytes: head
 * and check sum are made here, as no fuzzer guesses a sum. Returns its length; 0: it has no room.
 */
size_t fuzz_snapshot(const uint8_t *data, size_t size, const struct box *box, unsigned char *out);
/** Fails unless the text is whole UTF-8 without control characters but line ends. */
void fuzz_check_text(const char *text);

#endif
