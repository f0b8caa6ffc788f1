/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerometer samples: packed into blocks for the host, and shown to the tap sequencer. */
#ifndef CORE_STREAM_H
#define CORE_STREAM_H

#include <stdbool.h>

void fw_stream_init(void);
void fw_stream_always(bool on); /* regardless of a tap */
void fw_stream_for_tap(bool on);
void fw_stream_poll(void);

#endif
