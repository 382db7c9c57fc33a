/*
 * Checks of the configuration's values. Each returns NULL, or what is wrong: the end of a sentence
 * that begins with the key. Pure.
 */
#ifndef ADAPTERS_SERVICE_CONFIG_VALUE_H
#define ADAPTERS_SERVICE_CONFIG_VALUE_H

#include <stdbool.h>

#include "adapters/net/net_log.h"

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
const char *config_check_application(const char *value);
/** "@name:server". */
const char *config_check_matrix_id(const char *value);
/** People ("@name:server") and servers, with commas or blanks between them. */
const char *config_check_matrix_names(const char *value);
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
