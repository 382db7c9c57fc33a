#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>

#include "bot/text/text.h"

#include "tests/support/test.h"

static const char *const IDS[] = {
#define TEXT(id, sentence) #id,
#include "bot/text/text.en.def"
#undef TEXT
};

struct put_case {
    const char *name;
    enum text_id id;
    const struct text_arg *args;
    const char *wanted;
};

#define ARGS(...)     ((const struct text_arg[]){__VA_ARGS__, {NULL, NULL, 0}})
#define S(key, value) {key, value, 0}
#define N(key, value) {key, NULL, value}

static const struct put_case PUTS[] = {
    {"a_chat_stands_between_marks", TEXT_LINK_NONE, NULL,
     "This table is in one \x04"
     "chat\x17 only."},
    {"one_is_singular", TEXT_SOME_CARDS, ARGS(N("n", 1)), "1 card"},
    {"two_are_plural", TEXT_SOME_CARDS, ARGS(N("n", 2)), "2 cards"},
    {"none_is_plural", TEXT_SOME_CARDS, ARGS(N("n", 0)), "0 cards"},
    {"thousands_have_commas", TEXT_FIGURE_GOLD, ARGS(N("n", 1234567)), "1,234,567 Gold Pieces"},
    {"hundreds_have_none", TEXT_FIGURE_GOLD, ARGS(N("n", 600)), "600 Gold Pieces"},
    {"a_loud_name_ends_its_sentence", TEXT_MOVE_PLAYED, ARGS(S("who", "Ann"), S("cards", "Cheat!")),
     "Ann plays Cheat!"},
    {"and_nothing_else_shouts_after_it", TEXT_KICKED_DISCARDED,
     ARGS(S("who", "Ann"), S("cards", "Cheat!")),
     "Ann opens no door, but takes the card on top of the Door discards: Cheat!"},
    {"a_quiet_name_does_not", TEXT_MOVE_PLAYED, ARGS(S("who", "Ann"), S("cards", "Elf")),
     "Ann plays Elf."},
    {"signs_are_shown_up", TEXT_FIGURE_BONUS, ARGS(N("n", 3)), "+3"},
    {"signs_are_shown_down", TEXT_FIGURE_BONUS, ARGS(N("n", -2)), "-2"},
    {"a_name_gets_its_s", TEXT_WHERE_HAND, ARGS(S("who", "Ann")), "in Ann's hand"},
    {"a_hissing_name_gets_none", TEXT_WHERE_HAND, ARGS(S("who", "Jess")), "in Jess' hand"},
    {"a_sentence_begins_with_a_capital", TEXT_NOTE_NO_EFFECT, ARGS(S("card", "a card"), N("c", 1)),
     "A card does nothing."},
    {"a_plural_name_has_the_verb_of_many", TEXT_NOTE_MONSTER_LEAVES,
     ARGS(S("card", "Banshees"), N("c", 2)), "Banshees leave the fight."},
    {"a_name_is_no_format", TEXT_WHERE_TABLE, ARGS(S("who", "%s%n{who}")), "in front of %s%n{who}"},
    {"a_name_cannot_move_the_cursor", TEXT_WHERE_TABLE, ARGS(S("who", "A\033[2J\r\nB")),
     "in front of A?[2J??B"},
    {"direction_marks_are_stopped", TEXT_WHERE_TABLE,
     ARGS(S("who", "A\xE2\x80\xAE"
                   "B")),
     "in front of A?B"},
    {"c1_controls_are_stopped", TEXT_WHERE_TABLE,
     ARGS(S("who", "A\xC2\x9B"
                   "B")),
     "in front of A?B"},
    {"broken_utf8_is_one_sign", TEXT_WHERE_TABLE, ARGS(S("who", "A\xE2\x80")), "in front of A?"},
    {"a_mark_does_not_hide_the_first_letter", TEXT_NOTE_NO_EFFECT,
     ARGS(S("card", "\x10"
                    "a card\x17"),
          N("c", 1)),
     "\x10"
     "A card\x17 does nothing."},
    {"a_mark_does_not_hide_the_last_letter", TEXT_WHERE_HAND, ARGS(S("who", "\x13Jess\x17")),
     "in \x13Jess\x17' hand"},
    {"letters_of_any_script_pass", TEXT_WHERE_TABLE, ARGS(S("who", "Zo\xC3\xAB \xF0\x9F\x90\x89")),
     "in front of Zo\xC3\xAB \xF0\x9F\x90\x89"},
};

