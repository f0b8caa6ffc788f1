/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share. */
#ifndef TS_CONTROL_INTERNAL_H
#define TS_CONTROL_INTERNAL_H

#include "android/focus.h"
#include "control/control.h"
#include "control/phone.h"

struct ts_detector;
struct ts_stops;

/* A step is entered once, then asked after every item whether it is over. */
struct ts_step {
    const char *name;
    void (*enter)(struct ts_control *control);
    bool (*over)(struct ts_control *control, const struct ts_item *item);
};

/* What the guard knows of an app, "" of what it does not. */
struct ts_guard_app {
    char package_version[48], apk_hash[72], compiler_filter[32];
    int repeats;    /* launches that were appended */
    bool installed; /* its package is the one on the phone */
};

struct ts_guard {
    struct ts_guard_app *apps; /* owned; as the plan's */
    double refresh_hz;         /* of the campaign's first launch; NAN unknown */
    int not_ready;             /* launches in a row */
    /* Of the open part. */
    struct ts_focus window; /* by the latest reading */
    unsigned found, noted;  /* bits of enum ts_flag: now; in the conditions */
    int tries, rounds;
    bool mending;
    bool start_refused; /* the helper's button; in the phone's words: */
    char refusal[160];
};

/* The plan's actions, being done. */
struct ts_actions {
    struct ts_action list[TS_ACTIONS_MAX];
    int at, count;
    struct ts_host_time began; /* the current one */
    bool waits;                /* it was hot, and is to become cool */
    int rooted;                /* -1 not asked */
};

struct ts_control {
    const struct ts_plan *plan;
    struct ts_camera_geometry camera;
    struct ts_calibration calibration; /* nominal until part 0 has ended */
    uint64_t seed;
    int *order;         /* owned; app index of each launch that is no scene */
    int launches, part; /* part -1: not begun */
    struct ts_evidence_intent intent;
    char package[160];  /* of intent.component */
    char apk_path[200]; /* of that package, "" unknown */

    const struct ts_step *steps;
    size_t step, step_count;
    struct ts_host_time now, step_began;

    uint32_t next_id;
    struct ts_control_output *out;
    char texts[TS_CONTROL_COMMANDS_MAX][1000]; /* of the commands in *out */
    struct ts_why why;
    int error; /* set by a step; ends the campaign */

    /* What the open step waits for. */
    uint32_t waiting;           /* id of a command, 0 for none */
    struct ts_item_done answer; /* of that command; text is not kept */
    size_t script;              /* position in a list of shell commands */
    int taps_left;
    int intervals_left; /* of the MCU's own loop */
    struct {
        int part, tries; /* the part that these are of */
        bool done;
    } install;
    uint32_t tap_command; /* id of the latest TAP */
    uint32_t am_command;  /* id of the `am start` in a tap's stead, until it is answered */
    uint32_t asked_model; /* id of the question, until it is answered */
    bool tap_done, tap_failed;
    bool mcu_returned;            /* it was lost, and with it what it said meanwhile */
    bool homing, stirred;         /* HOME was taken; since then it has told of a change of state */
    struct ts_detector *detector; /* owned; NULL while nobody looks at the screen */
    struct ts_host_time look_began;       /* zero of its time axis */
    bool lift_told;                       /* the detector knows it */
    struct ts_host_time launch_displayed; /* when its line came; 0: not yet */

    /* Clock readings run in the background. */
    bool clocks_on;
    uint32_t clock_deadline; /* id of its deadline command */
    unsigned clock_round;
    uint32_t timer; /* id of the step's own deadline */

    /* Who watches the phone, and who shall in the open part (bits of enum ts_observer). */
    unsigned observing, observers;
    uint32_t poll_deadline; /* id of its deadline command; 0: nobody polls */
    bool timer_expired;

    struct ts_stops *stops; /* owned; NULL: the plan has no stop rule */
    struct ts_guard guard;
    struct ts_actions actions;
    struct ts_phone phone;
    bool settings_done;                     /* they are set */
    bool settings_owed;                     /* to be restored, by whoever set them */
    bool mcu_lost, camera_lost, phone_away; /* and not back yet */
    struct ts_host_time camera_lost_at;
};

/* The stop rule (control/stop_rules.c): a launch begins; another control had finished this one. */
int ts_stops_open(struct ts_control *control) TS_MUST_CHECK;
void ts_stops_begin(struct ts_control *control);
int ts_stops_remember(struct ts_control *control, const struct ts_result *finished) TS_MUST_CHECK;
void ts_stops_close(struct ts_control *control);

bool ts_control_has_phone(const struct ts_control *control);
/* How many launches of the app at this position of the order come before it. */
int ts_control_nth(const struct ts_control *control, int position);

