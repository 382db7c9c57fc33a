// HTTP and WebSockets against servers on the same loop: an echo by libwebsockets, and a plain one
// that says what a test gives it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>

#include "adapters/net/http.h"
#include "adapters/net/websocket.h"

#include "tests/support/test.h"

enum { TEXT_SIZE = 256, WAIT_MS = 10000, GREAT = 300000, CODE = 4007 };

/* A server that answers every connection with the same bytes. */
struct server {
    uv_tcp_t listener, client;
    const char *answer; /* NULL: it hangs up at once */
    char heard[4 * TEXT_SIZE];
    size_t size;
    bool open;
    bool resets;       /* a connection's second request is answered by nothing but a reset */
    unsigned answered; /* on this connection */
    unsigned connections;
};

struct net {
    uv_loop_t loop;
    uv_timer_t watchdog;
    struct server server;
    struct lws_context *echo;
    int http_port, echo_port;
    struct http *http;
    struct websockets *websockets;
    struct websocket *socket;
    /* what came */
    unsigned answers, opened, heard, closed;
    int status, code;
    enum http_fault fault;
    bool too_long;
    char text[TEXT_SIZE], header[TEXT_SIZE];
    size_t size;
};

/* The plain server. */

static void on_allocate(uv_handle_t *handle, size_t wanted, uv_buf_t *out)
{
    struct server *const server = handle->data;
    (void)wanted;
    *out = uv_buf_init(server->heard + server->size,
                       (unsigned)(sizeof server->heard - 1 - server->size));
}

static void on_hung_up(uv_handle_t *handle)
{
    ((struct server *)handle->data)->open = false;
}

static void on_request(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    struct server *const server = stream->data;
    (void)buffer;
    if (size < 0) {
        uv_close((uv_handle_t *)stream, on_hung_up);
        return;
    }
    server->size += (size_t)size;
    server->heard[server->size] = '\0';
    const char *const end = strstr(server->heard, "\r\n\r\n");
    if (end == NULL || (strstr(server->heard, "POST") != NULL && strstr(end, "}") == NULL)) {
        return; // not all of it yet
    }
    if (server->resets && server->answered > 0) {
        assert_int_equal(uv_tcp_close_reset(&server->client, on_hung_up), 0);
        return;
    }
    if (server->answer != NULL) {
        char copy[4 * TEXT_SIZE];
        uv_buf_t bytes = uv_buf_init(copy, (unsigned)strlen(server->answer));
        memcpy(copy, server->answer, strlen(server->answer));
        assert_int_equal(uv_try_write(stream, &bytes, 1), (int)strlen(server->answer));
    }
    server->answered++;
    server->size = 0;
    if (!server->resets) {
        uv_close((uv_handle_t *)stream, on_hung_up);
    }
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct server *const server = listener->data;
    assert_int_equal(status, 0);
    (void)uv_tcp_init(listener->loop, &server->client);
    server->client.data = server;
    server->open = true;
    server->size = 0;
    server->answered = 0;
    server->connections++;
    assert_int_equal(uv_accept(listener, (uv_stream_t *)&server->client), 0);
    assert_int_equal(uv_read_start((uv_stream_t *)&server->client, on_allocate, on_request), 0);
}

static int serve(struct net *net)
{
    struct sockaddr_in address;
    int size = sizeof address;
    (void)uv_ip4_addr("127.0.0.1", 0, &address);
    (void)uv_tcp_init(&net->loop, &net->server.listener);
    net->server.listener.data = &net->server;
    assert_int_equal(uv_tcp_bind(&net->server.listener, (const struct sockaddr *)&address, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&net->server.listener, 8, on_connection), 0);
    assert_int_equal(uv_tcp_getsockname(&net->server.listener, (struct sockaddr *)&address, &size),
                     0);
    return ntohs(address.sin_port);
}

/* The echo: what it hears, and after "close" its end with a code. */

struct echoed {
    size_t size;
    unsigned char bytes[LWS_PRE + GREAT];
};

static int on_echo(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size)
{
    struct echoed *const echoed = user;
    if (reason == LWS_CALLBACK_RECEIVE) {
        assert_true(echoed->size + size <= GREAT);
        memcpy(echoed->bytes + LWS_PRE + echoed->size, in, size);
        echoed->size += size;
        if (echoed->size == 5 && memcmp(echoed->bytes + LWS_PRE, "close", 5) == 0) {
            unsigned char why[] = "bye";
            lws_close_reason(wsi, (enum lws_close_status)CODE, why, sizeof why - 1);
            return -1;
        }
        if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) {
            lws_callback_on_writable(wsi);
        }
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE && echoed->size > 0) {
        if (lws_write(wsi, echoed->bytes + LWS_PRE, echoed->size, LWS_WRITE_TEXT) < 0) {
            return -1;
        }
        echoed->size = 0;
    }
    return 0;
}

