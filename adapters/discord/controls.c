#include "adapters/discord/controls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

#include "adapters/discord/markup.h"

enum {
    ROW = 1,
    BUTTON = 2,
    MENU = 3,
    PRIMARY = 1,
    SECONDARY = 2,
    LABEL_MAX = 38,
    CHOICE_MAX = 100,
    WORD_SIZE = 512,
    DECIMAL = 10
};

static const char HEAD[] = "m1";

// "m1:table:c42:7:", and a number or "s" of a menu behind it.
static void write_id(const struct chat_bond *bond, const char *which, char out[CONTROLS_ID_SIZE])
{
    (void)snprintf(out, CONTROLS_ID_SIZE, "%s:%s:%c%" PRIu32 ":%u:%s", HEAD, bond->table,
                   bond->on == CHAT_ON_HAND ? 'h' : 'c', bond->version, (unsigned)bond->decision,
                   which);
}

static json_t *button(const struct chat_bond *bond, const struct chat_control *control,
                      size_t number)
{
    char id[CONTROLS_ID_SIZE];
    char label[WORD_SIZE];
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%zu", number);
    write_id(bond, digits, id);
    markup_plain(control->label, LABEL_MAX, label, sizeof label);
    return json_pack("{s:i, s:i, s:s, s:s}", "type", BUTTON, "style",
                     number == 1 ? PRIMARY : SECONDARY, "label", label, "custom_id", id);
}

static json_t *row_of(json_t *components)
{
    return json_pack("{s:i, s:o}", "type", ROW, "components", components);
}

static json_t *menu(const struct chat_bond *bond, const struct chat_control *controls, size_t count)
{
    char id[CONTROLS_ID_SIZE];
    json_t *const options = json_array();
    write_id(bond, "s", id);
    for (size_t i = 0; i < count; i++) {
        char label[WORD_SIZE];
        char digits[24];
        (void)snprintf(digits, sizeof digits, "%zu", i + 1);
        markup_plain(controls[i].label, CHOICE_MAX, label, sizeof label);
        (void)json_array_append_new(options,
                                    json_pack("{s:s, s:s}", "label", label, "value", digits));
    }
    return json_pack("[{s:i, s:s, s:s, s:o}]", "type", MENU, "custom_id", id, "placeholder",
                     text_sentence(TEXT_CONTROL_MENU), "options", options);
}

json_t *controls_rows(const struct chat_bond *bond, const struct chat_control *controls,
                      size_t count)
{
    json_t *const rows = json_array();
    // A hand's are lines of their own length: they are read in a menu only.
    if (count > CONTROLS_BUTTONS_MAX || (count > 0 && bond->on == CHAT_ON_HAND)) {
        (void)json_array_append_new(rows, row_of(menu(bond, controls, count)));
        return rows;
    }
    for (size_t from = 0; from < count; from += CONTROLS_ROW) {
        json_t *const buttons = json_array();
        for (size_t i = from; i < count && i < from + CONTROLS_ROW; i++) {
            (void)json_array_append_new(buttons, button(bond, &controls[i], i + 1));
        }
        (void)json_array_append_new(rows, row_of(buttons));
    }
    return rows;
}

/* Back again. */

// A number up to `most` and the byte behind it; moves on. False: there is none.
static bool take_number(const char **at, unsigned long most, char stop, unsigned long *out)
{
    char *end = NULL;
    if (**at < '0' || **at > '9') {
        return false;
    }
    *out = strtoul(*at, &end, DECIMAL);
    if (*out > most || *end != stop) {
        return false;
    }
    *at = end + (stop != '\0' ? 1 : 0);
    return true;
}

static bool read_id(const char *id, struct chat_bond *bond, const char **which)
{
    unsigned long version = 0;
    unsigned long decision = 0;
    const size_t head = strlen(HEAD);
    if (strncmp(id, HEAD, head) != 0 || id[head] != ':') {
        return false;
    }
    const char *at = id + head + 1;
    const size_t length = strcspn(at, ":");
    if (length == 0 || length >= sizeof bond->table || at[length] != ':') {
        return false;
    }
    *bond = (struct chat_bond){.table = ""};
    memcpy(bond->table, at, length);
    at += length + 1;
    bond->on = *at == 'h' ? CHAT_ON_HAND : CHAT_ON_CARD;
    if ((*at != 'h' && *at != 'c') || (at++, !take_number(&at, UINT32_MAX, ':', &version)) ||
        !take_number(&at, UINT16_MAX, ':', &decision)) {
        return false;
    }
    bond->version = (uint32_t)version;
    bond->decision = (uint16_t)decision;
    *which = at;
    return true;
}

bool controls_pressed(const json_t *data, struct chat_bond *bond, uint16_t *number)
{
    const char *const id = json_string_value(json_object_get(data, "custom_id"));
    const char *which = NULL;
    unsigned long value = 0;
    if (id == NULL || !read_id(id, bond, &which)) {
        return false;
    }
    if (strcmp(which, "s") == 0) {
        which = json_string_value(json_array_get(json_object_get(data, "values"), 0));
    }
    if (which == NULL || !take_number(&which, UINT16_MAX, '\0', &value) || value == 0) {
        return false;
    }
    *number = (uint16_t)value;
    return true;
}