static void test_put(void **state)
{
    const struct put_case *const row = *state;
    char text[128];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_put(&out, row->id, row->args);
    assert_string_equal(text, row->wanted);
    assert_int_equal(out.length, strlen(row->wanted));
}

static void a_text_is_cut_at_whole_characters(void **state)
{
    (void)state;
    static const char NAME[] = "a\xC3\xABo\xE2\x82\xAC\xF0\x9F\x90\x89z";
    for (size_t size = 1; size <= sizeof NAME; size++) {
        char text[sizeof NAME + 1];
        memset(text, 'x', sizeof text);
        struct text_out out;
        text_begin(&out, text, size);
        text_value(&out, NAME);
        assert_int_equal(out.length, sizeof NAME - 1);
        assert_true(strlen(text) < size);
        for (size_t at = 0; text[at] != '\0';) {
            const size_t character = text_character(text + at);
            assert_true(character > 0);
            at += character;
        }
        assert_int_equal(out.full, size < sizeof NAME);
    }
}

static void a_text_without_room_is_only_measured(void **state)
{
    (void)state;
    struct text_out out;
    text_begin(&out, NULL, 0);
    text_put(&out, TEXT_SOME_CARDS, TEXT_ARGS(text_num("n", 2)));
    assert_int_equal(out.length, strlen("2 cards"));
}

// The ways of a sentence come in turn, each whole and with its values.
static void a_sentence_is_said_in_turn(void **state)
{
    (void)state;
    const char *const sentence = text_sentence(TEXT_NOTE_GIVES_UP);
    unsigned ways = 1;
    for (const char *at = sentence; (at = strstr(at, " || ")) != NULL; at++) {
        ways++;
    }
    assert_true(ways > 2);
    char said[8][128];
    assert_true(ways < 8);
    for (unsigned turn = 0; turn <= ways; turn++) {
        struct text_out out;
        text_begin(&out, said[turn], sizeof said[turn]);
        out.turn = turn;
        text_put(&out, TEXT_NOTE_GIVES_UP,
                 TEXT_ARGS(text_str("who", "Ann"), text_str("his", "her")));
        assert_int_equal(strncmp(said[turn], "Ann ", 4), 0);
        assert_null(strchr(said[turn], '|'));
        assert_int_equal(said[turn][strlen(said[turn]) - 1], '.');
        for (unsigned other = 0; other < turn && turn < ways; other++) {
            assert_string_not_equal(said[turn], said[other]);
        }
    }
    assert_string_equal(said[ways], said[0]);
}

static void lists_are_joined(void **state)
{
    (void)state;
    static const char *const ITEMS[] = {"A", "B", "C"};
    static const char *const WANTED[] = {"", "A", "A and B", "A, B and C"};
    for (size_t count = 0; count <= 3; count++) {
        char text[32];
        struct text_out out;
        text_begin(&out, text, sizeof text);
        text_list(&out, ITEMS, count, TEXT_AND);
        assert_string_equal(text, WANTED[count]);
    }
}

static void long_lines_are_broken_and_indented(void **state)
{
    (void)state;
    char text[128];
    struct text_out out;
    text_begin(&out, text, sizeof text);
    text_wrap(&out, "  one two three\nfour five six\n", 10, 3);
    assert_string_equal(text, "  one two\n     three\nfour five\n   six\n");
    text_begin(&out, text, sizeof text);
    text_wrap(&out, "\xC3\xAB\xC3\xAB\xC3\xAB \xC3\xAB\xC3\xAB\xC3\xAB", 7, 0);
    assert_string_equal(text, "\xC3\xAB\xC3\xAB\xC3\xAB \xC3\xAB\xC3\xAB\xC3\xAB");
    text_begin(&out, text, sizeof text);
    text_wrap(&out, "> one two three\n  one two three\n", 10, 2);
    assert_string_equal(text, "> one two\n    three\n  one two\n    three\n");
    text_begin(&out, text, sizeof text);
    text_wrap(&out, "unbreakable", 8, 2);
    assert_string_equal(text, "unbreaka\n  ble");
    text_begin(&out, text, sizeof text);
    text_wrap(&out,
              "\x10"
              "one\x17 \x02two\x17",
              7, 0);
    assert_string_equal(text, "\x10"
                              "one\x17 \x02two\x17");
}

