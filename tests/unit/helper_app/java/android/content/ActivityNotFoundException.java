// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

public class ActivityNotFoundException extends RuntimeException {
    public ActivityNotFoundException(String name) {
        super("Unable to find explicit activity class {" + name + "}");
    }
}
