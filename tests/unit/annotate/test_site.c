/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotation page as a browser meets it: over a socket. */
#include "film.h"

#include "web/film.h"
#include "web/site.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define FILMS 6

struct kept {
    char by[TS_MARKS_BY_MAX];
    struct ts_marks marks;
    int count, frames;
};

struct world {
    char folder[64], paths[FILMS][128];
    struct ts_site_film films[FILMS];
    struct kept kept[FILMS]; /* by film, the last one */
    struct ts_site *site;
    struct ts_web *web;
    volatile sig_atomic_t stop;
    pthread_t thread;
};

static bool is_done(void *context, size_t film, const char *by)
{
    const struct world *world = context;
    return strcmp(world->kept[film].by, by) == 0;
}

static int mark(void *context, size_t film, const char *by, const struct ts_marks *marks,
                const int64_t *stamps_ns, int frames, struct ts_why *why)
{
    struct world *world = context;
    struct kept *kept = &world->kept[film];
    if (strcmp(marks->note, "disk full") == 0)
        return ts_fail(why, TS_EIO, "%s: no space", world->paths[film]);
    snprintf(kept->by, sizeof kept->by, "%s", by);
    kept->marks = *marks;
    kept->frames = stamps_ns ? frames : 0;
    kept->count++;
    return TS_OK;
}

static void *serve(void *context)
{
    struct world *world = context;
    return ts_web_serve(world->web, &world->stop) ? world : NULL;
}

/* The films have the folder's name in their paths and nothing that a page should say. */
static void open_world(struct world *world, const char *by)
{
    struct ts_why why = {""};
    *world = (struct world){.stop = 0};
    folder_make(world->folder);
    for (int i = 0; i < FILMS; i++) {
        snprintf(world->paths[i], sizeof world->paths[i], "%s/secret-%d.mkv", world->folder, i);
        film_write(world->paths[i], i);
        world->films[i] = (struct ts_site_film){.path = world->paths[i]};
    }
    world->films[2] =
        (struct ts_site_film){world->paths[2], true, {{8, 4}, {40, 4}, {40, 34}, {8, 34}}};
    const struct ts_site_config config = {world->films, FILMS,   by,  TS_FILM_MEMORY,
                                          world,        is_done, mark};
    if (ts_site_open(&config, &world->site, &why) ||
        ts_web_open(0, ts_site_answer, world->site, &world->web, &why))
        fail_msg("%s", why.text);
    assert_int_equal(pthread_create(&world->thread, NULL, serve, world), 0);
}

static void close_world(struct world *world)
{
    void *failed;
    world->stop = 1;
    assert_int_equal(pthread_join(world->thread, &failed), 0);
    assert_null(failed);
    ts_web_close(world->web);
    ts_site_close(world->site);
    folder_remove(world->folder);
}

struct reply {
    int status;
    char *text; /* owned; head and body */
    size_t size;
    const char *body;
    size_t body_size;
};

/* Sends `head` (request line and headers but for what is added here) and reads to the end. */
static struct reply talk(const struct world *world, const char *head, const char *body)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)ts_web_port(world->web)),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    char request[4096];
    const int size = snprintf(request, sizeof request, "%sConnection: close\r\n", head);
    struct ts_buf all = {0};
    assert_int_equal(ts_buf_append(&all, request, (size_t)size), TS_OK);
    if (body)
        assert_int_equal(ts_buf_printf(&all, "Content-Length: %zu\r\n", strlen(body)), TS_OK);
    assert_int_equal(ts_buf_printf(&all, "\r\n%s", body ? body : ""), TS_OK);
    /* A server that refuses a long body may hang up before it has read all of it. */
    for (size_t sent = 0; sent < all.size;) {
        const ssize_t part = send(fd, all.data + sent, all.size - sent, MSG_NOSIGNAL);
        if (part <= 0)
            break;
        sent += (size_t)part;
    }
    ts_buf_clear(&all);
    char piece[4096];
    for (ssize_t got; (got = recv(fd, piece, sizeof piece, 0)) > 0;)
        assert_int_equal(ts_buf_append(&all, piece, (size_t)got), TS_OK);
    close(fd);
    assert_int_equal(ts_buf_append(&all, "", 1), TS_OK);
    struct reply reply = {0, (char *)all.data, all.size - 1, NULL, 0};
    sscanf(reply.text, "HTTP/1.1 %d", &reply.status);
    const char *end = strstr(reply.text, "\r\n\r\n");
    reply.body = end ? end + 4 : "";
    reply.body_size = end ? reply.size - (size_t)(reply.body - reply.text) : 0;
    return reply;
}

