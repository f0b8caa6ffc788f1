// SPDX-License-Identifier: GPL-3.0-or-later
package android.view;

public final class MotionEvent {
    private final int action;
    private final long down, time;

    public MotionEvent(int action, long down, long time) {
        this.action = action;
        this.down = down;
        this.time = time;
    }

    public int getActionMasked() {
        return action;
    }

    public long getDownTime() {
        return down;
    }

    public long getEventTime() {
        return time;
    }
}
