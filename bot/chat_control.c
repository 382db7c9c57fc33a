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

static const char *word_of(struct mb_pool *pool, const char *word)
{
    return word != NULL && word[0] != '\0' ? mb_pool_text(pool, word) : NULL;
}

static const char *const *words_of(struct mb_pool *pool, const char *const *words, size_t count)
{
    const char **const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = mb_pool_text(pool, words[i]);
    }
    return copies;
}

struct chat_out chat_out_address(struct mb_pool *pool, const struct chat_out *out)
{
    struct chat_out copy = *out;
    copy.place = mb_pool_word(pool, out->place);
    copy.cause = word_of(pool, out->cause);
    copy.person = word_of(pool, out->person);
    copy.event = word_of(pool, out->event);
    copy.answer = word_of(pool, out->answer);
    copy.replaces = word_of(pool, out->replaces);
    copy.moved = word_of(pool, out->moved);
    copy.prompt = word_of(pool, out->prompt);
    copy.path = word_of(pool, out->path);
    copy.story = out->story != NULL ? mb_pool_word(pool, out->story) : NULL;
    copy.kept = out->kept != NULL ? mb_pool_word(pool, out->kept) : NULL;
    copy.pings = words_of(pool, out->pings, out->ping_count);
    copy.asked = words_of(pool, out->asked, out->asked_count);
    if (out->refusal != NULL) {
        struct refusal *const refusal = mb_pool_new(pool, 1, sizeof *refusal);
        *refusal = *out->refusal;
        refusal->rule = mb_pool_word(pool, out->refusal->rule);
        copy.refusal = refusal;
    }
    return copy;
}

struct chat_out chat_out_copy(struct mb_pool *pool, const struct chat_out *out)
{
    struct chat_out copy = chat_out_address(pool, out);
    copy.text = mb_pool_word(pool, out->text);
    copy.controls = chat_controls_copy(pool, out->controls, out->control_count);
    return copy;
}
