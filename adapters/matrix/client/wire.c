#include "adapters/matrix/client/wire.h"

#include <stdlib.h>
#include <string.h>

#include "bot/chat.h"

const char *wire_word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

const char *wire_id(const json_t *object, const char *key)
{
    const char *const word = wire_word(object, key);
    return word != NULL && word[0] != '\0' && strlen(word) < CHAT_ID_SIZE ? word : NULL;
}

int64_t wire_number(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *const value = json_object_get(object, key);
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
    if (json_is_string(value)) {
        char *end = NULL;
        const long long number = strtoll(json_string_value(value), &end, 10);
        return *end == '\0' && end != json_string_value(value) ? number : otherwise;
    }
    return otherwise;
}

bool wire_read(const json_t *json, struct wire_event *out)
{
    const json_t *const told = json_object_get(json, "unsigned");
    const char *const id = wire_id(json, "event_id");
    const char *const redacts = wire_id(json, "redacts"); // in rooms before version 11
    *out = (struct wire_event){.id = id != NULL ? id : "",
                               .type = wire_word(json, "type"),
                               .sender = wire_id(json, "sender"),
                               .state_key = wire_word(json, "state_key"),
                               .content = json_object_get(json, "content"),
                               .was = json_object_get(told, "prev_content"),
                               .age_ms = wire_number(told, "age", -1),
                               .sent_ms = wire_number(json, "origin_server_ts", 0),
                               .redacted = json_object_get(told, "redacted_because") != NULL};
    out->redacts = redacts != NULL ? redacts : wire_id(out->content, "redacts");
    return out->type != NULL && out->sender != NULL && json_is_object(out->content);
}
