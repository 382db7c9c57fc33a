// Writes seeds that are no text: states in the middle of games, as fuzz_snapshot.c reads them.
// usage: fuzz_seeds FOLDER
#include <stdio.h>
#include <stdlib.h>

#include "core/codec/snapshot.h"

#include "tests/fuzz/fuzz.h"

enum { STATES = 48, HEAD = 6, CHECK = 4, PATH_SIZE = 1024 };

int main(int argc, char **argv)
{
    static unsigned char bytes[SNAPSHOT_SIZE_MAX];
    struct game *const game = calloc(1, game_size());
    bool written = argc == 2 && game != NULL;
    for (unsigned i = 0; written && i < STATES; i++) {
        const bool all = i % 4 == 3;
        char path[PATH_SIZE];
        fuzz_game(game, fuzz_box(all), 3 + i % 4, i * 23, i);
        const size_t size = snapshot_encode(game, bytes, sizeof bytes);
        (void)snprintf(path, sizeof path, "%s/state%02u", argv[1], i);
        FILE *const file = fopen(path, "wb");
        written = file != NULL && fputc(all ? 1 : 0, file) != EOF &&
                  fwrite(bytes + HEAD, 1, size - HEAD - CHECK, file) == size - HEAD - CHECK;
        written = file != NULL && fclose(file) == 0 && written;
    }
    free(game);
    if (!written) {
        (void)fputs("usage: fuzz_seeds FOLDER (which must exist)\n", stderr);
    }
    return written ? 0 : 1;
}
