/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/share.h"

#include "export/share_rig.h"
#include "measure/measure.h"
#include "store/calibration_file.h"
#include "store/digest.h"
#include "store/layout.h"
#include "store/part.h"
#include "store/result_file.h"
#include "store/session_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)2 << 30)

/* First words of the program's own commands to the phone; of others nothing is said. */
static const char *share_shell(const char *text)
{
    static const char *const words[] = {"am", "cmd",      "dumpsys",   "getprop", "input", "pidof",
                                        "pm", "settings", "sha256sum", "svc",     "wm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t size = strlen(words[i]);
        if (strncmp(text, words[i], size) == 0 && text[size] == ' ')
            return words[i];
    }
    return "other";
}

static int share_entry(const struct ts_plan *plan, struct ts_journal_entry *entry,
                       struct ts_buf *out)
{
    char line[TS_SHARED_LINE_MAX];
    struct ts_item item = entry->item;
    struct ts_command command = entry->command;
    struct ts_evidence_intent intent;
    switch (entry->kind) {
    case TS_JOURNAL_ITEM:
        if (item.kind == TS_ITEM_DONE)
            item.u.done.text = "";
        if (item.kind == TS_ITEM_LINE) {
            ts_share_line(plan, item.u.line.stream, item.u.line.text, line);
            if (!*line)
                return TS_OK;
            item.u.line.text = line;
        }
        return ts_journal_put_item(out, &item);
    case TS_JOURNAL_COMMAND:
        if (command.kind == TS_COMMAND_PHONE_SHELL)
            command.u.shell = share_shell(command.u.shell);
        return ts_journal_put_command(out, &command);
    default:
        intent = entry->intent;
        intent.conditions.network[0] = '\0';
        if (*intent.focus_before)
            ts_share_name(plan, entry->intent.focus_before, intent.focus_before,
                          sizeof intent.focus_before);
        if (*intent.focus_after)
            ts_share_name(plan, entry->intent.focus_after, intent.focus_after,
                          sizeof intent.focus_after);
        return ts_journal_put_intent(out, &intent);
    }
}

static int share_events(const struct ts_session *session, int launch, struct ts_buf *out,
                        struct ts_why *why)
{
    struct ts_part *part;
    struct ts_journal_entry entry;
    int err = ts_part_open(session, launch, &part, why);
    if (err)
        return err;
    while (!(err = ts_part_next(part, &entry, why))) {
        err = share_entry(ts_session_get_plan(session), &entry, out);
        ts_part_release(&entry);
        if (err)
            break;
    }
    ts_part_close(part);
    return err == TS_EOF ? TS_OK : err;
}

static int write_part_file(const char *folder, int launch, const char *name,
                           const struct ts_buf *bytes, struct ts_why *why)
{
    struct ts_path path;
    const int err = ts_layout_file(folder, launch, name, &path, why);
    return err ? err : ts_file_write(path.text, bytes, why);
}

static int copy(const struct ts_session *session, const char *folder, int launch, const char *name,
                struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = ts_layout_file(ts_session_get_folder(session), launch, name, &path, why);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_file_read(path.text, FILE_MOST, &bytes, why);
    if (!err) {
        bytes.size--; /* the NUL */
        err = write_part_file(folder, launch, name, &bytes, why);
    }
    ts_buf_free(&bytes);
    return err;
}

static int share_part(const struct ts_session *session, const char *folder, int launch, bool videos,
                      struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf events = {0};
    int err = ts_layout_part(folder, launch, &path, why);
    if (!err)
        err = ts_folder_make(path.text, why);
    if (!err)
        err = share_events(session, launch, &events, why);
    if (!err)
        err = write_part_file(folder, launch, "events.jsonl", &events, why);
    if (!err)
        err = copy(session, folder, launch, "blocks.bin", why);
    if (!err && videos && launch)
        err = copy(session, folder, launch, "video.mkv", why);
    ts_buf_free(&events);
    return err;
}

