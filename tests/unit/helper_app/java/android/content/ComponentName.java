// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

public final class ComponentName {
    public final String name; // pkg/pkg.Class

    private ComponentName(String name) {
        this.name = name;
    }

    public static ComponentName unflattenFromString(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || slash + 1 >= text.length())
            return null;
        String start = text.charAt(slash + 1) == '.' ? text.substring(0, slash) : "";
        return new ComponentName(
                text.substring(0, slash + 1) + start + text.substring(slash + 1));
    }
}
