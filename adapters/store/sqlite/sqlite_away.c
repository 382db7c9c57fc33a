// Networks and communities that cannot be heard: their tables' time stands.
#include "adapters/store/sqlite/sqlite_impl.h"

static void runs_on(struct db *db, const struct store_request *request, const char *community)
{
    const struct db_value network = db_text(request->network);
    (void)db_run(db, SQL_AWAY_SHIFT, DB(network, db_number(request->ms), db_text(community)));
    (void)db_run(db, SQL_AWAY_OVER, DB(network, db_text(community)));
}

static void stand_network(struct db *db, const struct store_request *request, int64_t me)
{
    const struct db_value network = db_text(request->network);
    (void)db_run(db, SQL_PRESENT_TIDY, DB(network, db_number(me)));
    if (request->back) {
        (void)db_run(db, SQL_PRESENT, DB(network, db_number(me)));
        runs_on(db, request, "");
    } else {
        (void)db_run(db, SQL_AWAY_NETWORK, DB(network, db_number(request->ms)));
    }
}

void sqlite_stand(struct db *db, const struct store_request *request, int64_t me)
{
    if (request->community_count == 0) {
        stand_network(db, request, me);
    }
    for (size_t i = 0; i < request->community_count; i++) {
        if (request->back) {
            runs_on(db, request, request->communities[i]);
        } else {
            (void)db_run(db, SQL_AWAY_COMMUNITY,
                         DB(db_text(request->network), db_number(request->ms),
                            db_text(request->communities[i])));
        }
    }
}

void sqlite_aways(struct db *db, struct pad *pad, struct store_answer *answer)
{
    sqlite3_stmt *const row = db_ask(db, SQL_AWAYS, NULL);
    struct store_away *list = NULL;
    while (!pad->failed && db_row(db, row)) {
        list = pad_more(pad, list, answer->away_count, sizeof *list);
        if (list != NULL) {
            list[answer->away_count++] = (struct store_away){.network = sqlite_text(pad, row, 0),
                                                             .community = sqlite_text(pad, row, 1),
                                                             .ms = sqlite3_column_int64(row, 2)};
        }
    }
    db_over(row);
    answer->aways = list;
}
