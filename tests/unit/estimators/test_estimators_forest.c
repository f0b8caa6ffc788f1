/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forest, the files that estimators are carried away in, and changes between two periods. */
#include "estimators/change.h"
#include "estimators/dictionary.h"
#include "estimators/emit.h"
#include "estimators/evaluation.h"
#include "estimators/resources.h"
#include "estimators/trees.h"
#include "forest/forest.h"
#include "study.h"

#include "base/rng.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS  10000
#define WIDTH 6

struct rows {
    double x[ROWS * WIDTH], y[ROWS];
};

static void make_rows(struct rows *rows, uint64_t seed)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    for (size_t i = 0; i < ROWS; i++) {
        double *row = rows->x + i * WIDTH;
        for (size_t j = 0; j < WIDTH; j++)
            row[j] = floor(1000 * ts_rng_uniform(&rng)) / 8;
        rows->y[i] = 300 + 2 * row[0] + (row[1] > 60 ? 200 : 0) + 10 * ts_rng_normal(&rng);
        if (ts_rng_below(&rng, 20) == 0)
            row[ts_rng_below(&rng, WIDTH)] = NAN;
    }
}

static void a_forest_learns_and_comes_back_from_its_file(void **state)
{
    (void)state;
    static struct rows train, test;
    static double estimate[ROWS], again[ROWS];
    struct ts_forest *forest, *read;
    struct ts_buf file = {0}, twin = {0};
    struct ts_why why = {""};
    struct ts_forest_settings settings = ts_forest_defaults();
    struct ts_duration_scores scores;
    settings.trees = 30;
    make_rows(&train, 1);
    make_rows(&test, 2);
    assert_int_equal(ts_forest_train(train.x, train.y, 800, WIDTH, &settings, &forest, &why),
                     TS_OK);
    assert_int_equal(ts_forest_predict(forest, test.x, 1000, WIDTH, estimate, &why), TS_OK);
    assert_int_equal(ts_duration_scores_of(estimate, test.y, 1000, &scores), TS_OK);
    print_message("relative error %.4f, r %.4f\n", scores.relative_error, scores.pearson);
    assert_true(scores.relative_error < 0.06 && scores.pearson > 0.95);
    assert_int_equal(ts_forest_save(forest, &file, &why), TS_OK);
    assert_int_equal(ts_forest_load(file.data, file.size, WIDTH, &read, &why), TS_OK);
    assert_int_equal(ts_forest_predict(read, test.x, 1000, WIDTH, again, &why), TS_OK);
    assert_memory_equal(estimate, again, 1000 * sizeof *again);
    ts_forest_free(read);
    assert_int_equal(ts_forest_load(file.data, file.size, 5, &read, &why), TS_EPROTO);
    assert_int_equal(ts_forest_load("no forest", 9, WIDTH, &read, &why), TS_EPROTO);
    ts_forest_free(forest);
    /* The same seed, the same bytes. */
    assert_int_equal(ts_forest_train(train.x, train.y, 800, WIDTH, &settings, &forest, &why),
                     TS_OK);
    assert_int_equal(ts_forest_save(forest, &twin, &why), TS_OK);
    assert_int_equal(twin.size, file.size);
    assert_memory_equal(twin.data, file.data, file.size);
    ts_forest_free(forest);
    ts_buf_free(&file);
    ts_buf_free(&twin);
}

static void what_teaches_nothing_is_refused(void **state)
{
    (void)state;
    double x[] = {1, NAN, 1, NAN, 1, NAN, 1, NAN}, y[] = {1, 1, 1, 1};
    struct ts_forest *forest;
    struct ts_why why = {""};
    const struct ts_forest_settings settings = ts_forest_defaults();
    assert_int_equal(ts_forest_train(x, y, 0, 2, &settings, &forest, &why), TS_EPROTO);
    assert_int_equal(ts_forest_train(x, y, 4, 2, &settings, &forest, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "same target"));
    y[0] = 2;
    assert_int_equal(ts_forest_train(x, y, 4, 2, &settings, &forest, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "no feature varies"));
    y[0] = NAN;
    assert_int_equal(ts_forest_train(x, y, 4, 2, &settings, &forest, &why), TS_EPROTO);
    assert_null(forest);
}

/* ---- carried away ---- */

