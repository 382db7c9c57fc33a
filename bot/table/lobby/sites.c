// One table on two networks: linked by a code that its host asks for and somebody with a say in the
// other place redeems, and parted again. Who is there, what they are called and what they do is
// told in both. Codes are the hall's.
#include <string.h>

#include "bot/table/lobby/lobby.h"

static bool refuse_as(struct table_work *work, unsigned seat, enum refusal_code code,
                      enum text_id id, struct refusal *why)
{
    return table_refuse_text(work, seat, code, id, NULL, why);
}

static bool is_on(const struct table *table, const char *network)
{
    bool is = false;
    for (unsigned i = 0; i < table->site_count; i++) {
        is = is || strcmp(table->sites[i].network, network) == 0;
    }
    return is;
}

// Whether the table can lie at one more place.
static bool may_link(struct table_work *work, unsigned seat, struct refusal *why)
{
    const struct table *const table = work->table;
    if (table->state == TABLE_EMPTY || table->state == TABLE_OVER) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if (table->site_count == TABLE_SITES_MAX) {
        return refuse_as(work, seat, REFUSAL_LIMIT_REACHED, TEXT_LINK_TWO, why);
    }
    if (table->shut != SHUT_NO) {
        return refuse_as(work, seat, REFUSAL_WRONG_PHASE, TEXT_PLACE_SHUT, why);
    }
    return true;
}

static bool ask_code(struct table_work *work, unsigned seat, struct refusal *why)
{
    const struct table *const table = work->table;
    if (!may_link(work, seat, why)) {
        return false;
    }
    if (seat == NO_SEAT) {
        return table_refuse(work, seat, REFUSAL_NOT_AT_TABLE, why);
    }
    if (table->host != seat) {
        return table_refuse(work, seat, REFUSAL_NOT_HOST, why);
    }
    work->outcome->link = true;
    return true;
}

static void tell_linked(struct table_work *work)
{
    const struct table_site *const sites = work->table->sites;
    char names[TABLE_NAMES_SIZE];
    table_reach_names(work->table, (1u << MB_SEATS_MAX) - 1u, names);
    table_tell(work, TEXT_LINK_LINKED,
               TEXT_ARGS(text_str("here", sites[0].name), text_str("network", sites[0].network),
                         text_str("there", sites[1].name), text_str("other", sites[1].network),
                         text_str("who", names)));
}

// The code was right, and whoever has said it may decide there.
static bool link_here(struct table_work *work, unsigned seat, struct refusal *why)
{
    const struct deed *const deed = work->deed;
    if (!may_link(work, seat, why)) {
        return false;
    }
    if (is_on(work->table, deed->person.network)) {
        return table_refuse_text(work, seat, REFUSAL_NOT_USABLE, TEXT_LINK_SAME,
                                 TEXT_ARGS(text_str("network", deed->person.network)), why);
    }
    table_add_site(work->table, deed->person.network, deed->place,
                   deed->place_name[0] != '\0' ? deed->place_name : deed->place);
    work->dirty = true;
    tell_linked(work);
    table_clock_wind(work);
    return true;
}

bool table_link_line(struct table_work *work, unsigned seat, const struct request *request,
                     struct refusal *why)
{
    if (request->text[0] == '\0') {
        return ask_code(work, seat, why);
    }
    if (work->deed->links) {
        return link_here(work, seat, why);
    }
    return refuse_as(work, seat, REFUSAL_TABLE_RUNNING,
                     work->deed->at_site ? TEXT_LINK_TAKEN : TEXT_LINK_WHERE, why);
}

void table_part(struct table_work *work, unsigned site)
{
    struct table *const table = work->table;
    struct table_site gone;
    if (site >= table->site_count || table->site_count < 2) {
        return;
    }
    gone = table->sites[site];
    for (unsigned i = site; i + 1 < table->site_count; i++) {
        table->sites[i] = table->sites[i + 1];
    }
    memset(&table->sites[--table->site_count], 0, sizeof gone);
    table_forget_shown(table, (1u << TABLE_SITES_MAX) - 1u, 0);
    work->dirty = true;
    table_tell(work, TEXT_LINK_PARTED,
               TEXT_ARGS(text_str("there", gone.name), text_str("other", gone.network)));
    for (unsigned seat = table->seat_count; seat-- > 0;) {
        if (table_seat_is_person(&table->seats[seat]) &&
            strcmp(table->seats[seat].person.network, gone.network) == 0) {
            table_seat_gone(work, seat);
        }
    }
    table_clock_wind(work);
}

bool table_unlink_line(struct table_work *work, unsigned seat, struct refusal *why)
{
    struct table *const table = work->table;
    if (table->state == TABLE_EMPTY) {
        return table_refuse(work, seat, REFUSAL_NO_TABLE, why);
    }
    if ((seat == NO_SEAT || seat != table->host) && !work->deed->person.moderates) {
        return table_refuse(work, seat, REFUSAL_NOT_HOST, why);
    }
    if (table->site_count < 2) {
        return refuse_as(work, seat, REFUSAL_WRONG_PHASE, TEXT_LINK_NONE, why);
    }
    table_part(work, table->site_count - 1u);
    return true;
}
