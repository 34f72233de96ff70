import Geodesy
import Testing
import Tracking

@testable import Services

@Suite("what a program is launched for")
struct LaunchDetectorTests {
  private static let start = Timestamp(nanoseconds: 1_741_608_000_000_000_000)

  /// A fix on the equator, so many metres to the east after so many seconds.
  private static func fix(_ seconds: Double, _ metres: Double) -> Fix {
    var fix = Fix(
      time: start.advanced(bySeconds: seconds),
      coordinate: Coordinate(latitude: 0, longitude: metres / 111_319.491))
    fix.horizontalAccuracy = 5
    return fix
  }

  private static let region = Region(
    identifier: "gate", center: Coordinate(latitude: 0, longitude: 0), radius: 100)

  private static func state(
    _ status: Authorization.Status = .always, profile: Profile = .precise,
    _ change: (inout Registrations) -> Void
  ) -> ServiceState {
    var registrations = Registrations()
    change(&registrations)
    return ServiceState(registrations, engine: nil, grant: Authorization(status), profile: profile)
  }

  /// Drives from -1 km to the east at 10 m/s.
  private static func drive(
    _ watch: inout LaunchDetector, _ seconds: Range<Int>, later delay: Double = 0,
    from origin: Location.Origin = .receiver
  ) -> [PendingEvent] {
    seconds.flatMap {
      watch.ingest(fix(Double($0) + delay, Double($0) * 10 - 1_000), from: origin)
    }
  }

  @Test("AT-05 only always is launched for", arguments: Authorization.Status.allCases)
  func status(_ status: Authorization.Status) {
    let state = Self.state(status) { $0.hasVisits = true }
    #expect((LaunchDetector(state) != nil) == (status == .always))
  }

  @Test("a program without registrations is not launched")
  func nothing() {
    #expect(LaunchDetector(Self.state { _ in }) == nil)
    #expect(LaunchDetector(Self.state { $0.monitors["a"] = [] }) == nil)
  }

  @Test("7.8 a region: its crossings with their states, and no state alone")
  func region() throws {
    let state = Self.state { $0.regions = [Self.region] }
    var watch = try #require(LaunchDetector(state))
    #expect(
      Self.drive(&watch, 0..<200) == [
        .state(.inside, Self.region), .entered(Self.region), .state(.outside, Self.region),
        .exited(Self.region),
      ])
  }

  @Test(
    "what is played or sent again is known; a receiver's clock may have been set back",
    arguments: [(Location.Origin.simulation, 0, 0), (.receiver, 0, 0), (.receiver, 0.25, 4)])
  func again(origin: Location.Origin, delay: Double, events: Int) throws {
    var first = try #require(LaunchDetector(Self.state { $0.regions = [Self.region] }))
    _ = Self.drive(&first, 0..<200, from: origin)
    var second = try #require(LaunchDetector(first.state))
    #expect(Self.drive(&second, 0..<200, later: delay, from: origin).count == events)
  }

  @Test("7.10 an event without notification launches nothing")
  func quiet() throws {
    var region = Self.region
    region.notifiesOnExit = false
    let state = Self.state { $0.regions = [region] }
    var watch = try #require(LaunchDetector(state))
    #expect(Self.drive(&watch, 0..<200) == [.state(.inside, region), .entered(region)])
  }

  @Test("5.5 a significant change, with its fix; the very first location is not one")
  func significantChange() throws {
    let state = Self.state { $0.hasSignificantChanges = true }
    var watch = try #require(LaunchDetector(state))
    #expect(watch.ingest(Self.fix(0, 0), from: .receiver) == [])
    let events = (1..<400).flatMap {
      watch.ingest(Self.fix(Double($0), Double($0) * 10), from: .receiver)
    }
    #expect(!events.isEmpty)
    for event in events {
      guard case .significantChange(let report) = event else {
        Issue.record("\(event)")
        continue
      }
      #expect(report.origin == .receiver)
    }
  }

  @Test("8.4 a condition of a monitor that differs from the last event taken")
  func condition() throws {
    let state = Self.state {
      $0.monitors["Gate"] = [
        ConditionRecord(
          identifier: "a", condition: .circle(center: Self.region.center, radius: 100),
          state: .unsatisfied, time: Self.start)
      ]
    }
    var watch = try #require(LaunchDetector(state))
    let found = Self.drive(&watch, 0..<200).compactMap { event -> ConditionState? in
      guard case .condition("Gate", "a", let state, _) = event else { return nil }
      return state
    }
    #expect(found == [.satisfied, .unsatisfied])
  }

  @Test("AT-42 it continues from the saved engine: nothing is reported twice")
  func resumed() throws {
    let state = Self.state(profile: .apple) { $0.regions = [Self.region] }
    var significant = SignificantChangeRules()
    significant.distance = 2_000
    var first = try #require(LaunchDetector(state, significantChanges: significant))
    let entered = Self.drive(&first, 0..<130)
    #expect(first.state.profile == .apple)
    var second = try #require(LaunchDetector(first.state, significantChanges: significant))
    var whole = try #require(LaunchDetector(state, significantChanges: significant))
    #expect(entered + Self.drive(&second, 130..<300) == Self.drive(&whole, 0..<300))
  }
}
