import Geodesy
import Simulation
import Tracking

extension Story {
  /// Over a pass and back, with a night between.
  static var twoDays: Story {
    let seed: UInt64 = 112
    let village = Coordinate(latitude: 46.5690, longitude: 11.6720)
    let at = { (east: Double, north: Double) in village.offset(east: east, north: north) }
    let (meadow, hut) = (at(1100, 900), at(2300, 1500))
    var plan = Plan((2026, 6, 20), 13, 0, at: village)
    plan.stay(minutes: 2)
    plan.travel(.walk, through: [at(500, 300), meadow])
    plan.stay(minutes: 40)
    plan.travel(.walk, through: [hut])
    plan.stay(minutes: 16 * 60)
    plan.travel(.walk, through: [meadow])
    plan.stay(minutes: 25)
    plan.travel(.walk, through: [at(500, 300), village])
    plan.stay(minutes: 2)
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 10, resting: 30, seed: seed).fixes(on: path)
    // The recorder is off at the long rests.
    let walks = fixes.split { fix in
      fix.time.flatMap { path.longRest(at: $0.seconds(since: path.start), margin: 120) } ?? false
    }.map(Array.init)
    let tracks = [
      RecordedTrack(name: "To the hut", segments: Array(walks.prefix(2))),
      RecordedTrack(name: "Back to the village", segments: Array(walks.dropFirst(2))),
    ]
    return Story(
      name: "two-days", title: "Two days in one file",
      about: """
        Up to a hut and back the next day: two tracks of two segments each, because the recorder \
        was off at each rest on the meadow and by night. Nothing is reported between two segments, \
        and sleeping does not leave a fence.
        """,
      seed: seed,
      fences: [
        .circle("village", village, 150, "left on the first day, entered on the second"),
        .circle("meadow", meadow, 120, "a rest, with the recorder off, on both days"),
        .circle("hut", hut, 100, "where the night is spent"),
      ],
      recordings: [Recording(device: "zoe", path: path, tracks: tracks)],
      track: ("track.gpx", GPXText().file(tracks)),
      preamble:
        "# One device for the whole file; else each track would name its own.\ndevice: zoe\n"
    )
  }
}

extension TruePath {
  /// Whether an instant is in a rest of over ten minutes, more than `margin` seconds from its ends.
  fileprivate func longRest(at seconds: Double, margin: Double) -> Bool {
    let around = stride(from: -300.0, through: 300, by: 60).map { state(at: seconds + $0) }
    let isLong = around.allSatisfy { $0?.speed == 0 }
    let isDeep = [-margin, margin].allSatisfy { state(at: seconds + $0)?.speed == 0 }
    let isInside = seconds > 600 && seconds < duration - 600
    return isLong && isDeep && isInside
  }
}
