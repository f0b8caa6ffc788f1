// SPDX-License-Identifier: GPL-3.0-or-later
// The whole rig, or one part of it:
//   openscad -D 'part="wheel"' -o wheel.stl rig.scad          to print, lying as it prints
//   openscad -D 'part="rig"' rig.scad                         to look at
//   openscad -D 'part="piece"' -D 'which="head"' ...          one piece where it sits in the rig
// `parts` lists what is printed and how often, `pieces` what the rig is made of.
include <params.scad>
use <shapes.scad>
use <head.scad>
use <bed.scad>
use <optics.scad>
use <contact.scad>
use <hood.scad>
include <bought.scad>

part = "rig";
which = "";
wheel_at = 36;         // degrees of the ramp that have passed below the pin; beyond 70: none
verifying = false;     // with photodiodes and contact plate
hooded = false;        // with the hood, which hides the rest
without = [];          // pieces that the picture leaves out

// name, how many to print
parts = [
    ["bed", 1], ["jaw_side", 4], ["jaw_end", 2], ["head", 1], ["motor_plate", 1], ["wheel", 1],
    ["collar", 1], ["accel_mount", 1], ["tip", 1], ["drop_gauge", 1], ["camera_plate", 1],
    ["led_holder", 2], ["cable_clip", 6], ["board_tray", 1],
    ["plate_holder", 1], ["plate_cap", 1], ["diode_holder", 1], ["diode_holder_mirrored", 1],
    ["hood_right", 1], ["hood_left", 1],
];

spot_to_end = phone_l / 2 - spot_at;

// On its roof.
module hood_lying() { translate([0, 0, camera_z - lens_up - camera_plate_t - 1]) rotate([180, 0, 0]) children(); }

// Lying as it prints.
module printed(name) {
    if (name == "bed") rotate([180, 0, 0]) bed();
    else if (name == "jaw_side") jaw_side();
    else if (name == "jaw_end") jaw_end();
    else if (name == "head") translate([0, 0, 16]) head();
    else if (name == "motor_plate") translate([0, 0, plate_t]) rotate([-90, 0, 0]) motor_plate();
    else if (name == "wheel") wheel();
    else if (name == "collar") collar();
    else if (name == "accel_mount") translate([0, 0, 6.5]) rotate([-90, 0, 0]) accel_mount();
    else if (name == "tip") tip();
    else if (name == "drop_gauge") drop_gauge();
    else if (name == "camera_plate") rotate([-90, 0, 0]) translate([0, -(post_y - profile / 2 - gap), 0]) camera_plate();
    else if (name == "led_holder") led_holder();
    else if (name == "cable_clip") cable_clip();
    else if (name == "board_tray") board_tray();
    else if (name == "plate_holder") plate_holder();
    else if (name == "plate_cap") translate([0, 0, 3.5]) mirror([0, 0, 1]) plate_cap();
    else if (name == "diode_holder") translate([0, 0, 7.5]) rotate([180, 0, 0]) diode_holder(spot_to_end);
    else if (name == "diode_holder_mirrored")
        translate([0, 0, 7.5]) rotate([180, 0, 0]) mirror([0, 1, 0]) diode_holder(spot_to_end);
    else if (name == "hood_right") hood_lying() hood_half();
    else if (name == "hood_left") hood_lying() mirror([1, 0, 0]) hood_half(false);
    else assert(false, str("no part is called ", name));
}

module at_stylus() { translate([tap_x, tap_y, 0]) children(); }
module at_head() { translate([tap_x, tap_y, guide_z]) children(); }
module on_both_sides() { for (x = [0, 1]) mirror([x, 0, 0]) children(); }

up = pin_up(wheel_at) + gap;
plate_z = camera_z - lens_up;        // upper face of the camera plate
bar_z = plate_z + 16;                // middle of the crossbar
tie_y = [rail_y - (rail_l - profile) / 2, rail_y + (rail_l - profile) / 2];
below = rail_z - gap - profile / 2;  // middle of the rails

module brackets() {
    on_both_sides() {
        translate([post_x, post_y + profile / 2 + gap, rail_z]) rotate([0, 0, 90]) bracket();
        translate([post_x + profile / 2 + gap, post_y - profile / 2, rail_z - profile]) joining_plate();
        for (z = [-1, 1]) translate([-tie_l / 2 + gap, post_y, bar_z + z * (profile / 2 + gap)])
            mirror([0, 0, z < 0 ? 1 : 0]) bracket();
        for (i = [0, 1]) translate([-tie_l / 2 + gap, tie_y[i] + (1 - 2 * i) * (profile / 2 + gap), below])
            rotate([i == 0 ? -90 : 90, 0, 0]) bracket();
    }
}

