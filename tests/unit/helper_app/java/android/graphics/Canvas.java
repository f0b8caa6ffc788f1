// SPDX-License-Identifier: GPL-3.0-or-later
package android.graphics;

/** Greys only; a pixel is drawn when its centre is inside, as without smoothing. */
public class Canvas {
    public final int width, height;
    public final byte[] grey;

    public Canvas(int width, int height) {
        this.width = width;
        this.height = height;
        grey = new byte[width * height];
    }

    public void drawRect(float left, float top, float right, float bottom, Paint paint) {
        int code = paint.color & 255;
        if (paint.color != (0xff000000 | code * 0x010101))
            throw new IllegalStateException("not a grey: " + Integer.toHexString(paint.color));
        for (int y = Math.max(0, after(top)); y < Math.min(height, after(bottom)); y++)
            for (int x = Math.max(0, after(left)); x < Math.min(width, after(right)); x++)
                grey[y * width + x] = (byte) code;
    }

    private static int after(float edge) {
        return (int) Math.ceil(edge - 0.5f);
    }
}
