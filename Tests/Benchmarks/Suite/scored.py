"""A world of one device for `waymark score`, and a log of as many events; the same bytes in every run.

The device rests, so no significant change of the log is due: the worst case of its search.
"""

import datetime
import json
import random

START = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
KINDS = "fences", "visits", "significant"


def stamp(minute):
    return (START + datetime.timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def write(events, folder):
    """Writes a world with a point of the true track, a third of a crossing and of a stay for each
    event, and the log; gives its path."""
    noise = random.Random(1)
    for name in "truth/track", "fences":
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "devices.json").write_text(json.dumps([{
        "device": "van", "split": "test", "regime": "s60", "profile": "rider", "interval": 60,
        "days": events / 1440, "start": stamp(0), "end": stamp(events), "first_fix": stamp(0)}]))
    (folder / "fences/van.json").write_text(json.dumps(
        [{"id": "yard", "latitude": 52, "longitude": 13, "radius": 100, "why": "place"}]))
    (folder / "truth/track/van.csv").write_text("time,latitude,longitude\n" + "".join(
        f"{stamp(minute)},{52 + noise.uniform(-1, 1) / 1e4:.7f},13\n" for minute in range(events)))
    (folder / "truth/fences.jsonl").write_text("".join(json.dumps({
        "type": kind(minute), "device": "van", "fence": "yard", "time_first": stamp(minute),
        "time_last": stamp(minute), "required": minute % 9 > 0}) + "\n"
        for minute in range(0, events, 3)))
    (folder / "truth/visits.jsonl").write_text("".join(json.dumps({
        "device": "van", "arrival": stamp(minute), "departure": stamp(minute + 2), "latitude": 52,
        "longitude": 13, "required": minute % 9 > 0}) + "\n" for minute in range(0, events, 3)))
    place = {"device": "van", "latitude": 52, "longitude": 13}
    log = folder / "events.jsonl"
    log.write_text("".join(json.dumps(place | fields) + "\n" for minute in range(0, events, 3)
                           for fields in (
        {"type": kind(minute), "fence": "yard", "time": stamp(minute + 1)},
        {"type": "visit", "id": f"{minute:x}", "arrival": stamp(minute),
         "departure": stamp(minute + 3), "decided": stamp(minute + 5)},
        {"type": "significant-change", "time": stamp(minute)})))
    return log


def kind(minute):
    return "enter" if minute % 2 else "exit"
