// SPDX-License-Identifier: GPL-3.0-or-later
// The annotation page: which film, which frame, which marks. annotate_view.js draws.
import {View} from "./annotate_view.js";

const PLAY_MS = 125; // per frame: eight a second
const FAR = 10;
const DIFFERENCES = [0, 1, FAR];

const $ = id => document.getElementById(id);
const view = new View($("picture"), onDrawn);
let state = {by: null, films: []};
let at = -1; // position of the film in this person's order
let film = null;
let frame = 0;
let marks = emptyMarks();
let upright = true;
let playing = null;
let busy = false;
const skipped = new Set();

function emptyMarks() {
    return {first: null, settled: null, cannot: false};
}

function say(text, bad = false) {
    $("message").textContent = text;
    $("message").classList.toggle("bad", bad);
}

async function ask(path, body) {
    const options = body ? {method: "POST", headers: {"Content-Type": "application/json"},
                            body: JSON.stringify(body)} : {};
    let answer;
    try {
        answer = await fetch(path, options);
    } catch {
        throw new Error("Touchstone does not answer: is it still running in the terminal?");
    }
    const object = await answer.json();
    if (!answer.ok)
        throw new Error(object.error);
    return object;
}

function onDrawn(index, error) {
    if (error)
        say(error, true);
    $("wait").hidden = true;
}

function press(id, on) {
    $(id).setAttribute("aria-pressed", String(on));
}

function place(id, index) {
    $(id).hidden = index === null;
    if (index === null || !film)
        return;
    // The thumb's middle does not reach the track's ends.
    const share = film.frames > 1 ? index / (film.frames - 1) : 0;
    $(id).style.left = `calc(var(--thumb) / 2 + ${share} * (100% - var(--thumb)))`;
}

function show() {
    $("scrub").value = String(frame);
    $("frame").textContent = film ? `frame ${frame} of ${film.frames - 1}` : "";
    $("picture").setAttribute("aria-label", film ? `Frame ${frame} of the film` : "No film");
    for (const name of ["first", "settled"]) {
        const index = marks[name];
        $(`${name}-at`).textContent = index === null ? "not marked" : `frame ${index}`;
        press(name, index !== null);
        place(`flag-${name}`, index);
    }
    press("cannot", marks.cannot);
    press("play", playing !== null);
    press("difference", view.step > 0);
    press("contrast", view.levels !== null);
    press("upright", Boolean(film?.upright && upright));
    press("zoom", view.zoom > 1);
    $("upright").disabled = !film?.upright;
    $("next").disabled = busy || !film;
    // Not on the picture, of which it would hide a part.
    $("difference-to").textContent =
        view.step ? `to frame ${Math.max(0, frame - view.step)}` : "off";
}

function go(to) {
    if (!film)
        return;
    frame = Math.min(film.frames - 1, Math.max(0, to));
    view.look(frame);
    show();
}

function stop() {
    clearInterval(playing);
    playing = null;
}

function play() {
    if (playing !== null || !film) {
        stop();
    } else {
        playing = setInterval(() => {
            if (frame + 1 >= film.frames)
                stop();
            else if (view.isLoaded(frame + 1))
                go(frame + 1);
            show();
        }, PLAY_MS);
    }
    show();
}

function mark(name) {
    if (!film)
        return;
    if (marks[name] === frame) { // once more takes it back
        marks[name] = null;
        say("");
    } else if (frame === 0) {
        say("Frame 0 has no frame before it: a change that it shows began earlier.", true);
    } else {
        marks[name] = frame;
        const wrong = marks.first !== null && marks.settled !== null && marks.settled < marks.first;
        say(wrong ? "It cannot have settled before the first change." : "", wrong);
    }
    show();
}

function openPictures() {
    const kind = film.upright && upright ? "upright" : "camera";
    view.open(`/api/film/${at}/${kind}/`, film.frames);
    view.look(frame);
}

// The next film that is neither marked nor put aside, from the present one onwards.
function nextOpen() {
    const count = state.films.length;
    for (let i = 1; i <= count; i++) {
        const index = (at + i) % count;
        if (!state.films[index].done && !skipped.has(index))
            return index;
    }
    return -1;
}

function showPlace() {
    const done = state.films.filter(one => one.done).length;
    $("who").textContent = state.by ?? "";
    $("where").textContent = state.films.length === 1
        ? "one film" : `${done} of ${state.films.length} films marked`;
}

