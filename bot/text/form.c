#include "bot/text/form.h"

#include <assert.h>

#include "bot/text/text.h"

struct form_words form_words(unsigned form)
{
    static const enum text_id WORDS[CHAT_FORM_TOTAL][3] = {
        [CHAT_FORM_LINE] = {TEXT_FORM_LINE, TEXT_FORM_LINE_FIELD, TEXT_FORM_LINE_HINT},
        [CHAT_FORM_CARD] = {TEXT_FORM_CARD, TEXT_FORM_CARD_FIELD, TEXT_FORM_CARD_HINT},
        [CHAT_FORM_WHY] = {TEXT_FORM_WHY, TEXT_FORM_WHY_FIELD, TEXT_FORM_WHY_HINT},
        [CHAT_FORM_RULES] = {TEXT_FORM_RULES, TEXT_FORM_RULES_FIELD, TEXT_FORM_RULES_HINT},
        [CHAT_FORM_OPTIONS] = {TEXT_FORM_OPTIONS, TEXT_FORM_OPTIONS_FIELD, TEXT_FORM_OPTIONS_HINT},
    };
    static const char *const BEFORE[CHAT_FORM_TOTAL] = {[CHAT_FORM_LINE] = "",
                                                        [CHAT_FORM_CARD] = "card ",
                                                        [CHAT_FORM_WHY] = "why ",
                                                        [CHAT_FORM_RULES] = "rules ",
                                                        [CHAT_FORM_OPTIONS] = "new "};
    assert(form < CHAT_FORM_TOTAL);
    return (struct form_words){.title = text_sentence(WORDS[form][0]),
                               .label = text_sentence(WORDS[form][1]),
                               .hint = text_sentence(WORDS[form][2]),
                               .before = BEFORE[form]};
}
