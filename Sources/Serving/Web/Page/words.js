// Numbers and times as people read them.

let isNautical = false;

/** @param {string} units `metric` or `nautical` */
export function setUnits(units) {
  isNautical = units === "nautical";
}

export const inUnits = {
  /** @param {number | undefined} metres */
  length(metres) {
    if (metres === undefined || metres === null) return "unknown";
    if (isNautical && metres >= 185.2) return `${(metres / 1852).toFixed(2)} nm`;
    if (metres >= 1000) return `${(metres / 1000).toFixed(2)} km`;
    return `${metres.toFixed(metres < 10 ? 1 : 0)} m`;
  },
  /** @param {number | undefined} speed metres per second */
  speed(speed) {
    if (speed === undefined || speed === null) return "unknown";
    return isNautical
      ? `${(speed * 3600 / 1852).toFixed(1)} kn` : `${(speed * 3.6).toFixed(1)} km/h`;
  },
};

const CLOCK = new Intl.DateTimeFormat(undefined, {
  dateStyle: "short", timeStyle: "medium",
});

/** A time in the reader's zone, with UTC on hover. @param {string} time RFC 3339 */
export function instant(time) {
  const element = document.createElement("time");
  element.dateTime = time;
  element.title = `${time.replace("T", " ").replace("Z", "")} UTC`;
  element.textContent = CLOCK.format(new Date(time));
  return element;
}

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
