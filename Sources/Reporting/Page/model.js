// The data of a report: columns become tracks, lines of the event log become events.

/** @param {any} device @returns {Track} */
function trackOf(device) {
  const count = device.count;
  /** @type {Track} */
  const track = {
    name: device.name, count,
    time: column(device.time, 1, true),
    latitude: column(device.latitude, 1e-7),
    longitude: column(device.longitude, 1e-7),
    accuracy: known(device.accuracy, 0.1),
    speed: known(device.speed, 0.01),
    dropped: new Uint8Array(count),
    begins: new Uint8Array(count),
    distance: new Float64Array(count),
    moving: new Float64Array(count),
    estimates: {
      count: device.estimates,
      time: column(device.estimateTime, 1, true),
      latitude: column(device.estimateLatitude, 1e-6),
      longitude: column(device.estimateLongitude, 1e-6),
      accuracy: Float32Array.from(column(device.estimateAccuracy, 0.1)),
      inside: new Map(device.inside.map((inside) => [
        inside.fence, {index: column(inside.index), share: column(inside.share, 1 / 200)},
      ])),
    },
  };
  for (const index of column(device.dropped)) track.dropped[index] = 1;
  for (const index of column(device.begins)) track.begins[index] = 1;
  follow(track);
  return track;
}

/**
 * The events that stand: of an event that was reported again, the last report; none that was retracted.
 * @param {any[]} lines the event log @param {number} center
 */
function standing(lines, center) {
  const byID = new Map();
  for (const line of lines) {
    if (line.retracted) byID.delete(line.id);
    else byID.set(line.id, line);
  }
  const events = [...byID.values()].map((line) => readEvent(line, center));
  return events.sort((a, b) => (a.at || 0) - (b.at || 0));
}

/** The model of the page. */
function readModel() {
  const raw = JSON.parse(document.getElementById('data').textContent);
  const tracks = raw.devices.map(trackOf);
  // All that is shown lies around the first fix.
  const center = tracks.find((track) => track.count)?.longitude[0] ?? 0;
  for (const track of tracks) {
    unwrap(track.longitude, center);
    unwrap(track.estimates.longitude, track.longitude[0] ?? center);
  }
  const events = standing(raw.events, center);
  // Visits are of one place when their circles meet.
  findPlaces(events, raw.fences, 2 * raw.visitRadius);
  const byID = new Map(events.map((event) => [event.id, event]));
  for (const {id, lines} of raw.reasons) {
    const event = byID.get(id);
    // A visit has a reason for its arrival and one for its departure.
    if (event) event.reasons = [...(event.reasons ?? []), lines];
  }
  return {
    tracks, center, events, fences: raw.fences, towns: raw.towns,
    baseMap: raw.baseMap, tiles: raw.tiles, hindsight: raw.hindsight,
  };
}
