/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds of an app, installed between blocks of launches. Their packages are put on the phone once,
 * before the campaign, so that an install is a shell command like any other. */
#ifndef TS_CONTROL_INSTALL_H
#define TS_CONTROL_INSTALL_H

#include <stddef.h>

/* Where the package of the plan's app number `app` lies on the phone: the one folder that its shell
 * may write to and its package manager may read. */
void ts_install_path(size_t app, char *text, size_t size);

#endif
