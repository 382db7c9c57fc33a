/*
 * What systemd is told of a service's life: a datagram to $NOTIFY_SOCKET. Without one: nothing.
 */
#ifndef ADAPTERS_SERVICE_NOTIFY_H
#define ADAPTERS_SERVICE_NOTIFY_H

#include <stdint.h>

/** "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."; several with a line's end between. */
void notify_send(const char *state);
/** How often "WATCHDOG=1" is wanted at least, or 0. */
uint64_t notify_watchdog_ms(void);

#endif
