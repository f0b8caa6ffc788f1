/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of what a short session measures. Where a comment gives no other reason, a limit is
 * some times what good rigs show, and what lies beyond it begins to cost precision. */
#include "cli/doctor_findings.h"

#include "wire/wire.h"

#include <math.h>
#include <string.h>

#define RTT_MOST_MS      4.0 /* a USB bridge that waits 16 ms before it sends has 8 in the middle */
#define MCU_U_MOST_MS    0.3 /* in t0's place on the host's axis, not in t0 -> screen */
#define MCU_BOUND_MS     5.0 /* half a frame: more, and a lost LED edge cannot be replaced */
#define WANDER_MOST_PPM  20.0 /* the hard bounds of the clock's fit allow for so much */
#define MCU_NOISE_US     25.0 /* the longest interrupt */
#define RATE_MOST_SHARE  0.005
#define LOST_MOST_SHARE  0.005
#define LOST_FAIL_SHARE  0.05
#define LATE_MOST_MS     20.0
#define WHITE_LEAST_CODE 100.0
#define WHITE_MOST_CODE  250.0
#define CONTRAST_LEAST   60.0
#define CLIPPED_MOST     0.05
#define FLICKER_NOTE     0.01
#define FLICKER_MOST     0.02 /* of white: settled means within so much, for ever */
#define PHONE_BOUND_MS   10.0

static void judge_board(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_health *health = &session->health;
    struct ts_finding *board =
        ts_found(findings, "board", health->protocol, "no reset, no fault", "%s, firmware %s",
                 session->identity.board, session->identity.firmware);
    if (!health->board_known)
        ts_found_worse(board, TS_FOUND_FAILURE,
                       "The board said no hello: check its USB cable and write the firmware to it "
                       "anew.");
    else if (health->protocol != WIRE_VERSION)
        ts_found_worse(board, TS_FOUND_FAILURE,
                       "The firmware speaks version %d of the protocol, this program version %d: "
                       "write the firmware of this version to the board.",
                       health->protocol, WIRE_VERSION);
    if (health->latched)
        ts_found_worse(board, TS_FOUND_FAILURE,
                       "The board latched fault %d: look at the stylus, the arm and the motor's "
                       "supply.",
                       health->latched);
    if (health->resets)
        ts_found_worse(board, TS_FOUND_FAILURE,
                       "The board was reset %d times: give the motor a supply of its own, and a "
                       "short USB cable to the board.",
                       health->resets);
}

static void judge_status(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct wire_status *status = &session->status;
    if (!session->status_known) {
        ts_found_worse(ts_found(findings, "status", NAN, "answers", "no answer"), TS_FOUND_WARNING,
                       "The board does not answer STATUS: switch it off and on, and look again.");
        return;
    }
    const int lost = status->rx_errors + status->tx_dropped + status->samples_missed;
    struct ts_finding *finding =
        ts_found(findings, "status", lost, "0 0 0", "%d bad bytes, %d unsent, %d missed",
                 status->rx_errors, status->tx_dropped, status->samples_missed);
    if (status->latched)
        ts_found_worse(finding, TS_FOUND_FAILURE,
                       "The board has latched fault %d and taps no more: look at the stylus, the "
                       "arm and the motor's supply, then switch the board off and on.",
                       status->fault);
    if (status->state != WIRE_IDLE && status->state != WIRE_HELD)
        ts_found_worse(finding, TS_FOUND_WARNING,
                       "The stylus is still in motion (state %d) although nothing was asked of it: "
                       "look at the arm.",
                       status->state);
    if (status->samples_missed)
        ts_found_worse(finding, TS_FOUND_WARNING,
                       "The board missed samples of the accelerometer: its firmware was built for "
                       "another board, or its clock is wrong.");
    if (lost)
        ts_found_worse(finding, TS_FOUND_WARNING,
                       "The board counts bytes that came damaged or found no room: use a shorter "
                       "USB cable, and no hub.");
}

static void judge_link(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_health *health = &session->health;
    const struct ts_clock_health *mcu = &health->mcu;
    struct ts_finding *lost =
        ts_found(findings, "link", health->lost_messages, "0 lost", "%d messages, %d lost",
                 health->messages, health->lost_messages);
    if (health->lost_messages)
        ts_found_worse(lost, TS_FOUND_WARNING,
                       "Messages of the board were lost or damaged: use a shorter USB cable, no "
                       "hub, and keep it away from the motor's leads.");
    struct ts_finding *trip = ts_found(findings, "round trip", mcu->rtt_median_ms, "median 4 ms",
                                       "median %.2f ms, %.2f to %.1f", mcu->rtt_median_ms,
                                       mcu->rtt_min_ms, mcu->rtt_most_ms);
    if (!(mcu->rtt_median_ms <= RTT_MOST_MS))
        ts_found_worse(trip, TS_FOUND_WARNING,
                       "The USB bridge holds bytes back, as FTDI chips do for 16 ms: write 1 to "
                       "/sys/bus/usb-serial/devices/ttyUSB0/latency_timer.");
}

