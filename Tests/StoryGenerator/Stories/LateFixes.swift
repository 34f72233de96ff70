import Geodesy
import Simulation

extension Story {
  /// A ride whose fixes come late and out of order.
  static var lateFixes: Story {
    let seed: UInt64 = 123
    let start = Coordinate(latitude: 43.2630, longitude: -2.9350)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    let depot = at(1400, 900)
    var plan = Plan((2026, 5, 20), 6, 0, at: start)
    plan.stay(minutes: 2)
    plan.travel(.bike, through: [at(700, 0), at(700, 900), depot])
    plan.stay(minutes: 9)
    plan.travel(.bike, through: [at(2300, 900), at(2300, 200)])
    plan.stay(minutes: 3)
    let path = TruePath(plan)
    var receiver = Receiver.clear(every: 5, seed: seed)
    let ordered = receiver.fixes(on: path)
    receiver.delivery.lateShare = 0.25
    receiver.delivery.latest = 4
    let fixes = receiver.fixes(on: path)
    return Story(
      name: "late-fixes", title: "Fixes that come late",
      about: """
        A courier's tracker sends each fix by radio, and a quarter of them come late, by up to 4 \
        positions in the file. They are put in order before the engine sees them, so the events \
        are those of `ordered.csv`, which contains the same fixes in order.
        """,
      seed: seed,
      fences: [
        .circle("start", start, 100, "left"),
        .circle("depot", depot, 120, "entered and left"),
      ],
      recordings: [Recording(device: "maia", path: path, fixes: ordered)],
      track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble: """
        # Fixes up to 60 s late are put in order.
        device: maia
        gate:                         # without it the values are these
          lateness: 60 s              # 0 would drop every late fix
          clock-jump: 1 d             # a longer step waits for the next fix
          memory: 30 d                # a device that is silent for longer is lost

        """,
      extras: [("ordered.csv", CSVText.fixes(ordered.map { (nil, $0) }))])
  }
}
