#include "tests/fuzz/hall_watch.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/coder.h"
#include "core/loop/query.h"

#include "bot/table/table_codec.h"
#include "bot/tools/invariants.h"

#include "tests/fuzz/fuzz.h"

enum {
    DEFS_MAX = 4096,
    TABLES_MAX = 256,
    NAME_LEAST = 10, /* shorter ones are words that are said for other reasons, too */
    HIDDEN_MAX = 64
};

const char *const FUZZ_PLACE[FUZZ_PLACES] = {"tavern", "cellar", "attic"};

// A table by its id: which cards, by definition in the catalog of all, were public at some time.
struct watched {
    char id[TABLE_ID_SIZE];
    uint64_t digest;
    uint32_t bytes; // their sum, as they were in the store
    uint8_t public[DEFS_MAX / 8];
    uint16_t hidden[HIDDEN_MAX];
    unsigned hidden_count;
    unsigned long seen; // the last look at which it was in memory
    unsigned round;     // as of that look
    bool leapt;         // the look before was more than a round earlier
};

static struct watched watched[TABLES_MAX];
static unsigned watched_count;
static unsigned long looks;
static unsigned long heard; // lines that the hall had dealt with at the last look
static bool in_pieces;      // at most one since then: what one line does, none takes back unseen
static uint8_t telling[DEFS_MAX / 8]; // names that stand in no text but for the card itself
static struct library *library;
static struct table_workspace *workspace;
static struct table *stored;
static struct invariants *invariants;
static const struct box *invariants_of;

static bool bit(const uint8_t *bits, unsigned at)
{
    return ((unsigned)bits[at / 8] >> at % 8 & 1u) != 0;
}

static void set_bit(uint8_t *bits, unsigned at)
{
    bits[at / 8] = (uint8_t)(bits[at / 8] | (1u << at % 8));
}

static void close_all(void)
{
    invariants_destroy(invariants);
    free(stored);
    table_workspace_destroy(workspace);
    library_destroy(library);
}

static bool is_telling(const struct catalog *catalog, unsigned def)
{
    const char *const name = catalog_name(catalog, def);
    bool found = strlen(name) < NAME_LEAST || strchr(name, ' ') == NULL;
    for (unsigned i = 0; i < catalog_def_count(catalog) && !found; i++) {
        found = i != def && (strstr(catalog_name(catalog, i), name) != NULL ||
                             strstr(catalog_text(catalog, i), name) != NULL ||
                             strstr(catalog_joke(catalog, i), name) != NULL);
    }
    return !found;
}

void watch_begin(void)
{
    const struct catalog *const catalog = fuzz_catalog();
    watched_count = 0;
    looks = 0;
    heard = 0;
    if (stored != NULL) {
        return;
    }
    library = library_create(catalog);
    workspace = table_workspace_create(library);
    stored = malloc(table_size());
    if (stored == NULL || catalog_def_count(catalog) > DEFS_MAX) {
        fuzz_fail("no memory, or too many cards");
    }
    for (unsigned def = 0; def < catalog_def_count(catalog); def++) {
        if (is_telling(catalog, def)) {
            set_bit(telling, def);
        }
    }
    (void)atexit(close_all);
}

struct library *watch_library(void)
{
    return library;
}

static struct watched *watched_of(const char *id)
{
    for (unsigned i = 0; i < watched_count; i++) {
        if (strcmp(watched[i].id, id) == 0) {
            return &watched[i];
        }
    }
    if (watched_count == TABLES_MAX) {
        fuzz_fail("more tables than lines that open them");
    }
    struct watched *const made = &watched[watched_count++];
    memset(made, 0, sizeof *made);
    memcpy(made->id, id, strlen(id) + 1);
    return made;
}

/* Tables. */

static void complain(void *user, const char *what)
{
    (void)user;
    fuzz_fail("%s", what);
}

const struct box *watch_box(const struct table *table)
{
    struct mb_error err = {0};
    const struct box *const box = table_box(table, workspace, &err);
    if (box == NULL && err.code != MB_OK) {
        fuzz_fail("a table without its cards: %s", err.text);
    }
    return box;
}

// The catalog of all calls a card so whose mix calls it otherwise; searched once for each mix.
static const uint16_t *numbers(const struct mix *mix)
{
    static struct mix of;
    static uint16_t found[DEFS_MAX];
    if (of.count != mix->count || memcmp(of.digests, mix->digests, sizeof of.digests) != 0) {
        of.count = mix->count;
        memcpy(of.digests, mix->digests, sizeof of.digests);
        for (unsigned def = 0; def < catalog_def_count(mix->catalog); def++) {
            found[def] = catalog_find_def(fuzz_catalog(), catalog_name(mix->catalog, def), NO_SET);
        }
    }
    return found;
}

// What is public now was public for ever; what one player alone knows of is to stay with them.
static void look_at_cards(struct watched *table, const struct game *game, const struct box *box)
{
    const uint16_t *const number = numbers(workspace->mix);
    table->hidden_count = 0;
    for (uint16_t card = 0; card < box->card_count; card++) {
        const unsigned knowers = query_knowers(game, card);
        const uint16_t def = number[box->card_def[card]];
        if ((knowers & (knowers - 1)) != 0) {
            set_bit(table->public, def);
        } else if (knowers != 0 && bit(telling, def) && table->hidden_count < HIDDEN_MAX) {
            table->hidden[table->hidden_count++] = def;
        }
    }
}

