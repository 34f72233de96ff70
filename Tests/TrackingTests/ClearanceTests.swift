import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

@Suite("Edges that are far away")
struct ClearanceTests {
  private let ground = Ground()

  /// Large areas beside and around each other, in which the walks of ``StateWalk`` begin.
  private func rules() throws -> Rules {
    var rules = try StateWalk.rules()
    let middle = Coordinate(latitude: 0.0005, longitude: 0.0005)
    var fences = Array(rules.fences)
    for (number, decision) in [Decision.balanced, .eager, .strict, .apple, .naive].enumerated() {
      for (size, radius) in [300.0, 2_000, 40_000].enumerated() {
        let ring = (0..<(40 * (size + 1))).map { vertex in
          middle.destination(
            bearing: Double(vertex) * 9 / Double(size + 1),
            distance: radius + Double(vertex % 5) * radius / 10)
        }
        var fence = Fence(
          id: "\(decision) \(radius)", area: .polygons([try Polygon(exterior: ring)]))
        fence.decision = decision
        fences.append(fence)
        fence.id += " round"
        fence.area = .circle(
          Circle(
            center: middle.destination(bearing: Double(number) * 70, distance: radius / 2),
            radius: radius))
        fences.append(fence)
      }
    }
    rules.fences = try FenceSet(fences)
    return rules
  }

  @Test("are passed over without a change of any event or state", arguments: 1...8)
  func law(seed: UInt64) throws {
    let rules = try rules()
    let walk = StateWalk(seed: seed, phases: 60)
    var (tracker, measured) = (Tracker(rules: rules), Tracker(rules: rules))
    var (events, expected): ([Event], [Event]) = ([], [])
    var passedOver = 0
    for (number, fix) in walk.fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      measured.fences.clearances.clear()
      measured.ingest(fix, into: &expected)
      #expect(tracker == measured, "seed \(seed), fix \(number)")
      passedOver += tracker.fences.clearances.isEmpty ? 0 : 1
    }
    #expect(events == expected)
    #expect(events.count > 20 && passedOver > 100, "seed \(seed)")
  }

  @Test("are not those that a device reaches later")
  func crossing() throws {
    // Across a fence of 3 km from end to end at 10 m/s.
    var (tracker, events) = (
      Tracker(rules: Rules(fences: try FenceSet([ground.circle("town", radius: 3_000)]))),
      [Event]()
    )
    for second in 0..<800 {
      tracker.ingest(ground.fix(Double(second), -4_000 + 10 * Double(second)), into: &events)
    }
    let crossings = events.filter { $0.letter == "e" || $0.letter == "x" }
    #expect(crossings.map(\.letter) == ["e", "x"])
    for (event, second) in zip(crossings, [100.0, 700]) {
      #expect(abs(event.time.seconds(since: Ground.time(second))) < 1)
    }
  }

  @Test("of more fences than are remembered are measured again")
  func many() throws {
    let fences = (0..<40).map { ground.circle("\($0)", radius: 1_000 + 10 * Double($0)) }
    var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet(fences))), [Event]())
    for second in 0..<300 {
      tracker.ingest(ground.fix(Double(second), 10 * Double(second)), into: &events)
    }
    #expect(events.filter { $0.letter == "x" }.count == 40)
  }
}

@Suite("Long ways")
struct LongWayTests {
  private let ground = Ground()

  /// Circles all over the way, which are not touched, and some that are.
  private func fences(_ decision: Decision, others: Int) -> [Fence] {
    var random = SeededGenerator(seed: 27)
    var fences = [(0.0, 300.0), (300_000, 6_000), (600_000, 300)].map { east, radius in
      var fence = Fence(
        id: "\(Int(east / 1_000)) km",
        area: .circle(Circle(center: ground.place(east), radius: radius)))
      fence.decision = decision
      return fence
    }
    for number in 0..<others {
      let side = Bool.random(using: &random) ? 1.0 : -1
      var fence = Fence(
        id: "\(number)",
        area: .circle(
          Circle(
            center: ground.place(
              .random(in: 0...600_000, using: &random),
              side * .random(in: 20_000...90_000, using: &random)), radius: 500)))
      fence.initial = .none
      fence.decision = decision
      fences.append(fence)
    }
    return fences
  }

  private func crossings(_ fixes: [Fix], _ fences: [Fence]) throws -> [Event] {
    var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet(fences))), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events.filter { $0.letter == "e" || $0.letter == "x" }
  }

  @Test(
    "after a silence report what was left and what was entered, whatever lies between",
    arguments: Decision.allCases)
  func silence(decision: Decision) throws {
    let fixes = [(0.0, 0.0), (40_000, 600_000)].flatMap { start, east in
      (0..<60).map { ground.fix(start + Double($0), east) }
    }
    let few = try crossings(fixes, fences(decision, others: 0))
    #expect(few.map { "\($0.letter) \($0.fence ?? "")" }.sorted() == ["e 600 km", "x 0 km"])
    #expect(try crossings(fixes, fences(decision, others: 2_000)) == few)
  }

  @Test("of a flight report the fences between two of its fixes")
  func flight() throws {
    // 250 m/s, a fix every two minutes: 30 km from one to the next.
    let fixes = (0...15).map { number in
      var fix = ground.fix(120 * Double(number), 30_000 * Double(number) + 14_000)
      (fix.speed, fix.course) = (250, 90)
      return fix
    }
    let few = try crossings(fixes, fences(.naive, others: 0))
    #expect(few.map(\.letter) == ["e", "x"] && few.allSatisfy { $0.fence == "300 km" })
    #expect(try crossings(fixes, fences(.naive, others: 2_000)) == few)
  }
}
