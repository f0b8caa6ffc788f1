/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/ps3eye/usb.h"

#include "bench/live/inbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VENDOR     0x1415
#define PRODUCT    0x2000
#define INTERFACE  0
#define CONTROL_MS 500
#define STEP_US    50000
#define PORTS_MOST 8
#define DRAINS     40 /* steps in which cancelled transfers come back */

static int write_register(void *context, uint8_t reg, uint8_t value)
{
    struct ts_eye_usb *usb = context;
    return libusb_control_transfer(usb->handle, LIBUSB_REQUEST_TYPE_VENDOR | LIBUSB_ENDPOINT_OUT, 1,
                                   0, reg, &value, 1, CONTROL_MS) == 1
               ? TS_OK
               : TS_EIO;
}

static int read_register(void *context, uint8_t reg, uint8_t *value)
{
    struct ts_eye_usb *usb = context;
    return libusb_control_transfer(usb->handle, LIBUSB_REQUEST_TYPE_VENDOR | LIBUSB_ENDPOINT_IN, 1,
                                   0, reg, value, 1, CONTROL_MS) == 1
               ? TS_OK
               : TS_EIO;
}

static void sleep_ms(void *context, unsigned ms)
{
    (void)context;
    nanosleep(&(struct timespec){0, (long)(ms * TS_NS_PER_MS)}, NULL);
}

/* "1-4.2", as the kernel names it. */
static void name_port(libusb_device *device, char *text, size_t size)
{
    uint8_t ports[PORTS_MOST];
    const int count = libusb_get_port_numbers(device, ports, PORTS_MOST);
    int used = snprintf(text, size, "%u", libusb_get_bus_number(device));
    for (int i = 0; i < count && used > 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, "%c%u", i ? '.' : '-', ports[i]);
}

static bool has_serial(libusb_device *device, uint8_t index, const char *serial)
{
    libusb_device_handle *handle;
    char text[128] = "";
    if (!index || libusb_open(device, &handle))
        return false;
    const int size =
        libusb_get_string_descriptor_ascii(handle, index, (unsigned char *)text, sizeof text - 1);
    libusb_close(handle);
    return size > 0 && !strcmp(text, serial);
}

/* How many there are that `what` may mean: the last of them, and a text of where all are. */
static int look_around(libusb_device **list, const char *what, libusb_device **found, char *text,
                       size_t size)
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (; *list; list++) {
        struct libusb_device_descriptor about;
        char port[40];
        if (libusb_get_device_descriptor(*list, &about) || about.idVendor != VENDOR ||
            about.idProduct != PRODUCT)
            continue;
        name_port(*list, port, sizeof port);
        const int more = snprintf(text + used, size - used, "%s%s", used ? ", " : "", port);
        used = used + (size_t)more < size ? used + (size_t)more : size - 1;
        if (*what && strcmp(what, port) != 0 && !has_serial(*list, about.iSerialNumber, what))
            continue;
        *found = *list;
        count++;
    }
    return count;
}

static int refuse(int error, struct ts_why *why)
{
    if (error == LIBUSB_ERROR_ACCESS)
        return ts_fail(why, TS_EIO,
                       "ps3eye: no permission: run ./dev setup --rig once, then plug the camera in "
                       "anew");
    if (error == LIBUSB_ERROR_BUSY)
        return ts_fail(why, TS_EIO, "ps3eye: another program has this camera: close it");
    return ts_fail(why, TS_EIO, "ps3eye: %s", libusb_strerror(error));
}

static int open_device(struct ts_eye_usb *usb, const char *what, struct ts_why *why)
{
    libusb_device **list, *found = NULL;
    char text[200];
    const ssize_t all = libusb_get_device_list(usb->context, &list);
    if (all < 0)
        return refuse((int)all, why);
    const int count = look_around(list, what, &found, text, sizeof text);
    int err = TS_OK;
    if (count == 0)
        err = ts_fail(why, TS_EIO,
                      "ps3eye: no camera%s%s (there is: %s); plug it in, or name another one, as "
                      "camera=v4l2:/dev/video0",
                      *what ? " at " : "", what, *text ? text : "none");
    else if (count > 1)
        err = ts_fail(why, TS_EINVAL, "ps3eye: which camera, as ps3eye:PORT? There are: %s", text);
    const int error = err ? 0 : libusb_open(found, &usb->handle);
    if (error)
        err = refuse(error, why);
    libusb_free_device_list(list, 1);
    return err;
}

static uint8_t find_endpoint(libusb_device *device)
{
    struct libusb_config_descriptor *config;
    uint8_t found = 0;
    if (libusb_get_active_config_descriptor(device, &config))
        return 0;
    for (int i = 0; i < config->bNumInterfaces; i++) {
        const struct libusb_interface *interface = &config->interface[i];
        if (!interface->num_altsetting || interface->altsetting->bInterfaceNumber != INTERFACE)
            continue;
        for (int e = 0; e < interface->altsetting->bNumEndpoints && !found; e++) {
            const struct libusb_endpoint_descriptor *endpoint = &interface->altsetting->endpoint[e];
            if ((endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) == LIBUSB_TRANSFER_TYPE_BULK &&
                endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN)
                found = endpoint->bEndpointAddress;
        }
    }
    libusb_free_config_descriptor(config);
    return found;
}

