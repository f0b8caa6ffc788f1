// SPDX-License-Identifier: GPL-3.0-or-later
// The film on the screen: fetches frames a little ahead, and draws the one asked for, plain or as
// what differs from an earlier one.

const KEPT_FRAMES = 160;
const AHEAD = 12;
const AT_ONCE = 4;
const GAIN = 12; // of the difference: one level in 255 shows as twelve
const BOX = 5;   // pixels over which it is averaged
const ZOOM_MOST = 16;

function stretched(frame, [low, high]) {
    const out = new ImageData(frame.width, frame.height);
    for (let i = 0; i < frame.data.length; i += 4) {
        for (let c = i; c < i + 3; c++)
            out.data[c] = 255 / (high - low) * (frame.data[c] - low);
        out.data[i + 3] = 255;
    }
    return out;
}

// Grey where nothing changed, averaged over BOX x BOX pixels: noise of single pixels would hide a
// faint change that many of them share. sums[y][x] is of all pixels above and to the left.
function difference(frame, before) {
    const {width, height} = frame;
    const out = new ImageData(width, height);
    const row = width + 1;
    const sums = new Int32Array(row * (height + 1));
    for (let y = 0; y < height; y++) {
        let across = 0;
        for (let x = 0; x < width; x++) {
            const i = 4 * (y * width + x) + 1; // green; films are grey
            across += frame.data[i] - before.data[i];
            sums[(y + 1) * row + x + 1] = sums[y * row + x + 1] + across;
        }
    }
    const reach = (BOX - 1) / 2;
    for (let y = 0; y < height; y++) {
        const top = Math.max(0, y - reach), bottom = Math.min(height, y + reach + 1);
        for (let x = 0; x < width; x++) {
            const left = Math.max(0, x - reach), right = Math.min(width, x + reach + 1);
            const sum = sums[bottom * row + right] - sums[top * row + right] -
                        sums[bottom * row + left] + sums[top * row + left];
            const i = 4 * (y * width + x);
            const level = 128 + GAIN * sum / ((bottom - top) * (right - left));
            out.data[i] = out.data[i + 1] = out.data[i + 2] = level;
            out.data[i + 3] = 255;
        }
    }
    return out;
}

export class View {
    constructor(canvas, onDrawn) {
        this.canvas = canvas;
        this.onDrawn = onDrawn;
        this.source = document.createElement("canvas");
        this.zoom = 1;
        this.centre = [0.5, 0.5];
        this.step = 0; // difference to so many frames before; 0: none
        this.levels = null; // [low, high] that become black and white
        this.close();
        new ResizeObserver(() => this.draw()).observe(canvas);
        this.listen();
    }

    // base: address of a frame without its number
    open(base, count) {
        this.close();
        this.base = base;
        this.count = count;
        this.generation = Symbol();
        this.look(0);
    }

    close() {
        this.base = null;
        this.count = 0;
        this.index = 0;
        this.direction = 1;
        this.frames = new Map(); // index -> ImageData
        this.asked = new Set();
        this.generation = null;
        this.levels = null;
    }

    look(index) {
        if (index !== this.index)
            this.direction = Math.sign(index - this.index);
        this.index = index;
        this.draw();
        this.fetchMore();
    }

    isLoaded(index) {
        return this.frames.has(index);
    }

    wanted() {
        const list = [this.index];
        if (this.step)
            list.push(Math.max(0, this.index - this.step));
        for (let i = 1; i <= AHEAD; i++)
            list.push(this.index + i * this.direction);
        for (let i = 1; i <= 3; i++)
            list.push(this.index - i * this.direction);
        return list.filter(i => i >= 0 && i < this.count);
    }

    fetchMore() {
        for (const index of this.wanted()) {
            if (this.asked.size >= AT_ONCE)
                return;
            if (!this.frames.has(index) && !this.asked.has(index))
                this.fetchFrame(index);
        }
    }

    async fetchFrame(index) {
        const generation = this.generation;
        const asked = this.asked;
        asked.add(index);
        try {
            const answer = await fetch(this.base + index);
            if (!answer.ok)
                throw new Error((await answer.json()).error);
            const bitmap = await createImageBitmap(await answer.blob(),
                                                   {colorSpaceConversion: "none"});
            if (generation !== this.generation)
                return;
            const paper = new OffscreenCanvas(bitmap.width, bitmap.height);
            const pen = paper.getContext("2d", {willReadFrequently: true});
            pen.drawImage(bitmap, 0, 0);
            this.frames.set(index, pen.getImageData(0, 0, bitmap.width, bitmap.height));
            bitmap.close();
            this.forgetFar();
            this.draw();
        } catch (error) {
            if (generation === this.generation)
                this.onDrawn(null, error.message);
            return; // asked stays: a frame that failed is not asked for in a circle
        }
        asked.delete(index);
        this.fetchMore();
    }

