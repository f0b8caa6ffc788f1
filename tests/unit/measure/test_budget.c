/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 95 % interval of a budget against closed forms, tables and Monte Carlo. */
#include "measure/budget.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DRAWS     1000000
#define BINS      40000
#define BIN_U     0.001 /* of the combined u */
#define MIXTURES  10
#define UNIFORM_A TS_TERM_LATENCY
#define UNIFORM_B TS_TERM_PLATE
#define STUDENT_A TS_TERM_LIFT_TAP
#define STUDENT_B TS_TERM_LIFT_DELAY
#define NORMAL    TS_TERM_CHANGE

static void set(struct ts_budget *budget, enum ts_term_name name, double u, double dof)
{
    budget->terms[name] = (struct ts_term){u, 1, dof};
}

static struct ts_budget one(enum ts_term_name name, double u, double dof)
{
    struct ts_budget budget = {0};
    set(&budget, name, u, dof);
    return budget;
}

static void assert_half(const struct ts_budget *budget, double expected, double tolerance)
{
    const double half = ts_budget_half_ms(budget, 0.95);
    if (!(fabs(half / expected - 1) <= tolerance))
        fail_msg("half of the interval is %.5f, should be %.5f", half, expected);
}

/* The names above are of the shapes that they say. */
static void terms_have_their_shapes(void **state)
{
    (void)state;
    assert_int_equal(ts_term_kinds[UNIFORM_A].shape, TS_SHAPE_UNIFORM);
    assert_int_equal(ts_term_kinds[UNIFORM_B].shape, TS_SHAPE_UNIFORM);
    assert_int_equal(ts_term_kinds[STUDENT_A].shape, TS_SHAPE_STUDENT);
    assert_int_equal(ts_term_kinds[STUDENT_B].shape, TS_SHAPE_STUDENT);
    assert_int_equal(ts_term_kinds[NORMAL].shape, TS_SHAPE_NORMAL);
}

static void single_terms_are_exact(void **state)
{
    (void)state;
    /* Two-sided 95 % points of Student's t. */
    static const struct {
        double dof, t;
    } student[] = {{2, 4.30265},  {3, 3.18245},   {4, 2.77645},
                   {5, 2.57058},  {11, 2.20099},  {16.7, 2.11273},
                   {59, 2.00100}, {499, 1.96473}, {INFINITY, 1.95996}};
    struct ts_budget budget = one(UNIFORM_A, 0.3, INFINITY);
    assert_half(&budget, 0.95 * sqrt(3) * 0.3, 0.002);
    budget = one(NORMAL, 7, INFINITY);
    assert_half(&budget, 1.95996 * 7, 0.002);
    for (size_t i = 0; i < sizeof student / sizeof *student; i++) {
        budget = one(STUDENT_A, 0.02, student[i].dof);
        assert_half(&budget, student[i].t * 0.02, 0.003);
    }
}

/* Two uniform terms of half widths a >= b: the tail beyond h is (a + b - h)^2 / (4 a b), once h is
 * past a - b; two alike are the triangle. */
static void two_uniform_terms_are_a_trapezoid(void **state)
{
    (void)state;
    for (double ratio = 1; ratio > 0.3; ratio -= 0.2) {
        struct ts_budget budget = one(UNIFORM_A, 2, INFINITY);
        set(&budget, UNIFORM_B, 2 * ratio, INFINITY);
        const double a = sqrt(3) * 2, b = a * ratio;
        assert_half(&budget, a + b - sqrt(0.05 * 4 * a * b), 0.002);
    }
}

/* One uniform term beside which everything else is tiny, or just not. */
static void a_ruling_uniform_term(void **state)
{
    (void)state;
    static const double beside[] = {1e-9, 1e-3, 1e-2};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        struct ts_budget budget = one(UNIFORM_A, 1, INFINITY);
        set(&budget, NORMAL, beside[i], INFINITY);
        set(&budget, STUDENT_A, beside[i], 4);
        assert_half(&budget, 0.95 * sqrt(3), 0.003);
    }
}

static void a_sensitivity_scales_and_zero_is_zero(void **state)
{
    (void)state;
    struct ts_budget budget = one(NORMAL, 0.5, INFINITY);
    budget.terms[NORMAL].sensitivity = -4;
    assert_half(&budget, 1.95996 * 2, 0.002);
    assert_true(fabs(ts_budget_u_ms(&budget) - 2) < 1e-12);
    budget.terms[NORMAL].u = 0;
    assert_true(fabs(ts_budget_half_ms(&budget, 0.95)) < 1e-12);
    budget.terms[NORMAL].u = NAN;
    assert_true(isnan(ts_budget_half_ms(&budget, 0.95)));
    budget.terms[NORMAL].u = INFINITY;
    assert_true(isinf(ts_budget_half_ms(&budget, 0.95)) != 0);
}

/* Only terms that the whole session shares. */
static void the_common_part(void **state)
{
    (void)state;
    struct ts_budget budget = one(NORMAL, 1, INFINITY);
    set(&budget, UNIFORM_A, 3, INFINITY);
    set(&budget, STUDENT_B, 4, 11);
    set(&budget, STUDENT_A, 2, 11);
    assert_true(fabs(ts_budget_common_ms(&budget) - 5) < 1e-12);
    assert_true(fabs(ts_budget_u_ms(&budget) - sqrt(30)) < 1e-12);
}

