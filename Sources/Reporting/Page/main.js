// Puts the page together.

function start() {
  const model = readModel();
  const selection = new PageSelection(model);
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
    showLegend(`estimate${model.hindsight ? ' in hindsight' : ''}`);
    if (model.tiles) showTileSource(model.tiles);
    showTotals(selection);
    showDays(selection);
    showChoices(selection);
    showTimeline(selection);
    showPlaces(selection);
    showEvents(selection);
    showDetail(selection, (event) => [reasons(event), evidence(selection, event)]);
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
    showDetail(selection, (event) => [reasons(event), evidence(selection, event)]);
    if (shown) map.show(shown);
  });
  for (const [id, apply] of /** @type {[string, (value: string) => void][]} */ ([
    ['units', (value) => { units.nautical = value === 'nautical'; }],
    ['zone', (value) => { units.utc = value === 'utc'; }],
  ])) {
    document.getElementById(id).addEventListener('change', (change) => {
      apply(/** @type {HTMLSelectElement} */ (change.target).value);
      showTexts();
      map.showScale();
      strips.redraw();
    });
  }
  addEventListener('resize', () => strips.redraw());
  new ResizeObserver(() => map.map.invalidateSize({animate: false})).observe(document.getElementById('map'));
  darkScheme.addEventListener('change', () => strips.redraw());
  document.addEventListener('keydown', moveInList);
  showTexts();
  // For tests: where the map is, and whether its tiles have come.
  Object.assign(window, {waymark: {model, selection, map: map.map, tiles: map.tiles}});
}

start();
