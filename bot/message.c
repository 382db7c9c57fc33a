#include "bot/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

struct said *said_hold(struct said *said)
{
    said->holders++;
    return said;
}

void said_drop(struct said *said)
{
    if (said != NULL && --said->holders == 0) {
        mb_pool_finish(&said->words);
        free(said);
    }
}

struct mb_pool *message_words(struct message_list *list)
{
    list->said = list->said != NULL ? list->said : said_hold(mb_new(1, sizeof *list->said));
    return &list->said->words;
}

void message_add(struct message_list *list, enum message_to to, unsigned seat, const char *text)
{
    list->items = mb_grow_for(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] =
        (struct message){.to = to, .seat = seat, .text = mb_pool_text(message_words(list), text)};
}

void message_retell(struct message_list *list, struct message *message, const char *text)
{
    message->text = mb_pool_text(message_words(list), text);
}

void message_add_refusal(struct message_list *list, unsigned seat, const char *text,
                         const struct refusal *why)
{
    message_add(list, MESSAGE_REPLY, seat, text);
    list->items[list->count - 1].refusal = *why;
}

void message_ping(struct message_list *list, unsigned seats)
{
    if (list->count > 0) {
        list->items[list->count - 1].pings = seats;
    }
}

void message_prompt(struct message_list *list, const char *line)
{
    if (list->count > 0) {
        char *const prompt = list->items[list->count - 1].prompt;
        (void)snprintf(prompt, CHAT_PROMPT_SIZE, "%s", line);
    }
}

void message_control(struct message_list *list, const struct chat_control *controls, size_t count)
{
    if (list->count > 0 && count > 0) {
        struct message *const message = &list->items[list->count - 1];
        message->controls = chat_controls_copy(message_words(list), controls, count);
        message->control_count = count;
    }
}

// Appends the text of `from` to `to`.
static void append_text(struct message_list *list, struct message *to, const struct message *from)
{
    const size_t length = strlen(to->text);
    const size_t more = strlen(from->text);
    char *const both = mb_pool_new(message_words(list), length + more + 1, 1);
    memcpy(both, to->text, length);
    memcpy(both + length, from->text, more);
    to->text = both;
    to->pings |= from->pings;
}

void message_list_gather(struct message_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct message *const one = &list->items[i];
        size_t earlier = 0;
        const bool alone = one->to != MESSAGE_TABLE && one->to != MESSAGE_PRIVATE;
        while (earlier < kept && (alone || list->items[earlier].to != one->to ||
                                  list->items[earlier].seat != one->seat)) {
            earlier++;
        }
        if (earlier < kept) {
            append_text(list, &list->items[earlier], one);
        } else {
            list->items[kept++] = *one;
        }
    }
    list->count = kept;
}

void message_list_clear(struct message_list *list)
{
    said_drop(list->said);
    list->said = NULL;
    list->count = 0;
}

void message_list_finish(struct message_list *list)
{
    message_list_clear(list);
    free(list->items);
    *list = (struct message_list){0};
}
