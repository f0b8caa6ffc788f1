// SPDX-License-Identifier: GPL-3.0-or-later
// The hood: keeps the room's light from display and lens. Two halves stand over the bed's front and
// side edges and reach up below the camera plate; a cloth from the crossbar closes the rear. It
// slides on and off to the front, below the plate. Everything else of the rig stays inside it or
// behind its rear edge.
include <shapes.scad>

hood_wall = 1.6;
hood_low = bed_z - bed_t + 1;                               // over the bed's edge, free of the rails
hood_top = camera_z - lens_up - camera_plate_t - 1;         // below the camera plate
hood_x = bed_l / 2 + fit;                                   // inner faces
hood_front = -bed_front - fit;
hood_rear = post_y + profile / 2;                           // of the side walls: beside the posts
roof_rear = post_y - profile / 2 - 14;                      // before the posts and their clips
roof_open = [48, -34];                                      // 8 mm less than the camera plate in front
hood_flange = 8;
assert(hood_top - hood_low <= printer[2], "the hood is higher than the printer: use a cardboard box");

// The right half, where it sits. The phone's plug leaves through the notch.
module hood_half(notch = true) {
    height = hood_top - hood_low;
    difference() {
        translate([0, 0, hood_low]) union() {
            translate([hood_x, hood_front - hood_wall, 0]) cube([hood_wall, hood_rear - hood_front + hood_wall, height]);
            translate([gap, hood_front - hood_wall, 0]) cube([hood_x - gap + hood_wall, hood_wall, height]);
            // Drawn together by two screws, outside.
            translate([gap, hood_front - hood_wall - hood_flange, 0]) cube([2.4, hood_flange + 0.1, height]);
            translate([gap, hood_front - hood_wall, height - hood_wall])
                cube([hood_x - gap + hood_wall, roof_rear - hood_front + hood_wall, hood_wall]);
        }
        translate([-1, roof_open[1], hood_top - hood_wall - 1]) cube([roof_open[0] + 1, 200, hood_wall + 2]);
        if (notch) translate([hood_x - 1, -11, hood_low - 1]) cube([hood_wall + 2, 22, bed_t + phone_t + 5]);
        for (z = [0.2, 0.8]) translate([0, hood_front - hood_wall - hood_flange / 2, hood_low + z * height])
            rotate([0, 90, 0]) drill(m3, 4);
    }
}
