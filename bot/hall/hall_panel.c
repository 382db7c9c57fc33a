// Panels as answers: pages of the speaker's own, in the place of the message that was pressed if
// that was theirs (bot/table/panel.h).
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

bool hall_has_panels(const struct hall *hall, const struct hall_line *line)
{
    return (chat_caps(hall->chats[line->chat]) & CHAT_CAP_PANEL) != 0;
}

bool hall_panel(struct hall *hall, struct table *table, uint64_t stamp,
                const struct hall_line *line, const char *on_top, struct message_list *out,
                struct hall_message *words)
{
    const struct chat_in *const in = line->in;
    const struct person person = hall_speaker(hall, line);
    const unsigned seat = table_seat_of(table, &person);
    const char *const path = line->leads[0] != '\0' ? line->leads : "a";
    if (!table_panel(hall->workspace, table, stamp, seat, path, on_top, out)) {
        return false;
    }
    const struct message *const message = &out->items[out->count - 1];
    const bool hand = line->own && in->bond.on == CHAT_ON_HAND && seat != NO_SEAT;
    *words = (struct hall_message){
        .kind = CHAT_REPLY,
        .network = person.network,
        .place = in->place,
        .person = in->person,
        .event = in->event,
        .answer = in->answer,
        .text = message->text,
        .controls = message->controls,
        .control_count = message->control_count,
        .path = message->path,
        .anew = line->own,
        .beside = (uint8_t)(hand ? HALL_BOARD_HAND + seat : 0),
        .bond = {.on = CHAT_ON_PANEL, .version = message->version, .decision = message->decision}};
    memcpy(words->bond.table, table_id(table), sizeof words->bond.table);
    return true;
}

void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal)
{
    struct message_list said = {.items = NULL};
    struct hall_message words;
    struct hall_message *message = NULL;
    char *cut = NULL;
    if (hall_panel(hall, table->table, table->stamp, line, on_top, &said, &words) &&
        hall_cut(hall->chats[line->chat], CHAT_REPLY, words.text, &cut)) {
        words.text = cut != NULL ? cut : words.text;
        words.loose = true;
        words.key = hall_number(hall);
        words.refusal = refusal != NULL ? *refusal : words.refusal;
        message = hall_message_make(&words);
    }
    if (message != NULL) {
        hall_post(hall, table, message);
    } else {
        hall_answer_text(hall, line, on_top, refusal);
    }
    free(cut);
    message_list_finish(&said);
}
