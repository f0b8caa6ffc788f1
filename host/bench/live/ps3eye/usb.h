/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A PS3 Eye on libusb: which one, its registers, and the transfers that are always under way. All
 * of it in one thread. */
#ifndef TS_LIVE_PS3EYE_USB_H
#define TS_LIVE_PS3EYE_USB_H

#include "base/err.h"
#include "base/time.h"
#include "bench/live/ps3eye/sensor.h"

#include <libusb.h>

#include <stddef.h>

/* A frame lies on the bus for some 7 ms, so that five of 3 ms hold more than two frames while the
 * thread is away; whole payloads in each. A picture's last payload is short, which ends a transfer:
 * it is here when the picture is. */
#define TS_EYE_TRANSFERS      5
#define TS_EYE_TRANSFER_BYTES 65536

struct ts_eye_usb {
    libusb_context *context; /* owned, as all below; NULL: closed */
    libusb_device_handle *handle;
    struct libusb_transfer *transfers[TS_EYE_TRANSFERS];
    uint8_t *bytes; /* of all transfers */
    uint8_t endpoint;
    int in_flight;
    bool flowing; /* transfers are given back to the device */
    bool gone;
    bool heard;            /* a transfer came, in this step */
    struct ts_eye_bus bus; /* its registers */
    void (*take)(void *user, struct ts_host_time arrival, const uint8_t *bytes, size_t size);
    void *user;
};

/* `what`: "" (the only one that is there), a port as "1-4.2", or a serial number. *why tells apart:
 * not there, several (and where), no permission, busy. Leaves take and user alone. */
int ts_eye_usb_open(struct ts_eye_usb *usb, const char *what, struct ts_why *why) TS_MUST_CHECK;
/* Closed already is fine. */
void ts_eye_usb_close(struct ts_eye_usb *usb);
/* From now on take() is called with the bytes of every transfer, in order, from inside
 * ts_eye_usb_step(); no more once it has been switched off. */
int ts_eye_usb_flow(struct ts_eye_usb *usb, bool on) TS_MUST_CHECK;
/* Waits for some transfer. TS_ETIMEOUT: none within 50 ms at most; TS_EIO: the device is gone. */
int ts_eye_usb_step(struct ts_eye_usb *usb) TS_MUST_CHECK;

#endif
