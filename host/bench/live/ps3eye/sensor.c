/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/ps3eye/sensor.h"

#include <stddef.h>

/* The bridge's registers that are written one by one. */
enum bridge {
    BRIDGE_VIDEO_INDEX = 0x1c,
    BRIDGE_VIDEO_DATA = 0x1d,
    BRIDGE_GPIO_WAY = 0x21,
    BRIDGE_GPIO_SET = 0x23,
    BRIDGE_RESET = 0xe0,
    BRIDGE_CLOCK = 0xe5,
    BRIDGE_POWER = 0xe7,
    BRIDGE_SCCB_SLAVE = 0xf1,
    BRIDGE_SCCB_REG = 0xf2,
    BRIDGE_SCCB_WRITE = 0xf3,
    BRIDGE_SCCB_READ = 0xf4,
    BRIDGE_SCCB_DO = 0xf5,
    BRIDGE_SCCB_STATUS = 0xf6,
};

enum sccb { SCCB_WRITE_3 = 0x37, SCCB_WRITE_2 = 0x33, SCCB_READ_2 = 0xf9 };
enum sccb_status { SCCB_FINE = 0x00, SCCB_BUSY = 0x03 };

enum sensor {
    SENSOR_GAIN = 0x00,
    SENSOR_BLUE = 0x01,
    SENSOR_RED = 0x02,
    SENSOR_EXPOSURE_HIGH = 0x08,
    SENSOR_PRODUCT = 0x0a,
    SENSOR_VERSION = 0x0b,
    SENSOR_COM3 = 0x0c, /* flips, and bit 0: colour bars */
    SENSOR_COM4 = 0x0d,
    SENSOR_EXPOSURE_LOW = 0x10,
    SENSOR_CLKRC = 0x11,
    SENSOR_COM7 = 0x12,
    SENSOR_COM8 = 0x13, /* automatics */
    SENSOR_WHITE = 0x63,
};

#define SENSOR_ADDRESS   0x42
#define SENSOR_RESET     0x80 /* of COM7 */
#define OV772X           0x77
#define LIGHT            0x80 /* of both GPIO registers */
#define RESET_STOP       0x09 /* the video FIFO and the CIF stand still */
#define RESET_ALL        0x08
#define STATUS_TRIES     50
#define COLOUR_BARS      0x01
#define AUTOMATICS_OFF   0xf0
#define WHITE_BY_HAND    0xaa
#define PICTURES_UPRIGHT 0xc0

const struct ts_eye_mode ts_eye_modes[] = {
    {320, 240, 30, 0x04, 0x41, 4},    {320, 240, 37.5, 0x03, 0x41, 4},
    {320, 240, 50, 0x02, 0x41, 4},    {320, 240, 60, 0x04, 0xc1, 4},
    {320, 240, 75, 0x03, 0xc1, 4},    {320, 240, 100, 0x02, 0xc1, 4},
    {320, 240, 125, 0x02, 0x81, 2},   {320, 240, 150, 0x00, 0x41, 4},
    {320, 240, 187.5, 0x01, 0x81, 2}, {640, 480, 15, 0x03, 0x41, 4},
    {640, 480, 30, 0x04, 0x81, 2},    {640, 480, 40, 0x02, 0xc1, 4},
    {640, 480, 50, 0x01, 0x41, 2},    {640, 480, 60, 0x00, 0x41, 4},
    {640, 480, 75, 0x01, 0x81, 2},    {0, 0, 0, 0, 0, 0},
};

struct setting {
    uint8_t reg, value;
};

/* Clocks, pins and memory of the bridge; then the size of a payload and that it has a header. */
static const struct setting bridge_wake[] = {
    {0x92, 0x01}, {0x93, 0x18}, {0x94, 0x10}, {0x95, 0x10}, {0xe2, 0x00}, {0xe7, 0x3e},
    {0x96, 0x00}, {0x97, 0x20}, {0x97, 0x20}, {0x97, 0x20}, {0x97, 0x0a}, {0x97, 0x3f},
    {0x97, 0x4a}, {0x97, 0x20}, {0x97, 0x15}, {0x97, 0x0b}, {0x8e, 0x40}, {0x1f, 0x81},
    {0x34, 0x05}, {0xe3, 0x04}, {0x89, 0x00}, {0x76, 0x00}, {0xe7, 0x2e}, {0x31, 0xf9},
    {0x25, 0x42}, {0x21, 0xf0}, {0x1c, 0x0a}, {0x1d, 0x08}, {0x1d, 0x0e},
};

/* No mains filter (0x2a, 0x2b: it would insert pixels and change the rate), black level, limits of
 * the automatics that are switched off afterwards, and no smoothing over time or space (0x8e). */