    forgetFar() {
        if (this.frames.size <= KEPT_FRAMES)
            return;
        const far = [...this.frames.keys()].sort(
            (a, b) => Math.abs(b - this.index) - Math.abs(a - this.index));
        for (const index of far.slice(0, this.frames.size - KEPT_FRAMES))
            this.frames.delete(index);
    }

    // Black and white at the darkest and brightest half percent of the frame now shown, and kept,
    // so that stretching does not itself change from frame to frame.
    toggleContrast() {
        const frame = this.frames.get(this.index);
        if (this.levels || !frame) {
            this.levels = null;
        } else {
            const counts = new Uint32Array(256);
            for (let i = 1; i < frame.data.length; i += 4)
                counts[frame.data[i]]++;
            const few = frame.data.length / 4 * 0.005;
            let low = 0, high = 255, below = 0, above = 0;
            while (low < 254 && (below += counts[low]) <= few)
                low++;
            while (high > low + 1 && (above += counts[high]) <= few)
                high--;
            this.levels = [low, high];
        }
        this.draw();
        return this.levels !== null;
    }

    setStep(step) {
        this.step = step;
        this.draw();
        this.fetchMore();
    }

    rendered(frame) {
        const before = this.step ? this.frames.get(Math.max(0, this.index - this.step)) : null;
        if (this.step)
            return before ? difference(frame, before) : null;
        return this.levels ? stretched(frame, this.levels) : frame;
    }

    draw() {
        const scale = window.devicePixelRatio || 1;
        const width = Math.round(this.canvas.clientWidth * scale);
        const height = Math.round(this.canvas.clientHeight * scale);
        const frame = this.frames.get(this.index);
        const image = frame ? this.rendered(frame) : null;
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        } else if (!image && this.count) {
            return; // the last picture stays until the next one has come
        }
        const pen = this.canvas.getContext("2d");
        pen.clearRect(0, 0, width, height);
        if (!image)
            return;
        this.source.width = image.width;
        this.source.height = image.height;
        this.source.getContext("2d").putImageData(image, 0, 0);
        const fit = 0.98 * Math.min(width / image.width, height / image.height) * this.zoom;
        const w = image.width * fit, h = image.height * fit;
        // Pixels stay pixels: smoothing would hide which of them changed.
        pen.imageSmoothingEnabled = fit < 1;
        pen.drawImage(this.source, width / 2 - w * this.centre[0], height / 2 - h * this.centre[1],
                      w, h);
        this.drawn = [w / scale, h / scale];
        this.onDrawn(this.index, null);
    }

    setZoom(zoom, at) {
        const old = this.zoom;
        this.zoom = Math.min(ZOOM_MOST, Math.max(1, zoom));
        if (this.zoom === 1) {
            this.centre = [0.5, 0.5];
        } else if (at && this.drawn) { // what is under the pointer stays there
            for (const axis of [0, 1])
                this.centre[axis] += at[axis] / this.drawn[axis] * (1 - old / this.zoom);
        }
        this.canvas.classList.toggle("zoomed", this.zoom > 1);
        this.draw();
    }

    listen() {
        let from = null;
        this.canvas.addEventListener("wheel", event => {
            event.preventDefault();
            const box = this.canvas.getBoundingClientRect();
            this.setZoom(this.zoom * Math.exp(-event.deltaY / 400),
                         [event.clientX - box.left - box.width / 2,
                          event.clientY - box.top - box.height / 2]);
        }, {passive: false});
        this.canvas.addEventListener("pointerdown", event => {
            from = [event.clientX, event.clientY];
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener("pointermove", event => {
            if (!from || this.zoom === 1 || !this.drawn)
                return;
            const to = [event.clientX, event.clientY];
            for (const axis of [0, 1]) {
                const moved = this.centre[axis] - (to[axis] - from[axis]) / this.drawn[axis];
                this.centre[axis] = Math.min(1, Math.max(0, moved));
            }
            from = to;
            this.draw();
        });
        for (const end of ["pointerup", "pointercancel"])
            this.canvas.addEventListener(end, () => { from = null; });
    }
}
