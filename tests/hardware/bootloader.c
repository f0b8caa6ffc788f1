/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bootloader IMAGE COMMAND...: a board with Arduino's bootloader behind a pseudo-terminal, whose
 * name is put in place of the argument PORT. Exit code 0: COMMAND ended well, and the board's flash
 * then began with the bytes of IMAGE. Protocol: STK500 version 1 (Atmel AVR061), as far as
 * avrdude's "arduino" programmer speaks it to an ATmega328P. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { FLASH = 32768, PAGE = 256, PATIENCE_MS = 60000 };
enum { OK = 0x10, INSYNC = 0x14, END = 0x20 };

static unsigned char flash[FLASH], page[PAGE];
static unsigned address;
static bool left; /* programming mode: nothing more comes */

static bool take(int port, unsigned char *bytes, size_t count)
{
    for (size_t got = 0; got < count;) {
        struct pollfd ready = {.fd = port, .events = POLLIN};
        if (poll(&ready, 1, PATIENCE_MS) <= 0)
            return false;
        const ssize_t n = read(port, bytes + got, count - got);
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

/* What stands between command and END. */
static size_t arguments(unsigned char command)
{
    switch (command) {
    case 'A': /* get parameter */
        return 1;
    case 'B': /* set device */
        return 20;
    case 'E': /* set extended device */
        return 5;
    case 'U': /* load address, in words */
        return 2;
    case 'V': /* universal */
        return 4;
    case 'd': /* program page */
    case 't': /* read page: size, big endian; memory */
        return 3;
    default:
        return 0;
    }
}

/* Does one command; false: no more come. *answer: owned by the caller, PAGE + 2 bytes. */
static bool serve(int port, unsigned char *answer, size_t *size)
{
    unsigned char command, with[20], end;
    if (!take(port, &command, 1))
        return false;
    *size = 0;
    if (command == END)
        return true;
    if (!take(port, with, arguments(command)))
        return false;
    const size_t bytes = command == 'd' || command == 't' ? (size_t)with[0] << 8 | with[1] : 0;
    if (bytes > PAGE || address + bytes > FLASH)
        return false;
    if (command == 'd' && !take(port, page, bytes))
        return false;
    if (!take(port, &end, 1) || end != END)
        return false;
    static const unsigned char signature[] = {0x1e, 0x95, 0x0f};
    answer[(*size)++] = INSYNC;
    if (command == 'A')
        answer[(*size)++] = 3;
    else if (command == 'V')
        answer[(*size)++] = 0;
    else if (command == 'Q')
        left = true;
    else if (command == 'U')
        address = 2 * ((unsigned)with[0] | (unsigned)with[1] << 8);
    else if (command == 'd')
        memcpy(flash + address, page, bytes);
    else if (command == 'u')
        memcpy(answer + *size, signature, sizeof signature);
    else if (command == 't')
        memcpy(answer + *size, flash + address, bytes);
    *size += command == 'u' ? sizeof signature : command == 't' ? bytes : 0;
    answer[(*size)++] = OK;
    return true;
}

static bool holds(const char *name)
{
    static unsigned char wanted[FLASH];
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    const size_t size = fread(wanted, 1, sizeof wanted, file);
    fclose(file);
    if (size == 0 || memcmp(wanted, flash, size) != 0) {
        fprintf(stderr, "the board's flash does not hold the %zu bytes of %s\n", size, name);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const int port = posix_openpt(O_RDWR | O_NOCTTY);
    if (argc < 3 || port < 0 || grantpt(port) != 0 || unlockpt(port) != 0)
        return 2;
    const char *name = ptsname(port);
    const int held = open(name, O_RDWR | O_NOCTTY); /* so that closing it is no hang-up */
    struct termios raw;
    if (held < 0 || tcgetattr(held, &raw) != 0)
        return 2;
    cfmakeraw(&raw);
    tcsetattr(held, TCSANOW, &raw);
    memset(flash, 0xff, sizeof flash);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "PORT") == 0)
            argv[i] = (char *)name;
    }
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    unsigned char answer[PAGE + 2];
    size_t size;
    while (serve(port, answer, &size) && write(port, answer, size) == (ssize_t)size && !left)
        continue;
    const bool well =
        waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return well && holds(argv[1]) ? 0 : 1;
}
