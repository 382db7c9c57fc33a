// TAP 13: one test point a file; a failure says where it was and what differed, as YAML.
#include <stdlib.h>

#include <jansson.h>

#include "bot/tools/scenario.h"

// A JSON string is a YAML string.
static void print_quoted(const char *key, const char *value, FILE *to)
{
    json_t *const string = json_string_nocheck(value);
    char *const text = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    (void)fprintf(to, "%s: %s\n", key, text != NULL ? text : "\"?\"");
    free(text);
    json_decref(string);
}

static void print_difference(const struct scenario_difference *difference, const char *indent,
                             FILE *to)
{
    (void)fprintf(to, "%s", indent);
    print_quoted("at", difference->at, to);
    (void)fprintf(to, "    ");
    print_quoted("expected", difference->expected, to);
    (void)fprintf(to, "    ");
    print_quoted("found", difference->found, to);
}

void scenario_print(const struct scenario_report *report, unsigned number, const char *path,
                    FILE *to)
{
    (void)fprintf(to, "%s %u - %s", report->failed ? "not ok" : "ok", number, path);
    if (report->name[0] != '\0') {
        (void)fputs(": ", to);
        for (const char *at = report->name; *at != '\0'; at++) {
            // "#" would begin a directive, a line end the next test point.
            (void)fputc(*at == '#' || (unsigned char)*at < ' ' ? '?' : *at, to);
        }
    }
    (void)fputc('\n', to);
    if (!report->failed) {
        return;
    }
    (void)fputs("  ---\n  ", to);
    print_quoted("message", report->message, to);
    (void)fputs("  ", to);
    print_quoted("file", path, to);
    (void)fprintf(to, "  step: %u\n", report->step);
    if (report->step_text[0] != '\0') {
        (void)fputs("  ", to);
        print_quoted("does", report->step_text, to);
    }
    if (report->count > 0) {
        (void)fputs("  differences:\n", to);
        for (unsigned i = 0; i < report->count; i++) {
            print_difference(&report->differences[i], "  - ", to);
        }
    }
    (void)fputs("  ...\n", to);
}
