/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under what conditions, with what instrument and with which versions. */
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin_row(struct ts_out *out, const char *name)
{
    ts_out_printf(out, "<div><dt>%s</dt><dd>", name);
}

static void end_row(struct ts_out *out)
{
    ts_out_put(out, "</dd></div>\n");
}

static void put_text_row(struct ts_out *out, const char *name, const char *text)
{
    begin_row(out, name);
    ts_html_name(out, *text ? text : ts_fine_numbers.unknown);
    end_row(out);
}

static void put_number_row(struct ts_out *out, const char *name, double value, int decimals,
                           const char *unit)
{
    begin_row(out, name);
    ts_out_number(out, value, decimals, ts_fine_numbers);
    ts_out_put(out, isfinite(value) ? unit : "");
    end_row(out);
}

/* The double at `offset` of every launch's conditions, as "31 to 38 unit". */
static void put_range_row(struct ts_out *out, const char *name, const struct ts_report_data *data,
                          size_t offset, const char *unit)
{
    double low = INFINITY, high = -INFINITY;
    int decimals = 0;
    for (size_t i = 0; i < data->count; i++) {
        double value;
        memcpy(&value, (const char *)&data->launches[i].result.conditions + offset, sizeof value);
        low = fmin(low, value);
        high = fmax(high, value);
        if (isfinite(value) && fabs(value - round(value)) >= 0.05)
            decimals = 1;
    }
    begin_row(out, name);
    ts_out_number(out, low, decimals, ts_fine_numbers);
    if (high > low) {
        ts_out_put(out, " to ");
        ts_out_number(out, high, decimals, ts_fine_numbers);
    }
    ts_out_put(out, isfinite(low) ? unit : "");
    end_row(out);
}

static const char *text_at(const struct ts_report_data *data, size_t launch, size_t offset)
{
    return (const char *)&data->launches[launch].result.conditions + offset;
}

/* The texts at `offset`, each once; of one app, or of all when app is NULL. */
static void put_distinct(struct ts_out *out, const struct ts_report_data *data, const char *app,
                         size_t offset)
{
    bool any = false;
    for (size_t i = 0; i < data->count; i++) {
        const char *text = text_at(data, i, offset);
        bool shown = !*text || (app && strcmp(data->launches[i].result.app, app) != 0);
        for (size_t j = 0; j < i && !shown; j++)
            shown = strcmp(text_at(data, j, offset), text) == 0 &&
                    (!app || strcmp(data->launches[j].result.app, app) == 0);
        if (shown)
            continue;
        ts_out_put(out, any ? ", " : "");
        ts_html_name(out, text);
        any = true;
    }
    if (!any)
        ts_out_put(out, ts_fine_numbers.unknown);
}

static void put_apps(const struct ts_report_data *data, const struct ts_summary *summary,
                     struct ts_out *out)
{
    ts_html_table_begin(out, "Versions of the apps", "App|Version|Compiled|Component");
    for (size_t i = 0; i < summary->app_count; i++) {
        const char *app = summary->apps[i].app;
        const char *component = NULL;
        if (i > 0 && app == summary->apps[i - 1].app)
            continue; /* a row for another start type */
        for (size_t j = 0; j < data->plan->app_count; j++) {
            if (strcmp(data->plan->apps[j].name, app) == 0)
                component = data->plan->apps[j].component;
        }
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app);
        ts_out_put(out, "</th><td>");
        put_distinct(out, data, app, offsetof(struct ts_conditions, package_version));
        ts_out_put(out, "</td><td>");
        put_distinct(out, data, app, offsetof(struct ts_conditions, compiler_filter));
        ts_out_put(out, "</td><td><code>");
        ts_html_name(out, component ? component : ts_fine_numbers.unknown);
        ts_out_put(out, "</code></td></tr>\n");
    }
    ts_html_table_end(out);
}

static void put_phone(const struct ts_report_data *data, struct ts_out *out)
{
    ts_out_put(out, "<h3>Phone</h3>\n<dl>\n");
    if (*data->campaign.device)
        put_text_row(out, "Called", data->campaign.device);
    put_text_row(out, "Model and build", data->campaign.phone);
    if (data->plan->phone && strcmp(data->plan->phone, "none") == 0)
        put_text_row(out, "Link", "none");
    put_range_row(out, "Temperature", data, offsetof(struct ts_conditions, temperature_c),
                  "\u00a0\u00b0C");
    put_range_row(out, "Clock of its fastest core", data, offsetof(struct ts_conditions, cpu_mhz),
                  "\u00a0MHz");
    put_range_row(out, "\u2026 allowed at most", data, offsetof(struct ts_conditions, cpu_most_mhz),
                  "\u00a0MHz");
    put_range_row(out, "Battery", data, offsetof(struct ts_conditions, battery_percent), "\u00a0%");
    put_range_row(out, "Brightness", data, offsetof(struct ts_conditions, brightness), " of 255");
    put_range_row(out, "Refresh rate before launch", data,
                  offsetof(struct ts_conditions, refresh_before_hz), "\u00a0Hz");
    put_range_row(out, "Refresh rate after launch", data,
                  offsetof(struct ts_conditions, refresh_after_hz), "\u00a0Hz");
    begin_row(out, "Network");
    put_distinct(out, data, NULL, offsetof(struct ts_conditions, network));
    end_row(out);
    begin_row(out, "Read during launches");
    put_distinct(out, data, NULL, offsetof(struct ts_conditions, observers));
    end_row(out);
    ts_out_put(out, "</dl>\n");
}

