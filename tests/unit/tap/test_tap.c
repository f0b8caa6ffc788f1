/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stylus.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define TAPS 150

static struct stylus stylus;

struct errors {
    double sum, square, worst, covered, count;
};

static void add(struct errors *errors, double error_ms, double u_ms)
{
    errors->sum += error_ms;
    errors->square += error_ms * error_ms;
    errors->worst = fmax(errors->worst, fabs(error_ms));
    errors->covered += fabs(error_ms) <= 2 * u_ms;
    errors->count++;
}

static double bias(const struct errors *errors)
{
    return errors->sum / errors->count;
}

static double sd(const struct errors *errors)
{
    return sqrt(errors->square / errors->count - bias(errors) * bias(errors));
}

static void show(const char *what, const struct errors *errors)
{
    print_message("%s: bias %+.3f sd %.3f worst %.3f ms, within 2u %.0f %%\n", what, bias(errors),
                  sd(errors), errors->worst, 100 * errors->covered / errors->count);
}

static struct ts_tap analyse(void)
{
    struct ts_tap tap;
    struct ts_why why = {""};
    stylus_tap(&stylus);
    assert_int_equal(
        ts_tap_analyse(stylus.samples, stylus.count, stylus.motor_on_ticks, &tap, &why), TS_OK);
    return tap;
}

/* The errors of TAPS taps like `like`. */
static void measure(const struct stylus *like, uint64_t first_seed, struct errors *contact,
                    struct errors *pickup)
{
    *contact = *pickup = (struct errors){0};
    for (uint64_t seed = first_seed; seed < first_seed + TAPS; seed++) {
        stylus = *like;
        stylus.seed = seed;
        const struct ts_tap tap = analyse();
        assert_true(tap.contact_seen);
        assert_true(tap.pickup_seen);
        add(contact, (tap.contact_ticks - stylus.contact_ticks) / 2000, tap.contact_u_ticks / 2000);
        add(pickup, (tap.pickup_ticks - stylus.pickup_ticks) / 2000, tap.pickup_u_ticks / 2000);
    }
    show("contact", contact);
    show("pick-up", pickup);
}

static void contact_and_pickup_are_found(void **state)
{
    (void)state;
    static const struct stylus like = {0};
    struct errors contact, pickup;
    measure(&like, 1000, &contact, &pickup);
    assert_true(fabs(bias(&contact)) <= 0.05 && sd(&contact) <= 0.1);
    assert_true(fabs(bias(&pickup)) <= 0.05 && sd(&pickup) <= 0.08);
    assert_true(contact.covered >= 0.9 * TAPS && pickup.covered >= 0.9 * TAPS);
}

static void vibration_is_borne(void **state)
{
    (void)state;
    static const struct stylus like = {.vibration_g = 0.15};
    struct errors contact, pickup;
    measure(&like, 2000, &contact, &pickup);
    assert_true(fabs(bias(&contact)) <= 0.15 && sd(&contact) <= 0.15);
    assert_true(fabs(bias(&pickup)) <= 0.15 && sd(&pickup) <= 0.12);
}

static void soft_collar_is_found_less_well(void **state)
{
    (void)state;
    static const struct stylus like = {.soft_collar = true};
    struct errors contact, pickup;
    measure(&like, 3000, &contact, &pickup);
    assert_true(fabs(bias(&pickup)) < 0.5 && sd(&pickup) < 1.3); /* rarely a gross error */
}

static void rest_is_found_without_a_quiet_lead_in(void **state)
{
    (void)state;
    static const struct stylus like = {.late_start = true};
    struct errors contact, pickup;
    measure(&like, 4000, &contact, &pickup);
    assert_true(contact.worst < 0.6 && pickup.worst < 0.6);
}

/* What the phone does not feel shows only on the phone. */
static void end_stop_looks_like_glass(void **state)
{
    (void)state;
    int taken = 0;
    for (uint64_t seed = 5000; seed < 5000 + TAPS; seed++) {
        stylus = (struct stylus){.seed = seed, .end_stop = true};
        const struct ts_tap tap = analyse();
        assert_true(tap.contact_seen);
        assert_true(fabs(tap.contact_ticks - stylus.contact_ticks) < 1200);
        taken += tap.pickup_seen && fabs(tap.pickup_ticks - stylus.pickup_ticks) < 1200;
    }
    assert_true(taken >= 0.95 * TAPS); /* a few are still bouncing when the arm comes */
}

