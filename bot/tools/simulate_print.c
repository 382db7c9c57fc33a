// The figures of a simulation, for people and as JSON.
#include <inttypes.h>

#include "core/game.h"

#include "bot/tools/simulate.h"

static double per(double amount, double of)
{
    return of > 0 ? amount / of : 0;
}

// By hand: the object holds numbers and names of policies only, and a seed of 64 bits is more than
// the JSON library can hold.
static void print_json(const struct simulate_setup *setup, const struct simulate_result *result,
                       FILE *to)
{
    const double decisions = (double)result->decisions;
    (void)fprintf(to, "{\n  \"games\": %lu,\n  \"finished\": %lu,\n  \"decisions\": %llu,\n",
                  result->games, result->finished, result->decisions);
    (void)fprintf(to, "  \"seconds\": %.6f,\n  \"decisions_per_second\": %.1f,\n", result->seconds,
                  per(decisions, result->seconds));
    (void)fprintf(to, "  \"moves_per_decision\": %.3f,\n  \"games_per_second\": %.3f,\n",
                  per((double)result->moves, decisions),
                  per((double)result->games, result->seconds));
    (void)fprintf(to,
                  "  \"rounds\": {\"min\": %" PRIu32 ", \"median\": %" PRIu32 ", \"p90\": %" PRIu32
                  ", \"max\": %" PRIu32 "},\n",
                  result->rounds_min, result->rounds_median, result->rounds_p90,
                  result->rounds_max);
    (void)fputs("  \"wins_by_seat\": [", to);
    for (unsigned i = 0; i < setup->players; i++) {
        (void)fprintf(to, "%s%lu", i > 0 ? ", " : "", result->wins_by_seat[i]);
    }
    (void)fputs("],\n  \"wins_by_policy\": {", to);
    for (unsigned i = 0; i < result->policy_count; i++) {
        (void)fprintf(to, "%s\"%s\": %lu", i > 0 ? ", " : "", result->wins_by_policy[i].name,
                      result->wins_by_policy[i].wins);
    }
    (void)fprintf(to, "},\n  \"deaths\": %llu,\n  \"violations\": %lu,\n", result->deaths,
                  result->violations);
    (void)fprintf(to, "  \"state_bytes\": %zu,\n  \"seed\": %" PRIu64, game_size(), setup->seed);
    if (setup->balance != NULL) {
        (void)fputs(",\n  \"balance\": ", to);
        balance_print_json(setup->balance, setup->catalog, to);
    }
    (void)fputs("\n}\n", to);
}

static void print_text(const struct simulate_setup *setup, const struct simulate_result *result,
                       FILE *to)
{
    const double decisions = (double)result->decisions;
    (void)fprintf(to, "%lu games, %lu finished, %llu decisions in %.2f s\n", result->games,
                  result->finished, result->decisions, result->seconds);
    (void)fprintf(to, "%.0f decisions/s, %.1f moves listed a decision, %.1f games/s\n",
                  per(decisions, result->seconds), per((double)result->moves, decisions),
                  per((double)result->games, result->seconds));
    (void)fprintf(to, "rounds: %u to %u, median %u, 90%% within %u\n", (unsigned)result->rounds_min,
                  (unsigned)result->rounds_max, (unsigned)result->rounds_median,
                  (unsigned)result->rounds_p90);
    (void)fputs("wins by seat:", to);
    for (unsigned i = 0; i < setup->players; i++) {
        (void)fprintf(to, " %lu", result->wins_by_seat[i]);
    }
    (void)fputs("; by policy:", to);
    for (unsigned i = 0; i < result->policy_count; i++) {
        (void)fprintf(to, " %s %lu", result->wins_by_policy[i].name,
                      result->wins_by_policy[i].wins);
    }
    (void)fprintf(to, "\n%llu deaths, %lu violations, a state takes %zu bytes\n", result->deaths,
                  result->violations, game_size());
}

void simulate_print(const struct simulate_setup *setup, const struct simulate_result *result,
                    bool json, FILE *to)
{
    if (json) {
        print_json(setup, result, to);
        return;
    }
    print_text(setup, result, to);
    if (setup->balance != NULL) {
        balance_print(setup->balance, setup->catalog, to);
    }
}