static void wide_characters_and_marks_are_counted(void **state)
{
    (void)state;
    static const char TEXT[] = "\x10"
                               "a\xCC\x81\xE7\x8C\xAB\xF0\x9F\x90\x89\x17";
    assert_int_equal(text_columns(TEXT, strlen(TEXT)), 5);
    assert_int_equal(text_columns("abc", 2), 2);
}

static void what_people_type_holds_no_marks(void **state)
{
    (void)state;
    char text[16];
    text_clean("A\x10"
               "B\x17\033[2J\n",
               text, sizeof text);
    assert_string_equal(text, "A?B??[2J?");
    text_clean("\xC3\xAB\xC3\xAB\xC3", text, 5);
    assert_string_equal(text, "\xC3\xAB\xC3\xAB");
    text_clean("\xC3\xAB\xC3\xAB", text, 4);
    assert_string_equal(text, "\xC3\xAB");
    for (int byte = 1; byte < 256; byte++) {
        const char raw[] = {'x', (char)byte, 'y', '\0'};
        text_clean(raw, text, sizeof text);
        assert_true(!text_is_mark((char)byte) || text[1] == '?');
    }
}

static void marks_come_out(void **state)
{
    (void)state;
    char text[] = "\x02-- \x13"
                  "Ann\x17 --\x17\n";
    text_strip(text);
    assert_string_equal(text, "-- Ann --\n");
}

// What follows one character or place; NULL if it is wrong.
static const char *step(const char *at)
{
    struct text_place place;
    if (*at == '{') {
        return at[1] == '{' ? at + 2 : text_place_read(at, &place);
    }
    return *at == '}' || *at == '\n' ? NULL : at + 1;
}

static void every_sentence_is_well_formed(void **state)
{
    (void)state;
    for (unsigned id = 0; id < TEXT_TOTAL; id++) {
        const char *at = text_sentence((enum text_id)id);
        while (at != NULL && *at != '\0') {
            at = step(at);
        }
        if (at == NULL) {
            fail_msg("%s: a stray brace or line end, or a place that cannot be read", IDS[id]);
        }
    }
}

/* The sources: what values are handed to which sentence. */

enum { SOURCE_SIZE = 65536, NAME_SIZE = 64 };

static const char *const SOURCES[] = {"bot/*.c", "bot/*/*.c", "bot/*/*/*.c", "adapters/*/*.c",
                                      "adapters/*/*/*.c"};
static bool used[TEXT_TOTAL];

static unsigned id_find(const char *name, size_t length)
{
    for (unsigned id = 0; id < TEXT_TOTAL; id++) {
        if (strlen(IDS[id]) == length && strncmp(IDS[id], name, length) == 0) {
            return id;
        }
    }
    return TEXT_TOTAL;
}

// {chat} fills itself in.
static bool is_chat(const struct text_place *place)
{
    return place->name_length == strlen("chat") &&
           strncmp(place->name, "chat", strlen("chat")) == 0;
}

static bool wants_values(const char *at)
{
    struct text_place place;
    while ((at = strchr(at, '{')) != NULL) {
        at = text_place_read(at, &place);
        assert_non_null(at);
        if (!is_chat(&place)) {
            return true;
        }
    }
    return false;
}

static bool given(const char *args, const char *end, const struct text_place *place)
{
    char str[NAME_SIZE];
    char num[NAME_SIZE];
    (void)snprintf(str, sizeof str, "text_str(\"%.*s\"", (int)place->name_length, place->name);
    (void)snprintf(num, sizeof num, "text_num(\"%.*s\"", (int)place->name_length, place->name);
    const char *const a = strstr(args, str);
    const char *const b = strstr(args, num);
    // A plural is made from a number.
    return (b != NULL && b < end) || (a != NULL && a < end && place->one == NULL && !place->sign);
}

