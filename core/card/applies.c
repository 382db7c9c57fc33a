#include "core/card/applies.h"

#include "core/card/effect_schema.h"

enum {
    MONSTER = 1 << KIND_MONSTER,
    CURSE = 1 << KIND_CURSE,
    ENHANCER = 1 << KIND_ENHANCER,
    SECOND = 1 << KIND_SECOND,
    DOOR = 1 << KIND_DOOR,
    ONE_SHOT = 1 << KIND_ONESHOT,
    FOLLOWER = 1 << KIND_FOLLOWER,
    TREASURE = 1 << KIND_TREASURE,
    /** They lie in play by nature. */
    LYING = 1 << KIND_CLASS | 1 << KIND_RACE | 1 << KIND_FACTION | 1 << KIND_BIRTHRIGHT |
            1 << KIND_POWER | 1 << KIND_ORIGIN | 1 << KIND_ITEM | FOLLOWER,
    /** They can: with `stays`, or by a row. */
    OWNED = LYING | CURSE | DOOR | TREASURE
};

struct trigger_rule {
    uint32_t kinds;
    uint32_t gives;
};

static const struct trigger_rule TRIGGERS[TRIGGER_TOTAL] = {
    [WHEN_STATIC] = {OWNED | MONSTER | ENHANCER | SECOND | ONE_SHOT, 0},
    [WHEN_PLAY] = {DOOR | ONE_SHOT | TREASURE, FACT_NAMED | FACT_PLAYED | FACT_FIGHT | FACT_HELP},
    [WHEN_STRIKE] = {CURSE, FACT_STRUCK | FACT_FIGHT | FACT_HELP | FACT_MOVES},
    [WHEN_DRAWN] = {MONSTER | DOOR | ONE_SHOT | TREASURE, FACT_DRAW | FACT_LIES},
    [WHEN_ENTER] = {MONSTER, FACT_FIGHT | FACT_MONSTER | FACT_ENTRY | FACT_HELP},
    [WHEN_BEFORE] = {MONSTER, FACT_FIGHT | FACT_MONSTER | FACT_ENTRY},
    [WHEN_BAD_STUFF] = {MONSTER | ENHANCER, FACT_FLIGHT | FACT_MONSTER | FACT_AGAIN},
    [WHEN_ESCAPED] = {MONSTER | ENHANCER, FACT_FLIGHT | FACT_MONSTER | FACT_AGAIN},
    [WHEN_KILLED] = {MONSTER | ENHANCER, FACT_WON | FACT_MONSTER},
    [WHEN_LEAVES] = {MONSTER | ENHANCER, FACT_WON | FACT_MONSTER},
    [WHEN_ABILITY] = {LYING | MONSTER | DOOR | TREASURE, FACT_NAMED | FACT_USED | FACT_FIGHT |
                                                             FACT_HELP | FACT_LIES | FACT_MOVES |
                                                             FACT_AGAIN},
    [WHEN_ANSWER_CURSE] = {LYING | DOOR | ONE_SHOT | TREASURE, FACT_CURSE | FACT_LIES | FACT_AGAIN},
    [WHEN_ANSWER_ROLL] = {LYING | DOOR | ONE_SHOT | TREASURE, FACT_ROLL | FACT_LIES | FACT_AGAIN},
    [WHEN_ANSWER_PLAY] = {LYING | DOOR | ONE_SHOT | TREASURE, FACT_PLAY | FACT_LIES | FACT_AGAIN},
    [WHEN_BEFORE_ROLL] = {LYING | ONE_SHOT | MONSTER,
                          FACT_NAMED | FACT_FLIGHT | FACT_RUNS | FACT_LIES | FACT_AGAIN},
    [WHEN_WOULD_LOSE_LEVEL] = {LYING | TREASURE, FACT_THREAT | FACT_LIES | FACT_AGAIN},
    [WHEN_WOULD_LOSE_CARD] = {LYING | TREASURE, FACT_THREAT | FACT_LIES | FACT_LOST | FACT_AGAIN},
    [WHEN_WOULD_BE_CURSED] = {LYING | TREASURE, FACT_THREAT | FACT_LIES | FACT_AGAIN},
    [WHEN_WOULD_BE_CAUGHT] = {LYING | TREASURE, FACT_THREAT | FACT_LIES | FACT_FLIGHT | FACT_AGAIN},
    [WHEN_WOULD_DIE] = {LYING | TREASURE, FACT_THREAT | FACT_LIES | FACT_AGAIN},
    [WHEN_FIGHT_END] = {OWNED | ONE_SHOT, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_TURN_START] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_TURN_END] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_LEVEL_GAINED] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_OWN_KILL] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_HELPED_KILL] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_FIGHT_WON] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN | FACT_SPOILS},
    [WHEN_DIES] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN | FACT_BODY},
    [WHEN_ROLLED] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_SELLS] = {OWNED, FACT_LIES | FACT_MOVES | FACT_AGAIN},
    [WHEN_CARD_LOST] = {OWNED, FACT_LIES | FACT_LOST | FACT_AGAIN},
    [WHEN_ESCAPE_ROLLED] = {OWNED, FACT_LIES | FACT_FLIGHT | FACT_AGAIN},
};

