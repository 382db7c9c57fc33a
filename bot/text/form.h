/*
 * The words of forms: what they ask for, and the line that is made of what is typed.
 */
#ifndef BOT_TEXT_FORM_H
#define BOT_TEXT_FORM_H

#include "bot/chat.h"

/** What a form says above itself, beside its field and in it while that is empty; and the line that
 * comes of it: `before`, and what was written. */
struct form_words {
    const char *title, *label, *hint, *before;
};

/** Of an enum chat_form. */
struct form_words form_words(unsigned form);

#endif
