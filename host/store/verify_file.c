/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/verify_file.h"

#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define FILE_MOST   ((size_t)16 << 20)
#define LINES       (TS_MEASURAND_COUNT * (TS_SCENE_COUNT + 1))
#define ALL_SCENES  "all"
#define IDENTITY(X) X(rig) X(board) X(firmware) X(camera) X(phone) X(host)
/* Of what stands before it, as it stands in the file; so lines that are there for people only need
 * not be read to check it. */
#define CHECKSUM ",\n  \"checksum\": \""

static void put_date(struct ts_json_out *out, int64_t date_s)
{
    const time_t seconds = (time_t)date_s;
    struct tm parts;
    char text[32] = "";
    if (gmtime_r(&seconds, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    ts_json_text(out, "date", text);
    ts_json_integer(out, "date_s", date_s);
}

static void put_values(struct ts_json_out *out, const struct ts_certificate *certificate)
{
    ts_json_open(out, "values", '[');
    for (int i = 0; i < certificate->value_count; i++) {
        const struct ts_verified_value *value = &certificate->values[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "name", value->name);
        ts_json_number(out, "on_file", value->on_file);
        ts_json_number(out, "found", value->found);
        ts_json_number(out, "limit", value->limit_ms);
        ts_json_boolean(out, "passed", value->passed);
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
}

static void put_line(struct ts_json_out *out, const char *measurand, const char *kind,
                     const struct ts_verified_line *line)
{
    ts_json_open(out, NULL, '{');
    ts_json_text(out, "measurand", measurand);
    ts_json_text(out, "scene", kind);
    ts_json_integer(out, "n", line->n);
    ts_json_number(out, "bias_ms", line->bias_ms);
    ts_json_number(out, "bias_half_95_ms", line->half_95_ms);
    ts_json_number(out, "bias_limit_ms", line->limit_ms);
    ts_json_number(out, "spread_ms", line->spread_ms);
    ts_json_number(out, "p95_ms", line->p95_ms);
    ts_json_number(out, "max_ms", line->max_ms);
    ts_json_integer(out, "gross", line->gross);
    ts_json_integer(out, "gross_most", line->gross_most);
    ts_json_integer(out, "covered", line->covered);
    ts_json_integer(out, "covered_least", line->covered_least);
    ts_json_boolean(out, "passed", line->passed);
    ts_json_close(out, '}');
}

static void put_lines(struct ts_json_out *out, const struct ts_certificate *certificate)
{
    ts_json_open(out, "lines", '[');
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        for (int kind = 0; kind <= TS_SCENE_COUNT; kind++)
            put_line(out, ts_measurand_names[m],
                     kind < TS_SCENE_COUNT ? ts_scene_names[kind] : ALL_SCENES,
                     &certificate->lines[m][kind]);
    }
    ts_json_close(out, ']');
}

#define PAIR(X) X(difference_ms) X(u_ms) X(half_95_ms)

static void put_scenes(struct ts_json_out *out, const struct ts_certificate *certificate)
{
    ts_json_open(out, "scenes", '[');
    for (int i = 0; i < certificate->scene_count; i++) {
        const struct ts_scene_pair *pair = &certificate->scenes[i];
        ts_json_open(out, NULL, '{');
        ts_json_text(out, "kind", ts_scene_names[pair->kind]);
        ts_json_boolean(out, "usable", pair->usable);
        ts_json_number(out, "refresh_ms", pair->refresh_ms);
        for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
            ts_json_open(out, ts_measurand_names[m], '{');
#define PUT(member) ts_json_number(out, #member, pair->member[m]);
            PAIR(PUT)
#undef PUT
            ts_json_close(out, '}');
        }
        ts_json_close(out, '}');
    }
    ts_json_close(out, ']');
}

int ts_certificate_print(const struct ts_certificate *certificate, struct ts_buf *buf)
{
    const size_t from = buf->size;
    struct ts_json_out out = {.buf = buf, .broken_depth = 2};
    ts_json_open(&out, NULL, '{');
    ts_json_text(&out, "certificate", certificate->passed ? "passed" : "failed");
    put_date(&out, certificate->date_s);
    ts_json_text_or_null(&out, "who", certificate->who);
#define PUT(member) ts_json_text_or_null(&out, #member, certificate->identity.member);
    IDENTITY(PUT)
#undef PUT
    ts_json_text(&out, "touchstone", certificate->touchstone);
    ts_json_text(&out, "detector", certificate->detector);
    ts_json_seed(&out, "seed", certificate->seed);
    ts_json_number(&out, "refresh_hz", certificate->refresh_hz);
    ts_json_number(&out, "response_ms", certificate->response_ms);
    ts_json_integer(&out, "plate_taps", certificate->plate_taps);
    ts_json_integer(&out, "camera_edges", certificate->camera_edges);
    ts_json_integer(&out, "usable", certificate->usable);
    ts_json_integer(&out, "usable_least", certificate->usable_least);
    put_values(&out, certificate);
    put_lines(&out, certificate);
    put_scenes(&out, certificate);
    if (out.err)
        return out.err;
    const unsigned long checksum =
        crc32(crc32(0, NULL, 0), buf->data + from, (uInt)(buf->size - from)) & 0xffffffffUL;
    return ts_buf_printf(buf, CHECKSUM "%08lx\"\n}\n", checksum);
}

/* ---- reading ---- */

static bool checksum_fits(const char *text, size_t size)
{
    const size_t mark = strlen(CHECKSUM);
    size_t at = size > mark + 8 ? size - mark - 8 : 0;
    while (at > 0 && memcmp(text + at, CHECKSUM, mark) != 0)
        at--;
    if (at == 0)
        return false;
    char *end;
    const unsigned long noted = strtoul(text + at + mark, &end, 16);
    return *end == '"' &&
           noted == (crc32(crc32(0, NULL, 0), (const Bytef *)text, (uInt)at) & 0xffffffffUL);
}

static void read_value(struct ts_json_in *in, struct ts_verified_value *value)
{
    ts_json_in_text(in, "name", value->name, sizeof value->name);
    value->on_file = ts_json_in_number(in, "on_file");
    value->found = ts_json_in_number(in, "found");
    value->limit_ms = ts_json_in_number(in, "limit");
    value->passed = ts_json_in_boolean(in, "passed");
}

/* ts_scene_names[] has no NULL at its end. */
static int read_kind(struct ts_json_in *in)
{
    char name[16];
    ts_json_in_text(in, "kind", name, sizeof name);
    for (int kind = 0; kind < TS_SCENE_COUNT; kind++) {
        if (strcmp(name, ts_scene_names[kind]) == 0)
            return kind;
    }
    ts_json_in_refuse(in, "kind", "a kind of scene");
    return 0;
}

static void read_scene(struct ts_json_in *in, struct ts_scene_pair *pair)
{
    pair->kind = read_kind(in);
    pair->usable = ts_json_in_boolean(in, "usable");
    pair->refresh_ms = ts_json_in_number(in, "refresh_ms");
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_json_in inner = ts_json_in_enter(in, ts_measurand_names[m]);
#define READ(member) pair->member[m] = ts_json_in_number(&inner, #member);
        PAIR(READ)
#undef READ
        ts_json_in_leave(in, &inner);
    }
}

