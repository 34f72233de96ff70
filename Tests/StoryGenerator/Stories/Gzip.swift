import Geodesy
import Simulation

extension Story {
  /// A bus line, compressed.
  static var gzip: Story {
    let seed: UInt64 = 118
    let start = Coordinate(latitude: 1.3000, longitude: 103.8400)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    let stops = [at(700, 200), at(1500, 250), at(2300, 900)]
    var plan = Plan((2026, 5, 13), 23, 50, at: start)
    plan.stay(minutes: 1)
    plan.travel(.bus, through: stops.map { Waypoint($0, halt: 30) } + [Waypoint(at(3100, 1500))])
    let path = TruePath(plan)
    let recording = Recording(
      device: "bus-7", path: path, fixes: Receiver.clear(every: 2, seed: seed).fixes(on: path))
    let names = ["library", "hospital", "terminus"]
    return Story(
      name: "gzip", title: "A compressed track, over midnight",
      about: """
        A night bus makes three stops of half a minute; midnight (UTC) passes on the way. The file \
        is gzip-compressed and is read as it is.
        """,
      seed: seed,
      fences: zip(names, stops).map { .circle($0, $1, 100, "a stop of half a minute") },
      recordings: [recording], track: ("track.gpx.gz", GPXText().file(recording.tracks)),
      preamble:
        "# The format is detected from the content, so the name of the file does not matter.\n"
        + "device: bus-7\n")
  }
}