static const struct lws_protocols ECHO_PROTOCOLS[] = {
    {"websocket", on_echo, sizeof(struct echoed), TEXT_SIZE, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static int serve_echo(struct net *net)
{
    void *loops[1] = {&net->loop};
    const struct lws_context_creation_info info = {
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .foreign_loops = loops,
        .iface = "127.0.0.1",
        .port = 0,
        .protocols = ECHO_PROTOCOLS,
    };
    net->echo = lws_create_context(&info);
    assert_non_null(net->echo);
    struct lws_vhost *const vhost = lws_create_vhost(net->echo, &info);
    assert_non_null(vhost);
    return lws_get_vhost_listen_port(vhost);
}

/* The client's side. */

static void on_answer(void *user, const struct http_answer *answer)
{
    struct net *const net = user;
    const char *const header =
        answer->fault == HTTP_NO_FAULT ? http_header(answer, "x-ratelimit-bucket") : NULL;
    net->answers++;
    net->fault = answer->fault;
    net->too_long = answer->too_long;
    net->status = answer->status;
    (void)snprintf(net->text, sizeof net->text, "%s", answer->body);
    (void)snprintf(net->header, sizeof net->header, "%s", header != NULL ? header : "");
}

static void on_opened(void *user)
{
    ((struct net *)user)->opened++;
}

static void on_heard(void *user, const char *bytes, size_t size)
{
    struct net *const net = user;
    net->heard++;
    net->size = size;
    (void)snprintf(net->text, sizeof net->text, "%.*s", (int)(size < TEXT_SIZE ? size : 1), bytes);
}

static void on_closed(void *user, int code)
{
    struct net *const net = user;
    net->closed++;
    net->code = code;
    net->socket = NULL;
}

static void on_watchdog(uv_timer_t *timer)
{
    (void)timer;
    fail_msg("waited in vain");
}

static void run_until(struct net *net, const unsigned *count, unsigned wanted)
{
    (void)uv_timer_start(&net->watchdog, on_watchdog, WAIT_MS, 0);
    while (*count < wanted) {
        (void)uv_run(&net->loop, UV_RUN_ONCE);
    }
    (void)uv_timer_stop(&net->watchdog);
}

static int begin(void **state)
{
    struct net *const net = calloc(1, sizeof *net);
    struct mb_error err = {0};
    assert_non_null(net);
    assert_int_equal(uv_loop_init(&net->loop), 0);
    (void)uv_timer_init(&net->loop, &net->watchdog);
    const struct http_setup setup = {.loop = &net->loop, .user_agent = "test", .proxy = ""};
    net->http = http_create(&setup, &err);
    net->websockets = websockets_create(&net->loop, NULL, &err);
    assert_non_null(net->http);
    assert_non_null(net->websockets);
    net->http_port = serve(net);
    net->echo_port = serve_echo(net);
    *state = net;
    return 0;
}

// In the order of the headers; in the end the loop holds nothing.
static int end(void **state)
{
    struct net *const net = *state;
    http_close(net->http);
    websockets_close(net->websockets);
    lws_context_destroy(net->echo);
    uv_close((uv_handle_t *)&net->watchdog, NULL);
    uv_close((uv_handle_t *)&net->server.listener, NULL);
    if (net->server.open) {
        uv_close((uv_handle_t *)&net->server.client, NULL);
    }
    (void)uv_run(&net->loop, UV_RUN_DEFAULT);
    http_destroy(net->http);
    websockets_destroy(net->websockets);
    lws_context_destroy(net->echo);
    (void)uv_run(&net->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&net->loop), 0);
    free(net);
    return 0;
}

static void ask(struct net *net, const char *method, const char *body, int port)
{
    char url[TEXT_SIZE];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/api", port);
    const struct http_request request = {.method = method,
                                         .url = url,
                                         .headers = {"Authorization: Bot x"},
                                         .body = body,
                                         .body_size = body != NULL ? strlen(body) : 0,
                                         .timeout_ms = 2000,
                                         .body_max = 64};
    assert_int_not_equal(http_send(net->http, &request, on_answer, net), 0);
}

static void an_answer_has_status_header_and_body(void **state)
{
    struct net *const net = *state;
    net->server.answer =
        "HTTP/1.1 429 Too Many\r\nX-RateLimit-Bucket: abc\r\nContent-Length: 2\r\n\r\n{}";
    ask(net, "POST", "{\"a\":1}", net->http_port);
    run_until(net, &net->answers, 1);
    assert_int_equal(net->fault, HTTP_NO_FAULT);
    assert_int_equal(net->status, 429);
    assert_string_equal(net->header, "abc");
    assert_string_equal(net->text, "{}");
    assert_non_null(strstr(net->server.heard, "POST /api HTTP/1.1"));
    assert_non_null(strstr(net->server.heard, "Authorization: Bot x"));
    assert_non_null(strstr(net->server.heard, "{\"a\":1}"));
}

static void an_empty_post_says_that_it_is_empty(void **state)
{
    struct net *const net = *state;
    net->server.answer = "HTTP/1.1 204 None\r\n\r\n";
    ask(net, "PUT", NULL, net->http_port);
    run_until(net, &net->answers, 1);
    assert_int_equal(net->status, 204);
    assert_non_null(strstr(net->server.heard, "Content-Length: 0"));
}

static void what_was_never_sent_is_told_from_what_may_have_happened(void **state)
{
    struct net *const net = *state;
    ask(net, "GET", NULL, 1); // nobody listens there
    run_until(net, &net->answers, 1);
    assert_int_equal(net->fault, HTTP_UNSENT);
    net->server.answer = NULL;
    ask(net, "GET", NULL, net->http_port);
    run_until(net, &net->answers, 2);
    assert_int_equal(net->fault, HTTP_UNKNOWN);
    assert_false(net->too_long);
}

static void a_kept_connection_that_is_reset_costs_no_request(void **state)
{
    struct net *const net = *state;
    net->server.resets = true;
    net->server.answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    for (unsigned i = 1; i <= 3; i++) {
        ask(net, "POST", "{\"a\":1}", net->http_port);
        run_until(net, &net->answers, i);
        assert_int_equal(net->fault, HTTP_NO_FAULT);
        assert_int_equal(net->server.connections, i);
    }
}

static void a_body_longer_than_its_bound_is_no_answer(void **state)
{
    struct net *const net = *state;
    net->server.answer = "HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n"
                         "0123456789012345678901234567890123456789012345678901234567890123456789";
    ask(net, "GET", NULL, net->http_port);
    run_until(net, &net->answers, 1);
    assert_int_equal(net->fault, HTTP_UNKNOWN);
    assert_true(net->too_long);
}

static void what_is_cancelled_is_not_told(void **state)
{
    struct net *const net = *state;
    const struct http_request request = {
        .method = "GET", .url = "http://127.0.0.1:1/", .timeout_ms = 1000};
    const uint64_t number = http_send(net->http, &request, on_answer, net);
    http_cancel(net->http, number);
    http_cancel(net->http, number);
    assert_int_equal(http_count(net->http), 0);
    ask(net, "GET", NULL, 1);
    run_until(net, &net->answers, 1);
    assert_int_equal(net->answers, 1);
}

static void connect_to(struct net *net, int port)
{
    const struct websocket_user user = {
        .user = net, .opened = on_opened, .heard = on_heard, .closed = on_closed};
    char url[TEXT_SIZE];
    struct mb_error err = {0};
    (void)snprintf(url, sizeof url, "ws://127.0.0.1:%d/?v=10&encoding=json", port);
    net->socket = websocket_open(net->websockets, url, &user, &err);
}

static void messages_go_and_come_whole(void **state)
{
    struct net *const net = *state;
    char *const great = calloc(1, GREAT);
    assert_non_null(great);
    memset(great, 'x', GREAT);
    connect_to(net, net->echo_port);
    run_until(net, &net->opened, 1);
    websocket_send(net->socket, "hello", 5);
    run_until(net, &net->heard, 1);
    assert_string_equal(net->text, "hello");
    websocket_send(net->socket, great, GREAT);
    run_until(net, &net->heard, 2);
    assert_int_equal(net->size, GREAT);
    free(great);
}

static void the_peers_code_is_told(void **state)
{
    struct net *const net = *state;
    connect_to(net, net->echo_port);
    run_until(net, &net->opened, 1);
    websocket_send(net->socket, "close", 5);
    run_until(net, &net->closed, 1);
    assert_int_equal(net->code, CODE);
}

static void nobody_there_is_a_loss(void **state)
{
    struct net *const net = *state;
    connect_to(net, 1);
    if (net->socket != NULL) {
        run_until(net, &net->closed, 1);
        assert_int_equal(net->code, WEBSOCKET_LOST);
    }
    assert_int_equal(net->opened, 0);
}

static void what_is_closed_here_is_told_nothing(void **state)
{
    struct net *const net = *state;
    connect_to(net, net->echo_port);
    run_until(net, &net->opened, 1);
    websocket_send(net->socket, "hello", 5);
    websocket_close(net->socket, 4000);
    ask(net, "GET", NULL, 1);
    run_until(net, &net->answers, 1);
    assert_int_equal(net->heard, 0);
    assert_int_equal(net->closed, 0);
}

static void what_is_no_address_is_refused(void **state)
{
    struct net *const net = *state;
    const struct websocket_user user = {
        .user = net, .opened = on_opened, .heard = on_heard, .closed = on_closed};
    struct mb_error err = {0};
    assert_null(websocket_open(net->websockets, "http://127.0.0.1/", &user, &err));
    assert_int_equal(err.code, MB_ERR_INPUT);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_has_status_header_and_body),
        TEST(an_empty_post_says_that_it_is_empty),
        TEST(what_was_never_sent_is_told_from_what_may_have_happened),
        TEST(a_kept_connection_that_is_reset_costs_no_request),
        TEST(a_body_longer_than_its_bound_is_no_answer),
        TEST(what_is_cancelled_is_not_told),
        TEST(messages_go_and_come_whole),
        TEST(the_peers_code_is_told),
        TEST(nobody_there_is_a_loss),
        TEST(what_is_closed_here_is_told_nothing),
        TEST(what_is_no_address_is_refused),
    };
    return cmocka_run_group_tests_name("net", tests, NULL, NULL);
}
