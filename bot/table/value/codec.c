#include <string.h>

#include "core/codec/coder.h"
#include "core/codec/journal_bytes.h"
#include "core/codec/snapshot.h"

#include "bot/table/table_codec.h"
#include "bot/table/value/value.h"

// What it is and its form, check sum of all that follows, length of the record before the snapshot.
enum {
    SUM_AT = CODER_HEAD_SIZE,
    LENGTH_AT = SUM_AT + 4,
    HEAD_SIZE = LENGTH_AT + 4,
    PLAIN_MAX = 16384
};

_Static_assert(PLAIN_MAX >= sizeof(struct table) + 4096, "a record fits");

static const char LETTERS[] = "MBT";

/* The walk. */

static void expect(struct coder *coder, bool holds)
{
    coder->bad = coder->bad || !holds;
}

static void code_flag(struct coder *coder, uint8_t *flag)
{
    coder_below(coder, flag, 2);
}

static void code_ms(struct coder *coder, int64_t *ms)
{
    static const int64_t MOST = INT64_C(1) << 52;
    coder_i64(coder, ms);
    expect(coder, *ms >= -MOST && *ms <= MOST);
}

// What people read: characters that may be shown, marks and line ends.
static bool is_shown(const char *text, bool lines)
{
    while (*text != '\0') {
        const size_t length = text_character(text);
        const bool other = lines && (*text == '\n' || text_is_mark(*text));
        if (length == 0 && !other) {
            return false;
        }
        text += length > 0 ? length : 1;
    }
    return true;
}

// Whoever writes has shown it already.
static void code_shown(struct coder *coder, char *text, size_t size, bool lines)
{
    coder_text(coder, text, size);
    expect(coder, !coder->reads || is_shown(text, lines));
}

static void code_person(struct coder *coder, struct table_person *person)
{
    coder_text(coder, person->network, sizeof person->network);
    coder_text(coder, person->id, sizeof person->id);
    code_shown(coder, person->name, sizeof person->name, false);
    expect(coder, person->id[0] == '\0' || (person->network[0] != '\0' && person->name[0] != '\0'));
}

static void code_seat(struct coder *coder, struct table_seat *seat)
{
    code_person(coder, &seat->person);
    code_person(coder, &seat->next);
    coder_u8(coder, &seat->policy);
    expect(coder, seat->policy == 0 || table_policy(seat) != NULL);
    expect(coder, seat->policy != 0 || seat->person.id[0] != '\0');
    expect(coder, seat->person.name[0] != '\0');
    code_flag(coder, &seat->female);
    coder_below(coder, &seat->order, ORDER_CLEAR);
    coder_u8(coder, &seat->order_level);
    code_flag(coder, &seat->away);
    code_flag(coder, &seat->unreachable);
    code_flag(coder, &seat->gone);
    coder_u8(coder, &seat->offers);
    coder_u32(coder, &seat->acts);
    coder_u32(coder, &seat->hand_version);
    coder_u64(coder, &seat->hand_hash);
    coder_u16(coder, &seat->tally.kills);
    coder_u16(coder, &seat->tally.deaths);
    code_shown(coder, seat->news, sizeof seat->news, true);
    coder_below(coder, &seat->notify, NOTIFY_TOTAL);
    for (unsigned i = 0; i < TABLE_CALLED_MAX; i++) {
        coder_u32(coder, &seat->called[i]);
    }
}

static void code_site(struct coder *coder, struct table_site *site)
{
    coder_text(coder, site->network, sizeof site->network);
    coder_text(coder, site->place, sizeof site->place);
    coder_text(coder, site->from, sizeof site->from);
    code_shown(coder, site->name, sizeof site->name, false);
    expect(coder, site->network[0] != '\0' && site->place[0] != '\0');
    coder_u32(coder, &site->card_version);
    coder_u32(coder, &site->card_turn);
    coder_u64(coder, &site->card_hash);
    coder_u64(coder, &site->link_hash);
    coder_u32(coder, &site->link_version);
    coder_below(coder, &site->led, 1u << MB_SEATS_MAX);
}

static void code_timer(struct coder *coder, struct table_timer *timer)
{
    coder_u64(coder, &timer->about);
    code_ms(coder, &timer->left_ms);
    code_ms(coder, &timer->half_ms);
    coder_u8(coder, &timer->holds);
    coder_u8(coder, &timer->reminded);
    code_flag(coder, &timer->passes);
}

static void code_undo(struct coder *coder, struct table_undo *undo)
{
    code_flag(coder, &undo->kept);
    code_flag(coder, &undo->others);
    code_flag(coder, &undo->plain);
    coder_below(coder, &undo->author, MB_SEATS_MAX);
    coder_u8(coder, &undo->asker);
    expect(coder, undo->asker == NO_SEAT || (undo->asker < MB_SEATS_MAX && undo->kept != 0));
    coder_u8(coder, &undo->agreed);
    coder_u32(coder, &undo->entry);
    code_ms(coder, &undo->since_ms);
    code_ms(coder, &undo->left_ms);
}

