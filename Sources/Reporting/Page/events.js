// The list of events, and what the engine knew about the one that is selected.

const eventSigns = {enter: '▼', exit: '▲', dwell: '◆', visit: '●', state: '■', problem: '!', 'significant-change': '■'};

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
    default: return [nameElement(event.message || event.type)];
  }
}

/** The list of all events of the span. @param {Selection} selection */
function showEvents(selection) {
  const several = selection.model.tracks.length > 1;
  let day = '';
  const items = [];
  for (const event of selection.events()) {
    if (!Number.isNaN(event.at) && dayText(event.at) !== day) {
      day = dayText(event.at);
      items.push(element('li', {class: 'day'}, day));
    }
    const sign = element('span', {class: `sign ${event.type}`, 'aria-hidden': 'true'}, eventSigns[event.type] || '■');
    const time = Number.isNaN(event.at) ? 'no time' : timeElement(event.at);
    const doubt = event.timeUncertainty ?? event.arrivalUncertainty;
    const button = element('button', {type: 'button', 'data-id': event.id}, sign,
      element('span', {class: 'times'}, time, doubt >= 0.05 ? ` ± ${durationText(doubt)}` : ''),
      element('span', {class: 'what'}, ...eventText(event, selection.model.fences),
        ...(several ? [' · ', nameElement(event.device)] : [])));
    button.addEventListener('click', () => selection.select(event));
    event.button = button;
    items.push(element('li', {}, button));
  }
  if (!items.length) items.push(element('li', {class: 'none'}, 'No events.'));
  document.getElementById('events').replaceChildren(...items);
}

/** Marks the selected event, and shows what was known. @param {Selection} selection */
function showDetail(selection) {
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
  detail.replaceChildren(element('h3', {}, ...what), facts(event), evidence(selection, event), close);
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

/** The estimates around an event, and how probable it was then that the device was inside. */
function evidence(selection, event) {
  const track = selection.model.tracks.find((t) => t.name === event.device);
  const fence = selection.model.fences.findIndex((f) => f.id === event.fence);
  if (!track || Number.isNaN(event.at)) return '';
  const {estimates} = track;
  const inside = estimates.inside.get(fence);
  const decided = Date.parse(event.decided);
  const first = Math.max(indexAt(estimates.time, event.at) - 3, 0);
  const last = Math.min(Math.max(indexAt(estimates.time, decided + 1), first + 4) + 1, estimates.count);
  const step = Math.max(1, Math.ceil((last - first) / 12));
  const rows = [];
  for (let i = first; i < last; i += step) {
    const share = fence < 0 ? '' : `${Math.round(100 * (inside ? shareAt(inside, i) : 0))} %`;
    const isDecided = estimates.time[i] <= decided && !(estimates.time[i + step] <= decided);
    rows.push(element('tr', isDecided ? {class: 'decided'} : {},
      element('td', {}, timeElement(estimates.time[i]), isDecided ? ' decided' : ''),
      element('td', {}, lengthText(estimates.accuracy[i])), element('td', {}, share)));
  }
  const head = ['Estimate at', 'Accuracy', fence < 0 ? '' : 'P(inside)'];
  return element('table', {}, element('caption', {}, 'What the engine knew'),
    element('thead', {}, element('tr', {}, ...head.map((name) => element(name ? 'th' : 'td', name ? {scope: 'col'} : {}, name)))),
    element('tbody', {}, ...rows));
}
