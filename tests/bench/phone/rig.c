/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_NS (77 * TS_NS_PER_S)

void rig_open(struct rig *rig, uint64_t seed, int android)
{
    *rig = (struct rig){.now_ns = START_NS};
    const struct sim_phone_config config = {
        .seed = seed, .android = android, .refresh_hz = 120, .drift_ppm = NAN};
    struct ts_why why;
    assert_int_equal(sim_phone_open(&config, &rig->scene, &rig->phone, &why), TS_OK);
    sim_phone_run(rig->phone, rig->now_ns);
    sim_phone_stream_log(rig->phone, true);
}

void rig_close(struct rig *rig)
{
    for (int i = 0; i < rig->count; i++)
        free(rig->lines[i]);
    sim_phone_close(rig->phone);
    sim_scene_free(&rig->scene);
}

void rig_run(struct rig *rig, double ms)
{
    const int64_t end_ns = rig->now_ns + (int64_t)(ms * TS_NS_PER_MS);
    while (rig->now_ns < end_ns) {
        int64_t until_ns = sim_phone_next(rig->phone);
        if (until_ns <= rig->now_ns)
            until_ns = rig->now_ns + 1;
        rig->now_ns = until_ns < end_ns ? until_ns : end_ns;
        sim_phone_run(rig->phone, rig->now_ns);
        const char *text;
        int64_t at_ns;
        while (sim_phone_line(rig->phone, rig->now_ns, &text, &at_ns)) {
            assert_true(rig->count < RIG_LINES_MAX);
            assert_true(at_ns <= rig->now_ns);
            rig->seen_ns[rig->count] = at_ns;
            rig->lines[rig->count++] = strdup(text);
        }
    }
}

int rig_shell(struct rig *rig, char *output, size_t size, const char *format, ...)
{
    char command[400];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    char *text = NULL;
    int exit_code = -1;
    int64_t done_ns = 0;
    assert_int_equal(sim_phone_shell(rig->phone, rig->now_ns, command, &text, &exit_code, &done_ns),
                     TS_OK);
    assert_non_null(text);
    assert_true(done_ns >= rig->now_ns + 8 * TS_NS_PER_MS);
    assert_true(done_ns <= rig->now_ns + 150 * TS_NS_PER_MS);
    if (output)
        snprintf(output, size, "%s", text);
    free(text);
    rig_run(rig, (double)(done_ns - rig->now_ns) / TS_NS_PER_MS);
    return exit_code;
}

void rig_press(struct rig *rig, double contact_ms, double after_ms)
{
    rig->mark = rig->count;
    sim_phone_force(rig->phone, rig->now_ns, 1.5);
    rig_run(rig, contact_ms);
    sim_phone_force(rig->phone, rig->now_ns, 0);
    rig_run(rig, after_ms);
}

struct sim_phone_truth rig_launch(struct rig *rig, const char *component, enum sim_fault fault)
{
    sim_phone_fault(rig->phone, fault);
    rig_shell(rig, NULL, 0,
              "am broadcast -p org.touchstone.helper -a org.touchstone.helper.NEXT --es component "
              "%s --ei "
              "launch %d",
              component, ++rig->launch);
    rig_shell(rig, NULL, 0, "am start -n org.touchstone.helper/.Button");
    rig_run(rig, 800);
    rig_press(rig, 150, 9000);
    return sim_phone_last_launch(rig->phone);
}

int rig_find(const struct rig *rig, int from, ...)
{
    for (int i = from; i < rig->count; i++) {
        va_list words;
        va_start(words, from);
        bool all = true;
        for (const char *word = va_arg(words, const char *); word && all;
             word = va_arg(words, const char *))
            all = strstr(rig->lines[i], word) != NULL;
        va_end(words);
        if (all)
            return i;
    }
    return -1;
}

int64_t rig_stamp_ns(const struct rig *rig, int line)
{
    long long seconds = 0, micros = 0;
    assert_int_equal(sscanf(rig->lines[line], "%lld.%lld", &seconds, &micros), 2);
    return seconds * TS_NS_PER_S + micros * TS_NS_PER_US;
}
