#include "adapters/matrix/listen/blurted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/parse/parse.h"
#include "bot/parse/verb.h"

enum { LINES_MAX = 64, TOLD_MAX = 256 };

struct said {
    char room[CHAT_ID_SIZE], person[CHAT_ID_SIZE], event[CHAT_ID_SIZE];
};

struct blurted {
    struct said lines[LINES_MAX]; // rings
    struct said told[TOLD_MAX];   // without events
    size_t line_at, told_at;
};

struct blurted *blurted_create(void)
{
    return mb_new(1, sizeof(struct blurted));
}

void blurted_destroy(struct blurted *blurted)
{
    free(blurted);
}

static void put(struct said *said, const char *room, const char *person, const char *event)
{
    (void)snprintf(said->room, sizeof said->room, "%s", room);
    (void)snprintf(said->person, sizeof said->person, "%s", person);
    (void)snprintf(said->event, sizeof said->event, "%s", event);
}

void blurted_said(struct blurted *blurted, const char *room, const char *person, const char *event,
                  const char *line)
{
    const struct verb_entry *const verb = verb_of_line(line);
    if (verb != NULL && verb->kind == REQUEST_GAME && verb->verb == VERB_PLAY) {
        put(&blurted->lines[blurted->line_at], room, person, event);
        blurted->line_at = (blurted->line_at + 1) % LINES_MAX;
    }
    for (size_t i = 0; verb != NULL && verb->kind == REQUEST_NEW && i < TOLD_MAX; i++) {
        if (strcmp(blurted->told[i].room, room) == 0) {
            put(&blurted->told[i], "", "", "");
        }
    }
}

// Whether a refusal for that reason lets all know that the card is theirs.
static bool shows(unsigned code)
{
    static const uint8_t SILENT[] = {
        REFUSAL_NONE,     REFUSAL_UNKNOWN_COMMAND, REFUSAL_NO_SUCH_CARD, REFUSAL_NOT_IN_HAND,
        REFUSAL_NO_TABLE, REFUSAL_NOT_AT_TABLE,    REFUSAL_GAME_OVER};
    return memchr(SILENT, (int)code, sizeof SILENT) == NULL;
}

static bool was_told(const struct blurted *blurted, const struct said *line)
{
    for (size_t i = 0; i < TOLD_MAX; i++) {
        if (strcmp(blurted->told[i].room, line->room) == 0 &&
            strcmp(blurted->told[i].person, line->person) == 0) {
            return true;
        }
    }
    return false;
}

bool blurted_refused(struct blurted *blurted, const char *event, unsigned code)
{
    for (size_t i = 0; i < LINES_MAX; i++) {
        struct said *const line = &blurted->lines[i];
        if (line->event[0] == '\0' || strcmp(line->event, event) != 0) {
            continue;
        }
        const bool tells = shows(code) && !was_told(blurted, line);
        if (tells) {
            put(&blurted->told[blurted->told_at], line->room, line->person, "");
            blurted->told_at = (blurted->told_at + 1) % TOLD_MAX;
        }
        line->event[0] = '\0';
        return tells;
    }
    return false;
}
