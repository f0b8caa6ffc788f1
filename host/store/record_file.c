/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/record_file.h"

#include "store/json_in.h"
#include "store/json_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define DATE_SIZE     32
#define CHECKSUM_SIZE 9
#define IDENTITY(X)   X(rig) X(board) X(firmware) X(camera) X(phone) X(host)

static void put_date(struct ts_json_out *out, int64_t date_s)
{
    const time_t seconds = (time_t)date_s;
    struct tm parts;
    char text[DATE_SIZE] = "";
    if (gmtime_r(&seconds, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    ts_json_text(out, "date", text);
}

/* Whole numbers of dof are printed as such; INFINITY and NAN become null. */
static void put_values(struct ts_json_out *out, const struct ts_record *record)
{
    ts_json_open(out, "values", '{');
    for (size_t i = 0; i < record->count; i++) {
        const struct ts_known *known = &record->values[i];
        ts_json_open(out, known->name, '{');
        ts_json_number(out, "value", known->value);
        ts_json_number(out, "u", known->u);
        ts_json_number(out, "dof", known->dof);
        ts_json_close(out, '}');
    }
    ts_json_close(out, '}');
}

static int print(const struct ts_record *record, const char *checksum, struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf, .broken_depth = 2};
    ts_json_open(&out, NULL, '{');
    ts_json_text(&out, "calibration", ts_record_names[record->kind]);
    put_date(&out, record->date_s);
#define PUT(member) ts_json_text_or_null(&out, #member, record->identity.member);
    IDENTITY(PUT)
#undef PUT
    ts_json_text(&out, "method", record->method);
    ts_json_integer(&out, "n", record->n);
    put_values(&out, record);
    if (checksum)
        ts_json_text(&out, "checksum", checksum);
    ts_json_close(&out, '}');
    if (!out.err)
        out.err = ts_buf_append(buf, "\n", 1);
    return out.err;
}

static int checksum_of(const struct ts_record *record, char text[CHECKSUM_SIZE])
{
    struct ts_buf bytes = {0};
    const int err = print(record, NULL, &bytes);
    if (!err)
        snprintf(text, CHECKSUM_SIZE, "%08lx",
                 crc32(crc32(0, NULL, 0), bytes.data, (uInt)bytes.size) & 0xffffffffUL);
    ts_buf_free(&bytes);
    return err;
}

int ts_record_print(const struct ts_record *record, struct ts_buf *buf)
{
    char checksum[CHECKSUM_SIZE];
    const int err = checksum_of(record, checksum);
    return err ? err : print(record, checksum, buf);
}

/* Days from 1970-01-01; years are counted from March, so that leap days come last. */
static int64_t days_of(int year, int month, int day)
{
    const int64_t years = month > 2 ? year : year - 1;
    const int64_t era = years / 400, of_era = years % 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void read_date(struct ts_json_in *in, int64_t *date_s)
{
    char text[DATE_SIZE], zone;
    int year, month, day, hour, minute, second;
    ts_json_in_text(in, "date", text, sizeof text);
    if (in->err)
        return;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%c", &year, &month, &day, &hour, &minute, &second,
               &zone) == 7 &&
        zone == 'Z' && year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 31)
        *date_s = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    else
        ts_json_in_refuse(in, "date", "a date of the form 2026-01-31T12:00:00Z");
}

static void read_values(struct ts_json_in *in, struct ts_record *record)
{
    struct ts_json_in values = ts_json_in_enter(in, "values");
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)values.object, name, member)
    {
        struct ts_json_in known = {member, "values", in->why, values.err};
        if (!json_is_object(member) || strlen(name) >= sizeof record->values[0].name ||
            record->count == TS_KNOWN_MOST) {
            ts_json_in_refuse(&values, name, "an object with value, u and dof");
            break;
        }
        const double value = ts_json_in_number(&known, "value");
        const double u = ts_json_in_number(&known, "u");
        ts_record_add(record, name, value, u, ts_json_in_number(&known, "dof"));
        ts_json_in_leave(&values, &known);
    }
    ts_json_in_leave(in, &values);
}

int ts_record_parse(const char *text, size_t size, struct ts_record *out, struct ts_why *why)
{
    char noted[CHECKSUM_SIZE + 1], now[CHECKSUM_SIZE];
    json_t *root;
    *out = (struct ts_record){0};
    const int err = ts_json_in_parse(text, size, "calibration file", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "calibration file", why, TS_OK};
    out->kind = (enum ts_record_kind)ts_json_in_name(&in, "calibration", ts_record_names);
    read_date(&in, &out->date_s);
#define READ(member)                                                                               \
    ts_json_in_text(&in, #member, out->identity.member, sizeof out->identity.member);
    IDENTITY(READ)
#undef READ
    ts_json_in_text(&in, "method", out->method, sizeof out->method);
    out->n = (int)ts_json_in_integer(&in, "n", 0, INT32_MAX);
    read_values(&in, out);
    ts_json_in_text(&in, "checksum", noted, sizeof noted);
    json_decref(root);
    if (in.err)
        return in.err;
    if (checksum_of(out, now))
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (strcmp(noted, now) != 0)
        return ts_fail(why, TS_EPROTO,
                       "the checksum does not fit: the file is damaged or was edited; run "
                       "`touchstone calibrate %s` again",
                       ts_record_names[out->kind]);
    return TS_OK;
}
