import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Many fences")
struct ManyFencesTests {
  private let ground = Ground()

  /// Circles of 100 m in a row, 1 km apart, more than are all greeted.
  private func fences(_ count: Int = FenceMonitor.mostInitialReports + 1) -> [Fence] {
    (0..<count).map { number in
      let center = ground.place(Double(number) * 1_000)
      return Fence(id: "\(number)", area: .circle(Circle(center: center, radius: 100)))
    }
  }

  @Test("of many fences only those that are near are greeted")
  func greeting() throws {
    var events: [Event] = []
    var tracker = Tracker(rules: Rules(fences: try FenceSet(fences())))
    tracker.ingest(ground.fix(0, 0), into: &events)
    #expect(events.compactMap(\.fence) == ["0"])
    var few = Tracker(rules: Rules(fences: try FenceSet(fences(FenceMonitor.mostInitialReports))))
    events = []
    few.ingest(ground.fix(0, 0), into: &events)
    #expect(events.count == FenceMonitor.mostInitialReports)
  }

  @Test("many fences and few give the same crossings")
  func crossings() throws {
    func drive(_ fences: [Fence]) throws -> [Event] {
      var events: [Event] = []
      var tracker = Tracker(rules: Rules(fences: try FenceSet(fences)))
      for second in 0..<400 {
        tracker.ingest(ground.fix(Double(second), -300 + Double(second) * 10), into: &events)
      }
      return events.filter { $0.letter == "e" || $0.letter == "x" }
    }
    let many = try drive(fences())
    #expect(many.count == 8)
    #expect(many == (try drive(Array(fences().prefix(10)))))
  }

  @Test("of many fences only those that may hold the device are judged when its place is not known")
  func wideEstimate() throws {
    // 4,000 fences of 100 m within 10 km, and a region around all of them.
    var fences = (0..<4_000).map { number in
      let center = ground.place(
        Double(number % 80 - 40) * 250, Double(number / 80 - 25) * 250)
      return Fence(id: "\(number)", area: .circle(Circle(center: center, radius: 100)))
    }
    fences.append(ground.circle("region", radius: 60_000))
    var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet(fences))), [Event]())
    for second in 0..<60 { tracker.ingest(ground.fix(Double(second), 0), into: &events) }
    // Eleven hours later a fix says that it is 500 km away: it may be wrong, and the device anywhere.
    let hours = 40_000.0
    var most = 0
    for second in 0..<60 {
      tracker.ingest(ground.fix(hours + Double(second), 500_000), into: &events)
      most = max(most, tracker.fences.edges.count)
    }
    #expect(most < 100)
    #expect(events.contains { $0.fence == "region" && $0.letter == "x" })
  }

  @Test(
    "fences that are replaced by many keep what is known, and the new ones that are near are reported"
  )
  func reload() throws {
    var events: [Event] = []
    var rules = Rules(fences: try FenceSet(fences()))
    var fleet = Fleet(rules: rules)
    let device = fleet.index(of: "van")
    for second in 0..<20 { fleet.ingest(ground.fix(Double(second), 0), of: device, into: &events) }
    #expect(events.map(\.letter) == ["s"])
    var others = fences()
    others[0].id = "new"
    others.append(fences()[0])
    rules.fences = try FenceSet(others)
    fleet.rules = rules
    for second in 20..<60 { fleet.ingest(ground.fix(Double(second), 0), of: device, into: &events) }
    #expect(events.compactMap(\.fence) == ["0", "new"])
    // A fence in which the device was and that is elsewhere now is reported, however far away it is.
    others[0].area = .circle(Circle(center: ground.place(0, 50_000), radius: 100))
    rules.fences = try FenceSet(others)
    fleet.rules = rules
    fleet.ingest(ground.fix(60, 0), of: device, into: &events)
    #expect(events.count == 3 && events.last?.fence == "new")
    #expect(events.last?.isState(.outside) == true)
  }
}

extension Event {
  fileprivate func isState(_ side: Containment) -> Bool {
    if case .state(_, side, _) = statement { return true }
    return false
  }
}
