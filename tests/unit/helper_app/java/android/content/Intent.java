// SPDX-License-Identifier: GPL-3.0-or-later
package android.content;

import android.graphics.Rect;
import java.util.Map;
import java.util.TreeMap;

public class Intent {
    final String action;
    String category;
    ComponentName component;
    int flags;
    Rect bounds;
    private final Map<String, Object> extras = new TreeMap<>();

    public Intent(String action) {
        this.action = action;
    }

    public Intent put(String name, Object value) {
        extras.put(name, value);
        return this;
    }

    public String getAction() {
        return action;
    }

    public String getStringExtra(String name) {
        return (String) extras.get(name);
    }

    public int getIntExtra(String name, int otherwise) {
        return (Integer) extras.getOrDefault(name, otherwise);
    }

    public long getLongExtra(String name, long otherwise) {
        return (Long) extras.getOrDefault(name, otherwise);
    }

    public Intent addCategory(String name) {
        category = name;
        return this;
    }

    public Intent setComponent(ComponentName name) {
        component = name;
        return this;
    }

    public Intent addFlags(int more) {
        flags |= more;
        return this;
    }

    public void setSourceBounds(Rect rect) {
        bounds = rect;
    }

    @Override
    public String toString() {
        return String.format("act=%s cat=%s flg=0x%x cmp=%s%s", action, category, flags,
                component.name, bounds == null ? "" : " bnds=" + bounds);
    }
}
