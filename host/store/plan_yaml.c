/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/plan_yaml.h"

#include "model/plan.h"

#include <string.h>
#include <yaml.h>

#define KEYS_MAX 32
#define KEY_SIZE 32

struct scan {
    yaml_parser_t parser;
    yaml_event_t event; /* the one being looked at */
    bool (*known)(const char *key);
    struct ts_buf *bench;
    struct ts_why *why;
    char keys[KEYS_MAX][KEY_SIZE]; /* of the outermost mapping, seen so far */
    size_t key_count;
};

static int refuse(struct scan *scan, const char *what)
{
    return ts_fail(scan->why, TS_EPROTO, "line %zu: %s", scan->event.start_mark.line + 1, what);
}

static int advance(struct scan *scan)
{
    yaml_event_delete(&scan->event);
    if (!yaml_parser_parse(&scan->parser, &scan->event)) {
        const yaml_parser_t *parser = &scan->parser;
        if (parser->error == YAML_MEMORY_ERROR)
            return ts_fail(scan->why, TS_ENOMEM, "out of memory");
        return ts_fail(scan->why, TS_EPROTO, "line %zu: not YAML: %s",
                       parser->problem_mark.line + 1, parser->problem ? parser->problem : "?");
    }
    if (scan->event.type == YAML_ALIAS_EVENT)
        return refuse(scan, "an alias (*name); write the value out, a plan needs none");
    if (scan->event.type == YAML_SCALAR_EVENT &&
        memchr(scan->event.data.scalar.value, 0, scan->event.data.scalar.length))
        return refuse(scan, "a text with a zero byte");
    return TS_OK;
}

static const char *scalar(const struct scan *scan)
{
    return scan->event.type == YAML_SCALAR_EVENT ? (const char *)scan->event.data.scalar.value
                                                 : NULL;
}

/* Passes over the value that begins at the current event; the current event is then its last. */
static int skip_value(struct scan *scan)
{
    int depth = 0;
    for (;;) {
        const yaml_event_type_t type = scan->event.type;
        if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
            depth++;
        else if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT)
            depth--;
        if (!depth)
            return TS_OK;
        const int err = advance(scan);
        if (err)
            return err;
    }
}

/* The options stand as NAME=VALUE between commas later: a name ends at the first equal sign, a
 * value (v4l2:/dev/video0?size=320x240) at the next comma. */
static int add_option_text(struct scan *scan, const char *not_in_it)
{
    const char *text = scalar(scan);
    if (!text)
        return refuse(scan, "bench: must map names to plain values");
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < 0x20 || strchr(not_in_it, *at))
            return refuse(scan, "bench: its names hold no comma and no equal sign, its values no "
                                "comma");
    }
    return ts_buf_append(scan->bench, text, strlen(text));
}

static int read_bench(struct scan *scan)
{
    const char *nothing = scalar(scan);
    if (nothing && (!*nothing || strcmp(nothing, "null") == 0 || strcmp(nothing, "~") == 0))
        return TS_OK;
    if (scan->event.type != YAML_MAPPING_START_EVENT)
        return refuse(scan, "bench: must be a mapping of names to values");
    for (;;) {
        int err = advance(scan);
        if (err)
            return err;
        if (scan->event.type == YAML_MAPPING_END_EVENT)
            return TS_OK;
        if (scan->bench->size)
            err = ts_buf_append(scan->bench, ",", 1);
        if (!err)
            err = add_option_text(scan, ",=");
        if (!err)
            err = ts_buf_append(scan->bench, "=", 1);
        if (!err)
            err = advance(scan);
        if (!err)
            err = add_option_text(scan, ",");
        if (err)
            return err;
    }
}

/* The last of two equal keys would win in silence. */
static int note_key(struct scan *scan)
{
    const char *key = scalar(scan);
    if (!key)
        return refuse(scan, "a key must be plain text");
    if (!scan->known(key) || strlen(key) >= KEY_SIZE || scan->key_count == KEYS_MAX)
        return ts_fail(scan->why, TS_EPROTO, "line %zu: a plan has no key \"%.60s\"",
                       scan->event.start_mark.line + 1, key);
    for (size_t i = 0; i < scan->key_count; i++) {
        if (strcmp(scan->keys[i], key) == 0)
            return ts_fail(scan->why, TS_EPROTO, "line %zu: key \"%s\" is given twice",
                           scan->event.start_mark.line + 1, key);
    }
    memcpy(scan->keys[scan->key_count++], key, strlen(key) + 1);
    return TS_OK;
}

/* Here, where the line is known. */
static int check_stop(struct scan *scan)
{
    struct ts_why why;
    if (!scalar(scan))
        return refuse(scan, "stop: must be a text, as \"launches(20) and width(median) < 5%\"");
    return ts_plan_check_stop(scalar(scan), &why) ? refuse(scan, why.text) : TS_OK;
}

static int read_top(struct scan *scan)
{
    for (;;) {
        int err = advance(scan);
        if (err || scan->event.type == YAML_MAPPING_END_EVENT)
            return err;
        err = note_key(scan);
        if (err)
            return err;
        const bool is_bench = strcmp(scalar(scan), "bench") == 0;
        const bool is_stop = strcmp(scalar(scan), "stop") == 0;
        err = advance(scan);
        if (!err && is_stop)
            err = check_stop(scan);
        if (!err)
            err = is_bench ? read_bench(scan) : skip_value(scan);
        if (err)
            return err;
    }
}

static int read_document(struct scan *scan)
{
    int err = advance(scan);
    while (!err && (scan->event.type == YAML_STREAM_START_EVENT ||
                    scan->event.type == YAML_DOCUMENT_START_EVENT))
        err = advance(scan);
    if (err)
        return err;
    if (scan->event.type != YAML_MAPPING_START_EVENT)
        return refuse(scan, "a plan is a mapping of keys to values");
    err = read_top(scan);
    if (!err)
        err = advance(scan); /* end of the document */
    if (!err)
        err = advance(scan);
    if (!err && scan->event.type != YAML_STREAM_END_EVENT)
        return refuse(scan, "a plan is one YAML document");
    return err;
}

int ts_plan_yaml_scan(const char *yaml, size_t size, bool (*known)(const char *key),
                      struct ts_buf *bench, struct ts_why *why)
{
    struct scan scan = {.known = known, .bench = bench, .why = why};
    if (!yaml_parser_initialize(&scan.parser))
        return ts_fail(why, TS_ENOMEM, "out of memory");
    yaml_parser_set_input_string(&scan.parser, (const unsigned char *)yaml, size);
    int err = read_document(&scan);
    yaml_event_delete(&scan.event);
    yaml_parser_delete(&scan.parser);
    if (!err)
        err = ts_buf_append(bench, "", 1);
    return err;
}
