"""The formats of JSON documents against what Python's json reads of them.

What the members mean is written down twice: here and in our readers.
"""
import json

import jsontext
from jsontext import instant, moments, number, optional, stamp


def degrees(random):
    return random.uniform(-90, 90), random.uniform(-180, 180)


def plain(value):
    """A number, also in a text."""
    return None if value is None else float(value)


def positive(value):
    """A number of which one below 0 is unknown."""
    value = plain(value)
    return None if value is None or value < 0 else value


def row(time, latitude, longitude, altitude=None, speed=None, course=None, accuracy=None, device=None):
    return [time, latitude, longitude, altitude, speed, course, accuracy, device]


# Google's Records.json


def google_records(random):
    locations = []
    for time in moments(random, random.randrange(1, 20)):
        latitude, longitude = (round(value * 1e7) for value in degrees(random))
        if random.random() < 0.1:
            # Some exports lack the sign of 32 bits.
            latitude, longitude = latitude % 2**32, longitude % 2**32
        location = {"latitudeE7": latitude, "longitudeE7": longitude}
        if random.random() < 0.1:
            location = {"wifiScan": {"accessPoints": [{"mac": 1, "strength": -50}]}}
        location |= (
            {"timestampMs": str(time // 10**6)} if random.random() < 0.3
            else {"timestamp": stamp(random, time)})
        location |= optional(random, {
            "accuracy": number(random, random.randrange(-1, 3000)),
            "velocity": number(random, random.randrange(-1, 60)),
            "heading": number(random, random.randrange(-1, 360)),
            "altitude": number(random, random.randrange(-400, 9000)),
            "verticalAccuracy": 3, "source": "GPS",
            "deviceTag": random.choice([-1184882232, 7, 10**12]),
            "activity": [{"activity": [{"type": "STILL", "confidence": 90}], "timestamp": "x"}],
        })
        locations.append(location)
    return {"locations": locations}


def rows_of_records(document):
    for location in document["locations"]:
        if "latitudeE7" not in location:
            continue
        latitude, longitude = ((value - 2**32 if value > 1.8e9 else value) / 1e7
                               for value in (location["latitudeE7"], location["longitudeE7"]))
        time = (instant(location["timestamp"]) if "timestamp" in location
                else int(location["timestampMs"]) * 10**6)
        tag = location.get("deviceTag")
        yield row(time, latitude, longitude, plain(location.get("altitude")),
                  positive(location.get("velocity")), positive(location.get("heading")),
                  positive(location.get("accuracy")), None if tag is None else str(tag))


def issues_of_records(document):
    """A file of records without any position holds no track."""
    locations = document["locations"]
    is_empty = locations and not any("latitudeE7" in location for location in locations)
    return [["record", 1, 1]] if is_empty else []


# OwnTracks


def own_tracks_message(random, time):
    latitude, longitude = degrees(random)
    if random.random() < 0.1:
        return {"_type": random.choice(["transition", "waypoint", "lwt"]), "tst": time // 10**9,
                "lat": latitude, "lon": longitude}
    return {"_type": "location", "tst": time // 10**9, "lat": number(random, latitude),
            "lon": number(random, longitude)} | optional(random, {
                "acc": random.randrange(0, 100), "alt": number(random, random.uniform(-400, 9000)),
                "vac": 3, "vel": number(random, random.uniform(-1, 200)),
                "cog": random.randrange(0, 360), "batt": 20, "tid": random.choice(["ab", "cd"]),
                "topic": random.choice(["owntracks/a/phone", "owntracks/\u00e4/\"x\""])})


def own_tracks(random):
    messages = [own_tracks_message(random, time) for time in moments(random, random.randrange(1, 20))]
    return random.choice([messages, {"count": len(messages), "data": messages}, messages[0]])


def row_of_own_tracks(message):
    """The fix of a message; None for messages of other types."""
    if message["_type"] != "location":
        return None
    speed = positive(message.get("vel"))
    return row(message["tst"] * 10**9, plain(message["lat"]), plain(message["lon"]),
               plain(message.get("alt")), None if speed is None else speed / 3.6,
               positive(message.get("cog")), positive(message.get("acc")) or None,
               message.get("topic") or message.get("tid"))


def rows_of_own_tracks(document):
    if isinstance(document, dict):
        document = document.get("data", [document])
    return filter(None, map(row_of_own_tracks, document))


def recordings(random):
    """What the Recorder stores of messages: a line each."""
    lines = b""
    for time in moments(random, random.randrange(1, 20)):
        message = jsontext.write(random, own_tracks_message(random, time)).removeprefix(b"\xef\xbb\xbf")
        message = b" ".join(message.split(b"\n")).replace(b"\r", b" ")
        topic = random.choice(["*", "lwt", "*                 "])
        lines += jsontext.stamp(random, time // 10**9 * 10**9).encode() + f"\t{topic}\t".encode()
        lines += message + random.choice([b"\n", b"\r\n"])
    return lines


def rows_of_recordings(data):
    device = None
    for line in data.decode().splitlines():
        found = row_of_own_tracks(json.loads(line.split("\t", 2)[2]))
        if found:
            # A message without a device is of the last one.
            device = found[-1] = found[-1] or device
            yield found


# Traccar


def traccar(random):
    return [{"id": index, "deviceId": random.choice([1, 22]), "protocol": "osmand",
             "serverTime": stamp(random, time + 10**9), "deviceTime": stamp(random, time),
             "fixTime": stamp(random, time), "valid": random.random() < 0.9,
             "latitude": latitude, "longitude": longitude, "attributes": {"latitude": 1, "valid": False},
             } | optional(random, {
                 "speed": number(random, random.uniform(0, 60)), "course": random.randrange(0, 360),
                 "altitude": random.uniform(-400, 9000), "accuracy": random.randrange(0, 20)})
            for index, time in enumerate(moments(random, random.randrange(1, 20)))
            for latitude, longitude in [degrees(random)]]


def rows_of_traccar(document):
    for position in document:
        if position["valid"]:
            speed = positive(position.get("speed"))
            yield row(instant(position["fixTime"]), position["latitude"], position["longitude"],
                      plain(position.get("altitude")), None if speed is None else speed * 1852 / 3600,
                      positive(position.get("course")), positive(position.get("accuracy")) or None,
                      str(position["deviceId"]))


# Overland


def overland(random):
    features = []
    for time in moments(random, random.randrange(1, 20)):
        latitude, longitude = degrees(random)
        features.append({
            "type": "Feature", "geometry": {"type": "Point", "coordinates": [
                number(random, longitude, 0), number(random, latitude, 0)]},
            "properties": {"timestamp": stamp(random, time)} | optional(random, {
                "altitude": random.randrange(-400, 9000), "speed": random.randrange(-1, 60),
                "course": number(random, random.randrange(-1, 360)),
                "horizontal_accuracy": number(random, random.uniform(-1, 3000)),
                "vertical_accuracy": random.randrange(-1, 30), "motion": ["driving", "stationary"],
                "battery_level": 0.5, "wifi": "", "device_id": random.choice(["phone", "\u00e4"])})})
    return {"locations": features}


def rows_of_overland(document):
    for feature in document["locations"]:
        longitude, latitude = feature["geometry"]["coordinates"]
        values = feature["properties"]
        yield row(instant(values["timestamp"]), latitude, longitude, plain(values.get("altitude")),
                  positive(values.get("speed")), positive(values.get("course")),
                  positive(values.get("horizontal_accuracy")), values.get("device_id"))


# Records with the names of columns


def json_table(random):
    """Records with one choice of names, as apps write them: an array, alone or in objects, or one a line."""
    name = {role: random.choice(names) for role, names in TABLE_NAMES.items()}
    nested = random.random() < 0.5
    records = []
    for time in moments(random, random.randrange(1, 20)):
        latitude, longitude = degrees(random)
        record = {name["time"]: random.choice([
            lambda: stamp(random, time), lambda: time // 10**6 if time >= 10**18 else stamp(random, time),
            lambda: time // 10**9 if time % 10**9 == 0 else stamp(random, time)])()}
        position = {name["latitude"]: number(random, latitude), name["longitude"]: number(random, longitude)}
        position |= optional(random, {
            name["accuracy"]: number(random, random.uniform(-1, 3000)),
            name["altitude"]: number(random, random.uniform(-400, 9000)),
            name["speed"]: number(random, random.uniform(-1, 60)),
            name["course"]: random.randrange(-1, 360)})
        record |= {random.choice(["coords", "location"]): position} if nested else position
        if random.random() < 0.1:
            record = {"event": random.choice(["stop", 5]), "list": [1, {"latitude": 2}]}
        records.append(record | optional(random, {"deviceId": random.choice(["a", "\u00e4 \"x\""])}, 0.3))
    return random.choice([records, {"ok": True, "points": records}, {"a": {"n": 1, "points": records}}])


TABLE_NAMES = {
    "time": ["time", "timestamp", "ts", "fix_time", "recorded_at", "dateTime"],
    "latitude": ["lat", "latitude", "Lat", "_latitude"], "longitude": ["lon", "lng", "longitude"],
    "accuracy": ["acc", "accuracy", "horizontal_accuracy"], "altitude": ["alt", "elevation", "altitude"],
    "speed": ["speed", "velocity", "speed_mps"], "course": ["heading", "course", "bearing"],
}
ROLES = {name.lower(): role for role, names in TABLE_NAMES.items() for name in names}


def rows_of_table(document):
    if isinstance(document, dict):
        document = document["points"] if "points" in document else document["a"]["points"]
    for record in document:
        flat = record | record.get("coords", {}) | record.get("location", {})
        found = {ROLES[key.lower()]: value for key, value in flat.items() if key.lower() in ROLES}
        if "latitude" not in found:
            continue
        time = found["time"]
        if isinstance(time, int):
            time *= 10**6 if time >= 10**12 else 10**9
        else:
            time = instant(time)
        yield row(time, float(found["latitude"]), float(found["longitude"]), plain(found.get("altitude")),
                  positive(found.get("speed")), positive(found.get("course")),
                  positive(found.get("accuracy")), flat.get("deviceId"))


# The comparisons


def against_json(name, make, rows, issues=lambda document: []):
    """The comparison of one format; `rows` and `issues` are those of the document that Python reads."""
    def compare(check, random, worker):
        made = make(random)
        data = made if isinstance(made, bytes) else jsontext.write(random, made)
        answer = worker.ask(f"trace-{name}", data)
        if answer is None:
            return check.fail("the reader trapped", data)
        document = data if isinstance(made, bytes) else jsontext.read(data)
        theirs = list(rows(document))
        found = [issue[:3] for issue in answer["issues"]]
        if answer["points"] != theirs or found != issues(document):
            return check.fail(f"{answer['issues']} {difference(answer['points'], theirs)}", data)
        return check.compared(len(theirs))
    return compare


def difference(ours, theirs):
    """The first of two rows that differ."""
    for mine, other in zip(ours, theirs):
        if mine != other:
            return f"{mine} is {other} by json"
    return f"{len(ours)} points, {len(theirs)} by json"


CHECKS = {
    "records-json": against_json(
        "googleRecords", google_records, rows_of_records, issues_of_records),
    "owntracks-json": against_json("ownTracks", own_tracks, rows_of_own_tracks),
    "owntracks-rec": against_json("ownTracksRecordings", recordings, rows_of_recordings),
    "traccar-json": against_json("traccar", traccar, rows_of_traccar),
    "table-json": against_json("jsonTable", json_table, rows_of_table),
    "overland-json": against_json("geoJSON", overland, rows_of_overland),
}
