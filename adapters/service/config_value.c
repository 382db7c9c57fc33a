#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

#include "adapters/service/config.h"

enum {
    DIGITS_MIN = 15,
    DIGITS_MAX = 20,
    HOST_SIZE = 256,
    PORT_MAX = 65535,
    DECIMAL = 10,
    MATRIX_ID_MAX = 255
};

static const char DIGITS[] = "0123456789";

static bool begins_with(const char *value, const char *with)
{
    return strncmp(value, with, strlen(with)) == 0;
}

// Whether a PostgreSQL URL holds a password: behind the user's name, or as a parameter.
static bool has_password(const char *url)
{
    const char *const host = strstr(url, "://") + strlen("://");
    const char *const at = strchr(host, '@');
    const char *const slash = strchr(host, '/');
    const bool user = at != NULL && (slash == NULL || at < slash);
    const char *const colon = strchr(host, ':');
    return (user && colon != NULL && colon < at) || strstr(url, "password=") != NULL;
}

const char *config_check_store_url(const char *value)
{
    static const char SQLITE[] = "sqlite:";
    if (begins_with(value, SQLITE) && value[strlen(SQLITE)] != '\0') {
        return NULL;
    }
    return begins_with(value, "postgresql://") || begins_with(value, "postgres://")
               ? NULL
               : "is not a store: use \"sqlite:PATH\" or \"postgresql://USER@HOST/DATABASE\"";
}

const char *config_check_store(const char *value)
{
    const char *const fault = config_check_store_url(value);
    if (fault != NULL || begins_with(value, "sqlite:")) {
        return fault;
    }
    return has_password(value) ? "contains a password, which does not belong in this file: set "
                                 "MUNCHBOT_STORE, or use a PostgreSQL password file"
                               : NULL;
}

const char *config_check_prefix(const char *value)
{
    const size_t length = strlen(value);
    return length > 0 && length <= CONFIG_PREFIX_MAX &&
                   strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-_") == length
               ? NULL
               : "is not a command name: use 1 to 32 of a-z, 0-9, \"-\" and \"_\"";
}

bool config_level(const char *value, enum net_log_level *out)
{
    static const char *const LEVELS[] = {[NET_LOG_DEBUG] = "debug",
                                         [NET_LOG_INFO] = "info",
                                         [NET_LOG_WARN] = "warn",
                                         [NET_LOG_ERROR] = "error"};
    for (unsigned i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++) {
        if (strcmp(value, LEVELS[i]) == 0) {
            *out = (enum net_log_level)i;
            return true;
        }
    }
    return false;
}

const char *config_check_log_format(const char *value)
{
    return strcmp(value, "logfmt") == 0 || strcmp(value, "json") == 0
               ? NULL
               : "is not a format of the log: use logfmt or json";
}

const char *config_check_keys(const char *value)
{
    return strcmp(value, "signed") == 0 || strcmp(value, "all") == 0
               ? NULL
               : "does not name devices: use signed or all";
}

const char *config_check_encryption(const char *value)
{
    return strcmp(value, "off") == 0 || strcmp(value, "auto") == 0 || strcmp(value, "always") == 0
               ? NULL
               : "does not say which rooms are encrypted: use off, auto or always";
}

const char *config_check_log(const char *value)
{
    enum net_log_level level = NET_LOG_INFO;
    return config_level(value, &level) ? NULL
                                       : "is not a log level: use debug, info, warn or error";
}

const char *config_check_application(const char *value)
{
    const size_t length = strlen(value);
    return length >= DIGITS_MIN && length <= DIGITS_MAX && strspn(value, DIGITS) == length
               ? NULL
               : "is not an application id: use the 15 to 20 digits under \"General Information\" "
                 "in the developer portal";
}

const char *config_check_path(const char *value)
{
    return value[0] == '/' && value[1] != '\0' ? NULL
                                               : "is not an absolute path: begin it with \"/\"";
}

// Whether a host is this machine: "localhost", 127.x.x.x, "::1".
static bool config_is_loopback(const char *host)
{
    struct in_addr four;
    struct in6_addr six;
    enum { FIRST = 127, SHIFT = 24 };
    if (inet_pton(AF_INET, host, &four) == 1) {
        return ntohl(four.s_addr) >> SHIFT == FIRST;
    }
    return (inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six)) ||
           strcmp(host, "localhost") == 0;
}

// "host", "host:port", "[six]:port" up to `size` bytes: the host, without brackets. False: none.
static bool split_host(const char *from, size_t size, char host[HOST_SIZE], const char **port)
{
    const char *const end = from + size;
    const bool six = size > 0 && from[0] == '[';
    const char *const stop = six        ? memchr(from, ']', size)
                             : size > 0 ? memchr(from, ':', size)
                                        : NULL;
    const char *const last = stop != NULL ? stop : end;
    const char *const first = from + (six ? 1 : 0);
    if ((six && stop == NULL) || last <= first || last - first >= HOST_SIZE) {
        return false;
    }
    (void)snprintf(host, HOST_SIZE, "%.*s", (int)(last - first), first);
    *port = six ? stop + 1 : last;
    return *port == end || **port == ':';
}