static int find_name(const char *name, const char *const *names, int count)
{
    int found = 0;
    while (found < count && strcmp(name, names[found]) != 0)
        found++;
    return found;
}

static void read_line(struct ts_json_in *in, struct ts_certificate *out)
{
    char measurand[32], scene[16];
    ts_json_in_text(in, "measurand", measurand, sizeof measurand);
    ts_json_in_text(in, "scene", scene, sizeof scene);
    const int m = find_name(measurand, ts_measurand_names, TS_MEASURAND_COUNT);
    const int kind = find_name(scene, ts_scene_names, TS_SCENE_COUNT); /* "all" comes last */
    if (m == TS_MEASURAND_COUNT || (kind == TS_SCENE_COUNT && strcmp(scene, ALL_SCENES) != 0)) {
        ts_json_in_refuse(in, "scene", "of a measurand and a kind of scene");
        return;
    }
    out->lines[m][kind] = (struct ts_verified_line){
        .n = (int)ts_json_in_integer(in, "n", 0, INT32_MAX),
        .bias_ms = ts_json_in_number(in, "bias_ms"),
        .half_95_ms = ts_json_in_number(in, "bias_half_95_ms"),
        .limit_ms = ts_json_in_number(in, "bias_limit_ms"),
        .spread_ms = ts_json_in_number(in, "spread_ms"),
        .p95_ms = ts_json_in_number(in, "p95_ms"),
        .max_ms = ts_json_in_number(in, "max_ms"),
        .gross = (int)ts_json_in_integer(in, "gross", 0, INT32_MAX),
        .gross_most = (int)ts_json_in_integer(in, "gross_most", 0, INT32_MAX),
        .covered = (int)ts_json_in_integer(in, "covered", 0, INT32_MAX),
        .covered_least = (int)ts_json_in_integer(in, "covered_least", 0, INT32_MAX),
        .passed = ts_json_in_boolean(in, "passed")};
}

