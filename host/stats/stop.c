/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/stop.h"

#include "stats/interval.h"
#include "stats/order.h"
#include "stats/running.h"
#include "stats/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a rule is judged on. */
struct view {
    const double *values;
    size_t count;
    double minutes;
    double *work; /* [2 * count of all values] */
    int err;
};

/* A test's figure, NAN while there is none; it is met when the figure is there and passes. */
static double figure(const struct ts_stop_node *node, struct view *view)
{
    const double *values = view->values;
    switch (node->kind) {
    case TS_STOP_LAUNCHES:
        return (double)view->count;
    case TS_STOP_MINUTES:
        return view->minutes;
    case TS_STOP_VARIATION:
        return fabs(ts_variation(ts_moments_of(values, view->count)));
    case TS_STOP_WIDTH: {
        if (!view->count)
            return (double)NAN;
        memcpy(view->work, values, view->count * sizeof *values);
        ts_sort(view->work, view->count);
        const struct ts_interval interval = ts_median_interval(view->work, view->count);
        return ts_interval_reached(interval)
                   ? (interval.high - interval.low) / fabs(ts_median(view->work, view->count))
                   : (double)NAN;
    }
    case TS_STOP_STABLE: {
        /* The ranges of running median and quartile range, the greater of both. */
        const size_t last = (size_t)node->launches;
        double *medians = view->work, *iqrs = view->work + view->count;
        if (view->count < last + 1)
            return (double)NAN;
        view->err = ts_running_median(values, view->count, medians, iqrs);
        if (view->err)
            return (double)NAN;
        const double scale = fabs(medians[view->count - 1]);
        ts_sort(medians + view->count - last - 1, last + 1);
        ts_sort(iqrs + view->count - last - 1, last + 1);
        return fmax(medians[view->count - 1] - medians[view->count - last - 1],
                    iqrs[view->count - 1] - iqrs[view->count - last - 1]) /
               scale;
    }
    default:
        return (double)NAN;
    }
}

static bool passes(const struct ts_stop_node *node, double value)
{
    if (node->kind == TS_STOP_LAUNCHES)
        return value >= node->launches;
    return node->kind == TS_STOP_MINUTES ? value >= node->limit : value < node->limit;
}

static bool met(const struct ts_stop_rule *rule, int index, struct view *view)
{
    const struct ts_stop_node *node = &rule->nodes[index];
    switch (node->kind) {
    case TS_STOP_OR:
        return met(rule, node->left, view) || met(rule, node->right, view);
    case TS_STOP_AND:
        return met(rule, node->left, view) && met(rule, node->right, view);
    case TS_STOP_NOT:
        return !met(rule, node->left, view);
    case TS_STOP_LAST: {
        const size_t last = (size_t)node->launches;
        if (view->count < last)
            return false;
        struct view window = {view->values + view->count - last, last, view->minutes, view->work,
                              view->err};
        const bool found = met(rule, node->left, &window);
        view->err = window.err;
        return found;
    }
    default:
        return passes(node, figure(node, view));
    }
}

struct teller {
    const struct ts_stop_rule *rule;
    struct ts_stop_reason *reason;
    size_t used;
};

static void tell_test(struct teller *teller, int index, struct view *view, bool inside)
{
    char name[64];
    struct ts_stop_rule alone = {.count = 1};
    alone.nodes[0] = teller->rule->nodes[index];
    ts_stop_print(&alone, name, sizeof name);
    const bool whole =
        alone.nodes[0].kind == TS_STOP_LAUNCHES || alone.nodes[0].kind == TS_STOP_MINUTES;
    const double value = figure(&alone.nodes[0], view) * (whole ? 1 : 100);
    const size_t room = sizeof teller->reason->text - teller->used;
    char *to = teller->reason->text + teller->used;
    const int size = snprintf(to, room, "%s%s: %.*f%s%s", teller->used ? "; " : "", name,
                              alone.nodes[0].kind == TS_STOP_LAUNCHES ? 0 : 2, value,
                              whole ? "" : "%", inside ? " of the last" : "");
    teller->used += size < 0 ? 0 : (size_t)size < room ? (size_t)size : room - 1;
}

/* The tests because of which the node is what it is. */
static void tell(struct teller *teller, int index, struct view *view, bool inside)
{
    const struct ts_stop_node *node = &teller->rule->nodes[index];
    switch (node->kind) {
    case TS_STOP_OR:
    case TS_STOP_AND: {
        const bool found = met(teller->rule, index, view);
        const bool decisive = found == (node->kind == TS_STOP_OR);
        if (!decisive || met(teller->rule, node->left, view) == found)
            tell(teller, node->left, view, inside);
        if (!decisive || met(teller->rule, node->left, view) != found)
            tell(teller, node->right, view, inside);
        break;
    }
    case TS_STOP_NOT:
        tell(teller, node->left, view, inside);
        break;
    case TS_STOP_LAST: {
        const size_t last = (size_t)node->launches;
        struct view window = *view;
        if (view->count >= last) {
            window.values += view->count - last;
            window.count = last;
            tell(teller, node->left, &window, true);
        }
        break;
    }
    default:
        tell_test(teller, index, view, inside);
    }
}

int ts_stop_met(const struct ts_stop_rule *rule, const double *values, size_t count, double minutes,
                struct ts_stop_reason *reason)
{
    struct view view = {values, count, minutes, calloc(2 * count + 1, sizeof *values), TS_OK};
    if (!view.work)
        return TS_ENOMEM;
    const bool stop = rule->count > 0 && met(rule, rule->count - 1, &view);
    if (reason)
        reason->text[0] = '\0';
    if (stop && reason && !view.err)
        tell(&(struct teller){rule, reason, 0}, rule->count - 1, &view, false);
    free(view.work);
    return view.err ? view.err : stop;
}

/* Whether the node is sure to become (and stay) met, or sure to become not met. */
struct fate {
    bool met, unmet;
};

static struct fate fate_of(const struct ts_stop_rule *rule, int index, size_t most)
{
    const struct ts_stop_node *node = &rule->nodes[index];
    struct fate left, right;
    switch (node->kind) {
    case TS_STOP_OR:
    case TS_STOP_AND:
        left = fate_of(rule, node->left, most);
        right = fate_of(rule, node->right, most);
        return node->kind == TS_STOP_OR
                   ? (struct fate){left.met || right.met, left.unmet && right.unmet}
                   : (struct fate){left.met && right.met, left.unmet || right.unmet};
    case TS_STOP_NOT:
        left = fate_of(rule, node->left, most);
        return (struct fate){left.unmet, left.met};
    case TS_STOP_LAST:
        return fate_of(rule, node->left, (size_t)node->launches);
    case TS_STOP_LAUNCHES:
        return (struct fate){(size_t)node->launches <= most, (size_t)node->launches > most};
    case TS_STOP_MINUTES:
        return (struct fate){true, false};
    default:
        return (struct fate){false, false};
    }
}

bool ts_stop_ends(const struct ts_stop_rule *rule)
{
    return rule->count > 0 && fate_of(rule, rule->count - 1, (size_t)-1).met;
}
