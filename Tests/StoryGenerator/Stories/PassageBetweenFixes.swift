import Geodesy
import Simulation

extension Story {
  /// A car without a fix inside the fences that it passes.
  static var passageBetweenFixes: Story {
    let seed: UInt64 = 104
    let start = Coordinate(latitude: 52.330000, longitude: 9.880000)
    let way = { (along: Double, aside: Double) in
      start.offset(east: along * 0.96 + aside * 0.28, north: along * -0.28 + aside * 0.96)
    }
    var plan = Plan((2026, 5, 5), 14, 0, at: start)
    plan.travel(.car.at(33), through: [way(32_000, 0)])
    let path = TruePath(plan)
    let fixes = Receiver.clear(every: 60, seed: seed).fixes(on: path)
    return Story(
      name: "passage-between-fixes", title: "Through a fence between two fixes",
      about: """
        A car at 119 km/h with a fix every minute, two kilometres apart. It passes through two \
        fences of 100 m radius, for six seconds each, and no fix is inside. Each still produces an \
        enter and an exit. It misses a third fence by 300 m.
        """,
      seed: seed,
      fences: [
        .circle(
          "camera", way(9000, 0), 100, "the motorway goes through its middle"),
        .circle(
          "bridge", way(20_850, 60), 100, "and a little beside the middle of this one"),
        .circle("village", way(14_700, 500), 200, "and past this one"),
      ],
      recordings: [Recording(device: "car", path: path, fixes: fixes)],
      track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble: """
        # Fences far smaller than the distance between two fixes: speed and course at both fixes decide
        # what happened between them.
        device: car

        """)
  }
}
