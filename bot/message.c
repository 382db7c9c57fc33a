#include "bot/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool message_add(struct message_list *list, enum message_to to, unsigned seat, const char *text)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
        struct message *const items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            list->failed = true;
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    char *const copy = strdup(text);
    if (copy == NULL) {
        list->failed = true;
        return false;
    }
    list->items[list->count++] = (struct message){.to = to, .seat = seat, .text = copy};
    return true;
}

bool message_retell(struct message_list *list, struct message *message, const char *text)
{
    char *const copy = strdup(text);
    if (copy == NULL) {
        list->failed = true;
        return false;
    }
    free(message->text);
    message->text = copy;
    return true;
}

bool message_add_refusal(struct message_list *list, unsigned seat, const char *text,
                         const struct refusal *why)
{
    if (!message_add(list, MESSAGE_REPLY, seat, text)) {
        return false;
    }
    list->items[list->count - 1].refusal = *why;
    return true;
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

bool message_control(struct message_list *list, const struct chat_control *controls, size_t count)
{
    if (list->count == 0 || count == 0) {
        return true;
    }
    void *const room = malloc(chat_controls_size(controls, count));
    if (room == NULL) {
        list->failed = true;
        return false;
    }
    struct message *const message = &list->items[list->count - 1];
    free(message->controls);
    message->controls = chat_controls_copy(room, controls, count);
    message->control_count = count;
    return true;
}

// Appends the text of `from` to `to` and takes it.
static bool join(struct message *to, struct message *from)
{
    const size_t length = strlen(to->text);
    const size_t more = strlen(from->text) + 1;
    char *const text = realloc(to->text, length + more);
    if (text == NULL) {
        return false;
    }
    memcpy(text + length, from->text, more);
    to->text = text;
    to->pings |= from->pings;
    free(from->text);
    from->text = NULL;
    return true;
}

bool message_list_gather(struct message_list *list)
{
    size_t kept = 0;
    bool done = true;
    for (size_t i = 0; i < list->count; i++) {
        struct message *const one = &list->items[i];
        size_t earlier = 0;
        const bool alone = one->to != MESSAGE_TABLE && one->to != MESSAGE_PRIVATE;
        while (earlier < kept && (alone || list->items[earlier].to != one->to ||
                                  list->items[earlier].seat != one->seat)) {
            earlier++;
        }
        if (earlier < kept && join(&list->items[earlier], one)) {
            continue;
        }
        done = done && earlier == kept;
        list->items[kept++] = *one;
    }
    list->count = kept;
    list->failed = list->failed || !done;
    return done;
}

void message_finish(struct message *message)
{
    free(message->text);
    free(message->controls);
    *message = (struct message){.text = NULL};
}

void message_list_clear(struct message_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        message_finish(&list->items[i]);
    }
    list->count = 0;
    list->failed = false;
}

void message_list_finish(struct message_list *list)
{
    message_list_clear(list);
    free(list->items);
    *list = (struct message_list){0};
}
