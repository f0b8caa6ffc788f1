// SPDX-License-Identifier: GPL-3.0-or-later
package android.view;

import java.util.ArrayList;
import java.util.List;

public final class Choreographer {
    public interface FrameCallback {
        void doFrame(long frameTimeNanos);
    }

    private static final Choreographer ONE = new Choreographer();
    private List<FrameCallback> posted = new ArrayList<>();

    public static Choreographer getInstance() {
        return ONE;
    }

    public void postFrameCallback(FrameCallback callback) {
        posted.add(callback);
    }

    public void removeFrameCallback(FrameCallback callback) {
        posted.removeIf(other -> other == callback);
    }

    /** A display frame; how many wanted it. */
    public int frame(long ns) {
        List<FrameCallback> now = posted;
        posted = new ArrayList<>();
        now.forEach(callback -> callback.doFrame(ns));
        return now.size();
    }
}
