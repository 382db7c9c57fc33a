#include "adapters/net/sleep.h"

#include <stdlib.h>

#include "core/codec/memory.h"

struct alarm {
    uv_timer_t timer;
    struct fibre *fibre;
    bool rang;
};

static void on_timer(uv_timer_t *timer)
{
    struct alarm *const alarm = timer->data;
    alarm->rang = true;
    fibre_wake(alarm->fibre);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

bool sleep_await(struct fibre *fibre, uv_loop_t *loop, int64_t ms, const bool *enough)
{
    struct alarm *const alarm = mb_new(1, sizeof *alarm);
    bool goes_on = true;
    alarm->fibre = fibre;
    alarm->timer.data = alarm;
    (void)uv_timer_init(loop, &alarm->timer);
    (void)uv_timer_start(&alarm->timer, on_timer, (uint64_t)ms, 0);
    while (goes_on && !alarm->rang && (enough == NULL || !*enough)) {
        goes_on = fibre_wait(fibre);
    }
    uv_close((uv_handle_t *)&alarm->timer, on_closed);
    return goes_on;
}