/* Nothing that a page is told may hint at the answer. */
static void assert_blind(const struct world *world, const struct reply *reply)
{
    const char *const words[] = {"secret", world->folder, "mkv", "settled_ms", "Edsger"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t size = strlen(words[i]);
        for (size_t at = 0; at + size <= reply->size; at++) {
            if (memcmp(reply->text + at, words[i], size) == 0)
                fail_msg("\"%s\" is in an answer", words[i]);
        }
    }
}

static struct reply get(const struct world *world, const char *path)
{
    char head[1024];
    snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", path,
             ts_web_port(world->web));
    const struct reply reply = talk(world, head, NULL);
    assert_blind(world, &reply);
    return reply;
}

static struct reply post(const struct world *world, const char *path, const char *body)
{
    char head[1024];
    const int port = ts_web_port(world->web);
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\nHost: localhost:%d\r\nOrigin: http://localhost:%d\r\n"
             "Content-Type: application/json\r\n",
             path, port, port);
    const struct reply reply = talk(world, head, body);
    assert_blind(world, &reply);
    return reply;
}

static void expect(struct reply reply, int status, const char *says)
{
    if (reply.status != status || (says && !strstr(reply.body, says)))
        fail_msg("status %d instead of %d: %s", reply.status, status, reply.body);
    free(reply.text);
}

static void pages_are_served_and_know_no_names(void **state)
{
    struct world world;
    (void)state;
    open_world(&world, "");
    expect(get(&world, "/"), 200, "First change");
    expect(get(&world, "/annotate.css"), 200, "--rig");
    expect(get(&world, "/annotate.js"), 200, "import {View}");
    expect(get(&world, "/annotate_view.js"), 200, "export class View");
    expect(get(&world, "/api/state"), 200, "\"by\":null");
    expect(get(&world, "/api/film/0"), 409, "who you are");
    expect(post(&world, "/api/by", "{\"by\": \"  Ada \"}"), 200, "\"by\":\"Ada\"");
    expect(get(&world, "/api/film/0"), 200, "\"frames\":50");
    close_world(&world);
}

static void frame_k_is_frame_k(void **state)
{
    static const int frames[] = {0, 1, 17, 49};
    struct world world;
    size_t order[FILMS];
    uint8_t pixels[FILM_WIDTH * FILM_HEIGHT * 3];
    int width, height;
    (void)state;
    open_world(&world, "Ada");
    ts_site_order("Ada", FILMS, order);
    for (int at = 0; at < FILMS; at++) {
        for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
            char path[64];
            snprintf(path, sizeof path, "/api/film/%d/camera/%d", at, frames[i]);
            struct reply reply = get(&world, path);
            assert_int_equal(reply.status, 200);
            png_read((const uint8_t *)reply.body, reply.body_size, &width, &height, pixels,
                     sizeof pixels);
            assert_int_equal(width, FILM_WIDTH);
            for (int p = 0; p < FILM_WIDTH * FILM_HEIGHT; p++)
                assert_int_equal(pixels[p], film_pixel((int)order[at], frames[i], p % FILM_WIDTH,
                                                       p / FILM_WIDTH));
            free(reply.text);
        }
        char path[64];
        const bool known = order[at] == 2;
        snprintf(path, sizeof path, "/api/film/%d", at);
        expect(get(&world, path), 200, known ? "\"upright\":true" : "\"upright\":false");
        snprintf(path, sizeof path, "/api/film/%d/upright/3", at);
        struct reply reply = get(&world, path);
        assert_int_equal(reply.status, known ? 200 : 404);
        if (known) {
            png_read((const uint8_t *)reply.body, reply.body_size, &width, &height, pixels,
                     sizeof pixels);
            assert_int_equal(width, 32);
            assert_int_equal(height, 30);
            assert_int_equal(pixels[0], film_pixel(2, 3, 8, 4));
        }
        free(reply.text);
    }
    close_world(&world);
}

