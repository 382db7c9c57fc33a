/*
 * Fuzzes the check of recorded games (`table verify`): any text is refused with one clean sentence,
 * or is a game that was played again from its seed. What is read as JSON gets a fitting seal first:
 * no fuzzer guesses one.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/journal.h"

#include "tests/fuzz/fuzz.h"

static void check(const char *text, size_t size)
{
    struct journal_report report;
    struct mb_error err = {0};
    if (journal_verify(fuzz_catalog(), text, size, &report, &err)) {
        return; // names are cleaned where they are worded
    }
    if (err.code == MB_OK || err.text[0] == '\0' || strchr(err.text, '\n') != NULL) {
        fuzz_fail("refused, and no one sentence says why: \"%s\"", err.text);
    }
    fuzz_check_text(err.text);
}

static void seal(json_t *root)
{
    uint8_t digest[DIGEST_SIZE];
    char hex[DIGEST_HEX_SIZE];
    (void)json_object_del(root, "seal");
    digest_of_json(root, digest);
    digest_hex(digest, sizeof digest, hex);
    (void)json_object_set_new(root, "seal", json_string(hex));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check((const char *)data, size);
    json_t *const root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(root)) {
        seal(root);
        char *const sealed = json_dumps(root, 0);
        if (sealed != NULL) {
            check(sealed, strlen(sealed));
        }
        free(sealed);
    }
    json_decref(root);
    return 0;
}
