// Map tiles below the track: of the page itself, or of a server.

/**
 * @typedef {object} TileData
 * @property {number} largestZoom
 * @property {string} attribution it may have markup
 * @property {string} [url] of a tile of a server, with {z}, {x} and {y}
 * @property {string} [server] scheme, host and port of that URL, if it is not the page's own server
 * @property {string} [type] the media type of the page's own tiles
 * @property {Record<string, string>} [images] they themselves in base64, by `zoom/column/row`
 */

/** More than fill any screen. */
const mostTiles = 2_000;

class Tiles {
  /** @param {TileData} data @param {() => void} redraw called when tiles have come */
  constructor(data, redraw) {
    this.data = data;
    this.redraw = redraw;
    this.isWaiting = false;
    /** @type {Map<string, HTMLImageElement>} */
    this.images = new Map();
  }

  /** @param {CanvasRenderingContext2D} context @param {View} view */
  draw(context, view) {
    const zoom = Math.min(view.zoom, this.data.largestZoom);
    const count = 2 ** zoom;
    const [west, north, east, south] = view.box.map((edge) => Math.floor(edge * count));
    for (let y = Math.max(north, 0); y <= Math.min(south, count - 1); y++) {
      for (let x = west; x <= east; x++) this.drawTile(context, view, zoom, x, y);
    }
  }

  /** Draws a tile, or its part of the smallest one around it that is there. */
  drawTile(context, view, zoom, x, y) {
    const count = 2 ** zoom;
    // Beyond the antimeridian the world begins again.
    const column = ((x % count) + count) % count;
    let isWanted = true;
    for (let up = 0; up <= zoom; up++) {
      const image = this.image(zoom - up, column >> up, y >> up, isWanted);
      if (!image) {
        // The page's own server says what it lacks; another is asked for no more than that.
        isWanted &&= !this.data.server && this.isMissing(zoom - up, column >> up, y >> up);
        continue;
      }
      const parts = 2 ** up;
      const [wide, high] = [image.naturalWidth / parts, image.naturalHeight / parts];
      const [left, top] = [view.px(x / count), view.py(y / count)].map(Math.round);
      const [right, bottom] = [view.px((x + 1) / count), view.py((y + 1) / count)].map(Math.round);
      context.drawImage(image, (column % parts) * wide, (y % parts) * high, wide, high,
        left, top, right - left, bottom - top);
      return;
    }
  }

  /** An image that has come; others are requested, of a server only when they are wanted themselves. */
  image(zoom, x, y, isWanted) {
    const key = `${zoom}/${x}/${y}`;
    const known = this.images.get(key);
    if (known) return known.complete && known.naturalWidth ? known : null;
    const {url, images, type} = this.data;
    if (url ? !isWanted : !images[key]) return null;
    const image = new Image();
    image.onload = image.onerror = () => this.show();
    image.src = url ? url.replace('{z}', zoom).replace('{x}', x).replace('{y}', y)
      : `data:${type};base64,${images[key]}`;
    this.images.set(key, image);
    if (this.images.size > mostTiles) this.images.delete(this.images.keys().next().value);
    return null;
  }

  /** Whether a tile was requested and is not there. */
  isMissing(zoom, x, y) {
    const image = this.images.get(`${zoom}/${x}/${y}`);
    return !!image && image.complete && !image.naturalWidth;
  }

  /** Whether all that was requested has come. */
  get isComplete() { return this.images.size > 0 && [...this.images.values()].every((image) => image.complete); }

  show() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.redraw();
    });
  }
}

/** Says who made the tiles, and who is asked for them. @param {TileData} tiles */
function showTileSource({attribution, server}) {
  const text = new DOMParser().parseFromString(attribution, 'text/html').body.textContent;
  document.getElementById('tiles').textContent = text && `Tiles: ${text}`;
  if (server) {
    document.getElementById('network').textContent =
      `This page requests the tiles of its map from ${server}, and nothing else from elsewhere.`;
  }
}