static void marks_are_kept_for_the_right_film(void **state)
{
    struct world world;
    size_t order[FILMS];
    (void)state;
    open_world(&world, "Ada");
    ts_site_order("Ada", FILMS, order);
    expect(post(&world, "/api/film/4/marks",
                "{\"first_change_frame\": 7, \"settled_frame\": 30, \"cannot_tell\": false, "
                "\"note\": \"a caret\"}"),
           200, "\"done\":true");
    const struct kept *kept = &world.kept[order[4]];
    assert_string_equal(kept->by, "Ada");
    assert_int_equal(kept->marks.first_change_frame, 7);
    assert_int_equal(kept->marks.settled_frame, 30);
    assert_string_equal(kept->marks.note, "a caret");
    assert_int_equal(kept->frames, FILM_FRAMES);
    expect(post(&world, "/api/film/0/marks", "{\"cannot_tell\": true}"), 200, NULL);
    assert_int_equal(world.kept[order[0]].marks.settled_frame, -1);
    assert_true(world.kept[order[0]].marks.cannot_tell);
    /* Somebody else sees another order, and none of that as done. */
    expect(post(&world, "/api/by", "{\"by\": \"Grace\"}"), 200, "\"by\":\"Grace\"");
    struct reply reply = get(&world, "/api/state");
    assert_null(strstr(reply.body, "true"));
    free(reply.text);
    /* Ada goes on where she was. */
    expect(post(&world, "/api/by", "{\"by\": \"Ada\"}"), 200,
           "[{\"done\":true},{\"done\":false},{\"done\":false},{\"done\":false},{\"done\":true}");
    close_world(&world);
}

static void marks_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *body;
        int status;
    } bad[] = {
        {"{\"first_change_frame\": 7}", 400},
        {"{\"first_change_frame\": 0, \"settled_frame\": 3}", 400},
        {"{\"first_change_frame\": 9, \"settled_frame\": 3}", 400},
        {"{\"first_change_frame\": 9, \"settled_frame\": 50}", 400},
        {"{\"first_change_frame\": -2, \"settled_frame\": 5}", 400},
        {"{\"first_change_frame\": \"9\", \"settled_frame\": 20}", 400},
        {"{\"first_change_frame\": 9.5, \"settled_frame\": 20}", 400},
        {"[1]", 400},
        {"{", 400},
        {"", 400},
        {"{\"first_change_frame\": 9, \"settled_frame\": 20, \"note\": \"disk full\"}", 500}};
    struct world world;
    (void)state;
    open_world(&world, "Ada");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect(post(&world, "/api/film/1/marks", bad[i].body), bad[i].status, NULL);
    char *long_note = malloc(TS_WEB_BODY_MAX + 100);
    memset(long_note, 'x', TS_WEB_BODY_MAX + 99);
    long_note[TS_WEB_BODY_MAX + 99] = '\0';
    expect(post(&world, "/api/film/1/marks", long_note), 413, NULL);
    free(long_note);
    expect(post(&world, "/api/by", "{\"by\": \" \"}"), 400, "who you are");
    expect(post(&world, "/api/by", "{\"by\": \"a\\u0001\"}"), 400, NULL);
    for (int i = 0; i < FILMS; i++)
        assert_int_equal(world.kept[i].count, 0);
    close_world(&world);
}

