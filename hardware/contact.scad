// SPDX-License-Identifier: GPL-3.0-or-later
// The contact plate's holder: a strip of film with copper foil lies on the glass below the tip; a
// cap clamps it and, on the foil, the ring terminal of its wire. Lay it for `calibrate stylus` and
// `verify`, take it off for launches.
include <shapes.scad>

strip = [18, 0.2]; // width and thickness with its foil
plate_foot = phone_t - strip[1];

// The strip comes from y = 0 towards the phone; the foot's screw sits at y = 7. Prints as drawn.
module plate_holder() {
    difference() {
        translate([-14, 0, 0]) cube([28, 22, plate_foot]);
        translate([0, 7, 0]) long_hole(0, 7, m4, plate_foot);
        translate([0, 7, plate_foot - 4.5]) hull() {
            cylinder(d = 9, h = 20);
            translate([0, 7, 0]) cylinder(d = 9, h = 20);
        }
        for (x = [-10.9, 10.9]) translate([x, 11, 0]) {
            drill(m3, plate_foot);
            translate([0, 0, -0.1]) nut(m3_nut, m3_nut[1]);
        }
    }
}

module plate_cap() {
    difference() {
        translate([-14, 0, 0]) cube([28, 22, 3.5]);
        for (x = [-10.9, 10.9]) translate([x, 11, 0]) drill(m3, 3.5);
        // The ring terminal, and its wire.
        translate([0, 16, -1]) cylinder(d = 8, h = 2.2);
        translate([-2, 16, -1]) cube([4, 10, 2.2]);
    }
}
