// SPDX-License-Identifier: GPL-3.0-or-later
package android.app;

public class Application extends android.content.Context {
    public void onCreate() {}
}
