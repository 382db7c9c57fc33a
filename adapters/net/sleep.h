/*
 * A fibre that rests for a time (bot/fibre.h).
 */
#ifndef ADAPTERS_NET_SLEEP_H
#define ADAPTERS_NET_SLEEP_H

#include <stdint.h>

#include <uv.h>

#include "bot/fibre.h"

/** Rests so long, or until it is woken when `*enough` (or NULL) has become true. False: its owner
 * stops. */
MB_MUST_CHECK
bool sleep_await(struct fibre *fibre, uv_loop_t *loop, int64_t ms, const bool *enough);

#endif