static void code_quiet(struct coder *coder, struct quiet *quiet)
{
    coder_below(coder, &quiet->from, QUIET_HOURS);
    coder_below(coder, &quiet->to, QUIET_HOURS);
    uint16_t zone = (uint16_t)(quiet->zone - QUIET_ZONE_LEAST);
    coder_u16(coder, &zone);
    expect(coder, zone <= QUIET_ZONE_MOST - QUIET_ZONE_LEAST);
    quiet->zone = (int16_t)(zone + QUIET_ZONE_LEAST);
}

static void code_options(struct coder *coder, struct table_options *options)
{
    enum { CLOCK_MOST_S = 30 * 86400 };
    coder_below(coder, &options->set_count, TABLE_SETS_MAX + 1);
    for (unsigned i = 0; coder->reads && i < options->set_count; i++) {
        options->sets[i] = (uint8_t)i;
    }
    coder_below(coder, &options->house, EDITION_TOTAL + 1);
    coder_bool(coder, &options->listen);
    coder_bool(coder, &options->shared);
    coder_bool(coder, &options->epic);
    for (unsigned i = 0; i < FLAG_TOTAL; i++) {
        uint8_t value = (uint8_t)(options->flag[i] + 1);
        coder_below(coder, &value, 3);
        options->flag[i] = (int8_t)(value - 1);
    }
    coder_below(coder, &options->pace, PACE_TOTAL);
    coder_below(coder, &options->seats, MB_SEATS_MAX + 1);
    for (unsigned i = 0; i <= CLOCK_WINDOW; i++) {
        coder_u32(coder, &options->clock_s[i]);
        expect(coder, options->clock_s[i] <= CLOCK_MOST_S);
    }
    code_quiet(coder, &options->quiet);
    coder_bool(coder, &options->stays);
}

static void code_told(struct coder *coder, struct table_told *told)
{
    int64_t players = told->players;
    int64_t monsters = told->monsters;
    uint32_t numbers[] = {told->main, told->helper, told->monster_count, told->turn, told->round};
    coder_bool(coder, &told->fight);
    code_ms(coder, &players);
    code_ms(coder, &monsters);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        coder_u32(coder, &numbers[i]);
    }
    told->players = (int)players;
    told->monsters = (int)monsters;
    told->main = numbers[0];
    told->helper = numbers[1];
    told->monster_count = numbers[2];
    told->turn = numbers[3];
    told->round = numbers[4];
    coder_bytes(coder, told->cards, sizeof told->cards);
}

static void code_fight(struct coder *coder, struct highlight_fight *fight)
{
    coder_i16(coder, &fight->players);
    coder_i16(coder, &fight->monsters);
    coder_card(coder, &fight->monster);
    coder_u16(coder, &fight->round);
    coder_u8(coder, &fight->seats);
}

static void code_highlights(struct coder *coder, struct highlights *highlights)
{
    struct highlight_trick *const trick = &highlights->trick;
    code_fight(coder, &highlights->fight);
    code_fight(coder, &highlights->last);
    coder_below(coder, &trick->kind, TRICK_TOTAL);
    coder_below(coder, &trick->by, MB_SEATS_MAX);
    coder_below(coder, &trick->on, MB_SEATS_MAX);
    coder_u8(coder, &trick->level);
    coder_u8(coder, &trick->meanness);
    coder_card(coder, &trick->card);
    coder_u16(coder, &trick->round);
    coder_bytes(coder, highlights->deaths, sizeof highlights->deaths);
}

static void code_rng_and_clocks(struct coder *coder, struct table *table)
{
    coder_bytes(coder, table->rng.seed, sizeof table->rng.seed);
    coder_u64(coder, &table->rng.position);
    for (unsigned i = 0; i < TABLE_CLOCKS; i++) {
        code_timer(coder, &table->timers[i]);
    }
    code_timer(coder, &table->bots);
    code_ms(coder, &table->paused_ms);
    code_ms(coder, &table->turn_ms);
}

static void code_luck(struct coder *coder, struct table *table)
{
    code_flag(coder, &table->drawn);
    code_flag(coder, &table->starting);
    expect(coder, table->starting == 0 || (table->drawn != 0 && table->state == TABLE_LOBBY));
    if (table->drawn != 0) {
        coder_bytes(coder, table->secret, sizeof table->secret);
    }
}

