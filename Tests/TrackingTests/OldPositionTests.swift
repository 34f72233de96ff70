import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Positions that stay behind a device that has left: of wifi at home, in tunnels, on trains.
@Suite("Positions that stay behind")
struct OldPositionTests {
  private let ground = Ground()

  /// At rest, then east at 10 m/s, a fix a second that claims 5 m, with speed and course.
  private func drive(from left: Double, to end: Double, shown: (Double) -> Double) -> [Fix] {
    stride(from: 0, through: end, by: 1).map { time in
      var fix = ground.fix(time, shown(max(0, 10 * (time - left))), accuracy: 5)
      fix.speed = time > left ? 10 : 0
      if time > left { fix.course = 90 }
      return fix
    }
  }

  private func fence(_ id: String, east: Double, radius: Double) -> Fence {
    Fence(id: id, area: .circle(Circle(center: ground.place(east), radius: radius)))
  }

  private func play(_ fences: [Fence], _ fixes: [Fix]) throws -> [Event] {
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events
  }

  private func crossings(_ events: [Event]) -> [(name: String, event: Event, sigma: Double)] {
    events.compactMap { event in
      switch event.statement {
      case .enter(let fence, let crossing):
        ("enter \(fence)", event, crossing.timeUncertainty ?? .infinity)
      case .exit(let fence, let crossing, _):
        ("exit \(fence)", event, crossing.timeUncertainty ?? .infinity)
      default: nil
      }
    }
  }

  @Test("clean fixes that drive away after a jump are followed at once")
  func followed() throws {
    // Wifi holds the position at home for 40 s after the device left.
    let fixes = drive(from: 600, to: 1_800) { way in way < 400 ? 0 : way }
    let fences = [
      fence("home", east: 0, radius: 100), fence("half", east: 3_000, radius: 400),
      fence("work", east: 9_000, radius: 100),
    ]
    let found = crossings(try play(fences, fixes))
    #expect(
      found.map(\.name) == ["exit home", "enter half", "exit half", "enter work", "exit work"])
    let truth = [610.0, 860, 940, 1_490, 1_510]
    for (crossing, time) in zip(found.dropFirst(), truth.dropFirst()) {
      #expect(abs(crossing.event.time.seconds(since: Ground.time(time))) < 3, "\(crossing.name)")
    }
    let decided = try #require(found.first).event.decided
    #expect(decided.seconds(since: Ground.time(640)) < 60)
  }

  @Test("fixes that stand still away from a device at rest are no journey")
  func still() throws {
    var random = SeededGenerator(seed: 3)
    let fixes = stride(from: 0.0, to: 4_000, by: 5).map { time in
      let error = (2_000..<2_600).contains(time) ? 300.0 : 0
      return ground.fix(time, error + 3 * random.normal(), 3 * random.normal(), accuracy: 20)
    }
    #expect(crossings(try play([fence("home", east: 0, radius: 100)], fixes)).isEmpty)
  }

  @Test("in a tunnel the exit may have been at any time since the last new position")
  func tunnel() throws {
    // At home until 600 s; the position of that time is repeated for 12 minutes, then it is 7 km away.
    let fixes = drive(from: 600, to: 1_800) { way in way < 7_200 ? 0 : way }
    let found = crossings(try play([fence("home", east: 0, radius: 100)], fixes))
    let exit = try #require(found.first { $0.name == "exit home" })
    let error = abs(exit.event.time.seconds(since: Ground.time(610)))
    #expect(exit.sigma > 100 && error < 3 * exit.sigma, "\(error) ± \(exit.sigma) s")
  }

  @Test("a tracker that holds its position at rest and moves on keeps its exact time")
  func held() throws {
    let fixes = drive(from: 600, to: 900) { way in way }
    let found = crossings(try play([fence("home", east: 0, radius: 100)], fixes))
    let exit = try #require(found.first { $0.name == "exit home" })
    #expect(exit.sigma < 5 && abs(exit.event.time.seconds(since: Ground.time(610))) < 5)
  }

  @Test("a run of repetitions is packed, coded and found again")
  func kept() throws {
    let fixes = drive(from: 600, to: 1_800) { way in way < 7_200 ? 0 : way }
    let fences = [fence("home", east: 0, radius: 100)]
    let rules = Rules(fences: try FenceSet(fences))
    var (whole, cut) = (Tracker(rules: rules), Tracker(rules: rules))
    var (events, others) = ([Event](), [Event]())
    for (number, fix) in fixes.enumerated() {
      whole.ingest(fix, into: &events)
      cut.ingest(fix, into: &others)
      guard number % 97 == 0 else { continue }
      var packer = Packer()
      cut.pack(into: &packer, keepsHistory: true)
      try Array(packer.bytes).withUnsafeBytes {
        var unpacker = Unpacker($0)
        try cut.unpack(from: &unpacker)
      }
    }
    #expect(events == others)
    #expect(!events.isEmpty)
  }
}
