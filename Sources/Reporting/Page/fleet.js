// The devices of the live page: their states, their tracks, and the list of them.

/** The most devices, rows of their list, and positions of all tracks together. */
const mostDevices = 10_000;
const mostRows = 100;
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

/**
 * The positions as a track; the last of them stands for the estimate.
 * @param {string} name @param {Position[]} positions @param {number} center the longitude around which all is shown
 * @returns {Track}
 */
function trackOfPositions(name, positions, center) {
  const count = positions.length;
  const values = (index) => Float64Array.from(positions, (position) => position[index] ?? NaN);
  const [time, latitude, longitude] = [values(0).map((seconds) => seconds * 1000), values(1), values(2)];
  const accuracy = Float32Array.from(values(3), (value) => value || 0);
  unwrap(longitude, center);
  const estimates = {
    count: Math.min(count, 1), time: time.slice(-1), latitude: latitude.slice(-1), longitude: longitude.slice(-1),
    accuracy: accuracy.slice(-1), inside: new Map(),
  };
  const track = {
    name, count, time, latitude, longitude, accuracy, speed: Float32Array.from(values(4)), estimates,
    dropped: new Uint8Array(count), begins: new Uint8Array(count), distance: new Float64Array(count), moving: new Float64Array(count),
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

class LiveDevice {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {any} the last status */
    this.state = null;
    /** @type {Position[]} the oldest first */
    this.positions = [];
    this.track = trackOfPositions(name, [], 0);
    /** Which of all changes was its last. */
    this.change = 0;
    /** @type {HTMLElement} its row in the list; none as long as it was never shown */
    this.row = null;
  }

  /** How it is named in words, for a search. */
  get words() { return `${this.name} ${this.state?.name ?? ''}`; }

  /** Its name, and the one that it gives itself. @returns {(string|Node)[]} */
  get label() {
    const title = this.state?.name;
    return title ? [nameElement(this.name), ' ', nameElement(title)] : [nameElement(this.name)];
  }

  /** Adds the position of the state; whether it was new. */
  extend() {
    const {state, positions} = this;
    if (!state.time || state.latitude === undefined || state.longitude === undefined) return false;
    const time = Date.parse(state.time) / 1000;
    if (positions.length && positions[positions.length - 1][0] >= time) return false;
    positions.push([time, state.latitude, state.longitude, state.accuracy ?? null, state.speed ?? null]);
    return true;
  }

  /** Takes the positions that the server has. @param {Position[]} positions */
  take(positions) {
    // A server that was started again does not have the earlier ones.
    const earlier = positions.length ? this.positions.filter(([time]) => time < positions[0][0]) : this.positions;
    const last = positions.length ? positions[positions.length - 1][0] : Infinity;
    this.positions = [...earlier, ...positions, ...this.positions.filter(([time]) => time > last)];
  }
}

/** All devices, of which one is chosen; both their number and that of their positions are bounded. */
class Fleet {
  constructor() {
    /** @type {Map<string, LiveDevice>} in the order in which they appeared */
    this.devices = new Map();
    /** @type {LiveDevice|null} at first that of the first source */
    this.chosen = null;
    this.isChosen = false;
    /** @type {Map<string, Position[]>} tracks of devices whose state has not come yet */
    this.early = new Map();
    /** @type {Set<LiveDevice>} those whose track has grown */
    this.grown = new Set();
    this.changes = 0;
    this.count = 0;
    /** @type {LiveDevice[]|null} by name; null when there are others */
    this.sorted = null;
  }

  get isSeveral() { return this.devices.size > 1; }

  /** The device with a name, which is made when it is not known. @param {string} name */
  device(name) {
    const known = this.devices.get(name);
    if (known) return known;
    if (this.devices.size >= mostDevices) this.dropIdlest();
    const device = new LiveDevice(name);
    this.devices.set(name, device);
    this.sorted = null;
    this.chosen ??= device;
    const early = this.early.get(name);
    if (early) {
      this.early.delete(name);
      this.takePositions(device, early);
    }
    return device;
  }

  /** @param {any} state */
  takeState(state) {
    const device = this.device(state.device);
    device.state = state;
    device.change = ++this.changes;
    if (!this.isChosen && (state.number ?? Infinity) < (this.chosen.state?.number ?? Infinity)) this.chosen = device;
    if (device.extend()) this.grow(device, 1);
    return device;
  }

  /** @param {string} name @param {Position[]} positions */
  takeTrack(name, positions) {
    const known = this.devices.get(name);
    if (known) this.takePositions(known, positions);
    else this.early.set(name, positions);
  }

  /** @param {LiveDevice} device @param {Position[]} positions */
  takePositions(device, positions) {
    const before = device.positions.length;
    device.take(positions);
    this.grow(device, device.positions.length - before);
  }

  /** @param {LiveDevice} device @param {number} count */
  grow(device, count) {
    this.grown.add(device);
    this.count += count;
    // In steps, so that not every position moves all others.
    if (this.count > 1.1 * mostPositions) this.trim();
  }

  /** The longest tracks lose their oldest positions. */
  trim() {
    let [rest, left, share] = [mostPositions, this.devices.size, 1];
    for (const length of [...this.devices.values()].map((d) => d.positions.length).sort((a, b) => a - b)) {
      share = Math.max(Math.floor(rest / left), 1);
      if (length > share) break;
      rest -= length;
      left--;
    }
    this.count = 0;
    for (const device of this.devices.values()) {
      if (device.positions.length > share) {
        device.positions = device.positions.slice(-share);
        this.grown.add(device);
      }
      this.count += device.positions.length;
    }
  }

  /** @param {string} name */
  forget(name) {
    this.early.delete(name);
    const device = this.devices.get(name);
    if (!device) return;
    this.devices.delete(name);
    this.grown.delete(device);
    this.count -= device.positions.length;
    this.sorted = null;
    if (this.chosen === device) this.chosen = this.devices.values().next().value ?? null;
  }

  /** Forgets the device that changed least recently, but not the chosen one, nor one of a source. */
  dropIdlest() {
    /** @type {LiveDevice|null} */
    let idlest = null;
    for (const device of this.devices.values()) {
      if (device === this.chosen || device.state?.number !== undefined) continue;
      if (!idlest || device.change < idlest.change) idlest = device;
    }
    if (idlest) this.forget(idlest.name);
  }

  /** Makes the tracks that have grown. @param {number} center */
  readTracks(center) {
    for (const device of this.grown) device.track = trackOfPositions(device.name, device.positions, center);
    this.grown.clear();
    return [...this.devices.values()].map((device) => device.track);
  }

  /** Those whose name has the words of the search, by name. @param {string} search */
  found(search) {
    this.sorted ??= [...this.devices.values()].sort((a, b) => byName.compare(a.name, b.name));
    const words = search.trim().toLowerCase();
    return words ? this.sorted.filter((device) => device.words.toLowerCase().includes(words)) : this.sorted;
  }

  /** Shows the list, when there are several. @param {(device: LiveDevice) => void} choose */
  show(choose) {
    document.getElementById('devices-section').hidden = !this.isSeveral;
    if (!this.isSeveral) return;
    const found = this.found(/** @type {HTMLInputElement} */ (document.getElementById('find')).value);
    const rows = found.slice(0, mostRows).map((device) => this.row(device, choose));
    const list = document.getElementById('devices');
    // The focus stays where it is as long as the rows do.
    if (rows.length !== list.children.length || rows.some((row, i) => row !== list.children[i])) {
      list.replaceChildren(...rows);
    }
    const more = document.getElementById('more-devices');
    more.hidden = found.length > 0 && found.length <= mostRows;
    more.textContent = found.length ? `${found.length - mostRows} more: type a part of the name.` : 'No such device.';
  }

  /** The row of a device as it is now. @param {LiveDevice} device @param {(device: LiveDevice) => void} choose */
  row(device, choose) {
    if (!device.row) {
      const button = element('button', {type: 'button', 'data-device': device.name});
      button.addEventListener('click', () => choose(device));
      device.row = element('li', {}, button);
    }
    const button = device.row.firstElementChild;
    if (device === this.chosen) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
    button.replaceChildren(
      element('span', {class: 'device'}, ...device.label), element('span', {class: 'where'}, ...where(device.state)));
    return device.row;
  }
}

const byName = new Intl.Collator('en', {numeric: true});

/** Where a device is, in words: its fences, its visit, and its status unless it has a fix. @param {any} state */
function where(state) {
  if (!state) return [];
  /** @type {(string|Node)[]} */
  const parts = state.inside.length ? ['in '] : [state.latitude === undefined ? 'no position' : 'in no fence'];
  state.inside.forEach((fence, i) => parts.push(i ? ', ' : '', nameElement(fence.fence)));
  if (state.visit) parts.push('; visit since ', datedElement(state.visit.arrival));
  if (state.status !== 'fix') parts.push(`; ${(meanings[state.status] ?? ['', state.status])[1]}`);
  return parts;
}

/**
 * Names of devices where they are now, as far as they have room.
 * @param {CanvasRenderingContext2D} context @param {View} view @param {Track[]} tracks
 * @param {(track: Track) => string} label
 */
function drawDeviceNames(context, view, tracks, label, palette) {
  const taken = [];
  for (const track of tracks) {
    const {estimates} = track;
    if (!estimates.count) continue;
    const [x, y] = [view.px(worldX(estimates.longitude[0])), view.py(worldY(estimates.latitude[0]))];
    if (x < 0 || y < 0 || x > view.width || y > view.height) continue;
    const name = label(track);
    const half = name.length * 3.8 + 6;
    const box = [x - half, y + 6, x + half, y + 28];
    if (taken.some((b) => b[0] < box[2] && b[2] > box[0] && b[1] < box[3] && b[3] > box[1])) continue;
    taken.push(box);
    drawText(context, name, x, y + 22, palette.estimate, palette);
  }
}

/** The least and the longest pause after a load of the tracks, and the longest silence in one, ms. */
const [leastPause, longestPause, longestSilence] = [2_000, 600_000, 60_000];

/** Loads the tracks of the server, one load at a time. */
class TrackLoader {
  /**
   * @param {(signal: AbortSignal, moved: () => void) => Promise<boolean>} fetchTrack loads them once, until the
   *   signal, and calls `moved` for each part that comes; whether it could
   */
  constructor(fetchTrack) {
    this.fetchTrack = fetchTrack;
    this.isLoading = false;
    /** Whether a load is on its way, or the pause after it. */
    this.isBusy = false;
    /** Whether another load follows it. */
    this.isWanted = false;
    /** Whether a new connection came during the load. */
    this.isRenewed = false;
    this.pause = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  /** Loads them; several calls during a load and the pause after it are one load then. */
  async load() {
    this.isWanted = this.isBusy;
    if (this.isBusy) return;
    this.isBusy = this.isLoading = true;
    this.isRenewed = false;
    const start = performance.now();
    const {isLoaded, end} = await this.fetchWhileMoving(start);
    this.isLoading = false;
    // A slow connection has nine tenths of its time for its stream.
    const cost = 9 * (end - start);
    const least = isLoaded ? leastPause : Math.max(leastPause, 2 * this.pause);
    // The failure of a load says nothing of a connection that is newer.
    const isOutdated = !isLoaded && this.isRenewed;
    this.pause = isOutdated ? leastPause : Math.min(Math.max(least, cost), longestPause);
    this.timer = setTimeout(() => {
      this.isBusy = false;
      if (this.isWanted || !isLoaded) this.load();
    }, this.pause);
  }

  /**
   * Loads them once, and ends a load that hangs; whether it could, and when the last part came.
   * @param {number} start
   */
  async fetchWhileMoving(start) {
    const ending = new AbortController();
    const watch = () => setTimeout(() => ending.abort(), longestSilence);
    let [end, silence] = [start, watch()];
    const isLoaded = await this.fetchTrack(ending.signal, () => {
      clearTimeout(silence);
      [end, silence] = [performance.now(), watch()];
    }).catch(() => false);
    clearTimeout(silence);
    return {isLoaded, end};
  }

  /**
   * Loads them for a new connection: at once, or after the load that is on its way, which is as good as before
   * unless it hangs.
   */
  resume() {
    if (this.isLoading) {
      this.isRenewed = true;
    } else {
      clearTimeout(this.timer);
      this.isBusy = false;
    }
    this.load();
  }
}

/**
 * The text of an answer; `moved` is called for each part that comes.
 * @param {Response} answer @param {() => void} moved
 */
async function textOf(answer, moved) {
  const [decoder, reader] = [new TextDecoder(), answer.body.getReader()];
  let text = '';
  for (;;) {
    const {done, value} = await reader.read();
    moved();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, {stream: true});
  }
}
