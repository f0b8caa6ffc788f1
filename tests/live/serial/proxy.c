/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct proxy {
    pthread_t thread;
    int port, listener, client; /* client: -1 none; of the thread */
    atomic_int stop, hang_up, swallow;
    unsigned char greeting[80];
    atomic_size_t greeting_size;
};

static void hang_up(struct proxy *proxy)
{
    if (proxy->client >= 0)
        close(proxy->client);
    proxy->client = -1;
}

static void pass_on(struct proxy *proxy, int from, int to)
{
    uint8_t bytes[512];
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got > 0 && to >= 0 && !atomic_load(&proxy->swallow))
        (void)!write(to, bytes, (size_t)got);
    if (got <= 0 && from == proxy->client)
        hang_up(proxy);
}

static void *run(void *context)
{
    struct proxy *proxy = context;
    while (!atomic_load(&proxy->stop)) {
        struct pollfd fds[] = {{.fd = proxy->listener, .events = POLLIN},
                               {.fd = proxy->port, .events = POLLIN},
                               {.fd = proxy->client, .events = POLLIN}};
        poll(fds, 3, 10);
        if (fds[1].revents)
            pass_on(proxy, proxy->port, proxy->client);
        if (fds[2].revents)
            pass_on(proxy, proxy->client, proxy->port);
        if (atomic_exchange(&proxy->hang_up, 0))
            hang_up(proxy);
        if (fds[0].revents && proxy->client < 0) {
            proxy->client = accept(proxy->listener, NULL, NULL);
            (void)!write(proxy->client, proxy->greeting, atomic_load(&proxy->greeting_size));
        }
    }
    hang_up(proxy);
    return NULL;
}

struct proxy *proxy_open(const char *path, char *spec)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct proxy *proxy = calloc(1, sizeof *proxy);
    if (!proxy)
        return NULL;
    proxy->client = -1;
    proxy->port = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    proxy->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (proxy->port < 0 || bind(proxy->listener, (struct sockaddr *)&at, size) ||
        listen(proxy->listener, 4) || getsockname(proxy->listener, (struct sockaddr *)&at, &size) ||
        pthread_create(&proxy->thread, NULL, run, proxy)) {
        close(proxy->port);
        close(proxy->listener);
        free(proxy);
        return NULL;
    }
    snprintf(spec, 32, "tcp:127.0.0.1:%d", ntohs(at.sin_port));
    return proxy;
}

void proxy_hang_up(struct proxy *proxy)
{
    atomic_store(&proxy->hang_up, 1);
}

void proxy_greet_with(struct proxy *proxy, const void *bytes, size_t size)
{
    memcpy(proxy->greeting, bytes, size);
    atomic_store(&proxy->greeting_size, size);
    atomic_store(&proxy->swallow, 1);
}

void proxy_swallow(struct proxy *proxy, int on)
{
    atomic_store(&proxy->swallow, on);
}

void proxy_close(struct proxy *proxy)
{
    atomic_store(&proxy->stop, 1);
    pthread_join(proxy->thread, NULL);
    close(proxy->port);
    close(proxy->listener);
    free(proxy);
}
