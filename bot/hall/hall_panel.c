// Panels as answers: pages of the speaker's own, in the place of the message that was pressed if
// that was theirs (bot/table/panel.h).
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

bool hall_has_panels(const struct hall *hall, const struct hall_line *line)
{
    return (chat_caps(hall->chats[line->chat]) & CHAT_CAP_BUTTONS) != 0;
}

bool hall_panel(struct hall *hall, const struct hall_table *live, bool will,
                const struct hall_line *line, const char *on_top, struct hall_page *out)
{
    const struct chat_in *const in = line->in;
    const struct person person = hall_speaker(hall, line);
    struct table *const table = will ? live->step->outcome.after : live->table;
    const uint64_t stamp = will ? live->step->outcome.stamp : live->stamp;
    const unsigned seat = table_seat_of(table, &person);
    const struct table_page page = {.seat = seat,
                                    .path = line->leads[0] != '\0' ? line->leads : "a",
                                    .on_top = on_top,
                                    .late_ms = will ? 0 : hall_passed_ms(hall, live)};
    out->said = (struct message_list){.items = NULL};
    if (!table_panel(hall->workspace, table, stamp, &page, &out->said)) {
        return false;
    }
    const struct message *const message = &out->said.items[out->said.count - 1];
    const bool hand = line->own && in->bond.on == CHAT_ON_HAND && seat != NO_SEAT;
    out->words = (struct hall_message){
        .network = person.network,
        .beside = (uint8_t)(hand ? HALL_BOARD_HAND + seat : 0),
        .out = {.kind = CHAT_REPLY,
                .place = in->direct && seat != NO_SEAT ? hall_place_of(table, &person) : in->place,
                .person = in->person,
                .event = in->event,
                .answer = in->answer,
                .text = message->text,
                .controls = message->controls,
                .control_count = message->control_count,
                .path = message->path,
                .anew = line->own,
                .bond = {.on = CHAT_ON_PANEL,
                         .version = message->version,
                         .decision = message->decision}}};
    memcpy(out->words.out.bond.table, table_id(table), sizeof out->words.out.bond.table);
    return true;
}

void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal)
{
    struct hall_page page;
    if (hall_panel(hall, table, false, line, on_top, &page)) {
        struct chat_out *const words = &page.words.out;
        char *const cut = hall_cut(hall->chats[line->chat], CHAT_REPLY, words->text);
        words->text = cut != NULL ? mb_pool_text(message_words(&page.said), cut) : words->text;
        page.words.loose = true;
        words->key = hall_number(hall);
        words->refusal = refusal != NULL && refusal->code != REFUSAL_NONE ? refusal : NULL;
        hall_post(hall, table, hall_message_make(page.said.said, &page.words));
        free(cut);
    } else {
        hall_answer_text(hall, line, on_top, refusal);
    }
    message_list_finish(&page.said);
}
