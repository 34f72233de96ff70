"""What the tests of pages share: Chromium, axe-core, and where an event is drawn on the map.

Its place is computed here; where it is drawn is found by the pixels that change when it is selected.
"""

import contextlib
import math

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

MINUTES = 10 * 60_000
WIDE = {"viewport": {"width": 1280, "height": 900}}
DARK = WIDE | {"color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}

# The middle of the pixels of the map that the last selection changed, in pixels of the map.
CHANGED = """() => {
  const canvas = document.querySelector('#map canvas');
  const {width, height} = canvas;
  const now = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const before = window.before;
  window.before = now;
  if (!before || before.length !== now.length) return null;
  let [west, north, east, south] = [width, height, -1, -1];
  for (let i = 0; i < now.length; i += 4) {
    if (now[i] === before[i] && now[i + 1] === before[i + 1] && now[i + 2] === before[i + 2]) continue;
    const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
    west = Math.min(west, x); east = Math.max(east, x);
    north = Math.min(north, y); south = Math.max(south, y);
  }
  if (east < 0) return null;
  const [a, b] = [canvas.getBoundingClientRect(), document.getElementById('map').getBoundingClientRect()];
  return [(west + east + 1) / 2 + a.left - b.left, (north + south + 1) / 2 + a.top - b.top];
}"""


@contextlib.contextmanager
def chromium():
    with sync_playwright() as tool:
        browser = tool.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
        yield browser
        browser.close()


def new_page(browser, seen, **options):
    """A page whose requests and complaints are noted in `seen`."""

    def note(message):
        # Chromium's advice about CHANGED, which is a test's.
        if "willReadFrequently" not in message:
            seen["complaints"].append(message)

    page = browser.new_page(timezone_id="Europe/Berlin", **options)
    page.set_default_timeout(MINUTES)
    page.on("request", lambda request: seen["requests"].append(request.url))
    page.on("console", lambda message: note(message.text))
    page.on("pageerror", lambda error: note(str(error)))
    page.on("dialog", lambda dialog: (note("dialog"), dialog.dismiss()))
    return page


def frames(page):
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


def violations(page):
    """What axe-core finds."""
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]


def overflow(page):
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth")


def appearances(open_page):
    """Opens a page dark, on a phone, and wide, which stays open.

    Gives it, what axe-core finds in all of them, and how far it is too wide for the phone.
    """
    found = []
    for options in (DARK, PHONE):
        page = open_page(**options)
        found += violations(page)
        too_wide = overflow(page)
        page.close()
    page = open_page(**WIDE)
    return page, found + violations(page), too_wide


def world(latitude, longitude, zoom):
    """Web Mercator (EPSG:3857) in pixels of 256 a tile."""
    size = 256 * 2**zoom
    angle = math.radians(max(-85.0511288, min(85.0511288, latitude)))
    y = math.log(math.tan(math.pi / 4 + angle / 2))
    return (longitude / 360 + 0.5) * size, (0.5 - y / (2 * math.pi)) * size


def errors(page, zoom=16):
    """How far from its place each event with a position is drawn, in pixels, by id."""
    events = page.evaluate(
        "waymark.model.events.filter(e => e.latitude !== undefined)"
        ".map(({id, latitude, longitude, shownLongitude}) =>"
        " ({id, latitude, longitude, shownLongitude}))")
    return {event["id"]: error_of(page, event, zoom) for event in events}


def error_of(page, event, zoom):
    latitude, longitude = event["latitude"], event["longitude"]
    size = page.evaluate(
        "([a, b, zoom]) => { waymark.selection.select(null); waymark.map.setView([a, b], zoom,"
        " {animate: false}); const s = waymark.map.getSize(); return [s.x, s.y]; }",
        [latitude + 0.0003, event["shownLongitude"] - 0.0004, zoom])
    frames(page)
    page.evaluate(CHANGED)
    page.locator(f'#events button[data-id="{event["id"]}"]').click()
    frames(page)
    found = page.evaluate(CHANGED)
    center = page.evaluate("[waymark.map.getCenter().lat, waymark.map.getCenter().lng]")
    if not found:
        return None
    (x, y), (cx, cy) = world(latitude, longitude, zoom), world(*center, zoom)
    turn = 256 * 2**zoom
    east = (x - cx + turn / 2) % turn - turn / 2
    return math.hypot(east + size[0] / 2 - found[0], y - cy + size[1] / 2 - found[1])
