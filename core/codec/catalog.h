/*
 * The catalog: every card of every loaded set, with the names and texts that the core never sees.
 *
 * Loading reports every problem of every file as one sentence and goes on; a set in which a card
 * was refused is kept, marked `errors`, and not put into a box. Numbers handed out (definition,
 * name, trait, tag, ability, set) and pointers returned stay valid until catalog_destroy(), or
 * until a catalog_rewind() to before their making; a box made from a catalog borrows its arrays.
 * Read-only after loading but for catalog_add_*: then many threads may read it.
 * Knows files and JSON; knows nothing of games, tables or players.
 */
#ifndef CORE_CODEC_CATALOG_H
#define CORE_CODEC_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/card/box.h"

/*
 * What is wrong with card files: a bounded list of sentences.
 *
 * Each is one line, `file: card "X": field: expected ..., found ...`; names from files are cut and
 * their controls and marks of direction replaced, so a line can be shown to anybody. Notes are no
 * errors. What does not fit is counted only.
 */

enum { CATALOG_ISSUES_MAX = 256, CATALOG_ISSUE_SIZE = 1200 };

struct catalog_issue {
    bool note; /**< worth knowing, but not wrong */
    char text[CATALOG_ISSUE_SIZE];
};

/** Caller's memory; starts as {0}. The first `count` are in `list`; `errors + notes` were found. */
struct catalog_issues {
    size_t count;
    size_t errors;
    size_t notes;
    struct catalog_issue list[CATALOG_ISSUES_MAX];
};

/** Adds an error. `issues` may be NULL. */
MB_PRINTF(2, 3)
void issues_error(struct catalog_issues *issues, const char *format, ...);
/** Adds a note. */
MB_PRINTF(2, 3)
void issues_note(struct catalog_issues *issues, const char *format, ...);

struct catalog;

enum pronoun { PRONOUN_IT, PRONOUN_HE, PRONOUN_SHE, PRONOUN_THEY, PRONOUN_TOTAL };
struct json_t;

enum {
    CATALOG_SETS_MAX = 32,
    CATALOG_NAME_MAX = 60, /**< characters of a card's name; four bytes each at most */
    CATALOG_DIGEST_SIZE = 32,
    NO_SET = 0xFF,
    NO_ABILITY = 0xFF,
    NO_NAME = 0xFFFF
};

struct catalog_set {
    const char *id;     /**< the word used in commands: "classic" */
    const char *name;   /**< as players read it */
    const char *folder; /**< where it was read from, as given; "" for extra cards */
    uint8_t edition;    /**< enum edition; EDITION_TOTAL for extra cards */
    bool complete;      /**< fit for tables */
    bool vocabulary;    /**< the proof of the card language: never in a box */
    uint32_t errors;    /**< problems found; a set with any keeps out of new tables */
    uint32_t misfits;   /**< of them: what an older loader accepted; running tables go on with it */
    uint16_t first_def; /**< its definitions lie in a row: all Doors, then all Treasures */
    uint16_t def_count;
    uint16_t doors, treasures;           /**< physical cards */
    uint8_t digest[CATALOG_DIGEST_SIZE]; /**< of the rows of its cards; zero for extra cards */
};

/* Life cycle. */

/** Loads every set folder (with a set.json) under `cards_dir`, in alphabetical order, without the
 * vocabulary. NULL only without a readable folder, which is reported too. */
MB_MUST_CHECK
struct catalog *catalog_load(const char *cards_dir, struct catalog_issues *issues);
/** The same, and behind them the sets of one's own: `own` is a folder of set folders, or one set
 * folder, or NULL. NULL also if there is none to be read in it. */
MB_MUST_CHECK
struct catalog *catalog_load_beside(const char *cards_dir, const char *own,
                                    struct catalog_issues *issues);
/** Loads just the named set folders, the vocabulary too. */
MB_MUST_CHECK
struct catalog *catalog_load_sets(const char *const *dirs, size_t dir_count,
                                  struct catalog_issues *issues);
void catalog_destroy(struct catalog *catalog);

/** Adds cards of a scenario: an array in card format, each with an optional `deck`. They become a
 * set of their own, returned in `set`, to be named in catalog_box() beside the others. `array` is
 * borrowed. False (and nothing added) if anything is wrong with one of them. */
MB_MUST_CHECK
bool catalog_add_json(struct catalog *catalog, const struct json_t *array, const char *label,
                      uint8_t *set, struct catalog_issues *issues);
