// SPDX-License-Identifier: GPL-3.0-or-later
import android.content.BroadcastReceiver;
import android.content.Intent;
import android.util.Log;
import android.view.Choreographer;
import android.view.View;
import android.view.accessibility.AccessibilityEvent;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.touchstone.helper.Button;
import org.touchstone.helper.Course;
import org.touchstone.helper.Draws;
import org.touchstone.helper.Flash;
import org.touchstone.helper.Helper;
import org.touchstone.helper.Orders;
import org.touchstone.helper.Recorder;
import org.touchstone.helper.Scene;

/** Plays Android's part towards the helper app. What comes out is judged by the C tests. */
public final class Drive {
    private static final String MAIL = "org.example.mail/.InboxActivity";
    private static final int FRAMES = 300;
    private static final long PERIOD_NS = 16_666_667L, FIRST_NS = 1_000_000_000L;

    private static void send(String action, String component) {
        BroadcastReceiver orders = new Orders();
        Intent intent = new Intent("org.touchstone.helper." + action);
        orders.onReceive(new android.app.Activity(), intent.put("component", component));
        System.out.println(action + (orders.aborted ? " taken" : " passed on"));
    }

    private static void button() {
        new Helper().onCreate();
        Button button = new Button();
        button.create(new Intent(null));
        View pad = button.content;
        System.out.printf("background %x bars %x screen on %b focusable %b sound %b%n",
                pad.background, pad.bars, pad.screenOn, pad.focusable, pad.sound);
        pad.tap(100, 200);
        send("NEXT", MAIL);
        button.bring(new Intent(null));
        pad.invalid = false;
        pad.tap(1320, 1400);
        System.out.println("redrawn " + pad.invalid);
        pad.tap(2000, 2100);
        button.bring(new Intent(null).put("component", "org.a/org.b.C"));
        pad.tap(3000, 3100);
        send("NEXT", "org.missing/.Gone");
        pad.tap(4000, 4100);
        send("NEXT", "nonsense");
        pad.tap(5000, 5100);
        send("NEXT", null);
        send("FINISH", MAIL);
        send("FINISH", "org.missing/.Gone");
    }

    private static void flash() {
        Flash flash = new Flash();
        flash.create(new Intent(null).put("level", 0));
        System.out.printf("%x%n", flash.content.background);
        for (int level : new int[] {255, 96, -1, 256}) {
            flash.bring(new Intent(null).put("level", level));
            System.out.printf("%x%n", flash.content.background);
        }
        flash.bring(new Intent(null));
        System.out.printf("%x%n", flash.content.background);
        flash.content.tap(10, 20);
    }

    private static void events() {
        Recorder recorder = new Recorder();
        recorder.onAccessibilityEvent(
                new AccessibilityEvent(1, 387545686L, "org.example.mail", "android.widget.Button"));
        recorder.onAccessibilityEvent(new AccessibilityEvent(32, 387545700L, "org.example.mail",
                "org.example.mail.InboxActivity"));
        recorder.onAccessibilityEvent(new AccessibilityEvent(2048, 5000000000L, null, null));
        recorder.onInterrupt();
    }

    private static void draws(int count) {
        Draws draws = new Draws();
        draws.seed(-5, 0x73686f77L);
        for (int i = 0; i < count; i++)
            System.out.printf("%016x%n", draws.next());
    }

    private static void courses(int count) {
        for (int i = 0; i < count; i++) {
            long seed = i < 6 ? i : i * 7_919L;
            Course c = new Course(i % 6, seed);
            System.out.println(c.kind + " " + c.seed + " " + c.startNs + " " + c.fadeNs + " "
                    + c.lateNs + " " + c.firstNs + " " + c.settledNs);
        }
    }

    private static void refusal() {
        Scene scene = new Scene();
        scene.create(new Intent(null).put("kind", "nothing").put("seed", 1L));
        scene.content.show();
        System.out.println("finished " + scene.finished);
        Scene unsaid = new Scene();
        unsaid.create(new Intent(null));
        System.out.println("finished " + unsaid.finished);
    }

    /** One frame after the other: its time since the touch, whether a redraw was asked for, and the
     * picture. The first is before the touch. */
    private static void scene(String kind, long seed) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 20));
        Choreographer choreographer = Choreographer.getInstance();
        Scene scene = new Scene();
        scene.create(new Intent(null).put("kind", "cut").put("seed", 5L));
        scene.content.tap(10, 20);
        choreographer.frame(FIRST_NS);
        // The one before it must leave no trace.
        scene.bring(new Intent(null).put("kind", kind).put("seed", seed));
        choreographer.frame(FIRST_NS + 5 * PERIOD_NS);
        out.writeLong(-1);
        out.writeByte(1);
        out.write(scene.content.show());
        scene.content.tap(1320, 1400);
        scene.content.tap(1500, 1600);
        for (int i = 0; i < FRAMES; i++) {
            int wanted = choreographer.frame(FIRST_NS + 60 * PERIOD_NS + i * PERIOD_NS);
            out.writeLong(i * PERIOD_NS);
            out.writeByte(wanted);
            out.write(scene.content.show());
        }
        out.flush();
    }

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
        case "button" -> button();
        case "flash" -> flash();
        case "events" -> events();
        case "draws" -> draws(Integer.parseInt(args[1]));
        case "courses" -> courses(Integer.parseInt(args[1]));
        case "refusal" -> refusal();
        case "scene" -> {
            Log.quiet = true;
            scene(args[1], Long.parseLong(args[2]));
        }
        default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
