#include "core/state/refusal.h"

#include "core/state/game_state.h"

static const char *const NAMES[] = {
    [REFUSAL_NONE] = "none",
#define REFUSAL(id, name) [REFUSAL_##id] = #name,
#include "core/state/refusal.def"
#undef REFUSAL
};

bool refuse(struct refusal *why, enum refusal_code code, const char *rule)
{
    return refuse_card(why, code, rule, NO_CARD, 0);
}

bool refuse_card(struct refusal *why, enum refusal_code code, const char *rule, uint16_t card,
                 int amount)
{
    if (why->code == REFUSAL_NONE || code < why->code) {
        *why = (struct refusal){.code = (uint8_t)code,
                                .seat = NO_SEAT,
                                .card = card,
                                .amount = number_fit(amount),
                                .rule = rule};
    }
    return false;
}

bool refuse_not_ours(struct refusal *why, const char *rule, uint16_t card, unsigned pile,
                     unsigned seat)
{
    enum refusal_code code =
        pile_is_of_another(pile, seat) ? REFUSAL_NOT_IN_HAND : REFUSAL_NOT_IN_PLAY;
    return refuse_card(why, code, rule, card, 0);
}

const char *refusal_name(unsigned code)
{
    return code < REFUSAL_TOTAL ? NAMES[code] : "none";
}
