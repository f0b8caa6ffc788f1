/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phone's conditions as a JSON object, in the journal and in result.json alike. */
#ifndef TS_STORE_CONDITIONS_JSON_H
#define TS_STORE_CONDITIONS_JSON_H

#include "model/result.h"
#include "store/json_in.h"
#include "store/json_out.h"

void ts_conditions_print(struct ts_json_out *out, const char *key,
                         const struct ts_conditions *conditions);
void ts_conditions_read(struct ts_json_in *in, const char *key, struct ts_conditions *out);

#endif
