/*
 * Controls beside a board, as components; and which control was pressed.
 *
 * Buttons stand in rows of five; what would take more than two rows is one menu. What Discord keeps
 * with a control ("custom_id", at most 100 bytes) names the table, the board, its version and the
 * question that was open; the control's number stands behind it, or is what was picked. Everybody
 * can send any of it: what it may do is found out by bot/hall. Reference: Discord, sections 4.5
 * and 5.2.
 */
#ifndef ADAPTERS_DISCORD_CONTROLS_H
#define ADAPTERS_DISCORD_CONTROLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "bot/chat.h"

enum { CONTROLS_ROW = 5, CONTROLS_BUTTONS_MAX = 10, CONTROLS_ID_SIZE = 101 };

/** Rows of components, an array; the caller's. Of no controls it is empty. NULL without memory. */
json_t *controls_rows(const struct chat_bond *bond, const struct chat_control *controls,
                      size_t count);
/** What an interaction's `data` says was pressed: bond and number. False: it is none of ours. */
bool controls_pressed(const json_t *data, struct chat_bond *bond, uint16_t *number);

#endif
