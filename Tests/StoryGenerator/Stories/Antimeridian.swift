import Geodesy
import Simulation

extension Story {
  /// A ferry from the eastern to the western hemisphere and back.
  static var antimeridian: Story {
    let seed: UInt64 = 106
    let at = { (latitude: Double, longitude: Double) in
      Coordinate(latitude: latitude, longitude: longitude)
    }
    var plan = Plan((2026, 5, 10), 20, 0, at: at(-16.80, 179.88))
    plan.stay(minutes: 5)
    plan.travel(.boat.at(9), through: [at(-16.77, 179.97), at(-16.74, -179.93)])
    plan.stay(minutes: 12)
    plan.travel(.boat.at(9), through: [at(-16.80, 179.88)])
    plan.stay(minutes: 5)
    let path = TruePath(plan)
    let recording = Recording(
      device: "ferry", path: path,
      fixes: Receiver.clear(every: 20, resting: 60, sigma: 4, seed: seed).fixes(on: path))
    let strait = StoryFence(
      id: "strait", comment: "",
      area: .polygons([
        .init(outer: [at(-16.85, 179.95), at(-16.85, 180), at(-16.70, 180), at(-16.70, 179.95)]),
        .init(outer: [at(-16.85, -180), at(-16.85, -179.98), at(-16.70, -179.98), at(-16.70, -180)]
        ),
      ]))
    let own = antimeridianFences(at)
    return Story(
      name: "antimeridian", title: "Over the antimeridian",
      about: """
        A ferry in Fiji goes from 179.88° east to 179.93° west and back. Three fences lie on the \
        180th meridian: a circle, a polygon whose ring crosses it, and `strait`, which \
        `fences.geojson` cuts in two there, as RFC 7946 §3.1.9 requires. Passing the meridian \
        itself is not an event.
        """,
      seed: seed, fences: own + [strait], recordings: [recording],
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: "# Fences on the 180th meridian.\ndevice: ferry\n",
      entries: own.compactMap(\.entry).joined() + "  - include: fences.geojson\n",
      extras: [("fences.geojson", JSONText.features([strait]))])
  }

  private static func antimeridianFences(
    _ at: (Double, Double) -> Coordinate
  ) -> [StoryFence] {
    [
      .circle("bank", at(-16.757, 179.998), 3000, "a circle with a part in each hemisphere"),
      .polygon(
        "reef",
        [at(-16.82, 179.96), at(-16.82, -179.96), at(-16.71, -179.97), at(-16.71, 179.94)],
        "a ring that goes over the meridian: each edge goes the shorter way"),
    ]
  }
}
