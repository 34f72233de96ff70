import Geodesy
import Simulation

extension Story {
  /// A car through a tunnel and into a garage.
  static var receptionGap: Story {
    let seed: UInt64 = 109
    let start = Coordinate(latitude: 59.9080, longitude: 10.6900)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    let ramp = at(5400, 900)
    var plan = Plan((2026, 5, 7), 7, 30, at: start)
    plan.stay(minutes: 1)
    plan.travel(
      .car.at(16),
      through: [
        Waypoint(at(1500, 0)), Waypoint(at(4300, 300), .covered), Waypoint(at(5000, 380)),
        Waypoint(ramp), Waypoint(at(5400, 990), .covered, halt: 120),
      ])
    plan.travel(.walk, through: [at(5430, 1060)], .covered)
    plan.stay(minutes: 30, .open)
    let path = TruePath(plan)
    let recording = Recording(
      device: "ida", path: path,
      fixes: Receiver.clear(every: 3, resting: 20, seed: seed).fixes(on: path))
    return Story(
      name: "reception-gap", title: "A tunnel and a garage",
      about: """
        Ida drives through a tunnel of 2.8 km, under `harbour`, and parks in a garage inside \
        `work`, whose edge she passes below ground. All crossings happen while there is no fix. In \
        the tunnel the speed is steady, so the interpolated time is good; in the garage it can be \
        wrong by minutes, which the event's `timeUncertainty` states.
        """,
      seed: seed,
      fences: [
        .circle(
          "harbour", at(3500, 900), 1000, "entered and left in the tunnel",
          options: ["decision: naive"]),
        .circle("work", at(5430, 1070), 120, "entered in the garage"),
      ],
      recordings: [recording], agreement: .within(seconds: 150),
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: """
        # Crossings without reception. `naive` reports a fence that was passed without a fix inside, as
        # if the path were straight.
        device: ida

        """)
  }
}
