#include "bot/table/controls.h"

#include <string.h>

#include "core/seen/moves.h"

#include "bot/parse/parse.h"
#include "bot/text/text.h"

enum { LINE_SIZE = CHAT_LINE_SIZE };

static const char *keep(struct control_list *list, const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length >= most) {
        length = most - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0u) == 0x80u) {
            length--;
        }
    }
    if (list->used + length + 1 > sizeof list->text) {
        return NULL;
    }
    char *const at = list->text + list->used;
    memcpy(at, text, length);
    at[length] = '\0';
    list->used += length + 1;
    return at;
}

void controls_begin(struct control_list *list)
{
    list->count = 0;
    list->used = 0;
}

void controls_add(struct control_list *list, const char *label, const char *line)
{
    const size_t used = list->used;
    const char *const kept_label = keep(list, label, CHAT_LABEL_SIZE);
    const char *const kept_line = strlen(line) < LINE_SIZE ? keep(list, line, LINE_SIZE) : NULL;
    if (list->count == CHAT_CONTROLS_MAX || kept_label == NULL || kept_line == NULL) {
        list->used = used;
        return;
    }
    list->items[list->count++] = (struct chat_control){.label = kept_label, .line = kept_line};
}

static bool anybody_may(const struct table_words *words, unsigned seats, enum verb verb)
{
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const struct command command = command_plain(seat, verb);
        struct refusal why = {0};
        if ((seats & seat_bit(seat)) != 0 && game_check(words->view, words->box, &command, &why)) {
            return true;
        }
    }
    return false;
}

void controls_public(const struct table_words *words, unsigned seats, struct control_list *out)
{
    static const struct {
        enum verb verb;
        enum text_id label;
        const char *line;
    } BARE[] = {
        {VERB_KICK, TEXT_CONTROL_KICK, "kick"},       {VERB_TAKE, TEXT_CONTROL_TAKE, "take"},
        {VERB_LOOT, TEXT_CONTROL_LOOT, "loot"},       {VERB_RUN, TEXT_CONTROL_RUN, "run"},
        {VERB_PASS, TEXT_CONTROL_PASS, "pass"},       {VERB_HOLD, TEXT_CONTROL_HOLD, "hold"},
        {VERB_ACCEPT, TEXT_CONTROL_ACCEPT, "accept"}, {VERB_REFUSE, TEXT_CONTROL_REFUSE, "refuse"},
        {VERB_DONE, TEXT_CONTROL_DONE, "done"},
    };
    for (size_t i = 0; i < sizeof BARE / sizeof BARE[0]; i++) {
        if (anybody_may(words, seats, BARE[i].verb)) {
            controls_add(out, text_sentence(BARE[i].label), BARE[i].line);
        }
    }
}

// What stands beside a hand, the most pressing first.
static const uint8_t PRIVATE[] = {VERB_CHOOSE,    VERB_ACCEPT, VERB_REFUSE,  VERB_FIGHT,
                                  VERB_PLAY,      VERB_USE,    VERB_CHARITY, VERB_DISCARD,
                                  VERB_SACRIFICE, VERB_SELL};

bool controls_are_private(unsigned verb)
{
    return memchr(PRIVATE, (int)verb, sizeof PRIVATE) != NULL;
}

void controls_private(const struct table_words *words, const struct move_list *moves,
                      struct control_list *out)
{
    for (size_t verb = 0; verb < sizeof PRIVATE; verb++) {
        for (uint32_t i = 0; i < moves->count && out->count < CHAT_CONTROLS_MAX; i++) {
            char line[LINE_SIZE];
            if (moves->items[i].command.verb == PRIVATE[verb]) {
                (void)parse_format(words, &moves->items[i].command, line, sizeof line);
                controls_add(out, line, line);
            }
        }
    }
}
