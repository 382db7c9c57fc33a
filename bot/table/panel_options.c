// What its host can change at a table that has not begun, one thing a press; the rest is typed.
#include <stdio.h>

#include "bot/render/render.h"
#include "bot/table/panel_impl.h"

enum { SEATS_LEAST = 2, WORDS_SIZE = 512 };

static void add(struct panel *out, const char *key, const char *value)
{
    static const char VERB[] = "new ";
    char line[CHAT_LINE_SIZE];
    const int length = snprintf(line, sizeof line, "%s%s=%s", VERB, key, value);
    if (length > 0 && (size_t)length < sizeof line) {
        controls_choice(&out->controls, line + sizeof VERB - 1, line, "");
    }
}

static void add_all(const struct table_work *work, struct panel *out)
{
    const struct table *const table = work->table;
    const struct catalog *const all = library_all(work->ws->library);
    const unsigned least = (unsigned)table->profile.constant[PROFILE_SEATS_MIN];
    const unsigned from = least > table->seat_count ? least : table->seat_count;
    for (unsigned seats = from; seats <= MB_SEATS_MAX; seats++) {
        const char digit[] = {(char)('0' + seats), '\0'};
        if (seats >= SEATS_LEAST && seats != table->options.seats) {
            add(out, "players", digit);
        }
    }
    for (unsigned pace = 0; pace < PACE_TOTAL; pace++) {
        if (pace != PACE_TERMINAL && pace != table->options.pace) {
            add(out, "pace", table_options_pace_name(pace));
        }
    }
    for (size_t i = 0; i < catalog_set_count(all); i++) {
        const struct catalog_set *const set = catalog_set(all, (uint8_t)i);
        if (set->complete) {
            add(out, "sets", set->id);
        }
    }
}

void panel_show_options(struct table_work *work, unsigned seat, struct panel *out)
{
    char words[WORDS_SIZE];
    const struct table *const table = work->table;
    (void)!table_options_format(&table->options, work->catalog, words, sizeof words);
    panel_text(work, TEXT_PANEL_OPTIONS, TEXT_ARGS(text_str("what", words)));
    if (seat != table->host) {
        panel_text(work, TEXT_PANEL_OPTIONS_HOST, NULL);
        return;
    }
    controls_menu(&out->controls, text_sentence(TEXT_PANEL_MENU_OPTIONS), 1, 1);
    add_all(work, out);
    controls_form(&out->controls, text_sentence(TEXT_CONTROL_OPTIONS_TYPE), CHAT_FORM_OPTIONS);
}
