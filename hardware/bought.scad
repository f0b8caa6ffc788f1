// SPDX-License-Identifier: GPL-3.0-or-later
// What is bought, as far as it takes room: for pictures and for the check that nothing collides.
include <shapes.scad>

// Along z from 0. 2-D: a slot of 6.2 mm in each face.
module extrusion(length) {
    linear_extrude(length) difference() {
        square(profile, center = true);
        for (a = [0:90:270]) rotate(a) translate([profile / 2, 0]) {
            square([3.6, 6.2], center = true);
            translate([-4, 0]) square([4.4, 9], center = true);
        }
        circle(d = 4.2);
    }
}

module phone_body() {
    translate([0, 0, -phone_t]) slab(phone_l, phone_w, phone_t, 8);
}

module phone_display() {
    linear_extrude(0.01) offset(4) square([display_l - 8, display_w - 8], center = true);
}

// 25 mm gear motor, shaft 4 mm, of the Pololu 25D and JGA25-370 kind: its face is y = 0, the shaft
// points to -y.
module gear_motor() {
    rotate([-90, 0, 0]) {
        translate([0, 0, gap]) cylinder(d = 25, h = 26);
        translate([0, 0, 26]) cylinder(d = 24.4, h = 31);
        translate([0, 0, -2.5]) cylinder(d = 7, h = 3);
        difference() {
            translate([0, 0, -11.5]) cylinder(d = 4, h = 12);
            translate([1.5, -3, -12]) cube([3, 6, 9]);
        }
    }
}

// The origin is where the tip touches the glass.
module tube() {
    translate([0, 0, tip_h + gap]) difference() {
        cylinder(d = tube_d, h = tube_l);
        translate([0, 0, -1]) cylinder(d = tube_bore, h = tube_l + 2);
    }
}

module bush() {
    difference() {
        cylinder(d = bush_d, h = bush_l);
        translate([0, 0, -1]) cylinder(d = tube_d + 0.05, h = bush_l + 2);
    }
}

module pin() {
    rotate([-90, 0, 0]) cylinder(d = pin_d, h = pin_l);
}

module accelerometer() {
    cube([20, 1.6, 16]);
    translate([8, -1.5, 6]) cube([4, 1.5, 4]);
}

// Lens at the origin, looking down.
module camera_body() {
    if (camera_row[0][0] == "p") {
        translate([0, 0, gap]) {
            translate([0, 0, -lens_up]) cylinder(d = 24, h = 10);
            translate([-40, -27, lens_up + 0]) hull() for (x = [8, 72], y = [8, 47]) translate([x, y, 0]) cylinder(d = 16, h = 44);
        }
    } else {
        translate([0, 0, gap]) cylinder(d = 15, h = lens_up + 8);
        translate([-19, -19, lens_up + camera_plate_t + 2]) cube([38, 38, 1.6]);
    }
}

// 20 x 20 mm bracket: legs along +x and +z, its middle at y = 0.
module bracket() {
    difference() {
        translate([0, -9, 0]) hull() {
            cube([19, 18, 3]);
            cube([3, 18, 19]);
        }
        translate([3, -6.5, 3]) hull() {
            cube([30, 13, 0.1]);
            cube([0.1, 13, 30]);
        }
    }
}

// L-shaped joining plate 60 x 60 mm: in the plane of y and z, its corner at the origin.
module joining_plate() {
    rotate([90, 0, 90]) linear_extrude(4) difference() {
        union() {
            square([60, 20]);
            square([20, 60]);
        }
        for (i = [0:2]) {
            translate([10 + 20 * i, 10]) circle(d = m5);
            translate([10, 10 + 20 * i]) circle(d = m5);
        }
    }
}
