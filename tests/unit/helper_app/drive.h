/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the helper app's own bytecode, translated for a Java machine, against stand-ins for
 * Android's classes (java/). */
#ifndef DRIVE_H
#define DRIVE_H

#include <stddef.h>

/* What it prints, with a NUL behind it; free() it. A run that fails fails the test. */
char *drive(const char *arguments, size_t *size);

#endif