static void check_call(const char *file, unsigned id, const char *after)
{
    const char *const end = strchr(after, ';');
    const char *const args = strstr(after, "TEXT_ARGS(");
    const char *at = text_sentence((enum text_id)id);
    if (end == NULL) {
        return;
    }
    const bool listed = args != NULL && args < end;
    if (!listed && strstr(after, "NULL") != NULL && strstr(after, "NULL") < end &&
        wants_values(at)) {
        fail_msg("%s: %s gets no values", file, IDS[id]);
    }
    while (listed && (at = strchr(at, '{')) != NULL) {
        struct text_place place;
        at = text_place_read(at, &place);
        assert_non_null(at);
        if (!is_chat(&place) && !given(args, end, &place)) {
            fail_msg("%s: %s lacks {%.*s}", file, IDS[id], (int)place.name_length, place.name);
        }
    }
}

// Only calls that name their sentence are looked at; tables of sentences are run by other tests.
static bool is_call(const char *source, const char *at)
{
    static const char *const CALLS[] = {"text_put(",         "text_line(",  "render_wrapped(",
                                        "table_reply_text(", "table_tell(", "console_say(",
                                        "complain("};
    const char *line = at;
    while (line > source && line[-1] != ';' && line[-1] != '{' && line[-1] != '}') {
        line--;
    }
    for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
        const char *const call = strstr(line, CALLS[i]);
        if (call != NULL && call < at) {
            return true;
        }
    }
    return false;
}

static void read_source(const char *file, const char *source)
{
    for (const char *at = source; (at = strstr(at, "TEXT_")) != NULL;) {
        const char *const name = at + strlen("TEXT_");
        const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const unsigned id = id_find(name, length);
        if (id < TEXT_TOTAL) {
            used[id] = true;
            if (is_call(source, at)) {
                check_call(file, id, at);
            }
        }
        at = name + length;
    }
}

/* What to do with one source. */
typedef void source_reader(const char *path, const char *source);

static void use_source(const char *path, source_reader *read)
{
    char *const source = malloc(SOURCE_SIZE);
    FILE *const file = fopen(path, "r");
    assert_non_null(source);
    assert_non_null(file);
    const size_t size = fread(source, 1, SOURCE_SIZE, file);
    assert_in_range(size, 1, SOURCE_SIZE - 1);
    source[size] = '\0';
    (void)fclose(file);
    read(path, source);
    free(source);
}

static void each_source(source_reader *read)
{
    glob_t found = {0};
    for (size_t i = 0; i < sizeof SOURCES / sizeof SOURCES[0]; i++) {
        assert_int_equal(glob(SOURCES[i], i == 0 ? 0 : GLOB_APPEND, NULL, &found), 0);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        use_source(found.gl_pathv[i], read);
    }
    globfree(&found);
}

static void every_call_gives_what_its_sentence_wants(void **state)
{
    (void)state;
    each_source(read_source);
}

// Two words with a blank between: what people would read.
static bool is_sentence(const char *text, size_t length)
{
    size_t letters = 0;
    size_t words = 0;
    for (size_t i = 0; i < length; i++) {
        const bool letter =
            (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
        letters = letter ? letters + 1 : 0;
        if (letters == 2) {
            words++;
        } else if (letters == 0 && text[i] != ' ') {
            words = 0;
        }
    }
    return words > 1;
}

// Whether a statement is such a call before the text: what it says is for operators.
static bool stands_before(const char *statement, const char *text, const char *call)
{
    const char *const at = strstr(statement, call);
    return at != NULL && at < text;
}

// Strings of a source outside comments and directives; those handed to mb_fail() or a log, and
// reasons on their way there (`why`), are for operators.
static unsigned sentences_in(const char *path, const char *source)
{
    unsigned found = 0;
    const char *statement = source;
    for (const char *at = source; *at != '\0'; at++) {
        if (strchr(";{}", *at) != NULL) {
            statement = at;
        } else if (strncmp(at, "//", 2) == 0 || *at == '#') {
            at += strcspn(at, "\n") - 1;
        } else if (strncmp(at, "/*", 2) == 0) {
            at = strstr(at, "*/") + 1;
        } else if (*at == '\'') {
            at += at[1] == '\\' ? 3 : 2;
        } else if (*at == '"') {
            const bool wide = at > source && at[-1] == 'L'; // for the line editor's own list
            const char *const text = ++at;
            for (; *at != '"'; at++) {
                at += *at == '\\' ? 1 : 0;
            }
            const bool inner = stands_before(statement, text, "fail(") ||
                               stands_before(statement, text, "log(") ||
                               stands_before(statement, text, "log_line(") ||
                               stands_before(statement, text, "end_for_good(") ||
                               stands_before(statement, text, "vault_end(") ||
                               stands_before(statement, text, "why = ") ||
                               stands_before(statement, text, "assert(");
            if (!inner && !wide && is_sentence(text, (size_t)(at - text))) {
                print_error("%s says \"%.*s\" by itself\n", path, (int)(at - text), text);
                found++;
            }
        }
    }
    return found;
}

// Files that hold the grammar (key words of several words) or statements for a database, or speak
// to operators on a command line.
static bool speaks_grammar(const char *path)
{
    static const char *const FILES[] = {"adapters/discord/cmd_",
                                        "adapters/matrix/account/",
                                        "adapters/service/",
                                        "adapters/store/plan.c",
                                        "adapters/store/postgres/",
                                        "adapters/store/sqlite/",
                                        "bot/cmd/",
                                        "bot/main.c",
                                        "bot/parse/complete.c",
                                        "bot/parse/parse_deal.c",
                                        "bot/parse/parse_format.c",
                                        "bot/parse/parse_game.c",
                                        "bot/parse/parse_find.c",
                                        "bot/parse/parse_lobby.c",
                                        "bot/parse/parse_words.c",
                                        "bot/parse/verb",
                                        "bot/policy/",
                                        "bot/tools/"};
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        if (strncmp(path, FILES[i], strlen(FILES[i])) == 0) {
            return true;
        }
    }
    return false;
}