static void bounces_are_counted(void **state)
{
    (void)state;
    int right = 0, with_gap = 0;
    double gap_error = 0;
    for (uint64_t seed = 6000; seed < 6000 + TAPS; seed++) {
        stylus = (struct stylus){.seed = seed, .damping = 0.12 + 0.5 * (double)(seed % 10) / 10};
        stylus.rest_ms = 250;
        const struct ts_tap tap = analyse();
        assert_true(tap.contact_seen);
        /* A flight begins where the force dies away, which the trace blurs by 1-3 ms. */
        right += tap.contacts > stylus.gaps_sure && tap.contacts <= stylus.gaps_hinted + 1;
        if (stylus.gaps_sure == 0)
            continue;
        with_gap++;
        gap_error = fmax(gap_error, fabs(tap.longest_gap_ms - stylus.gap_ms));
    }
    print_message("%d of %d counts right, %d with a gap, its length within %.2f ms\n", right, TAPS,
                  with_gap, gap_error);
    assert_true(right >= 0.8 * TAPS);
    assert_true(gap_error < 3.5);
    assert_in_range(with_gap, TAPS / 4, TAPS - 1);
}

static void rest_and_noise_come_from_before_the_motor(void **state)
{
    (void)state;
    stylus = (struct stylus){.seed = 5, .vibration_g = 0.1};
    const struct ts_tap tap = analyse();
    assert_true(tap.rest_level > 385 && tap.rest_level < 425);
    assert_true(tap.noise < 1.5);
    assert_true(
        fabs(tap.contact_to_pickup_ms - (stylus.pickup_ticks - stylus.contact_ticks) / 2000) < 0.5);
}

static void an_arm_that_is_stuck_makes_no_contact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        stylus = (struct stylus){.seed = seed, .motionless = true};
        const struct ts_tap tap = analyse();
        assert_false(tap.contact_seen);
        assert_false(tap.pickup_seen);
        assert_int_equal(tap.contacts, 0);
    }
}

static void samples_that_end_on_the_glass_have_no_pickup(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct ts_tap tap;
        stylus = (struct stylus){.seed = seed};
        stylus_tap(&stylus);
        size_t count = 0;
        while ((double)stylus.samples[count].ticks < stylus.pickup_ticks - 2000)
            count++;
        assert_int_equal(ts_tap_analyse(stylus.samples, count, stylus.motor_on_ticks, &tap, NULL),
                         TS_OK);
        assert_true(tap.contact_seen);
        assert_false(tap.pickup_seen);
    }
}

static void holes_and_too_few_samples_are_refused(void **state)
{
    (void)state;
    struct ts_tap tap;
    struct ts_why why = {""};
    stylus = (struct stylus){.seed = 9};
    stylus_tap(&stylus);
    assert_int_equal(ts_tap_analyse(stylus.samples, 40, 0, &tap, &why), TS_EPROTO);
    assert_int_equal(ts_tap_analyse(stylus.samples, 0, 0, &tap, &why), TS_EPROTO);
    for (size_t i = 700; i < stylus.count; i++)
        stylus.samples[i].ticks += 500;
    assert_int_equal(ts_tap_analyse(stylus.samples, stylus.count, 0, &tap, &why), TS_EPROTO);
    assert_true(why.text[0]);
    stylus.samples[900].ticks = stylus.samples[899].ticks;
    assert_int_equal(ts_tap_analyse(stylus.samples, stylus.count, 0, &tap, &why), TS_EPROTO);
}

static void any_values_are_survived(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 99, 3);
    for (int round = 0; round < 300; round++) {
        struct ts_tap tap;
        const uint32_t most = 1 + ts_rng_below(&rng, 1024);
        size_t count = 64 + ts_rng_below(&rng, 2000);
        uint32_t value = 400;
        for (size_t i = 0; i < count; i++) {
            if (ts_rng_below(&rng, 20) == 0)
                value = ts_rng_below(&rng, most);
            stylus.samples[i] = (struct ts_tap_sample){(int64_t)i * 500, (uint16_t)value};
        }
        assert_int_equal(
            ts_tap_analyse(stylus.samples, count, (int64_t)ts_rng_below(&rng, 500000), &tap, NULL),
            TS_OK);
        assert_true(isfinite(tap.contact_ticks) && isfinite(tap.pickup_ticks));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_and_pickup_are_found),
        cmocka_unit_test(vibration_is_borne),
        cmocka_unit_test(soft_collar_is_found_less_well),
        cmocka_unit_test(rest_is_found_without_a_quiet_lead_in),
        cmocka_unit_test(end_stop_looks_like_glass),
        cmocka_unit_test(bounces_are_counted),
        cmocka_unit_test(rest_and_noise_come_from_before_the_motor),
        cmocka_unit_test(an_arm_that_is_stuck_makes_no_contact),
        cmocka_unit_test(samples_that_end_on_the_glass_have_no_pickup),
        cmocka_unit_test(holes_and_too_few_samples_are_refused),
        cmocka_unit_test(any_values_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
