/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MS     250
#define CONNECTIONS 32
#define IDLE_S      30
#define HOST_TEXT   32

struct ts_web {
    struct MHD_Daemon *daemon;
    ts_web_answerer answerer;
    void *context;
    int port;
    char by_number[HOST_TEXT], by_name[HOST_TEXT]; /* what Host may say */
};

/* What one request has sent so far. */
struct conversation {
    struct ts_buf body;
    bool too_long;
};

static const struct {
    const char *name, *value;
} headers[] = {
    {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

static enum MHD_Result send_answer(struct MHD_Connection *connection, struct ts_web_answer *answer)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer->body.size, answer->body.data, MHD_RESPMEM_MUST_COPY);
    ts_buf_free(&answer->body);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                            answer->type ? answer->type : "text/plain; charset=utf-8");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    const enum MHD_Result queued =
        MHD_queue_response(connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status, const char *text)
{
    struct ts_web_answer answer = {.status = status};
    if (ts_buf_append(&answer.body, text, strlen(text)))
        return MHD_NO;
    return send_answer(connection, &answer);
}

static const char *said(struct MHD_Connection *connection, const char *header)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, header);
}

static bool is_us(const struct ts_web *web, const char *host)
{
    return host && (strcmp(host, web->by_number) == 0 || strcmp(host, web->by_name) == 0);
}

/* A foreign page can make a browser send requests here, but not with another Host, nor JSON
 * without asking first, which nobody answers. */
static bool is_from_our_page(const struct ts_web *web, struct MHD_Connection *connection, bool post)
{
    const char *origin = said(connection, "Origin");
    const char *type = said(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    static const char scheme[] = "http://", json[] = "application/json";
    if (!is_us(web, said(connection, MHD_HTTP_HEADER_HOST)))
        return false;
    if (origin && (strncmp(origin, scheme, sizeof scheme - 1) != 0 ||
                   !is_us(web, origin + sizeof scheme - 1)))
        return false;
    return !post || (type && strncmp(type, json, sizeof json - 1) == 0);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *upload, size_t *upload_size, void **state)
{
    (void)version;
    const struct ts_web *web = context;
    struct conversation *conversation = *state;
    if (!conversation) {
        *state = calloc(1, sizeof *conversation);
        return *state ? MHD_YES : MHD_NO;
    }
    if (*upload_size) {
        if (conversation->body.size + *upload_size > TS_WEB_BODY_MAX ||
            ts_buf_append(&conversation->body, upload, *upload_size))
            conversation->too_long = true;
        *upload_size = 0;
        return MHD_YES;
    }
    const bool post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    if (!post && strcmp(method, MHD_HTTP_METHOD_GET) != 0)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET and POST only\n");
    if (!is_from_our_page(web, connection, post))
        return refuse(connection, MHD_HTTP_FORBIDDEN, "this server answers its own page only\n");
    if (conversation->too_long)
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "too much\n");
    if (ts_buf_append(&conversation->body, "", 1))
        return MHD_NO;
    const struct ts_web_request request = {post, path, (const char *)conversation->body.data,
                                           conversation->body.size - 1};
    struct ts_web_answer answer = {.status = MHD_HTTP_OK};
    web->answerer(web->context, &request, &answer);
    return send_answer(connection, &answer);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)connection;
    (void)code;
    struct conversation *conversation = *state;
    if (conversation)
        ts_buf_free(&conversation->body);
    free(conversation);
    *state = NULL;
}

int ts_web_open(int port, ts_web_answerer answerer, void *context, struct ts_web **out,
                struct ts_why *why)
{
    const struct sockaddr_in loopback = {.sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *out = NULL;
    if (port < 0 || port > UINT16_MAX)
        return ts_fail(why, TS_EINVAL, "%d is no port", port);
    struct ts_web *web = calloc(1, sizeof *web);
    if (!web)
        return TS_ENOMEM;
    web->answerer = answerer;
    web->context = context;
    errno = 0;
    web->daemon = MHD_start_daemon(
        MHD_USE_EPOLL, (uint16_t)port, NULL, NULL, on_request, web, MHD_OPTION_SOCK_ADDR, &loopback,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        web->daemon ? MHD_get_daemon_info(web->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        const int reason = errno;
        ts_web_close(web);
        return ts_fail(why, TS_EIO, "port %d of this computer: %s; choose another with --port",
                       port, reason ? strerror(reason) : "not to be had");
    }
    web->port = info->port;
    snprintf(web->by_number, sizeof web->by_number, "127.0.0.1:%d", web->port);
    snprintf(web->by_name, sizeof web->by_name, "localhost:%d", web->port);
    *out = web;
    return TS_OK;
}

int ts_web_port(const struct ts_web *web)
{
    return web->port;
}

int ts_web_serve(struct ts_web *web, const volatile sig_atomic_t *stop)
{
    while (!*stop) {
        if (MHD_run_wait(web->daemon, WAIT_MS) != MHD_YES && errno != EINTR)
            return TS_EIO;
    }
    return TS_OK;
}

void ts_web_close(struct ts_web *web)
{
    if (!web)
        return;
    if (web->daemon)
        MHD_stop_daemon(web->daemon);
    free(web);
}
