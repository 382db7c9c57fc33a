// What adapters keep in the store beside tables: their questions, put until they are answered.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/cluster/cluster.h"

// Questions that are looked at: those behind them come when these are answered, or all would be
// compared with all. What is to be held waits for nobody.
enum { LOOKED_AT = 64 };

struct hall_keep {
    struct hall_keep *next;
    uint64_t ticket; // of the question that is open, or 0
    int64_t ask_ms;  // when it is put (again)
    enum { KEEPS, READS, HOLDS } what;
    chat_kept_fn *done; // or NULL
    void *user;
    struct store_bytes bytes; // behind it
    int64_t for_ms;           // HOLDS: or 0
    size_t mine;              // bytes of the word that are the network's
    char *word;
};

// Each network's words are its own ("matrix/since"), and so are the hall's.
static bool add(struct hall *hall, const char *owner, const struct hall_keep *keep,
                const char *word)
{
    const size_t size = strlen(owner) + strlen(word) + 2;
    struct hall_keep *const made = mb_new(1, sizeof *made + keep->bytes.size + size);
    *made = *keep;
    unsigned char *const room = (unsigned char *)(made + 1);
    if (keep->bytes.at != NULL) {
        memcpy(room, keep->bytes.at, keep->bytes.size);
        made->bytes.at = room;
    }
    made->word = (char *)room + keep->bytes.size;
    made->mine = strlen(owner) + 1;
    (void)snprintf(made->word, size, "%s/%s", owner, word);
    made->ask_ms = hall->now_ms;
    *hall->keeps_end = made;
    hall->keeps_end = &made->next;
    return true;
}

bool hall_keep_put(struct hall *hall, const char *owner, const struct chat_kept *item,
                   chat_kept_fn *done, void *user)
{
    const struct hall_keep asked = {
        .done = done, .user = user, .bytes = {.at = item->at, .size = item->size}};
    return add(hall, owner, &asked, item->word);
}

bool hall_keep_read(struct hall *hall, const char *owner, const char *begins, chat_kept_fn *done,
                    void *user)
{
    const struct hall_keep asked = {.what = READS, .done = done, .user = user};
    return add(hall, owner, &asked, begins);
}

static bool keep(void *user, struct chat *chat, const struct chat_kept *item, chat_kept_fn *done,
                 void *done_user)
{
    return hall_keep_put(user, chat_name(chat), item, done, done_user);
}

static bool read_kept(void *user, struct chat *chat, const char *begins, chat_kept_fn *done,
                      void *done_user)
{
    return hall_keep_read(user, chat_name(chat), begins, done, done_user);
}

static bool hold(void *user, struct chat *chat, const char *word, int64_t for_ms,
                 chat_kept_fn *done, void *done_user)
{
    const struct hall_keep asked = {
        .what = HOLDS, .done = done, .user = done_user, .for_ms = for_ms};
    return add(user, chat_name(chat), &asked, word);
}

static bool is_shared(void *user)
{
    return ((const struct hall *)user)->shared;
}

const struct chat_keeper HALL_KEEPER = {
    .keep = keep, .read = read_kept, .hold = hold, .shared = is_shared};

// Whether one is about a word that the other writes.
static bool overlap(const struct hall_keep *a, const struct hall_keep *b)
{
    if (a->what == b->what) {
        return a->what == KEEPS && strcmp(a->word, b->word) == 0;
    }
    if (a->what == HOLDS || b->what == HOLDS) { // what is held is no word that is kept
        return false;
    }
    const struct hall_keep *const reads = a->what == READS ? a : b;
    const struct hall_keep *const writes = a->what == READS ? b : a;
    return strncmp(writes->word, reads->word, strlen(reads->word)) == 0;
}

static bool must_wait(const struct hall *hall, const struct hall_keep *keep)
{
    const struct hall_keep *at = keep->what != HOLDS ? hall->keeps : keep;
    while (at != keep && !overlap(at, keep)) {
        at = at->next;
    }
    return at != keep;
}

// The next from there on that is looked at, `looked` of them before.
static struct hall_keep *look(struct hall_keep *at, unsigned *looked)
{
    while (at != NULL && at->what != HOLDS && *looked == LOOKED_AT) {
        at = at->next;
    }
    *looked += at != NULL && at->what != HOLDS ? 1 : 0;
    return at;
}

static void ask(struct hall *hall, struct hall_keep *keep)
{
    static const enum store_kind KINDS[] = {
        [KEEPS] = STORE_KEEP, [READS] = STORE_KEPT, [HOLDS] = STORE_HOLD};
    const struct store_request request = {.kind = KINDS[keep->what],
                                          .word = keep->word,
                                          .bytes = keep->bytes,
                                          .for_ms = keep->for_ms};
    const bool asked =
        hall_ask(hall, &request, (struct hall_ask){.of = HALL_ASK_KEEP}, &keep->ticket);
    keep->ask_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
}

void hall_keep_ask(struct hall *hall)
{
    unsigned looked = 0;
    for (struct hall_keep *at = look(hall->keeps, &looked); at != NULL;
         at = look(at->next, &looked)) {
        if (at->ask_ms <= hall->now_ms && !must_wait(hall, at)) {
            ask(hall, at);
        }
    }
}

int64_t hall_keep_ms(const struct hall *hall)
{
    int64_t due = STORE_NEVER;
    unsigned looked = 0;
    for (struct hall_keep *at = look(hall->keeps, &looked); at != NULL;
         at = look(at->next, &looked)) {
        due = must_wait(hall, at) ? due : hall_earlier(due, at->ask_ms);
    }
    return due;
}

static void tell(struct hall_keep *keep, const struct store_answer *answer)
{
    struct chat_kept items[STORE_KEPT_MAX];
    size_t count = keep->what == READS ? answer->count : 0;
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct chat_kept){.word = answer->texts[i] + keep->mine,
                                      .at = answer->pieces[i].at,
                                      .size = answer->pieces[i].size};
    }
    if (keep->what == HOLDS && answer->result == STORE_DONE) {
        items[count++] = (struct chat_kept){.word = keep->word + keep->mine};
    }
    if (keep->done != NULL) {
        keep->done(keep->user, items, count);
    }
}

bool hall_keep_is_busy(const struct hall *hall)
{
    const struct hall_keep *at = hall->keeps;
    while (at != NULL && at->what != KEEPS) {
        at = at->next;
    }
    return at != NULL;
}

void hall_keep_answered(struct hall *hall, const struct store_answer *answer)
{
    struct hall_keep **at = &hall->keeps;
    while (*at != NULL && (*at)->ticket != answer->ticket) {
        at = &(*at)->next;
    }
    struct hall_keep *const keep = *at;
    if (keep == NULL) {
        return;
    }
    if (answer->result == STORE_FAILED) {
        keep->ticket = 0;
        keep->ask_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        return;
    }
    *at = keep->next;
    hall->keeps_end = hall->keeps_end == &keep->next ? at : hall->keeps_end;
    tell(keep, answer);
    free(keep);
}

void hall_keep_finish(struct hall *hall)
{
    while (hall->keeps != NULL) {
        struct hall_keep *const first = hall->keeps;
        hall->keeps = first->next;
        free(first);
    }
}
