// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

/** Says what is started; org.missing has no activities. */
public class Context {
    public void startActivity(Intent intent) {
        if (intent.component != null && intent.component.name.startsWith("org.missing/"))
            throw new ActivityNotFoundException(intent.component.name);
        System.out.println(getClass().getSimpleName() + " starts " + intent);
    }

    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter,
            String permission, android.os.Handler handler) {
        System.out.println("hears " + filter.actions + " from " + permission);
        return null;
    }
}
