#include "bot/hall/story.h"

#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

// From where on the latest lines stand; what is too long even so begins within a line.
static const char *latest(const char *text)
{
    const char *from = text + strlen(text);
    const char *const end = from;
    unsigned lines = 0;
    while (from > text) {
        const char *line = from - 1; // its end
        while (line > text && line[-1] != '\n') {
            line--;
        }
        if (++lines > STORY_LINES || end - line >= STORY_SIZE) {
            break;
        }
        from = line;
    }
    return from;
}

char *story_with(const char *story, const char *narration)
{
    const size_t before = story != NULL ? strlen(story) : 0;
    const size_t length = strlen(narration);
    char *const all = malloc(before + length + 1);
    if (all == NULL) {
        return NULL;
    }
    memcpy(all, story != NULL ? story : "", before);
    memcpy(all + before, narration, length + 1);
    const char *const from = latest(all);
    memmove(all, from, strlen(from) + 1);
    return all;
}
