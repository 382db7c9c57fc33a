/*
 * What a table calls a person: made of the name that a platform shows, whatever that holds.
 *
 * A name at a table is one line of plain letters, at most PERSON_NAME_LETTERS of them: no control,
 * direction or zero-width characters, no private use, no towers of accents, nothing that markup or
 * the grammar reads (commas, colons, quotes, brackets, #, @, "Curse!", ...). Letters of every
 * script and emoji stay. No two names at one table have the same normal form (bot/parse/names.h). A
 * name may still be hard to type (a key word, a card's name, emoji only): such a player is
 * addressed by the number of the seat, "#2", which is also what the bot itself writes then
 * (parse_format). Nor do two of them look alike: letters of other scripts count as the Latin ones
 * whose shape they have.
 */
#ifndef BOT_TABLE_PERSON_NAME_H
#define BOT_TABLE_PERSON_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { PERSON_NAME_SIZE = 64, PERSON_NAME_LETTERS = 24 };

/** Makes a table's name of a platform's; of one with nothing left in it, "Player". */
void person_name_make(const char *shown, char out[PERSON_NAME_SIZE]);
/** Whether two names could not be told apart when typed. */
bool person_name_alike(const char *a, const char *b);
/** The name itself, or the first of "Ann 2", "Ann 3"... that is like none of those taken. `out` may
 * be `name`; entries of `taken` may be NULL. */
void person_name_unique(const char *name, const char *const *taken, size_t count,
                        char out[PERSON_NAME_SIZE]);

#endif
