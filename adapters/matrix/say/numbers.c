#include "adapters/matrix/say/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { HANDS_MAX = 8192, ECHOES_MAX = 64 };

struct shown {
    struct shown *next; // older
    struct mb_pool words;
    const char *room, *event, *board, **lines;
    size_t line_count;
    struct chat_bond bond;
    int64_t ms;         // since when it stands there, or -1
    int64_t doubted_ms; // when its reader was told that it is another hand by now, or -1
};

/* A message of which the room has told before the answer to its sending did. */
struct echo {
    char event[CHAT_ID_SIZE];
    int64_t ms;
};

struct numbers {
    struct shown *latest;
    size_t count;
    struct echo echoes[ECHOES_MAX];
    size_t echo_at;
};

struct numbers *numbers_create(void)
{
    return mb_new(1, sizeof(struct numbers));
}

static void shown_free(struct shown *shown)
{
    mb_pool_finish(&shown->words);
    free(shown);
}

void numbers_destroy(struct numbers *numbers)
{
    while (numbers != NULL && numbers->latest != NULL) {
        struct shown *const latest = numbers->latest;
        numbers->latest = latest->next;
        shown_free(latest);
    }
    free(numbers);
}

static int64_t echoed_ms(const struct numbers *numbers, const char *event)
{
    for (size_t i = 0; i < ECHOES_MAX; i++) {
        if (strcmp(numbers->echoes[i].event, event) == 0) {
            return numbers->echoes[i].ms;
        }
    }
    return -1;
}

static struct shown *copy_hand(const struct numbers_hand *hand)
{
    struct shown *const shown = mb_new(1, sizeof *shown);
    shown->doubted_ms = -1;
    shown->bond = hand->bond;
    shown->room = mb_pool_text(&shown->words, hand->room);
    shown->event = mb_pool_text(&shown->words, hand->event);
    shown->board = mb_pool_text(&shown->words, hand->board);
    shown->line_count = hand->line_count;
    shown->lines = mb_pool_new(&shown->words, hand->line_count, sizeof *shown->lines);
    for (size_t i = 0; i < hand->line_count; i++) {
        shown->lines[i] = mb_pool_text(&shown->words, hand->lines[i]);
    }
    return shown;
}

static void drop_oldest(struct numbers *numbers)
{
    struct shown **at = &numbers->latest;
    while ((*at)->next != NULL) {
        at = &(*at)->next;
    }
    shown_free(*at);
    *at = NULL;
    numbers->count--;
}

void numbers_sent(struct numbers *numbers, const struct numbers_hand *hand)
{
    struct shown *const shown = copy_hand(hand);
    shown->ms = echoed_ms(numbers, hand->event);
    shown->next = numbers->latest;
    numbers->latest = shown;
    if (++numbers->count > HANDS_MAX) {
        drop_oldest(numbers);
    }
}

void numbers_stands(struct numbers *numbers, const char *event, int64_t ms)
{
    for (struct shown *at = numbers->latest; at != NULL; at = at->next) {
        if (strcmp(at->event, event) == 0) {
            at->ms = ms;
            return;
        }
    }
    struct echo *const echo = &numbers->echoes[numbers->echo_at];
    numbers->echo_at = (numbers->echo_at + 1) % ECHOES_MAX;
    (void)snprintf(echo->event, sizeof echo->event, "%s", event);
    echo->ms = ms;
}

// The hand of a table (NULL: of any) that stood there at that time.
static struct shown *hand_that_stood(const struct numbers *numbers, const char *room,
                                     const char *table, int64_t ms)
{
    for (struct shown *at = numbers->latest; at != NULL; at = at->next) {
        if (at->ms >= 0 && at->ms <= ms && strcmp(at->room, room) == 0 &&
            (table == NULL || strcmp(at->bond.table, table) == 0)) {
            return at;
        }
    }
    return NULL;
}

static const char *table_of(const struct numbers *numbers, const char *room, const char *replied)
{
    const struct shown *found = NULL;
    for (const struct shown *at = numbers->latest; at != NULL; at = at->next) {
        if (strcmp(at->room, room) != 0) {
            continue;
        }
        if (replied != NULL && strcmp(at->board, replied) == 0) {
            return at->bond.table;
        }
        if (replied == NULL && found != NULL && strcmp(found->bond.table, at->bond.table) != 0) {
            return NULL; // there are several
        }
        found = replied == NULL && found == NULL ? at : found;
    }
    return found != NULL ? found->bond.table : NULL;
}

static const char *line_of(const struct shown *shown, unsigned number)
{
    return shown != NULL && number > 0 && number <= shown->line_count ? shown->lines[number - 1]
                                                                      : NULL;
}

enum numbers_meaning numbers_mean(struct numbers *numbers, const char *room, unsigned number,
                                  int64_t ms, const char *replied, struct numbers_meant *out)
{
    const char *const table = table_of(numbers, room, replied);
    struct shown *const now = table != NULL ? hand_that_stood(numbers, room, table, ms) : NULL;
    if (now == NULL) {
        return NUMBERS_UNKNOWN;
    }
    const char *const line = line_of(now, number);
    const char *const before =
        line_of(hand_that_stood(numbers, room, table, ms - NUMBERS_DOUBT_MS), number);
    *out = (struct numbers_meant){.bond = now->bond, .line = line, .before = before};
    const bool told = now->doubted_ms >= 0 && ms >= now->doubted_ms + NUMBERS_READ_MS;
    if (before == NULL || told || (line != NULL && strcmp(before, line) == 0)) {
        return line != NULL ? NUMBERS_MEANT : NUMBERS_UNKNOWN;
    }
    for (size_t i = 0; i < now->line_count && out->now == 0; i++) {
        out->now = strcmp(now->lines[i], before) == 0 ? (unsigned)i + 1 : 0;
    }
    now->doubted_ms = now->doubted_ms < 0 ? ms : now->doubted_ms;
    return NUMBERS_DOUBTFUL;
}
