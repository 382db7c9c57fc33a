#include "adapters/discord/wire/controls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/text/text.h"

#include "adapters/discord/wire/markup.h"

enum {
    ROW = 1,
    BUTTON = 2,
    MENU = 3,
    INPUT = 4,
    LABEL = 18,
    PRIMARY = 1,
    SECONDARY = 2,
    DANGER = 4,
    SHORT = 1,
    LABEL_MAX = 38,
    CHOICE_MAX = 100,
    HINT_MAX = 150,
    TITLE_MAX = 45,
    WRITTEN_MAX = 400,
    WORD_SIZE = 512,
    NUMBER_SIZE = 16,
    BASE = 36
};

static const char HEAD[] = "m1";
static const char FIELD[] = "line";

// On what a control stands: by its place in enum chat_control_on.
static const char ON[] = "-chpf";

_Static_assert(sizeof HEAD + CHAT_TABLE_SIZE - 1 + 2 + 7 + 1 + 4 + 1 + 2 + 1 + CHAT_PATH_SIZE - 1 <
                   CONTROLS_ID_SIZE,
               "the longest id is kept whole");

/* Out. */

static void digits_of(unsigned long number, char out[NUMBER_SIZE])
{
    char back[NUMBER_SIZE];
    size_t count = 0;
    do {
        back[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % BASE];
        number /= BASE;
    } while (number > 0);
    for (size_t i = 0; i < count; i++) {
        out[i] = back[count - 1 - i];
    }
    out[count] = '\0';
}

// "m1:table:c1z:7:3:path".
static void write_id(const struct chat_bond *bond, unsigned on, unsigned number, const char *path,
                     char out[CONTROLS_ID_SIZE])
{
    char version[NUMBER_SIZE];
    char decision[NUMBER_SIZE];
    char which[NUMBER_SIZE];
    digits_of(bond->version, version);
    digits_of(bond->decision, decision);
    digits_of(number, which);
    (void)snprintf(out, CONTROLS_ID_SIZE, "%s:%s:%c%s:%s:%s:%s", HEAD, bond->table, ON[on], version,
                   decision, which, path);
}

static void id_of(const struct chat_out *out, size_t index, char id[CONTROLS_ID_SIZE])
{
    const struct chat_control *const control = &out->controls[index];
    if (control->kind == CHAT_FORM) { // which it is must be told twice: an id stands there once
        char path[NUMBER_SIZE];
        digits_of(index, path);
        write_id(&out->bond, CHAT_ON_FORM, control->form, path, id);
    } else if (control->opens[0] != '\0') {
        write_id(&out->bond, out->bond.on, 0, control->opens, id);
    } else {
        write_id(&out->bond, out->bond.on, (unsigned)index + 1, out->path != NULL ? out->path : "",
                 id);
    }
}

static json_t *button(const struct chat_out *out, size_t index)
{
    static const int STYLES[] = {
        [CHAT_PLAIN] = SECONDARY, [CHAT_LIKELY] = PRIMARY, [CHAT_DANGER] = DANGER};
    char id[CONTROLS_ID_SIZE];
    char label[WORD_SIZE];
    id_of(out, index, id);
    markup_plain(out->controls[index].label, LABEL_MAX, label, sizeof label);
    return json_pack("{s:i, s:i, s:s, s:s}", "type", BUTTON, "style",
                     STYLES[out->controls[index].tone], "label", label, "custom_id", id);
}

static json_t *menu(const struct chat_out *out, size_t index)
{
    const struct chat_control *const control = &out->controls[index];
    char id[CONTROLS_ID_SIZE];
    char hint[4 * HINT_MAX + 1];
    json_t *const options = json_array();
    id_of(out, index, id);
    for (size_t i = 0; i < control->choice_count; i++) {
        char label[WORD_SIZE];
        char digits[NUMBER_SIZE];
        digits_of(i + 1, digits);
        markup_plain(control->choices[i].label, CHOICE_MAX, label, sizeof label);
        json_t *const option = json_pack("{s:s, s:s}", "label", label, "value", digits);
        if (control->choices[i].hint[0] != '\0') {
            markup_plain(control->choices[i].hint, CHOICE_MAX, label, sizeof label);
            (void)json_object_set_new(option, "description", json_string(label));
        }
        (void)json_array_append_new(options, option);
    }
    markup_plain(control->label, HINT_MAX, hint, sizeof hint);
    return json_pack("[{s:i, s:s, s:s, s:i, s:i, s:o}]", "type", MENU, "custom_id", id,
                     "placeholder", hint, "min_values", (int)control->min, "max_values",
                     (int)control->max, "options", options);
}

static json_t *row_of(json_t *components)
{
    return json_pack("{s:i, s:o}", "type", ROW, "components", components);
}

