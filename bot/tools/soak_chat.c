#include "bot/tools/soak_chat.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"

/* Keys of late: a message that comes twice does so soon. */
enum { KEYS = 1 << 16, LINE_SIZE = 512, HEX = 16, DECIMAL = 10 };

struct soak_chat {
    struct chat chat;
    bool started;
    const char *path;
    int file; /* -1: none */
    unsigned long confirmed, doubled;
    struct chat_key keys[KEYS];
};

static struct soak_chat *soak_of(struct chat *chat);

// Notes a key; whether it was there.
static bool note(struct soak_chat *soak, struct chat_key key)
{
    // By both: each process begins its numbers anew.
    struct chat_key *const at = &soak->keys[(key.number ^ key.epoch) % KEYS];
    const bool seen = at->epoch == key.epoch && at->number == key.number;
    *at = key;
    return seen;
}

static bool read_platform(struct soak_chat *soak, struct mb_error *err)
{
    char line[LINE_SIZE];
    struct chat_key key;
    FILE *const file = fopen(soak->path, "a+e");
    if (file == NULL) {
        return mb_fail(err, MB_ERR_IO, "cannot write %.80s", soak->path);
    }
    (void)fseek(file, 0, SEEK_SET);
    while (fgets(line, sizeof line, file) != NULL) {
        char *rest = NULL;
        key.epoch = strtoull(line, &rest, HEX);
        if (*rest == '-') {
            key.number = strtoull(rest + 1, NULL, DECIMAL);
            (void)note(soak, key);
        }
    }
    (void)fclose(file);
    soak->file = open(soak->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return soak->file >= 0 || mb_fail(err, MB_ERR_IO, "cannot write %.80s", soak->path);
}

static bool start(struct chat *chat, struct mb_error *err)
{
    struct soak_chat *const soak = soak_of(chat);
    if (soak->path != NULL && soak->file < 0 && !read_platform(soak, err)) {
        return false;
    }
    soak->started = true;
    return true;
}

static uint64_t hash_of(const struct chat_out *out)
{
    static const unsigned char KEY[crypto_shorthash_KEYBYTES] = {0};
    uint64_t hash = 0;
    (void)crypto_shorthash((unsigned char *)&hash, (const unsigned char *)out->text,
                           strlen(out->text), KEY);
    return hash;
}

// One write, so that a line is whole whenever the process dies.
static bool show(const struct soak_chat *soak, const struct chat_out *out)
{
    char line[LINE_SIZE];
    const char *const reader = out->person != NULL ? out->person : out->place;
    const int size =
        snprintf(line, sizeof line, "%" PRIx64 "-%" PRIu64 " %d %s %016" PRIx64 " %s\n",
                 out->key.epoch, out->key.number, (int)out->kind, reader, hash_of(out),
                 out->replaces != NULL ? "edit" : "new");
    return size < (int)sizeof line && write(soak->file, line, (size_t)size) == size;
}

static bool send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    struct soak_chat *const soak = soak_of(chat);
    char id[CHAT_TABLE_SIZE];
    if (!soak->started) {
        return mb_fail(err, MB_ERR_STATE, "the chat is not started");
    }
    const bool seen = note(soak, out->key);
    soak->confirmed++;
    soak->doubled += seen ? 1 : 0;
    if (!seen && soak->file >= 0 && !show(soak, out)) {
        return mb_fail(err, MB_ERR_RETRY, "cannot write the platform's file");
    }
    // Cards are dealt by the id of what is said to all: it follows from the words, so that a game
    // is the same however often a process has died before it.
    (void)snprintf(id, sizeof id, "%" PRIu64,
                   out->kind == CHAT_NARRATION ? hash_of(out) : out->key.number);
    const struct chat_outcome outcome = {
        .key = out->key, .fate = CHAT_DELIVERED, .id = out->replaces != NULL ? out->replaces : id};
    chat_tell(chat, &outcome);
    return true;
}

static void stop(struct chat *chat)
{
    soak_of(chat)->started = false;
}

static void destroy(struct chat *chat)
{
    struct soak_chat *const soak = soak_of(chat);
    if (soak->file >= 0) {
        (void)close(soak->file);
    }
    free(soak);
}

static const struct chat_ops OPS = {.name = "soak",
                                    .caps = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT,
                                    .start = start,
                                    .send = send,
                                    .stop = stop,
                                    .destroy = destroy};

static struct soak_chat *soak_of(struct chat *chat)
{
    assert(chat->ops == &OPS);
    return (struct soak_chat *)chat;
}

struct chat *soak_chat_create(struct chat_queue *queue, const char *platform)
{
    struct soak_chat *const soak = mb_new(1, sizeof *soak);
    soak->chat = (struct chat){.ops = &OPS, .sink = {.queue = queue}};
    soak->path = platform;
    soak->file = -1;
    return &soak->chat;
}

unsigned long soak_chat_confirmed(const struct chat *chat)
{
    assert(chat->ops == &OPS);
    return ((const struct soak_chat *)chat)->confirmed;
}

unsigned long soak_chat_doubled(const struct chat *chat)
{
    assert(chat->ops == &OPS);
    return ((const struct soak_chat *)chat)->doubled;
}
