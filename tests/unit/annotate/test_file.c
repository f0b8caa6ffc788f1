/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/annotations_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
    char folder[64], film[128], annotations[160];
};

static void make(struct place *place)
{
    snprintf(place->folder, sizeof place->folder, "/tmp/touchstone-marks-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->film, sizeof place->film, "%s/film.mkv", place->folder);
    snprintf(place->annotations, sizeof place->annotations, "%s.annotations.json", place->film);
    FILE *file = fopen(place->film, "wb");
    assert_non_null(file);
    fclose(file);
}

static void clear(const struct place *place)
{
    unlink(place->annotations);
    assert_int_equal(unlink(place->film), 0);
    assert_int_equal(rmdir(place->folder), 0); /* nothing else was left there */
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static struct ts_annotation marks(const char *by, int first, int settled)
{
    struct ts_annotation one = {.marks = {first, settled, false, "a \"note\""},
                                .first_change_ms = first * 8.25,
                                .settled_ms = settled < 0 ? (double)NAN : settled * 8.25,
                                .zero = "lift",
                                .latency_ms = (double)NAN,
                                .exposure_ms = (double)NAN,
                                .readout_ms = (double)NAN,
                                .frames = 100};
    snprintf(one.by, sizeof one.by, "%s", by);
    snprintf(one.when, sizeof one.when, "2026-03-01T09:30:%02uZ", (unsigned)first % 60);
    return one;
}

static void add(const struct place *place, const struct ts_annotation *one)
{
    struct ts_why why = {""};
    if (ts_annotations_add(place->annotations, place->film, one, "1", &why))
        fail_msg("%s", why.text);
}

static void two_people_stand_side_by_side_and_history_is_kept(void **state)
{
    struct place place;
    struct ts_annotations all;
    const struct ts_annotation ada = marks("Ada", 10, 40), grace = marks("Grace", 11, 42),
                               later = marks("Ada", 12, -1);
    (void)state;
    make(&place);
    assert_int_equal(ts_annotations_load(place.annotations, &all, NULL), TS_OK);
    assert_int_equal(all.count, 0);
    add(&place, &ada);
    add(&place, &grace);
    add(&place, &later);
    assert_int_equal(ts_annotations_load(place.annotations, &all, NULL), TS_OK);
    assert_int_equal(all.count, 3);
    const struct ts_annotation *now = ts_annotations_by(&all, "Ada");
    assert_int_equal(now->marks.first_change_frame, 12);
    assert_int_equal(now->marks.settled_frame, -1);
    assert_true(isnan(now->settled_ms));
    assert_string_equal(all.items[0].superseded, later.when);
    assert_string_equal(all.items[0].marks.note, "a \"note\"");
    assert_true(fabs(all.items[0].settled_ms - 330) < 1e-9);
    assert_string_equal(all.items[1].superseded, "");
    assert_int_equal(ts_annotations_by(&all, "Grace")->marks.settled_frame, 42);
    assert_null(ts_annotations_by(&all, "Edsger"));
    ts_annotations_free(&all);
    clear(&place);
}

static void members_of_later_versions_survive(void **state)
{
    struct place place;
    const struct ts_annotation one = marks("Grace", 3, 4);
    char text[8192];
    (void)state;
    make(&place);
    write_text(place.annotations,
               "[{\"by\":\"Ada\",\"when\":\"x\",\"zero\":\"lift\",\"frames\":5,\"cannot_tell\":"
               "false,\"note\":\"\",\"mood\":\"fine\"}]");
    add(&place, &one);
    read_text(place.annotations, text, sizeof text);
    assert_non_null(strstr(text, "\"mood\": \"fine\""));
    assert_non_null(strstr(text, "Grace"));
    clear(&place);
}

static void a_damaged_file_is_refused_and_never_written_over(void **state)
{
    static const char *const damaged[] = {
        "",
        "[",
        "{}",
        "[1]",
        "[{\"by\":\"Ada\"}]",
        "[{\"by\":\"\",\"when\":\"x\",\"zero\":\"lift\",\"frames\":5,\"cannot_tell\":false,"
        "\"note\":\"\"}]",
        "[{\"by\":\"Ada\",\"when\":\"x\",\"zero\":\"lift\",\"frames\":-5,\"cannot_tell\":false,"
        "\"note\":\"\"}]",
        "[{\"by\":\"Ada\",\"by\":\"Ada\"}]",
        "[{\"by\":\"Ada\",\"when\":\"x\",\"zero\":\"lift\",\"frames\":5,\"cannot_tell\":false,"
        "\"note\":\"\",\"settled_frame\":\"many\"}]",
    };
    const struct ts_annotation one = marks("Ada", 1, 2);
    (void)state;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct place place;
        struct ts_annotations all;
        struct ts_why why = {""};
        char text[1024];
        make(&place);
        write_text(place.annotations, damaged[i]);
        assert_int_equal(ts_annotations_load(place.annotations, &all, &why), TS_EPROTO);
        assert_non_null(strstr(why.text, "film.mkv.annotations.json"));
        assert_int_equal(ts_annotations_add(place.annotations, place.film, &one, "1", &why),
                         TS_EPROTO);
        read_text(place.annotations, text, sizeof text);
        assert_string_equal(text, damaged[i]);
        clear(&place);
    }
}

/* Each process adds as a person of its own, all at once; nobody's marks get lost. */
static void several_programs_at_once_lose_nothing(void **state)
{
    enum { PEOPLE = 8, TIMES = 4 };
    struct place place;
    struct ts_annotations all;
    (void)state;
    make(&place);
    for (int person = 0; person < PEOPLE; person++) {
        if (fork() != 0)
            continue;
        int failed = 0;
        for (int i = 0; i < TIMES; i++) {
            char by[16];
            snprintf(by, sizeof by, "person %d", person);
            const struct ts_annotation one = marks(by, 1 + i, 50);
            failed |= ts_annotations_add(place.annotations, place.film, &one, "1", NULL);
        }
        _exit(failed ? 1 : 0);
    }
    for (int person = 0; person < PEOPLE; person++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(ts_annotations_load(place.annotations, &all, NULL), TS_OK);
    assert_int_equal(all.count, PEOPLE * TIMES);
    size_t counting = 0;
    for (size_t i = 0; i < all.count; i++)
        counting += !*all.items[i].superseded;
    assert_int_equal(counting, PEOPLE);
    ts_annotations_free(&all);
    clear(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_people_stand_side_by_side_and_history_is_kept),
        cmocka_unit_test(members_of_later_versions_survive),
        cmocka_unit_test(a_damaged_file_is_refused_and_never_written_over),
        cmocka_unit_test(several_programs_at_once_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
