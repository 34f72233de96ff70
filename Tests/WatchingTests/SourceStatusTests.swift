import Receivers
import Session
import TestSupport
import Foundation
import System
@testable import GPSD
import Geodesy
import Testing
import Text
import Traces
@testable import Tracking
@testable import Watching

@Suite("Live status")
struct LiveStatusTests {
  private let start = ContinuousClock.now

  @Test("from connecting over fixes to stale and lost")
  func monitor() {
    var monitor = StatusMonitor()
    #expect(monitor.status == .connecting && monitor.nextDeadline == nil)
    monitor.connected()
    #expect(monitor.status == .connected)
    monitor.heard(ReceiverState(mode: 1), at: start)
    #expect(monitor.status == .noFix)
    monitor.heard(ReceiverState(mode: 3), at: start + .seconds(1))
    #expect(monitor.status == .fix)
    #expect(monitor.nextDeadline == start + .seconds(16))
    monitor.check(at: start + .milliseconds(15_999))
    #expect(monitor.status == .fix)
    monitor.check(at: start + .seconds(16))
    #expect(monitor.status == .stale && monitor.nextDeadline == nil)
    monitor.heard(ReceiverState(mode: 3), at: start + .seconds(20))
    monitor.lost("gpsd closed the connection")
    #expect(monitor.status == .lost("gpsd closed the connection") && monitor.nextDeadline == nil)
    monitor.check(at: start + .seconds(100))
    #expect(monitor.status == .lost("gpsd closed the connection"))
  }

  @Test("ten positions without a time change the status, the first ones of a receiver do not")
  func timeless() {
    var monitor = StatusMonitor()
    monitor.connected()
    for number in 1...9 {
      monitor.heard(ReceiverState(mode: 3, timeless: number), at: start)
      #expect(monitor.status == .connected)
    }
    monitor.heard(ReceiverState(mode: 3, timeless: 10), at: start)
    #expect(monitor.status == .noTime)
    monitor.heard(ReceiverState(mode: 1), at: start)
    #expect(monitor.status == .noFix)
    monitor.heard(ReceiverState(mode: 3), at: start)
    #expect(monitor.status == .fix)
  }

  @Test("a report of a fix without coordinates is none, but for parts of an instant")
  func empty() {
    var monitor = StatusMonitor()
    monitor.connected()
    monitor.heard(ReceiverState(mode: 3, empty: 1), at: start)
    #expect(monitor.status == .noFix)
    monitor.heard(ReceiverState(mode: 3), at: start)
    for number in 1...2 {
      monitor.heard(ReceiverState(mode: 3, empty: number), at: start)
      #expect(monitor.status == .fix)
    }
    monitor.heard(ReceiverState(mode: 3, empty: 3), at: start)
    #expect(monitor.status == .noFix)
  }

  @Test("positions that the engine does not use are no fix, and the reason is given")
  func ignoring() {
    var monitor = StatusMonitor()
    monitor.heard(ReceiverState(mode: 3), ignored: "clock went back 3 h", at: start)
    #expect(monitor.status.sentence == "ignoring fixes: clock went back 3 h")
    #expect(monitor.status.word == "ignoring" && monitor.nextDeadline != nil)
    monitor.heard(ReceiverState(mode: 3), at: start)
    #expect(monitor.status == .fix)
  }

  @Test("a removed receiver leaves the connection open")
  func gone() {
    var monitor = StatusMonitor()
    monitor.heard(ReceiverState(mode: 3), at: start)
    monitor.receiverGone()
    #expect(monitor.status == .connected && monitor.nextDeadline == nil)
    monitor.lost("gpsd closed the connection")
    monitor.receiverGone()
    #expect(monitor.status == .lost("gpsd closed the connection"))
  }

  @Test("a receiver is stale after the time-out of the connection")
  func patience() {
    var link = LinkOptions()
    (link.silence, link.answerTimeout) = (.seconds(100), .seconds(2))
    var monitor = StatusMonitor(link)
    monitor.heard(ReceiverState(mode: 3), at: start)
    #expect(monitor.nextDeadline == start + .seconds(102))
  }

