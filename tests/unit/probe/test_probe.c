/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe on this computer. How noisy it is, is not judged. */
#include "probe/memory.h"

#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_delta_is_kept(void **state)
{
    (void)state;
    static double deltas_ns[TS_PROBE_DELTAS];
    int cores[TS_PROBE_CORES];
    struct ts_why why = {""};
    const int count = ts_probe_cores(cores, &why);
    assert_true(count >= 1);
    for (int memory = 0; memory < TS_PROBE_MEMORY_COUNT; memory++) {
        cpu_set_t before, after;
        assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
        for (size_t i = 0; i < TS_PROBE_DELTAS; i++)
            deltas_ns[i] = (double)NAN;
        assert_int_equal(
            ts_probe_run(cores[count - 1], (enum ts_probe_memory)memory, deltas_ns, &why), TS_OK);
        double sum = 0;
        for (size_t i = 0; i < TS_PROBE_DELTAS; i++) {
            assert_true(deltas_ns[i] >= 0 && isfinite(deltas_ns[i]));
            sum += deltas_ns[i];
        }
        assert_true(sum > 0);
        assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
        assert_true(CPU_EQUAL(&before, &after));
        assert_true(strlen(ts_probe_memory_names[memory]) > 0);
    }
}

static void no_such_core(void **state)
{
    (void)state;
    double deltas_ns[1];
    struct ts_why why = {""};
    assert_int_equal(ts_probe_run(-1, TS_PROBE_PLAIN, deltas_ns, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "-1"));
    assert_int_equal(ts_probe_run(1 << 20, TS_PROBE_PLAIN, deltas_ns, &why), TS_EINVAL);
}

static void blocks_have_their_sizes(void **state)
{
    (void)state;
    for (size_t n = 0; n < TS_PROBE_BLOCKS; n++) {
        const size_t prime = ts_probe_block_size(TS_PROBE_PRIMES, n);
        assert_int_equal(ts_probe_block_size(TS_PROBE_BY_16, n) % 16, 0);
        assert_int_equal(ts_probe_block_size(TS_PROBE_BY_4096, n) % 4096, 0);
        for (size_t by = 2; by < prime; by++)
            assert_true(prime % by != 0);
    }
    assert_int_equal(ts_probe_block_size(TS_PROBE_PLAIN, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_delta_is_kept),
        cmocka_unit_test(no_such_core),
        cmocka_unit_test(blocks_have_their_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
