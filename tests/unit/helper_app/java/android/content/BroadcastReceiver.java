// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

public abstract class BroadcastReceiver {
    public boolean aborted;

    public abstract void onReceive(Context context, Intent intent);

    public final boolean isOrderedBroadcast() {
        return true;
    }

    public final void abortBroadcast() {
        aborted = true;
    }
}
