/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/serial/port.h"

#include "base/time.h"
#include "wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* An Arduino's reset line follows the edge of DTR through a capacitor; some bridges need the line
 * to have been down for a while. */
#define DTR_DOWN_NS (50 * TS_NS_PER_MS)
#define CONNECT_MS  2000
#define HOST_MAX    200

static int refused(const char *path, int error, struct ts_why *why)
{
    if (error == EACCES || error == EPERM)
        return ts_fail(why, TS_EIO,
                       "no permission on %s: run ./dev setup --rig, or add yourself to the group "
                       "dialout (sudo usermod -aG dialout $USER) and log in again",
                       path);
    if (error == EBUSY || error == EWOULDBLOCK)
        return ts_fail(why, TS_EIO,
                       "%s is in use by another program; close that (a serial "
                       "monitor, another touchstone, ModemManager)",
                       path);
    if (error == ENOENT || error == ENXIO || error == ENODEV)
        return ts_fail(why, TS_EIO, "there is no %s; is the board plugged in?", path);
    return ts_fail(why, TS_EIO, "cannot open %s: %s", path, strerror(error));
}

/* Others are kept away twice: by the kernel, which lets root pass, and by a lock among programs
 * that look at it. */
static bool take_alone(struct ts_port *port)
{
    port->ours = flock(port->fd, LOCK_EX | LOCK_NB) == 0;
    return port->ours && ioctl(port->fd, TIOCEXCL) == 0;
}

/* FTDI bridges keep bytes for 16 ms unless told not to; others do not know of this. */
static void ask_for_low_latency(int fd)
{
    struct serial_struct settings;
    if (ioctl(fd, TIOCGSERIAL, &settings))
        return;
    settings.flags = (int)((unsigned)settings.flags | ASYNC_LOW_LATENCY);
    (void)!ioctl(fd, TIOCSSERIAL, &settings);
}

/* What an earlier program left in the buffers goes while the board is still held, so that nothing
 * of its new life is lost. */
static bool reset_board(struct sp_port *tty)
{
    const struct timespec down = {.tv_nsec = DTR_DOWN_NS};
    if (sp_set_dtr(tty, SP_DTR_OFF) != SP_OK || sp_set_rts(tty, SP_RTS_OFF) != SP_OK)
        return false;
    nanosleep(&down, NULL);
    return sp_flush(tty, SP_BUF_BOTH) == SP_OK && sp_set_dtr(tty, SP_DTR_ON) == SP_OK &&
           sp_set_rts(tty, SP_RTS_ON) == SP_OK;
}

static int open_tty(const struct ts_port_id *id, struct ts_port *port, struct ts_why *why)
{
    if (sp_get_port_by_name(id->path, &port->tty) != SP_OK)
        return refused(id->path, ENOENT, why);
    if (sp_open(port->tty, SP_MODE_READ_WRITE) != SP_OK) {
        const int error = sp_last_error_code();
        sp_free_port(port->tty);
        return refused(id->path, error, why);
    }
    port->open = true;
    if (sp_get_port_handle(port->tty, &port->fd) != SP_OK || !take_alone(port))
        return refused(id->path, errno, why);
    ask_for_low_latency(port->fd);
    if (sp_set_baudrate(port->tty, WIRE_BAUD) != SP_OK || sp_set_bits(port->tty, 8) != SP_OK ||
        sp_set_parity(port->tty, SP_PARITY_NONE) != SP_OK ||
        sp_set_stopbits(port->tty, 1) != SP_OK ||
        sp_set_flowcontrol(port->tty, SP_FLOWCONTROL_NONE) != SP_OK || !reset_board(port->tty))
        return ts_fail(why, TS_EIO, "%s cannot be set to %lu baud, 8N1: %s", id->path, WIRE_BAUD,
                       strerror(sp_last_error_code()));
    return TS_OK;
}

/* errno of a connection to one address, 0 when it stands. */
static int connect_to(const struct addrinfo *address, int *out)
{
    const int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return errno;
    int error = connect(fd, address->ai_addr, address->ai_addrlen) ? errno : 0;
    if (error == EINPROGRESS) {
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        socklen_t size = sizeof error;
        error = ETIMEDOUT;
        if (poll(&wait, 1, CONNECT_MS) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
            error = errno;
    }
    if (error) {
        close(fd);
        return error;
    }
    const int on = 1;
    (void)!setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    *out = fd;
    return 0;
}

static int open_tcp(const struct ts_port_id *id, struct ts_port *port, struct ts_why *why)
{
    char host[HOST_MAX];
    const char *begin = id->path + strlen("tcp:"), *colon = strrchr(begin, ':');
    size_t length = colon ? (size_t)(colon - begin) : 0;
    if (length > 1 && begin[0] == '[' && begin[length - 1] == ']') { /* an IPv6 address */
        begin++;
        length -= 2;
    }
    if (!length || length >= sizeof host || !colon[1])
        return ts_fail(why, TS_EINVAL, "\"%s\" is not tcp:HOST:PORT", id->path);
    memcpy(host, begin, length);
    host[length] = '\0';
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses;
    const int unknown = getaddrinfo(host, colon + 1, &hints, &addresses);
    if (unknown)
        return ts_fail(why, TS_EIO, "%s: %s", id->path, gai_strerror(unknown));
    int error = 0;
    for (const struct addrinfo *at = addresses; at && !port->open; at = at->ai_next) {
        error = connect_to(at, &port->fd);
        port->open = !error;
    }
    freeaddrinfo(addresses);
    if (!port->open)
        return ts_fail(why, TS_EIO, "%s: %s; does ser2net run there, and serve this port raw?",
                       id->path, strerror(error));
    return TS_OK;
}

int ts_port_open(const struct ts_port_id *id, struct ts_port *out, struct ts_why *why)
{
    *out = (struct ts_port){0};
    const int err = id->tcp ? open_tcp(id, out, why) : open_tty(id, out, why);
    if (err)
        ts_port_close(out);
    return err;
}

void ts_port_close(struct ts_port *port)
{
    if (port->ours)
        (void)!ioctl(port->fd, TIOCNXCL); /* somebody else may have it open still */
    if (port->open && port->tty) {
        sp_close(port->tty);
        sp_free_port(port->tty);
    } else if (port->open) {
        close(port->fd);
    }
    *port = (struct ts_port){0};
}

int ts_port_read(struct ts_port *port, uint8_t *bytes, size_t capacity)
{
    if (!port->tty) {
        const ssize_t got = recv(port->fd, bytes, capacity, 0);
        if (got > 0)
            return (int)got;
        return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : TS_EOF;
    }
    const int got = sp_nonblocking_read(port->tty, bytes, capacity);
    if (got > 0)
        return got;
    /* Of a board that is gone libserialport reads nothing, without an error, for ever. */
    return got < 0 || sp_input_waiting(port->tty) < 0 ? TS_EOF : 0;
}

void ts_port_write(struct ts_port *port, const uint8_t *bytes, size_t size)
{
    if (port->tty)
        (void)!sp_nonblocking_write(port->tty, bytes, size);
    else
        (void)!send(port->fd, bytes, size, MSG_NOSIGNAL);
}
