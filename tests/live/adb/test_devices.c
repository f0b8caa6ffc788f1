/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which phone is taken, and what a person is told when none can be. */
#include "lab.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Opening fails, and the reason has these words. */
static void assert_refused(const char *spec, int wanted, const char *words)
{
    struct ts_inbox *inbox;
    struct ts_phone *phone;
    struct ts_why why = {""};
    assert_int_equal(ts_inbox_create(&inbox), TS_OK);
    const int err = ts_phone_open(spec, inbox, &phone, &why);
    if (err != wanted || !strstr(why.text, words))
        fail_msg("%s: %d, \"%s\"", spec, err, why.text);
    assert_null(phone);
    ts_inbox_destroy(inbox);
}

static void no_server_and_no_program(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    assert_refused("auto", TS_ENOTSUP, "install the package adb");
    setenv("PATH", path, 1);
    assert_refused("auto@192.0.2.1:nonsense", TS_EINVAL, "is no port");
    assert_refused("", TS_EINVAL, "neither auto nor a serial");
    assert_refused("a b", TS_EINVAL, "no blanks");
}

static void a_server_of_another_kind(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char spec[60];
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    if (fork() == 0) {
        const int client = accept(fd, NULL, NULL);
        const ssize_t sent = write(client, "HTTP/1.1 400 Bad Request\r\n", 26);
        sleep(1);
        _exit(sent != 26);
    }
    /* Port and address say that it is here, so it is started, and that does not help. */
    snprintf(spec, sizeof spec, "auto@127.0.0.1:%d", ntohs(address.sin_port));
    close(fd);
    setenv("PATH", "/nonexistent", 1);
    assert_refused(spec, TS_ENOTSUP, "install the package adb");
    setenv("PATH", "/usr/bin:/bin", 1);
}

static void no_phone(void **state)
{
    (void)state;
    assert_refused("auto", TS_EIO, "no phone is there");
    assert_refused("0123456789", TS_EIO, "phone 0123456789 is not there");
    assert_refused("127.0.0.1:1", TS_EIO, "phone 127.0.0.1:1 is not there");
}

static void one_phone_or_several(void **state)
{
    (void)state;
    struct lab labs[2];
    struct ts_why why = {"?"};
    for (int i = 0; i < 2; i++) {
        lab_phone_make(&labs[i], 81 + (uint64_t)i, NULL);
        lab_connect(labs[i].serial, "device");
    }
    assert_refused("auto", TS_EINVAL, "several phones are there");
    assert_refused("auto", TS_EINVAL, labs[0].serial);
    assert_refused("auto", TS_EINVAL, labs[1].serial);
    lab_disconnect(labs[0].serial);
    if (ts_phone_open("auto", labs[1].inbox, &labs[1].phone, &why))
        fail_msg("%s", why.text);
    int status, code;
    assert_string_equal(lab_shell(&labs[1], "echo me", &status, &code), "me\n");
    for (int i = 0; i < 2; i++)
        lab_phone_close(&labs[i]);
}

static void unauthorized(void **state)
{
    (void)state;
    const struct sim_adb_config config = {.unauthorized = true};
    struct lab lab;
    struct ts_why why = {"?"};
    lab_phone_make(&lab, 83, &config);
    lab_connect(lab.serial, "unauthorized");
    assert_refused(lab.serial, TS_EIO, "allow USB debugging");
    assert_refused("auto", TS_EIO, "allow USB debugging");
    sim_adb_peer_allow(lab.peer);
    lab_connect(lab.serial, "device");
    if (ts_phone_open(lab.serial, lab.inbox, &lab.phone, &why))
        fail_msg("%s", why.text);
    int status, code;
    assert_string_equal(lab_shell(&lab, "echo me", &status, &code), "me\n");
    lab_phone_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_server_and_no_program),
        cmocka_unit_test(a_server_of_another_kind),
        cmocka_unit_test(no_phone),
        cmocka_unit_test(one_phone_or_several),
        cmocka_unit_test(unauthorized),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