/* JCGM 100:2008, H.1.6: the end gauge; nanometres. The guide prints 32 nm and 16 degrees. */
static void the_end_gauge(void **state)
{
    (void)state;
    struct ts_budget budget = {0};
    set(&budget, TS_TERM_CHANGE, 25, 18);
    set(&budget, TS_TERM_FRAMES, 9.7, 25.6);
    set(&budget, TS_TERM_EXPOSURE, 2.9, 50);
    set(&budget, TS_TERM_READOUT, 16.6, 2);
    assert_int_equal(lround(ts_budget_u_ms(&budget)), 32);
    assert_true(fabs(ts_budget_dof(&budget) - 16.7) < 0.1);
    budget = one(NORMAL, 1, INFINITY);
    assert_true(isinf(ts_budget_dof(&budget)) != 0);
}

/* ---- Monte Carlo: JCGM 101:2008, 7 ---- */

/* dof: a whole number. Chi squared of two degrees is -2 log of a uniform number. */
static double draw_student(struct ts_rng *rng, int dof)
{
    const double normal = ts_rng_normal(rng), odd = ts_rng_normal(rng);
    double product = 1;
    for (int i = 0; i < dof / 2; i++)
        product *= 1 - ts_rng_uniform(rng);
    const double chi = -2 * log(product) + (dof % 2 ? odd * odd : 0);
    return normal / sqrt(chi / dof);
}

static double draw(struct ts_rng *rng, const struct ts_budget *budget)
{
    double sum = 0;
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *term = &budget->terms[i];
        if (!(term->u > 0))
            continue;
        const double scale = term->u * term->sensitivity;
        if (ts_term_kinds[i].shape == TS_SHAPE_UNIFORM)
            sum += scale * sqrt(3) * (2 * ts_rng_uniform(rng) - 1);
        else if (ts_term_kinds[i].shape == TS_SHAPE_STUDENT && isfinite(term->dof))
            sum += scale * draw_student(rng, (int)term->dof);
        else
            sum += scale * ts_rng_normal(rng);
    }
    return sum;
}

static double half_by_draws(struct ts_rng *rng, const struct ts_budget *budget)
{
    static int bins[BINS];
    memset(bins, 0, sizeof bins);
    const double u = ts_budget_u_ms(budget);
    for (int i = 0; i < DRAWS; i++) {
        const double bin = fabs(draw(rng, budget)) / u / BIN_U;
        if (bin < BINS)
            bins[(int)bin]++;
    }
    int at = 0;
    for (int within = bins[0]; within < DRAWS * 0.95 && at < BINS - 1;)
        within += bins[++at];
    return (at + 0.5) * BIN_U * u;
}

/* Some terms of any size from a hundredth to one, of any shape and any degrees of freedom. */
static struct ts_budget mixture(struct ts_rng *rng)
{
    static const double dofs[] = {2, 3, 4, 5, 8, 11, 20, INFINITY};
    struct ts_budget budget = {0};
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const double u = pow(10, -2 * ts_rng_uniform(rng));
        const double dof = dofs[ts_rng_below(rng, sizeof dofs / sizeof *dofs)];
        const bool student = ts_term_kinds[i].shape == TS_SHAPE_STUDENT;
        if (ts_rng_uniform(rng) < (i == NORMAL ? 1 : 0.6))
            budget.terms[i] =
                (struct ts_term){u, ts_rng_range(rng, -1.5, 1.5), student ? dof : INFINITY};
    }
    return budget;
}

static void mixtures_agree_with_monte_carlo(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 20261, 1);
    for (int i = 0; i < MIXTURES; i++) {
        const struct ts_budget budget = mixture(&rng);
        assert_half(&budget, half_by_draws(&rng, &budget), 0.01);
    }
}

/* What a campaign states: a calibrated rig, and one whose LEDs do not tie the frames. */
static void real_budgets_agree_with_monte_carlo(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 20262, 1);
    struct ts_budget budget = {0};
    set(&budget, TS_TERM_CHANGE, 2.2, INFINITY);
    set(&budget, TS_TERM_FRAMES, 0.05, INFINITY);
    set(&budget, TS_TERM_LIFT_TAP, 0.25, 11);
    set(&budget, TS_TERM_LIFT_DELAY, 0.09, 11);
    set(&budget, TS_TERM_PLATE, 0.04, INFINITY);
    assert_half(&budget, half_by_draws(&rng, &budget), 0.01);
    set(&budget, TS_TERM_LATENCY, 4, INFINITY);
    assert_half(&budget, half_by_draws(&rng, &budget), 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_have_their_shapes),
        cmocka_unit_test(single_terms_are_exact),
        cmocka_unit_test(two_uniform_terms_are_a_trapezoid),
        cmocka_unit_test(a_ruling_uniform_term),
        cmocka_unit_test(a_sensitivity_scales_and_zero_is_zero),
        cmocka_unit_test(the_common_part),
        cmocka_unit_test(the_end_gauge),
        cmocka_unit_test(mixtures_agree_with_monte_carlo),
        cmocka_unit_test(real_budgets_agree_with_monte_carlo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
