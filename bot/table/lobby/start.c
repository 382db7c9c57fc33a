// Starting, in two steps: a message says who plays by which options, and when the platform has
// given it an id, which nobody picks, the seed is drawn from that too and cards are dealt.
#include "bot/render/render.h"
#include "bot/table/lobby/lobby.h"

/* Whom a hand can be shown: nobody else is dealt in. Who cannot be reached is named before that,
 * and so is for how long the others are waited for. */

// The seats of people whom it cannot be, as the deed says; who may yet be reached counts among them
// unless they are waited for.
static unsigned table_reach_never(const struct table_work *work, bool waits)
{
    const unsigned people = table_people_seats(work->table);
    unsigned seats = 0;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const int32_t reach_s = work->deed->reach_s[seat];
        seats |= reach_s == DEED_REACH_NEVER || (reach_s != 0 && !waits) ? seat_bit(seat) : 0;
    }
    return seats & people;
}

// The seats of people who have an invitation to their hand and have not come.
static unsigned table_reach_invited(const struct table_work *work)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        seats |= work->deed->reach_s[seat] == DEED_REACH_INVITED ? seat_bit(seat) : 0;
    }
    return seats;
}

// Whether a game can begin without those.
static bool table_reach_enough(const struct table_work *work, unsigned without)
{
    const struct table *const table = work->table;
    int left = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        left += (without & seat_bit(seat)) == 0 ? 1 : 0;
    }
    return without == 0 || (left >= table->profile.constant[PROFILE_SEATS_MIN] &&
                            (table_people_seats(table) & ~without) != 0);
}

// Their seats are free, and everybody is told.
static void table_reach_vacate(struct table_work *work, unsigned seats)
{
    for (unsigned seat = work->table->seat_count; seat-- > 0;) {
        if ((seats & seat_bit(seat)) != 0) {
            const bool asked = work->table->seats[seat].away != 0; // and has not answered
            table_vacate(work, seat, asked ? TEXT_SESSION_UNASKED : TEXT_SESSION_UNREACHED);
        }
    }
}

// Who is waited for, and for how long; nothing if that is not worth a word.
static void table_reach_tell(struct table_work *work)
{
    const struct table *const table = work->table;
    char names[TABLE_NAMES_SIZE];
    const unsigned asked = table_asked_again(table);
    const unsigned invited = table_reach_invited(work) & ~asked;
    unsigned seats = 0;
    int32_t longest = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        const int32_t reach_s = (asked & seat_bit(seat)) != 0 ? 0 : work->deed->reach_s[seat];
        seats |= reach_s >= DEED_REACH_LONG ? seat_bit(seat) : 0;
        longest = reach_s > longest ? reach_s : longest;
    }
    if (invited != 0) {
        table_reach_names(table, invited, names);
        table_tell(work, TEXT_SESSION_INVITED, TEXT_ARGS(text_str("who", names)));
    }
    if (seats != 0) {
        table_reach_names(table, seats, names);
        table_tell(work, TEXT_SESSION_REACHING,
                   TEXT_ARGS(text_str("who", names), text_num("n", longest)));
    }
}

enum { LIST_SIZE = 512, SEAT_SIZE = PERSON_NAME_SIZE + 64 };

void table_list_sets(const struct table_work *work, char *out, size_t size)
{
    const char *names[CATALOG_SETS_MAX];
    struct text_out text;
    const struct table_options *const options = &work->table->options;
    for (size_t i = 0; i < options->set_count; i++) {
        names[i] = catalog_set(work->catalog, options->sets[i])->name;
    }
    text_begin(&text, out, size);
    text_list(&text, names, options->set_count, TEXT_AND);
}

// What this table plays otherwise than its edition, in the words that choose it.
static void list_options(const struct profile *profile, char *out, size_t size)
{
    enum { MOST = FLAG_TOTAL + 1, WORD_SIZE = 64 };
    const char *words[MOST];
    char off[FLAG_TOTAL][WORD_SIZE];
    size_t count = 0;
    struct text_out text;
    char list[LIST_SIZE];
    struct profile sheet;
    profile_make(&sheet, profile->editions, (enum edition)profile->house);
    if (profile->constant[PROFILE_GOAL] == PROFILE_EPIC_GOAL) {
        words[count++] = "epic";
    }
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        if (profile->flag[i] && !sheet.flag[i]) {
            words[count++] = profile_flag_name(i);
        } else if (!profile->flag[i] && sheet.flag[i]) {
            text_begin(&text, off[i], sizeof off[i]);
            text_put(&text, TEXT_SESSION_STARTS_OFF,
                     TEXT_ARGS(text_str("what", profile_flag_name(i))));
            words[count++] = off[i];
        }
    }
    text_begin(&text, list, sizeof list);
    text_list(&text, words, count, TEXT_AND);
    text_begin(&text, out, size);
    if (count > 0) {
        text_put(&text, TEXT_SESSION_STARTS_OPTIONS, TEXT_ARGS(text_str("what", list)));
    }
}