static int share_calibration(const struct ts_session *session, const char *folder,
                             struct ts_why *why)
{
    struct ts_calibration calibration;
    struct ts_buf bytes = {0};
    struct ts_path path;
    int err = share_part(session, folder, 0, false, why);
    if (!err)
        err = ts_session_load_calibration(session, &calibration, why);
    if (!err)
        err = ts_calibration_print(&calibration, &bytes);
    if (!err)
        err = write_part_file(folder, 0, "calibration.json", &bytes, why);
    ts_buf_clear(&bytes);
    if (!err)
        err = ts_session_load_given(session, &calibration, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/rig/given.json", folder);
    if (!err)
        err = ts_calibration_print(&calibration, &bytes);
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err == TS_EOF ? TS_OK : err;
}

/* The apps, borrowed but for where their packages lay. NULL: no memory, else the caller frees it.
 */
static struct ts_plan_app *share_apps(const struct ts_plan *plan)
{
    static char apk[] = "shared.apk"; /* that there is one tells how the blocks were laid */
    struct ts_plan_app *apps = calloc(plan->app_count + 1, sizeof *apps);
    for (size_t i = 0; apps && i < plan->app_count; i++) {
        apps[i] = plan->apps[i];
        apps[i].apk = apps[i].apk ? apk : NULL;
    }
    return apps;
}

/* The plan without what may name a person's things. Members are borrowed. */
static int share_plan(const struct ts_session *session, const char *folder, struct ts_why *why)
{
    struct ts_plan plan = *ts_session_get_plan(session);
    struct ts_buf bytes = {0};
    struct ts_path path;
    char digest[TS_DIGEST_SIZE] = "", phone[32];
    int err = ts_path_format(&path, why, "%s/session.json", folder);
    if (!err && plan.phone && strcmp(plan.phone, "auto") != 0 && strcmp(plan.phone, "none") != 0) {
        err = ts_digest_of(plan.phone, strlen(plan.phone), digest);
        snprintf(phone, sizeof phone, "hashed-%.12s", digest);
        plan.phone = phone;
    }
    plan.apps = share_apps(&plan);
    if (!err && !plan.apps)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    plan.bench_options = NULL;
    plan.care.before_campaign = NULL;
    plan.care.before_launch = NULL;
    if (!err)
        err = ts_session_print(ts_session_get_info(session), &plan, NULL, &bytes);
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    free(plan.apps);
    return err;
}

static int share_exclusions(const struct ts_session *session, const char *folder,
                            struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = ts_path_format(&path, why, "%s/exclusions.jsonl", folder);
    for (int launch = 1; launch <= ts_session_launch_count(session) && !err; launch++) {
        if (ts_session_exclusion(session, launch))
            err = ts_buf_printf(&bytes,
                                "{\"launch\": %d, \"excluded\": true, \"why\": \"excluded by a "
                                "person\"}\n",
                                launch);
    }
    if (!err && bytes.size)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

/* Measured anew from what is shared, for whoever reproduces it has nothing else. */
static int share_result(const struct ts_session *session, const struct ts_session *shared,
                        const char *folder, int launch, int *changed, struct ts_why *why)
{
    struct ts_result before, now;
    struct ts_calibration calibration;
    struct ts_evidence evidence;
    struct ts_buf bytes = {0}, kept = {0};
    int err = ts_session_load_result(session, launch, &before, why);
    if (!err)
        err = ts_session_load_calibration(shared, &calibration, why);
    if (!err)
        err = ts_session_load_evidence(shared, launch, &evidence, why);
    if (err)
        return err;
    err = ts_measure_launch(&evidence, &calibration, ts_session_get_plan(shared), &now);
    ts_evidence_free(&evidence);
    before.conditions.network[0] = '\0';
    if (!err)
        err = ts_result_print(&now, ts_session_get_info(shared), &bytes);
    if (!err)
        err = ts_result_print(&before, ts_session_get_info(session), &kept);
    if (!err && (bytes.size != kept.size || memcmp(bytes.data, kept.data, kept.size) != 0))
        ++*changed;
    if (!err)
        err = write_part_file(folder, launch, "result.json", &bytes, why);
    ts_buf_free(&bytes);
    ts_buf_free(&kept);
    return err;
}

int ts_share_session(const struct ts_session *session, const char *folder, bool videos,
                     int *results_changed, struct ts_why *why)
{
    struct ts_session *shared = NULL;
    struct ts_path path;
    const int count = ts_session_launch_count(session);
    *results_changed = 0;
    int err = ts_folder_make(folder, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/launches", folder);
    if (!err)
        err = ts_folder_make(path.text, why);
    if (!err)
        err = share_plan(session, folder, why);
    if (!err)
        err = ts_share_rig(session, folder, why);
    if (!err)
        err = share_calibration(session, folder, why);
    for (int launch = 1; launch <= count && !err; launch++)
        err = share_part(session, folder, launch, videos, why);
    if (!err)
        err = ts_session_open(folder, &shared, why);
    for (int launch = 1; launch <= count && !err; launch++)
        err = share_result(session, shared, folder, launch, results_changed, why);
    ts_session_free(shared);
    if (!err)
        err = ts_share_annotations(session, folder, why);
    return err ? err : share_exclusions(session, folder, why);
}
