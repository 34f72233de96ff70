"""Google's timelines against what Python's json reads of them: the exports of Android and iOS, and the
Semantic Location History of Takeout."""
import jsontext
from json_formats import degrees, difference, plain, positive, row
from jsontext import instant, moments, optional, stamp

MINUTE = 60 * 10**9
# The last minutes of a visit in which there is nothing else, and the step of the fixes that are put there.
PART, STEP = 35, 5
# How good a source is of two fixes at one time, the best first.
SIGNAL, PATH, END = range(3)


def spaced(random, count):
    """Instants with the gaps of a timeline: from seconds to hours."""
    return list(moments(random, count, random.choice([600, 7_000])))


def geo(random):
    """A place as the exports of phones write it."""
    latitude, longitude = degrees(random)
    return f"{latitude:.7f}\u00b0, {longitude:.7f}\u00b0"


def android(random):
    segments, signals = [], []
    times = spaced(random, random.randrange(2, 40))
    for start, end in zip(times, times[1:]):
        segment = {"startTime": stamp(random, start), "endTime": stamp(random, end),
                   "startTimeTimezoneUtcOffsetMinutes": 60}
        segment |= random.choice([
            {"visit": {"hierarchyLevel": random.choice([0, 0, 1]), "probability": 0.9, "topCandidate": {
                "placeId": "x", "placeLocation": {"latLng": geo(random)}}}},
            {"activity": {"start": {"latLng": geo(random)}, "end": {"latLng": geo(random)},
                          "distanceMeters": 9.5, "topCandidate": {"type": "WALKING"}}},
            {"timelinePath": [{"point": geo(random), "time": stamp(random, time)}
                              for time in [start, (start + end) // 2 // 10**6 * 10**6]]},
            {"timelineMemory": {"trip": {"distanceFromOriginKms": 9}}}])
        segments.append(segment)
        if random.random() < 0.4:
            signals.append(random.choice([
                {"position": {"LatLng": geo(random), "timestamp": stamp(random, start + 10**9),
                              "source": "WIFI"} | optional(random, {
                                  "accuracyMeters": random.randrange(0, 100),
                                  "altitudeMeters": random.uniform(-400, 9000),
                                  "speedMetersPerSecond": random.uniform(-1, 60)})},
                {"wifiScan": {"deliveryTime": stamp(random, start), "devicesRecords": []}}]))
    return {"semanticSegments": segments, "rawSignals": signals, "userLocationProfile": {}}


def ios(random):
    def place():
        return "geo:" + geo(random).replace("\u00b0", "").replace(" ", "")
    segments = []
    times = spaced(random, random.randrange(2, 40))
    for start, end in zip(times, times[1:]):
        segments.append(
            {"startTime": stamp(random, start), "endTime": stamp(random, end)} | random.choice([
                {"visit": {"hierarchyLevel": random.choice(["0", "0", "1"]), "topCandidate": {
                    "probability": "0.9", "placeLocation": place()}}},
                {"activity": {"start": place(), "end": place(), "distanceMeters": "9.5"}},
                {"timelinePath": [{"point": place(), "durationMinutesOffsetFromStartTime": str(minutes)}
                                  for minutes in sorted(random.sample(range(120), random.randrange(5)))]},
            ]))
    return segments


def history(random):
    def place(keys):
        return dict(zip(keys, (round(value * 1e7) for value in degrees(random))))

    def location():
        return place(["latitudeE7", "longitudeE7"]) | {"placeId": "x", "name": "y"}

    def period(start, end):
        if random.random() < 0.3:
            return {"startTimestampMs": str(start // 10**6), "endTimestampMs": str(end // 10**6)}
        return {"startTimestamp": stamp(random, start), "endTimestamp": stamp(random, end)}

    objects = []
    times = spaced(random, random.randrange(2, 30))
    for start, end in zip(times, times[1:]):
        objects.append(random.choice([
            {"placeVisit": {"location": location(), "duration": period(start, end),
                            "otherCandidateLocations": [location()], "childVisits": []}},
            {"activitySegment": {
                "startLocation": location(), "endLocation": location(), "duration": period(start, end),
                "distance": 9, "simplifiedRawPath": {"points": [
                    place(["latE7", "lngE7"]) | {"accuracyMeters": 7, "timestamp": stamp(random, time)}
                    for time in [(2 * start + end) // 3 // 10**6 * 10**6]]},
                "waypointPath": {"waypoints": [place(["latE7", "lngE7"])]}}}]))
    return {"timelineObjects": objects}


# What Python reads


def position(value):
    """Latitude and longitude of a place in any of its spellings."""
    if isinstance(value, dict):
        for keys in [("latitudeE7", "longitudeE7"), ("latE7", "lngE7")]:
            if keys[0] in value:
                return [value[key] / 1e7 for key in keys]
        value = value["latLng"]
    return [float(part.strip().removesuffix("\u00b0")) for part in value.removeprefix("geo:").split(",")]


class Timeline:
    """All fixes with their sources, and the visits."""

    def __init__(self, document):
        self.fixes, self.visits = [], []
        if isinstance(document, list):
            document = {"semanticSegments": document}
        for segment in document.get("semanticSegments", []):
            self.segment(segment)
        for item in document.get("timelineObjects", []):
            self.history(item)
        for signal in document.get("rawSignals", []):
            found = signal.get("position")
            if found:
                self.fixes.append((SIGNAL, row(
                    instant(found["timestamp"]), *position(found["LatLng"]),
                    plain(found.get("altitudeMeters")), positive(found.get("speedMetersPerSecond")),
                    None, positive(found.get("accuracyMeters")))))

    def segment(self, segment):
        start, end = instant(segment["startTime"]), instant(segment["endTime"])
        visit, trip = segment.get("visit"), segment.get("activity")
        if visit and int(visit["hierarchyLevel"]) == 0:
            self.visit(start, end, position(visit["topCandidate"]["placeLocation"]))
        if trip:
            self.ends(start, end, position(trip["start"]), position(trip["end"]))
        for point in segment.get("timelinePath", []):
            time = (instant(point["time"]) if "time" in point
                    else start + int(point["durationMinutesOffsetFromStartTime"]) * MINUTE)
            self.fixes.append((PATH, row(time, *position(point["point"]))))

    def history(self, item):
        part = item.get("placeVisit") or item["activitySegment"]
        period = part["duration"]
        start, end = (instant(period[f"{name}Timestamp"]) if f"{name}Timestamp" in period
                      else int(period[f"{name}TimestampMs"]) * 10**6 for name in ["start", "end"])
        if "location" in part:
            return self.visit(start, end, position(part["location"]))
        self.ends(start, end, position(part["startLocation"]), position(part["endLocation"]))
        for point in part["simplifiedRawPath"]["points"]:
            self.fixes.append((PATH, row(instant(point["timestamp"]), *position(point),
                                         accuracy=point["accuracyMeters"])))

    def visit(self, start, end, place):
        self.visits.append([start, end, *place])
        self.ends(start, end, place, place)

    def ends(self, start, end, first, last):
        self.fixes += [(END, row(start, *first)), (END, row(end, *last))]

    def times(self):
        """The times of the fixes that are read: raw signals replace what is between them."""
        signals = sorted(fix[0] for source, fix in self.fixes if source == SIGNAL)
        covered = [(first, last) for first, last in zip(signals, signals[1:])
                   if last - first <= 30 * MINUTE]
        return sorted({fix[0] for source, fix in self.fixes if source == SIGNAL or not any(
            first < fix[0] < last for first, last in covered)})

    def parts(self, fixes):
        """The fixes that are put into a visit in which there is nothing else: after its beginning and
        before its end."""
        ends = {(end, *place): start for start, end, *place in self.visits}
        put = []
        for before, fix in zip(fixes, fixes[1:]):
            start = ends.get(tuple(fix[:3]))
            if start is None or before[0] < start or before[1:3] != fix[1:3]:
                continue
            if before[0] == start:
                for minutes in range(STEP, PART + 1, STEP):
                    time = start + minutes * MINUTE
                    if time < fix[0] - PART * MINUTE:
                        put.append([time, *fix[1:]])
            for minutes in range(PART, 0, -STEP):
                time = fix[0] - minutes * MINUTE
                if time > before[0]:
                    put.append([time, *fix[1:]])
        return put

    def best(self, time):
        """The fixes of the best source at a time, of which one is read."""
        source = min(source for source, fix in self.fixes if fix[0] == time)
        return [fix for other, fix in self.fixes if (other, fix[0]) == (source, time)]


def against_json(make):
    def compare(check, random, worker):
        data = jsontext.write(random, make(random))
        answer = worker.ask("trace-googleTimeline", data)
        if answer is None:
            return check.fail("the reader trapped", data)
        theirs = Timeline(jsontext.read(data))
        ours = answer["points"]
        if answer["issues"] or answer["visits"] != theirs.visits:
            return check.fail(f"{answer['issues']} {answer['visits']} {theirs.visits}", data)
        times = set(theirs.times())
        given = [fix for fix in ours if fix[0] in times]
        if sorted(given + theirs.parts(given), key=lambda fix: fix[0]) != ours:
            return check.fail(f"parts of visits: {ours} {theirs.parts(given)}", data)
        if [fix[0] for fix in given] != theirs.times():
            return check.fail(f"times: {[fix[0] for fix in ours]} {theirs.times()}", data)
        for fix in given:
            if fix not in theirs.best(fix[0]):
                return check.fail(f"{fix} is none of {theirs.best(fix[0])}", data)
        return check.compared(len(ours) + len(theirs.visits))
    return compare


CHECKS = {
    "timeline-android": against_json(android),
    "timeline-ios": against_json(ios),
    "timeline-history": against_json(history),
}
