// The figures of a simulation and its balance, for people and as JSON.
#include <inttypes.h>
#include <stdlib.h>

#include "core/codec/memory.h"
#include "core/game.h"

#include "bot/tools/simulate.h"

enum { TOP = 15, BOTTOM = 10, DEADLIEST = 8 };

static const char *const REASONS[BALANCE_REASONS] = {
    [LEVEL_CARD] = "cards",   [LEVEL_KILL] = "kills",          [LEVEL_SALE] = "sales",
    [LEVEL_HELP] = "helping", [LEVEL_BAD_STUFF] = "Bad Stuff", [LEVEL_CURSE] = "Curses",
    [LEVEL_THEFT] = "Theft",  [LEVEL_PAID] = "paid",
};

struct ranked {
    unsigned def;
    unsigned long by; // tenths of a percent, or a number
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    if (left->by != right->by) {
        return left->by < right->by ? 1 : -1;
    }
    return (left->def > right->def) - (left->def < right->def);
}

// The cards that were in play of one seat often enough, the best first.
static struct ranked *rank_cards(const struct balance *balance, size_t *count)
{
    struct ranked *list = mb_new(balance->box->def_count + 1u, sizeof *list);
    *count = 0;
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        const struct balance_card *card = &balance->cards[def];
        if (card->games >= BALANCE_GAMES_MIN) {
            list[(*count)++] =
                (struct ranked){.def = def, .by = balance_share(card->wins, card->games)};
        }
    }
    qsort(list, *count, sizeof *list, compare_ranked);
    return list;
}

static void print_shares(const char *head, const unsigned long *parts, unsigned count,
                         unsigned long of, FILE *to)
{
    (void)fprintf(to, "%-14s", head);
    for (unsigned i = 0; i < count; i++) {
        const unsigned share = balance_share(parts[i], of);
        (void)fprintf(to, "%s%lu (%u.%u %%)", i > 0 ? ", " : "", parts[i], share / 10, share % 10);
    }
    (void)fputc('\n', to);
}

static void print_per_game(const char *what, unsigned long number, unsigned long games, FILE *to)
{
    const unsigned long tenths = games > 0 ? (number * 10 + games / 2) / games : 0;
    (void)fprintf(to, "%s%lu.%lu", what, tenths / 10, tenths % 10);
}

static void print_levels(const struct balance *balance, FILE *to)
{
    (void)fprintf(to, "%-14s", "losers end");
    const char *comma = "";
    for (unsigned level = 0; level < BALANCE_LEVELS; level++) {
        if (balance->losers_by_level[level] > 0) {
            const unsigned share = balance_share(balance->losers_by_level[level],
                                                 balance->games * balance->players - balance->wins);
            (void)fprintf(to, "%sLevel %u: %u.%u %%", comma, level, share / 10, share % 10);
            comma = ", ";
        }
    }
    (void)fprintf(to, "\n%-14s", "Levels");
    comma = "";
    for (unsigned why = 0; why < BALANCE_REASONS; why++) {
        if (balance->gained[why] > 0 || balance->lost[why] > 0) {
            (void)fprintf(to, "%s%s", comma, REASONS[why]);
            print_per_game(" +", balance->gained[why], balance->games, to);
            print_per_game(" -", balance->lost[why], balance->games, to);
            comma = ", ";
        }
    }
    (void)fputs(" a game\n", to);
}

static void print_fights(const struct balance *balance, FILE *to)
{
    (void)fprintf(to, "%-14s", "fights");
    print_per_game("won alone ", balance->fights_alone, balance->games, to);
    print_per_game(", won with help ", balance->fights_helped, balance->games, to);
    print_per_game(", fled ", balance->fights_fled, balance->games, to);
    print_per_game(", deaths ", balance->deaths, balance->games, to);
    (void)fputs(" a game\n", to);
}

static void print_bargains(const struct balance *balance, FILE *to)
{
    const struct bargains *const bargains = &balance->bargains;
    const unsigned share = balance_share(bargains->declined + bargains->haggled, bargains->asked);
    (void)fprintf(
        to,
        "%-14s%lu answered, %lu declined, %lu haggled over (%u.%u %% of them); %lu offers "
        "to help, %lu taken; %lu bribes, %lu taken\n%-14s",
        "requests", bargains->asked, bargains->declined, bargains->haggled, share / 10, share % 10,
        bargains->volunteered, bargains->hired, bargains->bribes, bargains->bribed, "help costs");
    for (unsigned price = 0; price < BARGAINS_PRICES; price++) {
        (void)fprintf(to, "%s%u: %lu", price > 0 ? ", " : "", price, bargains->price[price]);
    }
    (void)fputs(" Treasures\n", to);
}

