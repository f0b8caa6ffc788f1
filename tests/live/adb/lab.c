/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab.h"

#include <arpa/inet.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__ /* three megabytes through a terminal take long then */
#define PATIENCE_NS (120 * TS_NS_PER_S)
#else
#define PATIENCE_NS (30 * TS_NS_PER_S)
#endif

static char home[64];
static int server_port;

/* ---- the server ---- */

static int dial(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)server_port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Asks, and gives all that the server answers; "" when there is no server. */
static void ask(const char *question, char *answer, size_t size)
{
    char request[200];
    const int fd = dial();
    size_t used = 0;
    ssize_t more = 0;
    answer[0] = '\0';
    if (fd < 0)
        return;
    const int length = snprintf(request, sizeof request, "%04zx%s", strlen(question), question);
    if (send(fd, request, (size_t)length, MSG_NOSIGNAL) == length)
        while (used + 1 < size && (more = recv(fd, answer + used, size - 1 - used, 0)) > 0)
            used += (size_t)more;
    answer[used] = '\0';
    close(fd);
}

void lab_kill_server(void)
{
    char answer[64];
    ask("host:kill", answer, sizeof answer);
    for (int i = 0; i < 200; i++) {
        const int fd = dial();
        if (fd < 0)
            return;
        close(fd);
        lab_sleep(10);
    }
}

void lab_connect(const char *serial, const char *state)
{
    char question[80], answer[2000], wanted[80];
    snprintf(question, sizeof question, "host:connect:%s", serial);
    snprintf(wanted, sizeof wanted, "%s\t%s\n", serial, state);
    for (int i = 0; i < 100; i++) {
        ask("host:devices", answer, sizeof answer);
        if (strstr(answer, wanted))
            return;
        if (!strstr(answer, serial))
            ask(question, answer, sizeof answer);
        lab_sleep(50);
    }
    fail_msg("%s does not become %s", serial, state);
}

void lab_disconnect(const char *serial)
{
    char question[80], answer[200];
    snprintf(question, sizeof question, "host:disconnect:%s", serial);
    ask(question, answer, sizeof answer);
}

void lab_sleep(int64_t ms)
{
    const struct timespec time = {(time_t)(ms / 1000), (long)(ms % 1000 * MS)};
    nanosleep(&time, NULL);
}

static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) ||
        getsockname(fd, (struct sockaddr *)&address, &size))
        return 0;
    close(fd);
    return ntohs(address.sin_port);
}

