/*
 * The service's configuration: an INI file, read with libinih. Every problem is named.
 *
 * An absent section turns its adapter off. Unknown sections and keys, duplicate keys, invalid
 * values and features that this version lacks are problems with their line. Secrets never belong
 * here (adapters/service/preparation.h). The environment's MUNCHBOT_STORE overrides `store`.
 */
#ifndef ADAPTERS_SERVICE_CONFIG_H
#define ADAPTERS_SERVICE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/error.h"

#include "bot/hall/hall.h"

#include "adapters/net/net_log.h"

/* Problems in the operator's file. */

enum { PROBLEMS_MAX = 64, PROBLEM_SIZE = 320 };

/** Starts zeroed. */
struct problems {
    size_t count; /**< beyond PROBLEMS_MAX they are only counted */
    char lines[PROBLEMS_MAX][PROBLEM_SIZE];
};

MB_PRINTF(2, 3)
void problems_add(struct problems *problems, const char *format, ...);
/** Prints them on stderr, each after the program's name. */
void problems_print(const struct problems *problems, const char *program);

#define CONFIG_PATH   "/etc/munchbot/munchbot.conf"
#define CONFIG_FOLDER "/var/lib/munchbot"
#define CONFIG_STORE  "sqlite:" CONFIG_FOLDER "/tables.db"

enum config_section {
    CONFIG_MUNCHBOT,
    CONFIG_DISCORD,
    CONFIG_MATRIX,
    CONFIG_HTTP,
    CONFIG_SECTIONS
};

enum config_key {
    CONFIG_MUNCHBOT_STORE,
    CONFIG_MUNCHBOT_PREFIX,
    CONFIG_MUNCHBOT_SETS_PATH,
    CONFIG_MUNCHBOT_LOG,
    CONFIG_MUNCHBOT_LOG_FORMAT,
    CONFIG_MUNCHBOT_RATE,
    CONFIG_MUNCHBOT_PLACE_RATE,
    CONFIG_MUNCHBOT_PERSON_TABLES,
    CONFIG_MUNCHBOT_PLACE_TABLES,
    CONFIG_MUNCHBOT_KEEP,
    CONFIG_DISCORD_APPLICATION_ID,
    CONFIG_DISCORD_TOKEN_FILE,
    CONFIG_DISCORD_API_URL,
    CONFIG_DISCORD_GATEWAY_URL,
    CONFIG_DISCORD_SHARDS,
    CONFIG_DISCORD_ALLOW,
    CONFIG_DISCORD_BLOCK,
    CONFIG_MATRIX_HOMESERVER,
    CONFIG_MATRIX_USER_ID,
    CONFIG_MATRIX_DEVICE_ID,
    CONFIG_MATRIX_TOKEN_FILE,
    CONFIG_MATRIX_CRYPTO_PATH,
    CONFIG_MATRIX_KEYS,
    CONFIG_MATRIX_ENCRYPTION,
    CONFIG_MATRIX_RECOVERY_FILE,
    CONFIG_MATRIX_ALLOW,
    CONFIG_MATRIX_BLOCK,
    CONFIG_MATRIX_PERSON_INVITES,
    CONFIG_MATRIX_INVITES,
    CONFIG_HTTP_LISTEN,
    CONFIG_KEYS
};

enum {
    CONFIG_LINE_MAX = 4096,
    CONFIG_PREFIX_MAX = 32,
    CONFIG_SHARDS_MAX = 4096,
    CONFIG_RATE_MAX = 100,
    CONFIG_INVITES_MAX = 10000,
    CONFIG_TABLES_MAX = 10000,
    CONFIG_KEEP_MAX = 3650,
    CONFIG_PERSON_INVITES = 10,
    CONFIG_INVITES = 200
};

struct config {
    bool on[CONFIG_SECTIONS];
    unsigned section_lines[CONFIG_SECTIONS]; /**< where each begins; 0: absent */
    unsigned lines[CONFIG_KEYS];             /**< where each is; 0: absent */
    char *values[CONFIG_KEYS];               /**< as written; NULL: absent or invalid */
};

/** Reads the whole file and adds every problem, with the file's `name`. Call config_finish(). */
void config_read(struct config *config, FILE *file, const char *name, struct problems *problems);
/** The same for the file at a path; false: it cannot be opened. */
bool config_read_path(struct config *config, const char *path, struct problems *problems);
/** All zero is fine. */
void config_finish(struct config *config);

/** Returns the environment's store, the file's, or CONFIG_STORE; borrowed. */
const char *config_store(const struct config *config);
const char *config_prefix(const struct config *config);
enum net_log_level config_log(const struct config *config);
bool config_log_is_json(const struct config *config);
/** Returns the number that a key gives; 0: it is not set. */
unsigned config_number(const struct config *config, enum config_key key);
/** A hall's limits and lists; they borrow the configuration's texts. */
struct hall_policy config_policy(const struct config *config);

/** Returns a key's name in the file. */
const char *config_key_name(enum config_key key);
enum config_section config_key_section(enum config_key key);

/*
 * Checks of the configuration's values. Each returns NULL, or what is wrong: the end of a sentence
 * that begins with the key. Pure.
 */

typedef const char *config_check_fn(const char *value);

/** "sqlite:PATH" or "postgresql://...". */
const char *config_check_store_url(const char *value);
/** The same without a password. */
const char *config_check_store(const char *value);
/** 1 to 32 small letters, digits, "-" and "_". */
const char *config_check_prefix(const char *value);
/** debug, info, warn, error. */
bool config_level(const char *value, enum net_log_level *out);
const char *config_check_log(const char *value);
const char *config_check_log_format(const char *value);
const char *config_check_keys(const char *value);
/** off, auto, always. */
const char *config_check_encryption(const char *value);
const char *config_check_application(const char *value);
/** "@name:server". */
const char *config_check_matrix_id(const char *value);
/** People ("@name:server"), rooms ("!id:server") and servers, with commas or blanks between them.
 */
const char *config_check_matrix_names(const char *value);
/** Ids of servers, channels and people, with commas or blanks between them. */
const char *config_check_discord_ids(const char *value);
const char *config_check_tables(const char *value);
const char *config_check_keep(const char *value);
const char *config_check_invites(const char *value);
/** An absolute path. */
const char *config_check_path(const char *value);
/** https://, or http:// to this machine itself; no user, no query. */
const char *config_check_http_url(const char *value);
/** wss://, or ws:// to this machine itself; no user. */
const char *config_check_ws_url(const char *value);
const char *config_check_rate(const char *value);
const char *config_check_shards(const char *value);
/** ADDRESS:PORT of this machine itself; the address is one of four numbers. */
const char *config_check_listen(const char *value);

#endif