  @Test("a flapping status is reported five times, then once in ten seconds, and finally as it is")
  func flapping() {
    var limiter = StatusLimiter()
    var told: [Int] = []
    for second in 0..<35 {
      let status = second % 2 == 0 ? SourceStatus.fix : .noFix
      if limiter.shouldReport(status, at: start + .seconds(second)) { told.append(second) }
    }
    #expect(told == [0, 1, 2, 3, 4, 11, 20, 31])
    let early = limiter.shouldReport(.fix, at: start + .seconds(36))
    #expect(!early)
    let later = limiter.nextDeadline(.fix)
    #expect(later == start + .seconds(40))
    let atLast = limiter.shouldReport(.fix, at: start + .seconds(40))
    #expect(atLast)
    #expect(limiter.nextDeadline(.fix) == nil)
  }

  private static func state(
    _ device: String, _ status: SourceStatus, _ fix: Fix?
  ) -> LiveSnapshot {
    LiveSnapshot(
      device: device, source: "gpsd://localhost:2947", peer: "gpsd 3.22", status: status, fix: fix,
      receiver: ReceiverState(), fences: FenceSet(), presence: [], totals: SessionTotals())
  }

  @Test("a program reads one JSON object")
  func text() {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_000_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: -13.25))
    fix.horizontalAccuracy = 4.7
    var bytes: [UInt8] = []
    StatusJSON.append([Self.state("my van", .lost(#"no "connection""#), fix)], to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"status":"lost","device":"my van","source":"gpsd://localhost:2947","reason":"no \"connection\"","time":"2025-03-10T08:00:00.000Z","latitude":52.5000000,"longitude":-13.2500000,"accuracy":4.70,"mode":0,"inside":[],"fixes":0,"used":0,"dropped":0,"ignored":0,"#
        + Self.process)
    bytes = []
    StatusJSON.append([Self.state("van", .noFix, nil)], to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"status":"no-fix","device":"van","source":"gpsd://localhost:2947","mode":0,"#
        + #""inside":[],"fixes":0,"used":0,"dropped":0,"ignored":0,"# + Self.process)
  }

  @Test("a device and the run for a page are the parts of the object, and names are escaped")
  func parts() throws {
    var state = Self.state("<b>\u{1}\n\"", .fix, nil)
    (state.number, state.title) = (nil, "</script>")
    let run = LiveRunState(queues: [DeliveryQueue(name: "q", waiting: 1, delivered: 0, dead: 0)])
    let (device, end) = (StatusJSON.device(state), StatusJSON.run(run))
    var whole: [UInt8] = []
    StatusJSON.append([state], run, to: &whole)
    #expect(whole == device.dropLast() + Array(",".utf8) + end.dropFirst() + Array("\n".utf8))
    #expect(!device.contains { $0 < 0x20 })
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(device)) as? [String: Any])
    #expect(object["device"] as? String == state.device && object["name"] as? String == state.title)
    // The address, as in the file, whoever answers there.
    #expect(object["source"] as? String == "gpsd://localhost:2947" && object["number"] == nil)
    state.number = 1
    #expect(
      String(decoding: StatusJSON.device(state), as: UTF8.self).hasSuffix(#","number":2}"#))
  }

  /// How the object ends.
  private static let process =
    "\"pid\":\(ProcessInfo.processInfo.processIdentifier),\"version\":\"\(Release.version)\"}\n"

  @Test("it has the age of the position, the fences inside, and the visit that goes on")
  func everything() throws {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_000_000_000),
      coordinate: Coordinate(latitude: 52.5, longitude: .nan))
    fix.course = 359.99
    var state = Self.state("van", .ignoring("clock went back 3 h"), fix)
    let arrival = Timestamp(nanoseconds: 1_741_590_000_000_000_000)
    (state.age, state.ignored, state.solution) = (12.34, 7, .rtkFloat)
    (state.totals.gate.received, state.totals.gate.accepted) = (9, 2)
    state.presence = [Presence(fence: "a", since: arrival), Presence(fence: "b", since: arrival)]
    state.stay = StandingStay(
      arrival: arrival, coordinate: Coordinate(latitude: 52.25, longitude: 13))
    var bytes: [UInt8] = []
    StatusJSON.append([state], to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any], "\(text)")
    #expect(object["reason"] as? String == "clock went back 3 h" && object["longitude"] == nil)
    #expect(object["age"] as? Double == 12.3 && object["ignored"] as? Int == 7)
    #expect(object["solution"] as? String == "rtk-float")
    #expect(
      text.contains(
        #""visit":{"arrival":"2025-03-10T07:00:00.000Z","latitude":52.2500000,"longitude":13.0000000}"#
      ))
    #expect((object["inside"] as? [[String: String]])?.count == 2)
  }
}

