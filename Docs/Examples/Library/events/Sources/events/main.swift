import WaymarkKit

let bakery = Fence(
  id: "bakery", center: Coordinate(latitude: 47.991388, longitude: 7.846827), radius: 60)
var tracker = Tracker(rules: Rules(fences: try FenceSet([bakery])))
var events: [Event] = []
let track = try TrackReader("track.gpx", device: "mara")
for fix in track { tracker.ingest(fix, into: &events) }
for event in events { print(EventRecord(device: "mara", event: event).json) }
for problem in track.problems { print("warning:", problem) }
try track.finish()
