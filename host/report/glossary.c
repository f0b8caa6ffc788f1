/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the page, for those who meet them here first. */
#include "report/page.h"

static const struct {
    const char *term, *meaning;
} words[] = {
    {"Lift", "The last instant at which the stylus presses on the glass. Every time counts from "
             "here."},
    {"First change",
     "The first thing on the screen that gets visibly different (by 2\u00a0% of full "
     "scale), taken at half of what it does in the 50\u00a0ms before and after: "
     "half of a sudden change, the begin of a slow fade."},
    {"Settled", "From here on the screen stays within 2\u00a0% of its final look, apart from parts "
                "that never rest, such as a spinner, a video or a blinking caret. This is the "
                "launch time."},
    {"Splash, first app frame, main content",
     "A window that covers most of the screen and is replaced by another one later; the one that "
     "replaces it, or the first that covers most of the screen; and the change that brings the "
     "largest step towards the final look. Each is taken where it has fully come."},
    {"85\u00a0% complete, speed index",
     "Visual progress is 0 for the picture before the tap and 1 for the final one, in between by "
     "how far each place still is from its final look. 85\u00a0% complete: it passes 0.85 for "
     "good. Speed index: the area above its curve until settled, in ms, after WebPageTest\u2019s; "
     "lower is better, and a splash that looks like neither picture makes it larger than settled."},
    {"Time to initial display",
     "Android\u2019s own number: from its receiving the start to the first frame of the app. It "
     "begins after the lift (with time zero where nobody taps) and does not wait for content that "
     "comes later, so it is expected to "
     "be shorter. Some apps also report a time to full display."},
    {"95\u00a0% sure", "The range holds the median of such launches with a probability of at least "
                       "95\u00a0%. It follows from the order of the launches alone and supposes no "
                       "distribution. It takes 6 launches; with fewer the smallest and the largest "
                       "are shown, marked *."},
    {"Standard uncertainty, u", "How far a single number may be off because of the instrument: "
                                "twice u to either side covers about 95\u00a0%. How much launches "
                                "differ from each other is not in it."},
    {"Literal rule",
     "An older rule for the same frames, shown for comparison: the launch ends with "
     "the last frame in which a square of 5\u00d75 pixels changes by more than a "
     "tenth of full scale. It does not see slow fades; where no frame changes that "
     "much, it has no number."},
    {"Counts", "A launch counts when nothing disqualifies it, nobody excluded it and it is no "
               "warm-up. All others are kept in the session."},
};

void ts_section_glossary(const struct ts_page *page, struct ts_out *out)
{
    (void)page;
    ts_out_put(out, "<section>\n<h2>What the words mean</h2>\n<dl class=\"words\">\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ts_out_printf(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", words[i].term, words[i].meaning);
    ts_out_put(out, "</dl>\n</section>\n");
}