static unsigned sentences;

static void count_sentences(const char *path, const char *source)
{
    sentences += speaks_grammar(path) ? 0 : sentences_in(path, source);
}

static void no_sentence_stands_outside_the_catalogue(void **state)
{
    (void)state;
    each_source(count_sentences);
    assert_int_equal(sentences, 0);
}

// Sentences that code makes by macros from lists, so that their names stand nowhere.
static const enum text_id BY_LISTS[] = {
#define NOTE(id, name) TEXT_NOTE_##id,
#include "core/state/note.def"
#undef NOTE
#define MOVE_WHY(id, name) TEXT_MOVE_##id,
#include "core/state/move_why.def"
#undef MOVE_WHY
#define REFUSAL(id, name) TEXT_REFUSAL_##id,
#include "core/state/refusal.def"
#undef REFUSAL
#define REFUSED(code, key, rule) TEXT_REFUSED_##code##_##key,
#include "bot/text/refused.def"
#undef REFUSED
#define COMMAND(id, ...) TEXT_HELP_##id,
#include "core/state/command.def"
#undef COMMAND
#define VERB(id, ...) TEXT_HELP_##id,
#include "bot/parse/verb.def"
#undef VERB
#define WORD(id, ...) TEXT_##id,
#include "core/words/kind.def"
#include "core/words/slot.def"
#undef WORD
#define TOPIC(id, group)           TEXT_TOPIC_##id,
#define RULE(topic, id, when, ids) TEXT_RULE_##topic##_##id,
#include "bot/text/rules.def"
#undef RULE
#undef TOPIC
#define FLAG(id, ...) TEXT_HOUSE_##id, TEXT_HOUSE_NO_##id,
#include "core/card/profile_flags.def"
#undef FLAG
#define PRESET(id, ...) TEXT_PRESET_##id,
#include "bot/text/presets.def"
#undef PRESET
#define ASK(kind, rings, about) TEXT_ASK_##kind, TEXT_NOTIFY_##about,
#include "bot/text/asks.def"
#undef ASK
};

static bool by_macro(unsigned id)
{
    for (size_t i = 0; i < sizeof BY_LISTS / sizeof BY_LISTS[0]; i++) {
        if (BY_LISTS[i] == id) {
            return true;
        }
    }
    return strncmp(IDS[id], "BOT_NAME_", strlen("BOT_NAME_")) == 0; // the first one's names
}

static void every_sentence_is_used(void **state)
{
    (void)state;
    unsigned unused = 0;
    for (unsigned id = 0; id < TEXT_TOTAL; id++) {
        if (!used[id] && !by_macro(id)) {
            print_error("nobody says %s\n", IDS[id]);
            unused++;
        }
    }
    assert_int_equal(unused, 0);
}