static const struct setting sensor_wake[] = {
    {0x3d, 0x00}, {0x14, 0x40}, {0x15, 0x00}, {0x64, 0x87}, {0x66, 0x00}, {0x20, 0x10},
    {0x4e, 0x0f}, {0x3e, 0xf3}, {0x32, 0x00}, {0x22, 0x7f}, {0x23, 0x03}, {0x24, 0x40},
    {0x25, 0x30}, {0x26, 0xa1}, {0x2a, 0x00}, {0x2b, 0x00}, {0x8e, 0x00},
};

/* Window and output size of the sensor, without COM7. */
static const struct setting sensor_small[] = {{0x17, 0x3f}, {0x18, 0x50}, {0x19, 0x03},
                                              {0x1a, 0x78}, {0x29, 0x50}, {0x2c, 0x78},
                                              {0x65, 0x2f}};
static const struct setting sensor_large[] = {{0x17, 0x26}, {0x18, 0xa0}, {0x19, 0x07},
                                              {0x1a, 0xf0}, {0x29, 0xa0}, {0x2c, 0xf0},
                                              {0x65, 0x20}};

static const struct setting bridge_bayer[] = {
    {0x88, 0x08}, {0x8d, 0x00}, {0x8e, 0x00}, {0xc2, 0x01}, {0xc3, 0x01}};