static void judge_mcu_clock(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_clock_health *mcu = &session->health.mcu;
    if (!mcu->known) {
        ts_found_worse(ts_found(findings, "MCU clock", NAN, "readable", "unknown"),
                       TS_FOUND_FAILURE,
                       "No line fits the readings of the board's clock: check the USB cable, then "
                       "try another port.");
        return;
    }
    struct ts_finding *clock = ts_found(findings, "MCU clock", mcu->u_ms, "0.3 ms, 5 ms",
                                        "u %.3f ms, bound %.2f ms", mcu->u_ms, mcu->bound_ms);
    if (mcu->broken)
        ts_found_worse(clock, TS_FOUND_WARNING,
                       "The clock stood, jumped, or its readings stalled: use no USB hub, and keep "
                       "the computer from sleeping.");
    if (!(mcu->u_ms <= MCU_U_MOST_MS && mcu->bound_ms <= MCU_BOUND_MS))
        ts_found_worse(clock, TS_FOUND_WARNING,
                       "The board's clock is known badly because round trips are long: see to the "
                       "round trip first.");
    struct ts_finding *wander =
        ts_found(findings, "MCU clock rate", mcu->wander_ppm, "wanders 20 ppm + 3 u",
                 "%+.0f ppm, wandered %.1f, u %.1f", mcu->ppm, mcu->wander_ppm, mcu->wander_u_ppm);
    if (mcu->wander_ppm > WANDER_MOST_PPM + 3 * mcu->wander_u_ppm)
        ts_found_worse(wander, TS_FOUND_WARNING,
                       "The board's clock changes its rate within seconds: keep draughts and the "
                       "motor's warmth from it, or use a board with a quartz.");
    if (!session->mcu_noise_known)
        return;
    const double most_us = session->mcu_noise.largest_ns / 1e3;
    struct ts_finding *noise =
        ts_found(findings, "MCU noise", most_us, "25 us", "longest %.1f, P99.9 %.1f us", most_us,
                 session->mcu_noise.p999_ns / 1e3);
    if (most_us > MCU_NOISE_US)
        ts_found_worse(noise, TS_FOUND_WARNING,
                       "Something holds the board's program up for longer than its interrupts do: "
                       "write the firmware of this version to it.");
}

static void judge_camera(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_camera_health *camera = &session->health.camera;
    struct ts_finding *rate =
        ts_found(findings, "camera", camera->rate_hz, "within 0.5 %", "%.2f frames/s of %.0f, %s",
                 camera->rate_hz, camera->asked_hz, session->identity.camera);
    if (isnan(camera->rate_hz))
        ts_found_worse(rate, TS_FOUND_FAILURE,
                       "No frames came from the camera: check its cable, and that no other program "
                       "has it open.");
    else if (fabs(camera->rate_hz / camera->asked_hz - 1) > RATE_MOST_SHARE)
        ts_found_worse(rate, TS_FOUND_WARNING,
                       "The camera runs at a rate of its own: choose a mode that it has, and "
                       "calibrate the camera again.");
    const double share =
        camera->frames ? (double)camera->lost / (camera->frames + camera->lost) : 0;
    struct ts_finding *drops =
        ts_found(findings, "frames", camera->lost, "0.5 % lost, 20 ms", "%d, %d lost, late %.1f ms",
                 camera->frames, camera->lost, camera->late_p99_ms);
    if (share > LOST_MOST_SHARE)
        ts_found_worse(drops, share > LOST_FAIL_SHARE ? TS_FOUND_FAILURE : TS_FOUND_WARNING,
                       "%.1f %% of the frames were dropped: give the camera a USB controller of "
                       "its own, and close other programs.",
                       100 * share);
    if (camera->duplicates)
        ts_found_worse(drops, TS_FOUND_WARNING,
                       "Frames came twice: update the camera's driver or use another USB port.");
    if (camera->late_p99_ms > LATE_MOST_MS)
        ts_found_worse(drops, TS_FOUND_WARNING,
                       "Frames come late in bunches: close programs that keep this computer busy.");
}

static void judge_view(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_calibration *found = &session->found;
    struct ts_finding *leds =
        ts_found(findings, "sync LEDs", found->camera_edges, "both in view",
                 found->camera_known ? "seen, %d edges, exposure %.2f ms" : "not seen",
                 found->camera_edges, found->exposure_ms);
    if (!found->camera_known)
        ts_found_worse(
            leds, TS_FOUND_FAILURE,
            "Turn the camera so that both LEDs beside the phone are in the picture (%s).",
            session->note.text);
    if (!session->has_phone)
        return;
    struct ts_finding *screen = ts_found(findings, "screen", found->screen_known, "in the picture",
                                         found->screen_known ? "found" : "not found");
    if (!found->screen_known)
        ts_found_worse(screen, TS_FOUND_FAILURE,
                       "Bring the whole display into the picture, and wake and unlock the phone "
                       "(%s).",
                       session->note.text);
}

