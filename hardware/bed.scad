// SPDX-License-Identifier: GPL-3.0-or-later
// What the phone lies on, and what holds it: bed, jaws, cable clips, tray for the boards. All print
// as they are drawn here, but for the bed, which prints on its upper face.
include <shapes.scad>

jaw_h = phone_t - 1.5; // below the glass

// Upper face at z = 0; x and y as in the rig.
module bed() {
    translate([0, 0, -bed_t]) difference() {
        slab(bed_l, 2 * bed_front, bed_t, 4);
        // Free of the posts.
        for (x = [0, 1]) mirror([x, 0, 0]) translate([bed_notch_x, bed_notch_y, -1])
            cube([bed_l, bed_front, bed_t + 2]);
        // Onto the rails; nuts in their slots let the bed slide along y.
        for (x = [-post_x, post_x], y = [-52, 0]) translate([x, y, 0]) {
            drill(m5, bed_t);
            translate([0, 0, bed_t - 3]) cylinder(d = m5_head, h = 4);
        }
        // Ends: in the middle between the rails and the edge, and near the middle for short phones.
        for (x = [-1, 1], y = [-15, 15]) translate([x * 56, y, 0]) nut_slot(x * 33, 0, m4, m4_nut, bed_t);
        // Sides.
        for (x = [-50, 50], y = [-1, 1]) translate([x, y * 38, 0]) nut_slot(0, y * 10, m4, m4_nut, bed_t);
        // LEDs, and the contact plate beside the stylus.
        for (x = [-led_x, led_x], y = [-1, 1]) translate([x, y * 42, 0]) nut_slot(0, y * 14, m4, m4_nut, bed_t);
        // Photodiodes.
        for (x = [-1, 1]) translate([x * 62, -diode_foot_y, 0]) nut_slot(x * 28, 0, m4, m4_nut, bed_t);
        // Less to print, less to bend.
        for (x = [-1, 1]) translate([x * 26, 0, 0]) linear_extrude(3 * bed_t, center = true)
            offset(4) square([22, 40], center = true);
    }
}

// For the long sides: the phone at y = 0, the jaw behind it. Stick 1 mm of foam on its face.
module jaw_side() {
    difference() {
        translate([-8, 1, 0]) cube([16, 17, jaw_h]);
        translate([0, 6.5, 0]) long_hole(0, 6, m4, jaw_h);
        translate([0, 6.5, max(2.5, jaw_h - 4)]) hull() {
            cylinder(d = 9, h = jaw_h);
            translate([0, 6, 0]) cylinder(d = 9, h = jaw_h);
        }
    }
}

// For the ends: the phone at x = 0, the jaw to its right, never over the bed's edge, where the hood
// stands. Open in the middle for the plug.
jaw_end_l = min(15, bed_l / 2 - phone_l / 2 - 1);
jaw_end_way = min(5, jaw_end_l - 10); // of the screw
module jaw_end() {
    difference() {
        union() {
            for (y = [-1, 1]) translate([1, y * 15 - 7, 0]) cube([jaw_end_l, 14, jaw_h]);
            translate([1, -15, 0]) cube([jaw_end_l, 30, 1.2]);
        }
        for (y = [-15, 15]) translate([6, y, 0]) {
            long_hole(jaw_end_way, 0, m4, jaw_h);
            translate([0, 0, max(2.5, jaw_h - 4)]) hull() {
                cylinder(d = 9, h = jaw_h);
                translate([jaw_end_way, 0, 0]) cylinder(d = 9, h = jaw_h);
            }
        }
    }
}

// Holds a cable to an extrusion, so that no pull reaches a plug, a LED or the stylus.
module cable_clip() {
    difference() {
        union() {
            slab(26, 14, 4, 3);
            translate([3, -7, 0]) cube([10, 14, 9]);
        }
        translate([-6, 0, 0]) drill(m5, 4);
        translate([8, 0, 6.5]) rotate([90, 0, 0]) cylinder(d = 4.5, h = 20, center = true);
        translate([8, 0, 9.5]) cube([3.6, 20, 5], center = true);
        // A tie goes below the cable and around.
        translate([2, -2, 4]) cube([12, 4, 1.6]);
    }
}

// Uno or Mega (holes common to both), and a 70 x 50 mm board for driver and comparators.
module board_tray() {
    holes = [[14, 2.5], [15.3, 50.7], [66.1, 7.6], [66.1, 35.5]]; // from the Uno's lower left corner
    difference() {
        union() {
            slab(170, 66, 3, 4);
            translate([-80, -27, 0]) for (h = holes) translate(h) cylinder(d = 7, h = 7);
            for (x = [-32, 32], y = [-22, 22]) translate([42 + x, y, 0]) cylinder(d = 7, h = 7);
        }
        translate([-80, -27, 0]) for (h = holes) translate([h[0], h[1], -1]) cylinder(d = 2.7, h = 10);
        for (x = [-32, 32], y = [-22, 22]) translate([42 + x, y, -1]) cylinder(d = 2.7, h = 10);
        for (x = [-22, 50]) translate([x, -24, 0]) drill(m5, 3);
    }
}
