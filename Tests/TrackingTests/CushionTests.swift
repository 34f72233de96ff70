import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Apple's rule: a cushion and 20 seconds")
struct CushionTests {
  private let ground = Ground()

  private func run(
    _ radius: Double, _ places: [(seconds: Double, east: Double)]
  ) throws -> [Event] {
    let fence = ground.circle("a", radius: radius, decision: .apple)
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    var events: [Event] = []
    for place in places { tracker.ingest(ground.fix(place.seconds, place.east), into: &events) }
    return events
  }

  private func letters(_ events: [Event]) -> String { events.map(\.letter).joined() }

  @Test("an enter is said 20 s after the device is past the cushion, at that fix")
  func enter() throws {
    let events = try run(200, (0...60).map { (Double($0), -299 + 10 * Double($0)) })
    #expect(letters(events) == "ne")
    let enter = try #require(events.last)
    // 50 m past the edge after 15 s.
    #expect(enter.time == Ground.time(35) && enter.decided == enter.time)
    #expect(enter.coordinate.distance(to: ground.place(51)) < 0.001)
    #expect(enter.crossing?.isInterpolated == false && enter.crossing?.timeUncertainty == nil)
  }

  @Test("an exit needs the cushion beyond the edge and 20 s, too")
  func exit() throws {
    let far = try run(200, [(0, 0), (10, 251), (20, 251), (29, 251)])
    #expect(letters(far) == "s", "19 s are not enough")
    #expect(try letters(run(200, [(0, 0), (10, 249), (100, 249), (200, 249)])) == "s")
    #expect(try letters(run(200, [(0, 0), (10, 251), (30, 251)])) == "sx")
  }

  @Test("who comes back within the 20 s begins anew")
  func back() throws {
    let places = [(0.0, 0.0), (10, 260), (25, 240), (31, 260), (50, 260), (51, 260)]
    let events = try run(200, places)
    #expect(letters(events) == "sx")
    #expect(events.last?.time == Ground.time(51))
  }

  @Test("a fence smaller than the cushion can be entered all the same")
  func small() throws {
    #expect(try letters(run(20, [(0, -300), (10, 0), (29, 0), (30, 0)])) == "ne")
    #expect(try letters(run(20, [(0, -300), (10, 11), (29, 11), (30, 11)])) == "n")
  }

  @Test("a passage between two fixes is not seen")
  func passage() throws {
    #expect(try letters(run(200, [(0, -500), (60, 500), (120, 1_500)])) == "n")
  }

  @Test("its dwell counts from the enter, and is full before the exit that ends it")
  func dwell() throws {
    var fence = ground.circle("a", radius: 200, decision: .apple)
    (fence.dwell, fence.notifications) = (60_000_000_000, [.enter, .exit, .dwell])
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    var events: [Event] = []
    for (seconds, east) in [(0.0, -500.0), (10, 0), (30, 0), (95, 400), (115, 400)] {
      tracker.ingest(ground.fix(seconds, east), into: &events)
    }
    #expect(events.map(\.letter) == ["n", "e", "d", "x"])
    #expect(events.map(\.time) == [0, 30, 90, 115].map(Ground.time))
  }
}