static void put_instrument(const struct ts_report_data *data, struct ts_out *out)
{
    const struct ts_calibration *calibration = &data->calibration;
    ts_out_put(out, "<h3>Instrument</h3>\n");
    if (!data->calibrated) {
        ts_out_put(out, "<p>This session holds no calibration.</p>\n");
        return;
    }
    ts_out_put(out, "<dl>\n");
    begin_row(out, "Taps on the contact plate");
    if (calibration->plate_taps)
        ts_out_printf(out, "%d", calibration->plate_taps);
    else
        ts_out_put(out, "none, values are nominal");
    end_row(out);
    put_number_row(out, "Pick-up to lift", calibration->lift_delay_ms, 2, "\u00a0ms");
    put_number_row(out, "\u2026 spread from tap to tap, <i>u</i>", calibration->lift_delay_u_ms, 2,
                   "\u00a0ms");
    put_number_row(out, "\u2026 shared by all taps, <i>u</i>", calibration->lift_common_u_ms, 2,
                   "\u00a0ms");
    put_number_row(out, "Camera exposure", calibration->exposure_ms, 2, "\u00a0ms");
    put_number_row(out, "Camera read-out, top to bottom", calibration->readout_ms, 2, "\u00a0ms");
    put_number_row(out, "Camera clock, <i>u</i>", calibration->camera_u_ms, 2, "\u00a0ms");
    put_number_row(out, "Camera frames", 1000 / calibration->period_ms, 1, "\u00a0per second");
    begin_row(out, "Camera timing");
    ts_out_put(out, calibration->camera_known ? "learnt from the sync LEDs" : "nominal");
    end_row(out);
    if (calibration->shunt_mohm > 0) {
        put_number_row(out, "Power meter's shunt, as measured", calibration->shunt_mohm, 3,
                       "\u00a0m\u03a9");
        put_number_row(out, "\u2026 <i>u</i>", calibration->shunt_u_mohm, 3, "\u00a0m\u03a9");
    }
    ts_out_put(out, "</dl>\n");
}

static void put_versions(const struct ts_report_data *data, struct ts_out *out)
{
    const struct ts_session_info *info = data->info;
    ts_out_put(out, "<h3>Versions and plan</h3>\n<dl>\n");
    if (*data->campaign.started)
        put_text_row(out, "Measured", data->campaign.started);
    put_text_row(out, "Touchstone", info->touchstone);
    put_text_row(out, "Detector", info->detector);
    put_text_row(out, "Bench", strcmp(info->bench, "sim") == 0 ? "simulated" : info->bench);
    begin_row(out, "Seed");
    ts_out_printf(out, "%" PRIu64, info->seed);
    end_row(out);
    begin_row(out, "Camera picture");
    ts_out_printf(out, "%d \u00d7 %d px", info->camera.width_px, info->camera.height_px);
    end_row(out);
    put_text_row(out, "Start type", ts_start_type_name(data->plan->start));
    begin_row(out, "Launches per app");
    ts_out_printf(out, "%d", data->plan->launches);
    if (data->plan->warm_up)
        ts_out_printf(out, " and %d warm-up", data->plan->warm_up);
    end_row(out);
    begin_row(out, "End rule");
    ts_out_put(out,
               data->count ? ts_rule_name(data->launches[0].result.rule) : ts_fine_numbers.unknown);
    end_row(out);
    ts_out_put(out, "</dl>\n");
}

void ts_section_conditions(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    ts_out_put(out, "<section class=\"conditions\">\n<h2>Conditions and versions</h2>\n");
    ts_out_put(out, "<div class=\"columns\">\n<div>\n");
    put_phone(data, out);
    ts_out_put(out, "</div>\n<div>\n");
    put_instrument(data, out);
    ts_out_put(out, "</div>\n<div>\n");
    put_versions(data, out);
    ts_out_put(out, "</div>\n</div>\n");
    put_apps(data, page->summary, out);
    ts_out_put(out, "</section>\n");
}
