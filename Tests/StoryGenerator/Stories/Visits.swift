import Geodesy
import Simulation

extension Story {
  /// A day with stays, and with much that resembles them.
  static var visits: Story {
    let seed: UInt64 = 121
    let home = Coordinate(latitude: 50.0874, longitude: 14.4213)
    let at = { (east: Double, north: Double) in home.offset(east: east, north: north) }
    let (office, yard, cafe) = (at(4300, 1200), at(4300, 1310), at(4620, 1330))
    var plan = Plan((2026, 5, 18), 5, 0, at: home)
    plan.stay(minutes: 70, .wifi)
    plan.travel(.walk, through: [at(0, 90), at(380, 90)], .suburb)
    plan.stay(minutes: 3, .outdoor)
    plan.travel(.bus, through: [Waypoint(at(1500, 90), .suburb, halt: 40)])
    plan.travel(.bus, through: jam(from: at(1500, 90)))
    plan.travel(.bus, through: [Waypoint(at(3900, 90), .suburb, halt: 40)])
    plan.travel(.walk, through: [at(4300, 90), office], .suburb)
    let morning = plan.steps.count
    plan.stay(minutes: 130, .indoor)
    plan.travel(.walk, through: [yard], .outdoor)
    plan.stay(minutes: 3, .outdoor)
    plan.travel(.walk, through: [office], .outdoor)
    plan.stay(minutes: 70, .indoor)
    let noon = plan.steps.count
    plan.travel(.walk, through: [at(4300, 1330), cafe], .suburb)
    plan.stay(minutes: 25, .indoor)
    plan.travel(.walk, through: [at(4300, 1330), office], .suburb)
    plan.stay(minutes: 150, .indoor)
    plan.travel(.walk, through: [at(4300, 90), at(3900, 90)], .suburb)
    plan.stay(minutes: 2, .outdoor)
    plan.travel(.bus, through: [Waypoint(at(1500, 90), .suburb, halt: 30), Waypoint(at(380, 90))])
    plan.travel(.walk, through: [at(0, 90), home], .suburb)
    let evening = plan.steps.count
    plan.stay(minutes: 60, .wifi)
    let stays = [
      (0..<1, home), (morning..<noon, office), (noon + 1..<noon + 2, cafe),
      (noon + 3..<noon + 4, office), (evening..<evening + 1, home),
    ]
    let path = TruePath(plan)
    var receiver = Receiver(sampling: .init(every: 10, resting: 60, jitter: 1), seed: seed)
    receiver.noise = PositionNoise()
    receiver.outliers = OutlierModel()
    let fixes = receiver.fixes(on: path)
    return Story(
      name: "visits", title: "The visits of a day",
      about: """
        Vera is at home, in her office, in a café at noon, in the office again and at home again: \
        five stays. A bus in a traffic jam, three minutes in the yard behind the office and two \
        minutes at a bus stop do not count as stays. The three minutes at the first bus stop look \
        like a stay when they are nearly over; the confidence of the line that ends it shows that \
        it was not. Indoors the receiver drifts by some tens of metres. `visits.csv` contains the \
        true stays.
        """,
      seed: seed,
      fences: [.circle("office", office, 150, "the yard behind it is inside, the café is not")],
      recordings: [Recording(device: "vera", path: path, fixes: fixes)],
      agreement: .none,
      track: ("track.csv", CSVText.fixes(fixes.map { (nil, $0) })),
      preamble: """
        # These are the defaults of visits; significant changes are off here.
        device: vera
        visits: {minimum-stay: 5 min, radius: 50 m}
        significant-changes: false

        """,
      extras: [("visits.csv", CSVText.stays(stays, on: path))])
  }

  /// Stop and go over 700 m to the east.
  private static func jam(from start: Coordinate) -> [Waypoint] {
    stride(from: 70.0, through: 700, by: 70).map { metres in
      Waypoint(start.offset(east: metres, north: 0), .suburb, halt: 35)
    }
  }
}
