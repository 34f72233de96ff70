// What lies on the map: fences, tracks, estimates, visits, events; each draws itself on a canvas.

/**
 * Colours of a canvas, for light and dark.
 * @typedef {{water: string, land: string, border: string, town: string, halo: string, fence: string,
 *   fenceFill: string, estimate: string, dropped: string, enter: string, exit: string, visit: string,
 *   other: string, cursor: string}} Colours
 */
const palettes = {
  light: {
    water: '#d5e3ec', land: '#f6f4ee', border: '#b3ada0', town: '#5d5a52', halo: '#ffffff',
    fence: '#5b3fa0', fenceFill: 'rgba(91,63,160,0.12)', estimate: '#1769aa', dropped: '#6b6b6b',
    enter: '#0b6e4f', exit: '#b3261e', visit: '#8a5300', other: '#37474f', cursor: '#000000',
  },
  dark: {
    water: '#16222b', land: '#25303a', border: '#5a6670', town: '#a9b4bc', halo: '#10181e',
    fence: '#b9a2f2', fenceFill: 'rgba(185,162,242,0.14)', estimate: '#64b5f6', dropped: '#9aa5ad',
    enter: '#58d6a4', exit: '#ff8a80', visit: '#f2b45c', other: '#cfd8dc', cursor: '#ffffff',
  },
};
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
/** @returns {Colours} */
const colours = () => (darkScheme.matches ? palettes.dark : palettes.light);

/** Speeds from which a step has the next colour, m/s: standing, walking, cycling, town, road, motorway. */
const speedSteps = [0.5, 2.5, 7, 14, 25];
/** From slow to fast; distinct for people who see no red or green, on light and dark land. */
const speedColours = ['#7b3294', '#3f5fd0', '#1190a8', '#23a05a', '#c98a00', '#e0452c'];

/** @param {number} speed */
function speedClass(speed) {
  let at = 0;
  while (at < speedSteps.length && speed >= speedSteps[at]) at++;
  return at;
}

/** @param {CanvasRenderingContext2D} context @param {View} view @param {any[]} fences @param {Colours} palette */
function drawFences(context, view, fences, palette) {
  context.lineWidth = 2;
  context.strokeStyle = palette.fence;
  context.fillStyle = palette.fenceFill;
  for (const fence of fences) {
    const path = new Path2D();
    for (const ring of fence.rings) {
      if (!view.meets(ring.box, 0)) continue;
      const {points} = ring;
      for (let i = 0; i < points.length; i += 2) path.lineTo(view.px(points[i]), view.py(points[i + 1]));
      path.closePath();
    }
    context.fill(path, 'evenodd');
    context.stroke(path);
  }
}

/** Names of fences, where they have room. @param {CanvasRenderingContext2D} context @param {View} view */
function drawFenceNames(context, view, fences, palette) {
  for (const fence of fences) {
    const [ring] = fence.rings;
    if (!ring || !view.meets(ring.box, 0) || (ring.box[2] - ring.box[0]) * view.scale < 12) continue;
    const x = view.px((ring.box[0] + ring.box[2]) / 2);
    drawText(context, fence.id, x, view.py(ring.box[1]) - 6, palette.fence, palette);
  }
}

