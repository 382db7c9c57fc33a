// What its host can change at a table that has not begun: a page that says how it stands, and one
// for each kind of option, whose menu says in a sentence what each of them is. What is picked there
// leads back to the first.
#include <stdio.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/table/panel/panel.h"

enum { SEATS_LEAST = 2, WORDS_SIZE = 512, TIME_SIZE = 64 };

static const char VERB[] = "new ";

// A choice, said as `new` with these words.
static void add(struct panel *out, const char *label, const char *words, const char *hint)
{
    char line[CHAT_LINE_SIZE];
    const int length = snprintf(line, sizeof line, "%s%s", VERB, words);
    if (length > 0 && (size_t)length < sizeof line) {
        controls_choice(&out->controls, label, line, "");
        controls_hint(&out->controls, hint);
    }
}

static void add_text(struct panel *out, const char *words, enum text_id id,
                     const struct text_arg *args)
{
    char hint[WORDS_SIZE];
    struct text_out text;
    text_begin(&text, hint, sizeof hint);
    text_put(&text, id, args);
    add(out, strchr(words, '=') + 1, words, hint);
}

/* The pages. */

static void add_presets(const struct table_work *work, struct panel *out)
{
    (void)work;
#define PRESET(id, name, variants, flags)                                                          \
    add(out, #name, "preset=sheet preset=" #name, text_sentence(TEXT_PRESET_##id));
#include "bot/text/presets.def"
#undef PRESET
    add(out, "sheet", "preset=sheet", text_sentence(TEXT_PRESET_SHEET));
}

// Each set alone, and each beside those that are chosen.
static void add_sets(const struct table_work *work, struct panel *out)
{
    const struct catalog *const all = library_all(work->ws->library);
    const struct table_options *const options = &work->table->options;
    for (size_t i = 0; i < catalog_set_count(all); i++) {
        const struct catalog_set *const set = catalog_set(all, (uint8_t)i);
        char words[WORDS_SIZE];
        char sets[WORDS_SIZE] = "";
        bool chosen = false;
        for (unsigned j = 0; j < options->set_count; j++) {
            const char *const id = catalog_set(work->catalog, options->sets[j])->id;
            const size_t length = strlen(sets);
            (void)snprintf(sets + length, sizeof sets - length, "%s,", id);
            chosen = chosen || strcmp(id, set->id) == 0;
        }
        if (!set->complete) {
            continue;
        }
        const struct text_arg *const args = TEXT_ARGS(
            text_str("what", set->name), text_num("n", set->doors), text_num("m", set->treasures));
        (void)snprintf(words, sizeof words, "sets=%.64s", set->id);
        add_text(out, words, TEXT_OPTION_SET, args);
        (void)snprintf(words, sizeof words, "sets=%.400s%.64s", sets, set->id);
        if (!chosen) {
            add_text(out, words, TEXT_OPTION_SET_TOO, args);
        }
    }
}

static void add_seats(const struct table_work *work, struct panel *out)
{
    const struct table *const table = work->table;
    const unsigned least = (unsigned)table->profile.constant[PROFILE_SEATS_MIN];
    const unsigned from = least > table->seat_count ? least : table->seat_count;
    for (unsigned seats = from > SEATS_LEAST ? from : SEATS_LEAST; seats <= MB_SEATS_MAX; seats++) {
        char words[TIME_SIZE];
        (void)snprintf(words, sizeof words, "players=%u", seats);
        add_text(out, words, TEXT_OPTION_SEATS,
                 TEXT_ARGS(text_num("n", seats), text_num("m", table->seat_count)));
    }
}

static void add_pace(const struct table_work *work, struct panel *out)
{
    (void)work;
    for (unsigned pace = 0; pace < PACE_TOTAL; pace++) {
        const int64_t *const clock_ms = pace_lengths(pace)->clock_ms;
        char words[TIME_SIZE];
        char turn[TIME_SIZE];
        char window[TIME_SIZE];
        text_time_words(turn, sizeof turn, clock_ms[CLOCK_TURN]);
        text_time_words(window, sizeof window, clock_ms[CLOCK_WINDOW]);
        (void)snprintf(words, sizeof words, "pace=%s", table_options_pace_name(pace));
        if (pace != PACE_TERMINAL) {
            add_text(out, words, TEXT_OPTION_PACE,
                     TEXT_ARGS(text_str("what", turn), text_str("other", window)));
        }
    }
}

static void add_turn(const struct table_work *work, struct panel *out)
{
    static const char *const TIMES[] = {"1m", "3m", "10m", "1h", "12h", "1d", "3d"};
    char usual[TIME_SIZE];
    for (size_t i = 0; i < sizeof TIMES / sizeof TIMES[0]; i++) {
        char words[TIME_SIZE];
        (void)snprintf(words, sizeof words, "turn=%s", TIMES[i]);
        add_text(out, words, TEXT_OPTION_TURN, NULL);
    }
    text_time_words(usual, sizeof usual,
                    pace_lengths(work->table->options.pace)->clock_ms[CLOCK_TURN]);
    add_text(out, "turn=usual", TEXT_OPTION_TURN_USUAL, TEXT_ARGS(text_str("what", usual)));
}

static void add_quiet(const struct table_work *work, struct panel *out)
{
    static const char *const HOURS[] = {"22-8", "23-7", "23-9", "0-8", "1-10"};
    (void)work;
    for (size_t i = 0; i < sizeof HOURS / sizeof HOURS[0]; i++) {
        char words[TIME_SIZE];
        (void)snprintf(words, sizeof words, "quiet=%s", HOURS[i]);
        add_text(out, words, TEXT_OPTION_QUIET, NULL);
    }
    add_text(out, "quiet=off", TEXT_OPTION_QUIET_OFF, NULL);
}

static void add_zone(const struct table_work *work, struct panel *out)
{
    enum { WEST = -10, EAST = 13 };
    (void)work;
    for (int zone = WEST; zone <= EAST; zone++) {
        char words[TIME_SIZE];
        (void)snprintf(words, sizeof words, "zone=%+d", zone);
        add_text(out, words, TEXT_OPTION_ZONE, TEXT_ARGS(text_num("n", (12 + zone + 24) % 24)));
    }
}

// Every rule of the house as it could be otherwise.
static void add_rules(const struct table_work *work, struct panel *out)
{
    const struct profile *const profile = &work->table->profile;
    const bool epic = work->table->options.epic;
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        char words[WORDS_SIZE];
        (void)snprintf(words, sizeof words, "flag=%s%s", profile_flag_name(i),
                       profile->flag[i] ? "=off" : "");
        add(out, words + strlen("flag="), words,
            text_sentence(render_house_rule(i, !profile->flag[i])));
    }
    add_text(out, epic ? "variant=epic=off" : "variant=epic",
             epic ? TEXT_OPTION_EPIC_OFF : TEXT_PRESET_MARATHON, NULL);
}

