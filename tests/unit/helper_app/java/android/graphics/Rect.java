// SPDX-License-Identifier: GPL-3.0-or-later
package android.graphics;

public final class Rect {
    public int left, top, right, bottom;

    @Override
    public String toString() {
        return "[" + left + "," + top + "][" + right + "," + bottom + "]";
    }
}