/* Cutting. */

struct cut_case {
    const char *name, *text;
    enum text_part part;
    size_t max;
    const char *wanted;
};

static const struct cut_case CUTS[] = {
    {"what fits is whole", "one\ntwo\n", TEXT_HEAD, 8, "one\ntwo\n"},
    {"the head ends with a line", "0123456789\n0123456789\n01234567890123456789\n", TEXT_HEAD, 40,
     "0123456789\n0123456789\n(more)\n"},
    {"the tail begins with a line", "0123456789\n0123456789\n01234567890123456789\n", TEXT_TAIL, 40,
     "(more)\n01234567890123456789\n"},
    {"without a line the head ends with a character",
     "0123456\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3"
     "\xA9\xC3\xA9",
     TEXT_HEAD, 24, "0123456\n(more)\n"},
    {"and the tail begins with one",
     "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3"
     "\xA9\x37\x38\x39\x30\x31\x32\x33",
     TEXT_TAIL, 24, "(more)\n7890123"},
    {"a mark that is cut is ended",
     "\x10"
     "0123456789012345678901234567890123456789",
     TEXT_HEAD, 24,
     "\x10"
     "0123456\x17\n(more)\n"},
    {"and one that was cut off does not end",
     "\x10"
     "0123456789012345678901234567\x17"
     "9\n",
     TEXT_TAIL, 24, "(more)\n345679\n"},
};

static void a_text_is_cut(void **state)
{
    const struct cut_case *const it = *state;
    char out[64];
    const size_t length = text_cut(it->text, it->max, it->part, "(more)", out);
    assert_string_equal(out, it->wanted);
    assert_int_equal(length, strlen(out));
    assert_true(length <= it->max);
}

static void pages_are_all_of_a_text(void **state)
{
    enum { PAGE = 40 };
    char text[512];
    char all[512] = "";
    char page[PAGE + 1];
    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        text[i] = (char)(i % 50 == 49 ? '\n' : 'a' + (char)(i % 26));
    }
    text[sizeof text - 1] = '\0';
    for (const char *at = text; *at != '\0';) {
        const size_t taken = text_page(at, PAGE, page);
        assert_true(taken > 0 && strlen(page) <= PAGE);
        (void)strncat(all, page, sizeof all - strlen(all) - 1);
        at += taken;
    }
    assert_string_equal(all, text);
}

int main(void)
{
    enum { PUT_COUNT = sizeof PUTS / sizeof PUTS[0], CUT_COUNT = sizeof CUTS / sizeof CUTS[0] };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_text_is_cut_at_whole_characters),
        cmocka_unit_test(a_text_without_room_is_only_measured),
        cmocka_unit_test(a_sentence_is_said_in_turn),
        cmocka_unit_test(lists_are_joined),
        cmocka_unit_test(long_lines_are_broken_and_indented),
        cmocka_unit_test(wide_characters_and_marks_are_counted),
        cmocka_unit_test(what_people_type_holds_no_marks),
        cmocka_unit_test(marks_come_out),
        cmocka_unit_test(pages_are_all_of_a_text),
        cmocka_unit_test(every_sentence_is_well_formed),
        cmocka_unit_test(every_call_gives_what_its_sentence_wants),
        cmocka_unit_test(no_sentence_stands_outside_the_catalogue),
        cmocka_unit_test(every_sentence_is_used),
    };
    struct CMUnitTest tests[PUT_COUNT];
    for (size_t i = 0; i < PUT_COUNT; i++) {
        tests[i] = (struct CMUnitTest){.name = PUTS[i].name,
                                       .test_func = test_put,
                                       .initial_state = (void *)(uintptr_t)&PUTS[i]};
    }
    struct CMUnitTest cuts[CUT_COUNT];
    for (size_t i = 0; i < CUT_COUNT; i++) {
        cuts[i] = (struct CMUnitTest){.name = CUTS[i].name,
                                      .test_func = a_text_is_cut,
                                      .initial_state = (void *)(uintptr_t)&CUTS[i]};
    }
    const int failed = cmocka_run_group_tests_name("text_put", tests, NULL, NULL) +
                       cmocka_run_group_tests_name("text_cut", cuts, NULL, NULL);
    return failed + cmocka_run_group_tests_name("text", others, NULL, NULL);
}
