#include "bot/hall/story.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"
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

// Takes out what is set in below a line: what a card jokes.
static void drop_jokes(char *text)
{
    char *to = text;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        const size_t whole = length + (text[length] != '\0' ? 1 : 0);
        if (text[0] != ' ') {
            memmove(to, text, whole);
            to += whole;
        }
        text += whole;
    }
    *to = '\0';
}

char *story_fit(const char *story, const char *told, size_t lines)
{
    if (text_phone_lines(story) <= lines) {
        return mb_text(story);
    }
    const char *const earlier = text_sentence(TEXT_HALL_EARLIER);
    const char *const news = chat_untold(story, told);
    const size_t before = (size_t)(news - story);
    const size_t head = strlen(earlier) + sizeof "  "; // set in as jokes are
    char *const out = mb_new(head + strlen(story) + 1, 1);
    char *const rest = out + head;
    memcpy(rest, story, before);
    rest[before] = '\0';
    drop_jokes(rest);
    const size_t facts = strlen(rest);
    memcpy(rest + facts, news, strlen(news) + 1);
    if (text_phone_lines(rest) <= lines) {
        memmove(out, rest, strlen(rest) + 1);
        return out;
    }
    const char *from = text_phone_end(rest, lines - 1);
    if (from > rest + facts) {
        drop_jokes(rest + facts);
        from = text_phone_end(rest, lines - 1);
    }
    (void)stpcpy(stpcpy(out, "  "), earlier);
    out[head - 1] = '\n';
    memmove(rest, from, strlen(from) + 1);
    return out;
}

char *story_with(const char *story, const char *narration)
{
    const size_t before = story != NULL ? strlen(story) : 0;
    const size_t length = strlen(narration);
    char *const all = mb_new(before + length + 1, 1);
    memcpy(all, story != NULL ? story : "", before);
    memcpy(all + before, narration, length + 1);
    const char *const from = latest(all);
    memmove(all, from, strlen(from) + 1);
    return all;
}
