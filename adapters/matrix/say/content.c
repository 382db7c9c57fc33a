#include "adapters/matrix/say/content.h"

#include <stdlib.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

#include "adapters/matrix/say/prose.h"

static json_t *mentions(const struct content_said *said)
{
    json_t *const mentions = json_object();
    json_t *const ids = json_array();
    for (size_t i = 0; i < said->called_count; i++) {
        (void)json_array_append_new(ids, json_string(said->called[i]));
    }
    if (said->called_count > 0) {
        (void)json_object_set(mentions, "user_ids", ids);
    }
    json_decref(ids);
    return mentions;
}

static json_t *simple(const struct content_said *said, const struct prose *prose,
                      const char *before)
{
    return json_pack("{s:s, s:s+, s:s, s:s+, s:o}", "msgtype",
                     said->counts || said->called_count > 0 ? "m.text" : "m.notice", "body", before,
                     prose->body, "format", "org.matrix.custom.html", "formatted_body", before,
                     prose->html, "m.mentions", mentions(said));
}

json_t *content_message(const struct content_said *said)
{
    struct prose *const prose = mb_new(1, sizeof *prose);
    struct prose_called called[PROSE_CALLED_MAX];
    const size_t count =
        said->called_count < PROSE_CALLED_MAX ? said->called_count : (size_t)PROSE_CALLED_MAX;
    for (size_t i = 0; i < count; i++) {
        called[i] = (struct prose_called){.name = said->names[i], .id = said->called[i]};
    }
    (void)prose_write(said->text, text_sentence(TEXT_HALL_REST), called, count, prose);
    json_t *content = simple(said, prose, said->replaces != NULL ? "* " : "");
    if (said->replaces != NULL) {
        (void)json_object_set_new(content, "m.new_content", simple(said, prose, ""));
        (void)json_object_set_new(
            content, "m.relates_to",
            json_pack("{s:s, s:s}", "rel_type", "m.replace", "event_id", said->replaces));
    } else if (said->answers != NULL) {
        (void)json_object_set_new(
            content, "m.relates_to",
            json_pack("{s:{s:s}}", "m.in_reply_to", "event_id", said->answers));
    }
    (void)json_object_set_new(content, CONTENT_TXN, json_string(said->txn));
    free(prose);
    return content;
}
