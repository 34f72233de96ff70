// The map: Leaflet moves it, one canvas draws all that is on it.

/** A layer whose canvas is a quarter larger than the map on every side, so most moves draw nothing. */
const CanvasLayer = L.Layer.extend({
  initialize(draw) {
    this._draw = draw;
  },
  onAdd(map) {
    this._canvas = L.DomUtil.create('canvas', '', map.getPane('overlayPane'));
    this._canvas.setAttribute('aria-hidden', 'true');
    this.redraw();
  },
  getEvents() {
    return {moveend: this.redraw, zoomend: this.redraw, resize: this.redraw, move: this._follow};
  },
  /** While the map is dragged: draws only when an edge of the canvas would show, and never when that takes long. */
  _follow() {
    if (this._cost > longestFrame) return;
    const corner = this._map.containerPointToLayerPoint([0, 0]).subtract(this._corner);
    const rest = this._pad.multiplyBy(2).subtract(corner);
    if (corner.x < 0 || corner.y < 0 || rest.x < 0 || rest.y < 0) this.redraw();
  },
  redraw() {
    if (!this._map) return;
    const size = this._map.getSize();
    this._pad = size.multiplyBy(0.25).round();
    this._corner = this._map.containerPointToLayerPoint([0, 0]).subtract(this._pad);
    const whole = size.add(this._pad.multiplyBy(2));
    const density = window.devicePixelRatio || 1;
    const canvas = this._canvas;
    if (canvas.width !== whole.x * density || canvas.height !== whole.y * density) {
      canvas.width = whole.x * density;
      canvas.height = whole.y * density;
      canvas.style.width = `${whole.x}px`;
      canvas.style.height = `${whole.y}px`;
    }
    L.DomUtil.setPosition(canvas, this._corner);
    const context = canvas.getContext('2d');
    context.setTransform(density, 0, 0, density, 0, 0);
    const origin = this._map.getPixelOrigin().add(this._corner);
    const begin = performance.now();
    this._draw(context, this._map.getZoom(), origin.x, origin.y, whole.x, whole.y);
    this._cost = performance.now() - begin;
  },
});

/** Milliseconds: two frames of a screen. */
const longestFrame = 33;

/** A bar of a round length: metres and kilometres, or nautical miles. */
const ScaleBar = L.Control.Scale.extend({
  _updateMetric(most) {
    if (!units.nautical) {
      L.Control.Scale.prototype._updateMetric.call(this, most);
      return;
    }
    const miles = most / 1852;
    // Leaflet rounds to whole numbers: here to thousandths below a mile.
    const length = miles < 1 ? this._getRoundNum(miles * 1000) / 1000 : this._getRoundNum(miles);
    this._updateScale(this._mScale, `${length} nm`, length / miles);
  },
});

/** The map of the page. */
class PageMap {
  /** @param {any} model @param {PageSelection} selection */
  constructor(model, selection) {
    this.model = model;
    this.selection = selection;
    this.baseMap = new BaseMap(model.baseMap);
    this.tiles = model.tiles && new Tiles(model.tiles, () => this.layer.redraw());
    this.readFences();
    this.readTracks();
    this.scratch = document.createElement('canvas').getContext('2d');
    this.map = L.map('map', {
      attributionControl: false, zoomAnimation: false, fadeAnimation: false, maxZoom: 20, minZoom: 1,
      inertia: !reducedMotion.matches,
    });
    this.showScale();
    this.layer = new CanvasLayer((...view) => this.draw(...view));
    this.fit();
    this.layer.addTo(this.map);
    this.map.on('click', (click) => this.choose(click));
    darkScheme.addEventListener('change', () => this.layer.redraw());
  }

  /** Reads the fences of the model: again, when there are others. */
  readFences() {
    this.fences = this.model.fences.map((fence) => outlinesOf(fence, this.model.center));
  }

  /** Reads the tracks of the model: again, when there are others; those that are the same keep their lines. */
  readTracks() {
    const known = this.read;
    /** @type {Map<Track, {line: Line, estimates: Line}>} */
    this.read = new Map(this.model.tracks.map((t) => [t, known?.get(t) ?? {
      line: new Line(t.latitude, t.longitude, t.time, t.dropped),
      estimates: new Line(t.estimates.latitude, t.estimates.longitude, t.estimates.time),
    }]));
  }

  /** Shows the scale in the chosen units. */
  showScale() {
    this.scale?.remove();
    this.scale = new ScaleBar({imperial: false}).addTo(this.map);
  }

