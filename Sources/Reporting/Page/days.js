// What is selected: devices, a span of time, a moment in it, an event. Everything shown follows it.

class Selection {
  /** @param {any} model */
  constructor(model) {
    this.model = model;
    /** @type {(() => void)[]} called when other days or devices are shown */
    this.spanListeners = [];
    /** @type {(() => void)[]} called when the moment or the event changes */
    this.momentListeners = [];
    this.device = '';
    this.event = null;
    this.first = Infinity;
    this.last = -Infinity;
    for (const track of model.tracks) {
      if (!track.count) continue;
      this.first = Math.min(this.first, track.time[0]);
      this.last = Math.max(this.last, track.time[track.count - 1]);
    }
    this.from = this.first;
    this.until = this.now = this.last;
  }

  /** @param {Track} track */
  has(track) { return !this.device || track.name === this.device; }

  /** The first fix of a track in the span, and one past the last. @param {Track} track */
  range(track, from = this.from, until = this.until) {
    return [indexAt(track.time, from), indexAt(track.time, until + 1)];
  }

  /** The events of the span, of the chosen devices. */
  events() {
    if (!this.found) {
      this.found = this.model.events.filter((event) => {
        if (this.device && event.device !== this.device) return false;
        if (Number.isNaN(event.at)) return true;
        return event.at <= this.until && (event.to || event.at) >= this.from;
      });
    }
    return this.found;
  }

  /** Shows a span of time of some devices. */
  setSpan(device, from, until) {
    Object.assign(this, {device, from, until, now: until, event: null, found: null});
    for (const listener of this.spanListeners) listener();
  }

  setNow(now) {
    this.now = now;
    for (const listener of this.momentListeners) listener();
  }

  /** @param {any} event */
  select(event) {
    this.event = event;
    if (event && !Number.isNaN(event.at)) this.now = Math.max(this.now, Math.min(event.to || event.at, this.until));
    for (const listener of this.momentListeners) listener();
  }

  /** The days with fixes, and what was done on each by each chosen device. */
  days() {
    const days = [];
    if (this.first > this.last) return days;
    for (let start = dayStart(this.first); start <= this.last; start = nextDay(start)) {
      const end = nextDay(start) - 1;
      for (const track of this.model.tracks) {
        const [first, last] = this.range(track, start, end);
        if (first < last) days.push({start, end, track, ...sums(track, first, last)});
      }
    }
    return days;
  }
}

/** Distance and moving time between two fixes of a track. @param {Track} track */
function sums(track, first, last) {
  if (last <= first) return {distance: 0, moving: 0, count: 0};
  const before = Math.max(first - 1, 0);
  return {
    distance: track.distance[last - 1] - track.distance[before],
    moving: track.moving[last - 1] - track.moving[before],
    count: last - first,
  };
}

/** The index by day and device, and the choices above the map. @param {Selection} selection */
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

/** The choices of device and day. @param {Selection} selection */
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
