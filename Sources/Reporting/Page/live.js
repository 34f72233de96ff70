// The live page: one stream of the server, shown as a list, a state and a map.

/** The most events in the list. */
const mostEvents = 1_000;

class LivePage {
  constructor() {
    this.fleet = new Fleet();
    /** @type {any} what the run has beside its devices */
    this.run = {};
    /** @type {Set<string>|null} the devices of a stream that has not sent all of them yet */
    this.named = null;
    this.isConnected = false;
    /** Whether the map shows the tracks that the server had. */
    this.isFitted = false;
    this.loader = new TrackLoader((signal, moved) => this.fetchTrack(signal, moved));
    /** @type {Map<string, any>} the last line of each event, the oldest event first */
    this.lines = new Map();
    this.model = {
      tracks: [], events: [], center: 0, fences: [], towns: [], baseMap: '',
      /** @type {((track: Track) => string)|null} */ label: null,
    };
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
    document.getElementById('find').addEventListener('input', () => this.showDevices());
    setInterval(() => {
      this.showPosition();
      this.showDevices();
    }, 1_000);
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
    this.showDevices();
    this.showEvents();
  }

  /** Shows the state of the chosen device. */
  showState() {
    const {fleet: {chosen}} = this;
    if (!chosen?.state) return;
    const {state} = chosen;
    document.getElementById('device').replaceChildren(...chosen.label);
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
  }

