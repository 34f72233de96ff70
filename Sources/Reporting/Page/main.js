// Puts the page together.

function start() {
  const model = readModel();
  const selection = new Selection(model);
  // The strips take their room before the map fits into the rest.
  const strips = new Strips(selection);
  const map = new PageMap(model, selection);
  const names = model.tracks.map((track) => track.name);

  const showTexts = () => {
    const title = document.getElementById('title');
    title.replaceChildren(...(names.length === 1 ? [nameElement(names[0])] : [`${names.length} devices`]));
    const subtitle = document.getElementById('subtitle');
    if (Number.isFinite(selection.from)) {
      subtitle.replaceChildren(timeElement(selection.from, `${dayText(selection.from)} ${clockText(selection.from)}`),
        ' – ', timeElement(selection.until, `${dayText(selection.until)} ${clockText(selection.until)}`));
    }
    showLegend(model);
    showTotals(selection);
    showDays(selection);
    showChoices(selection);
    showTimeline(selection);
    showPlaces(selection);
    showEvents(selection);
    showDetail(selection);
  };
  selection.spanListeners.push(showTexts, () => strips.make(), () => {
    map.fit();
    map.layer.redraw();
  });
  let isWaiting = false;
  selection.momentListeners.push(() => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      map.layer.redraw();
      strips.redraw();
    });
  });
  let shown = null;
  selection.momentListeners.push(() => {
    if (selection.event === shown) return;
    shown = selection.event;
    showDetail(selection);
    if (shown) map.show(shown);
  });
  for (const [id, apply] of /** @type {[string, (value: string) => void][]} */ ([
    ['units', (value) => { units.nautical = value === 'nautical'; }],
    ['zone', (value) => { units.utc = value === 'utc'; }],
  ])) {
    document.getElementById(id).addEventListener('change', (change) => {
      apply(/** @type {HTMLSelectElement} */ (change.target).value);
      showTexts();
      strips.redraw();
    });
  }
  addEventListener('resize', () => strips.redraw());
  new ResizeObserver(() => map.map.invalidateSize({animate: false})).observe(document.getElementById('map'));
  darkScheme.addEventListener('change', () => strips.redraw());
  document.addEventListener('keydown', (key) => moveInList(key));
  showTexts();
  // For tests: where the map is, and whether its tiles have come.
  Object.assign(window, {waymark: {model, selection, map: map.map, tiles: map.tiles}});
}

/** Up and down move in the list of events. @param {KeyboardEvent} key */
function moveInList(key) {
  const button = /** @type {HTMLElement} */ (document.activeElement);
  if (!button || !button.closest('#events') || !['ArrowDown', 'ArrowUp'].includes(key.key)) return;
  const all = [...document.querySelectorAll('#events button')];
  const next = all[all.indexOf(button) + (key.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  key.preventDefault();
  /** @type {HTMLElement} */ (next).focus();
}

/** What the colours and signs of the map mean, and who made it. */
function showLegend(model) {
  const bounds = [0, ...speedSteps];
  const speeds = bounds.map((speed, kind) => {
    const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
    swatch.style.background = speedColours[kind];
    return element('li', {}, swatch, kind ? `≥ ${speedText(speed)}` : 'standing');
  });
  const signs = [['enter', 'enter'], ['exit', 'exit'], ['visit', 'visit']].map(([type, name]) =>
    element('li', {}, element('span', {class: `sign ${type}`, 'aria-hidden': 'true'}, eventSigns[type]), ` ${name}`));
  signs.push(element('li', {}, element('span', {class: 'swatch band', 'aria-hidden': 'true'}), `estimate${model.hindsight ? ' in hindsight' : ''}, 68 %`));
  document.getElementById('legend').replaceChildren(
    element('ul', {'aria-label': 'Speed'}, ...speeds), element('ul', {'aria-label': 'Signs'}, ...signs));
  if (model.tiles) showTileSource(model.tiles);
}

start();