static bool is_port(const char *text, size_t size)
{
    char *end = NULL;
    const long port = size > 1 && text[0] == ':' ? strtol(text + 1, &end, DECIMAL) : 0;
    return port > 0 && port <= PORT_MAX && strspn(text + 1, DIGITS) == size - 1 &&
           end == text + size;
}

static const char *check_url(const char *value, const char *safe, const char *plain,
                             const char *wrong, const char *bare)
{
    char host[HOST_SIZE];
    const char *port = NULL;
    const bool open = begins_with(value, plain);
    if (!open && !begins_with(value, safe)) {
        return wrong;
    }
    const char *const from = value + strlen(open ? plain : safe);
    const size_t size = strcspn(from, "/?#");
    if (strpbrk(from, "?#@ \t\"'\\") != NULL || !split_host(from, size, host, &port) ||
        (port < from + size && !is_port(port, (size_t)(from + size - port)))) {
        return "is not a URL like scheme://host[:port][/path]";
    }
    return open && !config_is_loopback(host) ? bare : NULL;
}

const char *config_check_http_url(const char *value)
{
    return check_url(value, "https://", "http://", "is not a URL: begin it with https://",
                     "is unencrypted to another machine: use https://");
}

const char *config_check_ws_url(const char *value)
{
    return check_url(value, "wss://", "ws://", "is not a URL: begin it with wss://",
                     "is unencrypted to another machine: use wss://");
}

static bool is_number(const char *value, long most)
{
    const size_t length = strlen(value);
    const long number = strtol(value, NULL, DECIMAL);
    return length > 0 && strspn(value, DIGITS) == length && number >= 1 && number <= most;
}

const char *config_check_matrix_id(const char *value)
{
    return value[0] == '@' && strchr(value, ':') != NULL && strlen(value) <= MATRIX_ID_MAX
               ? NULL
               : "is not a Matrix id: use one like @munchbot:example.org";
}

const char *config_check_rate(const char *value)
{
    return is_number(value, CONFIG_RATE_MAX) ? NULL : "is not a number of commands: use 1 to 100";
}

const char *config_check_shards(const char *value)
{
    return is_number(value, CONFIG_SHARDS_MAX) ? NULL
                                               : "is not a number of shards: use 1 to 4096, or "
                                                 "remove it for Discord's recommendation";
}

const char *config_check_invites(const char *value)
{
    return is_number(value, CONFIG_INVITES_MAX)
               ? NULL
               : "is not a number of invitations a day: use 1 to 10000";
}

const char *config_check_tables(const char *value)
{
    return is_number(value, CONFIG_TABLES_MAX) ? NULL
                                               : "is not a number of tables a day: use 1 to 10000, "
                                                 "or remove it for as many as people like";
}

const char *config_check_keep(const char *value)
{
    return is_number(value, CONFIG_KEEP_MAX)
               ? NULL
               : "is not a number of days: use 1 to 3650, or remove it to keep the last 1024 games "
                 "of each server or room";
}

// Whether each word of a list is one that it may hold.
static bool lists(const char *value, bool (*holds)(const char *word, size_t length))
{
    static const char BETWEEN[] = ", \t";
    const char *at = value + strspn(value, BETWEEN);
    bool good = *at != '\0';
    while (good && *at != '\0') {
        const size_t length = strcspn(at, BETWEEN);
        good = holds(at, length);
        at += length;
        at += strspn(at, BETWEEN);
    }
    return good;
}

static bool is_matrix_name(const char *word, size_t length)
{
    const char *const colon = memchr(word, ':', length);
    return word[0] != '@' || (colon != NULL && colon > word + 1 && colon + 1 < word + length);
}

const char *config_check_matrix_names(const char *value)
{
    return lists(value, is_matrix_name) ? NULL
                                        : "is not a list of people (@name:server), rooms "
                                          "(!id:server) or servers with commas between them";
}

static bool is_discord_id(const char *word, size_t length)
{
    return length >= DIGITS_MIN && length <= DIGITS_MAX && strspn(word, DIGITS) >= length;
}

const char *config_check_discord_ids(const char *value)
{
    return lists(value, is_discord_id) ? NULL
                                       : "is not a list of servers, channels or people by their "
                                         "ids (15 to 20 digits) with commas between them";
}

const char *config_check_listen(const char *value)
{
    char host[HOST_SIZE];
    const char *port = NULL;
    const size_t size = strlen(value);
    if (!split_host(value, size, host, &port) || !is_port(port, (size_t)(value + size - port))) {
        return "is not an address to listen on: use 127.0.0.1:9464";
    }
    return config_is_loopback(host) && strchr(host, ':') == NULL
               ? NULL
               : "is open to other machines: use 127.0.0.1:PORT, and a proxy if others must see it";
}
