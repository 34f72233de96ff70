"""Opens the live page with a clock, a stream and tracks of its own, and prints when it loads the tracks.

usage: live-loads.py URL

The object has how many loads had begun after each step, and which were ended by the page.
"""

import json
import sys

import pages

STREAM = """(() => {
  window.loads = [];
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    constructor() { super(); window.stream = this; }
  };
  const {fetch} = window;
  const load = (signal) => new Promise((resolve, reject) => {
    const load = {isEnded: false, answer: (ok) => resolve({ok, json: async () => []})};
    signal?.addEventListener('abort', () => { load.isEnded = true; reject(new Error('ended')); });
    loads.push(load);
  });
  window.fetch = (url, options) => url === 'track' ? load(options?.signal) : fetch(url, options);
})()"""
# Waits until what was said is done: a message is no timer of the page.
SETTLE = "new Promise(r => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); })"

with pages.chromium() as browser:
    page = pages.new_page(browser, {"requests": [], "complaints": []})
    page.add_init_script(STREAM)
    page.clock.install(time=0)
    page.goto(sys.argv[1])
    page.wait_for_function("window.stream && window.waymark")
    page.clock.pause_at(3_600_000)
    counts = []

    def count():
        page.evaluate(SETTLE)
        counts.append(page.evaluate("loads.length"))

    def say(message):
        page.evaluate(f"stream.dispatchEvent(new Event('{message}'))")

    def answer(ok):
        page.evaluate(f"loads.at(-1).answer({json.dumps(ok)})")
        page.evaluate(SETTLE)

    def wait_for_load(milliseconds):
        """Asks for a load, which is to begin after so many milliseconds, and not before."""
        for _ in range(3):
            say("tracks")
        page.clock.run_for(milliseconds - 1)
        count()
        page.clock.run_for(1)
        count()

    say("open")
    count()
    # A load that never ends: the next connection ends it.
    wait_for_load(600_000)
    say("open")
    count()
    # One that takes a second, one that takes no time, and two that fail.
    page.clock.run_for(1_000)
    for ok, pause in (True, 9_000), (True, 2_000), (False, 4_000), (False, 8_000):
        answer(ok)
        wait_for_load(pause)
    answer(True)
    page.clock.run_for(2_000)
    count()
    say("tracks")
    count()
    ended = page.evaluate("loads.map(load => load.isEnded)")
    print(json.dumps({"counts": counts, "ended": ended}), flush=True)
