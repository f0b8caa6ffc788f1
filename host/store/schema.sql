-- SPDX-License-Identifier: GPL-3.0-or-later
-- Plain SQL for SQLite and PostgreSQL alike, with three types only: BIGINT, DOUBLE PRECISION, TEXT.
-- Unknown is NULL. Times in ms, instants in host ns, yes and no are 1 and 0.
-- Ask the view `launches`, one row a launch: its columns stay, the tables may change.

CREATE TABLE session (
    id          BIGINT PRIMARY KEY, -- the first 63 bits of digest; from 1 in a session's own file
    digest      TEXT NOT NULL, -- SHA-256 of what tells sessions apart; '' in a session's own file
    added       BIGINT NOT NULL, -- from 1, in the order in which sessions came
    name        TEXT NOT NULL,
    bench       TEXT NOT NULL,
    seed        TEXT NOT NULL, -- decimal; it may need 64 bits without a sign
    touchstone  TEXT NOT NULL,
    detector    TEXT NOT NULL,
    start_type  TEXT NOT NULL,
    launches    BIGINT NOT NULL, -- planned, in all
    warm_up     BIGINT NOT NULL, -- launches of each app
    rig         TEXT, -- its name
    rig_values  TEXT, -- of its calibration: sessions with equal ones share what u_common tells
    device      TEXT,
    started     TEXT -- UTC, 2026-02-28T09:30:00Z
);

-- What launches have in common, each combination once.
CREATE TABLE setup (
    id          BIGINT PRIMARY KEY, -- 63 bits of a SHA-256 of the other columns
    app         TEXT NOT NULL,
    start_type  TEXT NOT NULL,
    rule        TEXT NOT NULL,
    component   TEXT,
    package_version TEXT,
    apk_hash    TEXT,
    compiler_filter TEXT,
    refresh_before_hz DOUBLE PRECISION,
    refresh_after_hz DOUBLE PRECISION,
    night_mode  BIGINT,
    rotation    BIGINT,
    window_animation_scale DOUBLE PRECISION,
    transition_animation_scale DOUBLE PRECISION,
    animator_scale DOUBLE PRECISION,
    network     TEXT,
    observers   TEXT,
    build       TEXT, -- as the plan calls what it installed; NULL: it calls it nothing
    launch_from TEXT -- button, icon, am: times count from Android's start, not from lift; NULL: not told
);

-- One row for each detector version that a launch was measured with. session_id and setup_id have
-- no REFERENCES: a server would look for both one launch at a time, which is two thirds of its work
-- in an ingest. Who adds launches looks once for all of a session's (store/db.c).
CREATE TABLE launch (
    session_id  BIGINT NOT NULL, -- of session
    launch      BIGINT NOT NULL,
    detector_version TEXT NOT NULL,
    setup_id    BIGINT NOT NULL, -- of setup
    kept        BIGINT NOT NULL, -- 1: the session's own result; 0: from its folder analysis/
    usable      BIGINT NOT NULL,
    warm_up     BIGINT NOT NULL,
    exclusion   TEXT, -- why somebody took it out
    verdict     TEXT NOT NULL,
    flags       TEXT NOT NULL, -- names with commas between them
    first_visual_change_ms          DOUBLE PRECISION,
    first_visual_change_u_ms        DOUBLE PRECISION,
    first_visual_change_u_common_ms DOUBLE PRECISION,
    last_visual_change_ms           DOUBLE PRECISION,
    last_visual_change_u_ms         DOUBLE PRECISION,
    last_visual_change_u_common_ms  DOUBLE PRECISION,
    settled_ms                      DOUBLE PRECISION,
    settled_u_ms                    DOUBLE PRECISION,
    settled_u_common_ms             DOUBLE PRECISION,
    literal_settled_ms              DOUBLE PRECISION,
    literal_settled_u_ms            DOUBLE PRECISION,
    literal_settled_u_common_ms     DOUBLE PRECISION,
    visually_complete_85_ms         DOUBLE PRECISION,
    visually_complete_85_u_ms       DOUBLE PRECISION,
    visually_complete_85_u_common_ms DOUBLE PRECISION,
    speed_index_ms                  DOUBLE PRECISION,
    speed_index_u_ms                DOUBLE PRECISION,
    speed_index_u_common_ms         DOUBLE PRECISION,
    splash_ms                       DOUBLE PRECISION,
    splash_u_ms                     DOUBLE PRECISION,
    splash_u_common_ms              DOUBLE PRECISION,
    first_app_frame_ms              DOUBLE PRECISION,
    first_app_frame_u_ms            DOUBLE PRECISION,
    first_app_frame_u_common_ms     DOUBLE PRECISION,
    main_content_ms                 DOUBLE PRECISION,
    main_content_u_ms               DOUBLE PRECISION,
    main_content_u_common_ms        DOUBLE PRECISION,
    time_to_initial_display_ms      DOUBLE PRECISION,
    time_to_full_display_ms         DOUBLE PRECISION,
    contact_ns                      BIGINT,
    contact_u_ns                    DOUBLE PRECISION,
    pickup_ns                       BIGINT,
    pickup_u_ns                     DOUBLE PRECISION,
    lift_ns                         BIGINT,
    lift_u_ns                       DOUBLE PRECISION,
    battery_percent                 DOUBLE PRECISION,
    temperature_c                   DOUBLE PRECISION,
    brightness                      DOUBLE PRECISION,
    thermal_status                  BIGINT,
    frames                          BIGINT NOT NULL,
    dropped                         BIGINT NOT NULL,
    frame_period_ms                 DOUBLE PRECISION,
    energy_mj                       DOUBLE PRECISION,
    energy_u_mj                     DOUBLE PRECISION,
    energy_u_common_mj              DOUBLE PRECISION,
    energy_first_change_mj          DOUBLE PRECISION,
    energy_first_change_u_mj        DOUBLE PRECISION,
    charge_mc                       DOUBLE PRECISION,
    charge_u_mc                     DOUBLE PRECISION,
    mean_current_ma                 DOUBLE PRECISION,
    mean_current_u_ma               DOUBLE PRECISION,
    memory_kb                       DOUBLE PRECISION,
    network_bytes                   DOUBLE PRECISION,
    cpu_ms                          DOUBLE PRECISION,
    cpu_mhz                         DOUBLE PRECISION, -- the fastest core's clock before the tap
    cpu_most_mhz                    DOUBLE PRECISION, -- what it was allowed
    PRIMARY KEY (session_id, launch, detector_version)
);

