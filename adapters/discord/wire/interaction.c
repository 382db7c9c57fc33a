#include "adapters/discord/wire/interaction.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/discord/wire/frame.h"
#include "adapters/discord/wire/payload.h"

enum { THREAD_FIRST = 10, THREAD_LAST = 12 }; // types of channels
enum { ID_DIGITS = 20, WORKER_BITS = 22, DECIMAL = 10 };

bool discord_is_id(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= ID_DIGITS && text[digits] == '\0';
}

// The moment in an id, in ms since 1970; 0: it is none.
static int64_t discord_id_ms(const char *id)
{
    if (!discord_is_id(id)) {
        return 0;
    }
    return (int64_t)(strtoull(id, NULL, DECIMAL) >> WORKER_BITS) + DISCORD_EPOCH_MS;
}

// A string of an object; "" when it is absent or null; NULL when it is something else.
static const char *word(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);
    return value == NULL || json_is_null(value) ? "" : json_string_value(value);
}

static bool is_id(const json_t *object, const char *key, const char **out)
{
    *out = word(object, key);
    return *out != NULL && discord_is_id(*out);
}

uint64_t discord_permissions(const json_t *object, const char *key)
{
    const char *const bits = word(object, key);
    return bits != NULL && discord_is_id(bits) ? strtoull(bits, NULL, DECIMAL) : 0;
}

// The name that people see: of the server, of the account, or the account's own.
static const char *name_of(const json_t *member, const json_t *user)
{
    const char *const names[] = {word(member, "nick"), word(user, "global_name"),
                                 word(user, "username")};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i] != NULL && names[i][0] != '\0') {
            return names[i];
        }
    }
    return "";
}

static bool read_all(struct interaction *out)
{
    const json_t *const root = out->root;
    const json_t *const member = json_object_get(root, "member");
    const json_t *const user = json_object_get(json_is_object(member) ? member : root, "user");
    const json_t *const channel = json_object_get(root, "channel");
    const json_t *const message = json_object_get(root, "message");
    out->type = (int)json_integer_value(json_object_get(root, "type"));
    out->token = word(root, "token");
    out->guild = word(root, "guild_id");
    const json_int_t kind = json_integer_value(json_object_get(channel, "type"));
    out->thread = kind >= THREAD_FIRST && kind <= THREAD_LAST;
    out->channel_name = word(channel, "name");
    out->above = word(channel, "parent_id");
    out->message = word(message, "id");
    out->newest = word(channel, "last_message_id");
    out->name = name_of(member, user);
    out->data = json_object_get(root, "data");
    out->moderates =
        (discord_permissions(member, "permissions") >> DISCORD_MANAGE_CHANNELS & 1u) != 0;
    out->app_permissions = discord_permissions(root, "app_permissions");
    const bool ids = is_id(root, "id", &out->id) && is_id(root, "channel_id", &out->channel) &&
                     is_id(user, "id", &out->person);
    out->alone = out->guild != NULL &&
                 (out->guild[0] == '\0' ||
                  (json_integer_value(json_object_get(message, "flags")) & PAYLOAD_EPHEMERAL) != 0);
    const bool guild = out->guild != NULL && (out->guild[0] == '\0' || discord_is_id(out->guild));
    out->channel_name = out->channel_name != NULL ? out->channel_name : "";
    out->above = out->above != NULL ? out->above : "";
    out->message = out->message != NULL && discord_is_id(out->message) ? out->message : "";
    out->newest = out->newest != NULL && discord_is_id(out->newest) ? out->newest : "";
    out->at_ms = ids ? discord_id_ms(out->id) : 0;
    return ids && guild && out->token != NULL && out->token[0] != '\0' && json_is_object(out->data);
}

/* What is read of an interaction: a tree is built of that alone. A press brings the whole message
 * that it was made on, a command the server and what is bought there. */
struct wanted {
    const char *key;
    const struct wanted *within; /* NULL: all of it */
};

static const struct wanted USER[] = {
    {"id", NULL}, {"username", NULL}, {"global_name", NULL}, {NULL, NULL}};
static const struct wanted MEMBER[] = {
    {"nick", NULL}, {"permissions", NULL}, {"user", USER}, {NULL, NULL}};
static const struct wanted CHANNEL[] = {
    {"type", NULL}, {"name", NULL}, {"parent_id", NULL}, {"last_message_id", NULL}, {NULL, NULL}};
static const struct wanted MESSAGE[] = {{"id", NULL}, {"flags", NULL}, {NULL, NULL}};
static const struct wanted INTERACTION[] = {
    {"id", NULL},         {"type", NULL},       {"token", NULL},           {"guild_id", NULL},
    {"channel_id", NULL}, {"channel", CHANNEL}, {"member", MEMBER},        {"user", USER},
    {"message", MESSAGE}, {"data", NULL},       {"app_permissions", NULL}, {NULL, NULL}};

struct picking {
    const struct wanted *wanted;
    json_t *object;
};

static bool pick(void *user, const char *key, size_t key_size, const char *value, size_t size);

static json_t *picked(const char *text, size_t size, const struct wanted *wanted)
{
    struct picking picking = {.wanted = wanted, .object = json_object()};
    if (picking.object != NULL && !frame_members(text, size, pick, &picking)) {
        json_decref(picking.object);
        return NULL;
    }
    return picking.object;
}

// Most of an interaction is ids and a token: text that stands there as it is.
static bool is_plain(const char *value, size_t size)
{
    for (size_t i = 1; i + 1 < size; i++) {
        if (value[i] < ' ' || value[i] > '~' || value[i] == '\\') {
            return false;
        }
    }
    return size >= 2 && value[0] == '"';
}

static json_t *read_value(const char *value, size_t size)
{
    return is_plain(value, size)
               ? json_stringn_nocheck(value + 1, size - 2)
               : json_loadb(value, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as what is wanted
static bool pick(void *user, const char *key, size_t key_size, const char *value, size_t size)
{
    const struct picking *const picking = user;
    const struct wanted *wanted = picking->wanted;
    while (wanted->key != NULL &&
           (strlen(wanted->key) != key_size || memcmp(wanted->key, key, key_size) != 0)) {
        wanted++;
    }
    if (wanted->key == NULL) {
        return true;
    }
    if (json_object_get(picking->object, wanted->key) != NULL) {
        return false; // said twice
    }
    json_t *const part = wanted->within != NULL && value[0] == '{'
                             ? picked(value, size, wanted->within)
                             : read_value(value, size);
    return json_object_set_new_nocheck(picking->object, wanted->key, part) == 0;
}

bool interaction_read(const char *text, size_t size, struct interaction *out, struct mb_error *err)
{
    *out = (struct interaction){.root = picked(text, size, INTERACTION)};
    if (out->root == NULL) {
        return mb_fail(err, MB_ERR_INPUT, "an interaction is not a JSON object");
    }
    if (!read_all(out)) {
        interaction_finish(out);
        return mb_fail(err, MB_ERR_INPUT, "an interaction lacks required fields");
    }
    return true;
}

void interaction_finish(struct interaction *interaction)
{
    json_decref(interaction->root);
    *interaction = (struct interaction){.root = NULL};
}
