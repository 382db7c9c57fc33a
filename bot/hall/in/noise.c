// Noise: what one person makes everybody read has a price (attack G-4.3). For each kind one table
// says how much a person may make, and how much a table's players, or all others there together;
// and how many tables may be opened in a place. Above that nothing is done. Each person who meets
// the bound reads one private sentence with the waiting time, then nothing until it opens again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/hall/in/in.h"

enum { SECOND_MS = 1000, MINUTE_MS = 60000, TIME_SIZE = 64 };

// To the unit that is told, so that nobody comes back too early.
static int64_t rounded_up(int64_t ms)
{
    enum { HOUR_MS = 60 * MINUTE_MS };
    const int64_t unit = ms >= 2 * (int64_t)HOUR_MS     ? HOUR_MS
                         : ms >= 2 * (int64_t)MINUTE_MS ? MINUTE_MS
                                                        : SECOND_MS;
    return (ms + unit - 1) / unit * unit;
}

bool hall_rationed(struct hall *hall, const struct hall_line *line, struct rate_bucket *bucket,
                   const struct rate_rule *rule, enum text_id id, int64_t *told_ms)
{
    const enum rate_result taken = rate_take(bucket, rule, hall->now_ms);
    const bool knows = told_ms != NULL ? *told_ms > hall->now_ms : taken == RATE_HUSH;
    if (taken != RATE_TAKEN && !knows) {
        const struct person person = hall_speaker(hall, line);
        const int64_t wait = rate_open_ms(bucket, rule) - hall->now_ms;
        char name[PERSON_NAME_SIZE];
        char time[TIME_SIZE];
        person_name_make(person.name, name);
        text_time_words(time, sizeof time, rounded_up(wait));
        hall_answer(hall, line, id,
                    TEXT_ARGS(text_str("who", name), text_str("time", time),
                              text_num("n", (long)((wait + SECOND_MS - 1) / SECOND_MS))));
        if (told_ms != NULL) {
            *told_ms = hall->now_ms + wait;
        }
    } else if (taken != RATE_TAKEN) {
        hall_answer_dropped(hall, line);
    }
    hall->stats.rationed += taken != RATE_TAKEN ? 1 : 0;
    return taken != RATE_TAKEN;
}

#define EACH(most, ms) {.burst = (most), .refill_ms = (ms)}

// So many at once, and one more in so long.
static const struct noise {
    struct rate_rule person, table;
} NOISES[NOISE_TOTAL] = {[NOISE_COMING] = {EACH(6, 20000), EACH(12, 10000)},
                         [NOISE_TABLES] = {EACH(8, 30000), EACH(16, 15000)},
                         [NOISE_OPTIONS] = {EACH(24, 5000), EACH(48, 5000)},
                         [NOISE_SEATS] = {EACH(12, 10000), EACH(24, 10000)},
                         [NOISE_PAUSES] = {EACH(4, MINUTE_MS), EACH(8, 30000)},
                         [NOISE_UNDO] = {EACH(6, 20000), EACH(12, 10000)},
                         [NOISE_OFFERS] = {EACH(24, 5000), EACH(48, 5000)},
                         [NOISE_LINKS] = {EACH(4, MINUTE_MS), EACH(8, 30000)}};

// What is opened in one place: a table that was ended is forgotten, and its buckets with it.
// It does not close: two accounts could keep it closed for everybody.
static const struct rate_rule OPENINGS = {.burst = 12, .refill_ms = 30000, .steady = true};

// What noise a line makes, understood or not: who it names may be known at its table only.
static unsigned noise_of(const struct hall_line *line)
{
    if (line->optioned) {
        return NOISE_OPTIONS; // a press each, where a lobby has menus; what opens is bound by `end`
    }
    return line->begins != NULL ? line->begins->noise : NOISE_NONE;
}

bool hall_noise_of_person(struct hall *hall, struct hall_person *person, struct hall_line *line)
{
    line->noise = (uint8_t)noise_of(line);
    return line->noise != NOISE_NONE &&
           hall_rationed(hall, line, &person->noise[line->noise], &NOISES[line->noise].person,
                         TEXT_HALL_NOISE, NULL);
}

// Each who meets the bound is told once.
static bool rationed_here(struct hall *hall, const struct hall_line *line, unsigned noise,
                          struct rate_bucket *bucket, const struct rate_rule *rule)
{
    const uint32_t index = hall_person_of(hall, chat_name(hall->chats[line->chat]), line->in);
    return hall_rationed(hall, line, bucket, rule, TEXT_HALL_NOISE_HERE,
                         index != KEYED_NONE ? &hall->people[index]->told_ms[noise] : NULL);
}

bool hall_noise_of_table(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                         bool plays)
{
    return line->noise != NOISE_NONE &&
           rationed_here(hall, line, line->noise, &table->noise[plays ? 1 : 0][line->noise],
                         &NOISES[line->noise].table);
}

// Where openings at that place are counted. Another place's count is dropped once it says nothing
// any more, or if no such one is near.
static struct hall_noisy *noisy_at(struct hall *hall, uint64_t place)
{
    enum { NEAR = 8 };
    struct hall_noisy *free = &hall->noisy[place % HALL_NOISY_MAX];
    for (unsigned i = 0; i < NEAR; i++) {
        struct hall_noisy *const noisy = &hall->noisy[(place + NEAR - 1 - i) % HALL_NOISY_MAX];
        if (noisy->place == place) {
            return noisy;
        }
        free = rate_is_full(&noisy->opened, hall->now_ms) &&
                       rate_is_full(&noisy->opened_today, hall->now_ms)
                   ? noisy
                   : free;
    }
    *free = (struct hall_noisy){.place = place};
    return free;
}

bool hall_noise_of_place(struct hall *hall, const struct hall_line *line)
{
    char key[HALL_KEY_SIZE];
    const struct hall_policy *const policy = hall->policy;
    const char *const network = chat_name(hall->chats[line->chat]);
    const uint32_t index = hall_person_of(hall, network, line->in);
    hall_key(key, network, line->in->place);
    struct hall_noisy *const noisy = noisy_at(hall, keyed_hash(hall->secret, key, strlen(key)));
    struct hall_person *const person = index != KEYED_NONE ? hall->people[index] : NULL;
    struct rate_bucket nobody = {.full_ms = 0};
    const struct {
        struct rate_bucket *bucket;
        const struct rate_rule *rule;
        enum text_id id;
        bool today;
    } bounds[] = {{person != NULL ? &person->opened_today : &nobody, &policy->person_tables,
                   TEXT_HALL_TABLES_PERSON, true},
                  {&noisy->opened_today, &policy->place_tables, TEXT_HALL_TABLES_HERE, true},
                  {&noisy->opened, &OPENINGS, TEXT_HALL_NOISE_HERE, false}};
    enum { BOUNDS = sizeof bounds / sizeof bounds[0] };
    for (size_t i = 0; i < BOUNDS; i++) { // a table that is not opened takes no token
        int64_t *const told = person == NULL    ? NULL
                              : bounds[i].today ? &person->told_today_ms
                                                : &person->told_ms[NOISE_TABLES];
        if (bounds[i].rule->burst > 0 &&
            rate_open_ms(bounds[i].bucket, bounds[i].rule) > hall->now_ms) {
            return hall_rationed(hall, line, bounds[i].bucket, bounds[i].rule, bounds[i].id, told);
        }
    }
    for (size_t i = 0; i < BOUNDS; i++) {
        if (bounds[i].rule->burst > 0) {
            (void)rate_take(bounds[i].bucket, bounds[i].rule, hall->now_ms);
        }
    }
    return false;
}