CREATE VIEW launches AS
SELECT session.id AS session, session.name AS session_name, session.added, session.rig,
    session.device, COALESCE(setup.build, setup.package_version, setup.apk_hash) AS build,
    setup.app, launch.launch, setup.start_type, launch.verdict, launch.flags, launch.usable, launch.warm_up,
    launch.exclusion, setup.rule, launch.detector_version,
    launch.first_visual_change_ms, launch.first_visual_change_u_ms,
    launch.first_visual_change_u_common_ms, launch.last_visual_change_ms,
    launch.last_visual_change_u_ms, launch.last_visual_change_u_common_ms, launch.settled_ms,
    launch.settled_u_ms, launch.settled_u_common_ms, launch.literal_settled_ms,
    launch.literal_settled_u_ms, launch.literal_settled_u_common_ms,
    launch.visually_complete_85_ms, launch.visually_complete_85_u_ms,
    launch.visually_complete_85_u_common_ms, launch.speed_index_ms, launch.speed_index_u_ms,
    launch.speed_index_u_common_ms, launch.splash_ms, launch.splash_u_ms,
    launch.splash_u_common_ms, launch.first_app_frame_ms, launch.first_app_frame_u_ms,
    launch.first_app_frame_u_common_ms, launch.main_content_ms, launch.main_content_u_ms,
    launch.main_content_u_common_ms, launch.time_to_initial_display_ms,
    launch.time_to_full_display_ms, launch.contact_ns, launch.contact_u_ns, launch.pickup_ns,
    launch.pickup_u_ns, launch.lift_ns, launch.lift_u_ns, launch.battery_percent,
    launch.temperature_c, launch.brightness, launch.thermal_status, launch.frames, launch.dropped,
    launch.frame_period_ms, session.started, setup.component, setup.package_version, setup.apk_hash,
    setup.compiler_filter, setup.refresh_before_hz, setup.refresh_after_hz, setup.night_mode,
    setup.rotation, setup.window_animation_scale, setup.transition_animation_scale,
    setup.animator_scale, setup.network, setup.observers,
    launch.energy_mj, launch.energy_u_mj,
    launch.energy_u_common_mj, launch.energy_first_change_mj, launch.energy_first_change_u_mj,
    launch.charge_mc, launch.charge_u_mc, launch.mean_current_ma, launch.mean_current_u_ma,
    launch.memory_kb, launch.network_bytes, launch.cpu_ms, launch.cpu_mhz, launch.cpu_most_mhz,
    setup.launch_from
FROM launch JOIN session ON session.id = launch.session_id JOIN setup ON setup.id = launch.setup_id
WHERE launch.kept = 1;