@Suite("The live view")
struct LiveViewTests {
  private static func scene(_ status: SourceStatus = .fix) throws -> LiveView.Scene {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_000_000_000),
      coordinate: Coordinate(latitude: 0, longitude: 0.001))
    fix.horizontalAccuracy = 4.7
    fix.mode = .threeD
    (fix.altitude, fix.speed, fix.course) = (34, 11.1, 90)
    let fences = try FenceSet([
      .center("far", radius: 5), .center("home", radius: 100), .center("around", radius: 500),
      .center("near", radius: 112),
    ])
    let state = LiveSnapshot(
      device: "van", source: "gpsd://localhost:2947", peer: "gpsd 3.22", status: status, fix: fix,
      receiver: ReceiverState(), fences: fences, presence: [], totals: SessionTotals())
    return LiveView.Scene(states: [state], events: ["08:00 enter\u{1B}[2J home"])
  }

  @Test("position, speed, the nearest three fences and the last events")
  func lines() throws {
    let lines = LiveView.rows(try Self.scene()).map(\.text)
    #expect(
      lines == [
        "van  fix 3D  2025-03-10 08:00:00.0Z  gpsd 3.22",
        "  0.000000,0.001000 ± 4.7 m  34 m above the sea  11.1 m/s (40.0 km/h)  90°",
        "  near: 0.7 m inside its edge at 90°, there in 0 s",
        "  home: 11 m outside its edge at 270°",
        "  far: 106 m outside its edge at 270°",
        "08:00 enter?[2J home",
      ], "\(lines)")
  }

  @Test("how the receiver found the position, when it says more than the dimensions")
  func solution() throws {
    var scene = try Self.scene()
    scene.states[0].solution = .deadReckoning
    #expect(LiveView.rows(scene)[0].text.hasPrefix("van  fix dead reckoning  2025-03-10 08:00"))
  }

  @Test("age, local time, how long inside, the dwell to go, the visit and the anchor")
  func times() throws {
    var scene = try Self.scene()
    scene.zone = DisplayZone { _ in 3_600 }
    scene.events = []
    var fence = Fence.center("home", radius: 500, dwell: 1_200)
    fence.notifications = [.dwell]
    scene.states[0].fences = try FenceSet([fence])
    let time = try #require(scene.states[0].fix?.time)
    scene.states[0].age = 12.7
    scene.states[0].presence = [Presence(fence: "home", since: time.advanced(bySeconds: -600))]
    scene.states[0].stay = StandingStay(
      arrival: time.advanced(bySeconds: -540), coordinate: Coordinate(latitude: 0, longitude: 0))
    var drift = AnchorDrift(fence: "anchor", state: .set, radius: 40)
    (drift.distance, drift.bearing, drift.reach, drift.rate) = (28, 213.4, 31, 0.1)
    scene.states[0].anchors = [
      drift, AnchorDrift(fence: "second", state: .setting, radius: 30),
      AnchorDrift(fence: "third", state: .up, radius: 30),
    ]
    #expect(
      LiveView.rows(scene).map(\.text) == [
        "van  fix 3D  2025-03-10 09:00:00.0+01:00, 12 s ago  gpsd 3.22",
        "  0.000000,0.001000 ± 4.7 m  34 m above the sea  11.1 m/s (40.0 km/h)  90°",
        "  visit since 2025-03-10 08:51:00.0+01:00, 9 min 13 s",
        "  anchor: anchor 28 m away, the boat at 213° from it, swing 31 m of 40 m, edge in 2 min at 0.10 m/s",
        "  second is being set, radius 30 m", "  third is up, radius 30 m",
        "  home: 389 m inside its edge at 90°, there in 35 s, inside for 10 min 13 s, dwell in 9 min 47 s",
      ])
  }

  @Test("at the centre of a circle no edge is nearest, and a fix without a course comes to none")
  func withoutDirection() throws {
    var scene = try Self.scene()
    scene.events = []
    scene.states[0].fences = try FenceSet([.center("home", radius: 100)])
    scene.states[0].fix?.coordinate = Coordinate(latitude: 0, longitude: 0)
    #expect(LiveView.rows(scene).last?.text == "  home: 100 m inside its edge")
    scene.states[0].fix?.coordinate = Coordinate(latitude: 0.0005, longitude: 0)
    #expect(LiveView.rows(scene).last?.text == "  home: 45 m inside its edge at 0°")
    scene.states[0].fix?.course = nil
    #expect(LiveView.rows(scene).last?.text == "  home: 45 m inside its edge at 0°")
  }

  @Test("drawn lines are erased, and no line is wider than the terminal")
  func drawing() throws {
    var view = LiveView(isColoured: false)
    let nothing = view.erase()
    #expect(nothing.isEmpty)
    let first = String(decoding: view.draw(try Self.scene(), width: 40, height: 24), as: UTF8.self)
    #expect(first.split(separator: "\n").allSatisfy { $0.count < 40 })
    #expect(first.hasPrefix("van  fix 3D"))
    let second = String(
      decoding: view.draw(try Self.scene(.stale), width: 40, height: 24), as: UTF8.self)
    #expect(second.hasPrefix("\r\u{1B}[6A\u{1B}[Jvan  no data"))
    let erased = [view.erase(), view.erase()].map { String(decoding: $0, as: UTF8.self) }
    #expect(erased == ["\r\u{1B}[6A\u{1B}[J", ""])
  }

  @Test(
    "no line wraps on a terminal, however wide its characters are", arguments: [2, 5, 12, 20, 33])
  func widths(_ width: Int) throws {
    var scene = try Self.scene()
    scene.states[0].device = "渡し船のとても長い名前"
    scene.events = ["👩‍👩‍👧‍👦❤️🇩🇪 e\u{301}e\u{301}한국어 ｆｕｌｌ", "e\u{301}e\u{301}e\u{301}"]
    var view = LiveView(isColoured: false)
    let drawn = String(decoding: view.draw(scene, width: width, height: 24), as: UTF8.self)
    let lines = drawn.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 8)
    #expect(lines.allSatisfy { DisplayWidth.of($0) < width })
    #expect(lines[6].first == "e\u{301}")
  }

  @Test("the view is never higher than the terminal", arguments: [1, 2, 4])
  func heights(_ height: Int) throws {
    var view = LiveView(isColoured: false)
    let drawn = String(
      decoding: view.draw(try Self.scene(), width: 80, height: height), as: UTF8.self)
    #expect(drawn.count { $0 == "\n" } == height - 1)
  }

  @Test(
    "columns of a text",
    arguments: [
      ("", 0), ("van", 3), ("渡し船", 6), ("ｆ", 2), ("한", 2), ("e\u{301}", 1), ("😀", 2),
      ("± 4.7 °", 7), ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{200B}b", 2), ("𠀀", 2),
    ])
  func columns(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test("the status is coloured when colours are enabled")
  func colours() throws {
    var view = LiveView(isColoured: true)
    let drawn = String(decoding: view.draw(try Self.scene(), width: 80, height: 24), as: UTF8.self)
    #expect(drawn.hasPrefix("\u{1B}[32mvan  fix 3D"))
  }
}
