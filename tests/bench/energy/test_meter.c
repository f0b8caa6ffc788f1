/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power meter's calibration against simulated parts whose shunt, gain and offset nobody who
 * measures can see: over many of them, the stated intervals hold the truth as often as they say. */
#include "base/rng.h"
#include "base/time.h"
#include "measure/measure.h"
#include "sim_mcu/ina226.h"
#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define PARTS    300
#define READINGS 2100 /* of a stretch */
#define LOAD_MA  500.0
#define CONTINUOUS                                                                                 \
    (4u << 9 | 0u << 6 | 4u << 3 | 7u) /* as the firmware has it: bus 140 us, shunt 1100 us */

struct flow {
    double ampere;
};

static void on_supply(void *context, int64_t at_ns, double *ampere, double *volt)
{
    (void)at_ns;
    *ampere = ((const struct flow *)context)->ampere;
    *volt = 4;
}

static void configure(struct sim_ina226 *part)
{
    assert_true(sim_ina226_start(part, 0, SIM_INA226_ADDRESS << 1));
    const uint8_t bytes[] = {0, (uint8_t)(CONTINUOUS >> 8), (uint8_t)CONTINUOUS};
    for (size_t i = 0; i < sizeof bytes; i++)
        assert_true(sim_ina226_write(part, 0, bytes[i]));
}

static void stream(struct sim_ina226 *part, int64_t from_ns, int readings,
                   struct ts_evidence *evidence)
{
    struct wire_power block = {0};
    for (int i = 0; i < readings; i++) {
        sim_ina226_convert(part);
        block.shunt[block.count] = (int16_t)part->shunt;
        block.bus[block.count] = part->bus;
        if (++block.count < WIRE_POWERS_PER_BLOCK)
            continue;
        struct wire_packet packet;
        struct ts_item item = {.arrival = {from_ns + i * 1240000LL}, .kind = TS_ITEM_MCU};
        wire_put_power(&packet, &block);
        item.u.mcu.type = packet.type;
        item.u.mcu.size = packet.size;
        memcpy(item.u.mcu.body, packet.body, packet.size);
        assert_int_equal(ts_evidence_add(evidence, &item), TS_OK);
        block.count = 0;
    }
}

/* stretches: at rest, under load, at rest, ... */
static int calibrate(struct sim_ina226 *part, double load_ma, double load_u_ma, int stretches,
                     struct ts_record *record, struct ts_why *why)
{
    struct ts_evidence evidence = {0};
    struct flow flow = {0};
    part->supply = on_supply;
    part->context = &flow;
    configure(part);
    for (int i = 0; i < stretches; i++) {
        flow.ampere = i % 2 ? load_ma / 1e3 : 0;
        stream(part, i * 10 * TS_NS_PER_S, READINGS, &evidence);
    }
    const int err = ts_measure_meter(&evidence, LOAD_MA, load_u_ma, record, why);
    ts_evidence_free(&evidence);
    return err;
}

struct errors {
    double squares;
    int covered;
};

static void compare(const struct ts_record *record, const char *name, double truth,
                    struct errors *errors)
{
    const struct ts_known *known = ts_record_find(record, name);
    assert_non_null(known);
    const double z = (known->value - truth) / known->u;
    errors->squares += z * z / PARTS;
    errors->covered += fabs(z) <= 1.96;
}

/* percent: by how much the load may be off; uniform, as it is taken to be. */
static void judge(double percent, double covered_least, double covered_most)
{
    struct errors shunt = {0}, zero = {0};
    for (uint64_t number = 1; number <= PARTS; number++) {
        struct sim_ina226 part;
        struct ts_record record;
        struct ts_why why = {""};
        struct ts_rng rng;
        ts_rng_seed(&rng, number, 7);
        sim_ina226_init(&part, number, number);
        const double load_ma = LOAD_MA * (1 + ts_rng_range(&rng, -percent, percent) / 100);
        assert_int_equal(
            calibrate(&part, load_ma, LOAD_MA * percent / 100 / sqrt(3), 2, &record, &why), TS_OK);
        compare(&record, "shunt_mohm", 1e3 * part.shunt_ohm * part.shunt_gain, &shunt);
        compare(&record, "shunt_zero_uv", 1e6 * part.shunt_offset_v, &zero);
    }
    print_message("load within %.1f %%: shunt within 1.96 u %.1f %%, rms of error / u %.2f; zero "
                  "%.1f %%, %.2f\n",
                  percent, 100.0 * shunt.covered / PARTS, sqrt(shunt.squares),
                  100.0 * zero.covered / PARTS, sqrt(zero.squares));
    assert_true(shunt.covered >= covered_least * PARTS && shunt.covered <= covered_most * PARTS);
    assert_true(sqrt(shunt.squares) > 0.9 && sqrt(shunt.squares) < 1.1);
    assert_true(zero.covered >= 0.92 * PARTS && zero.covered <= 0.98 * PARTS);
    assert_true(sqrt(zero.squares) > 0.9 && sqrt(zero.squares) < 1.1);
}

static void a_load_that_is_known_well(void **state)
{
    (void)state;
    judge(0, 0.92, 0.98);
}

/* A uniform distribution ends at 1.73 u. */
static void a_load_that_may_be_off(void **state)
{
    (void)state;
    judge(0.2, 0.98, 1);
}

static void what_is_no_calibration_is_refused(void **state)
{
    (void)state;
    struct sim_ina226 part;
    struct ts_record record;
    static const struct {
        double load_ma;
        int stretches;
        const char *says;
    } cases[] = {{LOAD_MA, 1, "heard 1 times"},
                 {LOAD_MA, 3, "heard 3 times"},
                 {0, 2, "does not show"},
                 {-LOAD_MA, 2, "other way round"},
                 {9000, 2, "smaller load"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_why why = {""};
        sim_ina226_init(&part, 1, 1);
        assert_int_equal(calibrate(&part, cases[i].load_ma, 1, cases[i].stretches, &record, &why),
                         TS_EPROTO);
        assert_non_null(strstr(why.text, cases[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_is_known_well),
        cmocka_unit_test(a_load_that_may_be_off),
        cmocka_unit_test(what_is_no_calibration_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
