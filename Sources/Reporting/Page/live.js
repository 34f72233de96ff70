// The live page: one stream of the server, shown as a list, a state and a map.

/** The most events in the list, and positions of the track. */
const mostEvents = 1_000;
const mostPositions = 20_000;

/** What a status means to the reader: `good`, `waiting` or `bad`, and a sentence. */
const meanings = {
  'connecting': ['waiting', 'connecting to the source'],
  'connected': ['waiting', 'connected, waiting for a receiver'],
  'no-fix': ['waiting', 'the receiver has no fix'],
  'no-time': ['waiting', 'the receiver reports no time'],
  'ignoring': ['waiting', 'the positions are not used'],
  'fix': ['good', 'fix'],
  'stale': ['waiting', 'no data from the receiver'],
  'lost': ['bad', 'the source is unavailable'],
  'stopped': ['bad', 'stopped'],
};

/**
 * Seconds since 1970, latitude, longitude, accuracy in metres, speed in metres per second.
 * @typedef {[number, number, number, number|null, number|null]} Position
 */

/** The positions as a track; the last of them stands for the estimate. @param {Position[]} positions @returns {Track} */
function trackOfPositions(positions) {
  const count = positions.length;
  const values = (index) => Float64Array.from(positions, (position) => position[index] ?? NaN);
  const [time, latitude, longitude] = [values(0).map((seconds) => seconds * 1000), values(1), values(2)];
  const accuracy = Float32Array.from(values(3), (value) => value || 0);
  if (count) unwrap(longitude, longitude[0]);
  const estimates = {
    count: Math.min(count, 1), time: time.slice(-1), latitude: latitude.slice(-1), longitude: longitude.slice(-1),
    accuracy: accuracy.slice(-1), inside: new Map(),
  };
  const track = {
    name: '', count, time, latitude, longitude, accuracy, speed: Float32Array.from(values(4)), estimates,
    dropped: new Uint8Array(count), distance: new Float64Array(count), moving: new Float64Array(count),
  };
  follow(track);
  return track;
}

/** A time with its day, unless that is today. @param {string} time RFC 3339 */
function datedElement(time) {
  const at = Date.parse(time);
  const day = dayStart(at) === dayStart(Date.now()) ? '' : `${shortDayText(at)} `;
  return timeElement(at, day + clockText(at));
}

class LivePage {
  constructor() {
    /** @type {any} the last status */
    this.state = null;
    this.isConnected = false;
    /** @type {Position[]} time in seconds, latitude, longitude, accuracy, speed; oldest first */
    this.positions = [];
    /** @type {Map<string, any>} the last line of each event, the oldest event first */
    this.lines = new Map();
    this.model = {tracks: [trackOfPositions([])], events: [], center: 0, fences: [], towns: [], baseMap: ''};
    this.selection = new PageSelection(this.model);
    this.selection.momentListeners.push(() => this.showChosen());
    /** @type {PageMap|null} none as long as its files are on their way */
    this.map = null;
    this.isDrawing = false;
    this.following = /** @type {HTMLInputElement} */ (document.getElementById('follow'));
    this.following.addEventListener('change', () => this.drawSoon());
    document.addEventListener('keydown', moveInList);
    this.listen('units', (value) => { units.nautical = value === 'nautical'; });
    this.listen('zone', (value) => { units.utc = value === 'utc'; });
    setInterval(() => this.showPosition(), 1_000);
    this.showAll();
    this.connect();
    this.startMap().catch((error) => console.warn('no map:', error));
  }

  /** Applies a choice of the header. @param {string} id @param {(value: string) => void} apply */
  listen(id, apply) {
    const choice = /** @type {HTMLSelectElement} */ (document.getElementById(id));
    choice.addEventListener('change', () => {
      apply(choice.value);
      this.showAll();
      this.map?.showScale();
    });
  }

  // The list, which needs no map.

  showAll() {
    showLegend('accuracy');
    this.showState();
    this.showEvents();
  }

