// SPDX-License-Identifier: GPL-3.0-or-later
package android.view.accessibility;

/** Reading what an event says is not possible here: the recorder must not try. */
public final class AccessibilityEvent {
    private final int type;
    private final long time;
    private final CharSequence packageName, className;

    public AccessibilityEvent(int type, long time, CharSequence packageName,
            CharSequence className) {
        this.type = type;
        this.time = time;
        this.packageName = packageName;
        this.className = className;
    }

    public static String eventTypeToString(int type) {
        switch (type) {
        case 1:
            return "TYPE_VIEW_CLICKED";
        case 32:
            return "TYPE_WINDOW_STATE_CHANGED";
        default:
            return "TYPE_WINDOW_CONTENT_CHANGED";
        }
    }

    public int getEventType() {
        return type;
    }

    public long getEventTime() {
        return time;
    }

    public CharSequence getPackageName() {
        return packageName;
    }

    public CharSequence getClassName() {
        return className;
    }
}
