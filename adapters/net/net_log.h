/*
 * What adapters of networks tell the operator: events, each a word with one line about it.
 *
 * An event is a short word that stays the same ("gateway-lost"); the text says what a person can do
 * about it. Neither ever holds a token, a hand or a person's words.
 */
#ifndef ADAPTERS_NET_NET_LOG_H
#define ADAPTERS_NET_NET_LOG_H

enum net_log_level { NET_LOG_DEBUG, NET_LOG_INFO, NET_LOG_WARN, NET_LOG_ERROR };

/** On the loop thread; words are borrowed during the call. */
typedef void net_log_fn(void *user, enum net_log_level level, const char *event, const char *text);

#endif