static const struct {
    enum text_id label, hint;
    void (*add)(const struct table_work *work, struct panel *out);
} PAGES[] = {
    {TEXT_OPTIONS_PRESETS, TEXT_OPTIONS_PRESETS_HINT, add_presets},
    {TEXT_OPTIONS_SETS, TEXT_OPTIONS_SETS_HINT, add_sets},
    {TEXT_OPTIONS_SEATS, TEXT_OPTIONS_SEATS_HINT, add_seats},
    {TEXT_OPTIONS_PACE, TEXT_OPTIONS_PACE_HINT, add_pace},
    {TEXT_OPTIONS_TURN, TEXT_OPTIONS_TURN_HINT, add_turn},
    {TEXT_OPTIONS_QUIET, TEXT_OPTIONS_QUIET_HINT, add_quiet},
    {TEXT_OPTIONS_ZONE, TEXT_OPTIONS_ZONE_HINT, add_zone},
    {TEXT_OPTIONS_RULES, TEXT_OPTIONS_RULES_HINT, add_rules},
};
enum { PAGE_COUNT = sizeof PAGES / sizeof PAGES[0] };

static void add_pages(struct panel *out)
{
    for (unsigned i = 0; i < PAGE_COUNT; i++) {
        const struct panel_path path = {.root = 'o', .step_count = 1, .steps = {(uint16_t)i}};
        char leads[CHAT_PATH_SIZE];
        (void)panel_path_write(&path, leads);
        controls_choice(&out->controls, text_sentence(PAGES[i].label), "", leads);
        controls_hint(&out->controls, text_sentence(PAGES[i].hint));
    }
}

void panel_show_options(struct table_work *work, unsigned seat, const struct panel_path *path,
                        struct panel *out)
{
    char words[WORDS_SIZE];
    const struct table *const table = work->table;
    const bool root = path->step_count == 0;
    out->offered = root || (path->step_count == 1 && path->steps[0] < PAGE_COUNT && !path->picks &&
                            path->page == 0 && seat == table->host);
    if (!out->offered) {
        return;
    }
    if (root) {
        (void)!table_options_format(&table->options, work->catalog, words, sizeof words);
        (void)table_card(work, 0, work->ws->text, sizeof work->ws->text);
        panel_text(work, TEXT_PANEL_OPTIONS, TEXT_ARGS(text_str("what", words)));
        if (seat != table->host) {
            panel_text(work, TEXT_PANEL_OPTIONS_HOST, NULL);
            return;
        }
    }
    if (root) {
        controls_menu(&out->controls, text_sentence(TEXT_PANEL_MENU_OPTIONS), 1, 1);
        add_pages(out);
        controls_form(&out->controls, text_sentence(TEXT_CONTROL_OPTIONS_TYPE), CHAT_FORM_OPTIONS);
    } else {
        panel_text(work, PAGES[path->steps[0]].hint, NULL);
        controls_menu(&out->controls, text_sentence(PAGES[path->steps[0]].label), 1, 1);
        PAGES[path->steps[0]].add(work, out);
        controls_lead(&out->controls, text_sentence(TEXT_CONTROL_BACK), "o");
    }
}
