// What the colours and signs of the map mean.

/** @param {string} what has the uncertainty that is drawn */
function showLegend(what) {
  const bounds = [0, ...speedSteps];
  const speeds = bounds.map((speed, kind) => {
    const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
    swatch.style.background = speedColours[kind];
    return element('li', {}, swatch, kind ? `≥ ${speedText(speed)}` : 'standing');
  });
  const signs = [['enter', 'enter'], ['exit', 'exit'], ['visit', 'visit']].map(([type, name]) =>
    element('li', {}, element('span', {class: `sign ${type}`, 'aria-hidden': 'true'}, eventSigns[type]), ` ${name}`));
  signs.push(element('li', {}, element('span', {class: 'swatch band', 'aria-hidden': 'true'}), `${what}, 68 %`));
  document.getElementById('legend').replaceChildren(
    element('ul', {'aria-label': 'Speed'}, ...speeds), element('ul', {'aria-label': 'Signs'}, ...signs));
}
