/*
 * Fuzzes what is said in a room: any JSON as an event.
 *
 * Its length says where it is said. Whatever comes: what is heard is one line within its limit,
 * and nothing of the bot's own, of notices, edits or what was taken back; what it says, sent back,
 * has no markup in it but the bot's.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "adapters/matrix/listen/listen.h"
#include "adapters/matrix/say/prose.h"

#include "tests/fuzz/fuzz.h"

enum { HAND = 1, OWN = 2 };

static bool is_own(void *user, const char *id)
{
    (void)id;
    return *(const bool *)user;
}

static bool has_word(const json_t *object, const char *key, const char *word)
{
    const char *const is = wire_word(object, key);
    return is != NULL && strcmp(is, word) == 0;
}

static void check_heard(const struct wire_event *event, const char *line)
{
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    if (strlen(line) >= CHAT_LINE_SIZE || strpbrk(line, "\n\r\t") != NULL) {
        fuzz_fail("no line: %s", line);
    }
    if (strcmp(event->sender, "@bot:hs") == 0 || has_word(event->content, "msgtype", "m.notice") ||
        has_word(relation, "rel_type", "m.replace") || event->redacted) {
        fuzz_fail("heard what is not to be heard: %s", line);
    }
}

// Of all that people typed nothing opens a tag.
static void check_html(const char *html)
{
    static const char *const TAGS[] = {"<b>",     "</b>",  "<br/>", "<i>",   "</i>",
                                       "<ul>",    "</ul>", "<li>",  "</li>", "<code>",
                                       "</code>", "<h4>",  "</h4>"};
    for (const char *at = strchr(html, '<'); at != NULL; at = strchr(at + 1, '<')) {
        size_t i = 0;
        while (i < sizeof TAGS / sizeof *TAGS && strncmp(at, TAGS[i], strlen(TAGS[i])) != 0) {
            i++;
        }
        if (i == sizeof TAGS / sizeof *TAGS) {
            fuzz_fail("somebody's markup: %s", at);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct prose prose;
    char line[CHAT_LINE_SIZE];
    struct wire_event event;
    bool own = (size & OWN) != 0;
    const struct listener listener = {.bot = "@bot:hs",
                                      .name = "Munchbot",
                                      .prefix = "munch",
                                      .hand = (size & HAND) != 0,
                                      .is_own = is_own,
                                      .user = &own};
    json_t *const json = json_loadb((const char *)data, size, 0, NULL);
    if (wire_read(json, &event)) {
        const char *const body = wire_word(event.content, "body");
        if (listen_to(&listener, &event, line) == LISTEN_HEARD) {
            check_heard(&event, line);
        }
        (void)prose_write(body != NULL ? body : "", PROSE_MAX, "...", NULL, 0, &prose);
        check_html(prose.html);
    }
    json_decref(json);
    return 0;
}
