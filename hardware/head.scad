// SPDX-License-Identifier: GPL-3.0-or-later
// The head: guide, wheel with two arms, motor plate, collar, accelerometer mount, tip. Here x = y =
// 0 is the stylus's axis, z = 0 the lower bearing; the motor's axis points along y.
include <shapes.scad>

head_low = -16;
axis = [pin_dx, 0, axis_z - guide_z];
motor_holes = 17; // two M3 in the gearbox's face
screw_z = [-11, 17];

// A bearing's block in front of the wall, with a slope below it that prints without support.
module bearing_block(z, drop_to) {
    module plan(h) {
        linear_extrude(h) hull() {
            circle(r = guide_front);
            translate([-guide_front - 2, wall_y]) square([2 * guide_front + 4, 1]);
        }
    }
    translate([0, 0, z]) plan(10);
    hull() {
        translate([0, 0, z]) plan(0.1);
        translate([-guide_front - 2, wall_y, drop_to]) cube([2 * guide_front + 4, 1, 0.1]);
    }
}

module bearing_bore(z) {
    translate([0, 0, z + 2]) cylinder(d = bush_d + 0.1, h = bush_l + 20); // pressed in from above
    translate([0, 0, z - 20]) cylinder(d = tube_d + 1, h = 30);
}

// Prints as it stands.
module head() {
    low = head_low;
    high = guide_h - low;
    side = 20 + cheek;
    difference() {
        union() {
            translate([pin_dx - side, wall_y, low]) cube([2 * side, wall_t, high]);
            for (x = [-side, 20])
                translate([pin_dx + x, wall_y, low]) cube([cheek, head_y - wall_y, high]);
            // Flange for the post.
            translate([pin_dx + side - 1, head_y - 8, low]) cube([post_x - tap_x + 10 - pin_dx - side + 1, 8, high]);
            bearing_block(0, -14);
            bearing_block(guide_h - 10, guide_h - 24);
        }
        bearing_bore(0);
        translate([0, 0, guide_h - 10]) bearing_bore(0);
        // The pin goes up and down here, and keeps the stylus from turning.
        translate([pin_dx - pin_d / 2 - 0.15, wall_y - 1, 12.5])
            cube([pin_d + 0.3, wall_t + 2, 8 + drop + pin_d]);
        // Room for the shaft's end.
        translate(axis) rotate([-90, 0, 0]) translate([0, 0, wall_y + 2]) cylinder(d = 8, h = 3);
        for (x = [-24, 24], z = screw_z) translate([pin_dx + x, 0, z]) rotate([-90, 0, 0]) {
            drill(m3, head_y);
            translate([0, 0, wall_y - 0.1]) rotate([0, 0, 30]) nut(m3_nut, m3_nut[1]);
        }
        for (z = [4, 38]) translate([post_x - tap_x, 0, z]) rotate([-90, 0, 0]) drill(m5, head_y);
        // A tie for the accelerometer's and the tube's cables.
        for (z = [34, 46]) translate([pin_dx - side - 1, head_y - 5, z]) cube([cheek + 2, 2, 4]);
    }
}

// Prints lying on its back. The motor hangs behind it.
module motor_plate() {
    side = 20 + cheek;
    difference() {
        translate([pin_dx - side + 0.2, 0, head_low])
            cube([2 * side - 0.4, plate_t, screw_z[1] + 5 - head_low]);
        translate(axis) rotate([-90, 0, 0]) {
            drill(7.6, plate_t);
            for (x = [-1, 1]) translate([x * motor_holes / 2, 0, 0]) {
                drill(m3, plate_t);
                translate([0, 0, -0.1]) cylinder(d1 = 6.4, d2 = m3, h = 1.9);
            }
        }
        for (x = [-24, 24], z = screw_z) translate([pin_dx + x, 0, z]) rotate([-90, 0, 0]) drill(m3, plate_t);
    }
}

