import Geodesy
import Glibc
import Testing
import Tracking

@Suite("Passages between two fixes")
struct PassageTests {
  static let center = Coordinate(latitude: 52.5, longitude: 13.4)
  static let speed = 15.0

  /// What is said of a drive past a fence of 100 m: `place` gives metres east and north of its
  /// centre by the second, and a fix with an accuracy of 5 m comes every `interval` seconds.
  private func events(
    _ decision: Decision, every interval: Int, tellsSpeed: Bool, _ place: (Double) -> Vector
  ) throws -> [Event] {
    let frame = LocalFrame(origin: Self.center)
    var fence = Fence(id: "yard", area: .circle(Circle(center: Self.center, radius: 100)))
    fence.decision = decision
    fence.initial = .none
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    var events: [Event] = []
    for second in stride(from: -600 - interval / 2, to: 600, by: interval) {
      let (here, next) = (place(Double(second)), place(Double(second) + 0.1))
      var fix = Fix(
        time: StripChart.time(0).advanced(bySeconds: Double(second)),
        coordinate: frame.coordinate(at: here))
      fix.horizontalAccuracy = 5
      if tellsSpeed {
        fix.speed = Self.speed
        let course = atan2(next.x - here.x, next.y - here.y) * 180 / .pi
        fix.course = course < 0 ? course + 360 : course
      }
      tracker.ingest(fix, into: &events)
    }
    return events
  }

  /// Straight from west to east, `offset` metres north of the centre.
  private func line(_ second: Double, offset: Double) -> Vector {
    Vector(x: second * Self.speed, y: offset)
  }

  @Test(
    "a car that drives straight and evenly is known to have been in the fence",
    arguments: [30, 60], [false, true])
  func straight(interval: Int, tellsSpeed: Bool) throws {
    for offset in [0.0, 60] {
      let events = try events(.balanced, every: interval, tellsSpeed: tellsSpeed) {
        line($0, offset: offset)
      }
      try #require(events.count == 2)
      let half = (100 * 100 - offset * offset).squareRoot() / Self.speed
      for (event, truth) in zip(events, [-half, half]) {
        #expect(abs(event.time.seconds(since: StripChart.time(0)) - truth) < 0.3)
        // The first fix behind the fence.
        #expect(event.decided == StripChart.time(0).advanced(bySeconds: Double(interval / 2)))
      }
      guard case .enter(_, let enter) = events[0].statement,
        case .exit(_, _, let inside) = events[1].statement
      else {
        Issue.record("not an enter and an exit: \(events)")
        return
      }
      #expect(abs(inside - 2 * half) < 0.5)
      #expect(try #require(enter.confidence) >= 0.95)
    }
  }

  @Test("strict says no passage that no fix has seen")
  func strict() throws {
    let events = try events(.strict, every: 60, tellsSpeed: true) { line($0, offset: 0) }
    #expect(events.isEmpty)
  }

  @Test("a car that passes beside the fence is not said to have been in it", arguments: [30, 60])
  func beside(interval: Int) throws {
    for tellsSpeed in [false, true] {
      let events = try events(.balanced, every: interval, tellsSpeed: tellsSpeed) {
        line($0, offset: 130)
      }
      #expect(events.isEmpty)
    }
  }

  @Test("a car that turns at a corner behind the fence did not cut it", arguments: [false, true])
  func corner(tellsSpeed: Bool) throws {
    // The straight way between the fixes before and after the corner leads past the centre by 42 m.
    let events = try events(.balanced, every: 30, tellsSpeed: tellsSpeed) { second in
      let (along, corner) = (second * Self.speed, 142.0)
      return along < 0
        ? Vector(x: along + corner, y: corner) : Vector(x: corner, y: corner - along)
    }
    #expect(events.isEmpty)
  }
}
