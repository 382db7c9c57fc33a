#include "adapters/net/websocket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>

#include "core/codec/memory.h"

enum {
    URL_SIZE = 512,
    FIRST_SIZE = 4096,
    GREAT_SIZE = 262144,
    CLOSE_S = 2,
    TLS_PORT = 443,
    PLAIN_PORT = 80
};

/* A message that waits; LWS_PRE bytes are free before its text. */
struct outgoing {
    struct outgoing *next;
    size_t size;
    unsigned char bytes[];
};

struct websocket {
    struct websocket *next, **at; /* in the list of its library */
    struct lws *wsi;
    struct websocket_user user;
    bool given_up; /* closed here: nobody is told anything */
    int code;      /* to close with, or what the peer closed with; 0: none */
    struct outgoing *first, **end;
    char *message; /* that is being put together */
    size_t size, capacity;
};

struct websockets {
    struct lws_context *context;
    void *loop;
    const char *ca_file;
    struct lws_vhost *plain, *secure; /* NULL until an address asks for it */
    struct websocket *sockets;
};

static void free_socket(struct websocket *socket)
{
    while (socket->first != NULL) {
        struct outgoing *const out = socket->first;
        socket->first = out->next;
        free(out);
    }
    *socket->at = socket->next;
    if (socket->next != NULL) {
        socket->next->at = socket->at;
    }
    free(socket->message);
    free(socket);
}

static void report_end(struct websocket *socket)
{
    const struct websocket_user user = socket->user;
    const int code = socket->code > 0 ? socket->code : WEBSOCKET_LOST;
    const bool told = !socket->given_up;
    free_socket(socket);
    if (told) {
        user.closed(user.user, code);
    }
}

static bool keep_bytes(struct websocket *socket, const char *bytes, size_t size)
{
    if (size > WEBSOCKET_MESSAGE_MAX - socket->size) {
        return false;
    }
    if (socket->size + size > socket->capacity) {
        size_t capacity = socket->capacity > 0 ? socket->capacity : FIRST_SIZE;
        while (capacity < socket->size + size) {
            capacity *= 2;
        }
        socket->message = mb_grow(socket->message, capacity, 1);
        socket->capacity = capacity;
    }
    memcpy(socket->message + socket->size, bytes, size);
    socket->size += size;
    return true;
}

// -1 ends the connection.
static int receive_bytes(struct lws *wsi, struct websocket *socket, const char *bytes, size_t size)
{
    if (socket->given_up) {
        return -1;
    }
    if (!keep_bytes(socket, bytes, size)) {
        return -1;
    }
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
        const size_t whole = socket->size;
        socket->size = 0;
        socket->user.heard(socket->user.user, socket->message, whole);
        if (socket->capacity > GREAT_SIZE && !socket->given_up) { // one great message was enough
            free(socket->message);
            socket->message = NULL;
            socket->capacity = 0;
        }
    }
    return 0;
}

static int write_one(struct lws *wsi, struct websocket *socket)
{
    if (socket->given_up) {
        lws_close_reason(wsi, (enum lws_close_status)socket->code, NULL, 0);
        return -1;
    }
    struct outgoing *const out = socket->first;
    if (out == NULL) {
        return 0;
    }
    const int written = lws_write(wsi, out->bytes + LWS_PRE, out->size, LWS_WRITE_TEXT);
    socket->first = out->next;
    if (out->next == NULL) {
        socket->end = &socket->first;
    } else {
        lws_callback_on_writable(wsi);
    }
    const bool good = written >= (int)out->size;
    free(out);
    return good ? 0 : -1;
}