// The wheel's outline, the axis at 0. The end of an arm's ramp points to +y; it turns so that lower
// places of the ramp come before higher ones: seen so, against the clock. 2-D.
module wheel_outline() {
    steps = 28;
    module arm() {
        polygon(concat([[0, 0]],
            [for (i = [0:steps]) let (at = ramp * i / steps, r = ramp_r + rise * i / steps)
                // `at` degrees of the ramp have passed when the place at angle 90 + ramp - at does.
                [r * cos(90 + at - ramp), r * sin(90 + at - ramp)]]));
    }
    circle(r = low_r, $fn = 90);
    for (turn = [0, 180]) rotate(turn) arm();
}

// Prints lying. Turned by `angle`, 0 = the ramp's end stands under the pin.
module wheel(angle = 0) {
    rotate(angle) difference() {
        linear_extrude(wheel_w) wheel_outline();
        difference() { // D-shaped shaft
            translate([0, 0, -0.5]) cylinder(d = 4 + 0.2, h = wheel_w + 1);
            translate([1.5 + 0.1, -4, -1]) cube([4, 8, wheel_w + 2]);
        }
        // Grub screw M3 onto the flat, and its nut.
        translate([0, 0, wheel_w / 2]) rotate([0, 90, 0]) cylinder(d = m3 - 0.2, h = wheel_r + 1);
        translate([5, -m3_nut[0] / 2, -0.5]) cube([m3_nut[1] + 0.1, m3_nut[0], wheel_w / 2 + m3_nut[0] / 2 + 0.5]);
    }
}

// Prints lying, the pin pushed in afterwards and glued.
module collar() {
    difference() {
        union() {
            hull() {
                cylinder(d = 14, h = collar_h);
                translate([pin_dx, 0, 0]) translate([-4, -7, 0]) cube([7.5, 14, collar_h]);
            }
            translate([-6, 0, 0]) mirror([1, 0, 0]) clamp_ears(collar_h, true);
        }
        drill(tube_d + 0.1, collar_h);
        translate([-6, 0, 0]) mirror([1, 0, 0]) clamp_ears(collar_h, false);
        translate([pin_dx, -5.2, collar_h / 2]) rotate([-90, 0, 0]) cylinder(d = pin_d + 0.1, h = 20);
    }
}

// On the tube's upper end; the board stands upright with its X arrow up, tied or screwed. Prints
// lying on its back (the face at high y).
module accel_mount() {
    difference() {
        union() {
            cylinder(d = 13, h = 12);
            translate([-11, 3, 0]) cube([22, 3.5, mount_h]);
            translate([-13.5, 3, 0]) cube([24.5, 3.5, 12]);
            translate([-6.5, 0, 0]) cube([13, 4, 12]);
            translate([-5.5, 0, 0]) mirror([1, 0, 0]) clamp_ears(12, true);
        }
        drill(tube_d + 0.1, 12);
        translate([-5.5, 0, 0]) mirror([1, 0, 0]) clamp_ears(12, false);
        for (x = [-1, 1], z = [17, 31])
            translate([x * 6.5, 2, z]) rotate([-90, 0, 0]) long_hole(x * 1.5, 0, 2.7, 5);
        for (x = [-1, 1]) translate([x * 10 - 1.5, 2, 22.5]) cube([3, 6, 4]);
    }
}

// Printed in TPU 95A, under a disc of conductive cloth whose edge is drawn into the tube (the
// spigot leaves room for it). Prints as drawn.
module tip() {
    rotate_extrude() difference() {
        union() {
            translate([0, 0]) square([tip_d / 2, tip_h]);
            translate([0, tip_h - 0.1]) square([(tube_bore - 0.5) / 2, 10]);
        }
        polygon([[tip_d / 2 - 1, 0], [tip_d, 0], [tip_d, tip_d / 2 + 1]]); // a rim that does not catch
    }
}

// The drop, to be felt with: lay it under the tip while the collar's pin is on an arm's end.
module drop_gauge() {
    difference() {
        union() {
            translate([0, -6, 0]) cube([60, 12, drop]);
            translate([60, 0, 0]) cylinder(d = 24, h = drop);
        }
        translate([60, 0, drop - 0.4]) linear_extrude(1)
            text(str(drop), size = 9, halign = "center", valign = "center");
    }
}
