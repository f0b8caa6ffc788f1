/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/json_text.h"

#include <math.h>
#include <stdlib.h>

json_t *ts_json_figure(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ts_json_figures(double low, double high)
{
    return json_pack("[o, o]", ts_json_figure(low), ts_json_figure(high));
}

json_t *ts_json_name(const char *text)
{
    json_t *name = json_string(text);
    return name ? name : json_null();
}

int ts_json_put_line(json_t *root, struct ts_out *out)
{
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(root);
    if (!text)
        return TS_ENOMEM;
    ts_out_put(out, text);
    ts_out_put(out, "\n");
    free(text);
    return TS_OK;
}