int lab_open(void **state)
{
    char port[8];
    (void)state;
    snprintf(home, sizeof home, "/tmp/touchstone-adb-XXXXXX");
    if (!mkdtemp(home))
        return -1;
    server_port = free_port();
    snprintf(port, sizeof port, "%d", server_port);
    /* Its keys, its log and its port are no business of the server that a person uses. */
    setenv("HOME", home, 1);
    setenv("TMPDIR", home, 1);
    setenv("ANDROID_ADB_SERVER_PORT", port, 1);
    unsetenv("ADB_SERVER_SOCKET");
    return server_port ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

int lab_close(void **state)
{
    (void)state;
    /* A test that failed has left its phone open, which would start the server again. */
    setenv("PATH", "/nonexistent", 1);
    lab_kill_server();
    return nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- phones ---- */

void lab_phone_make(struct lab *lab, uint64_t seed, const struct sim_adb_config *config)
{
    const struct sim_phone_config phone = {
        .seed = seed, .unit = seed, .android = 14, .refresh_hz = 60, .drift_ppm = 20};
    const struct sim_adb_config plain = {.slept_ms = 123456};
    struct ts_why why;
    *lab = (struct lab){0};
    assert_int_equal(sim_real_phone_open(&phone, &lab->real, &why), TS_OK);
    assert_int_equal(sim_adb_peer_open(config ? config : &plain, &sim_real_phone_world, lab->real,
                                       &lab->peer, &why),
                     TS_OK);
    snprintf(lab->serial, sizeof lab->serial, "127.0.0.1:%d", sim_adb_peer_port(lab->peer));
    assert_int_equal(ts_inbox_create(&lab->inbox), TS_OK);
}

void lab_phone_open(struct lab *lab, uint64_t seed, const struct sim_adb_config *config)
{
    struct ts_why why = {"?"};
    lab_phone_make(lab, seed, config);
    if (ts_phone_open(lab->serial, lab->inbox, &lab->phone, &why))
        fail_msg("%s", why.text);
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void lab_phone_close(struct lab *lab)
{
    ts_phone_close(lab->phone);
    lab_disconnect(lab->serial);
    sim_adb_peer_close(lab->peer);
    sim_real_phone_close(lab->real);
    ts_inbox_destroy(lab->inbox);
    free_texts(lab->lines, lab->line_count);
    free_texts(lab->events, lab->event_count);
    free(lab->text);
}

uint32_t lab_submit(struct lab *lab, enum ts_command_kind kind, int what)
{
    struct ts_command command = {.id = ++lab->last_id, .kind = kind};
    if (kind == TS_COMMAND_CLOCK_READ)
        command.u.clock = (enum ts_clock_domain)what;
    else
        command.u.stream = (enum ts_stream)what;
    assert_int_equal(ts_phone_submit(lab->phone, &command), TS_OK);
    return command.id;
}

uint32_t lab_submit_shell(struct lab *lab, const char *text)
{
    const struct ts_command command = {
        .id = ++lab->last_id, .kind = TS_COMMAND_PHONE_SHELL, .u.shell = text};
    assert_int_equal(ts_phone_submit(lab->phone, &command), TS_OK);
    return command.id;
}

static void keep(char ***texts, size_t *count, size_t *capacity, const char *text)
{
    if (*count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        *texts = realloc(*texts, *capacity * sizeof **texts);
        assert_non_null(*texts);
    }
    (*texts)[(*count)++] = strdup(text);
}

static void note(struct lab *lab, const struct ts_item *item)
{
    switch (item->kind) {
    case TS_ITEM_LINE:
        if (item->u.line.stream == TS_STREAM_LOG)
            keep(&lab->lines, &lab->line_count, &lab->line_capacity, item->u.line.text);
        else
            keep(&lab->events, &lab->event_count, &lab->event_capacity, item->u.line.text);
        break;
    case TS_ITEM_FAULT:
        lab->lost += item->u.fault.fault == TS_FAULT_PHONE_LOST && item->u.fault.detail == 0;
        lab->reboots += item->u.fault.fault == TS_FAULT_PHONE_LOST && item->u.fault.detail == 1;
        lab->stream_ends += item->u.fault.fault == TS_FAULT_STREAM_ENDED;
        break;
    case TS_ITEM_CLOCK:
        lab->clock = item->u.clock;
        lab->clocks++;
        break;
    case TS_ITEM_DONE:
        free(lab->text);
        lab->text = strdup(item->u.done.text);
        lab->done = item->u.done;
        lab->done.text = lab->text;
        break;
    default:
        fail_msg("an item of kind %d", item->kind);
    }
}

static bool take_one(struct lab *lab, int64_t until_ns)
{
    struct ts_item item;
    const int err = ts_inbox_take(lab->inbox, (struct ts_host_time){until_ns}, &item);
    if (err == TS_ETIMEOUT)
        return false;
    assert_int_equal(err, TS_OK);
    note(lab, &item);
    return true;
}

const struct ts_item_done *lab_wait(struct lab *lab, uint32_t id)
{
    const int64_t until_ns = ts_live_now().ns + PATIENCE_NS;
    while (lab->done.command != id)
        if (!take_one(lab, until_ns))
            fail_msg("command %u is not done", id);
    return &lab->done;
}

void lab_take_for(struct lab *lab, int64_t ms)
{
    const int64_t until_ns = ts_live_now().ns + ms * MS;
    while (take_one(lab, until_ns))
        ;
}

size_t lab_count(const struct lab *lab, const char *words)
{
    size_t count = 0;
    for (size_t i = 0; i < lab->line_count; i++)
        count += strstr(lab->lines[i], words) != NULL;
    return count;
}

void lab_take_lines(struct lab *lab, const char *words, size_t count)
{
    const int64_t until_ns = ts_live_now().ns + PATIENCE_NS;
    size_t found = 0, looked = 0;
    for (;;) {
        for (; looked < lab->line_count; looked++)
            found += strstr(lab->lines[looked], words) != NULL;
        if (found >= count || !take_one(lab, until_ns))
            return;
    }
}

const char *lab_shell(struct lab *lab, const char *command, int *status, int *exit_code)
{
    const struct ts_item_done *done = lab_wait(lab, lab_submit_shell(lab, command));
    *status = done->status;
    *exit_code = done->exit_code;
    return done->text;
}

void lab_stream(struct lab *lab, enum ts_stream stream, bool on)
{
    const uint32_t id =
        lab_submit(lab, on ? TS_COMMAND_PHONE_STREAM : TS_COMMAND_STREAM_END, (int)stream);
    assert_int_equal(lab_wait(lab, id)->status, TS_OK);
}

/* ---- launches ---- */

void lab_log_launch(struct lab *lab, int number)
{
    char line[200];
    const int64_t us = sim_real_phone_clock(lab->real, sim_real_phone_now(), false) / 1000;
    snprintf(line, sizeof line,
             "%12lld.%06lld  1000  1622  1779 I ActivityTaskManager: Displayed com.app/.Main%d for "
             "user 0: +%dms",
             (long long)us / 1000000, (long long)us % 1000000, number, 100 + number % 900);
    sim_adb_peer_log(lab->peer, line);
}

void lab_assert_launches(const struct lab *lab, int count)
{
    int next = 0;
    for (size_t i = 0; i < lab->line_count; i++) {
        const char *name = strstr(lab->lines[i], "com.app/.Main");
        if (!name)
            continue;
        const int number = atoi(name + strlen("com.app/.Main"));
        if (number != next)
            fail_msg("launch %d where %d should be", number, next);
        next++;
    }
    assert_int_equal(next, count);
}
