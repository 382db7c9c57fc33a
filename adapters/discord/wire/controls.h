/*
 * Controls below a message, as components; and which control was pressed.
 *
 * Menus stand above buttons, which stand in rows of five. What Discord keeps with a control
 * ("custom_id", at most 100 bytes) names the table, what the control stands on, its version, the
 * question that was open, the control's number and the page that it stands on, or that it opens;
 * what was picked comes beside it. Everybody can send any of it: what it may do is found out by
 * bot/hall. A form needs no more than that to be shown. Reference: Discord, sections 4.5 and 5.
 */
#ifndef ADAPTERS_DISCORD_WIRE_CONTROLS_H
#define ADAPTERS_DISCORD_WIRE_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "bot/chat.h"

enum { CONTROLS_ROW = 5, CONTROLS_ID_SIZE = 101 };

/** Rows of components of a message's controls, an array; the caller's. Of no controls it is empty.
 */
json_t *controls_rows(const struct chat_out *out);

/** A control that was pressed; `path` is in it. */
struct controls_press {
    struct chat_bond bond; /**< on CHAT_ON_FORM: a form is to be shown, or was filled in */
    enum chat_form form;
    uint16_t number;
    uint8_t pick_count, picks[CHAT_CHOICES_MAX];
    char path[CHAT_PATH_SIZE];
};

/** What an interaction's `data` says was pressed, or filled in. False: it is none of ours. */
bool controls_pressed(const json_t *data, struct controls_press *out);
/** The form that a control asks for, as an answer's data. */
json_t *controls_show_form(const struct controls_press *press);
/** What was written into a form; "" if nothing was. Borrowed. */
const char *controls_written(const json_t *data);

#endif