/* Compiled as anybody would, and called. */
static void compile(const struct ts_buf *text, const char *name,
                    double (**estimate)(const double *), void **library)
{
    char source[300], command[1200], binary[300];
    snprintf(source, sizeof source, "%s/tests/%s.c", TS_BUILD_DIR, name);
    snprintf(binary, sizeof binary, "%s/tests/%s.so", TS_BUILD_DIR, name);
    FILE *file = fopen(source, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text->data, 1, text->size, file), text->size);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command,
             "cc -std=c11 -O2 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC -o '%s' '%s'",
             binary, source);
    assert_int_equal(system(command), 0);
    *library = dlopen(binary, RTLD_NOW);
    assert_non_null(*library);
    void *symbol = dlsym(*library, "touchstone_estimate");
    assert_non_null(symbol);
    memcpy(estimate, &symbol, sizeof symbol);
}

static const char *const names[WIDTH] = {"window_count", "battery_percent", "own */ one",
                                         "event_count",  "temperature_c",   "app=Mail"};
static const struct ts_emit_columns columns = {names, WIDTH, "Of a test."};

static void an_emitted_forest_gives_the_same_bits(void **state)
{
    (void)state;
    static struct rows train, test;
    static double expected[ROWS];
    static float single[ROWS * WIDTH], sums[ROWS];
    struct ts_trees trees;
    struct ts_forest *forest;
    struct ts_buf dump = {0}, text = {0};
    struct ts_why why = {""};
    struct ts_forest_settings settings = ts_forest_defaults();
    double (*estimate)(const double *);
    void *library;
    settings.trees = 20;
    make_rows(&train, 3);
    make_rows(&test, 4);
    assert_int_equal(ts_forest_train(train.x, train.y, 600, WIDTH, &settings, &forest, &why),
                     TS_OK);
    assert_int_equal(ts_forest_predict(forest, test.x, ROWS, WIDTH, expected, &why), TS_OK);
    assert_int_equal(ts_forest_dump(forest, &dump, &why), TS_OK);
    assert_int_equal(ts_emit_forest((char *)dump.data, dump.size,
                                    (struct ts_emit_sum){ts_forest_base(forest), false, 0},
                                    &columns, &text, &why),
                     TS_OK);
    /* Walking the trees here gives XGBoost's sums too, which few launches are asked of. */
    assert_int_equal(ts_trees_parse((char *)dump.data, dump.size, WIDTH, &trees, &why), TS_OK);
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        single[i] = (float)test.x[i];
    ts_trees_sum(&trees, (float)ts_forest_base(forest), single, ROWS, sums);
    for (size_t i = 0; i < ROWS; i++)
        assert_true((double)sums[i] == expected[i]);
    ts_trees_free(&trees);
    compile(&text, "emitted_forest", &estimate, &library);
    for (size_t i = 0; i < ROWS; i++) {
        if (estimate(test.x + i * WIDTH) != expected[i])
            fail_msg("row %zu: %.9g, not %.9g", i, estimate(test.x + i * WIDTH), expected[i]);
    }
    dlclose(library);
    /* The same as a logarithm. */
    ts_buf_clear(&text);
    const struct ts_emit_sum ratio = {ts_forest_base(forest) / 100, true, 1.0 / 3};
    assert_int_equal(ts_emit_forest((char *)dump.data, dump.size, ratio, &columns, &text, &why),
                     TS_OK);
    compile(&text, "emitted_ratio", &estimate, &library);
    assert_int_equal(ts_trees_parse((char *)dump.data, dump.size, WIDTH, &trees, &why), TS_OK);
    ts_trees_sum(&trees, (float)ratio.base, single, ROWS, sums);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(estimate(test.x + i * WIDTH) == ratio.factor * exp((double)sums[i]));
    ts_trees_free(&trees);
    dlclose(library);
    ts_buf_clear(&text);
    assert_int_equal(
        ts_emit_forest("[{\"x\":1}]", 9, (struct ts_emit_sum){0, false, 0}, &columns, &text, &why),
        TS_EPROTO);
    assert_int_equal(
        ts_emit_forest("[", 1, (struct ts_emit_sum){0, false, 0}, &columns, &text, &why),
        TS_EPROTO);
    ts_forest_free(forest);
    ts_buf_free(&dump);
    ts_buf_free(&text);
}

