// SPDX-License-Identifier: GPL-3.0-or-later
package android.util;

public final class Log {
    public static boolean quiet;

    private static int write(String line) {
        if (!quiet)
            System.out.println(line);
        return 0;
    }

    public static int i(String tag, String message) {
        return write("I " + tag + ": " + message);
    }

    public static int w(String tag, String message) {
        return write("W " + tag + ": " + message);
    }
}