  showPosition() {
    const state = this.fleet.chosen?.state;
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
      ['Visit', state.visit ? element('span', {}, 'since ', datedElement(state.visit.arrival)) : 'none'],
      ['Satellites', has(state.satellites, String)],
      ['Fixes used', `${state.used} of ${state.fixes}`],
    ];
    document.getElementById('position').replaceChildren(...rows.map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value))));
  }

  showDevices() { this.fleet.show((device) => this.choose(device)); }

  /** Shows a device, and follows it. @param {LiveDevice} device */
  choose(device) {
    Object.assign(this.fleet, {chosen: device, isChosen: true});
    this.following.checked = true;
    this.showState();
    this.showDevices();
    this.drawSoon();
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
    /** @type {(string|Node)[]} */
    const more = [isToday ? '' : ` · ${shortDayText(event.at)}`];
    if (this.fleet.isSeveral) more.push(' · ', nameElement(event.device));
    return eventItem(event, this.selection, more);
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
    map.on('click', (click) => this.chooseAt(click.containerPoint));
    new ResizeObserver(() => map.invalidateSize({animate: false})).observe(map.getContainer());
    for (const device of this.fleet.devices.values()) this.fleet.grown.add(device);
    this.drawSoon();
    // For tests: where the map is.
    Object.assign(window, {waymark: {
      model: this.model, selection: this.selection, map, tiles: this.map.tiles, fleet: this.fleet,
    }});
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
    if (!this.model.tracks.some((track) => track.count)) this.map?.fit();
    this.drawSoon();
  }

  /**
   * Loads the tracks of the server; false when it gives none.
   * @param {AbortSignal} signal ends the load @param {() => void} moved is called for each part that comes
   */
  async fetchTrack(signal, moved) {
    const answer = await fetch('track', {signal});
    if (!answer.ok) return false;
    const tracks = JSON.parse(await textOf(answer, moved));
    this.fleet.early.clear();
    for (const {device, positions} of tracks) this.fleet.takeTrack(device, positions);
    this.drawSoon();
    return true;
  }

  /** Chooses the device at a place of the map; an event there only makes way for its middle. @param {any} place pixels */
  chooseAt(place) {
    if (!this.fleet.isSeveral) return;
    /** @type {LiveDevice|null} */
    let best = null;
    let least = this.selection.event ? 8 : 16;
    for (const device of this.fleet.devices.values()) {
      const {latitude, longitude, count} = device.track.estimates;
      if (!count) continue;
      const distance = this.map.map.latLngToContainerPoint([mapLatitude(latitude[0]), longitude[0]]).distanceTo(place);
      if (distance < least) [best, least] = [device, distance];
    }
    if (!best) return;
    this.selection.select(null);
    this.choose(best);
  }

  /** Gives the map the tracks that have grown. */
  readTracks() {
    const {model, map, fleet} = this;
    const isFirst = !model.tracks.some((track) => track.count);
    const first = [...fleet.grown].find((device) => device.positions.length);
    if (isFirst && first) {
      model.center = first.positions[0][2];
      map.readFences();
      for (const event of model.events) readEvent(event, model.center);
    }
    model.tracks = fleet.readTracks(model.center);
    model.label = fleet.isSeveral
      ? (track) => fleet.devices.get(track.name)?.state?.name ?? track.name : null;
    map.readTracks();
    const last = Math.max(0, ...model.events.map((event) => event.at || 0));
    this.selection.extend(model.tracks.reduce(
      (time, track) => (track.count ? Math.max(time, track.time[track.count - 1]) : time), last));
    if (this.isFitted || !model.tracks.some((track) => track.count)) return;
    // At first all of them are shown.
    this.isFitted = !this.named;
    map.fit(15);
  }

  /** Draws the map with what has come, in the next frame. */
  drawSoon() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      const {map, fleet: {chosen}} = this;
      if (!map) return;
      this.readTracks();
      if (chosen?.track.count && this.following.checked) {
        const {latitude, longitude} = chosen.track.estimates;
        map.show({latitude: latitude[0], shownLongitude: longitude[0]});
      }
      map.layer.redraw();
    });
  }

  // The stream.

  /** @param {any} state of a device */
  takeState(state) {
    const {fleet} = this;
    const wasSeveral = fleet.isSeveral;
    const device = fleet.takeState(state);
    this.named?.add(state.device);
    if (fleet.isSeveral && !wasSeveral) {
      // From now on events have the names of their devices.
      this.showEvents();
      this.showDevices();
    }
    if (device === fleet.chosen) this.showState();
    this.drawSoon();
  }

  /** Takes what the run has beside its devices, which comes after the states of all. @param {any} run */
  takeRun(run) {
    const {fleet, named} = this;
    // What the same run does not have any more was forgotten meanwhile; a new one goes on with the old tracks.
    if (named && run.pid === this.run.pid) {
      for (const name of [...fleet.devices.keys()]) if (!named.has(name)) fleet.forget(name);
      this.showState();
    }
    this.named = null;
    this.run = run;
    this.showReceivers(run.receivers ?? []);
    this.drawSoon();
  }

  connect() {
    const stream = new EventSource('stream');
    let opened = 0;
    stream.addEventListener('open', () => {
      this.isConnected = true;
      opened = Date.now();
      this.named = new Set();
      this.loader.resume();
      this.loadFences().catch(() => {});
      this.showState();
    });
    stream.addEventListener('error', () => {
      this.isConnected = false;
      this.showState();
      // A server that refuses ends the stream for good.
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), 5_000);
    });
    stream.addEventListener('status', (message) => this.takeState(JSON.parse(message.data)));
    stream.addEventListener('track', (message) => {
      const {device, positions} = JSON.parse(message.data);
      this.fleet.takeTrack(device, positions);
      this.drawSoon();
    });
    stream.addEventListener('forgotten', (message) => {
      this.fleet.forget(JSON.parse(message.data).device);
      this.showState();
      this.drawSoon();
    });
    stream.addEventListener('run', (message) => this.takeRun(JSON.parse(message.data)));
    // What the server had kept is no news.
    stream.addEventListener('event', (message) =>
      this.takeEvent(JSON.parse(message.data), Date.now() - opened > 1_000));
    stream.addEventListener('reason', (message) => this.takeReason(JSON.parse(message.data)));
    stream.addEventListener('fences', () => { this.loadFences().catch(() => {}); });
    stream.addEventListener('tracks', () => { this.loader.load(); });
  }
}

new LivePage();
