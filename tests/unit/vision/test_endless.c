/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes on for ever, told by when blocks moved, and by nothing else. */
#include "vision/belong.h"
#include "vision/endless.h"
#include "vision/rhythm.h"
#include "vision/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Beside a clock's second, a film that remembers only the latest of its moves: it does not say when
 * the clock began to. */
static void who_has_forgotten_keeps_no_time(void **state)
{
    (void)state;
    struct ts_moves moves[2] = {{.count = 10}, {.count = 40}};
    for (uint32_t i = 0; i < moves[0].count; i++)
        moves[0].ms[i] = 1000.0F * (float)(i + 1);
    for (uint32_t i = 24; i < moves[1].count; i++)
        moves[1].ms[i % TS_MOVES_KEPT] = 250.0F * (float)(i + 1);
    const uint8_t region[2] = {1, 1};
    const struct ts_track track = {
        .across = 2, .down = 1, .blocks = 2, .period_ms = 8, .moves = moves};
    const struct ts_rhythm_place place = {&track, region, 1, {0, 0, 1, 0}, 10100};
    struct ts_rhythm rhythm;
    assert_true(ts_rhythm_listen(&place, 3000, &rhythm));
    assert_int_equal(rhythm.agree, 1);
    assert_true(rhythm.since_ms < 3000);
    assert_true(ts_rhythm_usual(&rhythm) > 0); /* it rests in between */
}

static void record(struct ts_moves *moves, float ms)
{
    moves->ms[moves->count++ % TS_MOVES_KEPT] = ms;
}

enum { ACROSS = 64, DOWN = 32, BLOCKS = ACROSS * DOWN };

static struct {
    struct ts_moves moves[BLOCKS];
    float last_ms[BLOCKS], first_ms[BLOCKS], rest[BLOCKS], was[BLOCKS];
    uint8_t ignore[BLOCKS], endless[BLOCKS], scratch[4 * BLOCKS];
} seen;

static const struct ts_track seen_track = {.across = ACROSS,
                                           .down = DOWN,
                                           .blocks = BLOCKS,
                                           .period_ms = 8,
                                           .ignore = seen.ignore,
                                           .rest = seen.rest,
                                           .was = seen.was,
                                           .last_ms = seen.last_ms,
                                           .first_ms = seen.first_ms,
                                           .moves = seen.moves};

/* Nothing has moved, or gone on, so far. */
static void see_nothing(void)
{
    for (size_t block = 0; block < BLOCKS; block++) {
        seen.moves[block].count = 0;
        seen.last_ms[block] = -INFINITY;
        seen.first_ms[block] = INFINITY;
        seen.rest[block] = seen.was[block] = 25 * 120;
        seen.endless[block] = 0;
    }
}

static void see_move(size_t block, float ms)
{
    seen.first_ms[block] = fminf(seen.first_ms[block], ms);
    seen.last_ms[block] = ms;
    record(&seen.moves[block], ms);
}

/* Of a clock, the tens of its seconds (1), the ones (2), or nothing. */
static int digit_at(size_t block)
{
    const size_t x = block % ACROSS, y = block / ACROSS;
    return y < 10 || y > 15 || x < 20 || x > 27 ? 0 : x < 24 ? 1 : 2;
}

/* One block of the tens, noise on its new level, is seen to move once more. */
static void a_digit_is_one_thing(void **state)
{
    (void)state;
    see_nothing();
    for (size_t block = 0; block < BLOCKS; block++) {
        const int digit = digit_at(block);
        if (digit == 0)
            continue;
        seen.endless[block] = digit == 2;
        seen.was[block] = 25 * 200;
        see_move(block, 300);
        for (int second = 1; second <= 12; second++) {
            if (digit == 2 || second == 6)
                see_move(block, 1000.0F * (float)second);
        }
        if (block == 12 * ACROSS + 22)
            see_move(block, 6216);
    }
    ts_belong_add(&seen_track, 13000, seen.endless, seen.scratch);
    for (size_t block = 0; block < BLOCKS; block++)
        assert_true(seen.endless[block] || digit_at(block) == 0);
}

/* A scroll bar has come, moved and gone; noise moved some blocks of it in step with that: do they
 * make all of it go on? */
static size_t bar_goes_on(size_t noisy)
{
    enum { HIGH = 30 };
    see_nothing();
    for (size_t i = 0; i < HIGH; i++) {
        const size_t block = (1 + i) * ACROSS + 60;
        see_move(block, 36);
        see_move(block, 2172);
        if (i >= noisy)
            see_move(block, 2956);
        see_move(block, 4620);
        if (i < noisy)
            see_move(block, 7200);
    }
    return ts_endless_find(&seen_track, NULL, 1850, 8300, seen.endless, seen.scratch);
}

static void noise_in_a_scroll_bar_is_no_endless_one(void **state)
{
    (void)state;
    assert_in_range(bar_goes_on(1), 0, 10);    /* with those beside it */
    assert_in_range(bar_goes_on(10), 30, 120); /* it runs to and fro */
}

/* For 800 ms, and hidden for 400: whenever one looks. Until it is seen four times it may be what an
 * app does. */
