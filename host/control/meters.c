/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the phone says of the app's costs, read before the tap's preparations begin to count and
 * after the screen has come to rest: never in between, where a question would cost the launch time.
 */
#include "control/internal.h"

#include "android/meters.h"

#include <math.h>
#include <string.h>

static double read_network(struct ts_control *control, const char *text,
                           double (*read)(const char *text, int uid))
{
    return control->intent.app_uid > 0 ? read(text, control->intent.app_uid) : (double)NAN;
}

static void read_cpu(struct ts_control *control, struct ts_meter_reading *out, const char *text)
{
    (void)control;
    out->cpu_ms = ts_meters_read_cpu_ms(text, &out->pid);
}

static void read_qtaguid(struct ts_control *control, struct ts_meter_reading *out, const char *text)
{
    out->network_bytes = read_network(control, text, ts_meters_read_qtaguid);
}

static void read_nothing(struct ts_control *control, struct ts_meter_reading *out, const char *text)
{
    (void)control;
    (void)out;
    (void)text;
}

static void read_netstats(struct ts_control *control, struct ts_meter_reading *out,
                          const char *text)
{
    out->network_bytes = read_network(control, text, ts_meters_read_netstats);
}

static void read_memory(struct ts_control *control, struct ts_meter_reading *out, const char *text)
{
    (void)control;
    out->memory_kb = ts_meters_read_pss_kb(text);
}

/* The history's lines with the user id behind each: of the whole, which has thousands and names the
 * network and its subscriber, little is needed. */
#define NETSTATS                                                                                   \
    "dumpsys netstats detail | sed -n -e '/UID stats:/p' -e '/ident=/h' -e '/ rb=/{' -e G "        \
    "-e 's/\\n.* uid=/ ident= uid=/' -e '/ uid=%d /p' -e '}'"

/* %s: the package, %d: its user id. The processor first, since it goes on counting; memory last,
 * since the app itself has to answer. Statistics in the kernel are younger than Android 9's table,
 * and are counted when somebody asks for that. */
static const struct question {
    const char *format;
    void (*read)(struct ts_control *control, struct ts_meter_reading *out, const char *text);
    enum ts_meter meter;
    bool after_only;
} questions[] = {
    {"cat /proc/$(pidof %s)/stat", read_cpu, TS_METER_CPU, false},
    {"cat /proc/net/xt_qtaguid/stats", read_qtaguid, TS_METER_NETWORK, false},
    {"dumpsys netstats --poll", read_nothing, TS_METER_NETWORK, false},
    {NETSTATS, read_netstats, TS_METER_NETWORK, false},
    {"dumpsys meminfo %s", read_memory, TS_METER_MEMORY, true},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

static bool is_after(const struct ts_control *control)
{
    return control->intent.watch_ended.ns != 0;
}

static struct ts_meter_reading *reading(struct ts_control *control)
{
    struct ts_meter_readings *readings = &control->intent.readings;
    return is_after(control) ? &readings->after : &readings->before;
}

static bool is_needed(struct ts_control *control, const struct question *question)
{
    const bool known =
        question->meter == TS_METER_NETWORK && isfinite(reading(control)->network_bytes);
    return (control->plan->meters & question->meter) && !known &&
           (!question->after_only || is_after(control));
}

/* The next question; false: there is none left. */
static bool ask(struct ts_control *control)
{
    while (control->script < QUESTIONS && !is_needed(control, &questions[control->script]))
        control->script++;
    if (control->script == QUESTIONS)
        return false;
    const char *format = questions[control->script].format;
    const char *place = strchr(format, '%');
    if (place && place[1] == 's')
        control->waiting = ts_issue_shell(control, "%.*s%s%s", (int)(place - format), format,
                                          control->package, place + 2);
    else if (place)
        control->waiting = ts_issue_shell(control, "%.*s%d%s", (int)(place - format), format,
                                          control->intent.app_uid, place + 2);
    else
        control->waiting = ts_issue_shell(control, "%s", format);
    return true;
}

void ts_meters_enter(struct ts_control *control)
{
    control->intent.metered =
        ts_control_has_phone(control) && control->plan->meters & ~(unsigned)TS_METER_ENERGY;
    if (control->intent.metered)
        ask(control);
}

bool ts_meters_over(struct ts_control *control, const struct ts_item *item)
{
    if (!control->waiting)
        return true;
    if (!ts_step_answered(control, item))
        return false;
    ts_trouble_shell(control);
    if (item->u.done.status == TS_OK)
        questions[control->script].read(control, reading(control), item->u.done.text);
    control->script++;
    return !ask(control);
}
