// SPDX-License-Identifier: GPL-3.0-or-later
package android.graphics;

public class Paint {
    int color;

    public void setAntiAlias(boolean on) {}

    public void setColor(int argb) {
        color = argb;
    }
}
