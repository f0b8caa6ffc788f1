/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"

#include "base/rng.h"
#include "sample.h"
#include "store/session.h"

#include <stdio.h>
#include <stdlib.h>

#define WIDTH       320
#define HEIGHT      240
#define APPS_MOST   64
#define LIFT_FRAME  4
#define SHOWN_FRAME (LIFT_FRAME + 30)
#define PERIOD_NS   8000000

static const struct ts_camera_geometry camera = {WIDTH, HEIGHT, WIDTH / TS_BLOCK_PX,
                                                 HEIGHT / TS_BLOCK_PX, PERIOD_NS};

/* One picture, and its block sums. */
struct picture {
    struct ts_frame frame;
    uint8_t pixels[WIDTH * HEIGHT];
    uint16_t blocks[WIDTH / TS_BLOCK_PX * HEIGHT / TS_BLOCK_PX];
};

static void must(int err, const struct ts_why *why)
{
    if (!err)
        return;
    fprintf(stderr, "a session cannot be made: %s %s\n", ts_err_text(err), why->text);
    exit(1);
}

static void hold(struct ts_frame *frame)
{
    (void)frame;
}

static const struct ts_frame_ops ops = {hold, hold};

/* The same pictures serve every video. */
static struct picture *paint(int frames, struct ts_rng *rng)
{
    struct picture *pictures = calloc((size_t)frames + 1, sizeof *pictures);
    for (int n = 0; pictures && n < frames; n++) {
        struct picture *one = &pictures[n];
        for (int at = 0; at < WIDTH * HEIGHT; at++) {
            const int x = at % WIDTH, stripe = x / 20 % 2 ? 190 : 60;
            const int block = at / WIDTH / TS_BLOCK_PX * camera.blocks_x + x / TS_BLOCK_PX;
            one->pixels[at] = (uint8_t)((n < SHOWN_FRAME ? 90 : stripe) + ts_rng_uniform(rng) * 8);
            one->blocks[block] = (uint16_t)(one->blocks[block] + one->pixels[at]);
        }
        one->frame = (struct ts_frame){
            .ops = &ops,
            .sequence = (uint32_t)n + 1,
            .arrival = {SAMPLE_LIFT_NS + (int64_t)(n - LIFT_FRAME) * PERIOD_NS},
            .pixels = one->pixels,
            .blocks = one->blocks,
        };
    }
    return pictures;
}

static void film(struct ts_session_writer *session, struct picture *pictures, int frames,
                 struct ts_why *why)
{
    for (int n = 0; n < frames; n++) {
        const struct ts_item item = {.sequence = (uint64_t)n + 1,
                                     .arrival = pictures[n].frame.arrival,
                                     .kind = TS_ITEM_FRAME,
                                     .u.frame = &pictures[n].frame};
        must(ts_session_item(session, &item), why);
    }
}

void session_write(const char *dir, const struct session_shape *shape)
{
    static char names[APPS_MOST][32], components[APPS_MOST][48];
    struct ts_plan_app apps[APPS_MOST];
    const struct ts_session_info info = {
        .seed = 3, .bench = "sim", .touchstone = "0", .detector = "1", .camera = camera};
    struct ts_plan plan;
    struct ts_session_writer *session;
    struct ts_why why = {""};
    struct ts_rng rng;
    char phone[] = "auto", name[] = "made up";
    ts_rng_seed(&rng, 5, 1);
    ts_plan_defaults(&plan);
    for (int i = 0; i < shape->apps; i++) {
        snprintf(names[i], sizeof names[i], "App %d", i + 1);
        snprintf(components[i], sizeof components[i], "com.example.app%d/.Main", i + 1);
        apps[i] = (struct ts_plan_app){.name = names[i], .component = components[i]};
    }
    plan.name = name;
    plan.phone = phone;
    plan.apps = apps;
    plan.app_count = (size_t)shape->apps;
    plan.launches = shape->launches;
    struct picture *pictures = paint(shape->frames, &rng);
    must(pictures ? TS_OK : TS_ENOMEM, &why);
    must(ts_session_create(dir, &info, &plan, "", &session, &why), &why);
    for (int n = 0; n < shape->apps * shape->launches; n++) {
        const int app = n % shape->apps;
        const bool filmed = n / shape->apps < shape->filmed;
        const double settled = 240 + 5 * app + 4 * ts_rng_normal(&rng);
        const struct ts_result result =
            sample_result(names[app], n + 1, settled, settled * 0.8 + 2 * ts_rng_normal(&rng));
        const struct ts_evidence_intent intent = {.launch = n + 1};
        must(ts_session_begin(session, n + 1, filmed, &why), &why);
        if (filmed)
            film(session, pictures, shape->frames, &why);
        must(ts_session_intent(session, &intent), &why);
        must(ts_session_finish_launch(session, &result, filmed, &why), &why);
    }
    ts_session_close(session);
    free(pictures);
}
