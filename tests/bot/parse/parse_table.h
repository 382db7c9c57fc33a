/*
 * A table for the parser's tests: two sets of the tree, five people, cards laid out by hand, and
 * requests written down in one line so that cases can be tables.
 *
 * A card is written "Name@where": h0 hand of seat 0, t1 table of seat 1, f the fight, d discards, ?
 * not known; "*" equipped, "+2" the second of its kind there, "conan:" when not of the house's set.
 */
#ifndef TESTS_BOT_PARSE_PARSE_TABLE_H
#define TESTS_BOT_PARSE_PARSE_TABLE_H

#include "core/state/game_state.h"

#include "bot/parse/parse.h"
#include "bot/parse/verb.h"

struct parse_table {
    struct catalog *catalog;
    struct box box;
    struct game game;
    struct table_words words;
};

/** Ann (who types), Bob, Cy, Ada Lovelace and Anton; all cards still in their decks. */
bool parse_table_open(struct parse_table *table);
void parse_table_close(struct parse_table *table);
/** Moves a card from its deck to the end of a pile. */
uint16_t parse_table_put(struct parse_table *table, const char *name, unsigned pile,
                         unsigned flags);
/** A fight of seat 0 with a monster; more may join. A mate shows the face of another. */
uint16_t parse_table_monster(struct parse_table *table, const char *name, uint16_t face);
/** Asks seat 0 about cards; about other values. */
void parse_table_ask_cards(struct parse_table *table, const uint16_t *cards, unsigned count);
void parse_table_ask(struct parse_table *table, unsigned kind, const uint16_t *options,
                     unsigned count);
/** What most cases need: hands, tables, a fight with two monsters and a copy. */
void parse_table_usual(struct parse_table *table);

/** Writes a command down. */
void parse_table_dump(const struct parse_table *table, const struct command *command, char *out,
                      size_t size);
/** Parses a line and writes down what came of it: the command, or "code: words (expected)". */
void parse_table_try(const struct parse_table *table, const char *line, char *out, size_t size);

#endif
