package import Estimation
package import Fences
package import Geodesy
package import Tracking

/// Random fences and a random walk through them, with every defect that the gate knows.
package enum RandomWorld {
  package static func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: 52.5 + .random(in: -0.02...0.02, using: &random),
      longitude: 13.4 + .random(in: -0.03...0.03, using: &random))
  }

  package static func fences(_ random: inout SeededGenerator, count: Int) -> FenceSet {
    let fences = (0..<count).map { number in
      var fence = Fence(id: "f\(number)", area: area(&random))
      fence.notifications = [.enter, .exit, .dwell]
      fence.dwell = Int64.random(in: 10...400, using: &random) * 1_000_000_000
      fence.decision = Decision.allCases[number % Decision.allCases.count]
      return fence
    }
    // The ids differ, so this cannot fail; an empty set would fail every law that counts on events.
    return (try? FenceSet(fences)) ?? FenceSet()
  }

  private static func area(_ random: inout SeededGenerator) -> Area {
    let center = place(&random)
    let radius = Double.random(in: 20...600, using: &random)
    if Bool.random(using: &random) {
      return .circle(Circle(center: center, radius: radius))
    }
    let distances = (0..<5).map { _ in radius * .random(in: 0.4...1, using: &random) }
    func ring(_ share: Double) -> [Coordinate] {
      distances.enumerated().map { corner, distance in
        center.destination(bearing: Double(corner) * 72, distance: distance * share)
      }
    }
    let holes = Bool.random(using: &random) ? [ring(0.4)] : []
    guard let polygon = try? Polygon(exterior: ring(1), holes: holes) else {
      return .circle(Circle(center: center, radius: radius))
    }
    return .polygons([polygon])
  }

  package static func make(
    _ random: inout SeededGenerator, clockJumps: Bool = true
  ) -> (rules: Rules, fixes: [Fix]) {
    var rules = Rules(fences: fences(&random, count: 15))
    (rules.significantChanges, rules.visits) = (SignificantChangeRules(), VisitRules())
    var (east, north, seconds) = (0.0, 0.0, 0.0)
    let fixes = (0..<400).map { _ in
      let speed = Double.random(in: 0...1, using: &random) < 0.3 ? 0.5 : 15.0
      let step = Double([1, 5, 30, 60, 200, 900].randomElement(using: &random) ?? 1)
      seconds += step
      east = (east + .random(in: -1...1, using: &random) * speed * step).wrapped(to: 2_000)
      north = (north + .random(in: -1...1, using: &random) * speed * step).wrapped(to: 2_000)
      return fix(east, north, seconds, &random, clockJumps)
    }
    return (rules, fixes)
  }

  private static func fix(
    _ east: Double, _ north: Double, _ seconds: Double, _ random: inout SeededGenerator,
    _ clockJumps: Bool
  ) -> Fix {
    var fix = Fix(
      time: Ground.start.advanced(bySeconds: seconds),
      coordinate: Coordinate(
        latitude: 52.5 + north / 111_000, longitude: 13.4 + east / 68_000))
    fix.horizontalAccuracy = .random(in: 3...30, using: &random)
    if Bool.random(using: &random) {
      fix.speed = .random(in: 0...20, using: &random)
      fix.course = .random(in: 0..<360, using: &random)
    }
    switch Int.random(in: 0..<60, using: &random) {
    case 0: fix.time = nil
    case 1: fix.coordinate.latitude = .nan
    case 2, 6, 7: fix.time = fix.time?.advanced(bySeconds: -.random(in: 0...100, using: &random))
    case 3: fix.coordinate.latitude += 20
    case 4 where clockJumps: fix.time = fix.time?.advanced(bySeconds: 6e8)
    case 5: fix.horizontalAccuracy = nil
    default: break
    }
    return fix
  }

  package static func events(_ rules: Rules, _ fixes: [Fix]) -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events
  }
}

extension Double {
  fileprivate func wrapped(to limit: Double) -> Double {
    self > limit ? 2 * limit - self : self < -limit ? -2 * limit - self : self
  }
}
