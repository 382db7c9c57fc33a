// `munchbot cards new DIR`: a small set of one's own, out of the example that lies with the card
// sets.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "bot/cards_dir.h"
#include "bot/cmd/cmd.h"
#include "bot/cmd/cmd_cards_impl.h"

enum { PATH_SIZE = 4096, BLOCK_SIZE = 4096, ID_SIZE = 21 };

static bool complain(const char *path, const char *what)
{
    (void)fprintf(stderr, "munchbot: %s: %s\n", path, what);
    return false;
}

// The set's id: the folder's name, which has to be a word that commands can say.
static bool make_id(const char *dir, char id[ID_SIZE])
{
    char path[PATH_SIZE];
    size_t length = strlen(dir);
    if (length == 0 || length >= sizeof path) {
        return complain(dir, "expected the path of a folder that does not exist yet");
    }
    memcpy(path, dir, length + 1);
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0';
    }
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    const size_t size = strlen(name);
    if (size == 0 || size >= ID_SIZE ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != size) {
        return complain(dir, "the folder's name becomes the set's: expected at most 20 small "
                             "letters, digits, \"-\" and \"_\"");
    }
    memcpy(id, name, size + 1);
    return true;
}

// Opens DIR/name to be written, which must not be there.
static FILE *create(const char *dir, const char *name)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *const file = fopen(path, "wbx");
    if (file == NULL) {
        (void)complain(path, strerror(errno));
    }
    return file;
}

static bool finish(FILE *file, const char *dir, bool written)
{
    if (fclose(file) != 0 || !written) {
        return complain(dir, "cannot write its files: is the disk full?");
    }
    return true;
}

static bool write_set(const char *dir, const char *id)
{
    FILE *const file = create(dir, "set.json");
    if (file == NULL) {
        return false;
    }
    const int written = fprintf(file,
                                "{\"format\": 1, \"id\": \"%s\", \"name\": \"%s\", \"edition\": "
                                "\"classic\", \"complete\": true}\n",
                                id, id);
    return finish(file, dir, written > 0);
}

static bool copy(const char *example, const char *dir, const char *name)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", example, name);
    FILE *const from = fopen(path, "rb");
    if (from == NULL) {
        return complain(path, "the example set is missing from the installed card sets");
    }
    FILE *const to = create(dir, name);
    char block[BLOCK_SIZE];
    bool good = to != NULL;
    for (size_t size = sizeof block; good && size == sizeof block;) {
        size = fread(block, 1, sizeof block, from);
        good = ferror(from) == 0 && fwrite(block, 1, size, to) == size;
    }
    (void)fclose(from);
    return to != NULL && finish(to, dir, good);
}

int cards_new(const char *dir)
{
    char id[ID_SIZE];
    char base[PATH_SIZE];
    char example[PATH_SIZE + 10];
    if (!make_id(dir, id)) {
        return CMD_FAILED;
    }
    if (mkdir(dir, 0777) != 0) {
        (void)complain(dir, errno == EEXIST ? "the folder already exists: name another one"
                                            : strerror(errno));
        return CMD_FAILED;
    }
    (void)snprintf(example, sizeof example, "%s/example", cards_dir(base, sizeof base));
    if (!write_set(dir, id) || !copy(example, dir, "doors.json") ||
        !copy(example, dir, "treasures.json") || !copy(example, dir, "text.en.json")) {
        return CMD_FAILED;
    }
    (void)printf(
        "%s: a set \"%s\" of ten cards. Check it with \"munchbot cards check %s\"; play it\n"
        "with \"munchbot play --set classic,%s --sets-path %s\". cards/README.md is the manual.\n",
        dir, id, dir, id, dir);
    return CMD_DONE;
}