#define WHO(name)    (1u << WHO_##name)
#define ON(name)     (1u << ON_##name)
#define CHOOSE(name) (1u << CHOOSE_##name)
#define UNTIL(name)  (1u << UNTIL_##name)

enum {
    WHO_ANY = (1 << SELECTOR_TOTAL) - 1,
    WHO_ONE = 1 << WHO_TARGET | 1 << WHO_MAIN | 1 << WHO_HELPER | 1 << WHO_LEFT | 1 << WHO_RIGHT |
              1 << WHO_FEWEST_CARDS | 1 << WHO_TURN | 1 << WHO_PLAYER | 1 << WHO_CHOSEN,
    ON_SEAT = 1 << ON_PLAYER | 1 << ON_OTHER | 1 << ON_FIGHTER | 1 << ON_OTHER_FIGHTER |
              1 << ON_FOLLOWER | 1 << ON_OTHERS_ITEM,
    UNTIL_ANY = (1 << DURATION_TOTAL) - 1
};

struct op_rule {
    uint32_t kinds;              /**< who bears it or can have it; 0: whoever reaches the trigger */
    uint32_t needs[3];           /**< bits of enum fact: all of any one of them */
    uint32_t heeds[HEEDS_TOTAL]; /**< bits of words beside those that are left out */
    bool lasting;                /**< a counted one that can be put on somebody */
};

#define PERSONS .heeds[HEEDS_WHO] = WHO_ANY, .heeds[HEEDS_TARGET] = ON_SEAT

#define APPLIES(...)                                     __VA_ARGS__
#define COUNTED(id, name, help, sentence, takes, rule)   [EFFECT_##id] = {rule},
#define DONE(id, name, help, sentence, takes, rule, ...) [EFFECT_##id] = {rule},
static const struct op_rule OPS[EFFECT_TOTAL] = {
#include "core/card/effects.def"
};

static bool in_a_fight(unsigned timing)
{
    const unsigned fights = 1u << AT_ANY_TIME | 1u << AT_FIGHT | 1u << AT_OWN_FIGHT |
                            1u << AT_OWN_TURN_FIGHT | 1u << AT_OTHERS_FIGHT;
    return (timing & fights) != 0;
}

uint32_t applies_facts(unsigned kind, unsigned when, unsigned timing)
{
    uint32_t facts = TRIGGERS[when].gives;
    if (when == WHEN_PLAY && timing != 0 && !in_a_fight(timing)) {
        facts &= ~(uint32_t)FACT_FIGHT;
    }
    const bool monster = kind == KIND_MONSTER;
    if (monster && (when == WHEN_ABILITY || when == WHEN_BEFORE_ROLL)) {
        facts |= FACT_MONSTER;
    }
    const bool answer = when_answers(when);
    const bool lies = (LYING >> kind & 1u) != 0 || (when == WHEN_ABILITY && !monster);
    if ((answer || when == WHEN_BEFORE_ROLL || when == WHEN_ABILITY) && !lies) {
        facts &= ~(uint32_t)(monster ? FACT_LIES : FACT_LIES | FACT_AGAIN);
    }
    return facts;
}

