// Controls in one block.
#include <string.h>

#include "bot/chat.h"

static const char *word_of(const char *word)
{
    return word != NULL ? word : "";
}

static size_t size_of(const char *word)
{
    return strlen(word_of(word)) + 1;
}

size_t chat_controls_size(const struct chat_control *controls, size_t count)
{
    size_t size = count * sizeof *controls;
    for (size_t i = 0; i < count; i++) {
        const struct chat_control *const control = &controls[i];
        size += control->choice_count * sizeof *control->choices + size_of(control->label) +
                size_of(control->line) + size_of(control->leads) + size_of(control->opens);
        for (size_t j = 0; j < control->choice_count; j++) {
            const struct chat_choice *const choice = &control->choices[j];
            size += size_of(choice->label) + size_of(choice->hint) + size_of(choice->line) +
                    size_of(choice->leads);
        }
    }
    return size;
}

static const char *put(char **room, const char *word)
{
    const size_t size = size_of(word);
    char *const at = memcpy(*room, word_of(word), size);
    *room += size;
    return at;
}

struct chat_control *chat_controls_copy(void *room, const struct chat_control *controls,
                                        size_t count)
{
    struct chat_control *const copies = room;
    struct chat_choice *choices = (struct chat_choice *)(void *)(copies + count);
    size_t choice_count = 0;
    for (size_t i = 0; i < count; i++) {
        choice_count += controls[i].choice_count;
    }
    char *words = (char *)(choices + choice_count);
    for (size_t i = 0; i < count; i++) {
        copies[i] = controls[i];
        copies[i].label = put(&words, controls[i].label);
        copies[i].line = put(&words, controls[i].line);
        copies[i].leads = put(&words, controls[i].leads);
        copies[i].opens = put(&words, controls[i].opens);
        copies[i].choices = choices;
        for (size_t j = 0; j < controls[i].choice_count; j++) {
            const struct chat_choice *const choice = &controls[i].choices[j];
            choices->label = put(&words, choice->label);
            choices->hint = put(&words, choice->hint);
            choices->line = put(&words, choice->line);
            choices->leads = put(&words, choice->leads);
            choices++;
        }
    }
    return copies;
}
