// How times, lengths and speeds are written.

const units = {nautical: false, utc: false};

/** @param {number} metres */
function lengthText(metres) {
  if (units.nautical) {
    return metres < 926 ? `${Math.round(metres)} m` : `${(metres / 1852).toFixed(metres < 18520 ? 2 : 1)} nm`;
  }
  return metres < 1000 ? `${metres < 10 ? metres.toFixed(1) : Math.round(metres)} m`
    : `${(metres / 1000).toFixed(metres < 1e4 ? 2 : 1)} km`;
}

/** @param {number} speed metres per second */
function speedText(speed) {
  return units.nautical ? `${(speed * 3600 / 1852).toFixed(1)} kn` : `${(speed * 3.6).toFixed(0)} km/h`;
}

/** @param {number} seconds */
function durationText(seconds) {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const timeFormats = new Map();

/** @param {Intl.DateTimeFormatOptions} options */
function timeFormat(options) {
  const key = JSON.stringify(options) + units.utc;
  if (!timeFormats.has(key)) {
    const zone = units.utc ? {timeZone: 'UTC'} : {};
    timeFormats.set(key, new Intl.DateTimeFormat('en-GB', {...options, ...zone}));
  }
  return timeFormats.get(key);
}

const clockText = (time) =>
  timeFormat({hour: '2-digit', minute: '2-digit', second: '2-digit'}).format(time);
const shortDayText = (time) =>
  timeFormat({weekday: 'short', day: 'numeric', month: 'short'}).format(time);
const dayText = (time) =>
  timeFormat({weekday: 'short', day: 'numeric', month: 'short', year: 'numeric'}).format(time);
const utcText = (time) => new Date(time).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** When the day of a time begins, where the viewer is. @param {number} time */
function dayStart(time) {
  const date = new Date(time);
  if (units.utc) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** When the day after it begins. @param {number} start */
function nextDay(start) {
  return dayStart(start + 36 * 3600e3);
}

/**
 * An element with text, never HTML.
 * @param {string} name @param {Record<string, string>} attributes @param {...(string|Node)} content
 */
function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** A name from outside, which may be written from right to left. @param {string} text */
const nameElement = (text) => element('bdi', {}, text);

/** A time with UTC on hover. @param {number} time @param {string} [text] */
const timeElement = (time, text) =>
  element('time', {datetime: new Date(time).toISOString(), title: utcText(time)}, text || clockText(time));