/** Text with a halo. @param {CanvasRenderingContext2D} context @param {string} text @param {number} x */
function drawText(context, text, x, y, colour, palette, weight = '600') {
  context.font = `${weight} 12px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = palette.halo;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/**
 * The outlines of a fence as places of the world; one around a pole goes along the edge of the map.
 * @param {any} fence of the data @param {number} center the longitude around which they lie
 */
function outlinesOf(fence, center) {
  const rings = fence.polygons ? fence.polygons.flat() : [circlePoints(fence)];
  return {...fence, rings: rings.map((ring) => {
    const places = [];
    let longitude = longitudeNear(ring[0][1], center);
    for (const [latitude, next] of ring) {
      longitude = longitudeNear(next, longitude);
      places.push(worldX(longitude), worldY(latitude));
    }
    // Whole turns from the first place back to it.
    const turns = Math.round(worldX(longitudeNear(ring[0][1], longitude)) - places[0]);
    if (turns) {
      const edge = worldY(ring[0][0] < 0 ? -90 : 90);
      places.push(places[0] + turns, places[1], places[0] + turns, edge, places[0], edge);
    }
    const points = Float64Array.from(places);
    const xs = points.filter((_, i) => i % 2 === 0);
    const ys = points.filter((_, i) => i % 2 === 1);
    return {points, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]};
  })};
}

/** A circle on the ground, as a polygon. @param {{latitude: number, longitude: number, radius: number}} circle */
function circlePoints({latitude, longitude, radius}) {
  const radian = Math.PI / 180;
  const angle = radius / 6371008.8;
  // At a pole itself there is no course; a centimetre away there is.
  const center = Math.max(-89.9999999, Math.min(89.9999999, latitude)) * radian;
  const [sine, cosine] = [Math.sin(center), Math.cos(center)];
  return Array.from({length: 96}, (_, i) => {
    const course = (i / 96) * 2 * Math.PI;
    const lat = Math.asin(sine * Math.cos(angle) + cosine * Math.sin(angle) * Math.cos(course));
    const east = Math.atan2(
      Math.sin(course) * Math.sin(angle) * cosine, Math.cos(angle) - sine * Math.sin(lat));
    return [lat / radian, longitude + east / radian];
  });
}

/** Names of towns, large ones first, where they have room. */
function drawTowns(context, view, towns, center, palette) {
  const taken = [];
  for (const town of towns) {
    // A place of 10,000 is named from zoom 10 on, one of ten millions everywhere.
    if (town.size < 186 - 8 * view.zoom) continue;
    const x = view.px(worldX(longitudeNear(town.longitude, center)));
    const y = view.py(worldY(town.latitude));
    if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
    const half = town.name.length * 3.6 + 8;
    const box = [x - half, y - 10, x + half, y + 14];
    if (taken.some((b) => b[0] < box[2] && b[2] > box[0] && b[1] < box[3] && b[3] > box[1])) continue;
    taken.push(box);
    context.beginPath();
    context.arc(x, y, 2.5, 0, 7);
    context.fillStyle = palette.town;
    context.fill();
    drawText(context, town.name, x, y - 6, palette.town, {halo: palette.land}, '500');
  }
}

/** A line that is drawn in parts: a canvas takes far more than twice the time for a path twice as long. */
class LongPath {
  constructor() {
    /** @type {Path2D[]} */
    this.parts = [];
    this.length = 0;
  }

  /** @param {number} x @param {number} y @param {number} toX @param {number} toY @param {boolean} goesOn whether it ended at x, y */
  add(x, y, toX, toY, goesOn = false) {
    const isNew = this.length++ % partLength === 0;
    if (isNew) this.parts.push(new Path2D());
    const part = this.parts[this.parts.length - 1];
    if (isNew || !goesOn) part.moveTo(x, y);
    part.lineTo(toX, toY);
  }

  /** @param {CanvasRenderingContext2D} context */
  stroke(context) {
    for (const part of this.parts) context.stroke(part);
  }
}

const partLength = 256;

/** The fixes as a line coloured by speed; silences are dashed. @param {Track} track @param {Line} line */
function drawTrack(context, view, track, line, palette) {
  const paths = speedColours.map(() => new LongPath());
  const gaps = new LongPath();
  const ends = new Int32Array(speedColours.length).fill(-1);
  line.forEachStep(view, (from, to) => {
    const isGap = track.time[to] - track.time[from] > silence;
    const kind = speedClass(track.speed[to]);
    (isGap ? gaps : paths[kind]).add(
      view.px(line.x[from]), view.py(line.y[from]), view.px(line.x[to]), view.py(line.y[to]),
      !isGap && ends[kind] === from);
    if (!isGap) ends[kind] = to;
  });
  context.lineCap = context.lineJoin = 'round';
  context.lineWidth = 1;
  context.strokeStyle = palette.dropped;
  context.setLineDash([2, 5]);
  gaps.stroke(context);
  context.setLineDash([]);
  context.lineWidth = view.zoom > 12 ? 4 : 3;
  paths.forEach((path, kind) => {
    context.strokeStyle = speedColours[kind];
    path.stroke(context);
  });
}

/** Single fixes, where they are far apart on the screen, and those that the engine dropped. */
function drawFixes(context, view, track, line, palette) {
  const [first, last] = [indexAt(track.time, view.from), indexAt(track.time, view.until + 1)];
  const visible = [];
  const limit = 1500;
  for (let i = first; i < last && visible.length <= limit; i++) {
    const [x, y] = [view.px(line.x[i]), view.py(line.y[i])];
    if (x > 0 && y > 0 && x < view.width && y < view.height) visible.push([i, x, y]);
  }
  if (visible.length > limit) return;
  for (const [i, x, y] of visible) {
    if (track.dropped[i]) {
      cross(context, x, y, palette.dropped);
    } else if (view.zoom >= 15) {
      context.beginPath();
      context.arc(x, y, 2, 0, 7);
      context.fillStyle = palette.halo;
      context.fill();
    }
  }
}

function cross(context, x, y, colour) {
  context.beginPath();
  context.moveTo(x - 4, y - 4);
  context.lineTo(x + 4, y + 4);
  context.moveTo(x - 4, y + 4);
  context.lineTo(x + 4, y - 4);
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.stroke();
}

/** The band in which the engine believes the device with probability 0.68. */
function drawBand(context, scratch, view, estimates, line, palette) {
  // Thousands of devices that are only points would clear the canvas as often.
  if (line.count < 2) return;
  const canvas = scratch.canvas;
  if (canvas.width !== context.canvas.width || canvas.height !== context.canvas.height) {
    canvas.width = context.canvas.width;
    canvas.height = context.canvas.height;
  }
  scratch.setTransform(context.getTransform());
  scratch.clearRect(0, 0, view.width, view.height);
  scratch.lineCap = 'round';
  scratch.strokeStyle = palette.estimate;
  // One path for each width, because a path has one.
  const paths = new Map();
  line.forEachStep(view, (from, to) => {
    if (estimates.time[to] - estimates.time[from] > silence) return;
    const width = Math.round(2 * view.pixels(estimates.accuracy[to], estimates.latitude[to]));
    if (width < 6) return;
    let path = paths.get(width);
    if (!path) paths.set(width, (path = new LongPath()));
    path.add(view.px(line.x[from]), view.py(line.y[from]), view.px(line.x[to]), view.py(line.y[to]));
  });
  if (!paths.size) return;
  for (const [width, path] of paths) {
    scratch.lineWidth = Math.min(width, 2000);
    path.stroke(scratch);
  }
  context.save();
  context.globalAlpha = 0.16;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(canvas, 0, 0);
  context.restore();
}

/** The line of the estimates, below the track: it shows where the two differ. */
function drawEstimates(context, view, estimates, line, palette) {
  const path = new LongPath();
  let end = -1;
  line.forEachStep(view, (from, to) => {
    if (estimates.time[to] - estimates.time[from] > silence) return;
    path.add(
      view.px(line.x[from]), view.py(line.y[from]), view.px(line.x[to]), view.py(line.y[to]), end === from);
    end = to;
  });
  context.lineWidth = 2;
  context.strokeStyle = palette.estimate;
  path.stroke(context);
}

/** Radius of a visit on the map, pixels, by its hours. */
const visitRadius = (hours) => Math.min(8 + 5 * Math.sqrt(Math.max(hours, 0)), 30);

/** Shape and colour of an event: both tell the kinds apart. */
function drawEvent(context, view, event, palette) {
  const [x, y] = [view.px(event.x), view.py(event.y)];
  const reach = event.accuracy ? view.pixels(event.accuracy, event.latitude) : 0;
  if (x < -reach - 40 || y < -reach - 40 || x > view.width + reach + 40 || y > view.height + reach + 40) return;
  const colour = palette[event.type] || palette.other;
  context.lineWidth = 1.5;
  context.strokeStyle = colour;
  if (event.type === 'visit') {
    const radius = visitRadius(((event.to || view.until) - event.from) / 3600e3);
    disc(context, x, y, radius, colour, 0.25);
  } else if (reach > 7) {
    disc(context, x, y, reach, colour, 0.08);
  }
  marker(context, event.type, x, y, event.type === 'significant-change' ? 4 : 6);
  context.fillStyle = colour;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = palette.halo;
  context.stroke();
}

/** A ring around the selected event. */
function drawRing(context, view, event, palette) {
  context.beginPath();
  context.arc(view.px(event.x), view.py(event.y), 14, 0, 7);
  context.lineWidth = 3;
  context.strokeStyle = palette.cursor;
  context.stroke();
}

function disc(context, x, y, radius, colour, alpha) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
}

/** An enter points in, an exit out; a visit is round, all else a square. */
function marker(context, type, x, y, r) {
  const corners = {
    enter: [[-r, -r], [r, -r], [0, r + 1]],
    exit: [[-r, r], [r, r], [0, -r - 1]],
    dwell: [[0, -r - 1], [r + 1, 0], [0, r + 1], [-r - 1, 0]],
  }[type] || [[-r + 1, -r + 1], [r - 1, -r + 1], [r - 1, r - 1], [-r + 1, r - 1]];
  context.beginPath();
  if (type === 'visit') context.arc(x, y, r - 1, 0, 7);
  else corners.forEach(([dx, dy]) => context.lineTo(x + dx, y + dy));
  context.closePath();
}