json_t *controls_rows(const struct chat_out *out)
{
    json_t *const rows = json_array();
    json_t *buttons = NULL;
    for (size_t i = 0; i < out->control_count; i++) {
        if (out->controls[i].kind == CHAT_MENU && out->controls[i].choice_count > 0) {
            (void)json_array_append_new(rows, row_of(menu(out, i)));
        }
    }
    for (size_t i = 0; i < out->control_count; i++) {
        if (out->controls[i].kind == CHAT_MENU) {
            continue;
        }
        if (buttons == NULL || json_array_size(buttons) == CONTROLS_ROW) {
            buttons = json_array();
            (void)json_array_append_new(rows, row_of(buttons));
        }
        (void)json_array_append_new(buttons, button(out, i));
    }
    return rows;
}

json_t *controls_show_form(const struct controls_press *press)
{
    const struct form_words words = form_words(press->form);
    char id[CONTROLS_ID_SIZE];
    char title[4 * TITLE_MAX + 1];
    char label[4 * TITLE_MAX + 1];
    char hint[4 * CHOICE_MAX + 1];
    write_id(&press->bond, CHAT_ON_FORM, press->form, press->path, id);
    markup_plain(words.title, TITLE_MAX, title, sizeof title);
    markup_plain(words.label, TITLE_MAX, label, sizeof label);
    markup_plain(words.hint, CHOICE_MAX, hint, sizeof hint);
    return json_pack("{s:s, s:s, s:[{s:i, s:s, s:{s:i, s:s, s:i, s:s, s:i, s:i}}]}", "custom_id",
                     id, "title", title, "components", "type", LABEL, "label", label, "component",
                     "type", INPUT, "custom_id", FIELD, "style", SHORT, "placeholder", hint,
                     "min_length", 1, "max_length", WRITTEN_MAX);
}

/* Back again. */

// A number up to `most` and the byte behind it; moves on. False: there is none.
static bool take_number(const char **at, unsigned long most, char stop, unsigned long *out)
{
    char *end = NULL;
    const bool digit = (**at >= '0' && **at <= '9') || (**at >= 'a' && **at <= 'z');
    if (!digit) {
        return false;
    }
    *out = strtoul(*at, &end, BASE);
    if (*out > most || *end != stop) {
        return false;
    }
    *at = end + (stop != '\0' ? 1 : 0);
    return true;
}

static bool read_id(const char *id, struct controls_press *out)
{
    unsigned long version = 0;
    unsigned long decision = 0;
    unsigned long number = 0;
    const size_t head = strlen(HEAD);
    if (strncmp(id, HEAD, head) != 0 || id[head] != ':') {
        return false;
    }
    const char *at = id + head + 1;
    const size_t length = strcspn(at, ":");
    if (length == 0 || length >= sizeof out->bond.table || at[length] != ':') {
        return false;
    }
    memcpy(out->bond.table, at, length);
    at += length + 1;
    const char *const on = *at != '\0' && *at != ON[0] ? strchr(ON, *at++) : NULL;
    if (on == NULL || !take_number(&at, UINT32_MAX, ':', &version) ||
        !take_number(&at, UINT16_MAX, ':', &decision) ||
        !take_number(&at, UINT16_MAX, ':', &number) || strlen(at) >= sizeof out->path) {
        return false;
    }
    out->bond.on = (uint8_t)(on - ON);
    out->bond.version = (uint32_t)version;
    out->bond.decision = (uint16_t)decision;
    out->number = (uint16_t)number;
    (void)snprintf(out->path, sizeof out->path, "%s", at);
    if (out->bond.on != CHAT_ON_FORM) {
        return number > 0 || at[0] != '\0';
    }
    out->form = (enum chat_form)number;
    out->number = 0;
    return number < CHAT_FORM_TOTAL;
}

bool controls_pressed(const json_t *data, struct controls_press *out)
{
    const char *const id = json_string_value(json_object_get(data, "custom_id"));
    const json_t *const values = json_object_get(data, "values");
    *out = (struct controls_press){.number = 0};
    if (id == NULL || !read_id(id, out) || json_array_size(values) > CHAT_CHOICES_MAX) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        const char *value = json_string_value(json_array_get(values, i));
        unsigned long number = 0;
        if (value == NULL || !take_number(&value, CHAT_CHOICES_MAX, '\0', &number)) {
            return false;
        }
        out->picks[out->pick_count++] = (uint8_t)number;
    }
    return true;
}

const char *controls_written(const json_t *data)
{
    const json_t *const field = json_array_get(json_object_get(data, "components"), 0);
    const char *const value =
        json_string_value(json_object_get(json_object_get(field, "component"), "value"));
    return value != NULL ? value : "";
}
