#include "bot/chat.h"

static struct chat_choice *copy_choices(struct mb_pool *pool, const struct chat_choice *choices,
                                        size_t count)
{
    struct chat_choice *const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = choices[i];
        copies[i].label = mb_pool_word(pool, choices[i].label);
        copies[i].hint = mb_pool_word(pool, choices[i].hint);
        copies[i].line = mb_pool_word(pool, choices[i].line);
        copies[i].leads = mb_pool_word(pool, choices[i].leads);
    }
    return copies;
}

struct chat_control *chat_controls_copy(struct mb_pool *pool, const struct chat_control *controls,
                                        size_t count)
{
    struct chat_control *const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = controls[i];
        copies[i].label = mb_pool_word(pool, controls[i].label);
        copies[i].line = mb_pool_word(pool, controls[i].line);
        copies[i].leads = mb_pool_word(pool, controls[i].leads);
        copies[i].opens = mb_pool_word(pool, controls[i].opens);
        copies[i].choices = copy_choices(pool, controls[i].choices, controls[i].choice_count);
    }
    return copies;
}
