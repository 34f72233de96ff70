// The live page: one stream of the server, shown as a list, a state and a way.
import { drawWay } from "./way.js";
import { inUnits, instant, setUnits, span } from "./words.js";

/** The most events in the list, and positions in the way. */
const MOST_EVENTS = 1_000;
const MOST_POSITIONS = 20_000;

/** @type {(id: string) => HTMLElement} */
const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
};

/** What a status means to the reader: `good`, `waiting` or `bad`, and a sentence. */
const MEANINGS = {
  "connecting": ["waiting", "connecting to the source"],
  "connected": ["waiting", "connected, waiting for a receiver"],
  "no-fix": ["waiting", "the receiver has no fix"],
  "no-time": ["waiting", "the receiver reports no time"],
  "fix": ["good", "fix"],
  "stale": ["waiting", "no data from the receiver"],
  "lost": ["bad", "the source is unavailable"],
  "stopped": ["bad", "stopped"],
};

/** @type {Record<string, any> | null} */
let state = null;
/** @type {(number | null)[][]} [time, latitude, longitude, accuracy, speed], oldest first */
let way = [];
/** The events in the list, by id, with the element of each. */
const shown = new Map();
let isConnected = false;

function showState() {
  if (!state) return;
  element("device").textContent = state.device;
  document.title = `${state.device}, live`;
  const [sort, words] = MEANINGS[state.status] ?? ["waiting", state.status];
  const status = element("status");
  status.className = isConnected ? sort : "bad";
  status.textContent = isConnected
    ? words + (state.reason ? `: ${state.reason}` : "")
    : "no connection to Waymark; trying again";
  const isPlaced = typeof state.latitude === "number";
  element("place").textContent = isPlaced
    ? `${state.latitude.toFixed(6)}, ${state.longitude.toFixed(6)}` : "unknown";
  element("accuracy").textContent = inUnits.length(state.accuracy);
  element("speed").textContent = inUnits.speed(state.speed);
  element("course").textContent = state.course === undefined ? "unknown" : `${state.course}°`;
  element("satellites").textContent = state.satellites ?? "unknown";
  element("fixes").textContent = `${state.used} of ${state.fixes}`;
  showAge();
  showInside();
  showReceivers();
}

function showAge() {
  const age = element("age");
  age.replaceChildren();
  if (!state?.time) {
    age.textContent = "none";
    return;
  }
  const seconds = (Date.now() - Date.parse(state.time)) / 1000;
  age.append(instant(state.time), seconds >= 2 ? `, ${span(seconds)} ago` : "");
}

function showInside() {
  const list = element("inside");
  list.replaceChildren(...state.inside.map((place) => {
    const item = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = place.fence;
    item.append(name, " since ", instant(place.since));
    return item;
  }));
  element("outside").hidden = state.inside.length > 0;
}

/** What waits for each receiver of `deliver`. */
function showReceivers() {
  const receivers = state.receivers ?? [];
  element("receivers-section").hidden = receivers.length === 0;
  element("receivers").replaceChildren(...receivers.map((receiver) => {
    const item = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = receiver.name;
    const more = document.createElement("span");
    more.className = "detail";
    more.append(receiver.waiting === 0 ? " nothing waits" : ` ${receiver.waiting} waiting`);
    if (receiver.oldest) more.append(" since ", instant(receiver.oldest));
    more.append(`, ${receiver.delivered} delivered`);
    if (receiver.givenUp > 0) more.append(`, ${receiver.givenUp} given up`);
    if (receiver.error) more.append(`; failing: ${receiver.error}`);
    if (receiver.nextAttempt) more.append("; next attempt ", instant(receiver.nextAttempt));
    item.append(name, more);
    return item;
  }));
}

/** The words of an event. @param {Record<string, any>} event */
function sentence(event) {
  const parts = [event.type.replace("-", " ")];
  if (event.fence) parts.push(event.fence);
  if (event.place) parts.push(event.place);
  return parts.join(" ");
}

/** @param {Record<string, any>} event */
function detail(event) {
  const parts = [];
  if (event.timeUncertainty !== undefined) parts.push(`± ${span(event.timeUncertainty)}`);
  if (event.duration !== undefined) parts.push(`after ${span(event.duration)}`);
  if (event.type === "visit") {
    parts.push(event.departure
      ? `for ${span((Date.parse(event.departure) - Date.parse(event.arrival)) / 1000)}`
      : "lasting");
  }
  if (event.state) parts.push(event.state);
  if (event.message) parts.push(event.message);
  if (event.confidence !== undefined) parts.push(`${(event.confidence * 100).toFixed(1)} %`);
  return parts.join(", ");
}

/** Adds an event, or replaces the earlier line of the same visit. @param {any} event */
function showEvent(event, isNew) {
  const known = shown.get(event.id);
  if (known && (event.revision ?? 0) <= known.revision) return;
  known?.item.remove();
  shown.set(event.id, { revision: event.revision ?? 0, item: null });
  if (event.retracted) return;
  const item = document.createElement("li");
  item.dataset.id = event.id;
  const words = document.createElement("bdi");
  words.textContent = sentence(event);
  const more = document.createElement("span");
  more.className = "detail";
  more.textContent = ` ${detail(event)}`;
  item.append(event.time ? instant(event.time) : "", " ", words, more);
  shown.get(event.id).item = item;
  const list = element("events");
  list.prepend(item);
  while (list.children.length > MOST_EVENTS) list.lastElementChild?.remove();
  element("none").hidden = true;
  if (isNew) element("news").textContent = `${sentence(event)} ${detail(event)}`;
}

function drawSoon() {
  if (drawSoon.isDue) return;
  drawSoon.isDue = true;
  requestAnimationFrame(() => {
    drawSoon.isDue = false;
    drawWay(/** @type {HTMLCanvasElement} */ (element("plot")), way);
  });
}
drawSoon.isDue = false;

async function loadWay() {
  const answer = await fetch("track");
  if (!answer.ok) return;
  way = await answer.json();
  drawSoon();
}

/** Adds the position of the state, if it is new. */
function extendWay() {
  if (!state?.time || typeof state.latitude !== "number") return;
  const time = Date.parse(state.time) / 1000;
  const last = way.at(-1);
  if (last && last[0] !== null && last[0] >= time) return;
  way.push([time, state.latitude, state.longitude, state.accuracy ?? null, state.speed ?? null]);
  if (way.length > MOST_POSITIONS) way.shift();
  drawSoon();
}

function connect() {
  const stream = new EventSource("stream");
  let opened = 0;
  stream.addEventListener("open", () => {
    isConnected = true;
    opened = Date.now();
    loadWay().catch(() => {});
    showState();
  });
  stream.addEventListener("error", () => {
    isConnected = false;
    showState();
    // A server that refuses ends the stream for good.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 5_000);
  });
  stream.addEventListener("status", (message) => {
    state = JSON.parse(message.data);
    extendWay();
    showState();
  });
  stream.addEventListener("event", (message) => {
    // What the server had kept is no news.
    showEvent(JSON.parse(message.data), Date.now() - opened > 1_000);
  });
}

element("units").addEventListener("change", (change) => {
  setUnits(/** @type {HTMLSelectElement} */ (change.target).value);
  showState();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawSoon);
setInterval(showAge, 1_000);
connect();
