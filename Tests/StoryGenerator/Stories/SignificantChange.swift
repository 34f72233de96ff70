import Geodesy
import Simulation

extension Story {
  /// A bicycle ride between two long rests, with a receiver that is now and then far off.
  static var significantChange: Story {
    let seed: UInt64 = 122
    let start = Coordinate(latitude: 51.3397, longitude: 12.3731)
    let at = { (east: Double, north: Double) in start.offset(east: east, north: north) }
    let lake = at(3200, -5200)
    var plan = Plan((2026, 5, 19), 13, 0, at: start)
    plan.stay(minutes: 40, .canyon)
    plan.travel(.bike, through: [at(0, -1400), at(1200, -2600)], .suburb)
    plan.travel(.bike, through: [at(2500, -4300), lake])
    plan.stay(minutes: 45)
    plan.travel(.bike, through: [at(1200, -2600), at(0, -1400)])
    plan.stay(minutes: 15, .suburb)
    let path = TruePath(plan)
    var receiver = Receiver(sampling: .init(every: 10), seed: seed)
    receiver.noise = PositionNoise()
    var outliers = OutlierModel()
    outliers.perHour = { _ in 6 }
    outliers.size = 700...3000
    outliers.longestBurst = 2
    receiver.outliers = outliers
    let fixes = receiver.fixes(on: path)
    return Story(
      name: "significant-change", title: "Significant changes of a kilometre",
      about: """
        Otto rides from the town to a lake, rests, and rides half of the way back. Now and then a \
        fix is off by a kilometre or more; such a fix is not a significant change. The config sets \
        a distance of a kilometre and at most one change in five minutes.
        """,
      seed: seed, fences: [.circle("lake", lake, 300, "where he rests")],
      recordings: [Recording(device: "otto", path: path, fixes: fixes)],
      agreement: .none, track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble: """
        # Distance and least interval; visits are off here.
        device: otto
        visits: false
        significant-changes: {distance: 1 km, interval: 5 min}

        """)
  }
}