module jaws() {
    for (x = [-50, 50]) translate([x, phone_w / 2 + gap, bed_z + gap]) jaw_side();
}

// One piece where it sits, without colour.
module piece(name) {
    if (name == "bed") translate([0, 0, bed_z]) bed();
    else if (name == "jaws front") mirror([0, 1, 0]) jaws();
    else if (name == "jaws rear") jaws();
    else if (name == "jaw top") mirror([1, 0, 0]) translate([phone_l / 2 + gap, 0, bed_z + gap]) jaw_end();
    else if (name == "jaw bottom") translate([phone_l / 2 + gap, 0, bed_z + gap]) jaw_end();
    else if (name == "head") at_head() head();
    else if (name == "motor plate") at_head() translate([0, head_y + gap, 0]) motor_plate();
    else if (name == "wheel") translate([tap_x + pin_dx, tap_y + wheel_y + wheel_w, axis_z])
        rotate([90, 0, 0]) wheel(ramp - wheel_at);
    else if (name == "collar") at_stylus() translate([0, 0, pin_z - collar_h / 2 + up]) collar();
    else if (name == "accelerometer mount") at_head() translate([0, 0, guide_h + 4 + up]) accel_mount();
    else if (name == "tip") at_stylus() translate([0, 0, up]) tip();
    else if (name == "camera plate") translate([0, 0, plate_z]) camera_plate();
    else if (name == "LED front") translate([led_x - led_aside, -led_y, bed_z + gap]) led_holder();
    else if (name == "LED rear") translate([-led_x + led_aside, led_y, bed_z + gap]) mirror([1, 0, 0]) led_holder();
    else if (name == "clips") for (z = [84, 104]) translate([post_x, post_y - profile / 2 - gap, guide_z + z])
        rotate([90, 0, 0]) cable_clip();
    else if (name == "tray") translate([0, tie_y[1] + 24, rail_z + gap]) board_tray();
    else if (name == "plate holder") translate([tap_x, phone_w / 2 + 1, bed_z + gap]) plate_holder();
    else if (name == "plate cap") translate([tap_x, phone_w / 2 + 1, gap]) plate_cap();
    else if (name == "diode top") rotate(180) translate([spot_at, 0, gap]) diode_holder(spot_to_end);
    else if (name == "diode bottom") mirror([0, 1, 0]) translate([spot_at, 0, gap]) diode_holder(spot_to_end);
    else if (name == "phone") translate([0, 0, gap / 2]) phone_body();
    else if (name == "rails") on_both_sides() translate([post_x, rail_y - rail_l / 2, below])
        rotate([-90, 0, 0]) extrusion(rail_l);
    else if (name == "ties") for (y = tie_y) translate([-tie_l / 2 + gap, y, below])
        rotate([0, 90, 0]) extrusion(tie_l - 2 * gap);
    else if (name == "posts") on_both_sides() translate([post_x, post_y, rail_z]) extrusion(post_l);
    else if (name == "crossbar") translate([-tie_l / 2 + gap, post_y, bar_z]) rotate([0, 90, 0]) extrusion(tie_l - 2 * gap);
    else if (name == "brackets") brackets();
    else if (name == "motor") translate([tap_x + pin_dx, tap_y + head_y + plate_t + 2 * gap, axis_z])
        rotate([0, wheel_at - ramp, 0]) gear_motor();
    else if (name == "tube") at_stylus() translate([0, 0, up]) tube();
    else if (name == "bearings") for (z = [2, guide_h - 8]) at_head() translate([0, 0, z + gap]) bush();
    else if (name == "pin") translate([tap_x + pin_dx, tap_y - 5, pin_z + up]) pin();
    else if (name == "accelerometer") at_head() translate([-10, 1.3, guide_h + 4 + up + 16]) accelerometer();
    else if (name == "camera") translate([0, 0, camera_z]) camera_body();
    else if (name == "hood right") hood_half();
    else if (name == "hood left") mirror([1, 0, 0]) hood_half(false);
    else assert(false, str("no piece is called ", name));
}

