#include "core/card/effect_schema.h"

#include <string.h>

#define WORDS_ARG(title, table, must, other)                                                       \
    {.name = (title), .type = ARG_WORD, .words = (table), .required = (must), .fallback = (other)}
#define NUMBER_ARG(title, must, other, least, most)                                                \
    {.name = (title),                                                                              \
     .type = ARG_NUMBER,                                                                           \
     .required = (must),                                                                           \
     .fallback = (other),                                                                          \
     .min = (least),                                                                               \
     .max = (most)}

enum { NUMBER = USES_AMOUNT | NEEDS_AMOUNT, CHOSEN = USES_AMOUNT | USES_CARDS | USES_CHOOSER };

#define COUNTED(id, number, uses_bits, text, ...)                                                  \
    [EFFECT_##id] = {                                                                              \
        .help = text, .counted = true, .uses = uses_bits, .amount = number, .args = {__VA_ARGS__}}
#define DONE(id, number, uses_bits, text, ...)                                                     \
    [EFFECT_##id] = {.help = text, .uses = uses_bits, .amount = number, .args = {__VA_ARGS__}}

static const struct effect_schema SCHEMAS[EFFECT_TOTAL] = {
    COUNTED(BONUS, 0, NUMBER,
            "`amount` to the owner's strength; on a one-shot: to the side it lies on", {0}),
    COUNTED(MONSTER_BONUS, 0, NUMBER,
            "`amount` to this monster, or to the monsters of the group an enhancer lies on", {0}),
    COUNTED(TREASURES, 0, NUMBER, "`amount` Treasures more (or fewer) for this monster", {0}),
    COUNTED(KILL_LEVELS, 0, NUMBER, "`amount` further Levels for the kill", {0}),
    COUNTED(RUN_BONUS, 0, NUMBER,
            "`amount` to the owner's flight rolls; on a monster: to the rolls against it", {0}),
    COUNTED(ROLL_BONUS, 0, NUMBER, "`amount` to every die the owner rolls", {0}),
    COUNTED(HAND_LIMIT, 0, NUMBER, "`amount` more cards may stay in the hand at the end of a turn",
            {0}),
    COUNTED(BIG_LIMIT, 0, NUMBER, "`amount` more Big Items may be carried; 99: any number", {0}),
    COUNTED(HANDS, 0, NUMBER, "`amount` more (or fewer) Hands", {0}),
    COUNTED(WINS_TIES, 0, 0, "the owner's side wins a fight of equal strength", {0}),
    COUNTED(META, 0, 0, "gives one of the meta-abilities", WORDS_ARG("meta", WORDS_META, true, 0)),
    COUNTED(SECOND, 0, 0,
            "two identity cards of `kind` may be held, or one without its disadvantages",
            WORDS_ARG("kind", WORDS_KIND, true, 0)),
    COUNTED(RANK, 0, NUMBER, "`amount` to the total Rank of Powers allowed", {0}),
    COUNTED(TRAIT, 0, 0, "`trait` counts on the owner's side for monsters' bonuses and penalties",
            {.name = "trait", .type = ARG_TRAIT, .required = true}),
    COUNTED(ADD_TAG, 0, 0, "the monsters of the group have `tag` too",
            {.name = "tag", .type = ARG_TAG, .required = true}),
    COUNTED(EXCLUDE, 0, USES_CARDS,
            "`what` does not count for the players in this fight (bonuses: for neither side); "
            "with `lasting`: in the fights of `who`",
            WORDS_ARG("what", WORDS_EXCLUSION, true, 0)),
    COUNTED(NO_HELP, 0, 0, "nobody may help; a helper leaves", {0}),
    COUNTED(LEAVES_FOR, -1, USES_AMOUNT | USES_KILL,
            "the monster leaves by itself for `amount` Treasures (-1: as printed); with `kill` it "
            "counts as slain",
            {0}),
    COUNTED(JOINS, 0, 0, "may be added from the hand to any fight", {0}),
    COUNTED(NO_PURSUE, 0, 0,
            "does not pursue who meets the requirements; on a card in play: monsters do not pursue "
            "the owner",
            {0}),
    COUNTED(NO_ESCAPE, 0, 0, "escape from it is impossible", {0}),
    COUNTED(ENHANCERS_COUNT, 0, USES_AMOUNT,
            "each enhancer's bonus on this monster counts `times` times, and `amount` more",
            NUMBER_ARG("times", false, 1, 0, 10)),
    COUNTED(
        FREE_HELP, 0, USES_CARDS,
        "players of higher Level (with `cards`: who has such a card) cannot refuse to help, and "
        "get nothing for it",
        {0}),
    COUNTED(IMMUNE, 0, USES_CARDS,
            "the owner's `cards` are not lost to Curses or Bad Stuff; `alternative`: what a card "
            "says for those without one",
            WORDS_ARG("alternative", WORDS_ALTERNATIVE, false, 0)),
    COUNTED(CURSE_PROOF, 0, 0, "Curses that meet the requirements do not strike the owner", {0}),
    COUNTED(CARRIES, 1, USES_AMOUNT | USES_CARDS,
            "one Item may be handed to this follower, beyond the owner's limits", {0}),
    COUNTED(COPY_FIGHTER, 1, USES_AMOUNT, "the main fighter's own strength counts once more", {0}),
    COUNTED(FOLLOWER_LIMIT, 0, NUMBER, "`amount` more followers", {0}),
    COUNTED(BARS, 0, USES_CARDS, "the owner may not do `what`",
            WORDS_ARG("what", WORDS_BAR, true, 0)),
    COUNTED(LEVEL_IS, 0, NUMBER, "`amount` replaces the owner's Level in the sum of strength", {0}),
    COUNTED(SIDE_BONUS, 0, NUMBER, "`amount` to the players' side of a fight the owner is in", {0}),
    COUNTED(OPTIONAL_FIGHT, 0, 0, "this monster need not be fought, unless the requirements hold",
            {0}),
    COUNTED(MONSTER_FACE, 0, 0, "the monster has the text of another (set by `copy_face`)", {0}),
    COUNTED(FAIL_NEXT_ROLL, 0, 0, "the owner's next flight roll fails by itself", {0}),
    COUNTED(SLOT_LOSS, 1, USES_AMOUNT, "`amount` fewer of the slot",
            WORDS_ARG("slot", WORDS_SLOT, true, 0)),
    COUNTED(THEFT_SHIELD, 0, USES_CARDS, "the owner's `cards` cannot be stolen", {0}),
    COUNTED(SELL_BONUS, 0, NUMBER, "`amount` more Gold Pieces for each sale", {0}),
    COUNTED(LEVEL_FLOOR, 0, NUMBER, "the monster's Level with its enhancers is at least `amount`",
            {0}),

    DONE(LEVEL, 0, NUMBER | USES_KILL,
         "`who` gain (or, below zero, lose) `amount` Levels; with `kill` the winning one too", {0}),
    DONE(LEVEL_SET, 0, NUMBER, "`who` come to Level `amount`", {0}),
    DONE(DEATH, 0, 0, "`who` die", {0}),
    DONE(LOSE, 1, CHOSEN,
         "`who` lose `amount` of `cards` to the discards (0: all that fit), or cards worth `value` "
         "Gold Pieces",
         NUMBER_ARG("value", false, 0, 0, 32000)),
    DONE(DRAW, 1, USES_AMOUNT | USES_FACE_UP, "`who` draw `amount` cards",
         WORDS_ARG("deck", WORDS_DECK, false, DECK_TREASURE)),
    DONE(TAKE, 1, CHOSEN, "`who` take `amount` of `cards` from self, one after the other",
         WORDS_ARG("to", WORDS_TO, false, 0)),
    DONE(GIVE, 1, USES_AMOUNT | USES_CARDS,
         "self gives `amount` of `cards` to `who`; 0: all that fit, dealt round one by one",
         WORDS_ARG("to", WORDS_TO, false, 0)),
    DONE(SEX_CHANGE, 0, 0, "`who` change sex", {0}),
    DONE(TRAIT_CHANGE, 0, 0,
         "`who` replace their card of `kind` by the first such card down the discards, or just "
         "lose it",
         WORDS_ARG("kind", WORDS_KIND, true, 0)),
    DONE(LASTING, 0, USES_AMOUNT | USES_CARDS | NEEDS_UNTIL,
         "the counted op `effect` is put on `who` for a time",
         {.name = "effect", .type = ARG_COUNTED_OP, .required = true},
         {.name = "effect_arg", .type = ARG_OF_OP}),
    DONE(REMOVE_MONSTER, 0, USES_KILL | USES_CARDS,
         "the target monster (or every one) leaves the fight; with `cards`, whose place is "
         "`fight`, only what fits",
         WORDS_ARG("outcome", WORDS_REMOVAL, false, REMOVE_BY_HOUSE),
         WORDS_ARG("which", WORDS_WHICH, false, 0)),
    DONE(ADD_MONSTER, 0, 0, "a Monster named with `with` joins the fight", {0}),
    DONE(MATE, 0, 0, "the card becomes a copy of the target monster", {0}),
    DONE(SWAP_MONSTER, 0, USES_CARDS, "the target monster is replaced by one from the hand", {0}),
    DONE(WIN_BY_ITEM, 0, USES_CARDS, "self takes an Item of another that turns the fight at once",
         {0}),
    DONE(THEFT, 0, USES_CARDS, "self tries to steal the target Item", {0}),
    DONE(CANCEL, 0, 0, "the Curse or the card answered, or the lasting Curse named, is discarded",
         {0}),
    DONE(REDIRECT, 0, 0, "the Curse answered strikes its player instead", {0}),
    DONE(SET_DIE, 0, USES_AMOUNT, "the roll answered shows the number chosen", {0}),
    DONE(REROLL, 0, 0, "the roll answered is made again", {0}),
    DONE(ESCAPE, 0, 0, "`who` escape", WORDS_ARG("which", WORDS_ESCAPE, false, 0)),
    DONE(TAKE_OVER, 0, 0, "self takes the main fighter's place, rewards and all", {0}),
    DONE(REBOOT, 0, 0, "cards played into the fight go back where they came from", {0}),
    DONE(RETRIEVE, 1, USES_CARDS,
         "self takes a card that fits out of the discards: the one named with `on`, else the "
         "topmost",
         {0}),
    DONE(SWAP_HANDS, 0, 0, "self and `who` exchange hands", {0}),
    DONE(SUFFER, 1, USES_AMOUNT,
         "`who` suffer the top Curse, or the Bad Stuff of the top Monster, of the discards",
         WORDS_ARG("what", WORDS_SUFFER, true, 0)),
    DONE(COPY_FACE, 0, 0, "the monster uses the text of the top Door discard, if that is a Monster",
         {0}),
    DONE(TURN_FOLLOWER, 0, 0, "the target's follower fights for the monsters", {0}),
    DONE(FOLLOW, 0, 0, "the monster comes along into the player's next fight", {0}),
    DONE(COPY_ABILITY, 0, USES_CARDS,
         "self uses the identity card of another player until the fight ends", {0}),
    DONE(RETURN_CARDS, 0, 0, "one-shots played for the players go back to their hands", {0}),
    DONE(ATTACH, 0, USES_CARDS,
         "the card lies with an Item, which then ignores all limits if this is a Door; a Curse: "
         "with one its victim chooses",
         {0}),
    DONE(MARK_DOUBLE, 0, USES_CARDS, "the target Item counts twice in the next sale of this turn",
         {0}),
    DONE(RESURRECT, 0, 0, "self draws from the top of the discards instead of the deck", {0}),
    DONE(IDENTITY, 0, 0, "Secret Identity: a die may save from the Trap answered", {0}),
    DONE(SEND_AWAY, 0, 0, "the helper leaves the fight", {0}),
    DONE(STAY, 0, 0, "the Curse stays in front of its victim", {0}),
    DONE(DISCARD_SELF, 0, 0, "the card itself goes to its discards", {0}),
    DONE(SAVE, 0, USES_CARDS, "what would happen does not happen", {0}),
    DONE(HAND_OR_LEVELS, 0, NUMBER, "`who` choose: lose the hand, or `amount` Levels", {0}),
    DONE(TAX, 0, USES_CARDS, "self discards an Item; every other player discards as much, or all",
         {0}),
    DONE(LEVEL_STEAL, 1, USES_AMOUNT, "the target loses a Level, self gains one", {0}),
    DONE(CHOICE, 0, 0, "self chooses: this row (yes) or the next (no)", {0}),
    DONE(SHOW_HAND, 0, 0, "`who` show their hands to all", {0}),
    DONE(SKIP_TURN, 0, 0, "`who` skip their next turn", {0}),
    DONE(DISCARD_OR, 0, NUMBER | USES_CARDS,
         "`who` discard `amount` of `cards`; if they do not, the next row acts", {0}),
    DONE(DRAW_HERE, 0, NUMBER,
         "`who` draw `amount` more, with the facing of the draw the card came in", {0}),
    DONE(TREASURE_FOR_DOOR, 1, USES_AMOUNT | USES_CARDS,
         "self may discard `amount` of `cards` and draw as many Treasures", {0}),
    DONE(ROLL, 0, 0, "`who` roll a die; rows after it ask for `rolled_min`, `rolled_max`, `rolled`",
         {0}),
    DONE(ROB, 1, CHOSEN,
         "self takes the Item named with `on`, or `amount` of `cards` from the player named",
         WORDS_ARG("to", WORDS_TO, false, 0)),
    DONE(MOVE, 0, 0, "the card goes where `to` says; `who` gets it",
         WORDS_ARG("object", WORDS_OBJECT, false, 0), WORDS_ARG("to", WORDS_GOAL, true, 0)),
    DONE(REWARD, 0, NUMBER,
         "`amount` more (or fewer) of them for this victory (at `play`: for the one fought for); "
         "-99 Treasures: none at all",
         WORDS_ARG("what", WORDS_REWARD, true, 0)),
    DONE(REVEAL, 1, USES_AMOUNT | USES_CARDS,
         "`amount` cards are turned up and discarded; rows after it ask how many fit: `rolled`, "
         "`rolled_min`",
         WORDS_ARG("deck", WORDS_DECK, false, DECK_DOOR)),
    DONE(FORCE_HELP, 0, USES_AMOUNT,
         "`who` helps, unasked, for `amount` Treasures; not in a fight that would win the game",
         {0}),
    DONE(FLEE, 0, 0, "running away begins at once", {0}),
    COUNTED(EQUIPS_IN_FIGHT, 0, 0, "the owner may change in a fight what is equipped", {0}),
    COUNTED(
        SEALS, 0, 0,
        "the Item this lies with gives nothing, is not put down, given away or sold, and is not "
        "lost to Curses or Bad Stuff",
        {0}),
    COUNTED(THROWN_BONUS, 0, NUMBER,
            "each one-shot with a bonus that the owner threw into the fight counts `amount` more "
            "for its side",
            {0}),
    DONE(FIRST_PICK, 0, 0, "self picks first from the body, before those of higher Level", {0}),
    DONE(FIGHT_NEXT, 0, 0,
         "self, whose turn it is, chooses a Monster of the hand and fights it when all of this "
         "victory has been paid",
         {0}),
    DONE(NOTHING, 0, 0, "nothing happens, and it is said so", {0}),
};

#define EFFECT(id, name) [EFFECT_##id] = #name,
static const char *const NAMES[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};
#undef EFFECT

const struct effect_schema *effect_schema(unsigned op)
{
    return &SCHEMAS[op];
}

const char *effect_name(unsigned op)
{
    return op < EFFECT_TOTAL ? NAMES[op] : "?";
}

unsigned effect_find(const char *name)
{
    unsigned i = 0;
    while (i < EFFECT_TOTAL && strcmp(NAMES[i], name) != 0) {
        i++;
    }
    return i;
}
