// Strips over time: speed, accuracy, and for each fence the probability of being inside.

/** One strip: a label and a canvas. */
class Strip {
  /** @param {string} name @param {() => string} most the highest value, as text */
  constructor(name, most, draw) {
    this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {'aria-hidden': 'true'}));
    this.most = element('span', {class: 'most'});
    this.read = most;
    this.element = element('div', {class: 'strip'}, element('span', {class: 'name'}, name), this.most, this.canvas);
    this.draw = draw;
  }

  /** @param {PageSelection} selection */
  redraw(selection) {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const density = window.devicePixelRatio || 1;
    this.canvas.width = width * density;
    this.canvas.height = height * density;
    const context = this.canvas.getContext('2d');
    context.scale(density, density);
    this.draw(context, width, height);
    const x = ((selection.now - selection.from) / (selection.until - selection.from || 1)) * width;
    context.fillStyle = colours().cursor;
    context.fillRect(Math.min(Math.round(x), width - 1), 0, 1, height);
    this.most.textContent = this.read();
  }
}

/** The strips of the selection, and the slider with its clock. */
class Strips {
  /** @param {PageSelection} selection */
  constructor(selection) {
    this.selection = selection;
    this.slider = /** @type {HTMLInputElement} */ (document.getElementById('slider'));
    this.slider.addEventListener('input', () => {
      const share = Number(this.slider.value) / Number(this.slider.max);
      selection.setNow(selection.from + share * (selection.until - selection.from));
    });
    this.playing = 0;
    document.getElementById('play').addEventListener('click', () => this.toggle());
    document.getElementById('strips').addEventListener('click', (click) => {
      const canvas = /** @type {HTMLElement} */ (click.target);
      if (canvas.tagName !== 'CANVAS') return;
      const share = click.offsetX / canvas.clientWidth;
      selection.setNow(selection.from + share * (selection.until - selection.from));
    });
    this.make();
  }

  get tracks() { return this.selection.model.tracks.filter((track) => this.selection.has(track)); }

  /** Makes the strips for the chosen devices; only fences that were near have one. */
  make() {
    const {selection, tracks} = this;
    this.top = new Map();
    const strips = [
      new Strip('Speed', () => speedText(this.top.get('speed') || 0), (context, width, height) =>
        this.drawValues(context, width, height, 'speed', 99.9, (track) => [track.time, track.speed], (value) => speedColours[speedClass(value)])),
      new Strip('Accuracy', () => lengthText(this.top.get('accuracy') || 0), (context, width, height) =>
        this.drawValues(context, width, height, 'accuracy', 95, (track) => [track.time, track.accuracy], () => colours().estimate)),
    ];
    selection.model.fences.forEach((fence, number) => {
      if (!tracks.some((track) => track.estimates.inside.has(number))) return;
      strips.push(new Strip(`P(inside ${fence.id})`, () => '100 %', (context, width, height) =>
        this.drawInside(context, width, height, number)));
    });
    this.strips = strips;
    document.getElementById('strips').replaceChildren(...strips.map((strip) => strip.element));
    this.redraw();
  }

  redraw() {
    const {selection} = this;
    const share = (selection.now - selection.from) / (selection.until - selection.from || 1);
    this.slider.value = String(Math.round(share * Number(this.slider.max)));
    const clock = document.getElementById('clock');
    if (Number.isFinite(selection.now)) {
      clock.replaceChildren(timeElement(selection.now, `${dayText(selection.now)} ${clockText(selection.now)}`));
      this.slider.setAttribute('aria-valuetext', clock.textContent);
    }
    for (const strip of this.strips) strip.redraw(selection);
  }

  /** The greatest value of every pixel column. */
  columns(times, values, width) {
    const {from, until} = this.selection;
    const tops = new Float32Array(width);
    const [first, last] = [indexAt(times, from), indexAt(times, until + 1)];
    const scale = width / (until - from || 1);
    for (let i = first; i < last; i++) {
      const x = Math.min(Math.floor((times[i] - from) * scale), width - 1);
      const end = i + 1 < last && times[i + 1] - times[i] < silence
        ? Math.min(Math.floor((times[i + 1] - from) * scale), width) : x + 1;
      for (let at = x; at < Math.max(end, x + 1); at++) if (values[i] > tops[at]) tops[at] = values[i];
    }
    return tops;
  }

  drawValues(context, width, height, key, percentile, read, colour) {
    const all = this.tracks.map((track) => this.columns(...read(track), width));
    const sorted = all.flatMap((tops) => [...tops]).filter((value) => value > 0).sort((a, b) => a - b);
    const top = sorted[Math.min(Math.floor((sorted.length * percentile) / 100), sorted.length - 1)] || 1;
    this.top.set(key, top);
    for (const tops of all) {
      for (let x = 0; x < width; x++) {
        const bar = Math.min(tops[x] / top, 1) * height;
        context.fillStyle = colour(tops[x]);
        context.fillRect(x, height - bar, 1, bar);
      }
    }
  }

  drawInside(context, width, height, fence) {
    context.fillStyle = colours().fence;
    for (const track of this.tracks) {
      const inside = track.estimates.inside.get(fence);
      if (!inside) continue;
      const {from, until} = this.selection;
      const scale = width / (until - from || 1);
      const timeOf = (i) => track.estimates.time[inside.index[i]];
      for (let i = 0; i < inside.index.length; i++) {
        if (!inside.share[i]) continue;
        const end = i + 1 < inside.index.length ? timeOf(i + 1) : track.estimates.time[track.estimates.count - 1];
        const x = Math.max((timeOf(i) - from) * scale, 0);
        const right = Math.min((end - from) * scale, width);
        if (right < 0 || x > width) continue;
        const bar = inside.share[i] * height;
        context.fillRect(x, height - bar, Math.max(right - x, 0.7), bar);
      }
    }
  }

  /** Plays the span at the chosen pace, or stops. */
  toggle() {
    const button = document.getElementById('play');
    if (this.playing) {
      cancelAnimationFrame(this.playing);
      this.playing = 0;
      button.textContent = 'Play';
      return;
    }
    const {selection} = this;
    button.textContent = 'Pause';
    if (selection.now >= selection.until) selection.setNow(selection.from);
    const choice = /** @type {HTMLSelectElement} */ (document.getElementById('pace'));
    let last = performance.now();
    const tick = (now) => {
      // Whoever wants less motion gets a step a second.
      if (!reducedMotion.matches || now - last >= 1000) {
        const pace = Number(choice.value) || (selection.until - selection.from) / 30e3;
        selection.setNow(Math.min(selection.now + (now - last) * pace, selection.until));
        last = now;
      }
      this.playing = selection.now < selection.until ? requestAnimationFrame(tick) : 0;
      if (!this.playing) button.textContent = 'Play';
    };
    this.playing = requestAnimationFrame(tick);
  }
}
