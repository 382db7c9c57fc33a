#include "core/codec/word_help.h"

#include <stddef.h>

#include "core/card.h"

// In step with the lists of core/words/, whose comments say the same to readers of the code.

static const char *const KIND[] = {
    [KIND_MONSTER] = "a monster to fight",
    [KIND_CURSE] = "a Curse (Trap)",
    [KIND_ENHANCER] = "makes a monster stronger or weaker",
    [KIND_CLASS] = "a Class",
    [KIND_RACE] = "a Race",
    [KIND_FACTION] = "a Faction",
    [KIND_BIRTHRIGHT] = "a Birthright",
    [KIND_POWER] = "a Power with a Rank",
    [KIND_ORIGIN] = "an Origin",
    [KIND_SECOND] = "allows a second Class, Race or Faction",
    [KIND_DOOR] = "any other Door card",
    [KIND_ITEM] = "a permanent Item",
    [KIND_ONESHOT] = "an Item that is used once",
    [KIND_FOLLOWER] = "a Hireling, Comrade or Sidekick",
    [KIND_TREASURE] = "any other Treasure card",
};
static const char *const SLOT[] = {
    [SLOT_NONE] = "needs no place", [SLOT_HEADGEAR] = "on the head",
    [SLOT_ARMOR] = "on the body",   [SLOT_FOOTGEAR] = "on the feet",
    [SLOT_HAND] = "in one Hand",    [SLOT_TWO_HANDS] = "in two Hands",
};
static const char *const TRIGGER[] = {
    [WHEN_STATIC] = "as long as the card is in effect; counted, not carried out",
    [WHEN_PLAY] = "played from hand or table for its effect",
    [WHEN_STRIKE] = "a Curse acts on its victim",
    [WHEN_DRAWN] = "drawn, face up or down",
    [WHEN_ENTER] = "a monster enters a fight, however",
    [WHEN_BEFORE] = "before the fight with the first monster, not when it joins",
    [WHEN_BAD_STUFF] = "the monster catches a player",
    [WHEN_ESCAPED] = "a player escaped from this monster (or was not pursued)",
    [WHEN_KILLED] = "the monster was slain; with the rewards (REW-4)",
    [WHEN_LEAVES] = "the monster left without being slain",
    [WHEN_ABILITY] = "used by name: use <ability>",
    [WHEN_ANSWER_CURSE] = "played or used while a Curse is about to act",
    [WHEN_ANSWER_ROLL] = "played or used after a die was rolled",
    [WHEN_BEFORE_ROLL] = "played or used after giving up, before a flight roll",
    [WHEN_WOULD_LOSE_LEVEL] = "the owner would lose a Level",
    [WHEN_WOULD_LOSE_CARD] = "the owner would lose a card that fits the row's `cards`",
    [WHEN_WOULD_BE_CURSED] = "a Curse would strike the owner",
    [WHEN_WOULD_BE_CAUGHT] = "a monster would catch the owner",
    [WHEN_WOULD_DIE] = "the owner would die",
    [WHEN_FIGHT_END] = "a fight ends that the owner was in",
    [WHEN_TURN_START] = "the owner's turn begins",
    [WHEN_TURN_END] = "the owner's turn ends",
    [WHEN_LEVEL_GAINED] = "the owner gained a Level",
    [WHEN_OWN_KILL] = "the owner, as main player, slew a monster",
    [WHEN_HELPED_KILL] = "the owner, as helper, helped to slay a monster (HELP-8)",
    [WHEN_CARD_LOST] = "the owner lost a card that fits the row's `cards`",
    [WHEN_ESCAPE_ROLLED] = "the owner's successful flight roll stood",
};
static const char *const SELECTOR[] = {
    [WHO_SELF] =
        "the owner of a card in play, who played the card, the victim of a Curse or Bad Stuff",
    [WHO_TARGET] = "the player named with `on`",
    [WHO_MAIN] = "the main fighter",
    [WHO_HELPER] = "the helper",
    [WHO_FIGHTERS] = "main fighter and helper",
    [WHO_OTHERS] = "every other living player, the one on the left first",
    [WHO_OTHERS_RIGHT] = "every other living player, the one on the right first",
    [WHO_EVERYONE] = "every living player, self first",
    [WHO_LEFT] = "the player on the left",
    [WHO_RIGHT] = "the player on the right",
    [WHO_NEIGHBOURS] = "left, then right; one if there are but two players",
    [WHO_HIGHEST] = "the living players of the highest Level",
    [WHO_LOWEST] = "the living players of the lowest Level",
    [WHO_HIGHEST_OTHERS] = "as highest, without self (RUL-173)",
    [WHO_FEWEST_CARDS] = "the other player with the fewest hand cards; ties: victim chooses",
    [WHO_TURN] = "whose turn it is",
    [WHO_PLAYER] = "who played the card",
    [WHO_OTHERS_WITH] = "other living players who meet the row's requirements",
    [WHO_EVERYONE_WITH] = "living players who meet the row's requirements",
    [WHO_CHOSEN] = "a player whom self chooses",
};
static const char *const SOURCE[] = {
    [SRC_CONST] = "nothing: the base alone",
    [SRC_PAID] = "cards paid as the cost",
    [SRC_PAID_LEVEL] = "printed Level of the paid Monster",
    [SRC_PAID_TREASURES] = "printed Treasures of the paid Monster",
    [SRC_DIE] = "a die, rolled when the row acts",
    [SRC_HALF_DIE] = "half a die, rounded up",
    [SRC_LEVEL] = "Level of `who`",
    [SRC_TRAIT] = "fighters on the side that have the trait `arg`",
    [SRC_CARDS] = "cards of `who` that fit the filter `arg`",
    [SRC_BONUS] = "the greatest bonus among the cards of `who` that fit the filter",
    [SRC_RANK] = "total Rank of the Powers of `who`",
    [SRC_MONSTERS] = "monsters in the fight",
    [SRC_PLAYERS] = "living players",
    [SRC_HANDS_FREE] = "unused Hands of `who`",
    [SRC_MARGIN] = "by how much the flight roll failed",
    [SRC_KILLS] = "monsters slain in the fight that ends",
    [SRC_LEVEL_HIGHEST] = "highest Level in play",
    [SRC_LEVEL_LOWEST] = "lowest Level in play",
};
static const char *const REQUIREMENT[] = {
    [REQ_TRAIT] = "has Class, Race, Faction, Birthright n",
    [REQ_SLOT_TRAIT] = "has any trait of kind n (enum card_kind), e.g. any Class",
    [REQ_HUMAN] = "is human",
    [REQ_SEX] = "n: 0 male, 1 female",
    [REQ_SEX_CHANGED] = "has changed sex",
    [REQ_LEVEL_MIN] = "Level n or more",
    [REQ_LEVEL_MAX] = "Level n or less",
    [REQ_HIGHEST] = "has the highest Level, alone or tied",
    [REQ_LOWEST] = "has the lowest Level, alone or tied",
    [REQ_WEARS] = "has something equipped in slot n",
    [REQ_CARDS] = "has at least n cards that fit the filter",
    [REQ_HAND_MIN] = "at least n hand cards",
    [REQ_ALONE] = "the fight has no helper",
    [REQ_MONSTER_TAG] = "a monster with tag n is in the fight",
    [REQ_MONSTER_NAME] = "a monster of name n is in the fight",
    [REQ_MONSTER_LEVEL_MAX] = "the monster concerned has printed Level n or less",
    [REQ_THIS_TAG] = "the monster concerned has tag n",
    [REQ_THIS_WANDERED] = "the monster concerned joined by a card",
    [REQ_MONSTERS_MIN] = "at least n monsters in the fight",
    [REQ_IN_FIGHT] = "is a fighter",
    [REQ_OWN_TURN] = "it is the player's own turn",
    [REQ_LOSING] = "the players' side would lose",
    [REQ_WINNING] = "the players' side would win",
    [REQ_NAMED_IN_PLAY] = "a card of name n lies in play before anybody",
    [REQ_AFTER_FIGHT] = "since the last fight of this turn nothing but this was done",
    [REQ_DIE_MIN] = "the roll being answered shows n or more",
    [REQ_ROLL_FAILED] = "the roll being answered fails as it stands",
    [REQ_ROLL_OWN] = "the roll being answered is one's own",
    [REQ_ROLL_FLIGHT] = "the roll being answered is a flight roll",
    [REQ_CURSE_OWN] = "the Curse being answered strikes oneself",
    [REQ_CURSE_KICKED] = "the Curse being answered was kicked open",
    [REQ_CURSE_PLAYED] = "the Curse being answered was played by a player",
    [REQ_CAUGHT] = "the player was caught by this monster",
    [REQ_FOLLOWER_IN_PLAY] = "any player has a follower in play",
    [REQ_HELPER] = "is the helper",
    [REQ_OPTIONAL_PASSED] = "the monster was let go unfought",
};
static const char *const RANGE[] = {
    [RANGE_SELF] = "the player concerned",
    [RANGE_TARGET] = "the player or card named with `on`",
    [RANGE_MAIN] = "the main fighter",
    [RANGE_HELPER] = "the helper",
    [RANGE_FIGHTERS] = "anyone of the players' side (HELP-4: counts once)",
    [RANGE_ALL_FIGHTERS] = "all of the players' side",
    [RANGE_ANYONE] = "any living player",
};
static const char *const DURATION[] = {
    [UNTIL_NOW] = "acts at once and is over",
    [UNTIL_FIGHT_END] = "this fight",
    [UNTIL_NEXT_FIGHT] = "the present fight if in one, else the next (CURSE-3)",
    [UNTIL_TURN_END] = "the turn that is being played",
    [UNTIL_NEXT_TURN] = "own present turn if it is one's own, else the next own one",
    [UNTIL_NEXT_ROLL] = "the next flight roll, counted once",
    [UNTIL_LEVEL_GAINED] = "until the player gains a Level",
    [UNTIL_OWN_KILL] = "until the player slays a monster",
    [UNTIL_DEATH] = "until the player dies",
    [UNTIL_ALWAYS] = "for the rest of the game",
};
static const char *const CHOOSER[] = {
    [CHOOSE_VICTIM] = "who loses them (CURSE-4)",
    [CHOOSE_RANDOM] = "seeded chance",
    [CHOOSE_ALL] = "no choice: all that fit",
    [CHOOSE_BEST_BONUS] = "the biggest bonus; ties: the victim",
    [CHOOSE_BEST_VALUE] = "the greatest value; ties: the victim",
    [CHOOSE_PLAYER] = "who played the card",
    [CHOOSE_NEIGHBOURS] = "left and right choose one each, left first",
    [CHOOSE_TAKER] = "who takes",
    [CHOOSE_LEFT] = "the player on the left",
};
static const char *const PLACE[] = {
    [PLACE_OWN] = "hand or table",
    [PLACE_HAND] = "the hand",
    [PLACE_TABLE] = "in play before the player",
    [PLACE_EQUIPPED] = "Items in use",
    [PLACE_CARRIED] = "Items in play that are not equipped",
    [PLACE_FIGHT] = "cards played into the fight",
    [PLACE_DOOR_DISCARD] = "the Door discards",
    [PLACE_TREASURE_DISCARD] = "the Treasure discards",
    [PLACE_DISCARDS] = "either discard pile",
};
static const char *const SCOPE[] = {
    [SCOPE_NONE] = "no limit",     [SCOPE_FIGHT] = "in a fight",
    [SCOPE_TURN] = "in a turn",    [SCOPE_VICTIM] = "for each victim in a fight",
    [SCOPE_ROLL] = "for one roll", [SCOPE_GAME] = "in a game",
};
static const char *const TIMING[] = {
    [AT_ANY_TIME] = "every open point, any turn, in and out of fights",
    [AT_FIGHT] = "in any fight, by anyone",
    [AT_OWN_FIGHT] = "by a fighter",
    [AT_OWN_TURN_FIGHT] = "by the main fighter on the own turn",
    [AT_OTHERS_FIGHT] = "in a fight one is not the main fighter of",
    [AT_BEFORE_ROLL] = "a fighter who gives up, before the first flight roll",
    [AT_FLIGHT] = "between the flight rolls too",
    [AT_OWN_TURN] = "on one's own turn, out of fights",
    [AT_PEACE] = "out of fights, any turn",
    [AT_AFTER_FIGHT] = "just after a fight",
    [AT_ANSWER] = "only as an answer (rows answer_curse, answer_roll)",
    [AT_JUST_DRAWN] = "the moment it is drawn",
};
static const char *const TARGET[] = {
    [ON_NOTHING] = "nothing",
    [ON_PLAYER] = "any living player, oneself included",
    [ON_OTHER] = "any other living player",
    [ON_FIGHTER] = "main fighter or helper",
    [ON_OTHER_FIGHTER] = "a fighter who is not oneself",
    [ON_MONSTER] = "a monster of the fight",
    [ON_OWN_ITEM] = "an Item of one's own that fits the row's cards, hand or table",
    [ON_OTHERS_ITEM] = "an Item that another has in play and that fits",
    [ON_FOLLOWER] = "a follower in play",
    [ON_LASTING_CURSE] = "a Curse that lies before a player",
    [ON_DISCARD] = "a card in the discards that fits",
    [ON_OTHERS_TRAIT] = "an identity card that another has in play and that fits",
};
static const char *const EXCLUSION[] = {
    [EX_ALL_BUT_LEVEL] = "only Levels and penalties aimed at a fighter count (RUL-156)",
    [EX_LEVEL] = "their Levels",
    [EX_ITEMS] = "permanent Items; with `cards` only those that fit",
    [EX_ONE_SHOTS] = "one-shots",
    [EX_FOLLOWERS] = "followers",
    [EX_POWERS] = "Powers",
    [EX_FIRE] = "Items and one-shots tagged fire",
};
static const char *const BAR[] = {
    [BAR_HELP] = "to help",
    [BAR_BE_HELPED] = "to be helped",
    [BAR_LOOT] = "to loot the room",
    [BAR_ITEMS] = "Items give nothing; with `cards` only those that fit",
    [BAR_PLAY] = "to play cards or use abilities in this fight",
    [BAR_WIN] = "to gain the last Level in this fight",
};
static const char *const REMOVAL[] = {
    [REMOVE_BY_HOUSE] = "Treasure by COMBAT-5: the card says nothing of it",
    [REMOVE_PAYS] = "its Treasure is taken, no Level",
    [REMOVE_NOTHING] = "no Level, no Treasure",
    [REMOVE_KILL] = "counts as a kill",
    [REMOVE_PAYS_IF_LAST] = "its Treasure only if it was the only one",
    [REMOVE_AND_LOOT] = "no Level, no Treasure; the room may then be looted",
};

const char *word_help(enum word_table table, unsigned word)
{
    static const char *const *const TABLES[WORDS_TOTAL] = {
        [WORDS_KIND] = KIND,       [WORDS_SLOT] = SLOT,
        [WORDS_TRIGGER] = TRIGGER, [WORDS_SELECTOR] = SELECTOR,
        [WORDS_SOURCE] = SOURCE,   [WORDS_REQUIREMENT] = REQUIREMENT,
        [WORDS_RANGE] = RANGE,     [WORDS_DURATION] = DURATION,
        [WORDS_CHOOSER] = CHOOSER, [WORDS_PLACE] = PLACE,
        [WORDS_SCOPE] = SCOPE,     [WORDS_TIMING] = TIMING,
        [WORDS_TARGET] = TARGET,   [WORDS_EXCLUSION] = EXCLUSION,
        [WORDS_BAR] = BAR,         [WORDS_REMOVAL] = REMOVAL,
    };
    if (TABLES[table] == NULL || word >= word_count(table)) {
        return "";
    }
    return TABLES[table][word];
}
