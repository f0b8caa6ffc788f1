// SPDX-License-Identifier: GPL-3.0-or-later
// Every dimension of the rig, and what must hold between them. Lengths in mm, angles in degrees.
//
// The origin is the middle of the display, on the glass. x runs along the phone from its status bar
// (negative) to its plug, y across the phone towards the posts, z up to the camera.

// ---- what a user sets: openscad -D 'phone="Pixel 7"' ----
phone = "Pixel 4a"; // a name of the table below, or "custom"
custom_phone = ["custom", 150, 72, 8.5, 6.1, 20 / 9];
camera = "ps3eye red"; // a name of the table below
rpm_least = 100;       // of the motor under load, from supply and speed class
rpm_most = 130;
drop = 2;       // of the tip, from the slip-off to the glass
tap_inset = 7;  // from the display's long edge to the tip's axis

// ---- tables ----
// name, body length, width, thickness, display diagonal in inches, length / width of the display.
// From makers' data sheets; measure yours, cases off.
phones = [
    ["Nexus 5", 137.9, 69.2, 8.6, 4.95, 16 / 9],
    ["Pixel 4a", 144, 69.4, 8.2, 5.81, 19.5 / 9],
    ["Pixel 7", 155.6, 73.2, 8.7, 6.32, 20 / 9],
    ["Galaxy A54", 158.2, 76.7, 8.2, 6.4, 19.5 / 9],
    ["Galaxy S23 Ultra", 163.4, 78.1, 8.9, 6.8, 19.3 / 9],
    custom_phone,
];
// name, active sensor width and height, focal length, lens tip above the plate it hangs on.
// PS3 Eye: OV7725, 640 x 480 pixels of 6 um; the lens ring's 75 (blue dot) and 56 degrees (red dot)
// are of the diagonal, focal = 4.8 / 2 / tan(fov / 2). OV9281: 1280 x 800 pixels of 3 um.
cameras = [
    ["ps3eye red", 3.84, 2.88, 2.4 / tan(28), 4],
    ["ps3eye blue", 3.84, 2.88, 2.4 / tan(37.5), 4],
    ["ov9281 3.6mm", 3.84, 2.4, 3.6, 8],
    ["ov9281 2.8mm", 3.84, 2.4, 2.8, 8],
];

function row(table, name, i = 0) =
    i == len(table) ? undef : table[i][0] == name ? table[i] : row(table, name, i + 1);

// ---- phone ----
phone_row = row(phones, phone);
assert(phone_row != undef, str("no phone is called ", phone, "; add it to the table in params.scad"));
phone_l = phone_row[1];
phone_w = phone_row[2];
phone_t = phone_row[3];
display_w = phone_row[4] * 25.4 / sqrt(1 + pow(phone_row[5], 2));
display_l = display_w * phone_row[5];
assert(display_l < phone_l && display_w < phone_w, "the display is larger than the phone");
assert(phone_t > 5 && phone_t < 14, "a phone of 5 to 14 mm");

// ---- prints ----
fit = 0.2;    // play of parts that slide or are pushed together, on each side
wall = 3;
gap = 0.02;   // between parts that touch, so that the drawing has no common faces
printer = [220, 220, 250];

// ---- screws, by the drill of a free hole; nuts across flats and high ----
m3 = 3.4;
m4 = 4.5;
m5 = 5.4;
m3_nut = [5.5 + 2 * fit, 2.6];
m4_nut = [7 + 2 * fit, 3.4];
m5_head = 10;

// ---- frame of 20 x 20 mm extrusion, slot 6 ----
profile = 20;
post_x = 70;        // both posts and both rails, from the middle
rail_l = 200;
tie_l = 2 * post_x - profile;
post_l = 300;
bed_t = 6;
bed_l = 190;
bed_front = 62;     // from the middle to the front and to the rear edge
bed_z = -phone_t;   // its upper face
rail_y = 20;        // middle of the rails
rail_z = bed_z - bed_t;
assert(phone_l + 2 * 12 <= bed_l, "the phone is longer than the bed takes");
assert(phone_w / 2 + 12 <= bed_front - 6, "the phone is wider than the bed takes");

// ---- stylus: brass tube, TPU tip under conductive cloth, two plain bearings ----
tube_d = 6;
tube_bore = 5;
tip_d = 8;
tip_h = 9;          // below the tube
bush_d = 8;
bush_l = 8;
bush_wall = 1.5;    // in front, towards the display
pin_d = 3;          // hardened dowel that rides on the wheel
pin_l = 24;
pin_dx = 5.5;       // it passes beside the tube
collar_h = 10;

// ---- wheel with two arms: each a ramp of `ramp` degrees, a step down, and nothing ----
// The collar's pin lies on top of the wheel. Within a ramp the radius grows evenly, so that the arm
// lifts at one speed (the simulated bench's stylus has the same law).
ramp = 70;
clearance = 0.3;    // the ramp begins so far below the resting pin
wheel_r = 18;       // at the end of a ramp
wheel_w = 6.5;
relief = 2;
raise_ms = 40;      // the host's RAISE_MS; checked by a test
home_raise_ms = 25; // the firmware's FW_HOME_RAISE_MS; checked by a test
brake_ms = 15;      // how long a shorted motor needs to stand
g = 9806.65;        // mm/s2
rise = drop + clearance;
ramp_r = wheel_r - rise;
low_r = ramp_r - relief;
fall_ms = 1000 * sqrt(2 * drop / g);
function deg(ms, rpm) = ms * rpm * 360 / 60000;
function ms(degrees, rpm) = degrees * 60000 / 360 / rpm;
pickup_at = ramp * clearance / rise; // of the ramp, where the arm takes the resting pin
function contact_ms(rpm) = ms(180 - ramp + pickup_at, rpm) - fall_ms;
function held_mm(raise, rpm) = deg(raise, rpm) * rise / ramp;
function edge_speed(rpm) = wheel_r * rpm * 2 * PI / 60; // mm/s

