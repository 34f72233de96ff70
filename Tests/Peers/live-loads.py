"""Opens the live page with a clock, a stream and tracks of its own, and prints when it loads the tracks.

usage: live-loads.py URL

The object has how many loads had begun, and how many the page had ended, after each step; and the times
of a device's positions, of which a load had the first and the stream the second.
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
    let body;
    const stream = new ReadableStream({start: (controller) => { body = controller; }});
    const response = new Response(stream);
    const send = (text) => body.enqueue(new TextEncoder().encode(text));
    const load = {
      isEnded: false,
      move: () => { send(' '); resolve(response); },
      answer: (tracks) => { send(JSON.stringify(tracks)); body.close(); resolve(response); },
      fail: () => resolve(new Response(null, {status: 503})),
    };
    signal.addEventListener('abort', () => {
      load.isEnded = true;
      const error = new Error('ended');
      body.error(error);
      reject(error);
    });
    loads.push(load);
  });
  window.fetch = (url, options) => url === 'track' ? load(options.signal) : fetch(url, options);
})()"""
# Waits until what was said is done: a message is no timer of the page.
SETTLE = "new Promise(r => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); })"

with pages.chromium() as browser:
    page = pages.new_page(browser, {"requests": [], "complaints": []})
    page.add_init_script(STREAM)
    page.clock.install(time=0)
    page.goto(sys.argv[1])
    page.wait_for_function("() => window.stream && window.waymark")
    page.clock.pause_at(3_600_000)
    counts = []

    def count():
        page.evaluate(SETTLE)
        counts.append(page.evaluate("[loads.length, loads.filter(load => load.isEnded).length]"))

    def say(message):
        page.evaluate(f"stream.dispatchEvent(new Event('{message}'))")

    def answer(result):
        page.evaluate(f"loads.at(-1).{result}")
        page.evaluate(SETTLE)

    def wait_for_load(milliseconds):
        """Asks for a load, which is to begin after so many milliseconds, and not before."""
        for _ in range(3):
            say("tracks")
        run_to(milliseconds)

    def run_to(milliseconds):
        """Counts one millisecond before something is to happen, and when it has happened."""
        page.clock.run_for(milliseconds - 1)
        count()
        page.clock.run_for(1)
        count()

    say("open")
    count()
    # A slow one: no new connection ends it, but a minute in which nothing comes does.
    for _ in range(3):
        page.clock.run_for(40_000)
        answer("move()")
        say("open")
    run_to(60_000)
    # Its pause is the least one, and one that hangs before the next connection comes has a pause of its own.
    run_to(2_000)
    run_to(60_000)
    run_to(4_000)
    run_to(60_000)
    # The next connection does not wait for the pause.
    say("open")
    count()
    # One that takes a second, one that takes no time, and two that fail.
    page.clock.run_for(1_000)
    for result, pause in ("answer([])", 9_000), ("answer([])", 2_000), ("fail()", 4_000), ("fail()", 8_000):
        answer(result)
        wait_for_load(pause)
    answer("answer([])")
    page.clock.run_for(2_000)
    count()
    say("tracks")
    count()
    # One of the connection before: what the new one streams goes after it, and another load follows.
    say("open")
    state = {"device": "van", "status": "fix", "inside": [], "used": 2, "fixes": 2}
    state |= {"time": "2025-03-10T08:00:02Z", "latitude": 1, "longitude": 1}
    page.evaluate(
        "data => stream.dispatchEvent(new MessageEvent('status', {data}))", json.dumps(state))
    answer('answer([{device: "van", positions: [[1741593600, 1, 1, null, null]]}])')
    run_to(2_000)
    times = page.evaluate("waymark.fleet.devices.get('van').positions.map(([time]) => time - 1741593600)")
    print(json.dumps({"counts": counts, "times": times}), flush=True)