uint32_t applies_reach(unsigned when)
{
    return TRIGGERS[when].kinds;
}

bool applies_enough(unsigned op, uint32_t facts)
{
    const struct op_rule *rule = &OPS[op];
    return (facts & rule->needs[0]) == rule->needs[0] ||
           (rule->needs[1] != 0 && (facts & rule->needs[1]) == rule->needs[1]) ||
           (rule->needs[2] != 0 && (facts & rule->needs[2]) == rule->needs[2]);
}

bool applies(unsigned kind, unsigned when, unsigned op)
{
    const struct op_rule *rule = &OPS[op];
    if ((TRIGGERS[when].kinds >> kind & 1u) == 0 ||
        effect_schema(op)->counted != (when == WHEN_STATIC)) {
        return false;
    }
    const bool carried_out = when != WHEN_STATIC;
    const bool bears = (rule->kinds >> kind & 1u) != 0 || (rule->kinds == 0 && carried_out);
    const uint32_t facts = applies_facts(kind, when, 0);
    if (kind == KIND_ONESHOT && when == WHEN_FIGHT_END) {
        return op == EFFECT_MOVE; // at once, before it is discarded: nobody can be asked
    }
    // Where `cards` says what was lost, no op can choose by it.
    const bool chooses = (effect_schema(op)->uses & USES_CARDS) != 0 && op != EFFECT_SAVE;
    return bears && applies_enough(op, facts) && !(chooses && (facts & FACT_LOST) != 0);
}

uint32_t applies_triggers(unsigned kind, unsigned op)
{
    uint32_t found = 0;
    for (unsigned when = 0; when < TRIGGER_TOTAL; when++) {
        found |= applies(kind, when, op) ? 1u << when : 0u;
    }
    return found;
}

bool applies_whose(unsigned when)
{
    return when == WHEN_FIGHT_END || when == WHEN_FIGHT_WON || when == WHEN_TURN_END ||
           when == WHEN_LEVEL_GAINED || when == WHEN_OWN_KILL || when == WHEN_DIES ||
           when == WHEN_ROLLED || when == WHEN_SELLS || when == WHEN_ABILITY;
}

uint32_t applies_kinds(unsigned op)
{
    uint32_t found = 0;
    for (unsigned kind = 0; kind < KIND_TOTAL; kind++) {
        found |= applies_triggers(kind, op) != 0 ? 1u << kind : 0u;
    }
    return found;
}

uint32_t applies_words(unsigned op, enum heeded which)
{
    // Left out: self, victim, nothing, now. Where others are wanted, self is none of them.
    const bool needs_others = which == HEEDS_WHO && OPS[op].heeds[which] != 0 &&
                              (OPS[op].heeds[which] & WHO(SELF)) == 0 && op != EFFECT_ESCAPE &&
                              op != EFFECT_ROLL && op != EFFECT_FOLLOW && op != EFFECT_MOVE;
    return OPS[op].heeds[which] | (needs_others ? 0u : 1u);
}

bool applies_lasting(unsigned op)
{
    return OPS[op].lasting;
}

bool applies_must_stay(unsigned kind)
{
    return ((OWNED & ~LYING) >> kind & 1u) != 0;
}

bool applies_in_play(unsigned when)
{
    return when == WHEN_STATIC || when == WHEN_ABILITY ||
           (when >= WHEN_WOULD_LOSE_LEVEL && when <= WHEN_ROLLED) || when == WHEN_SELLS;
}

bool applies_limit(unsigned kind, unsigned when)
{
    return (applies_facts(kind, when, 0) & FACT_AGAIN) != 0;
}