// name, colour, "f" the frame and what is screwed to it, "s" the stylus, "v" only to verify,
// "c" the camera, "h" the hood
black = [0.2, 0.21, 0.23];
orange = [0.93, 0.45, 0.12];
silver = [0.78, 0.8, 0.82];
steel = [0.55, 0.57, 0.6];
brass = [0.8, 0.66, 0.3];
pieces = [
    ["rails", silver, "f"], ["ties", silver, "f"], ["posts", silver, "f"], ["crossbar", silver, "f"],
    ["brackets", steel, "f"], ["bed", black, "f"], ["phone", [0.12, 0.16, 0.25], "f"],
    ["jaws front", orange, "f"], ["jaws rear", orange, "f"], ["jaw top", orange, "f"],
    ["jaw bottom", orange, "f"], ["head", black, "f"], ["motor plate", orange, "f"],
    ["motor", steel, "f"], ["wheel", orange, "f"], ["bearings", brass, "f"], ["tube", brass, "s"],
    ["pin", steel, "s"], ["collar", orange, "s"], ["tip", [0.3, 0.3, 0.3], "s"],
    ["accelerometer mount", orange, "s"], ["accelerometer", [0.1, 0.25, 0.6], "s"],
    ["LED front", orange, "f"], ["LED rear", orange, "f"], ["clips", orange, "f"],
    ["tray", black, "f"], ["camera plate", black, "c"], ["camera", [0.25, 0.25, 0.27], "c"],
    ["plate holder", orange, "v"], ["plate cap", orange, "v"], ["diode top", orange, "v"],
    ["diode bottom", orange, "v"], ["hood right", black, "h"], ["hood left", black, "h"],
];

module rig() {
    for (p = pieces) if ((p[2] != "v" || verifying) && (p[2] != "h" || hooded) && search([p[0]], without)[0] == []) color(p[1]) render() piece(p[0]);
    if (verifying) color([0.85, 0.5, 0.3]) translate([tap_x - 9, tap_y - 8, 2 * gap])
        cube([18, phone_w / 2 + 9 - tap_y, 0.2]); // the foil
    color([0.55, 0.75, 0.95]) translate([0, 0, gap]) phone_display();
    for (s = [0, 1]) color([1, 0.95, 0.5]) rotate(180 * s) translate([led_x - led_aside, -led_y, led_top - 1.3]) cylinder(d = 8, h = 1);
}

// What must be free between lens and display, and between lens and LEDs.
module view() {
    w = display_w / 2;
    l = display_l / 2;
    polyhedron([[0, 0, camera_z], [-l, -w, 0.1], [l, -w, 0.1], [l, w, 0.1], [-l, w, 0.1]],
        [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [4, 3, 2, 1]]);
    for (s = [0, 1]) rotate(180 * s) hull() {
        translate([0, 0, camera_z - 0.1]) cylinder(d = 0.1, h = 0.1);
        translate([led_x - led_aside, -led_y, led_top + 0.1]) cylinder(d = 8, h = 0.1);
    }
}

// Where the pin touches the wheel through half a turn, lifted by 0.05 mm, and while it falls: each
// instant in a place of its own. 2-D, empty when the law of lift holds.
module turn() {
    module instant(i, at, pin_above_axis) translate([60 * i, 0]) intersection() {
        rotate(ramp - at) wheel_outline();
        translate([0, pin_above_axis]) circle(d = pin_d, $fn = 60);
    }
    rest = pin_z - axis_z;
    for (at = [ramp - 180 + 15:5:ramp]) instant(at / 5 + 30, at, rest + pin_up(at) + 0.05);
    for (t = [2:2:floor(fall_ms)]) for (rpm = [rpm_least, rpm_most])
        translate([0, rpm == rpm_least ? 100 : 200])
            instant(t, ramp + deg(t, rpm), rest + drop - g * t * t / 2e6 + 0.05);
}

if (part == "rig") rig();
else if (part == "piece") piece(which);
else if (part == "view") view();
else if (part == "turn") linear_extrude(1) turn();
else if (part == "lists") {
    for (p = parts) echo(printed = p[0], count = p[1]);
    for (p = pieces) echo(piece = p[0], kind = p[2]);
    for (m = [
        ["lens above the glass", camera_z], ["crossbar's lower face above the glass", bar_z - profile / 2],
        ["glass above the rails", -rail_z], ["posts' front face behind the middle of the display", post_y - profile / 2],
        ["tip right of the middle of the display", tap_x], ["tip behind the middle of the display", tap_y],
        ["head's lower edge above the glass", guide_z - 16], ["tube, length", tube_l],
        ["LEDs before and behind the middle", led_y], ["drop", drop],
        ["picture's width on the glass", view_w], ["picture's height on the glass", view_h],
        ["contact at the slowest, ms", contact_ms(rpm_least)], ["contact at the fastest, ms", contact_ms(rpm_most)],
    ]) echo(measure = m[0], value = round(m[1] * 10) / 10);
}
else printed(part);