static void an_emitted_formula_gives_the_same_bits(void **state)
{
    (void)state;
    static struct rows test;
    double low[WIDTH] = {0.1, 1.0 / 3, 2, 3, 4, 5}, high[WIDTH] = {100.3, 90.7, 80.5, 71, 61, 51};
    const struct ts_spore_model model = {
        .width = WIDTH,
        .low = low,
        .high = high,
        .count = 3,
        .terms = {{{-1, -1, -1, -1}}, {{0, -1, -1, -1}}, {{0, 0, 1, -1}}},
        .coefficients = {0.1, 1.0 / 3, -700.7}};
    struct ts_buf text = {0}, script = {0};
    struct ts_why why = {""};
    double (*estimate)(const double *);
    void *library;
    bool used[WIDTH];
    make_rows(&test, 5);
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        test.x[i] = isnan(test.x[i]) ? 1.5 : test.x[i];
    assert_int_equal(ts_emit_spore(&model, &columns, &text, &why), TS_OK);
    compile(&text, "emitted_formula", &estimate, &library);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(estimate(test.x + i * WIDTH) == ts_spore_predict(&model, test.x + i * WIDTH));
    dlclose(library);
    /* Windows and the battery are needed; content and temperature are not. */
    for (size_t i = 0; i < WIDTH; i++)
        used[i] = ts_spore_uses(&model, i);
    assert_int_equal(ts_emit_event_mask(&columns, used), 0x21);
    assert_int_equal(ts_emit_script(&columns, used, &script), TS_OK);
    assert_int_equal(ts_buf_append(&script, "", 1), TS_OK);
    assert_non_null(strstr((char *)script.data, "dumpsys battery"));
    assert_null(strstr((char *)script.data, "brightness"));
    used[3] = true;
    assert_int_equal(ts_emit_event_mask(&columns, used), 0x821);
    ts_buf_free(&text);
    ts_buf_free(&script);
}

/* ---- start types ---- */

static void votes_become_probabilities(void **state)
{
    (void)state;
    static double vote[4000], cold[4000], probability[4000];
    struct ts_rng rng;
    struct ts_type_scores before, after;
    ts_rng_seed(&rng, 11, 1);
    /* The votes of a forest crowd about the middle: 0.7 means nearly sure. */
    for (size_t i = 0; i < 4000; i++) {
        vote[i] = ts_rng_range(&rng, 0.2, 0.8);
        cold[i] = ts_rng_uniform(&rng) < 1 / (1 + exp(6 - 12 * vote[i]));
    }
    const struct ts_platt platt = ts_platt_fit(vote, 1, cold, 2000);
    for (size_t i = 2000; i < 4000; i++)
        probability[i] = ts_platt_probability(&platt, &vote[i], 1);
    ts_type_scores_of(vote + 2000, cold + 2000, 2000, &before);
    ts_type_scores_of(probability + 2000, cold + 2000, 2000, &after);
    print_message("Brier %.4f, %.4f calibrated\n", before.brier, after.brier);
    assert_true(after.brier < before.brier - 0.02);
    for (size_t bin = 0; bin < TS_TYPE_BINS; bin++) {
        if (after.bins[bin].count > 50)
            assert_true(fabs(after.bins[bin].probability - after.bins[bin].share) < 0.06);
    }
    /* Perfect votes stay finite. */
    const struct ts_platt sure = ts_platt_fit(cold, 1, cold, 2000);
    const double one = 1, none = 0;
    assert_true(ts_platt_probability(&sure, &one, 1) > 0.99);
    assert_true(ts_platt_probability(&sure, &none, 1) < 0.01);
}

/* ---- changes ---- */

static size_t take(const struct ts_feature_table *table, bool interval, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        if (table->rows[i].start_type == TS_START_COLD)
            out[count++] = interval ? ts_feature_table_values(table, i)[TS_FEATURE_mean_interval_ms]
                                    : table->rows[i].settled_ms;
    }
    return count;
}

