#include "adapters/matrix/listen/pills.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bot/chat.h"

#include "adapters/matrix/client/wire.h"

/* A link to a person, as the formatted body has it. */
struct pill {
    char id[CHAT_ID_SIZE], shown[CHAT_NAME_SIZE];
};

static int digit_of(char digit)
{
    static const char DIGITS[] = "0123456789abcdef0123456789ABCDEF";
    enum { BASE = 16 };
    const char *const at = digit != '\0' ? strchr(DIGITS, digit) : NULL;
    return at != NULL ? (int)((at - DIGITS) % BASE) : -1;
}

// An id as links write it, up to what ends it; false: it is none of a person.
static bool read_id(const char *at, char out[CHAT_ID_SIZE])
{
    size_t length = 0;
    while (*at != '\0' && strchr("\"'?&<>", *at) == NULL && length + 1 < CHAT_ID_SIZE) {
        const bool escaped = *at == '%' && digit_of(at[1]) >= 0 && digit_of(at[2]) >= 0;
        out[length++] = (char)(escaped ? digit_of(at[1]) * 16 + digit_of(at[2]) : *at);
        at += escaped ? 3 : 1;
    }
    out[length] = '\0';
    return out[0] == '@' && strchr(out, ':') != NULL && strpbrk(out, " /\n") == NULL;
}

// What stands between a link's tags, entities as what they are.
static void read_shown(const char *at, char out[CHAT_NAME_SIZE])
{
    static const struct {
        const char *written;
        char meant;
    } ENTITIES[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    size_t length = 0;
    while (*at != '\0' && *at != '<' && length + 1 < CHAT_NAME_SIZE) {
        char byte = *at;
        size_t used = 1;
        for (size_t i = 0; byte == '&' && i < sizeof ENTITIES / sizeof *ENTITIES; i++) {
            const size_t size = strlen(ENTITIES[i].written);
            if (strncmp(at, ENTITIES[i].written, size) == 0) {
                byte = ENTITIES[i].meant;
                used = size;
                break;
            }
        }
        out[length++] = byte;
        at += used;
    }
    out[length] = '\0';
}

// The next link to a person; NULL: there is none. Returns where to go on.
static const char *next_pill(const char *html, struct pill *out)
{
    static const char LINK[] = "https://matrix.to/#/";
    for (const char *at = strstr(html, LINK); at != NULL; at = strstr(at, LINK)) {
        at += strlen(LINK);
        const char *const end = strchr(at, '>');
        if (end == NULL) {
            return NULL;
        }
        if (read_id(at, out->id)) {
            read_shown(end + 1, out->shown);
            if (out->shown[0] != '\0') {
                return end + 1;
            }
        }
    }
    return NULL;
}

void pills_write(const json_t *content, char *out, size_t size)
{
    const char *body = wire_word(content, "body");
    const char *html = wire_word(content, "formatted_body");
    struct pill pill;
    size_t length = 0;
    for (html = html != NULL ? next_pill(html, &pill) : NULL; html != NULL && body != NULL;
         html = next_pill(html, &pill)) {
        const char *const at = strstr(body, pill.shown);
        if (at == NULL || length >= size) {
            continue;
        }
        length += (size_t)snprintf(out + length, size - length, "%.*s%s", (int)(at - body), body,
                                   pill.id);
        body = at + strlen(pill.shown);
    }
    if (length < size) {
        (void)snprintf(out + length, size - length, "%s", body != NULL ? body : "");
    }
}
