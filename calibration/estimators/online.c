/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/online.h"

#include <math.h>

void ts_online_start(struct ts_online *online, const struct ts_spore_model *model)
{
    /* Ten launches that err by a slack more than they may: a formula that is out by three times
     * its error in training is found in about that many. */
    const double slack = fmax(model->error, 0.01);
    *online = (struct ts_online){
        .rate = 0.1, .expected = model->error, .slack = slack, .limit = 10 * slack};
}

double ts_online_update(struct ts_online *online, struct ts_spore_model *model, const double *row,
                        double y)
{
    double values[TS_SPORE_TERMS_MAX], power = 1e-12;
    const double estimate = ts_spore_predict(model, row);
    if (!isfinite(estimate) || !isfinite(y) || !(y > 0))
        return estimate;
    online->seen++;
    online->sum = fmax(0, online->sum + fabs(estimate - y) / y - online->expected - online->slack);
    online->alarm |= online->sum > online->limit;
    for (size_t i = 0; i < model->count; i++) {
        values[i] = 1;
        for (int k = 0; k < TS_SPORE_DEGREE_MAX && model->terms[i].factor[k] >= 0; k++) {
            const size_t at = (size_t)model->terms[i].factor[k];
            values[i] *= (row[at] - model->low[at]) / (model->high[at] - model->low[at]);
        }
        power += values[i] * values[i];
    }
    for (size_t i = 0; i < model->count; i++)
        model->coefficients[i] += online->rate * (y - estimate) * values[i] / power;
    return estimate;
}
