#include "core/codec/card_fields.h"

#include <stddef.h>

#include "core/card/card.h"

enum {
    MONSTER = 1 << KIND_MONSTER,
    CURSE = 1 << KIND_CURSE,
    ENHANCER = 1 << KIND_ENHANCER,
    RACE = 1 << KIND_RACE,
    TRAITS = 1 << KIND_CLASS | RACE | 1 << KIND_FACTION | 1 << KIND_BIRTHRIGHT,
    POWER = 1 << KIND_POWER,
    ORIGIN = 1 << KIND_ORIGIN,
    SECOND = 1 << KIND_SECOND,
    IDENTITY = TRAITS | POWER | ORIGIN | SECOND,
    DOOR = 1 << KIND_DOOR,
    ITEM = 1 << KIND_ITEM,
    ONE_SHOT = 1 << KIND_ONESHOT,
    FOLLOWER = 1 << KIND_FOLLOWER,
    TREASURE = 1 << KIND_TREASURE,
    ALL = 0,
    PLAYED =
        CURSE | ENHANCER | POWER | ORIGIN | SECOND | DOOR | ITEM | ONE_SHOT | FOLLOWER | TREASURE,
    STRONG = ENHANCER | TRAITS | POWER | ORIGIN | ITEM | ONE_SHOT | FOLLOWER | TREASURE
};

#define CARD_FIELD_LIST(FIELD)                                                                     \
    FIELD(name, ALL, "what it is called, at most 60 characters")                                   \
    FIELD(kind, ALL, "a kind word")                                                                \
    FIELD(number, ALL, "of its name: singular, the default, or plural (\"Banshees leave\")")       \
    FIELD(pronoun, MONSTER | FOLLOWER,                                                             \
          "it (the default), he, she or they; they is all that plural allows, and its default")    \
    FIELD(copies, ALL, "how many the set holds, 1 to 20; default 1")                               \
    FIELD(deck, ALL, "door or treasure; only needed where the file does not tell")                 \
    FIELD(level, MONSTER, "its Level, 1 to 99")                                                    \
    FIELD(treasures, MONSTER | ENHANCER,                                                           \
          "Treasures for it; on an enhancer: an amount more or fewer")                             \
    FIELD(levels, MONSTER, "Levels for the kill; default 1, from Level 16 up 2")                   \
    FIELD(tags, ALL, "a list of words in small letters, for example undead, goblin, fire")         \
    FIELD(slot, ITEM, "a slot word; default none")                                                 \
    FIELD(big, ITEM | ONE_SHOT | FOLLOWER, "true: a Big Item")                                     \
    FIELD(gold, ITEM | ONE_SHOT | FOLLOWER,                                                        \
          "Gold Pieces; 0, the default, is \"No Value\"; a follower without it is not traded")     \
    FIELD(extra_armor, ITEM | TRAITS, "true: fills the Armor and the Headgear slot")               \
    FIELD(bonus, STRONG, "an amount: short for a static row bonus (enhancer: monster_bonus)")      \
    FIELD(sides, ONE_SHOT, "players, monsters or either, the default")                             \
    FIELD(needs, ITEM | IDENTITY, "a list of requirements for equipping (playing) it")             \
    FIELD(rank, POWER, "1 to 3")                                                                   \
    FIELD(sort, FOLLOWER, "hireling (the default), comrade or sidekick")                           \
    FIELD(sacrifice, FOLLOWER, "true: may be sacrificed; the default but for comrades")            \
    FIELD(human, RACE, "true: leaves one human")                                                   \
    FIELD(play, PLAYED, "a list of timing words")                                                  \
    FIELD(stays, CURSE | TREASURE | DOOR, "true: stays in play when played")                       \
    FIELD(on_self, CURSE | TREASURE | DOOR | FOLLOWER | ONE_SHOT, "true: only on oneself")         \
    FIELD(kept, ALL, "true: kept on death")                                                        \
    FIELD(rows, ALL, "a list of rows: what it does")                                               \
    FIELD(mechanic, ALL,                                                                           \
          "the row of the catalogue of mechanics that the card proves, or a list of them")         \
    FIELD(status, ALL, "for a card of the vocabulary: planned: OP, or rule: ID")                   \
    FIELD(fixed_name, ALL, "true: the name may hold a key word of the commands")

const struct card_field CARD_FIELDS[] = {
#define FIELD(id, kinds, help) {#id, kinds, help},
    CARD_FIELD_LIST(FIELD)
#undef FIELD
        {NULL, 0, NULL}};

const char *const CARD_KEYS[] = {
#define FIELD(id, kinds, help) #id,
    CARD_FIELD_LIST(FIELD)
#undef FIELD
        NULL};

bool card_field_fits(const struct card_field *field, unsigned kind)
{
    return field->kinds == 0 || (field->kinds >> kind & 1u) != 0;
}