static void print_finals(const struct balance *balance, FILE *to)
{
    const struct finals *const finals = &balance->finals;
    const unsigned share = balance_share(finals->open_left + finals->held_left, finals->won);
    (void)fprintf(to,
                  "%-14s%lu reached, %lu won; %lu of them although a one-shot in play would have "
                  "stopped it, %lu a card held (%u.%u %%)\n",
                  "finals", finals->reached, finals->won, finals->open_left, finals->held_left,
                  share / 10, share % 10);
}

static void print_pairs(const struct balance *balance, const struct catalog *catalog, FILE *to)
{
    (void)fprintf(to, "%-14s", "pairs meet");
    for (unsigned i = 0; i < balance->pairs.count; i++) {
        const struct pair *const pair = &balance->pairs.items[i];
        const unsigned share = balance_share(pair->games, balance->games);
        (void)fprintf(to, "%s%s with %s %u.%u %%", i > 0 ? ", " : "",
                      catalog_name(catalog, pair->def), catalog_name(catalog, pair->named),
                      share / 10, share % 10);
    }
    (void)fputs(" of the games\n", to);
}

static void print_killers(const struct balance *balance, const struct catalog *catalog, FILE *to)
{
    struct ranked *list = mb_new(balance->box->def_count + 1u, sizeof *list);
    size_t count = 0;
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        if (balance->cards[def].deaths > 0) {
            list[count++] = (struct ranked){.def = def, .by = balance->cards[def].deaths};
        }
    }
    if (count > 0) {
        qsort(list, count, sizeof *list, compare_ranked);
    }
    (void)fprintf(to, "%-14s", "killers");
    for (size_t i = 0; i < count && i < DEADLIEST; i++) {
        (void)fprintf(to, "%s%s %lu", i > 0 ? ", " : "", catalog_name(catalog, list[i].def),
                      list[i].by);
    }
    (void)fputc('\n', to);
    free(list);
}

static void print_card(const struct balance *balance, const struct catalog *catalog,
                       const struct ranked *ranked, FILE *to)
{
    (void)fprintf(to, "  %3lu.%lu %% of %5lu  %s\n", ranked->by / 10, ranked->by % 10,
                  balance->cards[ranked->def].games, catalog_name(catalog, ranked->def));
}

static void print_cards(const struct balance *balance, const struct catalog *catalog, FILE *to)
{
    size_t count;
    struct ranked *list = rank_cards(balance, &count);
    (void)fprintf(to,
                  "cards: how often the one seat that put it in play won, of so many games; "
                  "%zu cards with at least %d\n",
                  count, BALANCE_GAMES_MIN);
    for (size_t i = 0; i < count; i++) {
        if (i < TOP || i + BOTTOM >= count) {
            print_card(balance, catalog, &list[i], to);
        } else if (i == TOP) {
            (void)fputs("  ...\n", to);
        }
    }
    free(list);
}

// What lay with players and was used least of the times it could have been.
static void print_usage(const struct balance *balance, const struct catalog *catalog, FILE *to)
{
    struct ranked *const list = mb_new(balance->box->def_count + 1u, sizeof *list);
    size_t count = 0;
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        const struct usage_card *const usage = &balance->cards[def].usage;
        if (usage->could >= BALANCE_GAMES_MIN) {
            list[count++] =
                (struct ranked){.def = def, .by = balance_share(usage->used, usage->could)};
        }
    }
    if (count > 0) {
        qsort(list, count, sizeof *list, compare_ranked);
    }
    (void)fprintf(to, "use: of the cases in which a card could be used; the least of %zu\n", count);
    for (size_t i = count > BOTTOM ? count - BOTTOM : 0; i < count; i++) {
        const struct usage_card *const usage = &balance->cards[list[i].def].usage;
        (void)fprintf(to,
                      "  %3lu.%lu %% of %5lu  %s (held %lu, paid %lu, sold %lu, given %lu, "
                      "given up %lu)\n",
                      list[i].by / 10, list[i].by % 10, usage->could,
                      catalog_name(catalog, list[i].def), usage->held, usage->paid, usage->sold,
                      usage->given, usage->dropped);
    }
    free(list);
}

// The whole report for people.
static void balance_print(struct balance *balance, const struct catalog *catalog, FILE *to)
{
    (void)fprintf(to, "balance of %lu games, %u players\n", balance->games, balance->players);
    (void)fprintf(to,
                  "%-14s%" PRIu32 " to %" PRIu32 ", median %" PRIu32 ", 90%% within %" PRIu32 "\n",
                  "rounds", balance_within(balance->rounds, balance->games, 0),
                  balance_within(balance->rounds, balance->games, 100),
                  balance_within(balance->rounds, balance->games, 50),
                  balance_within(balance->rounds, balance->games, 90));
    print_shares("by seat", balance->wins_by_seat, balance->players, balance->wins, to);
    print_shares("by order", balance->wins_by_order, balance->players, balance->wins, to);
    (void)fprintf(to, "%-14s%lu of %lu games\n", "won together", balance->joint, balance->games);
    print_levels(balance, to);
    print_fights(balance, to);
    print_bargains(balance, to);
    print_finals(balance, to);
    print_pairs(balance, catalog, to);
    print_killers(balance, catalog, to);
    print_cards(balance, catalog, to);
    print_usage(balance, catalog, to);
}

