// Coasts and borders of Natural Earth, drawn as land on water.

/** Rings as places of the world, with their boxes. */
class BaseMap {
  /** @param {string} text the file of the base map in base64, read when it is drawn for the first time */
  constructor(text) {
    this.text = text;
    /** @type {{points: Float64Array, box: number[]}[]} */
    this.rings = [];
  }

  read() {
    // The numbers of the file are differences of their own; a column sums them up, so undo that.
    const sums = column(this.text);
    const value = (i) => sums[i] - (i ? sums[i - 1] : 0);
    let [at, x, y] = [0, 0, 0];
    while (at < sums.length) {
      const count = value(at++);
      const points = new Float64Array(2 * count);
      let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < count; i++) {
        x += value(at++);
        y += value(at++);
        const [wx, wy] = [worldX(x / 500), worldY(y / 500)];
        points[2 * i] = wx;
        points[2 * i + 1] = wy;
        west = Math.min(west, wx);
        east = Math.max(east, wx);
        north = Math.min(north, wy);
        south = Math.max(south, wy);
      }
      this.rings.push({points, box: [west, north, east, south]});
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {View} view @param {Colours} colours */
  draw(context, view, colours) {
    if (!this.rings.length) this.read();
    context.fillStyle = colours.water;
    context.fillRect(0, 0, view.width, view.height);
    const path = new Path2D();
    // Beyond the antimeridian the world begins again.
    for (let world = Math.floor(view.box[0]); world < view.box[2]; world++) {
      this.trace(path, view.moved(world));
    }
    context.fillStyle = colours.land;
    context.fill(path, 'evenodd');
    context.strokeStyle = colours.border;
    context.lineWidth = 1;
    context.stroke(path);
  }

  /** Adds the rings in view to a path. @param {Path2D} path @param {View} view */
  trace(path, view) {
    for (const ring of this.rings) {
      if (!view.meets(ring.box, 0)) continue;
      const points = clip(ring.points, view);
      let [lastX, lastY] = [NaN, NaN];
      for (let i = 0; i < points.length; i += 2) {
        const [x, y] = [view.px(points[i]), view.py(points[i + 1])];
        if (i && Math.abs(x - lastX) < 0.7 && Math.abs(y - lastY) < 0.7) continue;
        if (i) path.lineTo(x, y);
        else path.moveTo(x, y);
        [lastX, lastY] = [x, y];
      }
      path.closePath();
    }
  }
}

/**
 * The part of a ring around the view (Sutherland and Hodgman, 1974): far vertices would lose precision.
 * @param {Float64Array} points @param {View} view
 */
function clip(points, view) {
  if (view.zoom < 7) return points;
  const [west, north, east, south] = view.box;
  const margin = east - west;
  const edges = [
    [0, west - margin, 1], [0, east + margin, -1], [1, north - margin, 1], [1, south + margin, -1],
  ];
  let kept = /** @type {ArrayLike<number>} */ (points);
  for (const [axis, limit, sign] of edges) {
    const next = [];
    const count = kept.length;
    for (let i = 0; i < count; i += 2) {
      const j = (i + count - 2) % count;
      const [a, b] = [(kept[j + axis] - limit) * sign, (kept[i + axis] - limit) * sign];
      if (a >= 0 !== b >= 0) {
        const t = a / (a - b);
        next.push(kept[j] + t * (kept[i] - kept[j]), kept[j + 1] + t * (kept[i + 1] - kept[j + 1]));
      }
      if (b >= 0) next.push(kept[i], kept[i + 1]);
    }
    kept = next;
  }
  return kept;
}