assert(rpm_least > 0 && rpm_least <= rpm_most, "rpm_least is larger than rpm_most");
assert(drop >= 1, "a drop of less than 1 mm: the accelerometer sees no free fall (14 ms at 1 mm)");
assert(drop <= 3, "a drop of more than 3 mm: the tip bounces, and hits the glass hard");
assert(contact_ms(rpm_least) <= 300, str("contact lasts ", contact_ms(rpm_least),
    " ms at ", rpm_least, " rpm: more than 300 ms comes near a long press; take a faster motor"));
assert(contact_ms(rpm_most) >= 80, str("contact lasts ", contact_ms(rpm_most),
    " ms at ", rpm_most, " rpm: less than 80 ms; take a slower motor"));
assert(pickup_at + deg(raise_ms + brake_ms, rpm_most) <= ramp - 10, str("at ", rpm_most,
    " rpm the arm runs off the collar before it stands; take a slower motor or a longer ramp"));
assert(held_mm(home_raise_ms, rpm_least) >= 0.4, str("at ", rpm_least, " rpm HOME lifts the tip by ",
    held_mm(home_raise_ms, rpm_least), " mm only; take a faster motor"));
// A pin on an edge that moves away at v leaves it in free fall when v^2 > radius * g.
assert(pow(edge_speed(rpm_least), 2) > 1.5 * pin_d / 2 * g,
    "the stylus would roll off the arm instead of falling; take a larger wheel or a faster motor");
assert(low_r >= 12, "the wheel has no room for its screws; make it larger");

// ---- where the stylus taps: near the long edge at the posts, so that it hides least ----
tap_x = post_x - 44;
tap_y = display_w / 2 - tap_inset;
assert(tap_inset >= tip_d / 2 + 1, "the tip would stand over the display's edge");
assert(abs(tap_x) < display_l / 2 - 15, "the tip would miss the display");
// From the stylus outwards: guide wall, wheel, motor plate, posts.
guide_front = bush_d / 2 + bush_wall;
wall_y = 8;
wall_t = 3.5;
wheel_y = 12.5;
head_y = 20;        // rear face of the head, on which motor plate and post lie
plate_t = 4.5;
cheek = 8;          // beside the wheel
post_y = tap_y + head_y + gap + profile / 2;
assert(wall_y + tap_y > display_w / 2, "the guide's wall stands over the display");

bed_notch_x = post_x - profile / 2 - 2;
bed_notch_y = post_y - profile / 2 - 2;

// ---- camera ----
camera_row = row(cameras, camera);
assert(camera_row != undef, str("no camera is called ", camera, "; add it to the table in params.scad"));
sensor_w = camera_row[1];
sensor_h = camera_row[2];
focal = camera_row[3];
lens_up = camera_row[4];
camera_plate_t = 6;
view_least_w = display_l * 1.15; // at the glass, so that the display and its rim are in view
view_least_h = display_w * 1.3;
height_fit = focal * max(view_least_w / sensor_w, view_least_h / sensor_h);
// The guide begins where the view of the display has drawn back behind it, and its top must stay
// below the camera's plate: z0 = h (1 - k), z0 + stack <= h.
guide_h = 52;
mount_h = 36;
stack = guide_h + 4 + mount_h + drop + 3 + camera_plate_t + lens_up;
view_k = (tap_y - guide_front - 1) / (display_w / 2);
camera_z = max(height_fit, stack / view_k); // of the lens
guide_z = camera_z * (1 - view_k);          // lower bearing
view_w = sensor_w * camera_z / focal;
view_h = sensor_h * camera_z / focal;
assert(view_k > 0.4, "tap_inset is too large: the guide would hide the display");
assert(display_l / view_w >= 0.5, str("the display fills only ", display_l / view_w,
    " of the picture's width; take a longer lens"));
assert(camera_z + 30 < post_l + rail_z, "the camera stands higher than the posts");

// ---- heights of the head ----
pin_z = guide_z + 18;                              // while the tip rests on the glass
axis_z = pin_z - pin_d / 2 - wheel_r + drop;       // of the motor
tube_l = guide_z + guide_h + 14 - tip_h;
function pin_up(at) = at < 0 || at > ramp ? 0 : max(0, rise * at / ramp - clearance);

// ---- sync LEDs: near the picture's first and last row ----
led_top = 8;         // above the glass
led_share = 0.9;     // of half the picture's height, unless the bed ends before
led_y = min(led_share * view_h / 2 * (1 - led_top / camera_z), bed_front - 6);
led_x = tap_x;      // of its screw; the LED stands led_aside nearer to the middle
led_aside = 15;
assert(led_y - 7 > phone_w / 2, "the LEDs would stand on the phone: choose a wider view");
assert(led_y >= 0.55 * view_h / 2 * (1 - led_top / camera_z),
    "the LEDs lie too near to the middle of the picture to tell its rows apart");

// ---- photodiodes: BPW34 over the helper app's spots (host/model/scene.c; checked by a test) ----
spots = [[0.44, 0.05, 0.56, 0.11], [0.44, 0.89, 0.56, 0.95]];
spot_at = display_l * (0.5 - (spots[0][1] + spots[0][3]) / 2); // from the middle, both ends alike
diode = [5.4, 4.3, 3.2];
diode_foot_y = 37;  // on the front's side

