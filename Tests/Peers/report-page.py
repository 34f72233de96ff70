"""report-page.py PAGE: opens a page of `waymark report`, an absolute path.

With PNG WIDTHxHEIGHT it only takes a picture.

It prints one object of JSON: what the browser requested, what it complained about, what is on the page,
the commonest colour of its map, what axe-core found in light, in dark and on a phone, and how far each
event is drawn from where it should be. That place is computed here; where it is drawn is found by the
pixels that change when it is selected. Every request to a server is answered by a magenta tile, unless the
page's policy forbids it.
"""

import base64
import json
import math
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

BROWSER = "/usr/bin/chromium-headless-shell"
MINUTES = 10 * 60_000

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

# The colour that most pixels of a picture have, as red, green, blue.
GROUND = """async (picture) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + picture;
  await image.decode();
  const [width, height] = [image.width, image.height];
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, width, height).data;
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += 4) {
    const colour = pixels.slice(i, i + 3).join();
    counts.set(colour, (counts.get(colour) || 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}"""

# One magenta pixel.
TILE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z/AfAAQAAf8iCjrwAAAAAElFTkSuQmCC")


def world(latitude, longitude, zoom):
    """Web Mercator (EPSG:3857) in pixels of 256 a tile."""
    size = 256 * 2**zoom
    angle = math.radians(latitude)
    y = math.log(math.tan(math.pi / 4 + angle / 2))
    return (longitude / 360 + 0.5) * size, (0.5 - y / (2 * math.pi)) * size


def frames(page):
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


def error_of(page, event, zoom=16):
    """How far from its place an event is drawn, in pixels."""
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


def ground(browser, page):
    """The commonest colour of the map, once its tiles have come.

    A page may not read the pixels of another server's images, so another page reads a picture of this one.
    """
    if page.evaluate("!!waymark.tiles"):
        page.wait_for_function("waymark.tiles.isComplete && !waymark.tiles.isWaiting")
        frames(page)
    picture = base64.b64encode(page.locator("#map").screenshot()).decode()
    reader = browser.new_page()
    colour = reader.evaluate(GROUND, picture)
    reader.close()
    return colour


def violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]


def note(message, seen):
    # Chromium's advice about CHANGED, which is a test's.
    if "willReadFrequently" not in message:
        seen["complaints"].append(message)


def open_page(browser, path, seen, **options):
    page = browser.new_page(timezone_id="Europe/Berlin", **options)
    page.set_default_timeout(MINUTES)
    page.on("request", lambda request: seen["requests"].append(request.url))
    page.route("http*://**", lambda route: route.fulfill(body=TILE, content_type="image/png"))
    page.on("console", lambda message: note(message.text, seen))
    page.on("pageerror", lambda error: seen["complaints"].append(str(error)))
    page.on("dialog", lambda dialog: (seen["complaints"].append("dialog"), dialog.dismiss()))
    page.goto(f"file://{path}")
    page.wait_for_function("window.waymark")
    frames(page)
    return page


def check(browser, path):
    seen = {"requests": [], "complaints": []}
    page = open_page(browser, path, seen, viewport={"width": 1280, "height": 900})
    seen["axe"] = violations(page)
    buttons = page.locator("#events button")
    seen["ids"] = page.evaluate("[...document.querySelectorAll('#events button')].map(b => b.dataset.id)")
    seen["texts"] = buttons.all_inner_texts()
    seen["title"] = page.locator("#title").inner_text()
    seen["totals"] = page.locator("#totals").inner_text()
    seen["footer"] = page.locator("footer").inner_text()
    seen["ground"] = ground(browser, page)
    events = page.evaluate(
        "waymark.model.events.map(({id, latitude, longitude, shownLongitude}) =>"
        " ({id, latitude, longitude, shownLongitude}))")
    seen["errors"] = {e["id"]: error_of(page, e) for e in events if e["latitude"] is not None}
    if events:
        seen["detail"] = page.locator("#detail").inner_text()
        seen["axe"] += violations(page)
    page.close()
    for options in (
        {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
        {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"},
    ):
        page = open_page(browser, path, seen, **options)
        seen["axe"] += violations(page)
        if options["viewport"]["width"] < 400:
            seen["overflow"] = page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth")
        page.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"file://{path}")
    seen["noscript"] = page.locator("noscript").inner_text() if page.locator("noscript").count() else ""
    return seen


def picture(browser, path, target, size):
    width, height = (int(side) for side in size.split("x"))
    page = open_page(
        browser, path, {"requests": [], "complaints": []}, viewport={"width": width, "height": height})
    page.evaluate(
        "waymark.selection.select(waymark.model.events.filter(e => e.type === 'enter')[1])")
    frames(page)
    page.evaluate("document.querySelector('.side').scrollTop = 0")
    page.screenshot(path=target)


def main(path, *rest):
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        if rest:
            picture(browser, path, *rest)
        else:
            print(json.dumps(check(browser, path)))
        browser.close()


main(*sys.argv[1:])
