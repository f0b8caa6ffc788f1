/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/repeatability.h"

#include "instrument/chances.h"
#include "stats/order.h"

#include <math.h>

#define LIMIT_FACTOR 2.8 /* 1.96 * sqrt(2) */

const char *const ts_outlying_names[] = {"no", "straggler", "outlier", NULL};

double ts_cochran_critical(double level, size_t groups, double values_each)
{
    const double p = (double)groups;
    if (groups < 2 || !(values_each > 1))
        return NAN;
    const double dof = values_each - 1;
    const double f = ts_chance_f(1 - level / p, dof, (p - 1) * dof);
    return 1 / (1 + (p - 1) / f);
}

double ts_grubbs_critical(double level, size_t groups)
{
    const double p = (double)groups;
    if (groups < 3)
        return NAN;
    const double t = ts_chance_t(1 - level / p, p - 2);
    return (p - 1) / sqrt(p) * sqrt(t * t / (p - 2 + t * t));
}

static void judge(struct ts_group_test *test)
{
    test->outlying = TS_OUTLYING_NO;
    if (test->statistic > test->critical_5)
        test->outlying = TS_OUTLYING_STRAGGLER;
    if (test->statistic > test->critical_1)
        test->outlying = TS_OUTLYING_OUTLIER;
}

static double variance(const struct ts_group *group, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < group->count; i++)
        sum += (group->values[i] - mean) * (group->values[i] - mean);
    return sum / ((double)group->count - 1);
}

static void test_variances(const struct ts_group *groups, size_t count,
                           struct ts_repeatability *out)
{
    struct ts_group_test *test = &out->cochran;
    double most = -1, sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double of_group = variance(&groups[i], ts_mean(groups[i].values, groups[i].count));
        sum += of_group;
        if (of_group > most) {
            most = of_group;
            test->group = i;
        }
    }
    const double each = (double)out->values / (double)count;
    test->statistic = sum > 0 ? most / sum : 0;
    test->critical_5 = ts_cochran_critical(0.05, count, each);
    test->critical_1 = ts_cochran_critical(0.01, count, each);
    judge(test);
}

static void test_means(const struct ts_group *groups, size_t count, struct ts_repeatability *out)
{
    struct ts_group_test *test = &out->grubbs;
    double mean = 0, sum = 0, most = -1;
    for (size_t i = 0; i < count; i++)
        mean += ts_mean(groups[i].values, groups[i].count) / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double off = fabs(ts_mean(groups[i].values, groups[i].count) - mean);
        sum += off * off;
        if (off > most) {
            most = off;
            test->group = i;
        }
    }
    const double spread = sqrt(sum / ((double)count - 1));
    test->statistic = spread > 0 ? most / spread : 0;
    test->critical_5 = ts_grubbs_critical(0.05, count);
    test->critical_1 = ts_grubbs_critical(0.01, count);
    judge(test);
}

int ts_repeatability(const struct ts_group *groups, size_t count, struct ts_repeatability *out,
                     struct ts_why *why)
{
    *out = (struct ts_repeatability){.groups = count};
    if (count < 2)
        return ts_fail(why, TS_EINVAL, "two groups or more are needed");
    double total = 0, squares = 0, n = 0, within = 0, between = 0;
    for (size_t i = 0; i < count; i++) {
        const double size = (double)groups[i].count;
        if (groups[i].count < 2)
            return ts_fail(why, TS_EINVAL, "each group needs two values or more");
        const double mean = ts_mean(groups[i].values, groups[i].count);
        total += size * mean;
        n += size;
        squares += size * size;
        within += (size - 1) * variance(&groups[i], mean);
    }
    const double p = (double)count;
    out->values = (size_t)n;
    out->mean = total / n;
    for (size_t i = 0; i < count; i++) {
        const double off = ts_mean(groups[i].values, groups[i].count) - out->mean;
        between += (double)groups[i].count * off * off / (p - 1);
    }
    const double of_repeats = within / (n - p), each = (n - squares / n) / (p - 1);
    const double of_groups = fmax((between - of_repeats) / each, 0);
    out->s_r = sqrt(of_repeats);
    out->s_L = sqrt(of_groups);
    out->s_R = sqrt(of_repeats + of_groups);
    out->r = LIMIT_FACTOR * out->s_r;
    out->R = LIMIT_FACTOR * out->s_R;
    test_variances(groups, count, out);
    test_means(groups, count, out);
    return TS_OK;
}
