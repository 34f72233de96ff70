// The way of the last hours as a plain drawing, north up.

/** The mean radius of the Earth, metres (IUGG). */
const EARTH = 6_371_008.8;

/**
 * Draws positions around the last one.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {(number | null)[][]} way [time, latitude, longitude, accuracy, speed], oldest first
 */
export function drawWay(canvas, way) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  pen.clearRect(0, 0, canvas.width, canvas.height);
  const last = way.at(-1);
  if (!last) return;
  const points = way.map((position) => metres(position, last));
  const accuracy = last[3] ?? 0;
  let reach = Math.max(25, accuracy);
  for (const [east, north] of points) reach = Math.max(reach, Math.abs(east), Math.abs(north));
  const scale = Math.min(canvas.width, canvas.height) / 2 / (reach * 1.1);
  const x = (/** @type {number} */ east) => canvas.width / 2 + east * scale;
  const y = (/** @type {number} */ north) => canvas.height / 2 - north * scale;

  pen.strokeStyle = pen.fillStyle = colour("--way");
  pen.lineWidth = 2;
  pen.beginPath();
  points.forEach(([east, north], index) => {
    if (index === 0) pen.moveTo(x(east), y(north));
    else pen.lineTo(x(east), y(north));
  });
  pen.stroke();
  pen.globalAlpha = 0.2;
  pen.beginPath();
  pen.arc(x(0), y(0), Math.max(accuracy * scale, 1), 0, 2 * Math.PI);
  pen.fill();
  pen.globalAlpha = 1;
  pen.beginPath();
  pen.arc(x(0), y(0), 5, 0, 2 * Math.PI);
  pen.fill();
  drawScale(pen, scale, colour("--text"));
}

/**
 * A position in metres east and north of another: flat, for a drawing of some kilometres.
 *
 * @param {(number | null)[]} position
 * @param {(number | null)[]} origin
 * @returns {[number, number]}
 */
function metres(position, origin) {
  const degree = Math.PI / 180 * EARTH;
  const [latitude, longitude] = [position[1] ?? 0, position[2] ?? 0];
  const [south, west] = [origin[1] ?? 0, origin[2] ?? 0];
  let turn = longitude - west;
  turn -= 360 * Math.round(turn / 360);
  return [turn * degree * Math.cos(south * Math.PI / 180), (latitude - south) * degree];
}

/** A bar of a round length. */
function drawScale(pen, scale, colour) {
  const most = 120 / scale;
  let length = 10 ** Math.floor(Math.log10(most));
  if (length * 5 <= most) length *= 5;
  else if (length * 2 <= most) length *= 2;
  pen.fillStyle = colour;
  pen.fillRect(10, pen.canvas.height - 12, length * scale, 2);
  pen.font = "14px system-ui, sans-serif";
  pen.fillText(length >= 1000 ? `${length / 1000} km` : `${length} m`, 10, pen.canvas.height - 18);
}
