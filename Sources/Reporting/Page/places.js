// The places of a report: visits near each other are visits of one place.

/**
 * Gives each visit its place.
 *
 * Visits that a fence holds have the fence as their place. Each other visit, in the order of time, belongs to
 * the nearest place that has a visit within reach, or else begins a place. What the geocoder says is only a
 * label: it joins nothing, and places with the same label have their positions too.
 * @param {any[]} events in the order of time @param {any[]} fences @param {number} reach metres
 */
function findPlaces(events, fences, reach) {
  const visits = events.filter((event) => event.type === 'visit');
  const ofFences = new Map();
  /** Visits that others are compared with, and their places. */
  const anchors = [];
  const nearest = (visit, isOne = (_) => true) => {
    let [found, least] = [undefined, reach];
    for (const anchor of anchors) {
      if (!isOne(anchor.spot)) continue;
      const distance = metres(anchor.latitude, anchor.longitude, visit.latitude, visit.longitude);
      if (distance <= least && (!found || distance < least)) [found, least] = [anchor.spot, distance];
    }
    return found;
  };
  const begin = (visit, spot) => {
    anchors.push({latitude: visit.latitude, longitude: visit.longitude, spot});
    return spot;
  };
  for (const visit of visits) {
    const fence = fenceAround(visit, fences);
    if (!fence) continue;
    if (!ofFences.has(fence)) ofFences.set(fence, {name: fence.id});
    visit.spot = ofFences.get(fence);
    if (!nearest(visit, (spot) => spot === visit.spot)) begin(visit, visit.spot);
  }
  const others = new Set();
  for (const visit of visits) {
    if (visit.spot) continue;
    visit.spot = nearest(visit) ?? begin(visit, {label: '', position: positionText(visit)});
    if (visit.spot.name) continue;
    visit.spot.label ||= visit.place ?? '';
    others.add(visit.spot);
  }
  const labels = [...ofFences.keys()].map((fence) => fence.id).concat([...others].map((spot) => spot.label));
  for (const spot of others) {
    const isOne = labels.indexOf(spot.label) === labels.lastIndexOf(spot.label);
    spot.name = !spot.label ? spot.position : isOne ? spot.label : `${spot.label} (${spot.position})`;
  }
}
