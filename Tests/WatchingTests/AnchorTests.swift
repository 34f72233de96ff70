import EventLog
import Foundation
import Geodesy
@testable import Playing
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Text
import Traces
import Tracking
@testable import Watching

@Suite("Anchors")
struct AnchorTests {
  private static let kinds = Set(LogEntry.Kind.allCases)
  /// A metre of longitude on the equator, degrees.
  private static let metre = 1 / 111_319.49

  private static func plan(settle: Double = 30, dwell: Int64? = nil) -> AnchorPlan {
    var plan = AnchorPlan(id: "anchor", radius: 40)
    plan.settle = settle
    if let dwell {
      plan.fence.dwell = dwell * 1_000_000_000
      plan.fence.notifications = [.enter, .exit, .dwell]
    }
    return plan
  }

  /// A session with one anchor, and its recording.
  private struct Boat {
    let start = ContinuousClock.now
    var session: LiveSession
    var recording: [UInt8] = []
    var entries: [LogEntry] = []
    var messages: [String] = []
    private(set) var second = 0

    init(_ plan: AnchorPlan, store: StateStore? = nil, fences: [Fence] = []) throws {
      session = LiveSession(
        rules: Rules(), kinds: AnchorTests.kinds, device: "boat", source: "x", store: store)
      session.adopt(try AnchorTests.rules(fences), [plan])
    }

    /// Lies at so many metres to the east of 0, 0.01 for a time, seconds.
    mutating func lie(at metres: Double, for seconds: Int, speed: Double = 0.1) {
      for _ in 0..<seconds {
        let longitude = 0.01 + metres * AnchorTests.metre
        receive(GPSDSession.report(Double(second), longitude: longitude, speed: speed))
        second += 1
      }
    }

    /// Drifts to the east, metres a second.
    mutating func drift(from metres: Double, at speed: Double, for seconds: Int) {
      for step in 0..<seconds { lie(at: metres + speed * Double(step), for: 1, speed: speed) }
    }

    mutating func silence(_ seconds: Int) {
      second += seconds
      let now = start + .seconds(second)
      while let due = session.nextDeadline(), due <= now { session.advance(at: now) }
      take()
    }

    mutating func obey(_ change: AnchorChange) {
      var change = change
      change.time = session.time(at: start + .seconds(second))
      receive(String(decoding: RecordingHeader.line(change).dropLast(), as: UTF8.self))
    }

    mutating func receive(_ line: String) {
      let bytes = Array((line + "\n").utf8)
      recording += bytes
      session.receive(bytes[...], at: start + .seconds(second))
      take()
    }

    private mutating func take() {
      entries += session.takeEntries()
      messages += session.takeAnchorMessages()
    }

    mutating func finish() {
      session.receive([], at: start + .seconds(second), isFinal: true)
      take()
    }

    /// The kinds of the fence's events.
    var crossings: [LogEntry.Kind] {
      entries.map(\.kind).filter { [.state, .enter, .exit, .dwell].contains($0) }
    }
  }

  private static func rules(_ fences: [Fence] = []) throws -> Rules {
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    return rules
  }

  private static func replayed(
    _ bytes: [UInt8], _ plan: AnchorPlan, fences: [Fence] = [], threads: Int = 1,
    kinds: Set<LogEntry.Kind> = kinds
  ) throws -> (log: [String], totals: SessionTotals) {
    let folder = try ScratchFolder()
    try folder.write("trip.jsonl", bytes: bytes)
    let log = folder.path + "/log"
    var replay = Replay(
      feeds: [try TraceFeed(path: folder.file("trip.jsonl"))], rules: try rules(fences),
      device: "boat", kinds: kinds,
      output: EventLogFile(file: try OutputFile(path: log), format: .jsonl, fences: FenceSet()),
      threads: threads, anchors: [plan])
    let totals = try replay.run()
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    return (lines.map(String.init), totals)
  }

  @Test("the median of the settling time is the centre, and a drift out of it is an exit")
  func settles() throws {
    var boat = try Boat(Self.plan())
    // A third of the fixes is far off.
    for number in 0..<10 {
      boat.lie(at: 2, for: 1)
      boat.lie(at: 3, for: 1)
      boat.lie(at: number.isMultiple(of: 2) ? 30 : 4, for: 1)
    }
    #expect(boat.session.anchors?.anchors.first?.center == nil)
    #expect(boat.crossings.isEmpty)
    boat.lie(at: 3, for: 10)
    let center = try #require(boat.session.anchors?.anchors.first?.center)
    #expect(abs(center.longitude - 0.01 - 3 * Self.metre) < 1e-7)
    #expect(boat.messages == ["anchor: set: 0.0000000,0.0100269, radius 40 m, from 31 fixes"])
    #expect(boat.crossings == [.state])
    boat.drift(from: 3, at: 0.3, for: 300)
    #expect(boat.crossings == [.state, .exit])
    #expect(try #require(boat.session.anchors?.anchors.first).reach > 80)
  }

