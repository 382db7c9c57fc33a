#include <stdio.h>
#include <string.h>

#include "core/codec/reference.h"

static bool read_ids(const char *path, struct vocabulary *out, struct catalog_issues *issues)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        issues_error(issues, "%.200s: expected the list of mechanics", path);
        return false;
    }
    char line[64];
    while (fgets(line, sizeof line, file) != NULL && out->count < VOCABULARY_MAX) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#') {
            continue;
        }
        if (strlen(line) >= VOCABULARY_ID) {
            issues_error(issues, "%.200s: expected one id a line, found \"%s\"", path, line);
            continue;
        }
        struct vocabulary_row *row = &out->rows[out->count++];
        *row = (struct vocabulary_row){.def = NO_DEF};
        memcpy(row->id, line, strlen(line) + 1);
    }
    (void)fclose(file);
    return true;
}

static enum vocabulary_state state_of(const struct catalog *catalog, unsigned def)
{
    const char *status = catalog_status(catalog, def);
    if (strncmp(status, "planned", 7) == 0) {
        return MECHANIC_PLANNED;
    }
    return strncmp(status, "rule", 4) == 0 ? MECHANIC_RULE : MECHANIC_READY;
}

static bool count_id(const struct catalog *catalog, unsigned def, const char *id, size_t length,
                     struct vocabulary *out)
{
    for (size_t i = 0; i < out->count; i++) {
        struct vocabulary_row *row = &out->rows[i];
        if (strlen(row->id) == length && memcmp(row->id, id, length) == 0) {
            enum vocabulary_state state = state_of(catalog, def);
            if (row->def == NO_DEF || state > row->state) {
                row->state = (uint8_t)state;
                row->def = (uint16_t)def;
            }
            return true;
        }
    }
    return false;
}

static void count_card(const struct catalog *catalog, unsigned def, const char *path,
                       struct vocabulary *out, struct catalog_issues *issues)
{
    // A card that others need has none.
    const char *id = catalog_mechanic(catalog, def);
    for (size_t length = strcspn(id, " "); length > 0; length = strcspn(id, " ")) {
        if (!count_id(catalog, def, id, length, out)) {
            issues_error(issues,
                         "%.200s: card \"%s\": mechanic: expected an id of mechanics.txt, found "
                         "\"%.*s\"",
                         path, catalog_name(catalog, def), (int)(length < 20 ? length : 20), id);
        }
        id += length;
        id += *id == ' ';
    }
}

bool vocabulary_check(const struct catalog *catalog, unsigned set, const char *dir,
                      struct vocabulary *out, struct catalog_issues *issues)
{
    char path[1024];
    memset(out, 0, sizeof *out);
    int length = snprintf(path, sizeof path, "%s/mechanics.txt", dir);
    if (length < 0 || (size_t)length >= sizeof path || !read_ids(path, out, issues)) {
        return false;
    }
    const struct catalog_set *of = catalog_set(catalog, set);
    for (unsigned i = 0; of != NULL && i < of->def_count; i++) {
        count_card(catalog, of->first_def + i, dir, out, issues);
    }
    for (size_t i = 0; i < out->count; i++) {
        out->total[out->rows[i].state]++;
    }
    return true;
}
