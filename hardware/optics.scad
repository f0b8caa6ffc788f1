// SPDX-License-Identifier: GPL-3.0-or-later
// Camera plate, LED holders, photodiode holders.
include <shapes.scad>


lens_hole = 36;

// Under the crossbar's front face; the lens looks down through the hole at x = y = 0, the plate's
// upper face is at z = 0. A PS3 Eye lies on it face down, tied through the long holes; a camera
// module of 38 x 38 mm hangs on the four slots. Prints standing on its flange's back.
module camera_plate() {
    back = post_y - profile / 2 - gap; // face of the crossbar
    difference() {
        union() {
            translate([-50, -42, -camera_plate_t]) cube([100, 42 + back, camera_plate_t]);
            translate([-50, back - 6, -camera_plate_t]) cube([100, 6, 32]);
            for (x = [-50, 45]) hull() {
                translate([x, back - 6, -1]) cube([5, 6, 24]);
                translate([x, back - 30, -1]) cube([5, 6, 1]);
            }
        }
        translate([0, 0, -camera_plate_t - 0.5]) cylinder(d1 = lens_hole + 14, d2 = lens_hole, h = camera_plate_t + 1);
        for (a = [45:90:315]) rotate(a) translate([19.5, 0, -camera_plate_t]) long_hole(6, 0, 2.4, camera_plate_t);
        for (x = [-44, 44], y = [-26, 8]) translate([x - 2, y, -camera_plate_t - 1]) cube([4, 14, camera_plate_t + 2]);
        for (x = [-30, 30]) translate([x, back - 7, 16]) rotate([-90, 0, 0]) drill(m5, 8);
    }
}

led_h = led_top - bed_z;

// A 5 mm LED looks up through a hole of 8 mm with a disc of paper in it, so that its light covers
// several of the camera's blocks. It comes in from below; its leads leave by the groove. Prints as
// drawn.
module led_holder() {
    difference() {
        union() {
            slab(16, 14, led_h, 2);
            translate([0, -7, 0]) cube([led_aside + 7, 14, 4]);
        }
        translate([0, 0, led_h - 1.5]) cylinder(d = 8.4, h = 2);
        translate([0, 0, -1]) cylinder(d = 5.2, h = led_h + 2);
        translate([0, 0, -1]) cylinder(d = 6.2, h = led_h - 7);
        translate([-2, 0, -1]) cube([4, 20, 4]);
        translate([led_aside, 0, 0]) drill(m4, 4);
    }
}

// Over the helper app's spot: at x = y = 0 is the spot, the phone's end lies towards positive x; the
// foot stands at y > 0, or below it when mirrored. Its underside clears the glass by 0.5 mm for a
// ring of foam. Prints lying on its upper face.
module diode_holder(spot_to_end) {
    beam = spot_to_end - 4; // the bar lies over the rim
    foot = [spot_to_end + 7, diode_foot_y];
    difference() {
        union() {
            translate([-4.2, -3.6, 0.5]) cube([8.4, 7.2, 7]);
            translate([0, -2, 1.5]) cube([beam + 3, 4, 6]);
            translate([beam - 2, -2, 1.5]) cube([6, foot[1] + 8, 6]);
            translate([beam - 2, foot[1] - 6, 1.5]) cube([foot[0] - beam + 8, 12, 6]);
            translate([foot[0] - 6, foot[1] - 6, bed_z]) cube([12, 12, 7.5 - bed_z]);
        }
        // The BPW34 looks down, its face 2 mm above the glass; its leads go up and away.
        translate([-diode[1] / 2 - 0.1, -diode[0] / 2 - 0.1, 0]) cube([diode[1] + 0.2, diode[0] + 0.2, 2.5 + diode[2]]);
        for (y = [-1, 1]) translate([0, y * 2.5, 0]) cylinder(d = 1, h = 9, $fn = 12);
        translate([foot[0], foot[1], bed_z]) drill(m4, 20);
        translate([foot[0], foot[1], bed_z + 5]) cylinder(d = 8.5, h = 30);
    }
}