  @Test("a radius below the accuracy of all fixes is reported once, and the same in the replay")
  func coarse() throws {
    let plan = AnchorPlan(id: "anchor", radius: 1)
    var boat = try Boat(plan)
    boat.lie(at: 0, for: 30)
    #expect(boat.messages.isEmpty)
    boat.lie(at: 0, for: 60)
    let message = try #require(boat.messages.first)
    #expect(message.hasPrefix("anchor: not set: the accuracy of "))
    #expect(message.hasSuffix(" m is above the radius of 1 m"))
    #expect(boat.messages.count == 1)
    #expect(boat.crossings.isEmpty && boat.session.rules.fences.isEmpty)
    var change = AnchorChange(.set)
    change.radius = 40
    boat.obey(change)
    boat.lie(at: 0, for: 40)
    boat.finish()
    #expect(boat.crossings == [.state])
    #expect(boat.messages.count == 3)
    let (log, totals) = try Self.replayed(boat.recording, plan)
    #expect(log == loggedLines(boat.entries))
    #expect(totals.notes == boat.messages)
  }

  @Test("it is moved, taken up and set again, and the recording replays to the same bytes")
  func commands() throws {
    let plan = Self.plan(dwell: 120)
    var boat = try Boat(plan, fences: [Fence.center("bay", radius: 500)])
    boat.lie(at: 0, for: 60)
    var change = AnchorChange(.move)
    (change.fence, change.bearing, change.distance) = ("anchor", 90, 25)
    boat.obey(change)
    boat.lie(at: 0, for: 60)
    boat.drift(from: 0, at: -0.3, for: 200)
    boat.obey(AnchorChange(.up))
    boat.lie(at: 300, for: 60)
    boat.obey(AnchorChange(.set))
    boat.lie(at: 300, for: 90)
    change = AnchorChange(.set)
    (change.center, change.radius) = (
      Coordinate(latitude: 0, longitude: 0.01 + 200 * Self.metre), 60
    )
    boat.obey(change)
    boat.lie(at: 300, for: 60)
    change = AnchorChange(.move)
    change.fence = "another"
    boat.obey(change)
    boat.lie(at: 300, for: 5)
    boat.finish()
    #expect(
      boat.messages.map { String($0.prefix { $0 != "," }) } == [
        "anchor: set: 0.0000000", "anchor: moved: 0.0000000", "anchor: up",
        "anchor: is being set: the fixes of the next 30 s place it", "anchor: set: 0.0000000",
        "anchor: set: 0.0000000",
      ])
    #expect(
      boat.entries.filter { $0.kind == .state || $0.kind == .exit }.count == 6,
      "\(boat.crossings)")
    for threads in [1, 3] {
      let (log, totals) = try Self.replayed(
        boat.recording, plan, fences: [Fence.center("bay", radius: 500)], threads: threads)
      #expect(log == loggedLines(boat.entries))
      #expect(totals.notes == boat.messages)
    }
  }

  @Test("what came due in a silence before a command is reported before it, also in the replay")
  func silence() throws {
    let plan = Self.plan(dwell: 120)
    for wait in [60, 119, 150, 400] {
      var boat = try Boat(plan)
      boat.lie(at: 0, for: 40)
      boat.silence(wait)
      boat.obey(AnchorChange(.up))
      boat.silence(200)
      boat.lie(at: 0, for: 20)
      boat.finish()
      #expect(boat.crossings.contains(.dwell) == (wait >= 150), "\(wait) s")
      for kinds in [Self.kinds, [.state, .enter, .exit, .dwell]] {
        let live = loggedLines(boat.entries.filter { kinds.contains($0.kind) })
        #expect(try Self.replayed(boat.recording, plan, kinds: kinds).log == live, "\(wait) s")
      }
    }
  }

  @Test("a command behind the last fix is obeyed in the replay too")
  func last() throws {
    let plan = Self.plan(dwell: 120)
    for wait in [60, 400] {
      var boat = try Boat(plan)
      boat.lie(at: 0, for: 40)
      boat.silence(wait)
      boat.obey(AnchorChange(.up))
      boat.finish()
      #expect(boat.crossings.contains(.dwell) == (wait == 400), "\(wait) s")
      for kinds in [Self.kinds, [.state, .enter, .exit, .dwell]] {
        let live = loggedLines(boat.entries.filter { kinds.contains($0.kind) })
        let (log, totals) = try Self.replayed(boat.recording, plan, kinds: kinds)
        #expect(log == live, "\(wait) s")
        #expect(totals.notes == boat.messages)
        #expect(totals.notes.last == "anchor: up")
      }
    }
  }

  @Test("a watch whose state has too long a path for a socket is not said to be missing")
  func longPath() throws {
    let folder = try ScratchFolder()
    let state = folder.path + "/" + String(repeating: "x", count: 100)
    func failure() -> AnchorControl.Failure? {
      do throws(AnchorControl.Failure) {
        _ = try AnchorControl.send(AnchorChange(.up), state: state)
        return nil
      } catch {
        return error
      }
    }
    let store = try StateStore(path: state)
    #expect(failure() == .unreachable(state: state))
    #expect(failure()?.description.contains("; send it SIGUSR1, or start it with") == true)
    withExtendedLifetime(store) {}
    let other = folder.path + "/" + String(repeating: "y", count: 100)
    #expect(!StateStore.isInUse(other))
    #expect(!FileManager.default.fileExists(atPath: other + ".journal"))
  }

  @Test("it comes up under way, and settles only at rest")
  func underWay() throws {
    var plan = Self.plan()
    plan.underWay = AnchorPlan.UnderWay()
    var boat = try Boat(plan)
    boat.drift(from: -2_000, at: 5, for: 400)
    #expect(boat.session.anchors?.anchors.first?.center == nil)
    boat.lie(at: 0, for: 60)
    #expect(boat.crossings == [.state])
    boat.drift(from: 0, at: 2, for: 300)
    #expect(boat.crossings == [.state, .exit])
    #expect(boat.session.rules.fences.count == 1)
    boat.drift(from: 600, at: 2, for: 10)
    #expect(boat.session.rules.fences.isEmpty)
    #expect(boat.messages.last == "anchor: up, as the device is under way (5 min above 1.5 m/s)")
    boat.lie(at: 620, for: 60)
    #expect(boat.session.rules.fences.isEmpty)
    boat.finish()
    #expect(try Self.replayed(boat.recording, plan).log == loggedLines(boat.entries))
  }

  @Test("checkpoint and journal keep it, wherever the program was killed", arguments: [10, 45, 75])
  func restart(_ second: Int) throws {
    let folder = try ScratchFolder()
    let plan = Self.plan()
    var whole = try Boat(plan)
    whole.lie(at: 0, for: 60)
    whole.obey(AnchorChange(.set))
    whole.lie(at: 3, for: 60)
    whole.drift(from: 3, at: 0.3, for: 200)

    let path = folder.path + "/boat.state"
    var first: Boat
    do {
      let store = try StateStore(path: path)
      first = try Boat(plan, store: store)
      first.lie(at: 0, for: min(second, 60))
      let isKept = store.checkpoint(
        devices: [Checkpoint.Device(name: "boat", tracker: first.session.tracker)],
        outputLength: nil, columns: [], anchors: first.session.anchors)
      #expect(isKept)
      if second > 60 {
        first.obey(AnchorChange(.set))
        first.lie(at: 3, for: second - 60)
      }
      first.session = LiveSession(rules: Rules(), kinds: [], device: "", source: "")
    }
    let kept = try #require(try StateStore(path: path).kept)
    first.session = LiveSession(rules: Rules(), kinds: Self.kinds, device: "boat", source: "x")
    first.session.resume(from: try #require(kept.state.tracker), kept.state.anchors)
    for record in kept.inputs { first.session.replay(record) }
    _ = first.session.takeEntries()
    first.session.adopt(try Self.rules(), [plan])
    if second < 60 {
      first.lie(at: 0, for: 60 - second)
      first.obey(AnchorChange(.set))
    }
    first.lie(at: 3, for: 120 - max(second, 60))
    first.drift(from: 3, at: 0.3, for: 200)
    #expect(loggedLines(first.entries) == loggedLines(whole.entries))
    #expect(
      first.session.anchors?.anchors.map(\.center) == whole.session.anchors?.anchors.map(\.center))
    #expect(whole.crossings == [.state, .state, .exit])
  }
}