static void code_record(struct coder *coder, struct table *table)
{
    coder_text(coder, table->id, sizeof table->id);
    coder_u32(coder, &table->journal_count);
    coder_below(coder, &table->state, TABLE_OVER + 1);
    coder_below(coder, &table->seat_count, MB_SEATS_MAX + 1);
    coder_below(coder, &table->site_count, TABLE_SITES_MAX + 1);
    coder_u8(coder, &table->host);
    expect(coder, table->host == NO_SEAT || table->host < table->seat_count);
    code_flag(coder, &table->stand_ins);
    code_flag(coder, &table->last_call);
    code_flag(coder, &table->deserted);
    expect(coder, table->deserted == 0 || table->state == TABLE_PAUSED);
    code_flag(coder, &table->rests);
    coder_below(coder, &table->shut, SHUT_GONE + 1);
    code_flag(coder, &table->shut_runs);
    expect(coder, table->shut_runs == 0 || table->shut != SHUT_NO);
    code_flag(coder, &table->quiet);
    code_flag(coder, &table->seeded);
    coder_u16(coder, &table->rules);
    expect(coder, table->seeded == 0 || table->rules != 0);
    code_luck(coder, table);
    coder_u16(coder, &table->alone);
    coder_u64(coder, &table->end_asked);
    coder_below(coder, &table->removed_count, TABLE_REMOVED_MAX + 1);
    for (unsigned i = 0; i < table->removed_count && !coder->bad; i++) {
        coder_u64(coder, &table->removed[i]);
    }
    code_options(coder, &table->options);
    for (unsigned i = 0; i < table->options.set_count && !coder->bad; i++) {
        coder_bytes(coder, table->digests[i], CATALOG_DIGEST_SIZE);
    }
    if (table->state != TABLE_EMPTY) {
        profile_code(coder, &table->profile);
    }
    code_rng_and_clocks(coder, table);
    code_undo(coder, &table->undo);
    code_told(coder, &table->told);
    code_highlights(coder, &table->highlights);
    for (unsigned i = 0; i < table->seat_count && !coder->bad; i++) {
        code_seat(coder, &table->seats[i]);
    }
    for (unsigned i = 0; i < table->site_count && !coder->bad; i++) {
        code_site(coder, &table->sites[i]);
    }
    coder_below(coder, &table->story, TABLE_STORY_MAX + 1);
    coder_u32(coder, &table->chapter);
    coder_below(coder, &table->pauses, TABLE_PAUSES_FREE + 1);
    coder_below(coder, &table->pauser, MB_SEATS_MAX);
    code_flag(coder, &table->pause_asked);
    code_flag(coder, &table->resumed);
}

static bool has_game(const struct table *table)
{
    return query_seat_count(table_game(table)) > 0;
}

static struct coder write_plain(const struct table *table, unsigned form,
                                unsigned char plain[PLAIN_MAX])
{
    // The walk reads and writes alike, so it takes what it may change; writing changes nothing.
    struct table *const same = (struct table *)(uintptr_t)table;
    struct coder coder = coder_write(plain, PLAIN_MAX);
    coder.form = form;
    code_record(&coder, same);
    return coder;
}

size_t table_encode(const struct table *table, unsigned char *out, size_t size)
{
    if (size < HEAD_SIZE) {
        return 0;
    }
    unsigned char plain[PLAIN_MAX];
    const struct coder coder = write_plain(table, TABLE_FORM, plain);
    const size_t record = coder_pack(&coder, out + HEAD_SIZE, size - HEAD_SIZE);
    if (record == 0) {
        return 0;
    }
    size_t end = HEAD_SIZE + record;
    if (has_game(table)) {
        const size_t length = snapshot_encode(table_game(table), out + end, size - end);
        if (length == 0) {
            return 0;
        }
        end += length;
    }
    coder_head_write(out, LETTERS, TABLE_FORM);
    coder_store_u32(out + LENGTH_AT, (uint32_t)record);
    coder_store_u32(out + SUM_AT, coder_sum(out + LENGTH_AT, end - LENGTH_AT));
    return end;
}

static bool check_head(const unsigned char *bytes, size_t size, struct mb_error *err)
{
    const unsigned form = size >= HEAD_SIZE ? coder_head_form(bytes, LETTERS) : 0;
    if (form == 0) {
        return mb_fail(err, MB_ERR_INPUT, "these bytes are not a table");
    }
    if (form > TABLE_FORM) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the table is stored in format %u; this program reads up to %d: use the "
                       "program that stored it, or a newer one",
                       form, (int)TABLE_FORM);
    }
    if (coder_load_u32(bytes + SUM_AT) != coder_sum(bytes + LENGTH_AT, size - LENGTH_AT)) {
        return mb_fail(err, MB_ERR_INPUT, "the stored table is damaged: its check sum is wrong");
    }
    if (coder_load_u32(bytes + LENGTH_AT) > size - HEAD_SIZE) {
        return mb_fail(err, MB_ERR_INPUT, "the stored table is cut short");
    }
    return true;
}

