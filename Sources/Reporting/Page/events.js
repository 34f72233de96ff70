// The list of events, and what is known about the one that is selected.

const eventSigns = {enter: '▼', exit: '▲', dwell: '◆', visit: '●', state: '■', problem: '!', 'significant-change': '■'};

/** The name of a visit's place: of the fence that holds it, or that of the geocoder, or its position. */
function placeName(visit, fences) {
  return visit.spot?.name ?? (fenceAround(visit, fences)?.id || visit.place || positionText(visit));
}

/** The smallest fence that holds a position; none when there is none. */
function fenceAround(place, fences) {
  let found;
  for (const fence of fences) {
    fence.size ??= fence.radius || ringSize(fence.polygons);
    if ((!found || fence.size < found.size) && holds(fence, place)) found = fence;
  }
  return found;
}

/** Half of what polygons measure across, metres. */
function ringSize(polygons) {
  const [places, start] = [polygons.flat(2), polygons[0][0][0][1]];
  const latitudes = places.map(([latitude]) => latitude);
  const longitudes = places.map(([, longitude]) => longitudeNear(longitude, start));
  const least = (values) => values.reduce((a, b) => Math.min(a, b));
  const most = (values) => values.reduce((a, b) => Math.max(a, b));
  return metres(least(latitudes), least(longitudes), most(latitudes), most(longitudes)) / 2;
}

/** Whether a fence holds a position: edges are straight in longitude and latitude, as for the engine. */
function holds(fence, {latitude, longitude}) {
  if (!fence.polygons) return metres(fence.latitude, fence.longitude, latitude, longitude) <= fence.radius;
  let isInside = false;
  for (const ring of fence.polygons.flat()) {
    let [lat1, lon1] = ring[ring.length - 1];
    lon1 = longitudeNear(lon1, longitude);
    for (const [lat2, lon] of ring) {
      const lon2 = longitudeNear(lon, lon1);
      if ((lat1 > latitude) !== (lat2 > latitude)
        && longitude < lon1 + ((latitude - lat1) / (lat2 - lat1)) * (lon2 - lon1)) isInside = !isInside;
      [lat1, lon1] = [lat2, lon2];
    }
  }
  return isInside;
}

const positionText = (place) => `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`;

/** What happened, in words. @param {any} event */
function eventText(event, fences) {
  const fence = () => nameElement(event.fence);
  switch (event.type) {
    case 'enter': return ['Entered ', fence()];
    case 'exit': return ['Left ', fence(), event.duration === undefined ? '' : ` after ${durationText(event.duration)}`];
    case 'dwell': return ['In ', fence(), ` for ${durationText(event.duration)}`];
    case 'state': return [event.state === 'unknown' ? 'Unknown whether inside ' : `First seen ${event.state} `, fence()];
    case 'visit': return ['Visit of ', nameElement(placeName(event, fences)),
      event.to ? ` for ${durationText((event.to - event.from) / 1000)}` : ', which goes on'];
    case 'significant-change': return ['Moved far'];
    case 'status': return [event.state === 'fix' ? 'Positions come again' : `No position: ${event.message || event.state}`];
    default: return [nameElement(event.message || event.type)];
  }
}

/** An event in the list. @param {any} event @param {PageSelection} selection @param {(string|Node)[]} more */
function eventItem(event, selection, more) {
  const sign = element('span', {class: `sign ${event.type}`, 'aria-hidden': 'true'}, eventSigns[event.type] || '■');
  const time = Number.isNaN(event.at) ? 'no time' : timeElement(event.at);
  const doubt = event.timeUncertainty ?? event.arrivalUncertainty;
  event.button = element('button', {type: 'button', 'data-id': event.id}, sign,
    element('span', {class: 'times'}, time, doubt >= 0.05 ? ` ± ${durationText(doubt)}` : ''),
    element('span', {class: 'what'}, ...eventText(event, selection.model.fences), ...more));
  event.button.addEventListener('click', () => selection.select(event));
  return element('li', {}, event.button);
}

/** The list of all events of the span. @param {PageSelection} selection */
function showEvents(selection) {
  const several = selection.model.tracks.length > 1;
  let day = '';
  const items = [];
  for (const event of selection.events()) {
    if (!Number.isNaN(event.at) && dayText(event.at) !== day) {
      day = dayText(event.at);
      items.push(element('li', {class: 'day'}, day));
    }
    items.push(eventItem(event, selection, several ? [' · ', nameElement(event.device)] : []));
  }
  if (!items.length) items.push(element('li', {class: 'none'}, 'No events.'));
  document.getElementById('events').replaceChildren(...items);
}

/**
 * Marks the selected event, and shows what is known about it.
 * @param {PageSelection} selection @param {(event: any) => (string|Node)[]} more what else
 */
function showDetail(selection, more) {
  const {event} = selection;
  for (const chosen of document.querySelectorAll('#events [aria-current]')) chosen.removeAttribute('aria-current');
  const detail = document.getElementById('detail');
  detail.hidden = !event;
  if (!event) return;
  event.button?.setAttribute('aria-current', 'true');
  event.button?.scrollIntoView({block: 'nearest'});
  const what = eventText(event, selection.model.fences);
  const close = element('button', {type: 'button', class: 'close'}, 'Close');
  close.addEventListener('click', () => {
    selection.select(null);
    event.button?.focus();
  });
  detail.replaceChildren(element('h3', {}, ...what), facts(event), ...more(event), close);
  document.getElementById('live').textContent = detail.querySelector('h3').textContent;
}

/** @param {any} event */
function facts(event) {
  const rows = [['Device', nameElement(event.device)]];
  const moment = (name, time, doubt) => {
    if (time === undefined || time === null) return;
    const at = Date.parse(time);
    rows.push([name, element('span', {}, timeElement(at), doubt === undefined ? '' : ` ± ${durationText(doubt)}`)]);
  };
  moment('Arrival', event.arrival, event.arrivalUncertainty);
  moment('Departure', event.departure, event.departureUncertainty);
  if (!event.arrival) moment('Time', event.time, event.timeUncertainty);
  moment('Decided', event.decided);
  if (event.latitude !== undefined) {
    rows.push(['Position', `${event.latitude.toFixed(6)}, ${event.longitude.toFixed(6)}`]);
  }
  if (event.accuracy !== undefined) rows.push(['Accuracy', `${lengthText(event.accuracy)} (68 %)`]);
  if (event.confidence !== undefined) rows.push(['Confidence', `${(event.confidence * 100).toFixed(1)} %`]);
  if (event.interpolated !== undefined) rows.push(['Placed', event.interpolated ? 'between two fixes' : 'at a fix']);
  if (event.speed !== undefined) rows.push(['Speed', speedText(event.speed)]);
  rows.push(['Id', event.id]);
  return element('dl', {}, ...rows.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

/** Why the engine reported an event, as `explain` says it. @param {any} event */
function reasons(event) {
  if (!event.reasons) return '';
  return element('section', {class: 'reasons', 'aria-label': 'Why'},
    ...event.reasons.flat().map((line) => element('p', {dir: 'auto'}, line)), element('small', {}, 'Times in UTC.'));
}

/** Up and down move in the list of events. @param {KeyboardEvent} key */
function moveInList(key) {
  const button = /** @type {HTMLElement} */ (document.activeElement);
  if (!button || !button.closest('#events') || !['ArrowDown', 'ArrowUp'].includes(key.key)) return;
  const all = [...document.querySelectorAll('#events button')];
  const next = all[all.indexOf(button) + (key.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  key.preventDefault();
  /** @type {HTMLElement} */ (next).focus();
}
