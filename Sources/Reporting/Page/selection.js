// What is selected: devices, a span of time, a moment in it, an event. Everything shown follows it.

class PageSelection {
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
        return event.at <= this.until && (event.at >= this.from || this.end(event) >= this.from);
      });
    }
    return this.found;
  }

  /** When an event is over: a visit that goes on lasts as long as there is data of its device. @param {any} event */
  end(event) {
    if (event.to !== null) return event.to || event.at;
    const track = this.model.tracks.find((each) => each.name === event.device);
    return Math.max(event.at, track?.count ? track.time[track.count - 1] : event.at);
  }

  /** Shows a span of time of some devices. */
  setSpan(device, from, until) {
    Object.assign(this, {device, from, until, now: until, event: null, found: null});
    for (const listener of this.spanListeners) listener();
  }

  /** Shows everything until a time: again, when there is more. @param {number} until */
  extend(until) {
    Object.assign(this, {from: -Infinity, until, now: until, found: null});
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

  /** The days with fixes or visits, and what was done on each by each device. */
  days() {
    const days = [];
    if (this.first > this.last) return days;
    const visits = new Map(this.model.tracks.map((track) => [track.name, []]));
    for (const event of this.model.events) {
      if (event.type === 'visit') visits.get(event.device)?.push([event.at, this.end(event)]);
    }
    for (let start = dayStart(this.first); start <= this.last; start = nextDay(start)) {
      const end = nextDay(start) - 1;
      for (const track of this.model.tracks) {
        const [first, last] = this.range(track, start, end);
        const isShown = first < last || visits.get(track.name).some(([from, to]) => from <= end && to >= start);
        if (isShown) days.push({start, end, track, ...sums(track, first, last)});
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
