#include "adapters/discord/application.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "adapters/discord/discord.h"

enum { NUMBER_SIZE = 24 };

static void permissions_needed(char out[NUMBER_SIZE])
{
    (void)snprintf(out, NUMBER_SIZE, "%" PRIu64, DISCORD_PERMISSIONS);
}

static const json_t *invitation(const json_t *settings)
{
    const json_t *const types = json_object_get(settings, "integration_types_config");
    return json_object_get(json_object_get(types, "0"), "oauth2_install_params");
}

static bool has_scope(const json_t *scopes, const char *wanted)
{
    const json_t *scope = NULL;
    size_t i = 0;
    json_array_foreach(scopes, i, scope)
    {
        const char *const name = json_string_value(scope);
        if (name != NULL && strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static bool invites_well(const json_t *settings)
{
    char needed[NUMBER_SIZE];
    const json_t *const params = invitation(settings);
    const json_t *const scopes = json_object_get(params, "scopes");
    const char *const permissions = json_string_value(json_object_get(params, "permissions"));
    permissions_needed(needed);
    return has_scope(scopes, "bot") && has_scope(scopes, "applications.commands") &&
           permissions != NULL && strcmp(permissions, needed) == 0;
}

static bool has_endpoint(const json_t *settings)
{
    const json_t *const url = json_object_get(settings, "interactions_endpoint_url");
    return url != NULL && !json_is_null(url);
}

bool application_check(const json_t *settings, const char *id, application_wrong_fn *wrong,
                       void *user)
{
    char needed[NUMBER_SIZE];
    struct mb_error errs[4] = {0};
    const char *const own = json_string_value(json_object_get(settings, "id"));
    bool good = true;
    permissions_needed(needed);
    if (own == NULL || strcmp(own, id) != 0) {
        (void)mb_fail(
            &errs[0], MB_ERR_INPUT,
            "the token belongs to application %.24s, but application_id is %.24s: correct one",
            own != NULL ? own : "?", id);
    }
    if (has_endpoint(settings)) {
        (void)mb_fail(&errs[1], MB_ERR_INPUT,
                      "\"Interactions Endpoint URL\" is set, so commands and buttons do not reach "
                      "the bot; \"munchbot discord setup\" clears it");
    }
    if (json_is_true(json_object_get(settings, "bot_require_code_grant"))) {
        (void)mb_fail(&errs[2], MB_ERR_INPUT,
                      "\"Requires OAuth2 Code Grant\" is on, so nobody can invite the bot: turn it "
                      "off in the developer portal, under \"Bot\"");
    }
    if (!invites_well(settings)) {
        (void)mb_fail(&errs[3], MB_ERR_INPUT,
                      "\"Default Install Settings\" are not bot, applications.commands and "
                      "permissions %s; \"munchbot discord setup\" sets them",
                      needed);
    }
    for (size_t i = 0; i < sizeof errs / sizeof errs[0]; i++) {
        if (errs[i].code != MB_OK) {
            good = false;
            wrong(user, &errs[i]);
        }
    }
    return good;
}

json_t *application_change(const json_t *settings)
{
    char needed[NUMBER_SIZE];
    json_t *const change = json_object();
    if (has_endpoint(settings)) {
        (void)json_object_set_new(change, "interactions_endpoint_url", json_null());
    }
    if (!invites_well(settings)) {
        permissions_needed(needed);
        (void)json_object_set_new(change, "integration_types_config",
                                  json_pack("{s:{s:{s:[s, s], s:s}}}", "0", "oauth2_install_params",
                                            "scopes", "applications.commands", "bot", "permissions",
                                            needed));
    }
    if (json_object_size(change) == 0) {
        json_decref(change);
        return NULL;
    }
    return change;
}
