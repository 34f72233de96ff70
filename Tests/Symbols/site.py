#!/usr/bin/env python3
"""Checks the site of the documentation as a browser gets it: site.py FOLDER MODULE...

Serves the folder as Python's http.server does, and fetches the page and the contents of every module, of
the page above them, of every article, and of every page that one of these names. Exits 1 if one is
missing.
"""
import functools
import http.server
import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request


class Server(http.server.ThreadingHTTPServer):
    """A server that prints no requests."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def fetch(self, path):
        """The bytes of a path; None when there are none."""
        address = f"http://127.0.0.1:{self.server_port}{urllib.parse.quote(path)}"
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError:
            return None


def missing(server, modules):
    """The paths of the site that are named and not there, and how many were fetched."""
    absent, waiting = [], ["/documentation"] + [f"/documentation/{name.lower()}" for name in modules]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        contents = server.fetch(f"/data{path}.json")
        if contents is None or server.fetch(path + "/") is None:
            absent.append(path)
            continue
        for reference in json.loads(contents).get("references", {}).values():
            address = reference.get("url", "").split("#")[0]
            if reference.get("type") == "topic" and address.startswith("/") and address not in seen:
                seen.add(address)
                waiting.append(address)
    return absent, len(seen)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    absent, count = missing(Server(sys.argv[1]), sys.argv[2:])
    for path in sorted(absent):
        print(f"site: {path} is named and not there")
    if absent:
        sys.exit(1)
    print(f"site: all {count} pages of {len(sys.argv) - 2} modules are there")


if __name__ == "__main__":
    main()