static void nothing_else_can_be_fetched(void **state)
{
    static const char *const paths[] = {"/../../etc/passwd",
                                        "/%2e%2e/%2e%2e/etc/passwd",
                                        "/api/film/0/camera/../../../etc/passwd",
                                        "/api/film/0/camera/..%2f..%2fsecret-0.mkv",
                                        "/api/film/-1",
                                        "/api/film/6",
                                        "/api/film/99999999999999999999",
                                        "/api/film/0/camera/50",
                                        "/api/film/0/camera/",
                                        "/api/film/0/camera/1x",
                                        "/api/film/0/marks",
                                        "/secret-0.mkv",
                                        "/api/by"};
    struct world world;
    (void)state;
    open_world(&world, "Ada");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        expect(get(&world, paths[i]), 404, NULL);
    close_world(&world);
}

/* A page from elsewhere that the person's browser has open. */
static void other_pages_are_refused(void **state)
{
    static const struct {
        const char *head, *body;
        int status;
    } cases[] = {
        {"GET /api/state HTTP/1.1\r\nHost: evil.example\r\n", NULL, 403},
        {"GET /api/state HTTP/1.1\r\nHost: evil.example:%d\r\n", NULL, 403},
        {"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://evil.example\r\n", NULL,
         403},
        {"POST /api/by HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: text/plain\r\n",
         "{\"by\":\"x\"}", 403},
        {"DELETE / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", NULL, 405},
        {"GET /api/state HTTP/1.1\r\nHost: localhost:%d\r\n", NULL, 200}};
    struct world world;
    (void)state;
    open_world(&world, "Ada");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char head[512];
        const char *mark_at = strstr(cases[i].head, "%d");
        snprintf(head, sizeof head, "%.*s", mark_at ? (int)(mark_at - cases[i].head) : 511,
                 cases[i].head);
        if (mark_at)
            snprintf(head + strlen(head), sizeof head - strlen(head), "%d%s",
                     ts_web_port(world.web), mark_at + 2);
        expect(talk(&world, head, cases[i].body), cases[i].status, NULL);
    }
    assert_string_equal(world.kept[0].by, "");
    close_world(&world);
}

/* Every other address of this computer refuses the connection. */
static void only_this_computer_is_listened_to(void **state)
{
    struct world world;
    struct ifaddrs *all;
    (void)state;
    open_world(&world, "Ada");
    assert_int_equal(getifaddrs(&all), 0);
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
            continue;
        struct sockaddr_in to;
        memcpy(&to, one->ifa_addr, sizeof to);
        const bool loopback = to.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
        to.sin_port = htons((uint16_t)ts_web_port(world.web));
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        const int connected = connect(fd, (const struct sockaddr *)&to, sizeof to);
        close(fd);
        assert_int_equal(connected == 0, loopback);
    }
    freeifaddrs(all);
    /* 127.0.0.2 is this computer too, and is not listened to either. */
    struct sockaddr_in other = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)ts_web_port(world.web)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_not_equal(connect(fd, (const struct sockaddr *)&other, sizeof other), 0);
    close(fd);
    close_world(&world);
}

static void the_order_is_the_persons_own(void **state)
{
    size_t ada[40], again[40], grace[40];
    bool seen[40] = {false}, differs = false, shuffled = false;
    (void)state;
    ts_site_order("Ada", 40, ada);
    ts_site_order("Ada", 40, again);
    ts_site_order("Grace", 40, grace);
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(ada[i], again[i]);
        assert_true(ada[i] < 40 && !seen[ada[i]]);
        seen[ada[i]] = true;
        differs |= ada[i] != grace[i];
        shuffled |= ada[i] != i;
    }
    assert_true(differs && shuffled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_served_and_know_no_names),
        cmocka_unit_test(frame_k_is_frame_k),
        cmocka_unit_test(marks_are_kept_for_the_right_film),
        cmocka_unit_test(marks_that_cannot_be_are_refused),
        cmocka_unit_test(nothing_else_can_be_fetched),
        cmocka_unit_test(other_pages_are_refused),
        cmocka_unit_test(only_this_computer_is_listened_to),
        cmocka_unit_test(the_order_is_the_persons_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