static void look_at_game(const struct table *table)
{
    const struct game *const game = table_game(table);
    struct watched *const known = watched_of(table_id(table));
    known->seen = looks;
    known->leapt = false;
    const struct box *const box = game != NULL ? watch_box(table) : NULL;
    if (box == NULL || table_state(table) <= TABLE_LOBBY || game_digest(game) == known->digest) {
        return;
    }
    const unsigned round = query_round(game);
    known->leapt = known->digest != 0 && round > known->round + 1;
    known->round = round;
    known->digest = game_digest(game);
    if (box != invariants_of) {
        const struct invariants_sink sink = {.report = complain};
        invariants_destroy(invariants);
        invariants = invariants_create(box, &sink);
        invariants_of = box;
    }
    invariants_state(invariants, game);
    look_at_cards(known, game, box);
}

static void look_at_bytes(struct store *store, const char *id)
{
    struct mb_error err = {0};
    struct watched *const known = watched_of(id);
    const struct store_bytes bytes = memory_store_bytes(store, id);
    const uint32_t sum = bytes.at != NULL ? coder_sum(bytes.at, bytes.size) : 0;
    if (bytes.at == NULL || sum == known->bytes) {
        return;
    }
    known->bytes = sum;
    if (!table_decode(bytes.at, bytes.size, workspace, stored, &err)) {
        fuzz_fail("a table is stored that nobody can read: %s", err.text);
    }
    if (strcmp(table_id(stored), id) != 0) {
        fuzz_fail("table %s is stored as %s", table_id(stored), id);
    }
}

/* Messages. */

static bool is_on_menu(const struct fake_message *message, size_t control, const char *name)
{
    const struct chat_control *const menu = &message->controls[control];
    for (size_t i = 0; i < menu->choice_count; i++) {
        if (strstr(menu->choices[i].label, name) != NULL) {
            return true;
        }
    }
    return false;
}

// Of a table that has played on for rounds, or left memory, within one step it is not known what
// was hidden when that was said: a discarded card may have been drawn once more.
static void look_for_secrets(const struct fake_message *message)
{
    struct watched *const table = watched_of(message->bond.table);
    if (table->seen != looks || table->leapt) {
        return;
    }
    for (unsigned i = 0; i < table->hidden_count; i++) {
        const char *const name = catalog_name(fuzz_catalog(), table->hidden[i]);
        if (bit(table->public, table->hidden[i])) {
            continue;
        }
        if (strstr(message->text, name) != NULL) {
            fuzz_fail("%s is told to everybody: %s", name, message->text);
        }
        for (size_t j = 0; j < message->control_count; j++) {
            if (strstr(message->controls[j].label, name) != NULL || is_on_menu(message, j, name)) {
                fuzz_fail("%s stands on a control that all see", name);
            }
        }
    }
}

static bool says_line(const struct chat_control *control)
{
    return control->line[0] != '\0' && control->leads[0] == '\0' && control->opens[0] == '\0';
}

static void look_at_message(const struct chat *chat, const struct fake_message *message)
{
    const bool private = chat_kind_is_private(message->kind) && message->person[0] != '\0';
    const uint32_t caps = chat_caps(chat);
    fuzz_check_text(message->text);
    if (private && (caps & CHAT_CAP_PRIVATE) == 0) {
        fuzz_fail("a whisper where there is none: %s", message->text);
    }
    if (message->control_count > 0 && (caps & (CHAT_CAP_BUTTONS | CHAT_CAP_NUMBERS)) == 0) {
        fuzz_fail("buttons where there are none: %s", message->text);
    }
    if (message->replaces[0] != '\0' && (caps & CHAT_CAP_EDIT) == 0) {
        fuzz_fail("an edit where there is none: %s", message->text);
    }
    if (message->control_count > CHAT_CONTROLS_MAX) {
        fuzz_fail("%zu buttons", message->control_count);
    }
    for (size_t i = 0; i < message->control_count; i++) {
        fuzz_check_text(message->controls[i].label);
        if (strlen(message->controls[i].label) >= CHAT_LABEL_SIZE ||
            strlen(message->controls[i].line) >= CHAT_LINE_SIZE) {
            fuzz_fail("a button too long: %s", message->controls[i].label);
        }
        const struct chat_control *const control = &message->controls[i];
        if ((caps & CHAT_CAP_BUTTONS) == 0 &&
            (control->kind != CHAT_BUTTON || !says_line(control))) {
            fuzz_fail("what only a chat with buttons can hold: %s", control->label);
        }
        for (size_t j = 0; j < control->choice_count; j++) {
            fuzz_check_text(control->choices[j].label);
        }
    }
    if (in_pieces && !private && message->bond.table[0] != '\0') {
        look_for_secrets(message);
    }
}

void watch_step(struct fuzz_hall *fuzz, bool late)
{
    const unsigned long now = hall_stats(fuzz->hall)->heard;
    looks++;
    in_pieces = !late && now >= heard && now - heard <= 1;
    heard = now;
    for (unsigned i = 0; i < FUZZ_CHATS * FUZZ_PLACES; i++) {
        const struct table *const table =
            hall_table(fuzz->hall, fuzz->chats[i / FUZZ_PLACES].chat, FUZZ_PLACE[i % FUZZ_PLACES]);
        if (table != NULL) {
            look_at_game(table);
            look_at_bytes(fuzz->store, table_id(table));
        }
    }
    for (unsigned i = 0; i < FUZZ_CHATS; i++) {
        struct fuzz_chat *const chat = &fuzz->chats[i];
        while (chat->seen < fake_count(chat->chat)) {
            look_at_message(chat->chat, fake_message(chat->chat, chat->seen++));
        }
    }
}