/** The same from JSON text. */
MB_MUST_CHECK
bool catalog_add_text(struct catalog *catalog, const char *text, size_t size, const char *label,
                      uint8_t *set, struct catalog_issues *issues);
/** Forgets the extra sets from `set` on, and all they brought. No box may still use them. */
void catalog_rewind(struct catalog *catalog, uint8_t set);

/** Makes the box of a table out of sets (by index, each once): `house` is the edition of one of
 * them. Extra sets may be among them. Misfits do not hinder: see catalog_fits(). */
MB_MUST_CHECK
bool catalog_box(const struct catalog *catalog, const uint8_t *sets, size_t set_count,
                 enum edition house, struct box *out, struct mb_error *err);

/** Whether nothing stands against beginning a new game with a set; else why not. */
bool catalog_fits(const struct catalog *catalog, unsigned set, struct mb_error *err);

/* Looking. Numbers out of range give NULL or "". */

size_t catalog_set_count(const struct catalog *catalog);
const struct catalog_set *catalog_set(const struct catalog *catalog, unsigned set);
/** Whether a card set may have this id: at most 20 of a-z, 0-9, "_" and "-". */
bool catalog_is_id(const char *text);
/** By id, case aside; NO_SET if there is none. */
uint8_t catalog_find_set(const struct catalog *catalog, const char *id);

size_t catalog_def_count(const struct catalog *catalog);
const struct card_def *catalog_def(const struct catalog *catalog, unsigned def);
/** The name of a kind of card as its file spells it. */
const char *catalog_name(const struct catalog *catalog, unsigned def);
const char *catalog_text(const struct catalog *catalog, unsigned def);
const char *catalog_joke(const struct catalog *catalog, unsigned def);
/** Whether the name is a plural: "Banshees leave". */
bool catalog_plural(const struct catalog *catalog, unsigned def);
/** How sentences speak of it after its name. */
enum pronoun catalog_pronoun(const struct catalog *catalog, unsigned def);
unsigned catalog_copies(const struct catalog *catalog, unsigned def);
/** "hireling", "comrade", "sidekick"; "" for what is no follower. */
const char *catalog_sort(const struct catalog *catalog, unsigned def);
/** The catalogue rows that a card proves, a space between two, and the status of a card of the
 * vocabulary; "" if not said. */
const char *catalog_mechanic(const struct catalog *catalog, unsigned def);
const char *catalog_status(const struct catalog *catalog, unsigned def);

/** Name ids are equal for same-named cards of all sets (card_def.name). */
size_t catalog_name_count(const struct catalog *catalog);
const char *catalog_name_text(const struct catalog *catalog, unsigned name);
/** The same in normal form (core/codec/normal.h). */
const char *catalog_normal(const struct catalog *catalog, unsigned name);
/** By definition: the byte that its name's normal form begins with. For searches through many
 * names. */
const uint8_t *catalog_initials(const struct catalog *catalog);
/** A whole name, compared as players' words are (catalog_fold); NO_NAME if there is none. */
uint16_t catalog_find_name(const struct catalog *catalog, const char *text);
/** The definition of that name in one set, or in the first set that has it (NO_SET). */
uint16_t catalog_find_def(const struct catalog *catalog, const char *text, unsigned set);

const char *catalog_trait_name(const struct catalog *catalog, unsigned trait);
uint8_t catalog_find_trait(const struct catalog *catalog, const char *text);
const char *catalog_tag_name(const struct catalog *catalog, unsigned tag);
uint8_t catalog_find_tag(const struct catalog *catalog, const char *text);
size_t catalog_ability_count(const struct catalog *catalog);
const char *catalog_ability_name(const struct catalog *catalog, unsigned ability);
uint8_t catalog_find_ability(const struct catalog *catalog, const char *text);

/** The rule tables, for readers that have no box (describe). */
const struct row *catalog_rows(const struct catalog *catalog);
const struct requirement *catalog_reqs(const struct catalog *catalog);
const struct filter *catalog_filters(const struct catalog *catalog);
const struct cost *catalog_costs(const struct catalog *catalog);

/** Writes the form in which names are compared: ASCII in small letters, leading punctuation and the
 * printed prefixes "Curse!" and "Trap!" gone, runs of blanks made one, none at either end. Returns
 * the length, cut to fit; always terminated if size > 0. */
size_t catalog_fold(const char *text, char *out, size_t size);

#endif
