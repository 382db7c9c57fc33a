// Lines that wait, who says them, and what they ask for as far as that can be told without a table.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/hall/hall.h"
#include "bot/hall/live/live.h"
#include "bot/parse/parse.h"

void hall_lines_add(struct hall_lines *lines, struct hall_line *line)
{
    line->next = NULL;
    if (lines->first == NULL) {
        lines->end = &lines->first;
    }
    *lines->end = line;
    lines->end = &line->next;
    lines->count++;
}

struct hall_line *hall_lines_take(struct hall_lines *lines)
{
    struct hall_line *const line = lines->first;
    if (line != NULL) {
        lines->first = line->next;
        lines->count--;
    }
    return line;
}

void hall_line_end(struct hall *hall, struct hall_line *line)
{
    if (line->copy.last == NULL) {
        chat_settle(hall->chats[line->chat], line->in);
    }
    mb_pool_finish(&line->copy);
    free(line->tour);
    free(line->last);
    free(line);
}

void hall_line_set_words(struct hall *hall, struct hall_line *line, const char *words)
{
    const char *rest = words;
    const bool elsewhere = hall_at_number(words, &rest) > 0; // "at 2 kick": a table's by its number
    struct table_words seen;
    struct request request = {0};
    struct parse_error error = {0};
    const bool read = table_words(hall->nowhere, 0, hall->workspace, NO_SEAT, &seen) &&
                      parse_request(&seen, rest, &request, &error);
    line->words = words;
    line->kind = read && !elsewhere ? request.kind : REQUEST_GAME;
    line->begins = read ? verb_of_kind(request.kind) : NULL;
    if (line->begins == NULL) {
        line->begins = verb_of_line(!read && error.verb != NULL ? error.verb : rest);
    }
    line->optioned = read && request.kind == REQUEST_NEW && request.text[0] != '\0';
}

struct person hall_speaker(const struct hall *hall, const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    return (struct person){.network = chat_name(hall->chats[line->chat]),
                           .id = in->person,
                           .name = in->name[0] != '\0' ? in->name : in->person,
                           .moderates = in->moderator && !in->direct && !line->strays};
}

enum { AT_DIGITS_MAX = 2 };

unsigned hall_at_number(const char *line, const char **rest)
{
    line += strspn(line, " ");
    if (strncasecmp(line, "at ", 3) != 0) {
        return 0;
    }
    line += 3 + strspn(line + 3, " #");
    const size_t digits = strspn(line, "0123456789");
    if (digits == 0 || digits > AT_DIGITS_MAX || (line[digits] != '\0' && line[digits] != ' ')) {
        return 0;
    }
    *rest = line + digits + strspn(line + digits, " ");
    return (unsigned)strtoul(line, NULL, 10);
}
