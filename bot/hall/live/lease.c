// Of several processes on one store: for which networks and tables this one speaks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/live/live.h"

bool hall_acts(const struct hall *hall, const struct hall_table *table)
{
    return !hall->shared || table->held;
}

bool hall_is_alive(const struct hall *hall)
{
    return !hall->suspects && hall->now_ms - hall->alive_ms <= STORE_LEASE_MS / 2;
}

unsigned hall_chat_index(const struct hall *hall, const struct chat *chat)
{
    unsigned index = 0;
    while (index < hall->chat_count && hall->chats[index] != chat) {
        index++;
    }
    return index;
}

bool hall_speaks_in(const struct hall *hall, const struct chat *chat)
{
    return !hall->shared || (chat_caps(chat) & CHAT_CAP_ONE) == 0 ||
           (hall->speaks >> hall_chat_index(hall, chat) & 1u) != 0;
}

bool hall_may_send(const struct hall *hall, const struct hall_table *table,
                   const struct hall_message *message)
{
    return message->loose || !hall->shared ||
           (hall_is_alive(hall) && table->state != HALL_FETCHING && !table->stale &&
            (table->held || hall_is_answer(message)));
}

bool hall_serves(const struct hall *hall, const struct table *table)
{
    bool any = false;
    bool all = true;
    for (unsigned i = 0; i < table_site_count(table); i++) {
        const struct chat *const chat = hall_chat(hall, table_site_network(table, i));
        any = any || chat != NULL;
        all = all && (chat == NULL || hall_speaks_in(hall, chat));
    }
    return any && all;
}

void hall_networks(const struct hall *hall, char out[HALL_NETWORKS_SIZE])
{
    size_t used = (size_t)snprintf(out, HALL_NETWORKS_SIZE, " ");
    for (unsigned i = 0; i < hall->chat_count; i++) {
        if (hall_speaks_in(hall, hall->chats[i])) {
            used += (size_t)snprintf(out + used, HALL_NETWORKS_SIZE - used, "%s ",
                                     chat_name(hall->chats[i]));
        }
    }
}
