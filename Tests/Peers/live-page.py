"""Opens the live page in Chromium, and prints what is on it: a JSON object a line.

usage: live-page.py URL EVENT [EVENT]

The first object comes when the first event is on the page; with a second event, another when the page
has lost the server and got that event from its successor.
"""
import json
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

LIMIT = 300_000
PAGE = """() => ({
  title: document.title,
  status: document.getElementById('status').textContent,
  inside: [...document.querySelectorAll('#inside li bdi')].map(e => e.textContent),
  events: [...document.querySelectorAll('#events li')]
    .map(e => ({id: e.dataset.id, words: e.querySelector('bdi').textContent,
                utc: e.querySelector('time')?.title})),
  scripts: window.hostile === undefined,
})"""


def report(page, problems, **more):
    print(json.dumps(page.evaluate(PAGE) | {"problems": problems} | more), flush=True)


url, *events = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"])
    page = browser.new_page()
    page.set_default_timeout(LIMIT)
    problems, requests = [], []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(url)
    page.wait_for_selector(f"#events li[data-id='{events[0]}']")
    axe = [violation["id"] for violation in Axe().run(page).response["violations"]]
    others = [other for other in requests if not other.startswith((url, "data:"))]
    report(page, problems, axe=axe, others=others)
    if len(events) > 1:
        page.wait_for_selector("#status.bad")
        print(json.dumps({"lost": page.text_content("#status")}), flush=True)
        page.wait_for_selector(f"#events li[data-id='{events[1]}']")
        report(page, problems)
    browser.close()
