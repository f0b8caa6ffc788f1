/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person is told while the program runs; standard error. Not for pure rooms. */
#ifndef TS_LOG_LOG_H
#define TS_LOG_LOG_H

enum ts_log_level { TS_LOG_ERROR, TS_LOG_WARNING, TS_LOG_INFO, TS_LOG_DEBUG };

void ts_log_set_level(enum ts_log_level level); /* TS_LOG_WARNING at start */
void ts_log(enum ts_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