static void print_list(const char *key, const unsigned long *list, unsigned count, FILE *to)
{
    (void)fprintf(to, "\"%s\": [", key);
    for (unsigned i = 0; i < count; i++) {
        (void)fprintf(to, "%s%lu", i > 0 ? ", " : "", list[i]);
    }
    (void)fputs("], ", to);
}

// As a JSON string: names hold nothing but printable characters, quotes and backslashes included.
static void print_name(const char *name, FILE *to)
{
    (void)fputc('"', to);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') {
            (void)fputc('\\', to);
        }
        (void)fputc(*name, to);
    }
    (void)fputc('"', to);
}

static void print_dealings_json(const struct balance *balance, const struct catalog *catalog,
                                FILE *to)
{
    const struct bargains *const bargains = &balance->bargains;
    const struct finals *const finals = &balance->finals;
    (void)fprintf(to,
                  "\"requests\": {\"answered\": %lu, \"declined\": %lu, \"haggled\": %lu}, "
                  "\"volunteers\": {\"offered\": %lu, \"taken\": %lu}, "
                  "\"bribes\": {\"offered\": %lu, \"taken\": %lu}, ",
                  bargains->asked, bargains->declined, bargains->haggled, bargains->volunteered,
                  bargains->hired, bargains->bribes, bargains->bribed);
    (void)fprintf(to,
                  "\"finals\": {\"reached\": %lu, \"won\": %lu, \"open_left\": %lu, "
                  "\"held_left\": %lu}, \"pairs\": [",
                  finals->reached, finals->won, finals->open_left, finals->held_left);
    for (unsigned i = 0; i < balance->pairs.count; i++) {
        const struct pair *const pair = &balance->pairs.items[i];
        (void)fprintf(to, "%s{\"card\": ", i > 0 ? ", " : "");
        print_name(catalog_name(catalog, pair->def), to);
        (void)fputs(", \"named\": ", to);
        print_name(catalog_name(catalog, pair->named), to);
        (void)fprintf(to, ", \"games\": %lu}", pair->games);
    }
    (void)fputs("], ", to);
}

// The same figures as one JSON object, without a line's end.
static void balance_print_json(struct balance *balance, const struct catalog *catalog, FILE *to)
{
    (void)fputc('{', to);
    print_list("wins_by_seat", balance->wins_by_seat, balance->players, to);
    print_list("wins_by_order", balance->wins_by_order, balance->players, to);
    print_list("losers_by_level", balance->losers_by_level, BALANCE_LEVELS, to);
    print_list("help_costs", balance->bargains.price, BARGAINS_PRICES, to);
    print_dealings_json(balance, catalog, to);
    (void)fprintf(to,
                  "\"joint_games\": %lu, \"fights_alone\": %lu, \"fights_helped\": %lu, "
                  "\"fights_fled\": %lu, \"cards\": {",
                  balance->joint, balance->fights_alone, balance->fights_helped,
                  balance->fights_fled);
    const char *comma = "";
    for (unsigned def = 0; def < balance->box->def_count; def++) {
        const struct balance_card *card = &balance->cards[def];
        const struct catalog_set *set = catalog_set(catalog, catalog_def(catalog, def)->set);
        const struct usage_card *const usage = &balance->cards[def].usage;
        if (card->games > 0 || card->deaths > 0 || usage->held > 0) {
            char name[320];
            (void)snprintf(name, sizeof name, "%s:%s", set->id, catalog_name(catalog, def));
            (void)fputs(comma, to);
            print_name(name, to);
            (void)fprintf(to,
                          ": {\"games\": %lu, \"wins\": %lu, \"expected\": %.1f, "
                          "\"faced\": %lu, \"beat\": %lu, \"deaths\": %lu, \"held\": %lu, "
                          "\"could\": %lu, \"used\": %lu, \"paid\": %lu, \"sold\": %lu, "
                          "\"given\": %lu, \"dropped\": %lu}",
                          card->games, card->wins, moments_expected(&balance->moments, def),
                          card->faced, card->beat, card->deaths, usage->held, usage->could,
                          usage->used, usage->paid, usage->sold, usage->given, usage->dropped);
            comma = ", ";
        }
    }
    (void)fputs("}}", to);
}

/* The simulation as a whole. */

static double amount_per(double amount, double of)
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
                  amount_per(decisions, result->seconds));
    (void)fprintf(to, "  \"moves_per_decision\": %.3f,\n  \"games_per_second\": %.3f,\n",
                  amount_per((double)result->moves, decisions),
                  amount_per((double)result->games, result->seconds));
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
                  amount_per(decisions, result->seconds),
                  amount_per((double)result->moves, decisions),
                  amount_per((double)result->games, result->seconds));
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
