#include "bot/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

void message_add(struct message_list *list, enum message_to to, unsigned seat, const char *text)
{
    list->items = mb_grow_for(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] =
        (struct message){.to = to, .seat = seat, .text = mb_pool_text(&list->words, text)};
}

void message_retell(struct message_list *list, struct message *message, const char *text)
{
    message->text = mb_pool_text(&list->words, text);
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
        message->controls = chat_controls_copy(&list->words, controls, count);
        message->control_count = count;
    }
}

// Appends the text of `from` to `to`.
static void join(struct message_list *list, struct message *to, const struct message *from)
{
    const size_t length = strlen(to->text);
    const size_t more = strlen(from->text);
    char *const both = mb_pool_new(&list->words, length + more + 1, 1);
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
            join(list, &list->items[earlier], one);
        } else {
            list->items[kept++] = *one;
        }
    }
    list->count = kept;
}

void message_list_clear(struct message_list *list)
{
    mb_pool_finish(&list->words);
    list->count = 0;
}

void message_list_finish(struct message_list *list)
{
    message_list_clear(list);
    free(list->items);
    *list = (struct message_list){0};
}
