/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration files: one record each, as JSON that a person can read, with a checksum over its
 * values, so that a damaged or half-copied file is not believed. */
#ifndef TS_STORE_RECORD_FILE_H
#define TS_STORE_RECORD_FILE_H

#include "base/buf.h"
#include "model/record.h"

int ts_record_print(const struct ts_record *record, struct ts_buf *buf) TS_MUST_CHECK;
/* TS_EPROTO: not a record, or its checksum does not fit. */
int ts_record_parse(const char *text, size_t size, struct ts_record *out,
                    struct ts_why *why) TS_MUST_CHECK;

#endif