static void judge_light(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_light_health *light = &session->health.light;
    if (!session->has_phone || isnan(light->flicker)) {
        ts_found(findings, "light", NAN, "", "not measured: no white screen was seen");
        return;
    }
    struct ts_finding *exposure = ts_found(findings, "exposure", light->white, "white 100 to 250",
                                           "white %.0f, black %.0f, %.0f %% clipped", light->white,
                                           light->black, 100 * light->clipped);
    if (light->white > WHITE_MOST_CODE || light->clipped > CLIPPED_MOST)
        ts_found_worse(exposure, TS_FOUND_WARNING,
                       "White is at the end of the camera's range: lower exposure or gain, or the "
                       "phone's brightness.");
    if (light->white < WHITE_LEAST_CODE || light->white - light->black < CONTRAST_LEAST)
        ts_found_worse(exposure, TS_FOUND_WARNING,
                       "The display is dark to the camera: raise the phone's brightness or the "
                       "gain, and shade the phone from the room's light.");
    struct ts_finding *flicker =
        ts_found(findings, "flicker", light->flicker, "2 %", "%.2f %% at %.0f Hz",
                 100 * light->flicker, light->flicker_hz);
    const double depth = light->flicker;
    if (depth > FLICKER_NOTE)
        ts_found_worse(flicker, depth > FLICKER_MOST ? TS_FOUND_WARNING : TS_FOUND_NOTE,
                       "The light flickers at %.0f Hz: %s.", light->flicker_hz,
                       light->flicker_hz < 130
                           ? "switch the room's lamp off or use one that runs on direct current"
                           : "raise the phone's brightness, so that it is not dimmed by pulses, or "
                             "expose for whole periods of it");
}

static void judge_touches(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_health *health = &session->health;
    const int asked = session->touches_asked;
    struct ts_finding *taps = ts_found(findings, "taps", health->taps_whole, "all seen", "%d of %d",
                                       health->taps_whole, asked);
    if (health->taps_whole < asked)
        ts_found_worse(taps, TS_FOUND_WARNING,
                       "The accelerometer missed contact or pick-up: tighten it on the stylus and "
                       "check the drop's height.");
    if (!session->has_phone)
        return;
    struct ts_finding *touches = ts_found(findings, "touches", health->touches, "all felt",
                                          "%d of %d", health->touches, asked);
    if (health->touches < asked)
        ts_found_worse(touches, health->touches ? TS_FOUND_WARNING : TS_FOUND_FAILURE,
                       "The phone did not feel %d of %d taps: earth the tip, clean tip and glass, "
                       "take off a screen protector, and aim at the button.",
                       asked - health->touches, asked);
}

static void judge_phone(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    const struct ts_health *health = &session->health;
    const struct ts_clock_health *clock = &health->phone;
    if (!session->has_phone) {
        ts_found(findings, "phone", NAN, "", "done without");
        return;
    }
    struct ts_finding *phone =
        ts_found(findings, "phone", health->log_lines, "answers", "%d log lines, %d clock readings",
                 health->log_lines, clock->readings);
    if (health->phone_lost || !clock->readings || !health->log_lines)
        ts_found_worse(phone, TS_FOUND_FAILURE,
                       "The phone does not answer: look at `adb devices`, allow USB debugging on "
                       "the phone, and install the helper app.");
    struct ts_finding *bound = ts_found(findings, "phone clock", clock->bound_ms, "bound 10 ms",
                                        clock->known ? "bound %.2f, round trip %.2f ms" : "unknown",
                                        clock->bound_ms, clock->rtt_min_ms);
    if (!clock->known || !(clock->bound_ms <= PHONE_BOUND_MS))
        ts_found_worse(bound, TS_FOUND_WARNING,
                       "The phone's clock is known badly: use a USB cable rather than wireless "
                       "debugging, and no hub.");
    if (clock->broken)
        ts_found_worse(bound, TS_FOUND_WARNING,
                       "The phone's clock was set while it was read: switch automatic date and "
                       "time off during campaigns.");
    struct ts_finding *step =
        ts_found(findings, "log clock", health->log_step_ms, "below 10 ms", "steps of %g ms%s",
                 health->log_step_ms, health->log_step_sure ? "" : ", unsure");
    if (health->log_step_sure && health->log_step_ms >= 10)
        ts_found_worse(step, TS_FOUND_WARNING,
                       "Stamps of this phone's log are cut to 10 ms: rest nothing on them, but "
                       "durations that Android prints are good as ever.");
    else if (health->log_step_sure && health->log_step_ms >= 1)
        ts_found_worse(
            step, TS_FOUND_NOTE,
            "Stamps of this phone's log are cut to 1 ms; half of that is added to them.");
}

void ts_doctor_judge_session(const struct ts_doctor_session *session, struct ts_findings *findings)
{
    judge_board(session, findings);
    judge_status(session, findings);
    judge_link(session, findings);
    judge_mcu_clock(session, findings);
    judge_camera(session, findings);
    judge_view(session, findings);
    judge_light(session, findings);
    judge_touches(session, findings);
    judge_phone(session, findings);
}
