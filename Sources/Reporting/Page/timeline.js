// Visits and the trips between them, hours per place, totals.

/**
 * The visits of the span and the trips between them, in the order of time.
 * @param {PageSelection} selection
 */
function stretches(selection) {
  /** @type {{track: any, from: number, to: number, visit?: any, trip?: any}[]} */
  const found = [];
  for (const track of selection.model.tracks) {
    if (!selection.has(track)) continue;
    const visits = selection.events().filter((e) => e.type === 'visit' && e.device === track.name);
    // Of a day of a long visit there may be no fix, and so no trip.
    const [first, last] = selection.range(track);
    const end = first < last ? track.time[last - 1] : -Infinity;
    let time = first < last ? track.time[first] : Infinity;
    const addTrip = (until) => {
      const [a, b] = [indexAt(track.time, time), indexAt(track.time, until + 1)];
      const trip = sums(track, a + 1, b);
      if (until - time > 30e3 && trip.distance > 100) found.push({track, from: time, to: until, trip});
    };
    for (const visit of visits) {
      addTrip(visit.from);
      const to = selection.end(visit);
      found.push({track, from: visit.from, to, visit});
      time = Math.max(time, to);
    }
    addTrip(end);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** @param {PageSelection} selection */
function showTimeline(selection) {
  const several = selection.model.tracks.filter((track) => selection.has(track)).length > 1;
  const items = stretches(selection).map((stretch) => {
    const {visit, trip, from, to, track} = stretch;
    const what = visit
      ? [nameElement(placeName(visit, selection.model.fences)), ` for ${durationText((to - from) / 1000)}`]
      : [`Trip of ${lengthText(trip.distance)} in ${durationText((to - from) / 1000)}`];
    const button = element('button', {type: 'button', class: visit ? 'visit' : 'trip'},
      element('span', {class: 'times'}, timeElement(from, clockText(from).slice(0, 5)), ' – ',
        visit && !visit.departure ? 'stays' : timeElement(to, clockText(to).slice(0, 5))),
      element('span', {class: 'what'}, ...what, ...(several ? [' · ', nameElement(track.name)] : [])));
    button.addEventListener('click', () => {
      if (visit) selection.select(visit);
      else selection.setNow(to);
    });
    return element('li', {}, button);
  });
  if (!items.length) items.push(element('li', {class: 'none'}, 'No visits, and no trips longer than 100 m.'));
  document.getElementById('timeline').replaceChildren(...items);
}

/** @param {PageSelection} selection */
function showPlaces(selection) {
  const hours = new Map();
  for (const {visit, from, to} of stretches(selection)) {
    if (!visit) continue;
    // A day ends a millisecond before the next one.
    const span = Math.min(to, selection.until + 1) - Math.max(from, selection.from);
    hours.set(visit.spot, (hours.get(visit.spot) || 0) + span);
  }
  const list = [...hours].sort((a, b) => b[1] - a[1]);
  const most = list.length ? list[0][1] : 1;
  document.getElementById('places').replaceChildren(...list.map(([{name}, time]) => {
    const meter = element('span', {class: 'bar'});
    meter.style.width = `${(time / most) * 100}%`;
    return element('li', {}, meter, nameElement(name),
      element('span', {class: 'amount'}, durationText(time / 1000)));
  }));
}

/** @param {PageSelection} selection */
function showTotals(selection) {
  let [distance, moving, count, dropped] = [0, 0, 0, 0];
  for (const track of selection.model.tracks) {
    if (!selection.has(track)) continue;
    const [first, last] = selection.range(track);
    const sum = sums(track, first, last);
    distance += sum.distance;
    moving += sum.moving;
    count += sum.count;
    for (let i = first; i < last; i++) dropped += track.dropped[i];
  }
  const rows = [
    ['Distance', lengthText(distance)], ['Moving', durationText(moving)],
    ['Events', String(selection.events().length)],
    ['Fixes', dropped ? `${count} (${dropped} dropped)` : String(count)],
  ];
  document.getElementById('totals').replaceChildren(...rows.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}
