// SPDX-License-Identifier: GPL-3.0-or-later
package android.view;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Rect;

public class View {
    public interface OnClickListener {
        void onClick(View view);
    }

    private final Context context;
    private OnClickListener listener;
    private Canvas canvas = new Canvas(50, 100);
    public int background, bars;
    public boolean invalid = true, screenOn, focusable = true, sound = true;

    public View(Context context) {
        this.context = context;
    }

    /** What it shows now; the same canvas each time, as nothing is to shine through. */
    public final byte[] show() {
        if (invalid)
            onDraw(canvas);
        invalid = false;
        return canvas.grey;
    }

    /** A tap: the digitizer's two events. */
    public final void tap(long down, long up) {
        onTouchEvent(new MotionEvent(0, down, down));
        onTouchEvent(new MotionEvent(1, down, up));
    }

    protected void onDraw(Canvas on) {}

    public void onWindowFocusChanged(boolean focused) {}

    public boolean onTouchEvent(MotionEvent event) {
        if (event.getActionMasked() == 1 && listener != null)
            listener.onClick(this);
        return listener != null;
    }

    public void setOnClickListener(OnClickListener to) {
        listener = to;
    }

    public boolean isClickable() {
        return listener != null;
    }

    public void invalidate() {
        invalid = true;
    }

    public final Context getContext() {
        return context;
    }

    public final int getWidth() {
        return canvas.width;
    }

    public final int getHeight() {
        return canvas.height;
    }

    public final boolean getGlobalVisibleRect(Rect into) {
        into.right = canvas.width;
        into.bottom = canvas.height;
        return true;
    }

    public void setBackgroundColor(int argb) {
        background = argb;
    }

    public void setSystemUiVisibility(int hidden) {
        bars = hidden;
    }

    public void setKeepScreenOn(boolean on) {
        screenOn = on;
    }

    public void setFocusable(boolean on) {
        focusable = on;
    }

    public void setSoundEffectsEnabled(boolean on) {
        sound = on;
    }
}