static bool same_id(const struct table_person *a, const struct table_person *b)
{
    return a->id[0] != '\0' && strcmp(a->id, b->id) == 0 && strcmp(a->network, b->network) == 0;
}

// One person, one seat: with two of them one hand would be seen by the other's owner.
static bool people_are_one_each(const struct table *table)
{
    for (unsigned i = 0; i < table->seat_count; i++) {
        const struct table_seat *const who = &table->seats[i];
        for (unsigned j = 0; j < table->seat_count; j++) {
            const struct table_seat *const other = &table->seats[j];
            if ((i != j &&
                 (same_id(&who->person, &other->person) || same_id(&who->next, &other->next))) ||
                same_id(&who->next, &other->person)) {
                return false;
            }
        }
    }
    return true;
}

// What stands behind the head, in the form that the head names.
static bool read_record(const unsigned char *head, size_t length, struct table *out,
                        struct mb_error *err)
{
    const unsigned form = coder_head_form(head, LETTERS);
    memset(out, 0, table_size());
    unsigned char plain[PLAIN_MAX];
    unsigned char again[PLAIN_MAX];
    struct coder coder;
    bool read = coder_unpack(head + HEAD_SIZE, length, plain, sizeof plain, &coder);
    if (read) {
        coder.form = form;
        code_record(&coder, out);
        read = coder_end(&coder);
    }
    if (read) { // it has one form only
        const struct coder written = write_plain(out, form, again);
        read = !written.bad && written.at == coder.at && memcmp(again, plain, coder.at) == 0;
    }
    if (!read || !people_are_one_each(out)) {
        return mb_fail(err, MB_ERR_INPUT, "the stored table says what no table can say");
    }
    return true;
}

static bool fits(const struct table *table)
{
    const bool plays = table->state >= TABLE_RUNNING;
    const unsigned seats = query_seat_count(table_game(table));
    if (!has_game(table)) {
        return !plays;
    }
    const bool over = query_phase(table_game(table)) == PHASE_OVER;
    return plays && seats == table->seat_count && (!over || table->state == TABLE_OVER);
}

static bool is_fight(const struct table *table, const struct box *box,
                     const struct highlight_fight *fight)
{
    const bool fought = fight->players != 0 || fight->monsters != 0 || fight->seats != 0;
    return !fought ||
           (fight->monster < box->card_count && (unsigned)fight->seats >> table->seat_count == 0);
}

// What is told of a turn and at a game's end names cards and seats by their numbers.
static bool can_be_told(const struct table *table, const struct box *box)
{
    const struct highlight_trick *const trick = &table->highlights.trick;
    const bool tricked = trick->kind != TRICK_NONE;
    return (table->told.round == 0 || table->told.turn < table->seat_count) &&
           is_fight(table, box, &table->highlights.fight) &&
           is_fight(table, box, &table->highlights.last) &&
           (!tricked || (trick->card < box->card_count && trick->by < table->seat_count &&
                         trick->on < table->seat_count));
}

static bool read_game(const unsigned char *bytes, size_t size, const struct box *box,
                      struct table *out, struct mb_error *err)
{
    if (size > 0 && box == NULL) {
        return mb_fail(err, MB_ERR_INPUT, "the stored table has a game and no card sets");
    }
    if (size > 0 && !snapshot_decode(bytes, size, box, table_own_game(out), err)) {
        return false;
    }
    if (!fits(out) || (box != NULL && !can_be_told(out, box))) {
        return mb_fail(err, MB_ERR_INPUT, "the stored table and its game do not belong together");
    }
    return true;
}

bool table_decode_with(const unsigned char *bytes, size_t size, const struct box *box,
                       struct table *out, struct mb_error *err)
{
    if (!check_head(bytes, size, err)) {
        return false;
    }
    const size_t length = coder_load_u32(bytes + LENGTH_AT);
    return read_record(bytes, length, out, err) &&
           read_game(bytes + HEAD_SIZE + length, size - HEAD_SIZE - length, box, out, err);
}

bool table_decode(const unsigned char *bytes, size_t size, struct table_workspace *workspace,
                  struct table *out, struct mb_error *err)
{
    if (!check_head(bytes, size, err)) {
        return false;
    }
    const size_t length = coder_load_u32(bytes + LENGTH_AT);
    if (!read_record(bytes, length, out, err)) {
        return false;
    }
    const struct box *const box = table_box(out, workspace, err);
    if (box == NULL && out->state != TABLE_EMPTY) {
        // Of the library's errors the first stays; an arranged table is only where it was arranged.
        return mb_fail(err, MB_ERR_STATE, "the stored table was arranged by hand, and not here");
    }
    return read_game(bytes + HEAD_SIZE + length, size - HEAD_SIZE - length, box, out, err);
}
