#include "tests/support/shown.h"

#include <string.h>

#include "tests/support/says.h"

const struct fake_message *shown(const struct chat *chat, const char *person, enum text_id id,
                                 const struct text_arg *args)
{
    for (size_t i = fake_count(chat); i > 0; i--) {
        const struct fake_message *const message = fake_message(chat, i - 1);
        if (strcmp(message->person, person != NULL ? person : "") == 0 &&
            says(message->text, id, args)) {
            return message;
        }
    }
    return NULL;
}
