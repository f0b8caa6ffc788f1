/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/budget.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The integral, in units of the combined u: a sum in steps of t repeats the distribution 2 pi /
 * STEP = 42 u further out, where nothing is left of it, and ends where the integrand has died out.
 * A uniform term alone never dies out, so that every sum gets at least this much of a normal one:
 * it moves the limits by less than 0.1 %. */
#define STEP      0.15
#define POINTS    640
#define DIED_OUT  1e-7
#define SMOOTHING 0.05

#define HALF_MOST 12.0 /* u; a Student term of DOF_LEAST reaches to 4.3 */
#define HALVINGS  26
#define DOF_LEAST 2.0
#define NODES     26

static bool estimated(const struct ts_term *term)
{
    return term->dof > 0 && isfinite(term->dof);
}

static double sinc(double x)
{
    return fabs(x) < 1e-9 ? 1 : sin(x) / x;
}

/* Student's distribution as normal ones of different variance; u is the scale, as a calibration
 * states it, and not the somewhat larger standard deviation. */
struct student {
    double weight[NODES], variance[NODES];
};

/* The variance is dof / chi squared. The density of the logarithm of w = chi squared / 2 is
 * exp(a log w - w), a = dof / 2; the trapezoid rule is all but exact for it, since it is smooth and
 * dies out to both sides. Steps are 0.7 of its spread; the long tail lies below. */
static void spread_student(double u, double dof, struct student *out)
{
    const double a = fmax(dof, DOF_LEAST) / 2;
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        const int steps = i - NODES * 3 / 4;
        const double log_ratio = steps * 0.7 / sqrt(a); /* of w to a */
        const double ratio = exp(log_ratio);
        out->weight[i] = exp(a * (log_ratio - ratio + 1));
        out->variance[i] = u * u / ratio;
        sum += out->weight[i];
    }
    for (int i = 0; i < NODES; i++)
        out->weight[i] /= sum;
}

static double student_characteristic(const struct student *student, double t)
{
    double sum = 0;
    for (int i = 0; i < NODES; i++)
        sum += student->weight[i] * exp(-student->variance[i] * t * t / 2);
    return sum;
}

/* The terms by shape, in units of the combined u. */
struct parts {
    double normal_variance;
    double uniform[TS_TERM_COUNT]; /* half widths */
    struct student student[TS_TERM_COUNT];
    int uniforms, students;
};

static void sort_out(const struct ts_budget *budget, double scale, struct parts *parts)
{
    parts->normal_variance = 0;
    parts->uniforms = parts->students = 0;
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *term = &budget->terms[i];
        const double u = ts_term_share_ms(term) / scale;
        const enum ts_shape shape = ts_term_kinds[i].shape;
        if (!(u > 0))
            continue;
        if (shape == TS_SHAPE_UNIFORM)
            parts->uniform[parts->uniforms++] = sqrt(3) * u;
        else if (shape == TS_SHAPE_STUDENT && estimated(term))
            spread_student(u, term->dof, &parts->student[parts->students++]);
        else
            parts->normal_variance += u * u;
    }
    parts->normal_variance = fmax(parts->normal_variance, SMOOTHING * SMOOTHING);
}

struct integrand {
    double t[POINTS], value[POINTS]; /* product of the characteristic functions, times step / t */
    int count;
};

static void prepare(const struct parts *parts, struct integrand *out)
{
    for (out->count = 0; out->count < POINTS; out->count++) {
        const double t = (out->count + 0.5) * STEP;
        double product = exp(-parts->normal_variance * t * t / 2);
        for (int i = 0; i < parts->students; i++)
            product *= student_characteristic(&parts->student[i], t);
        if (product < DIED_OUT) /* the uniform ones may cross zero on the way */
            return;
        for (int i = 0; i < parts->uniforms; i++)
            product *= sinc(parts->uniform[i] * t);
        out->t[out->count] = t;
        out->value[out->count] = product * STEP / t;
    }
}

static double within(const struct integrand *integrand, double half)
{
    double sum = 0;
    for (int k = 0; k < integrand->count; k++)
        sum += sin(half * integrand->t[k]) * integrand->value[k];
    return sum * 2 / PI;
}

double ts_budget_half_ms(const struct ts_budget *budget, double probability)
{
    const double u = ts_budget_u_ms(budget);
    struct parts parts;
    struct integrand integrand;
    if (!(u > 0) || !isfinite(u))
        return u;
    sort_out(budget, u, &parts);
    prepare(&parts, &integrand);
    double low = 0, high = HALF_MOST;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (within(&integrand, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2 * u;
}
