// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

import java.util.ArrayList;
import java.util.List;

public class IntentFilter {
    final List<String> actions = new ArrayList<>();

    public final void addAction(String action) {
        actions.add(action);
    }
}