static void LIBUSB_CALL on_transfer(struct libusb_transfer *transfer)
{
    const struct ts_host_time arrival = ts_live_now();
    struct ts_eye_usb *usb = transfer->user_data;
    usb->in_flight--;
    switch (transfer->status) {
    case LIBUSB_TRANSFER_COMPLETED:
    case LIBUSB_TRANSFER_OVERFLOW: /* the picture misses bytes, and is seen to */
        break;
    case LIBUSB_TRANSFER_CANCELLED:
        return;
    default:
        usb->gone = true;
        return;
    }
    usb->heard = true;
    if (!usb->flowing)
        return;
    usb->take(usb->user, arrival, transfer->buffer, (size_t)transfer->actual_length);
    if (libusb_submit_transfer(transfer))
        usb->gone = true;
    else
        usb->in_flight++;
}

static int prepare_transfers(struct ts_eye_usb *usb)
{
    usb->bytes = malloc((size_t)TS_EYE_TRANSFERS * TS_EYE_TRANSFER_BYTES);
    if (!usb->bytes)
        return TS_ENOMEM;
    for (size_t i = 0; i < TS_EYE_TRANSFERS; i++) {
        usb->transfers[i] = libusb_alloc_transfer(0);
        if (!usb->transfers[i])
            return TS_ENOMEM;
        libusb_fill_bulk_transfer(usb->transfers[i], usb->handle, usb->endpoint,
                                  usb->bytes + i * TS_EYE_TRANSFER_BYTES, TS_EYE_TRANSFER_BYTES,
                                  on_transfer, usb, 0);
    }
    return TS_OK;
}

static int claim(struct ts_eye_usb *usb, struct ts_why *why)
{
    usb->endpoint = find_endpoint(libusb_get_device(usb->handle));
    if (!usb->endpoint)
        return ts_fail(why, TS_EPROTO, "ps3eye: it has no bulk endpoint: another kind of camera");
    /* The kernel's own driver (gspca_ov534) lets go of it. */
    libusb_set_auto_detach_kernel_driver(usb->handle, 1);
    const int error = libusb_claim_interface(usb->handle, INTERFACE);
    if (error)
        return refuse(error, why);
    libusb_clear_halt(usb->handle, usb->endpoint);
    return prepare_transfers(usb);
}

int ts_eye_usb_open(struct ts_eye_usb *usb, const char *what, struct ts_why *why)
{
    usb->in_flight = 0;
    usb->flowing = usb->gone = false;
    usb->bus = (struct ts_eye_bus){usb, write_register, read_register, sleep_ms};
    const int error = libusb_init(&usb->context);
    if (error) {
        usb->context = NULL;
        return refuse(error, why);
    }
    int err = open_device(usb, what, why);
    if (!err)
        err = claim(usb, why);
    if (err)
        ts_eye_usb_close(usb);
    return err;
}

/* Every transfer comes back, cancelled. */
static void drain(struct ts_eye_usb *usb)
{
    usb->flowing = false;
    for (size_t i = 0; i < TS_EYE_TRANSFERS; i++) {
        if (usb->transfers[i])
            libusb_cancel_transfer(usb->transfers[i]);
    }
    for (int i = 0; i < DRAINS && usb->in_flight; i++) {
        struct timeval wait = {0, STEP_US};
        libusb_handle_events_timeout(usb->context, &wait);
    }
}

void ts_eye_usb_close(struct ts_eye_usb *usb)
{
    if (!usb->context)
        return;
    drain(usb);
    /* What the system does not give back must not be freed under it. */
    for (size_t i = 0; i < TS_EYE_TRANSFERS && !usb->in_flight; i++) {
        libusb_free_transfer(usb->transfers[i]);
        usb->transfers[i] = NULL;
    }
    if (!usb->in_flight)
        free(usb->bytes);
    usb->bytes = NULL;
    if (usb->handle) {
        libusb_release_interface(usb->handle, INTERFACE);
        libusb_close(usb->handle);
    }
    usb->handle = NULL;
    libusb_exit(usb->context);
    usb->context = NULL;
}

int ts_eye_usb_flow(struct ts_eye_usb *usb, bool on)
{
    if (!on) {
        drain(usb);
        return usb->gone ? TS_EIO : TS_OK;
    }
    usb->flowing = true;
    for (size_t i = 0; i < TS_EYE_TRANSFERS; i++) {
        if (libusb_submit_transfer(usb->transfers[i]))
            return TS_EIO;
        usb->in_flight++;
    }
    return TS_OK;
}

int ts_eye_usb_step(struct ts_eye_usb *usb)
{
    struct timeval wait = {0, STEP_US};
    usb->heard = false;
    if (libusb_handle_events_timeout(usb->context, &wait) || usb->gone)
        return TS_EIO;
    return usb->heard ? TS_OK : TS_ETIMEOUT;
}