static void a_caret_is_shown_for_longer_than_it_is_hidden(void **state)
{
    (void)state;
    enum { BLOCK = 12 * ACROSS + 4 };
    see_nothing();
    for (int turn = 1; turn <= 4; turn++) {
        see_move(BLOCK, 1200.0F * (float)turn - 400);
        if (turn < 4)
            assert_int_equal(ts_endless_find(&seen_track, NULL, 1000, 1200 * turn + 750,
                                             seen.endless, seen.scratch),
                             0);
        see_move(BLOCK, 1200.0F * (float)turn);
    }
    for (double end_ms = 4850; end_ms < 5600; end_ms += 50)
        assert_in_range(
            ts_endless_find(&seen_track, NULL, 1000, end_ms, seen.endless, seen.scratch), 1, 9);
    seen.moves[BLOCK].ms[5] += 150;
    assert_int_equal(ts_endless_find(&seen_track, NULL, 1000, 5550, seen.endless, seen.scratch), 0);
}

/* Each block of a faint spinner is seen to move now and then, some block nearly always, and three
 * at once only at one time in twenty. A word six blocks away that came at such a time, and has
 * stayed, is no part of it. */
static void a_word_comes_as_a_faint_spinner_moves(void **state)
{
    (void)state;
    enum { WORD = 20 * ACROSS + 5, SPINNER = 18 * ACROSS + 10, PARTS = 11, TURNS = 10 };
    see_nothing();
    for (size_t part = 0; part < PARTS; part++) {
        const size_t block = SPINNER + part % 4 + part / 4 * ACROSS;
        seen.endless[block] = 1;
        see_move(block, 1216);
        for (int turn = 0; turn < TURNS; turn++) {
            const bool at_once = part < 3 && turn % 4 == 0;
            see_move(block, 1720.0F + 620.0F * (float)turn + (at_once ? 0 : 57.0F * (float)part));
        }
    }
    see_move(WORD, 1208);
    see_move(WORD, 4200);
    seen.was[WORD] = seen.rest[WORD] + 25 * 7;
    ts_belong_add(&seen_track, 8007, seen.endless, seen.scratch);
    assert_true(seen.endless[SPINNER]);
    assert_false(seen.endless[WORD]);
}

/* Each second a timer's digit is drawn in another block or two, of which some change hardly
 * visibly; `off`: one comes so much later, and it is no timer. How many blocks go on. */
static size_t timer_goes_on(float off)
{
    enum { DIGIT = 20 * ACROSS + 40 };
    static const struct {
        size_t block;
        float ms;
    } seconds[] = {{0, 1400}, {1, 2366}, {ACROSS, 4346}, {ACROSS + 1, 4346}, {1, 7380}};
    see_nothing();
    for (size_t block = 0; block < BLOCKS; block++)
        see_move(block, 650); /* the launch */
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        see_move(DIGIT + seconds[i].block, seconds[i].ms + (i == 1 ? off : 0));
    const size_t count = ts_endless_find(&seen_track, NULL, 1850, 8100, seen.endless, seen.scratch);
    for (size_t block = 0; block < BLOCKS; block++)
        assert_true(!seen.endless[block] || seen.moves[block].count > 1);
    return count;
}

/* Its seconds are a little long, as an inexact timer's are. In the first of them nothing moves but
 * what goes on, so that is no launch; the launch may be a second before it, or just before. */
static void inexact_timer_goes_on(float launch_ms)
{
    enum { DIGIT = 20 * ACROSS + 40, CARET = 28 * ACROSS + 10 };
    static const struct {
        size_t block;
        int number;
    } seconds[] = {{0, 1}, {2, 2}, {ACROSS + 2, 4}, {ACROSS + 3, 5}, {2, 7}};
    see_nothing();
    for (size_t block = 0; block < BLOCKS; block++)
        see_move(block, launch_ms);
    for (int i = 0; i < 14; i++)
        see_move(CARET, (float)(1350 + 500 * i));
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        see_move(DIGIT + seconds[i].block, (float)(350 + 1050 * seconds[i].number));
    seen.endless[CARET] = 1;
    ts_ticks_add(&seen_track, NULL, 8000, seen.endless, seen.scratch);
    for (size_t block = 0; block < BLOCKS; block++)
        assert_int_equal(seen.endless[block], seen.moves[block].count > 1);
}

static void a_timer_need_not_be_exact(void **state)
{
    (void)state;
    inexact_timer_goes_on(350);
    inexact_timer_goes_on(800);
    inexact_timer_goes_on(1250);
}

static void a_timer_draws_each_second_elsewhere(void **state)
{
    (void)state;
    assert_int_equal(timer_goes_on(0), 4);
    assert_int_equal(timer_goes_on(150), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_forgotten_keeps_no_time),
        cmocka_unit_test(a_digit_is_one_thing),
        cmocka_unit_test(noise_in_a_scroll_bar_is_no_endless_one),
        cmocka_unit_test(a_caret_is_shown_for_longer_than_it_is_hidden),
        cmocka_unit_test(a_timer_draws_each_second_elsewhere),
        cmocka_unit_test(a_timer_need_not_be_exact),
        cmocka_unit_test(a_word_comes_as_a_faint_spinner_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