  showState() {
    const {state} = this;
    if (!state) return;
    document.getElementById('device').textContent = state.device;
    document.title = `${state.device}, live`;
    const [sort, words] = meanings[state.status] ?? ['waiting', state.status];
    const status = document.getElementById('status');
    status.className = this.isConnected ? sort : 'bad';
    status.textContent = this.isConnected
      ? words + (state.reason ? `: ${state.reason}` : '') : 'no connection to Waymark; trying again';
    this.showPosition();
    const inside = state.inside.map((fence) =>
      element('li', {}, nameElement(fence.fence), ' since ', datedElement(fence.since)));
    document.getElementById('inside').replaceChildren(
      ...(inside.length ? inside : [element('li', {}, 'no fence')]));
    this.showReceivers(state.receivers ?? []);
  }

  showPosition() {
    const {state} = this;
    if (!state) return;
    const has = (value, text) => (value === undefined ? 'unknown' : text(value));
    const seconds = (Date.now() - Date.parse(state.time)) / 1000;
    const rows = [
      ['Latitude, longitude', has(state.latitude, (value) => `${value.toFixed(6)}, ${state.longitude.toFixed(6)}`)],
      ['Accuracy (68 %)', has(state.accuracy, lengthText)],
      ['Speed', has(state.speed, speedText)],
      ['Course', has(state.course, (value) => `${value}°`)],
      ['Last fix', has(state.time, (value) => element('span', {}, datedElement(value),
        seconds >= 2 ? `, ${durationText(seconds)} ago` : ''))],
      ['Satellites', has(state.satellites, String)],
      ['Fixes used', `${state.used} of ${state.fixes}`],
    ];
    document.getElementById('position').replaceChildren(...rows.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value))));
  }

  /** What waits for each receiver of `deliver`. @param {any[]} receivers */
  showReceivers(receivers) {
    document.getElementById('receivers-section').hidden = !receivers.length;
    document.getElementById('receivers').replaceChildren(...receivers.map((receiver) => {
      const item = element('li', {}, nameElement(receiver.name),
        receiver.waiting ? ` ${receiver.waiting} waiting` : ' nothing waits');
      if (receiver.oldest) item.append(' since ', datedElement(receiver.oldest));
      item.append(`, ${receiver.delivered} delivered`);
      if (receiver.givenUp) item.append(`, ${receiver.givenUp} given up`);
      if (receiver.error) item.append(`; failing: ${receiver.error}`);
      if (receiver.nextAttempt) item.append('; next attempt ', datedElement(receiver.nextAttempt));
      return item;
    }));
  }

  /** Lists all events, the newest first. */
  showEvents() {
    const items = this.model.events.map((event) => this.item(event)).reverse();
    if (!items.length) items.push(element('li', {class: 'none'}, 'None yet.'));
    document.getElementById('events').replaceChildren(...items);
    showDetail(this.selection, (event) => [reasons(event)]);
  }

  /** An event in the list. @param {any} event */
  item(event) {
    const isToday = Number.isNaN(event.at) || dayStart(event.at) === dayStart(Date.now());
    const more = isToday ? '' : ` · ${shortDayText(event.at)}`;
    return eventItem(event, this.selection, [more]);
  }

  /** Adds an event, or replaces the earlier line of the same visit. @param {any} line @param {boolean} isNew */
  takeEvent(line, isNew) {
    const known = this.lines.get(line.id);
    if (known && (line.revision ?? 0) <= (known.revision ?? 0)) return;
    const list = document.getElementById('events');
    if (!this.model.events.length) list.replaceChildren();
    this.drop(known);
    line.reasons = known?.reasons;
    this.lines.set(line.id, line);
    if (this.lines.size > mostEvents) this.drop(this.lines.values().next().value);
    if (!line.retracted) {
      list.prepend(this.item(readEvent(line, this.model.center)));
      if (isNew) document.getElementById('live').textContent = line.button.textContent;
    }
    this.model.events = [...this.lines.values()].filter((event) => !event.retracted);
    if (known && this.selection.event === known) this.selection.select(line.retracted ? null : line);
    this.drawSoon();
  }

  /** Keeps why an event was reported, for each line of a visit. @param {{id: string, lines: string[]}} reason */
  takeReason({id, lines}) {
    const event = this.lines.get(id);
    // A server that starts its stream again repeats what it has.
    if (!event || event.reasons?.some((known) => known.join() === lines.join())) return;
    event.reasons = [...(event.reasons ?? []), lines];
    if (this.selection.event === event) showDetail(this.selection, () => [reasons(event)]);
  }

  /** Takes a line out of the list. @param {any} line */
  drop(line) {
    if (!line) return;
    line.button?.parentElement.remove();
    this.lines.delete(line.id);
  }

  /** Marks the event that was chosen in the list or on the map, and shows what its line says. */
  showChosen() {
    const {event} = this.selection;
    showDetail(this.selection, (event) => [reasons(event)]);
    if (event?.x !== undefined) {
      this.following.checked = false;
      this.map?.show(event);
    }
    this.drawSoon();
  }

  // The map.

  async startMap() {
    const answer = await fetch('map.json');
    if (!answer.ok) throw new Error(`code ${answer.status}`);
    Object.assign(this.model, await answer.json());
    if (this.model.tiles) showTileSource(this.model.tiles);
    this.map = new PageMap(this.model, this.selection);
    const {map} = this.map;
    map.on('dragstart', () => { this.following.checked = false; });
    new ResizeObserver(() => map.invalidateSize({animate: false})).observe(map.getContainer());
    this.takePositions(this.positions);
    // For tests: where the map is.
    Object.assign(window, {waymark: {model: this.model, selection: this.selection, map, tiles: this.map.tiles}});
  }

  async loadFences() {
    const answer = await fetch('fences');
    if (!answer.ok) return;
    const {fences, unshown} = await answer.json();
    this.model.fences = fences;
    const note = document.getElementById('unshown');
    note.hidden = !unshown;
    note.textContent = `${unshown} more fences are not on the map.`;
    this.showEvents();
    this.map?.readFences();
    if (!this.positions.length) this.map?.fit();
    this.drawSoon();
  }

  async loadTrack() {
    const answer = await fetch('track');
    if (!answer.ok) return;
    const positions = await answer.json();
    // A server that was started again does not have the earlier ones.
    const earlier = positions.length ? this.positions.filter(([time]) => time < positions[0][0]) : this.positions;
    this.takePositions([...earlier, ...positions].slice(-mostPositions));
  }

  /** Adds the position of the state, if it is new. */
  extendTrack() {
    const {state, positions} = this;
    if (!state.time || state.latitude === undefined) return;
    const time = Date.parse(state.time) / 1000;
    if (positions.length && positions[positions.length - 1][0] >= time) return;
    positions.push([time, state.latitude, state.longitude, state.accuracy ?? null, state.speed ?? null]);
    if (positions.length > mostPositions) positions.shift();
    this.takePositions(positions);
  }

  /** Shows these positions. @param {Position[]} positions */
  takePositions(positions) {
    const {model, map} = this;
    this.positions = positions;
    if (!map || !positions.length) return;
    const isFirst = !model.tracks[0].count;
    model.tracks = [trackOfPositions(positions)];
    map.readTracks();
    if (isFirst) {
      model.center = positions[0][2];
      map.readFences();
      for (const event of model.events) readEvent(event, model.center);
      this.selection.extend(model.tracks[0].time[0]);
      map.fit(15);
    }
    this.drawSoon();
  }

  /** Draws the map with what has come, in the next frame. */
  drawSoon() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      const {map, model: {tracks: [track], events}} = this;
      if (!map) return;
      const last = track.count - 1;
      this.selection.extend(Math.max(last < 0 ? 0 : track.time[last], ...events.map((event) => event.at || 0)));
      if (last >= 0 && this.following.checked) map.show({latitude: track.latitude[last], shownLongitude: track.longitude[last]});
      map.layer.redraw();
    });
  }

  // The stream.

  connect() {
    const stream = new EventSource('stream');
    let opened = 0;
    stream.addEventListener('open', () => {
      this.isConnected = true;
      opened = Date.now();
      this.loadTrack().catch(() => {});
      this.loadFences().catch(() => {});
      this.showState();
    });
    stream.addEventListener('error', () => {
      this.isConnected = false;
      this.showState();
      // A server that refuses ends the stream for good.
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), 5_000);
    });
    stream.addEventListener('status', (message) => {
      this.state = JSON.parse(message.data);
      this.extendTrack();
      this.showState();
    });
    // What the server had kept is no news.
    stream.addEventListener('event', (message) =>
      this.takeEvent(JSON.parse(message.data), Date.now() - opened > 1_000));
    stream.addEventListener('reason', (message) => this.takeReason(JSON.parse(message.data)));
    stream.addEventListener('fences', () => { this.loadFences().catch(() => {}); });
  }
}

new LivePage();
