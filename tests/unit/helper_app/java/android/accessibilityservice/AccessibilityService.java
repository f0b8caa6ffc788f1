// SPDX-License-Identifier: GPL-3.0-or-later
package android.accessibilityservice;

import android.view.accessibility.AccessibilityEvent;

public abstract class AccessibilityService extends android.content.Context {
    public abstract void onInterrupt();

    public abstract void onAccessibilityEvent(AccessibilityEvent event);
}
