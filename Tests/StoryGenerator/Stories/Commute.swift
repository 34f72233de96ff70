import Geodesy
import Simulation

extension Story {
  /// A working day of one phone.
  static var commute: Story {
    let town = CommuteTown()
    let seed: UInt64 = 102
    let path = TruePath(town.day)
    let recording = Recording(
      device: "jonas", path: path, fixes: town.receiver(seed: seed).fixes(on: path))
    return Story(
      name: "commute", title: "A working day",
      about: """
        Jonas's phone from half past six in the morning to half past nine at night (two hours \
        ahead of UTC): home, by car past a school to the office, on foot to lunch and back, home \
        by car, a walk in the evening. The phone takes a fix every 3 seconds on the move and every \
        minute at rest; it is a few metres off, and between the tall houses of the centre some \
        fixes are far off. The car passes the school without stopping, in the morning and in the \
        evening.
        """,
      seed: seed, fences: town.fences, recordings: [recording],
      track: ("track.gpx", GPXText().file(recording.tracks)),
      preamble: """
        # A day of one phone. Lengths and times carry a unit; # begins a comment.
        device: jonas

        """)
  }
}

/// Where Jonas lives and works.
private struct CommuteTown {
  let home = Coordinate(latitude: 52.456200, longitude: 13.321500)
  var office: Coordinate { home.offset(east: 5200, north: 4300) }
  var lunch: Coordinate { office.offset(east: 330, north: -240) }
  var school: Coordinate { home.offset(east: 1500, north: 640) }

  var fences: [StoryFence] {
    [
      .circle("home", home, 100, "where the day begins and ends", options: ["initial: state"]),
      .circle(
        "office", office, 120, "dwell: the working day has begun", dwell: 30 * 60,
        options: ["notify: [enter, exit, dwell]"]),
      .circle("lunch", lunch, 70, "a place to eat, 400 m from the office"),
      .circle(
        "school", school, 150, "passed by car, twice",
        options: ["initial: none", "notify: [enter, exit]"]),
    ]
  }

  var day: Plan {
    var plan = Plan((2026, 5, 4), 4, 30, at: home)
    plan.stay(minutes: 75, .indoor)
    plan.travel(.car, through: drive + [Waypoint(office, .suburb)])
    plan.stay(minutes: 235, .indoor)
    plan.travel(.walk, through: [office.offset(east: 330, north: 0), lunch], .suburb)
    plan.stay(minutes: 38, .indoor)
    plan.travel(.walk, through: [office.offset(east: 330, north: 0), office], .suburb)
    plan.stay(minutes: 220, .indoor)
    plan.travel(.car, through: drive.reversed() + [Waypoint(home, .suburb)])
    plan.stay(minutes: 110, .indoor)
    let block = [(0.0, 300.0), (420, 300), (420, -180), (0, -180), (0, 0)]
    plan.travel(.walk, through: block.map { home.offset(east: $0.0, north: $0.1) }, .suburb)
    plan.stay(minutes: 160, .indoor)
    return plan
  }

  /// The route by car; the lights are red in both directions.
  private var drive: [Waypoint] {
    let turns: [(east: Double, north: Double, Environment, halt: Double)] = [
      (180, 0, .suburb, 0), (180, 640, .suburb, 12), (1150, 640, .suburb, 0),
      (2100, 640, .suburb, 25), (2100, 1900, .suburb, 0), (3300, 1900, .canyon, 40),
      (3300, 3000, .canyon, 0), (4300, 3000, .canyon, 20), (4300, 4300, .suburb, 8),
    ]
    return turns.map { east, north, environment, halt in
      Waypoint(home.offset(east: east, north: north), environment, halt: halt)
    }
  }

  func receiver(seed: UInt64) -> Receiver {
    var receiver = Receiver(sampling: .init(every: 3, resting: 60), seed: seed)
    var noise = PositionNoise()
    noise.sigma = { environment in
      switch environment {
      case .open, .covered: 3
      case .suburb, .outdoor: 4
      case .canyon: 7
      case .indoor, .deepIndoor, .wifi: 5
      }
    }
    noise.tau = 120
    receiver.noise = noise
    // Only among the tall houses, which are far from every fence.
    var outliers = OutlierModel()
    outliers.perHour = { $0 == .canyon ? 60 : 0 }
    outliers.size = 60...250
    outliers.longestBurst = 2
    receiver.outliers = outliers
    receiver.altitude = 48
    return receiver
  }
}
