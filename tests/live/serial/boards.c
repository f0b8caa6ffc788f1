/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "boards.h"

#include "sim_live_mcu/mcu_peer.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD "TEST_BOARDS_SOCKET"

/* For builds with sanitizers, whose libraries ask for this when they start: the preload library
 * comes before theirs, and umockdev and GLib lock by what ThreadSanitizer does
 * not see. */
const char *__asan_default_options(void);
const char *__tsan_default_suppressions(void);

const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}

const char *__tsan_default_suppressions(void)
{
    return "race:libumockdev.so\nrace:libglib-2.0.so\nrace:libgio-2.0.so\n";
}

enum act { PLUG, UNPLUG, PERMIT, RESET, MUTE, GARBLE, TICKS, TAP };

struct order {
    enum act act;
    enum board board;
    int64_t a, b;
};

struct answer {
    int err;
    double ticks;
    struct sim_tap tap;
    struct ts_why why;
};

static int child = -1; /* the socket, in the child */

/* ---- the boards' process ---- */

static struct sim_tap in_host_time(struct sim_peer *peer)
{
    struct sim_tap tap = sim_peer_last_tap(peer);
    int64_t *at[] = {&tap.contact_ns, &tap.pickup_ns, &tap.lift_ns};
    for (int i = 0; i < 3; i++)
        *at[i] = *at[i] ? *at[i] + sim_peer_epoch_ns(peer) : 0;
    return tap;
}

static void obey(struct sim_peer *peer, const struct order *order, struct answer *answer)
{
    switch (order->act) {
    case PLUG:
        answer->err = sim_peer_plug(peer, &answer->why);
        break;
    case UNPLUG:
        sim_peer_unplug(peer);
        break;
    case PERMIT:
        answer->err = sim_peer_permit(peer, order->a);
        break;
    case RESET:
        sim_peer_reset(peer);
        break;
    case MUTE:
        sim_peer_mute(peer, order->a);
        break;
    case GARBLE:
        sim_peer_garble(peer, (unsigned)order->a, (unsigned)order->b);
        break;
    case TICKS:
        answer->ticks = sim_peer_true_ticks(peer, (struct ts_host_time){order->a});
        break;
    case TAP:
        answer->tap = in_host_time(peer);
    }
}

static int open_boards(UMockdevTestbed *testbed, struct sim_peer *peers[BOARD_COUNT])
{
    static const struct sim_tty_config ttys[BOARD_COUNT] = {
        {"ttyACM0", "1-1", 2, 0x2341, 0x0043, "RIG0001", "Arduino Uno"},
        {"ttyACM1", "1-2", 3, 0x2341, 0x0042, "RIG0002", "Arduino Mega 2560"},
        {"ttyUSB0", "1-3", 4, 0x1a86, 0x7523, NULL, "USB Serial"},
    };
    struct ts_why why;
    for (int i = 0; i < BOARD_COUNT; i++) {
        const struct sim_peer_config config = {
            .tty = ttys[i],
            .mcu = {.board = i == BOARD_MEGA ? SIM_BOARD_MEGA : SIM_BOARD_UNO,
                    .bridge = SIM_BRIDGE_NONE,
                    .seed = 100 + (uint64_t)i,
                    .ppm = NAN,
                    .wander_ppm = NAN,
                    .arm_rpm = NAN,
                    .drop_mm = NAN,
                    .tip_delay_ms = NAN},
        };
        if (sim_peer_open(testbed, &config, NULL, &peers[i], &why)) {
            fprintf(stderr, "%s\n", why.text);
            return 1;
        }
    }
    return 0;
}

extern char **environ;

static int serve(char **argv, struct sim_peer *peers[BOARD_COUNT])
{
    int ends[2], status = 1;
    char number[16];
    pid_t pid;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return 1;
    snprintf(number, sizeof number, "%d", ends[1]);
    setenv(CHILD, number, 1);
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
        return 1;
    close(ends[1]);
    struct order order;
    while (recv(ends[0], &order, sizeof order, 0) == sizeof order) {
        struct answer answer = {0};
        obey(peers[order.board], &order, &answer);
        if (send(ends[0], &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
            break;
    }
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int boards_main(char **argv, int (*tests)(void))
{
    struct ts_why why;
    if (sim_live_enter(argv, &why)) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    if (getenv(CHILD)) {
        child = atoi(getenv(CHILD));
        return tests();
    }
    umask(0); /* the test of permissions looks at all of this as somebody else */
    UMockdevTestbed *testbed = umockdev_testbed_new();
    gchar *root = umockdev_testbed_get_root_dir(testbed);
    chmod(root, 0755);
    g_free(root);
    struct sim_peer *peers[BOARD_COUNT] = {NULL};
    int status = open_boards(testbed, peers);
    if (!status)
        status = serve(argv, peers);
    for (int i = 0; i < BOARD_COUNT; i++)
        sim_peer_close(peers[i]);
    g_object_unref(testbed);
    return status;
}

/* ---- the tests' process ---- */

static struct answer tell(enum act act, enum board board, int64_t a, int64_t b)
{
    const struct order order = {act, board, a, b};
    struct answer answer;
    if (send(child, &order, sizeof order, MSG_NOSIGNAL) != sizeof order ||
        recv(child, &answer, sizeof answer, 0) != sizeof answer || answer.err) {
        fprintf(stderr, "board %d does not do %d\n", board, act);
        abort();
    }
    return answer;
}

void board_plug(enum board board)
{
    tell(PLUG, board, 0, 0);
}

void board_unplug(enum board board)
{
    tell(UNPLUG, board, 0, 0);
}

void board_permit(enum board board, bool all)
{
    tell(PERMIT, board, all, 0);
}

void board_reset(enum board board)
{
    tell(RESET, board, 0, 0);
}

void board_mute(enum board board, bool mute)
{
    tell(MUTE, board, mute, 0);
}

void board_garble(enum board board, unsigned bytes, unsigned every)
{
    tell(GARBLE, board, bytes, every);
}

double board_true_ticks(enum board board, struct ts_host_time at)
{
    return tell(TICKS, board, at.ns, 0).ticks;
}

struct sim_tap board_last_tap(enum board board)
{
    return tell(TAP, board, 0, 0).tap;
}
