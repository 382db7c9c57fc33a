// Whom a hand can be shown: nobody else is dealt in. Who cannot be reached is named before that,
// and so is for how long the others are waited for.
#include "bot/table/table_impl.h"

void table_reach_names(const struct table *table, unsigned seats, char out[TABLE_NAMES_SIZE])
{
    const char *names[MB_SEATS_MAX];
    struct text_out text;
    size_t count = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        if ((seats & seat_bit(seat)) != 0) {
            names[count++] = table_seat_name(table, seat);
        }
    }
    text_begin(&text, out, TABLE_NAMES_SIZE);
    text_list(&text, names, count, TEXT_AND);
}

unsigned table_reach_never(const struct table_work *work, bool waits)
{
    const unsigned people = table_people_seats(work->table);
    unsigned seats = 0;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        const int32_t reach_s = work->deed->reach_s[seat];
        seats |= reach_s == DEED_REACH_NEVER || (reach_s != 0 && !waits) ? seat_bit(seat) : 0;
    }
    return seats & people;
}

unsigned table_reach_invited(const struct table_work *work)
{
    unsigned seats = 0;
    for (unsigned seat = 0; seat < work->table->seat_count; seat++) {
        seats |= work->deed->reach_s[seat] == DEED_REACH_INVITED ? seat_bit(seat) : 0;
    }
    return seats;
}

bool table_reach_enough(const struct table_work *work, unsigned without)
{
    const struct table *const table = work->table;
    int left = 0;
    for (unsigned seat = 0; seat < table->seat_count; seat++) {
        left += (without & seat_bit(seat)) == 0 ? 1 : 0;
    }
    return without == 0 || (left >= table->profile.constant[PROFILE_SEATS_MIN] &&
                            (table_people_seats(table) & ~without) != 0);
}

void table_reach_vacate(struct table_work *work, unsigned seats)
{
    for (unsigned seat = work->table->seat_count; seat-- > 0;) {
        if ((seats & seat_bit(seat)) != 0) {
            const bool asked = work->table->seats[seat].away != 0; // and has not answered
            table_vacate(work, seat, asked ? TEXT_SESSION_UNASKED : TEXT_SESSION_UNREACHED);
        }
    }
}

void table_reach_tell(struct table_work *work)
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
