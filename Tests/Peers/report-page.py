"""Opens pages of `waymark report` in Chromium.

usage: report-page.py PAGE...          (absolute paths)
       report-page.py --picture PAGE PNG WIDTHxHEIGHT

It prints one object of JSON a page: what the browser requested, what it complained about, what is on the
page, what axe-core found in light, in dark and on a phone, and how far each event is drawn from where it
should be. Every request to a server is answered by a magenta tile, unless the page's policy forbids it.
"""

import base64
import json
import sys

import pages

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

# The hours for each place and the visits and trips, of all days and of each.
DAYS = """() => {
  const texts = (id, part) => [...document.querySelectorAll(`#${id} li`)].map(
    (item) => [...item.querySelectorAll(part)].map((each) => each.textContent).join(' '));
  const days = document.getElementById('day');
  const found = [...days.options].map(({value}) => {
    days.value = value;
    days.onchange();
    return {places: texts('places', 'bdi, .amount'), timeline: texts('timeline', '.what')};
  });
  days.value = '';
  days.onchange();
  return found;
}"""

# One magenta pixel.
TILE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z/AfAAQAAf8iCjrwAAAAAElFTkSuQmCC")


def ground(browser, page):
    """The commonest colour of the map, once its tiles have come.

    A page may not read the pixels of another server's images, so another page reads a picture of this one.
    """
    if page.evaluate("!!waymark.tiles"):
        page.wait_for_function("() => waymark.tiles.isComplete && !waymark.tiles.isWaiting")
        pages.frames(page)
    picture = base64.b64encode(page.locator("#map").screenshot()).decode()
    reader = browser.new_page()
    colour = reader.evaluate(GROUND, picture)
    reader.close()
    return colour


def open_page(browser, path, seen, **options):
    page = pages.new_page(browser, seen, **options)
    page.route(lambda url: url.startswith("http"), lambda route: route.fulfill(body=TILE, content_type="image/png"))
    page.goto(f"file://{path}")
    page.wait_for_function("() => window.waymark")
    pages.frames(page)
    return page


def check(browser, path):
    seen = {"requests": [], "complaints": []}
    page = open_page(browser, path, seen, **pages.WIDE)
    seen["axe"] = pages.violations(page)
    buttons = page.locator("#events button")
    seen["ids"] = page.evaluate("[...document.querySelectorAll('#events button')].map(b => b.dataset.id)")
    seen["texts"] = buttons.all_inner_texts()
    seen["title"] = page.locator("#title").inner_text()
    seen["totals"] = page.locator("#totals").inner_text()
    seen["footer"] = page.locator("footer").inner_text()
    seen["ground"] = ground(browser, page)
    seen["errors"] = pages.errors(page)
    if seen["errors"]:
        seen["detail"] = page.locator("#detail").inner_text()
        seen["axe"] += pages.violations(page)
    seen["days"] = page.evaluate(DAYS)
    page.select_option("#units", "nautical")
    seen["scale"] = page.locator(".leaflet-control-scale").inner_text()
    page.close()
    page = open_page(browser, path, seen, **pages.DARK)
    seen["axe"] += pages.violations(page)
    page.close()
    page = open_page(browser, path, seen, **pages.PHONE)
    seen["axe"] += pages.violations(page)
    seen["overflow"] = pages.overflow(page)
    page.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"file://{path}")
    seen["noscript"] = page.locator("noscript").inner_text() if page.locator("noscript").count() else ""
    page.close()
    return seen


def picture(browser, path, target, size):
    width, height = (int(side) for side in size.split("x"))
    page = open_page(
        browser, path, {"requests": [], "complaints": []}, viewport={"width": width, "height": height})
    page.evaluate(
        "waymark.selection.select(waymark.model.events.filter(e => e.type === 'enter')[1])")
    pages.frames(page)
    page.evaluate("document.querySelector('.side').scrollTop = 0")
    page.screenshot(path=target)


with pages.chromium() as browser:
    if sys.argv[1] == "--picture":
        picture(browser, *sys.argv[2:])
    else:
        for path in sys.argv[1:]:
            print(json.dumps(check(browser, path)))
