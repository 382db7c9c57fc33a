// What a table plays otherwise than the sheet of its house says.
#include "bot/render/render_impl.h"

enum { HOUSE_RULE_SIZE = 64 };

static const struct {
    enum text_id on, off;
} FLAGS[FLAG_TOTAL] = {
#define FLAG(id, name, c, l, p, s, k, mix, rule)                                                   \
    [FLAG_##id] = {TEXT_HOUSE_##id, TEXT_HOUSE_NO_##id},
#include "core/card/profile_flags.def"
#undef FLAG
};

enum text_id render_house_rule(unsigned flag, bool on)
{
    return on ? FLAGS[flag].on : FLAGS[flag].off;
}

unsigned render_house(const struct profile *profile, struct text_out *out)
{
    struct profile sheet;
    unsigned count = 0;
    profile_make(&sheet, profile->editions, (enum edition)profile->house);
    if (profile->constant[PROFILE_GOAL] != sheet.constant[PROFILE_GOAL]) {
        char goal[HOUSE_RULE_SIZE];
        struct text_out text;
        text_begin(&text, goal, sizeof goal);
        text_put(&text, TEXT_HOUSE_GOAL, TEXT_ARGS(text_num("n", profile->constant[PROFILE_GOAL])));
        text_line(out, TEXT_HOUSE_LINE, TEXT_ARGS(text_str("rule", goal)));
        count++;
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        if (profile->flag[i] != sheet.flag[i]) {
            const enum text_id id = render_house_rule(i, profile->flag[i]);
            text_line(out, TEXT_HOUSE_LINE, TEXT_ARGS(text_str("rule", text_sentence(id))));
            count++;
        }
    }
    return count;
}
