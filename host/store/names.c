/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/names.h"

#include "model/item.h"
#include "model/plan.h"

#include <stddef.h>

const char *const ts_item_kind_names[] = {
    "",
    [TS_ITEM_FRAME] = "frame",
    [TS_ITEM_MCU] = "mcu",
    [TS_ITEM_LINE] = "line",
    [TS_ITEM_CLOCK] = "clock",
    [TS_ITEM_DONE] = "done",
    [TS_ITEM_FAULT] = "fault",
    NULL,
};

const char *const ts_command_kind_names[] = {
    "",
    [TS_COMMAND_MCU_SEND] = "mcu",
    [TS_COMMAND_PHONE_SHELL] = "shell",
    [TS_COMMAND_PHONE_STREAM] = "stream",
    [TS_COMMAND_CAMERA_SET] = "camera",
    [TS_COMMAND_CLOCK_READ] = "clock",
    [TS_COMMAND_DEADLINE] = "deadline",
    [TS_COMMAND_OPERATOR] = "operator",
    [TS_COMMAND_STREAM_END] = "stream_end",
    NULL,
};

const char *const ts_stream_names[] = {
    "",
    [TS_STREAM_LOG] = "log",
    [TS_STREAM_ACCESSIBILITY] = "accessibility",
    [TS_STREAM_INPUT] = "input",
    NULL,
};

const char *const ts_clock_domain_names[] = {
    "",
    [TS_CLOCK_MCU] = "mcu",
    [TS_CLOCK_PHONE_REAL] = "phone_real",
    [TS_CLOCK_PHONE_UP] = "phone_up",
    NULL,
};

const char *const ts_device_fault_names[] = {
    "",
    [TS_FAULT_MCU_RESET] = "mcu_reset",
    [TS_FAULT_MCU_LOST] = "mcu_lost",
    [TS_FAULT_MCU_GAP] = "mcu_gap",
    [TS_FAULT_CAMERA_LOST] = "camera_lost",
    [TS_FAULT_PHONE_LOST] = "phone_lost",
    [TS_FAULT_STREAM_ENDED] = "stream_ended",
    [TS_FAULT_MCU_LATCHED] = "mcu_latched",
    NULL,
};

const char *const ts_operator_task_names[] = {
    "",
    [TS_OPERATOR_PLATE_ON] = "plate_on",
    [TS_OPERATOR_PLATE_OFF] = "plate_off",
    [TS_OPERATOR_METER_FREE] = "meter_free",
    [TS_OPERATOR_METER_LOAD] = "meter_load",
    [TS_OPERATOR_METER_PHONE] = "meter_phone",
    NULL,
};

const char *const ts_order_names[] = {
    [TS_ORDER_INTERLEAVED] = "interleaved",
    [TS_ORDER_SEQUENTIAL] = "sequential",
    [TS_ORDER_SHUFFLED] = "shuffled",
    [TS_ORDER_COUNTERBALANCED] = "counterbalanced",
    NULL,
};

const char *const ts_keep_video_names[] = {
    [TS_VIDEO_FLAGGED_AND_SAMPLE] = "flagged+sample",
    [TS_VIDEO_ALL] = "all",
    [TS_VIDEO_NONE] = "none",
    NULL,
};