  /** Shows all that is selected. @param {number} maxZoom for a single place */
  fit(maxZoom = 17) {
    const bounds = L.latLngBounds([]);
    for (const track of this.model.tracks) {
      if (!this.selection.has(track)) continue;
      const [first, last] = this.selection.range(track);
      let [west, north, east, south] = [Infinity, -Infinity, -Infinity, Infinity];
      for (let i = first; i < last; i++) {
        if (track.dropped[i]) continue;
        const [latitude, longitude] = [track.latitude[i], track.longitude[i]];
        if (longitude < west) west = longitude;
        if (longitude > east) east = longitude;
        if (latitude < south) south = latitude;
        if (latitude > north) north = latitude;
      }
      if (west <= east) bounds.extend([[south, west], [north, east]]);
    }
    if (!bounds.isValid()) {
      for (const fence of this.model.fences) {
        const places = fence.polygons?.flat(2) ?? [[fence.latitude, fence.longitude]];
        for (const place of places) bounds.extend(place);
      }
    }
    if (bounds.isValid()) this.map.fitBounds(bounds, {padding: [30, 30], maxZoom, animate: false});
    else this.map.setView([30, 0], 2);
  }

  draw(context, zoom, left, top, width, height) {
    const {selection} = this;
    const palette = colours();
    const view = new View(zoom, left, top, width, height, selection.from, selection.until);
    this.baseMap.draw(context, view, palette);
    if (this.tiles) this.tiles.draw(context, view);
    else drawTowns(context, view, this.model.towns, this.model.center, palette);
    drawFences(context, view, this.fences, palette);
    const past = new View(zoom, left, top, width, height, selection.from, selection.now);
    for (const [track, {line, estimates}] of this.read) {
      if (!selection.has(track)) continue;
      drawBand(context, this.scratch, past, track.estimates, estimates, palette);
      drawEstimates(context, past, track.estimates, estimates, palette);
      drawTrack(context, past, track, line, palette);
      drawFixes(context, past, track, line, palette);
    }
    const shown = selection.events().filter((event) => event.x !== undefined && event.at <= selection.now);
    const visits = shown.filter((event) => event.type === 'visit');
    for (const event of visits) drawEvent(context, past, event, palette);
    for (const event of shown) if (event.type !== 'visit') drawEvent(context, past, event, palette);
    drawFenceNames(context, view, this.fences, palette);
    this.drawCursors(context, past, palette);
    if (this.model.label) drawDeviceNames(context, past, this.model.tracks, this.model.label, palette);
    if (selection.event?.x !== undefined) drawRing(context, view, selection.event, palette);
  }

  /** Where each device is at the time of the slider, with the circle of the estimate. */
  drawCursors(context, view, palette) {
    const {selection} = this;
    for (const track of this.model.tracks) {
      if (!selection.has(track)) continue;
      const {estimates} = track;
      const at = indexAt(estimates.time, selection.now + 1) - 1;
      if (at < 0 || estimates.time[at] < selection.from) continue;
      const x = view.px(worldX(estimates.longitude[at]));
      const y = view.py(worldY(estimates.latitude[at]));
      context.strokeStyle = palette.estimate;
      context.lineWidth = 1.5;
      disc(context, x, y, Math.max(view.pixels(estimates.accuracy[at], estimates.latitude[at]), 6), palette.estimate, 0.25);
      context.beginPath();
      context.arc(x, y, 5, 0, 7);
      context.fillStyle = palette.estimate;
      context.fill();
      context.strokeStyle = palette.halo;
      context.lineWidth = 2;
      context.stroke();
    }
  }

  /** Selects the event, or else the moment of the track, at a click. */
  choose(click) {
    const near = (x, y) => {
      const point = this.map.latLngToContainerPoint([x, y]);
      return point.distanceTo(click.containerPoint);
    };
    let [best, least] = [null, 16];
    for (const event of this.selection.events()) {
      if (event.latitude === undefined || event.at > this.selection.now) continue;
      const distance = near(event.latitude, event.shownLongitude);
      if (distance < least) [best, least] = [event, distance];
    }
    if (best) this.selection.select(best);
  }

  /** Moves to an event, if it is not in view. */
  show(event) {
    if (event.latitude === undefined) return;
    const place = L.latLng(mapLatitude(event.latitude), event.shownLongitude);
    if (!this.map.getBounds().pad(-0.03).contains(place)) this.map.panTo(place, {animate: false});
  }
}