/* Each gives the id of the command. */
uint32_t ts_issue_shell(struct ts_control *control, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
uint32_t ts_issue_mcu(struct ts_control *control, uint8_t type, const uint8_t *body, size_t size);
uint32_t ts_issue_camera(struct ts_control *control, bool on);
uint32_t ts_issue_stream(struct ts_control *control, enum ts_stream stream, bool on);
uint32_t ts_issue_operator(struct ts_control *control, enum ts_operator_task task);
uint32_t ts_issue_clock(struct ts_control *control, enum ts_clock_domain domain);
uint32_t ts_issue_deadline(struct ts_control *control, int64_t at_ns);

/* The step's own timer. */
void ts_step_timer(struct ts_control *control, int64_t after_ms);
/* True when the item ends the command that the step waits for. */
bool ts_step_answered(struct ts_control *control, const struct ts_item *item);
/* What steps of both tables do. */
bool ts_step_timer_over(struct ts_control *control, const struct ts_item *item);
/* Has the stylus held; the end of a tap is taken note of. */
void ts_step_home(struct ts_control *control);
bool ts_step_home_over(struct ts_control *control, const struct ts_item *item);
void ts_step_tap(struct ts_control *control);
void ts_step_note_tap(struct ts_control *control, const struct ts_item *item);
/* start.c: the open part's app is started by `am start`, and nobody taps; does so; takes its
 * answer. Android said no. */
bool ts_start_by_am(const struct ts_control *control);
void ts_start_issue(struct ts_control *control);
void ts_start_item(struct ts_control *control, const struct ts_item *item);
bool ts_start_refused(const struct ts_control *control);
/* The sync LEDs blink: so many edges, min_ms to min_ms + span_ms apart; 0 edges: no more. */
void ts_step_sync(struct ts_control *control, unsigned edges, unsigned min_ms, unsigned span_ms);
/* The detector looks at every frame from start to stop; afterwards the lift is told, once: now, or
 * after_ms from now. */
void ts_look_start(struct ts_control *control);
void ts_look_stop(struct ts_control *control);
void ts_look_frame(struct ts_control *control, const struct ts_frame *frame);
void ts_look_lift(struct ts_control *control, double after_ms);
/* The screen has changed since the lift, and come to rest. Between start and stop only. */
bool ts_look_rests(const struct ts_control *control);
/* Clock readings every 50 ms (MCU) and 200 ms (phone, its uptime too where events are stamped by
 * it) from now on. */
void ts_clocks_start(struct ts_control *control);
void ts_clocks_stop(struct ts_control *control);
/* Takes items that belong to the background readings. */
void ts_clocks_item(struct ts_control *control, const struct ts_item *item);
/* From now on the phone is polled 25 times a second, as a tool would that reads its load; or no
 * more. */
void ts_polls_switch(struct ts_control *control, bool on);
void ts_polls_item(struct ts_control *control, const struct ts_item *item);

/* The launch's preparation begins anew with the next step. */
void ts_step_again(struct ts_control *control);
void ts_step_first(struct ts_control *control);

/* The guard (guard.c). begin: of a part; remember: what a finished launch met; repeat: the launch
 * is launched again at the end, if it met something and the plan allows. */
void ts_guard_begin(struct ts_control *control);
void ts_guard_enter(struct ts_control *control);
bool ts_guard_over(struct ts_control *control, const struct ts_item *item);
void ts_guard_after(struct ts_control *control);
/* An `am start` of the helper app has been answered. shown: nothing is measured if it was refused.
 */
void ts_guard_started(struct ts_control *control, const struct ts_item *item);
void ts_guard_shown(struct ts_control *control, const struct ts_item *item);
/* The launch's own `am start` has been answered: a refusal is noted. */
void ts_guard_launched(struct ts_control *control, const struct ts_item *item);
void ts_guard_read_policy(struct ts_control *control, const char *text);
void ts_guard_read_package_after(struct ts_control *control, const char *text);
void ts_guard_remember(struct ts_control *control, int launch,
                       const struct ts_conditions *conditions);
void ts_guard_repeat(struct ts_control *control, int launch, unsigned flags);

/* Steps of conditioning.c. */
void ts_conditioning_campaign(struct ts_control *control);
void ts_conditioning_launch(struct ts_control *control);
bool ts_conditioning_over(struct ts_control *control, const struct ts_item *item);
void ts_compile_enter(struct ts_control *control);
bool ts_compile_over(struct ts_control *control, const struct ts_item *item);
void ts_settings_enter(struct ts_control *control);
void ts_settings_restore(struct ts_control *control);
bool ts_settings_over(struct ts_control *control, const struct ts_item *item);

/* Steps of install.c: the build of a block, before its first launch; the packages are taken off the
 * phone again. remember: of a launch that another control had finished. */
void ts_install_enter(struct ts_control *control);
bool ts_install_over(struct ts_control *control, const struct ts_item *item);
void ts_install_remember(struct ts_control *control, int launch);
void ts_install_tidy(struct ts_control *control);
bool ts_install_tidy_over(struct ts_control *control, const struct ts_item *item);
/* Steps of meters.c: before the tap, and after the watch has ended. */
void ts_meters_enter(struct ts_control *control);
bool ts_meters_over(struct ts_control *control, const struct ts_item *item);

/* Steps of trouble.c: each waits for a device that is away; the others take note of it. */
void ts_trouble_item(struct ts_control *control, const struct ts_item *item);
void ts_trouble_shell(struct ts_control *control); /* a shell command has been answered */
void ts_trouble_await_mcu(struct ts_control *control);
bool ts_trouble_mcu_over(struct ts_control *control, const struct ts_item *item);
void ts_trouble_await_camera(struct ts_control *control);
bool ts_trouble_camera_over(struct ts_control *control, const struct ts_item *item);
/* Where the plan makes starts cold by it, the phone starts again: it goes away. */
void ts_trouble_reboot(struct ts_control *control);
bool ts_trouble_reboot_over(struct ts_control *control, const struct ts_item *item);
void ts_trouble_await_phone(struct ts_control *control);
bool ts_trouble_phone_over(struct ts_control *control, const struct ts_item *item);

extern const struct ts_step ts_calibration_steps[], ts_scene_steps[], ts_launch_steps[],
    ts_closing_steps[];
extern const size_t ts_calibration_step_count, ts_scene_step_count, ts_launch_step_count,
    ts_closing_step_count;

/* Fills intent->conditions or the focus from the answer to a shell command of the list below. */
struct ts_condition_command {
    const char *format; /* a shell command; %s: the package, %a: the path of its APK */
    void (*read)(struct ts_control *control, const char *text);
};
extern const struct ts_condition_command ts_conditions_before[], ts_conditions_after[];
extern const size_t ts_conditions_before_count, ts_conditions_after_count;

#endif