async function nextFilm() {
    stop();
    view.close();
    film = null;
    marks = emptyMarks();
    frame = 0;
    $("note").value = "";
    at = nextOpen();
    $("desk").hidden = at < 0;
    $("end").hidden = at >= 0;
    showPlace();
    show();
    if (at < 0)
        return;
    $("wait").hidden = false;
    try {
        film = await ask(`/api/film/${at}`);
    } catch (error) {
        $("wait").hidden = true;
        skipped.add(at);
        await nextFilm();
        say(error.message, true);
        return;
    }
    $("scrub").max = String(film.frames - 1);
    view.setZoom(1);
    openPictures();
    show();
}

async function keep() {
    if (!film || busy)
        return;
    busy = true;
    show();
    try {
        state = await ask(`/api/film/${at}/marks`, {
            first_change_frame: marks.first,
            settled_frame: marks.settled,
            cannot_tell: marks.cannot,
            note: $("note").value.trim(),
        });
        busy = false;
        await nextFilm();
        say("Kept.");
    } catch (error) {
        busy = false;
        say(error.message, true);
    }
    show();
}

function cycleDifference() {
    view.setStep(DIFFERENCES[(DIFFERENCES.indexOf(view.step) + 1) % DIFFERENCES.length]);
    show();
}

function toggleUpright() {
    if (!film?.upright)
        return;
    upright = !upright;
    openPictures();
    show();
}

function zoom(factor) {
    view.setZoom(factor ? view.zoom * factor : 1);
    show();
}

function about() {
    stop();
    const known = Boolean(state.by);
    $("name").value = state.by ?? "";
    $("name").hidden = $("name-label").hidden = known;
    $("start").querySelector("button").textContent = known && film ? "Go on" : "Start";
    $("name-message").textContent = "";
    $("about").showModal();
    $("about").scrollTop = 0; // the name in focus stands at the end
}

async function start(event) {
    if (state.by && film)
        return; // only closes
    event.preventDefault();
    try {
        if (!state.by)
            state = await ask("/api/by", {by: $("name").value});
        $("about").close();
        await nextFilm();
    } catch (error) {
        $("name-message").textContent = error.message;
    }
}

const keys = {
    ArrowLeft: event => go(frame - (event.shiftKey ? FAR : 1)),
    ArrowRight: event => go(frame + (event.shiftKey ? FAR : 1)),
    Home: () => go(0),
    End: () => go(Infinity),
    " ": play,
    f: () => mark("first"),
    s: () => mark("settled"),
    c: () => { marks.cannot = !marks.cannot; show(); },
    n: () => $("note").focus(),
    d: cycleDifference,
    x: () => { view.toggleContrast(); show(); },
    u: toggleUpright,
    "+": () => zoom(1.5),
    "=": () => zoom(1.5),
    "-": () => zoom(1 / 1.5),
    "0": () => zoom(0),
    Enter: keep,
    "?": about,
};

document.addEventListener("keydown", event => {
    if ($("about").open || event.ctrlKey || event.altKey || event.metaKey)
        return;
    const writing = event.target === $("note");
    if (writing && (event.key === "Escape" || event.key === "Enter")) {
        event.preventDefault();
        $("note").blur();
        return;
    }
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (writing || !act || $("desk").hidden)
        return;
    // A button in focus would take Space and Enter for itself.
    event.preventDefault();
    if (event.repeat && ["Enter", " ", "f", "s", "c", "d", "x", "u"].includes(event.key))
        return;
    act(event);
});

for (const [id, key] of [["play", " "], ["first", "f"], ["settled", "s"], ["cannot", "c"],
                         ["difference", "d"], ["contrast", "x"], ["upright", "u"],
                         ["next", "Enter"], ["help", "?"]])
    $(id).addEventListener("click", keys[key]);
$("zoom").addEventListener("click", () => zoom(view.zoom > 1 ? 0 : 3));
$("picture").addEventListener("wheel", () => press("zoom", view.zoom > 1));
$("scrub").addEventListener("input", () => go(Number($("scrub").value)));
$("start").addEventListener("submit", start);
$("about").addEventListener("cancel", event => {
    if (!film)
        event.preventDefault(); // without a name there is nothing to show behind it
});

try {
    state = await ask("/api/state");
    showPlace();
    about();
} catch (error) {
    $("desk").hidden = false;
    say(error.message, true);
}
