// What both pages know of tracks and events, and the numbers of columns.

/**
 * A device's track in the order of time.
 * @typedef {object} Track
 * @property {string} name
 * @property {number} count
 * @property {Float64Array} time milliseconds since 1970
 * @property {Float64Array} latitude degrees
 * @property {Float64Array} longitude degrees
 * @property {Float32Array} accuracy metres; NaN when unknown
 * @property {Float32Array} speed metres per second: as reported, else from the step before
 * @property {Uint8Array} dropped 1 where the engine dropped the fix
 * @property {Uint8Array} begins 1 where nothing leads to the fix: after a jump, and where a segment or track begins
 * @property {Float64Array} distance metres along the used fixes so far
 * @property {Float64Array} moving seconds in steps faster than half a walk so far
 * @property {Estimates} estimates
 *
 * @typedef {object} Estimates
 * @property {number} count
 * @property {Float64Array} time
 * @property {Float64Array} latitude
 * @property {Float64Array} longitude
 * @property {Float32Array} accuracy metres
 * @property {Map<number, Inside>} inside by the index of the fence
 *
 * @typedef {{index: Float64Array, share: Float64Array}} Inside where the probability changes, and to what
 */

/** A slower step counts as standing still, metres per second; `waymark info` has the same rule. */
const movingSpeed = 0.5;
/** A longer silence breaks the line of a track, milliseconds. */
const silence = 600e3;

/** @param {string} text base64 @returns {Uint8Array} */
function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * The numbers of a column.
 * @param {string} text
 * @param {number} scale what a unit of the column is
 * @param {boolean} regular whether changes of the difference are stored
 * @returns {Float64Array}
 */
function column(text, scale = 1, regular = false) {
  const bytes = bytesOf(text);
  let count = 0;
  for (const byte of bytes) if (byte < 128) count++;
  const values = new Float64Array(count);
  let [at, last, step] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    const difference = value % 2 ? -(value + 1) / 2 : value / 2;
    step = regular ? step + difference : difference;
    last += step;
    values[i] = last * scale;
  }
  return values;
}

/** Values of which 0 is unknown. @param {string} text @param {number} scale */
function known(text, scale) {
  return Float32Array.from(column(text), (value) => (value ? (value - 1) * scale : NaN));
}

/**
 * Metres between two places that are near each other, on the ellipsoid WGS 84.
 *
 * Right to 1e-5 for steps of some kilometres.
 */
function metres(lat1, lon1, lat2, lon2) {
  const radian = Math.PI / 180;
  const sine = Math.sin(((lat1 + lat2) / 2) * radian);
  const w = 1 - 0.00669437999014 * sine * sine;
  const meridian = (6378137 * (1 - 0.00669437999014)) / (w * Math.sqrt(w));
  const east = ((lon2 - lon1 + 540) % 360) - 180;
  const parallel = (6378137 / Math.sqrt(w)) * Math.sqrt(1 - sine * sine);
  return Math.hypot((lat2 - lat1) * radian * meridian, east * radian * parallel);
}

/** A longitude at most half the Earth from another, so that no line goes round it. */
const longitudeNear = (longitude, other) => longitude - 360 * Math.round((longitude - other) / 360);

/** Makes a line of longitudes go on over the antimeridian. @param {Float64Array} longitudes */
function unwrap(longitudes, start) {
  for (let i = 0; i < longitudes.length; i++) {
    if (Math.abs(longitudes[i] - start) > 180) longitudes[i] = longitudeNear(longitudes[i], start);
    start = longitudes[i];
  }
}

/** Longer steps are gaps, as for `waymark info`: seconds. @param {Track} track */
function gapLength(track) {
  const used = track.time.filter((_, i) => !track.dropped[i]);
  const steps = used.subarray(1).map((time, i) => (time - used[i]) / 1000).sort();
  return Math.max(300, steps.length < 5 ? 0 : 5 * steps[(steps.length - 1) >> 1]);
}

/** Distance and moving time without gaps and jumps, and missing speeds. @param {Track} track */
function follow(track) {
  const gap = gapLength(track);
  let last = -1;
  let begins = false;
  let [distance, moving] = [0, 0];
  for (let i = 0; i < track.count; i++) {
    // What follows a dropped fix that begins a segment is of the new segment too.
    if (track.begins[i]) begins = true;
    if (!track.dropped[i]) {
      if (last >= 0) {
        const step = metres(
          track.latitude[last], track.longitude[last], track.latitude[i], track.longitude[i]);
        const seconds = (track.time[i] - track.time[last]) / 1000;
        if (seconds <= gap && !begins) {
          distance += step;
          if (seconds > 0 && step / seconds > movingSpeed) moving += seconds;
        }
        if (Number.isNaN(track.speed[i]) && seconds > 0) track.speed[i] = step / seconds;
      }
      last = i;
      begins = false;
    }
    track.distance[i] = distance;
    track.moving[i] = moving;
  }
}

/**
 * The first index whose time is not before a time.
 * @param {Float64Array} times ascending @param {number} time
 */
function indexAt(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Probability of being inside a fence at an estimate. @param {Inside} inside @param {number} index */
function shareAt(inside, index) {
  const place = indexAt(inside.index, index + 1) - 1;
  return place < 0 ? 0 : inside.share[place];
}

/**
 * A line of the event log, with its times in milliseconds and its place on the map.
 * @param {any} event @param {number} center the longitude around which all is shown
 */
function readEvent(event, center) {
  event.at = Date.parse(event.time);
  if (event.type === 'visit') {
    event.from = Date.parse(event.arrival);
    event.to = event.departure ? Date.parse(event.departure) : null;
    event.at = event.from;
  }
  if (event.latitude !== undefined) {
    event.shownLongitude = longitudeNear(event.longitude, center);
    event.x = worldX(event.shownLongitude);
    event.y = worldY(event.latitude);
  }
  return event;
}
