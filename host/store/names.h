/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What enumerations are called in files (start types and rules: model/result.h). Each row is
 * indexed by its enum and NULL ends it; a value that does not exist (0) has the name "". */
#ifndef TS_STORE_NAMES_H
#define TS_STORE_NAMES_H

extern const char *const ts_item_kind_names[];    /* enum ts_item_kind */
extern const char *const ts_command_kind_names[]; /* enum ts_command_kind */
extern const char *const ts_stream_names[];       /* enum ts_stream */
extern const char *const ts_clock_domain_names[]; /* enum ts_clock_domain */
extern const char *const ts_device_fault_names[]; /* enum ts_device_fault */
extern const char *const ts_operator_task_names[];
extern const char *const ts_order_names[];      /* enum ts_order, from 0 */
extern const char *const ts_keep_video_names[]; /* enum ts_keep_video, from 0 */

#endif