static int closing_code(const unsigned char *bytes, size_t size)
{
    return size >= 2 ? bytes[0] << 8 | bytes[1] : 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *own, void *in,
                    size_t size)
{
    struct websocket *const socket = lws_get_opaque_user_data(wsi);
    (void)own;
    if (socket == NULL) {
        return 0;
    }
    switch ((int)reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        if (socket->given_up) {
            return -1;
        }
        socket->user.opened(socket->user.user);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive_bytes(wsi, socket, in, size);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return write_one(wsi, socket);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        socket->code = socket->given_up ? socket->code : closing_code(in, size);
        return 0;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLIENT_CLOSED:
        lws_set_opaque_user_data(wsi, NULL);
        report_end(socket);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols PROTOCOLS[] = {
    {"websocket", on_event, 0, FIRST_SIZE, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// Connections of one kind. The system's certificates are some hundred, and read into memory for
// each that verifies.
static struct lws_context_creation_info info_of(struct websockets *websockets, bool tls)
{
    return (struct lws_context_creation_info){
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   (tls ? 0 : LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS),
        .vhost_name = tls ? "secure" : "plain",
        .foreign_loops = &websockets->loop,
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = PROTOCOLS,
        .client_ssl_ca_filepath = tls ? websockets->ca_file : NULL,
    };
}

static struct lws_vhost *vhost_of(struct websockets *websockets, bool tls)
{
    struct lws_vhost **const vhost = tls ? &websockets->secure : &websockets->plain;
    if (*vhost == NULL) {
        const struct lws_context_creation_info info = info_of(websockets, tls);
        *vhost = lws_create_vhost(websockets->context, &info);
    }
    return *vhost;
}

struct websockets *websockets_create(uv_loop_t *loop, const char *ca_file, struct mb_error *err)
{
    struct websockets *const websockets = mb_new(1, sizeof *websockets);
    websockets->loop = loop;
    websockets->ca_file = ca_file;
    const struct lws_context_creation_info info = info_of(websockets, false);
    lws_set_log_level(0, NULL);
    websockets->context = lws_create_context(&info);
    if (websockets->context == NULL) {
        (void)mb_fail(err, MB_ERR_IO,
                      "libwebsockets cannot use libuv: install libwebsockets-evlib-uv");
        free(websockets);
        return NULL;
    }
    return websockets;
}

// Takes an address apart in place; false when it is none.
static bool take_apart(char *url, struct lws_client_connect_info *info)
{
    const char *scheme = NULL;
    const char *address = NULL;
    const char *path = NULL;
    int port = 0;
    if (lws_parse_uri(url, &scheme, &address, &port, &path) != 0) {
        return false;
    }
    const bool tls = strcmp(scheme, "wss") == 0;
    info->ssl_connection = tls ? LCCSCF_USE_SSL : 0;
    info->address = address;
    info->port = port != 0 ? port : (tls ? TLS_PORT : PLAIN_PORT);
    info->path = path;
    return tls || strcmp(scheme, "ws") == 0;
}

static bool is_there(const struct websockets *websockets, const struct websocket *socket)
{
    const struct websocket *at = websockets->sockets;
    while (at != NULL && at != socket) {
        at = at->next;
    }
    return at != NULL;
}

struct websocket *websocket_open(struct websockets *websockets, const char *url,
                                 const struct websocket_user *user, struct mb_error *err)
{
    char copy[URL_SIZE];
    char path[URL_SIZE + 1] = "/";
    char host[URL_SIZE];
    struct lws_client_connect_info info = {.context = websockets->context};
    if (strlen(url) >= sizeof copy) {
        (void)mb_fail(err, MB_ERR_INPUT, "a URL is longer than %d bytes", URL_SIZE - 1);
        return NULL;
    }
    memcpy(copy, url, strlen(url) + 1);
    struct websocket *const socket = mb_new(1, sizeof *socket);
    if (!take_apart(copy, &info)) {
        (void)mb_fail(err, MB_ERR_INPUT, "\"%.80s\" is not a WebSocket URL (ws:// or wss://)", url);
        free(socket);
        return NULL;
    }
    (void)snprintf(path + 1, sizeof path - 1, "%s",
                   info.path[0] == '/' ? info.path + 1 : info.path);
    (void)snprintf(host, sizeof host, "%s", info.address);
    info.path = path;
    info.host = host;
    info.origin = host;
    info.local_protocol_name = PROTOCOLS[0].name;
    info.opaque_user_data = socket;
    info.pwsi = &socket->wsi;
    *socket = (struct websocket){.user = *user, .at = &websockets->sockets};
    socket->end = &socket->first;
    socket->next = websockets->sockets;
    if (socket->next != NULL) {
        socket->next->at = &socket->next;
    }
    websockets->sockets = socket;
    socket->given_up = true; // what fails at once is said by NULL, not by a call
    info.vhost = vhost_of(websockets, info.ssl_connection != 0);
    if (info.vhost == NULL || lws_client_connect_via_info(&info) == NULL) {
        if (is_there(websockets, socket)) { // its error was not even told
            free_socket(socket);
        }
        (void)mb_fail(err, MB_ERR_RETRY, "cannot connect to %.80s", host);
        return NULL;
    }
    socket->given_up = false;
    return socket;
}

void websocket_send(struct websocket *websocket, const char *text, size_t size)
{
    struct outgoing *const out = mb_new(1, sizeof *out + LWS_PRE + size);
    out->next = NULL;
    out->size = size;
    memcpy(out->bytes + LWS_PRE, text, size);
    *websocket->end = out;
    websocket->end = &out->next;
    lws_callback_on_writable(websocket->wsi);
}

void websocket_close(struct websocket *websocket, int code)
{
    if (websocket == NULL || websocket->given_up) {
        return;
    }
    websocket->given_up = true;
    websocket->code = code;
    // It says goodbye when it can; a peer that does not read is left alone after that time.
    lws_set_timeout(websocket->wsi, PENDING_TIMEOUT_USER_OK, CLOSE_S);
    lws_callback_on_writable(websocket->wsi);
}

void websockets_close(struct websockets *websockets)
{
    if (websockets != NULL && websockets->context != NULL) {
        for (struct websocket *at = websockets->sockets; at != NULL; at = at->next) {
            at->given_up = true;
        }
        lws_context_destroy(websockets->context);
    }
}

void websockets_destroy(struct websockets *websockets)
{
    if (websockets != NULL) {
        lws_context_destroy(websockets->context); // a second time: this frees it
        free(websockets);
    }
}
