// Tracks for a zoom: points that lie within half a pixel of the last one drawn are left out.

/** Web Mercator, the world as a square of 1. @param {number} longitude */
const worldX = (longitude) => longitude / 360 + 0.5;
/** A latitude on the map, whose edges stand for what lies beyond them. @param {number} latitude */
const mapLatitude = (latitude) => Math.max(-85.0511288, Math.min(85.0511288, latitude));
/** @param {number} latitude */
function worldY(latitude) {
  const sine = Math.sin((mapLatitude(latitude) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

const blockSize = 256;

/**
 * A line of places with times, simplified for every zoom.
 *
 * All of it is drawn at the zooms where no two neighbours lie within half a pixel.
 */
class Line {
  /**
   * @param {Float64Array} latitude @param {Float64Array} longitude @param {Float64Array} time
   * @param {Uint8Array} [left] 1 where a place is left out
   */
  constructor(latitude, longitude, time, left) {
    this.count = latitude.length;
    this.time = time;
    this.left = left;
    this.x = new Float64Array(this.count);
    this.y = new Float64Array(this.count);
    for (let i = 0; i < this.count; i++) {
      this.x[i] = worldX(longitude[i]);
      this.y[i] = worldY(latitude[i]);
    }
    /** @type {Map<number, {indices: Uint32Array, boxes: Float64Array}>} */
    this.levels = new Map();
  }

  /** The places to draw at a zoom, and the boxes of blocks of them. @param {number} zoom */
  level(zoom) {
    const known = this.levels.get(zoom);
    if (known) return known;
    const limit = 0.5 / (256 * 2 ** zoom);
    const {x, y, time, left, count} = this;
    const kept = new Uint32Array(count);
    let [size, last, skipped] = [0, -1, -1];
    for (let i = 0; i < count; i++) {
      if (left && left[i]) continue;
      const near = last >= 0 && Math.abs(x[i] - x[last]) < limit && Math.abs(y[i] - y[last]) < limit;
      const goesOn = skipped < 0 || time[i] - time[skipped] < silence;
      if (near && goesOn) {
        skipped = i;
        continue;
      }
      // The line ends before a silence and begins behind it where the device was.
      if (!goesOn && skipped !== last) kept[size++] = skipped;
      kept[size++] = i;
      last = skipped = i;
    }
    const indices = kept.slice(0, size);
    const level = {indices, boxes: this.boxes(indices)};
    this.levels.set(zoom, level);
    return level;
  }

  /** West, north, east, south of each block, with the step to the next one. @param {Uint32Array} indices */
  boxes(indices) {
    const blocks = Math.ceil(indices.length / blockSize);
    const boxes = new Float64Array(4 * blocks);
    for (let block = 0; block < blocks; block++) {
      let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
      const end = Math.min((block + 1) * blockSize, indices.length - 1);
      for (let i = block * blockSize; i <= end; i++) {
        const [x, y] = [this.x[indices[i]], this.y[indices[i]]];
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < north) north = y;
        if (y > south) south = y;
      }
      boxes.set([west, north, east, south], 4 * block);
    }
    return boxes;
  }

  /**
   * Calls `step` for every step between two places that are drawn and may be in view.
   * @param {View} view @param {(from: number, to: number) => void} step
   */
  forEachStep(view, step) {
    const {indices, boxes} = this.level(view.zoom);
    for (let block = 0; 4 * block < boxes.length; block++) {
      if (!view.meets(boxes, 4 * block)) continue;
      const end = Math.min((block + 1) * blockSize, indices.length - 1);
      for (let i = block * blockSize; i < end; i++) {
        const to = indices[i + 1];
        if (this.time[to] < view.from) continue;
        if (this.time[to] > view.until) break;
        if (this.time[indices[i]] >= view.from) step(indices[i], to);
      }
    }
  }
}

/** The part of the world on the canvas, at a zoom, in a span of time. */
class View {
  /**
   * @param {number} zoom @param {number} left pixels of the world at the left edge @param {number} top
   * @param {number} width @param {number} height @param {number} from @param {number} until
   */
  constructor(zoom, left, top, width, height, from, until) {
    this.zoom = zoom;
    this.left = left;
    this.top = top;
    this.width = width;
    this.height = height;
    this.from = from;
    this.until = until;
    this.scale = 256 * 2 ** zoom;
    this.box = [left / this.scale, top / this.scale, (left + width) / this.scale, (top + height) / this.scale];
  }
  /** The same view of another copy of the world. @param {number} world */
  moved(world) {
    return new View(this.zoom, this.left - world * this.scale, this.top, this.width, this.height, this.from, this.until);
  }
  /** @param {number} x of the world */
  px(x) { return x * this.scale - this.left; }
  /** @param {number} y of the world */
  py(y) { return y * this.scale - this.top; }
  /** Whether a box of an array meets the view. @param {ArrayLike<number>} boxes @param {number} at */
  meets(boxes, at) {
    const [west, north, east, south] = this.box;
    return boxes[at] <= east && boxes[at + 2] >= west && boxes[at + 1] <= south && boxes[at + 3] >= north;
  }
  /** Pixels of a length at a latitude. @param {number} metres @param {number} latitude */
  pixels(metres, latitude) {
    return (metres * this.scale) / (40075016.7 * Math.max(Math.cos((latitude * Math.PI) / 180), 0.01));
  }
}
