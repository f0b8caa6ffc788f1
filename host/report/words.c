/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/words.h"

const char *ts_measurand_words(enum ts_launch_from from)
{
    if (from == TS_FROM_AM)
        return "From Android's start, by its own log line of `am start`, until the screen has "
               "settled, as the camera saw it. No finger is in these times: they do not compare "
               "with those of a tap.";
    return "From the stylus leaving the glass until the screen has settled, as the camera saw it.";
}

static const struct ts_flag_words words[TS_FLAG_COUNT] = {
    [TS_FLAG_RIG_FAULT] = {"Rig fault",
                           "A device of the rig failed or restarted during the launch.",
                           "Check cables and power of the board, the camera and the phone."},
    [TS_FLAG_NO_CONTACT] = {"No contact",
                            "The accelerometer did not see the stylus reach the glass.",
                            "Check that the stylus falls freely and its height above the phone."},
    [TS_FLAG_DOUBLE_CONTACT] = {"Double contact", "The stylus touched the glass more than once.",
                                "Lower the drop height or renew the tip: it bounces."},
    [TS_FLAG_LONG_PRESS] = {"Long press",
                            "The stylus rested so long that Android takes it for a long press.",
                            "Shorten the rest of the tap profile or look for friction in the arm."},
    [TS_FLAG_TOUCH_NOT_SEEN] = {"Touch not seen",
                                "The stylus touched the glass but the phone reported no touch.",
                                "Clean the glass and the tip; check that the tip is grounded."},
    [TS_FLAG_START_NOT_SEEN] =
        {"Start not seen",
         "Nobody tapped, and the phone's log does not say when Android started the app: there is "
         "nothing to count from.",
         "Read the launch's log lines for \"START u0\"; or launch from: button."},
    [TS_FLAG_SCREEN_OFF] = {"Screen off", "The display was off when the launch began.",
                            "Keep the phone awake while it is charging (developer options)."},
    [TS_FLAG_KEYGUARD] = {"Lock screen", "The lock screen covered the launcher.",
                          "Remove the screen lock for the campaign."},
    [TS_FLAG_DIALOG] = {"Dialog in the way", "A dialog of the system stood over the app.",
                        "Open the app once by hand and answer its questions."},
    [TS_FLAG_START_REFUSED] =
        {"Start refused", "The phone refused to start the app, or to show the helper's button.",
         "Check that both are installed and enabled, and the app's component "
         "in the plan; what the phone said is in the launch's journal."},
    [TS_FLAG_WRONG_WINDOW] = {"Wrong window",
                              "Another window than the app's had the focus at the end.",
                              "Check the app's component in the plan, and where the stylus taps."},
    [TS_FLAG_APP_CRASHED] = {"App crashed", "Android reported a crash of the app.",
                             "Start the app by hand; read its crash in the launch's log lines."},
    [TS_FLAG_ANR] = {"App not responding", "Android reported that the app does not respond.",
                     "Start the app by hand; read the report in the launch's log lines."},
    [TS_FLAG_SCREEN_NOT_QUIET] = {"Screen not quiet",
                                  "Something was still moving before the tap, so the start of the "
                                  "launch cannot be told from it.",
                                  "Choose a still wallpaper and remove widgets that move."},
    [TS_FLAG_LIGHT_CHANGED] = {"Light changed",
                               "The light in the room or the display's brightness changed.",
                               "Shield the rig from daylight; turn adaptive brightness off."},
    [TS_FLAG_FRAMES_DROPPED] = {"Frames dropped", "Camera frames are missing where they matter.",
                                "Give the camera a USB controller of its own and the host less to "
                                "do."},
    [TS_FLAG_CLOCK_UNSURE] = {"Clocks unsure",
                              "The clocks of camera, board and phone could not be tied together "
                              "tightly enough.",
                              "Check that the camera sees both sync LEDs, and the USB connection."},
    [TS_FLAG_DISPLAY_MODE_CHANGED] = {"Display mode changed",
                                      "The display changed its refresh rate or resolution during "
                                      "the launch.",
                                      "Fix the refresh rate in the phone's display settings."},
    [TS_FLAG_NO_CHANGE] = {"No change", "The screen showed no change after the tap.",
                           "Check that the tap hits the launcher's button, and the camera's aim."},
    [TS_FLAG_NEVER_SETTLED] = {"Never settled", "The screen went on changing until the time limit.",
                               "Raise timeout_ms, or look in the video for what keeps moving."},
    [TS_FLAG_BARELY_VISIBLE] =
        {"Barely visible",
         "What changed first or last changed by just about as much as counts, 2 % of full "
         "scale, or hardly more than noise does, or so slowly that noise hides when it was over. "
         "Chance decides then when the screen began to change or had settled.",
         "Look in the video for what it is; annotate says what people see of it."},
    [TS_FLAG_OVEREXPOSED] =
        {"Overexposed",
         "The camera's exposure moved, and part of the screen was white in its picture for more "
         "than 50 ms after the last change that it shows. What happened there cannot be seen.",
         "Lock the camera's exposure, so low that a white screen is not white in the picture."},
    [TS_FLAG_TIMEOUT] = {"Timeout", "A step of the launch took longer than its limit.",
                         "Look at the launch's journal for the step that did not end."},
    [TS_FLAG_WRONG_START_TYPE] =
        {"Wrong start type", "The app did not start the way the plan asks (cold, warm, hot).",
         "Look for what keeps the app alive, or restarts it. Where the first launch of a "
         "warm or hot campaign is cold, say warm_up: 1 in the plan."},
    [TS_FLAG_APP_CHANGED] = {"App changed",
                             "The app's version is not the one the session began with.",
                             "Turn automatic updates off for the campaign."},
    [TS_FLAG_TOO_HOT] = {"Too hot", "The phone throttles: it was too hot for a comparable launch.",
                         "Cool the room or leave more time between launches."},
    [TS_FLAG_START_TYPE_UNKNOWN] = {"Start type unknown",
                                    "The log does not show whether the start was cold, warm or "
                                    "hot.",
                                    "Nothing to do: this does not disqualify the launch."},
    [TS_FLAG_LOG_LOST] = {"Log lines lost",
                          "The phone's log has holes, so that no number of Android's is given.",
                          "Enlarge the log buffers (developer options); what the camera saw is "
                          "usable."},
    [TS_FLAG_POWER_UNKNOWN] =
        {"Power unknown",
         "The meter in the phone's supply line was not heard for a part of "
         "the launch, or saw more current than it can tell, or no voltage: no "
         "energy is given.",
         "Check the INA226's wires (hardware/WIRING.md) and its shunt; the "
         "launch's times are usable."},
};

const struct ts_flag_words *ts_flag_words(enum ts_flag flag)
{
    return &words[flag];
}