static void a_load_is_seen_and_its_absence_too(void **state)
{
    (void)state;
    struct ts_feature_table light, heavy, control;
    double a[600], b[600], c[600];
    struct ts_change change;
    struct ts_why why = {""};
    study_make(&(struct study_options){300, 4, 1, 1, 0.1, 21}, &light);
    study_make(&(struct study_options){300, 4, 1, 1.25, 0.1, 22}, &heavy);
    study_make(&(struct study_options){300, 4, 1, 1, 0.1, 23}, &control);
    for (int interval = 0; interval < 2; interval++) {
        const size_t na = take(&light, interval, a), nb = take(&heavy, interval, b),
                     nc = take(&control, interval, c);
        assert_int_equal(ts_change_of(a, na, b, nb, 1, &change, &why), TS_OK);
        print_message("%s: mean %+.1f, median %+.1f [%.1f, %.1f] ms, p %.4f\n",
                      interval ? "interval" : "time", change.mean, change.median,
                      change.interval.low, change.interval.high, change.p);
        assert_true(change.mean > 0 && change.p < 0.01 && change.interval.low > 0);
        assert_int_equal(ts_change_of(a, na, c, nc, 1, &change, &why), TS_OK);
        assert_true(change.p > 0.05);
        assert_true(change.interval.low < 0 && change.interval.high > 0);
    }
    assert_int_equal(ts_change_of(a, 5, b, 50, 1, &change, &why), TS_EPROTO);
    ts_feature_table_free(&light);
    ts_feature_table_free(&heavy);
    ts_feature_table_free(&control);
}

/* ---- what does not work ---- */

static void memory_and_load_miss_the_end(void **state)
{
    (void)state;
    struct ts_resource_sample samples[100];
    struct ts_resource_reading then, now;
    /* A launch that is settled at 1500 ms, on a phone that frees memory for itself at 2500. */
    for (size_t i = 0; i < 100; i++) {
        const double at = 40 * (double)i;
        samples[i] = (struct ts_resource_sample){at, at < 1500 ? 2e6 - 100 * at : 1.85e6,
                                                 at < 1500   ? 0.8
                                                 : at < 2000 ? 0.4
                                                             : 0.1};
        samples[i].available_kb += at >= 2500 ? 2e5 : 0;
    }
    assert_float_equal(ts_ram_stable_ms(samples, 100, 0.01), 2520, 1e-9); /* 1 s late */
    assert_float_equal(ts_cpu_idle_ms(samples, 100, 0.3), 2000, 1e-9);    /* 0.5 s late */
    for (size_t i = 0; i < 100; i++)
        samples[i].at_ms *= 2;
    assert_true(isnan(ts_cpu_idle_ms(samples, 100, 0.3)));
    assert_true(isnan(ts_ram_stable_ms(samples, 1, 0.01)));
    assert_int_equal(ts_resource_read("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 9 9 9 9\nintr 1 2 3\n"
                                      "MemTotal:  9 kB\nMemAvailable:    1234 kB\n"
                                      "1000000\n500000\n2000000\n1000000\n",
                                      &then),
                     TS_OK);
    assert_float_equal(then.available_kb, 1234, 0);
    now = then;
    assert_int_equal(
        ts_resource_read("cpu  160 0 90 880 70\n1000000\n500000\n2000000\n1000000", &now), TS_OK);
    assert_true(isnan(now.available_kb));
    assert_float_equal(ts_resource_load(&then, &now), 100.0 / 200 / 2, 1e-12);
    assert_true(isnan(ts_resource_load(&now, &now)));
    now.frequency = NAN; /* phones that do not let anybody read them */
    assert_float_equal(ts_resource_load(&then, &now), 100.0 / 200, 1e-12);
    assert_int_equal(ts_resource_read("cpu0 1 2 3 4", &now), TS_EPROTO);
    assert_int_equal(ts_resource_read("cpu  x\n1 2 3 4 5\n", &now), TS_EPROTO);
    assert_int_equal(ts_resource_read("", &now), TS_EPROTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forest_learns_and_comes_back_from_its_file),
        cmocka_unit_test(what_teaches_nothing_is_refused),
        cmocka_unit_test(an_emitted_forest_gives_the_same_bits),
        cmocka_unit_test(an_emitted_formula_gives_the_same_bits),
        cmocka_unit_test(votes_become_probabilities),
        cmocka_unit_test(a_load_is_seen_and_its_absence_too),
        cmocka_unit_test(memory_and_load_miss_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