static const struct setting bridge_yuyv[] = {
    {0x88, 0x00}, {0x8d, 0x1c}, {0x8e, 0x80}, {0xc2, 0x0c}, {0xc3, 0x69}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int to_bridge(const struct ts_eye_bus *bus, uint8_t reg, unsigned value)
{
    return bus->write(bus->context, reg, (uint8_t)value);
}

static int table_to_bridge(const struct ts_eye_bus *bus, const struct setting *table, size_t count)
{
    int err = TS_OK;
    for (size_t i = 0; !err && i < count; i++)
        err = to_bridge(bus, table[i].reg, table[i].value);
    return err;
}

/* The bridge does it meanwhile: some 100 us. */
static int sccb_do(const struct ts_eye_bus *bus, enum sccb what)
{
    uint8_t status = SCCB_BUSY;
    int err = to_bridge(bus, BRIDGE_SCCB_DO, what);
    for (int i = 0; !err && i < STATUS_TRIES; i++) {
        err = bus->read(bus->context, BRIDGE_SCCB_STATUS, &status);
        if (err || status == SCCB_FINE)
            return err;
        if (status != SCCB_BUSY)
            return TS_EIO;
        if (i)
            bus->sleep_ms(bus->context, 1);
    }
    return err ? err : TS_EIO;
}

static int to_sensor(const struct ts_eye_bus *bus, uint8_t reg, unsigned value)
{
    int err = to_bridge(bus, BRIDGE_SCCB_REG, reg);
    if (!err)
        err = to_bridge(bus, BRIDGE_SCCB_WRITE, value);
    return err ? err : sccb_do(bus, SCCB_WRITE_3);
}

static int from_sensor(const struct ts_eye_bus *bus, uint8_t reg, uint8_t *value)
{
    int err = to_bridge(bus, BRIDGE_SCCB_REG, reg);
    if (!err)
        err = sccb_do(bus, SCCB_WRITE_2);
    if (!err)
        err = sccb_do(bus, SCCB_READ_2);
    return err ? err : bus->read(bus->context, BRIDGE_SCCB_READ, value);
}

static int table_to_sensor(const struct ts_eye_bus *bus, const struct setting *table, size_t count)
{
    int err = TS_OK;
    for (size_t i = 0; !err && i < count; i++)
        err = to_sensor(bus, table[i].reg, table[i].value);
    return err;
}

static int find_sensor(const struct ts_eye_bus *bus, struct ts_why *why)
{
    uint8_t product = 0, version = 0;
    int err = to_bridge(bus, BRIDGE_POWER, 0x3a);
    if (!err)
        err = to_bridge(bus, BRIDGE_RESET, RESET_ALL);
    bus->sleep_ms(bus->context, 100);
    if (!err)
        err = to_bridge(bus, BRIDGE_SCCB_SLAVE, SENSOR_ADDRESS);
    if (!err)
        err = to_sensor(bus, SENSOR_COM7, SENSOR_RESET);
    bus->sleep_ms(bus->context, 10);
    /* The first answer after a reset may be old. */
    for (int i = 0; !err && i < 2; i++)
        err = from_sensor(bus, SENSOR_PRODUCT, &product);
    if (!err)
        err = from_sensor(bus, SENSOR_VERSION, &version);
    if (!err && product != OV772X)
        return ts_fail(why, TS_ENOTSUP, "ps3eye: the sensor inside is %02x%02x, not an OV772x",
                       product, version);
    return err;
}

static int set_video(const struct ts_eye_bus *bus, const struct ts_eye_settings *settings)
{
    const struct ts_eye_mode *mode = settings->mode;
    const unsigned bytes = settings->yuyv ? 2 : 1;
    const unsigned words = bytes * (unsigned)(mode->width_px * mode->height_px) / 4;
    /* Format; payload and picture in units of 4 bytes. */
    const unsigned data[] = {
        settings->yuyv ? 0x40 : 0x00, 0x02, 0x00, words >> 16, words >> 8 & 0xff, words & 0xff};
    int err = to_bridge(bus, BRIDGE_VIDEO_INDEX, 0);
    for (size_t i = 0; !err && i < COUNT(data); i++)
        err = to_bridge(bus, BRIDGE_VIDEO_DATA, data[i]);
    if (!err)
        err = settings->yuyv ? table_to_bridge(bus, bridge_yuyv, COUNT(bridge_yuyv))
                             : table_to_bridge(bus, bridge_bayer, COUNT(bridge_bayer));
    if (!err)
        err = to_bridge(bus, 0xc0, (unsigned)mode->width_px / 8);
    return err ? err : to_bridge(bus, 0xc1, (unsigned)mode->height_px / 8);
}

static int set_mode(const struct ts_eye_bus *bus, const struct ts_eye_settings *settings)
{
    const struct ts_eye_mode *mode = settings->mode;
    const bool small = mode->width_px == 320;
    int err = set_video(bus, settings);
    if (!err)
        err = to_sensor(bus, SENSOR_COM7, (small ? 0x40u : 0u) | (settings->yuyv ? 0u : 1u));
    if (!err)
        err = table_to_sensor(bus, small ? sensor_small : sensor_large, COUNT(sensor_small));
    if (!err)
        err = to_sensor(bus, 0x67, settings->yuyv ? 0x00 : 0x02);
    if (!err)
        err = to_sensor(bus, SENSOR_CLKRC, mode->clkrc);
    if (!err)
        err = to_sensor(bus, SENSOR_COM4, mode->com4);
    return err ? err : to_bridge(bus, BRIDGE_CLOCK, mode->divider);
}

/* 0..63, each 16 twice as much as the 16 before. */
static unsigned gain_code(int gain)
{
    static const uint8_t above[] = {0x00, 0x30, 0x70, 0xf0};
    return (unsigned)(gain & 15) | above[gain >> 4 & 3];
}

static int set_picture(const struct ts_eye_bus *bus, const struct ts_eye_settings *settings)
{
    const unsigned rows =
        (unsigned)(settings->exposure >= 0 ? settings->exposure : settings->mode->height_px / 2);
    int err = to_sensor(bus, SENSOR_COM8, AUTOMATICS_OFF);
    if (!err)
        err = to_sensor(bus, SENSOR_WHITE, WHITE_BY_HAND);
    if (!err)
        err = to_sensor(bus, SENSOR_COM3, PICTURES_UPRIGHT | (settings->pattern ? COLOUR_BARS : 0));
    if (!err)
        err = to_sensor(bus, SENSOR_EXPOSURE_HIGH, rows >> 8);
    if (!err)
        err = to_sensor(bus, SENSOR_EXPOSURE_LOW, rows & 0xff);
    if (!err)
        err = to_sensor(bus, SENSOR_GAIN, gain_code(settings->gain >= 0 ? settings->gain : 20));
    if (err || settings->white < 0)
        return err;
    /* One number for both ends of the light: warmer takes red away and adds blue. */
    err = to_sensor(bus, SENSOR_RED, (unsigned)settings->white & 0xff);
    return err ? err : to_sensor(bus, SENSOR_BLUE, 255u - ((unsigned)settings->white & 0xff));
}

int ts_eye_set_up(const struct ts_eye_bus *bus, const struct ts_eye_settings *settings,
                  struct ts_why *why)
{
    int err = find_sensor(bus, why);
    if (!err)
        err = table_to_bridge(bus, bridge_wake, COUNT(bridge_wake));
    if (!err)
        err = table_to_sensor(bus, sensor_wake, COUNT(sensor_wake));
    if (!err)
        err = to_bridge(bus, BRIDGE_RESET, RESET_STOP);
    if (!err)
        err = set_mode(bus, settings);
    return err ? err : set_picture(bus, settings);
}

static int set_light(const struct ts_eye_bus *bus, bool on)
{
    uint8_t way = 0, pins = 0;
    int err = bus->read(bus->context, BRIDGE_GPIO_WAY, &way);
    if (!err)
        err = to_bridge(bus, BRIDGE_GPIO_WAY, way | LIGHT);
    if (!err)
        err = bus->read(bus->context, BRIDGE_GPIO_SET, &pins);
    if (!err)
        err = to_bridge(bus, BRIDGE_GPIO_SET, on ? pins | LIGHT : pins & ~(unsigned)LIGHT);
    /* Off, the pin is no output: it would glow. */
    return err || on ? err : to_bridge(bus, BRIDGE_GPIO_WAY, way & ~(unsigned)LIGHT);
}

int ts_eye_run(const struct ts_eye_bus *bus, bool on)
{
    if (!on) {
        const int err = to_bridge(bus, BRIDGE_RESET, RESET_STOP);
        return err ? err : set_light(bus, false);
    }
    const int err = set_light(bus, true);
    return err ? err : to_bridge(bus, BRIDGE_RESET, 0x00);
}