// Who plays by which options: under the id of this message the cards are dealt.
static void tell_start(struct table_work *work)
{
    const struct table *const table = work->table;
    char seats[MB_SEATS_MAX][SEAT_SIZE];
    const char *names[MB_SEATS_MAX];
    char who[MB_SEATS_MAX * SEAT_SIZE];
    char sets[LIST_SIZE];
    char options[LIST_SIZE];
    char seal[DIGEST_HEX_SIZE];
    struct text_out text;
    for (unsigned i = 0; i < table->seat_count; i++) {
        const struct policy *const policy = table_policy(&table->seats[i]);
        text_begin(&text, seats[i], sizeof seats[i]);
        if (policy == NULL) {
            text_raw(&text, table_seat_name(table, i));
        } else {
            text_put(&text, TEXT_SESSION_STARTS_BOT,
                     TEXT_ARGS(text_str("who", table_seat_name(table, i)),
                               text_str("level", policy->name)));
        }
        names[i] = seats[i];
    }
    text_begin(&text, who, sizeof who);
    text_list(&text, names, table->seat_count, TEXT_AND);
    table_list_sets(work, sets, sizeof sets);
    list_options(&table->profile, options, sizeof options);
    const bool sealed = table_fair_seal(table, seal);
    seal[sealed ? RENDER_SEAL_DIGITS : 0] = '\0'; // two starts under one commitment are seen
    table_tell(work, TEXT_SESSION_STARTS,
               TEXT_ARGS(text_str("who", who), text_str("sets", sets),
                         text_str("house", edition_name(table->profile.house)),
                         text_num("n", table->profile.constant[PROFILE_GOAL]),
                         text_str("options", options), text_str("hash", seal)));
}

bool table_deal_now(struct table_work *work)
{
    char names[TABLE_NAMES_SIZE];
    const unsigned invited = table_reach_invited(work);
    const unsigned waited = table_reach_never(work, false) & ~table_reach_never(work, true);
    if (invited == 0 || waited != invited) {
        return false;
    }
    table_reach_names(work->table, invited, names);
    table_reply_text(work, work->table->host, TEXT_SESSION_DEALS_NOW,
                     TEXT_ARGS(text_str("who", names)));
    work->outcome->deal_now = true;
    return true;
}

bool table_ask_start(struct table_work *work, unsigned seat, struct refusal *why)
{
    if (work->table->state != TABLE_LOBBY) {
        return table_refuse(work, seat, REFUSAL_TABLE_RUNNING, why);
    }
    const struct deed *const deed = work->deed;
    struct table *const table = work->table;
    struct mb_error err = {0};
    char names[TABLE_NAMES_SIZE];
    if (deed->chance == NULL || table->seat_count < table->profile.constant[PROFILE_SEATS_MIN]) {
        return table_refuse(work, seat, REFUSAL_TOO_FEW_PLAYERS, why);
    }
    const unsigned asked = table_asked_again(table);
    if (!table_reach_enough(work, asked)) {
        table_reach_names(table, asked, names);
        return table_refuse_text(
            work, seat, REFUSAL_TOO_FEW_PLAYERS, TEXT_SESSION_FEW_ANSWERS,
            TEXT_ARGS(text_str("who", names), text_num("n", (asked & (asked - 1)) == 0 ? 1 : 2)),
            why);
    }
    const unsigned never = table_reach_never(work, true) | asked;
    if (!table_reach_enough(work, never)) {
        table_reach_names(table, never & ~asked, names);
        return table_refuse_text(work, seat, REFUSAL_TOO_FEW_PLAYERS, TEXT_SESSION_UNREACHED_FEW,
                                 TEXT_ARGS(text_str("who", names)), why);
    }
    if (deed->seeded) {
        table_reach_vacate(work, asked);
        return table_start(work, deed->chance, NULL, &err) ||
               table_refuse(work, seat, REFUSAL_TOO_FEW_PLAYERS, why);
    }
    if (table->drawn == 0) { // it was opened before there were secrets
        table_fair_open(work);
        table_fair_commit(work);
    }
    table_reach_tell(work); // before seats move
    table_reach_vacate(work, never);
    table->starting = 1;
    work->dirty = true;
    tell_start(work);
    table_rooms_ask(work);
    return true;
}

void table_deal(struct table_work *work)
{
    struct mb_error err = {0};
    struct luck luck;
    uint8_t seed[DIGEST_SIZE];
    char names[TABLE_NAMES_SIZE];
    const char *const delivered = work->deed->delivered;
    if (work->table->starting == 0) {
        return;
    }
    work->dirty = true;
    table_rooms_enter(work);
    const unsigned never = table_reach_never(work, false);
    const bool enough = table_reach_enough(work, never);
    if (enough && delivered != NULL) {
        table_reach_vacate(work, never);
        table_fair_draw(work->table, delivered, &luck, seed);
        if (table_start(work, seed, &luck, &err)) {
            return;
        }
    }
    table_fair_open(work); // with another secret: what could have been dealt is nobody's to choose
    table_reach_names(work->table, never, names);
    table_tell(work, enough ? TEXT_SESSION_NOT_STARTED : TEXT_SESSION_UNREACHED_FEW,
               TEXT_ARGS(text_str("who", names)));
    table_fair_commit(work);
}
