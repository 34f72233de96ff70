import Testing
import WaymarkKit

@Suite("What the engine is asked")
struct EstimateTests {
  private static let start = Timestamp(nanoseconds: 1_777_703_460_000_000_000)
  private static let home = Coordinate(latitude: 48, longitude: 8)

  private static func rules() throws -> Rules {
    Rules(
      fences: try FenceSet([
        Fence(id: "far", center: Coordinate(latitude: 49, longitude: 8), radius: 50),
        Fence(id: "home", center: home, radius: 100),
        Fence(
          id: "beside", center: Coordinate(latitude: 48, longitude: 8.002), radius: 100),
      ]))
  }

  /// A fix so many seconds after the start, and so many metres north and east of home.
  private static func fix(_ second: Int, north: Double = 0, east: Double = 0) -> Fix {
    var fix = Fix(
      time: start + .seconds(second),
      coordinate: Coordinate(
        latitude: home.latitude + north / 111_200, longitude: home.longitude + east / 74_500))
    fix.horizontalAccuracy = 5
    return fix
  }

  private func tracker(_ fixes: [Fix]) throws -> (tracker: Tracker, events: [Event]) {
    var (tracker, events) = (Tracker(rules: try Self.rules()), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return (tracker, events)
  }

  @Test("before the first fix nothing is known")
  func nothing() throws {
    let tracker = Tracker(rules: try Self.rules())
    #expect(tracker.estimate == nil && tracker.nextDeadline == nil)
    #expect(tracker.fences().isEmpty && tracker.fences(inside: 0).isEmpty)
  }

  @Test("a device at rest is where its fixes are, in the fence, since it was first seen there")
  func resting() throws {
    let (tracker, _) = try tracker((0..<120).map { Self.fix($0) })
    let estimate = try #require(tracker.estimate)
    #expect(estimate.time == Self.start + .seconds(119))
    #expect(estimate.coordinate.distance(to: Self.home) < 1)
    #expect(estimate.modes.resting > 0.9)
    let sum = estimate.modes.resting + estimate.modes.walking + estimate.modes.riding
    #expect(abs(sum - 1) < 1e-3)
    let standing = try #require(tracker.fences().first)
    #expect(standing.fence == "home" && standing.probability > 0.99)
    #expect(standing.since == Self.start)
    #expect(tracker.fences().count == 1)
  }

  @Test("a device that rides has its velocity")
  func riding() throws {
    let (tracker, _) = try tracker((0..<60).map { Self.fix($0, north: Double($0) * 15) })
    let estimate = try #require(tracker.estimate)
    #expect(abs(estimate.velocity.north - 15) < 1 && abs(estimate.velocity.east) < 1)
    #expect(abs(estimate.velocity.speed - 15) < 1)
    #expect(try #require(estimate.velocity.sigma) > 0)
    #expect(estimate.modes.riding > 0.9)
  }

  @Test("the covariance is that of the accuracy")
  func covariance() throws {
    let (tracker, _) = try tracker((0..<60).map { Self.fix($0, north: Double($0) * 3) })
    let (estimate, covariance) = (try #require(tracker.estimate), tracker.estimate?.covariance)
    let (east, north) = (try #require(covariance?.east), try #require(covariance?.north))
    #expect(east > 0 && north > 0)
    let between = try #require(covariance?.eastNorth)
    // A covariance: its determinant is not below 0.
    #expect(east * north - between * between >= 0)
    #expect((0.5...10).contains(estimate.horizontalAccuracy))
  }

  @Test("with probability 0 there are the fences that are near, in the order of the rules")
  func near() throws {
    let (tracker, _) = try tracker((0..<60).map { Self.fix($0, east: 75) })
    let standings = tracker.fences(inside: 0)
    #expect(standings.map(\.fence) == ["home", "beside"])
    #expect(standings.allSatisfy { (0...1).contains($0.probability) })
  }

  @Test("after an exit the events have the device outside")
  func left() throws {
    let (tracker, events) = try tracker((0..<120).map { Self.fix($0, north: Double($0) * 5) })
    #expect(events.contains { $0.fence == "home" && $0.crossing != nil })
    #expect(tracker.fences().isEmpty)
  }

  @Test("asking changes nothing")
  func pure() throws {
    var (asked, plain) = (try tracker([]).tracker, try tracker([]).tracker)
    var (events, expected): ([Event], [Event]) = ([], [])
    for second in 0..<200 {
      let fix = Self.fix(second, north: Double(second) * 2)
      asked.ingest(fix, into: &events)
      plain.ingest(fix, into: &expected)
      _ = (asked.estimate, asked.fences(inside: 0), asked.nextDeadline)
    }
    #expect(asked == plain && events == expected)
  }

  @Test("a fleet is asked by device, and answers as a tracker does")
  func fleet() throws {
    var (fleet, events) = (Fleet(rules: try Self.rules()), [Event]())
    let (van, bus) = (fleet.index(of: "van"), fleet.index(of: "bus"))
    let fixes = (0..<60).map { Self.fix($0, north: Double($0)) }
    for fix in fixes { fleet.ingest(fix, of: van, into: &events) }
    let single = try tracker(fixes).tracker
    #expect(fleet.estimate(of: van) == single.estimate)
    #expect(fleet.fences(of: van) == single.fences())
    #expect(fleet.estimate(of: bus) == nil && fleet.fences(of: bus).isEmpty)
  }

  @Test("a dwell comes at the deadline, without a fix")
  func deadline() throws {
    var rules = try Self.rules()
    rules.fences = try FenceSet([
      Fence(id: "home", center: Self.home, radius: 100, dwell: .seconds(300))
    ])
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for second in 0..<60 { tracker.ingest(Self.fix(second), into: &events) }
    let deadline = try #require(tracker.nextDeadline)
    #expect(deadline >= Self.start + .seconds(300))
    events = []
    tracker.advance(to: deadline - .nanoseconds(1), into: &events)
    #expect(events.isEmpty && tracker.nextDeadline == deadline)
    tracker.advance(to: deadline, into: &events)
    #expect(events.map(\.statement) == [.dwell(fence: "home", inside: 300)])
    #expect(tracker.nextDeadline != deadline)
  }
}