static void read_lists(struct ts_json_in *in, struct ts_certificate *out)
{
    size_t i;
    const json_t *item;
    const json_t *lines = ts_json_in_array(in, "lines", 0, LINES);
    json_array_foreach(lines, i, item)
    {
        struct ts_json_in inner = {item, "certificate", in->why, in->err};
        read_line(&inner, out);
        ts_json_in_leave(in, &inner);
    }
    const json_t *values = ts_json_in_array(in, "values", 0, TS_CERTIFICATE_VALUES_MOST);
    json_array_foreach(values, i, item)
    {
        struct ts_json_in inner = {item, "certificate", in->why, in->err};
        read_value(&inner, &out->values[out->value_count++]);
        ts_json_in_leave(in, &inner);
    }
    const json_t *scenes = ts_json_in_array(in, "scenes", 0, TS_CERTIFICATE_SCENES_MOST);
    json_array_foreach(scenes, i, item)
    {
        struct ts_json_in inner = {item, "certificate", in->why, in->err};
        read_scene(&inner, &out->scenes[out->scene_count++]);
        ts_json_in_leave(in, &inner);
    }
}

int ts_certificate_parse(const char *text, size_t size, struct ts_certificate *out,
                         struct ts_why *why)
{
    char verdict[8];
    json_t *root;
    *out = (struct ts_certificate){0};
    const int err = ts_json_in_parse(text, size, "certificate", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "certificate", why, TS_OK};
    ts_json_in_text(&in, "certificate", verdict, sizeof verdict);
    out->passed = strcmp(verdict, "passed") == 0;
    out->date_s = ts_json_in_integer(&in, "date_s", 0, INT64_MAX);
    ts_json_in_text(&in, "who", out->who, sizeof out->who);
#define READ(member)                                                                               \
    ts_json_in_text(&in, #member, out->identity.member, sizeof out->identity.member);
    IDENTITY(READ)
#undef READ
    ts_json_in_text(&in, "touchstone", out->touchstone, sizeof out->touchstone);
    ts_json_in_text(&in, "detector", out->detector, sizeof out->detector);
    out->seed = ts_json_in_seed(&in, "seed");
    out->refresh_hz = ts_json_in_number(&in, "refresh_hz");
    out->response_ms = ts_json_in_number(&in, "response_ms");
    out->plate_taps = (int)ts_json_in_integer(&in, "plate_taps", 0, INT32_MAX);
    out->camera_edges = (int)ts_json_in_integer(&in, "camera_edges", 0, INT32_MAX);
    out->usable = (int)ts_json_in_integer(&in, "usable", 0, INT32_MAX);
    out->usable_least = (int)ts_json_in_integer(&in, "usable_least", 0, INT32_MAX);
    read_lists(&in, out);
    json_decref(root);
    if (in.err)
        return in.err;
    if (!checksum_fits(text, size))
        return ts_fail(why, TS_EPROTO,
                       "the checksum does not fit: the certificate is damaged or was edited; run "
                       "`touchstone verify` again");
    return TS_OK;
}

static int name_attached(const char *session_dir, struct ts_path *path, struct ts_why *why)
{
    return ts_path_format(path, why, "%s/checks/certificate.json", session_dir);
}

static int name_file(const char *rig_dir, struct ts_path *path, struct ts_why *why)
{
    return ts_path_format(path, why, "%s/verify/certificate.json", rig_dir);
}

static int load(const struct ts_path *path, struct ts_certificate *out, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = ts_file_read(path->text, FILE_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_certificate_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    ts_buf_free(&bytes);
    return err ? ts_fail(why, err, "%s: %s", path->text, what.text) : TS_OK;
}

int ts_certificate_load(const char *rig_dir, struct ts_certificate *out, struct ts_why *why)
{
    struct ts_path path;
    const int err = name_file(rig_dir, &path, why);
    if (!err && !ts_file_exists(path.text))
        return ts_fail(why, TS_EOF,
                       "%s: has no certificate; `touchstone verify --rig %s` makes one", rig_dir,
                       rig_dir);
    return err ? err : load(&path, out, why);
}

int ts_certificate_load_attached(const char *session_dir, struct ts_certificate *out,
                                 struct ts_why *why)
{
    struct ts_path path;
    const int err = name_attached(session_dir, &path, why);
    if (!err && !ts_file_exists(path.text))
        return ts_fail(why, TS_EOF, "%s: no certificate is attached to it", session_dir);
    return err ? err : load(&path, out, why);
}

int ts_certificate_attach(const char *rig_dir, const char *session_dir, struct ts_why *why)
{
    struct ts_path from, to;
    struct ts_buf bytes = {0};
    int err = name_file(rig_dir, &from, why);
    if (!err)
        err = name_attached(session_dir, &to, why);
    if (!err)
        err = ts_file_read(from.text, FILE_MOST, &bytes, why);
    if (err)
        return err;
    bytes.size--; /* the NUL */
    err = ts_file_write(to.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_certificate_save(const char *rig_dir, const struct ts_certificate *certificate,
                        struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = name_file(rig_dir, &path, why);
    if (!err && ts_certificate_print(certificate, &bytes))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}
