/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocol buffers, written field by field (their wire format: varints, 8 bytes, and lengths).
 * No library: a trace has a dozen fields, and the generated code for them would be larger than
 * this. The first error sticks. */
#ifndef TS_EXPORT_PROTO_H
#define TS_EXPORT_PROTO_H

#include "base/buf.h"

struct ts_proto {
    struct ts_buf bytes; /* owned; ts_buf_free() */
    int err;
};

void ts_proto_number(struct ts_proto *out, unsigned field, uint64_t value);
void ts_proto_double(struct ts_proto *out, unsigned field, double value);
void ts_proto_text(struct ts_proto *out, unsigned field, const char *text);
/* A message in a message; `inner` is emptied, so that it can be used for the next. */
void ts_proto_message(struct ts_proto *out, unsigned field, struct ts_proto *inner);

#endif
