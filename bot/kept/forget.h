/*
 * What a store keeps of a person: told, and forgotten.
 *
 * A forgotten person is "former player" wherever a game must still name somebody: at tables, in
 * journals and logs. Seats they hold go to bot players. Games verify as before: what a seed was
 * made of names nobody, and no rule knows names.
 */
#ifndef BOT_KEPT_FORGET_H
#define BOT_KEPT_FORGET_H

#include "bot/kept/kept_table.h"

/** All that is kept of a person as JSON, to be freed; NULL with an error. */
char *forget_export(struct kept *kept, const char *network, const char *person,
                    struct mb_error *err);
/** Replaces the person everywhere; `tables` counts those that have changed. What could not be done
 * can be asked again. False with an error. */
MB_MUST_CHECK
bool forget_person(struct kept *kept, const char *network, const char *person, size_t *tables,
                   struct mb_error *err);

#endif
