// What a chat can show of a text: cut with a sentence that says where the rest is, or, of answers
// that nothing keeps, in parts.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/hall_impl.h"
#include "bot/hall/story.h"

static enum text_id why(enum chat_kind kind)
{
    switch (kind) {
    case CHAT_NARRATION:
        return TEXT_HALL_EARLIER;
    case CHAT_CARD:
        return TEXT_HALL_MORE_CARD;
    case CHAT_HAND:
        return TEXT_HALL_MORE_HAND;
    case CHAT_WHISPER:
    case CHAT_ROOM:
    case CHAT_REPLY:
    case CHAT_FORGET:
    case CHAT_SEEK:
        break;
    }
    return TEXT_HALL_MORE;
}

char *hall_cut(const struct chat *chat, enum chat_kind kind, const char *text)
{
    const size_t max = chat != NULL ? chat_text_max(chat, kind) : 0;
    if (max == 0 || strlen(text) <= max) {
        return NULL;
    }
    char *const out = mb_new(max + 1, 1);
    (void)text_cut(text, max, kind == CHAT_NARRATION ? TEXT_TAIL : TEXT_HEAD,
                   text_sentence(why(kind)), out);
    return out;
}

char *hall_cut_story(const struct chat_out *words, const char *told)
{
    enum { LEAST = 3 }; // of the story, whatever else there is
    const size_t room = text_phone_room(words->prompt != NULL ? words->prompt : "", words->text);
    return words->story != NULL ? story_fit(words->story, told, room > LEAST ? room : LEAST) : NULL;
}

static void post_one(struct hall *hall, struct chat *chat, const struct chat_out *out)
{
    struct chat_out numbered = *out;
    struct mb_error err = {0};
    numbered.key = hall_number(hall);
    if (chat_send(chat, &numbered, &err)) {
        hall->stats.sent++;
    } else {
        hall->stats.undeliverable++;
    }
}

void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out)
{
    const size_t max = chat_text_max(chat, out->kind);
    if (max == 0 || strlen(out->text) <= max) {
        post_one(hall, chat, out);
        return;
    }
    char *const page = mb_new(max + 1, 1);
    struct chat_out part = *out;
    part.text = page;
    for (const char *at = out->text; *at != '\0';) {
        at += text_page(at, max, page);
        post_one(hall, chat, &part);
    }
    free(page);
}
