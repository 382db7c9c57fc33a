/*
 * Fuzzes what people call themselves: any bytes as the shown names of everybody at a table.
 *
 * The first byte picks the table, the second who types, the rest are names, each ended by a zero.
 * Whatever they are: each makes one line of plain letters within its limits; no two at a table are
 * alike; and what the bot writes for a person in a command means that person and nobody else, be
 * the name a key word or a card's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/codec/normal.h"
#include "core/loop/query.h"

#include "bot/parse/parse.h"
#include "bot/table/person_name.h"
#include "bot/tools/solo.h"

#include "tests/fuzz/fuzz.h"

enum {
    TABLES = 12,
    SHOWN_SIZE = 16384,
    WORDS_SIZE = 8192,
    TYPED_SIZE = 4 * PERSON_NAME_SIZE,
    SAMPLES_MAX = 24, // commands about people, of one seat
    AT_ONCE = 6,      // of them for one input; the second byte says from which on
    ACCENTS_MAX = 4,  // on one letter, of any script
};

// What tables are for: each third is left at a moment of one kind.
enum { MOMENT_ANY, MOMENT_TARGET, MOMENT_ASK, MOMENTS };

// What a seat may do that names somebody: found once, whoever sits there.
struct samples {
    bool found;
    unsigned count;
    struct command items[SAMPLES_MAX];
};

static struct solo *session;
static struct game *tables[TABLES];
static struct samples samples[TABLES][MB_SEATS_MAX];

static void close_all(void)
{
    solo_destroy(session);
    for (unsigned i = 0; i < TABLES; i++) {
        free(tables[i]);
    }
}

static const struct box *box_of(unsigned table)
{
    return fuzz_box(table % 4 == 3);
}

// Whether somebody at the table may do what the table is for.
static bool is_the_moment(const struct game *game, unsigned table)
{
    for (unsigned seat = 0; seat < query_seat_count(game); seat++) {
        const struct move_list *const moves = fuzz_moves(game, box_of(table), seat);
        for (uint32_t i = 0; i < moves->count; i++) {
            const struct command *const command = &moves->items[i].command;
            if (table % MOMENTS == MOMENT_TARGET ? command->target_kind == TARGET_SEAT
                                                 : command->verb == VERB_ASK) {
                return true;
            }
        }
    }
    return false;
}

// A game on the way, left where the first such moment comes.
static void play_on(struct game *game, unsigned table)
{
    enum { GAMES = 8, STEPS = 150 };
    for (unsigned n = 0; n < GAMES * STEPS && table % MOMENTS != MOMENT_ANY; n++) {
        if (n % STEPS == 0) {
            fuzz_game(game, box_of(table), 3 + table % 4, 24, table + TABLES * n);
        }
        if (is_the_moment(game, table)) {
            return;
        }
        fuzz_play(game, box_of(table), 1, n);
    }
}

// Made when first wanted: all at once would be one slow input.
static const struct game *table_of(unsigned i)
{
    if (session == NULL) {
        session = solo_create(fuzz_catalog());
        (void)atexit(close_all);
    }
    if (tables[i] == NULL) {
        tables[i] = calloc(1, game_size());
        if (tables[i] == NULL) {
            fuzz_fail("not enough memory");
        }
        fuzz_game(tables[i], box_of(i), 3 + i % 4, i * 24, i + 1);
        play_on(tables[i], i);
    }
    return tables[i];
}

static bool within(uint32_t code, const uint32_t (*ranges)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

// By Unicode's own lists: format characters that show nothing, what turns text around, what is
// drawn as nothing, what will never be a character.
static bool is_unseen(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {0, 0x1F},           {0x7F, 0xA0},       {0xAD, 0xAD},       {0x34F, 0x34F},
        {0x61C, 0x61C},      {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x2000, 0x200F},    {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800},
        {0x3000, 0x3000},    {0x3164, 0x3164},   {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},
        {0xFE00, 0xFE0F},    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFF},
        {0x16FE4, 0x16FE4},  {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A},
        {0xE0000, 0x10FFFF},
    };
    return within(code, RANGES, sizeof RANGES / sizeof RANGES[0]) || (code & 0xFFFE) == 0xFFFE;
}

// Accents of every script that can be piled on one letter without end.
static bool is_accent(uint32_t code)
{
    static const uint32_t RANGES[][2] = {
        {0x300, 0x36F},     {0x483, 0x489},     {0x591, 0x5BD},     {0x5BF, 0x5BF},
        {0x5C1, 0x5C2},     {0x5C4, 0x5C5},     {0x5C7, 0x5C7},     {0x610, 0x61A},
        {0x64B, 0x65F},     {0x670, 0x670},     {0x6D6, 0x6DC},     {0x6DF, 0x6E4},
        {0x6E7, 0x6E8},     {0x6EA, 0x6ED},     {0x730, 0x74A},     {0x7EB, 0x7F3},
        {0x816, 0x819},     {0x81B, 0x823},     {0x825, 0x827},     {0x829, 0x82D},
        {0x859, 0x85B},     {0x898, 0x89F},     {0x8CA, 0x8E1},     {0x8E3, 0x902},
        {0x951, 0x957},     {0xE31, 0xE31},     {0xE34, 0xE3A},     {0xE47, 0xE4E},
        {0xEB1, 0xEB1},     {0xEB4, 0xEBC},     {0xEC8, 0xECE},     {0xF18, 0xF19},
        {0x135D, 0x135F},   {0x1AB0, 0x1AFF},   {0x1CD0, 0x1CD2},   {0x1CD4, 0x1CE8},
        {0x1DC0, 0x1DFF},   {0x20D0, 0x20FF},   {0x2CEF, 0x2CF1},   {0x2DE0, 0x2DFF},
        {0x302A, 0x302D},   {0x3099, 0x309A},   {0xA66F, 0xA672},   {0xA674, 0xA67D},
        {0xA8E0, 0xA8F1},   {0xFB1E, 0xFB1E},   {0xFE20, 0xFE2F},   {0x1D165, 0x1D169},
        {0x1D16D, 0x1D172}, {0x1D17B, 0x1D182}, {0x1D185, 0x1D18B}, {0x1D1AA, 0x1D1AD},
        {0x1E000, 0x1E02A}, {0x1E8D0, 0x1E8D6}, {0xF71, 0xF84},     {0xF8D, 0xFBC},
    };
    return within(code, RANGES, sizeof RANGES / sizeof RANGES[0]);
}

// What markup or the grammar reads. An apostrophe is part of names.
static bool is_sign(uint32_t code)
{
    static const uint32_t SIGNS[] = {0xAB,   0xBB,   0x201C, 0x201D, 0x201E, 0x201F,
                                     0x3001, 0xFF0C, 0xFF1A, 0xFF03, 0xFF20};
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0]; i++) {
        if (code == SIGNS[i]) {
            return true;
        }
    }
    return code < 0x80 && strchr("\"`*_~|<>[](){}#@,:;/\\^=$%", (int)code) != NULL;
}

// The text is whole UTF-8: fuzz_check_text() has said so.
static uint32_t read_letter(const char **at)
{
    const unsigned char lead = (unsigned char)*(*at)++;
    uint32_t code = lead < 0x80 ? lead : lead < 0xE0 ? lead & 0x1F : lead & (lead < 0xF0 ? 0xF : 7);
    while (((unsigned char)**at & 0xC0u) == 0x80) {
        code = code << 6 | ((unsigned char)*(*at)++ & 0x3Fu);
    }
    return code;
}

static void check_name(const char *name)
{
    unsigned letters = 0;
    unsigned accents = 0;
    if (memchr(name, '\0', PERSON_NAME_SIZE) == NULL || name[0] == '\0') {
        fuzz_fail("an empty name, or one without end");
    }
    fuzz_check_text(name);
    uint32_t before = ' ';
    for (const char *at = name; *at != '\0';) {
        const uint32_t code = read_letter(&at);
        if (is_unseen(code) || is_sign(code) || (code == ' ' && before == ' ')) {
            fuzz_fail("U+%04X in the name \"%s\"", (unsigned)code, name);
        }
        accents = is_accent(code) ? accents + 1 : 0;
        letters += is_accent(code) ? 0 : 1;
        if (accents > ACCENTS_MAX) {
            fuzz_fail("a tower of accents in the name \"%s\"", name);
        }
        before = code;
    }
    if (before == ' ' || letters == 0 || letters > PERSON_NAME_LETTERS) {
        fuzz_fail("%u letters, or a blank at the end: \"%s\"", letters, name);
    }
    char again[PERSON_NAME_SIZE];
    person_name_make(name, again);
    if (strcmp(again, name) != 0) {
        fuzz_fail("the name \"%s\" becomes \"%s\"", name, again);
    }
}

static void check_apart(const char *one, const char *other)
{
    char normal[2][NORMAL_MAX];
    (void)normal_form(one, strlen(one), normal[0], sizeof normal[0]);
    (void)normal_form(other, strlen(other), normal[1], sizeof normal[1]);
    if (strcmp(normal[0], normal[1]) == 0 || person_name_alike(one, other)) {
        fuzz_fail("nobody can tell \"%s\" from \"%s\"", one, other);
    }
}

// As people come to a table, one after the other.
static void make_names(const uint8_t *data, size_t size, unsigned seats,
                       char names[MB_SEATS_MAX][PERSON_NAME_SIZE], const char **taken)
{
    static char shown[SHOWN_SIZE];
    size_t at = 0;
    for (unsigned seat = 0; seat < seats; seat++) {
        size_t length = 0;
        for (; at < size && data[at] != '\0'; at++) {
            if (length + 1 < sizeof shown) {
                shown[length++] = (char)data[at];
            }
        }
        at += at < size ? 1 : 0;
        shown[length] = '\0';
        person_name_make(shown, names[seat]);
        check_name(names[seat]);
        person_name_unique(names[seat], taken, seat, names[seat]);
        check_name(names[seat]);
        for (unsigned other = 0; other < seat; other++) {
            check_apart(names[seat], names[other]);
        }
        taken[seat] = names[seat];
    }
}

// What a line is read as; fails if it is refused.
static const struct request *read_line(const struct table_words *words, const char *line)
{
    static struct request request;
    struct parse_error error = {0};
    if (!parse_request(words, line, &request, &error)) {
        fuzz_fail("not understood (%s, \"%s\": %s): %s", refusal_name(error.why.code), error.words,
                  error.expected, line);
    }
    return &request;
}

static void check_line(const struct table_words *words, unsigned seat, const char *format,
                       const char *typed)
{
    char line[TYPED_SIZE + PERSON_NAME_SIZE];
    (void)snprintf(line, sizeof line, "%s%s", format, typed);
    const struct request *const read = read_line(words, line);
    const unsigned found = read->kind == REQUEST_GAME ? read->command.to : read->player;
    if (found != seat) {
        fuzz_fail("seat %u instead of %u: %s", found, seat, line);
    }
}

static void check_person(const struct table_words *words, unsigned seat)
{
    char typed[TYPED_SIZE];
    char text[TYPED_SIZE + PERSON_NAME_SIZE];
    (void)snprintf(text, sizeof text, "#%u", seat + 1);
    check_line(words, seat, "ask ", text);
    parse_format_player(words, seat, typed, sizeof typed);
    fuzz_check_text(typed);
    check_line(words, seat, "stats ", typed);
    check_line(words, seat, "show hand to ", typed);
    (void)snprintf(text, sizeof text, "ask %s offering 1 treasure", typed);
    const struct command *const ask = &read_line(words, text)->command;
    if (ask->to != seat || ask->n != 1 || ask->list_count != 0) {
        fuzz_fail("not seat %u for a Treasure: %s", seat, text);
    }
}

static bool same_list(const uint16_t *a, const uint16_t *b, unsigned count,
                      const struct table_words *words)
{
    for (unsigned i = 0; i < count; i++) { // copies of a card may stand for each other
        if (a[i] != b[i] && (a[i] >= words->box->card_count || b[i] >= words->box->card_count ||
                             words->box->card_def[a[i]] != words->box->card_def[b[i]])) {
            return false;
        }
    }
    return true;
}

// Whom a command names, and what it is about, comes back from the bot's own words.
static void check_command(const struct table_words *words, const struct command *command)
{
    static char line[WORDS_SIZE];
    if (parse_format(words, command, line, sizeof line) >= sizeof line) {
        fuzz_fail("no end of words for verb %u", command->verb);
    }
    fuzz_check_text(line);
    const struct request *const read = read_line(words, line);
    const struct command *const back = &read->command;
    if (read->kind != REQUEST_GAME || back->verb != command->verb || back->to != command->to ||
        back->bribe != command->bribe || (command->bribe != 0 && back->about != command->about)) {
        fuzz_fail("to %u about %u, not %u and %u: %s", back->to, back->about, command->to,
                  command->about, line);
    }
    if (back->target_kind != command->target_kind ||
        (command->target_kind == TARGET_SEAT && back->target != command->target)) {
        fuzz_fail("at %u of kind %u instead of %u: %s", back->target, back->target_kind,
                  command->target, line);
    }
    if (back->list_count != command->list_count ||
        !same_list(back->list, command->list, back->list_count, words)) {
        fuzz_fail("not what was listed: %s", line);
    }
}

static bool names_somebody(const struct command *command)
{
    return command->to < MB_SEATS_MAX || command->bribe != 0 || command->target_kind == TARGET_SEAT;
}

static const struct samples *samples_of(unsigned table, unsigned seat)
{
    struct samples *const all = &samples[table][seat];
    if (all->found) {
        return all;
    }
    all->found = true;
    uint8_t bytes[32];
    struct mb_rng rng;
    mb_rng_seed_u64(bytes, table * MB_SEATS_MAX + seat);
    mb_rng_init(&rng, bytes);
    struct move_list *const moves = fuzz_moves(tables[table], box_of(table), seat);
    unsigned verbs[VERB_TOTAL] = {0};
    for (uint32_t i = 0; i < moves->count && all->count < SAMPLES_MAX; i++) {
        struct command *const command = &all->items[all->count];
        move_sample(tables[table], box_of(table), &moves->items[i], &rng, command);
        command->seat = (uint8_t)seat;
        if (names_somebody(command) && verbs[command->verb]++ < MB_SEATS_MAX) {
            all->count++;
        }
    }
    return all;
}

// What the table says with these names in it is clean.
static void check_said(const char *line, unsigned seat)
{
    struct message_list *const said = solo_outbox(session);
    (void)solo_line(session, seat, line, NULL);
    for (size_t i = 0; i < said->count; i++) {
        fuzz_check_text(said->items[i].text);
    }
    message_list_clear(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char names[MB_SEATS_MAX][PERSON_NAME_SIZE];
    const char *taken[MB_SEATS_MAX] = {0};
    if (size < 2) {
        return 0;
    }
    const unsigned table = data[0] % TABLES;
    const struct game *const game = table_of(table);
    const unsigned seats = query_seat_count(game);
    const unsigned seat = data[1] % seats;
    make_names(data + 2, size - 2, seats, names, taken);
    solo_adopt(session, box_of(table), game, taken, PACE_LIVE);
    struct table_words words;
    solo_words(session, seat, &words);
    check_said("status", seat);
    for (unsigned who = 0; who < seats; who++) {
        if (strcmp(words.players[who], names[who]) != 0) {
            fuzz_fail("\"%s\" is called \"%s\" at the table", names[who], words.players[who]);
        }
        check_person(&words, who);
    }
    const struct samples *const all = samples_of(table, seat);
    for (unsigned i = 0; i < all->count && i < AT_ONCE; i++) {
        check_command(&words, &all->items[(data[1] / seats + i) % all->count]);
    }
    return 0;
}
