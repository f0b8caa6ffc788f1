/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of fixtures/logs/. */
#ifndef LOGS_H
#define LOGS_H

#include <stddef.h>

/* Whole file, terminated; the caller frees it. */
char *logs_read(const char *name, size_t *size);

#endif
