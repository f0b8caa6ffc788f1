// SPDX-License-Identifier: GPL-3.0-or-later
package android.app;

import android.content.Intent;
import android.os.Bundle;
import android.view.View;

public class Activity extends android.content.Context {
    private Intent intent;
    public View content;
    public boolean finished;

    /** As Android does it for a new activity. */
    public void create(Intent by) {
        intent = by;
        onCreate(null);
        content.onWindowFocusChanged(true);
    }

    /** And for one that is there. */
    public void bring(Intent by) {
        onNewIntent(by);
    }

    protected void onCreate(Bundle state) {}

    protected void onNewIntent(Intent by) {}

    public Intent getIntent() {
        return intent;
    }

    public void setContentView(View view) {
        content = view;
    }

    public void finish() {
        finished = true;
    }
}
