// What the engine knew about an event of a report.

/** The estimates around an event, and how probable it was then that the device was inside. */
function evidence(selection, event) {
  const track = selection.model.tracks.find((t) => t.name === event.device);
  const fence = selection.model.fences.findIndex((f) => f.id === event.fence);
  if (!track || Number.isNaN(event.at)) return '';
  const {estimates} = track;
  const inside = estimates.inside.get(fence);
  const decided = Date.parse(event.decided);
  const first = Math.max(indexAt(estimates.time, event.at) - 3, 0);
  const last = Math.min(Math.max(indexAt(estimates.time, decided + 1), first + 4) + 1, estimates.count);
  const step = Math.max(1, Math.ceil((last - first) / 12));
  const rows = [];
  for (let i = first; i < last; i += step) {
    const share = fence < 0 ? '' : `${Math.round(100 * (inside ? shareAt(inside, i) : 0))} %`;
    const isDecided = estimates.time[i] <= decided && !(estimates.time[i + step] <= decided);
    rows.push(element('tr', isDecided ? {class: 'decided'} : {},
      element('td', {}, timeElement(estimates.time[i]), isDecided ? ' decided' : ''),
      element('td', {}, lengthText(estimates.accuracy[i])), element('td', {}, share)));
  }
  const head = ['Estimate at', 'Accuracy', fence < 0 ? '' : 'P(inside)'];
  return element('table', {}, element('caption', {}, 'What the engine knew'),
    element('thead', {}, element('tr', {}, ...head.map((name) => element(name ? 'th' : 'td', name ? {scope: 'col'} : {}, name)))),
    element('tbody', {}, ...rows));
}
