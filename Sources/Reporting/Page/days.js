// The index of a report by day and device.

/** The index by day and device, and the choices above the map. @param {PageSelection} selection */
function showDays(selection) {
  const table = element('table');
  const head = element('tr', {}, ...['Day', 'Device', 'Distance', 'Moving', 'Fixes'].map(
    (name) => element('th', {scope: 'col'}, name)));
  table.append(element('thead', {}, head));
  const body = element('tbody');
  for (const day of selection.days()) {
    const button = element('button', {type: 'button'}, shortDayText(day.start));
    button.addEventListener('click', () => selection.setSpan(day.track.name, day.start, day.end));
    body.append(element('tr', {},
      element('td', {}, button), element('td', {}, nameElement(day.track.name)),
      element('td', {}, lengthText(day.distance)), element('td', {}, durationText(day.moving)),
      element('td', {}, String(day.count))));
  }
  table.append(body);
  document.getElementById('days').replaceChildren(table);
}

/** The choices of device and day. @param {PageSelection} selection */
function showChoices(selection) {
  const devices = /** @type {HTMLSelectElement} */ (document.getElementById('device'));
  const days = /** @type {HTMLSelectElement} */ (document.getElementById('day'));
  devices.replaceChildren(new Option('all', ''),
    ...selection.model.tracks.map((track) => new Option(track.name, track.name)));
  devices.value = selection.device;
  const starts = [...new Set(selection.days().map((day) => day.start))];
  days.replaceChildren(new Option('all', ''),
    ...starts.map((start) => new Option(dayText(start), String(start))));
  days.value = starts.includes(selection.from) && selection.until === nextDay(selection.from) - 1
    ? String(selection.from) : '';
  const choose = () => {
    const start = days.value === '' ? null : Number(days.value);
    selection.setSpan(devices.value, start ?? selection.first, start === null ? selection.last : nextDay(start) - 1);
  };
  devices.onchange = days.onchange = choose;
}
