import EventLog
import Explaining
@testable import GPSD
import Receivers
import Foundation
import Geodesy
@testable import Playing
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Text
import Tracking
@testable import Watching

/// A session of gpsd's, as it writes it: a drive through a fence with all that goes wrong on the way.
struct GPSDSession {
  private(set) var text = ""
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    connect()
  }

  mutating func connect() {
    text +=
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
      + "\r\n" + #"{"class":"DEVICES","devices":[]}"# + "\r\n"
      + #"{"class":"WATCH","enable":true,"json":true,"nmea":false}"# + "\r\n"
  }

  mutating func add(_ line: String) { text += line + "\r\n" }

  /// A report `second` seconds after 2025-03-10T08:00:00Z, by default a whole one.
  static func report(
    _ second: Double, longitude: Double, mode: Int = 3, speed: Double = 11.1, isWhole: Bool = true
  ) -> String {
    let time = Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64(second * 1e9))
    var stamp: [UInt8] = []
    TimeText.append(time, to: &stamp)
    var line =
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":\#(mode),"time":""#
      + String(decoding: stamp, as: UTF8.self) + #"","ept":0.005"#
    if mode >= 2 {
      line += #","lat":0.000000000,"lon":\#(longitude)"#
      if isWhole {
        line += #","altHAE":80.1,"altMSL":34.2,"speed":\#(speed),"track":90.0,"eph":9.5"#
      }
    }
    return line + "}"
  }

  /// A drive east at 11 m/s past the point 0, 0.
  mutating func drive(seconds: Range<Int>) {
    for second in seconds {
      let longitude = (Double(second) - 120) * 1e-4
      let report = Self.report(Double(second), longitude: longitude)
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: add(Self.report(Double(second), longitude: longitude, isWhole: false))
      case 1:
        add(report)
        add(report)
      case 2: add(Self.report(Double(second), longitude: longitude, mode: 1))
      case 3: add(#"{"class":"TPV","mode":3,"lat":0.0,"lon":0.0,"#)
      case 4: add("garbage \(second)")
      case 5: add(Self.report(Double(second) - 3.5, longitude: longitude - 3.5e-4))
      case 6: add(Self.report(Double(second), longitude: 40))
      default: add(report)
      }
      if second % 5 == 0 {
        add(
          #"{"class":"SKY","device":"/dev/ttyUSB0","hdop":0.9,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}"#
        )
      }
    }
  }
}

@Suite("Live sessions")
struct LiveSessionTests {
  private static let kinds = Set(LogEntry.Kind.allCases)

  private static func live(
    _ bytes: [UInt8], source: String, cuts: [Int], now: ContinuousClock.Instant = .now
  ) throws -> [String] {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: kinds, device: "van", source: source)
    var start = 0
    for cut in cuts.sorted() + [bytes.count] {
      session.receive(bytes[start..<cut], at: now)
      start = cut
    }
    session.receive([], at: now, isFinal: true)
    return loggedLines(session.takeEntries())
  }

  /// The ends of lines, where a connection hands out what it has.
  private static func ends(_ bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  private static func session(seed: UInt64) -> [UInt8] {
    var session = GPSDSession(seed: seed)
    session.add("garbage before the first fix")
    session.drive(seconds: 0..<150)
    session.connect()
    session.drive(seconds: 160..<400)
    return Array(session.text.utf8)
  }

  @Test("a recording replays to the live events, byte for byte", arguments: 1...12)
  func replayIsLive(_ seed: UInt64) throws {
    // The recording names the device, `--device` does not.
    let header = RecordingHeader([WatchedSource(address: .local, device: "van")]).lines()
    let bytes = header + Self.session(seed: seed)
    let (path, expected) = try Self.replayed(bytes, device: nil)
    let found = try Self.live(bytes, source: path, cuts: Self.ends(bytes))
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(
      difference == nil, "seed \(seed): \(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(found.count == expected.count, "seed \(seed)")
    #expect(found.contains { $0.hasPrefix(#"{"type":"enter""#) }, "seed \(seed)")
  }

  @Test("losses of gpsd replay to the live events, and so does a dwell in their silence")
  func losses() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: Self.kinds, device: "van", source: "x")
    var changes = LinkChanges()
    let start = ContinuousClock.now
    var bytes: [UInt8] = []
    func receive(_ text: [UInt8], at second: Double) {
      bytes += text
      session.receive(text[...], at: start + .seconds(second))
    }
    func advance(to second: Double) {
      let now = start + .seconds(second)
      while let due = session.nextDeadline(), due <= now { session.advance(at: now) }
    }
    func change(_ status: LinkStatus, at second: Double) {
      let now = start + .seconds(second)
      guard let change = changes.change(for: status, at: session.time(at: now)) else { return }
      receive(RecordingHeader.line(change), at: second)
    }
    func report(_ second: Int) {
      let text = GPSDSession.report(Double(second), longitude: 1e-5, speed: 0) + "\n"
      receive(Array(text.utf8), at: Double(second))
    }
    for second in 0..<590 { report(second) }
    advance(to: 595)
    change(.silent(for: .seconds(10), hasReceiver: true), at: 600)
    change(.lost(.closed, retry: .zero), at: 605)
    change(.lost(.noListener, retry: .zero), at: 606)
    // Due after 600 s, and 120 s of silence.
    advance(to: 715)
    change(.connected(GPSDVersion(release: "3.22", major: 3, minor: 14)), at: 720)
    for second in 730..<740 { report(second) }
    // Three hours back.
    for second in -10_060..<(-10_040) { report(second) }
    session.receive([], at: start + .seconds(800), isFinal: true)
    let entries = session.takeEntries()
    #expect(
      entries.filter { $0.kind == .status || $0.kind == .dwell }.map {
        $0.status?.word ?? $0.kind.rawValue
      } == ["stale", "lost", "dwell", "connected", "fix", "ignoring", "fix"])
    let found = loggedLines(entries)
    let expected = try Self.replayed(bytes).log
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "\(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(found.count == expected.count)
    #expect(found.contains { $0.contains(#""duration":16.000,"message":"gpsd closed"#) })
  }

  @Test("each event is explained as in a recording", arguments: 1...4)
  func reasons(_ seed: UInt64) throws {
    let bytes = Self.session(seed: seed)
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: Self.kinds, device: "van", source: "gpsd",
      explains: true)
    var entries: [LogEntry] = []
    var reasons: [Explanation] = []
    var start = 0
    for end in Self.ends(bytes) {
      session.receive(bytes[start..<end], at: .now)
      entries += session.takeEntries()
      reasons += session.takeReasons()
      start = end
    }
    let explainer = Explainer(
      device: "van", fixes: entries.compactMap(\.fix), rules: try Rules.watched(.balanced))
    let expected = explainer.occurrences.compactMap { explainer.explain($0)?.lines }
    #expect(reasons.map(\.lines) == expected, "seed \(seed)")
    #expect(reasons.count >= 2, "seed \(seed)")
    #expect(Set(reasons.compactMap(\.id)) == Set(entries.filter(\.isEvent).compactMap(\.id)))
  }

  @Test("what comes due in a silence is explained with the next fix; other rules begin again")
  func reasonsOfSilence() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: Self.kinds, device: "van", source: "gpsd",
      explains: true)
    let start = ContinuousClock.now
    func hear(_ seconds: Range<Int>) {
      for second in seconds {
        // It stops in the fence.
        let place = min(Double(second) - 100, 0) * 1e-4
        let report =
          GPSDSession.report(Double(second), longitude: place, speed: place < 0 ? 11.1 : 0) + "\n"
        session.receive(Array(report.utf8)[...], at: start + .seconds(second))
      }
    }
    hear(0..<300)
    _ = session.takeReasons()
    _ = session.takeEntries()
    let later = start + .seconds(760)
    while let due = session.nextDeadline(), due <= later { session.advance(at: later) }
    let dwell = try #require(session.takeEntries().first { $0.kind == .dwell })
    #expect(session.takeReasons().isEmpty)
    hear(770..<771)
    #expect(session.takeReasons().contains { $0.id == dwell.id })
    session.adopt(try Rules.watched(.balanced))
    hear(771..<860)
    #expect(session.takeReasons().isEmpty)
  }

  /// The path of a recording, and the log of its replay.
  private static func replayed(
    _ bytes: [UInt8], device: String? = "van"
  ) throws -> (path: String, log: [String]) {
    let folder = try ScratchFolder()
    try folder.write("trip.jsonl", bytes: Array(bytes))
    let path = folder.file("trip.jsonl")
    let log = folder.path + "/log"
    let rules = try Rules.watched(.balanced)
    var replay = Replay(
      feeds: [try TraceFeed(path: path)], rules: rules, device: device, kinds: kinds,
      output: EventLogFile(
        file: try OutputFile(path: log), format: .jsonl, fences: rules.fences))
    _ = try replay.run()
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    return (path, lines.map(String.init))
  }

  @Test("the result does not depend on how lines are batched", arguments: 1...8)
  func pieces(_ seed: UInt64) throws {
    let bytes = Self.session(seed: seed)
    let ends = Self.ends(bytes)
    var generator = SeededGenerator(seed: seed)
    let some = ends.filter { _ in Bool.random(using: &generator) }
    let each = try Self.live(bytes, source: "x", cuts: ends)
    #expect(try Self.live(bytes, source: "x", cuts: some) == each)
    #expect(try Self.live(bytes, source: "x", cuts: []) == each)
  }

  @Test("in a long silence a dwell is reported when it is due, not before")
  func silence() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: [.dwell], device: "van", source: "x")
    let start = ContinuousClock.now
    var text = GPSDSession(seed: 1)
    for second in 0...300 {
      text.add(GPSDSession.report(Double(second), longitude: 1e-5, speed: 0))
    }
    session.receive(Array(text.text.utf8)[...], at: start)
    let deadline = try #require(session.nextDeadline())
    session.advance(at: deadline - .milliseconds(1))
    #expect(session.takeEntries().isEmpty)
    session.advance(at: deadline + .milliseconds(1))
    let said = session.takeEntries()
    #expect(said.map(\.kind) == [.dwell])
    session.advance(at: deadline + .seconds(5))
    #expect(session.takeEntries().isEmpty)
    // Entered with the first fix; the fix's time went on by itself for as long as the silence.
    #expect(said[0].time?.seconds(since: Timestamp(nanoseconds: 1_741_593_600_000_000_000)) == 600)
    #expect((deadline - start) / .seconds(1) == 302)
  }

  @Test("a live report during a silence does not change later events")
  func silenceLaw() throws {
    var text = GPSDSession(seed: 3)
    for second in 0...300 {
      text.add(GPSDSession.report(Double(second), longitude: 1e-5, speed: 0))
    }
    let before = Array(text.text.utf8)
    for second in 900...960 {
      text.add(GPSDSession.report(Double(second), longitude: Double(second - 900) * 1e-4))
    }
    let all = Array(text.text.utf8)
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: Self.kinds, device: "van", source: "x")
    let start = ContinuousClock.now
    session.receive(before[...], at: start)
    session.advance(at: start + .seconds(450))
    session.receive(all[before.count...], at: start + .seconds(600))
    session.receive([], at: start + .seconds(600), isFinal: true)
    let found = loggedLines(session.takeEntries())
    let expected = try Self.replayed(all).log
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "\(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(found.count == expected.count)
  }

  @Test("a clock that goes back three hours is reported until ten reports have confirmed it")
  func clockBack() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: [], device: "van", source: "x")
    var reasons: [String?] = []
    for second in Array(0..<20) + Array(-10_780..<(-10_760)) {
      let report = GPSDSession.report(Double(second), longitude: 1e-5, speed: 0) + "\n"
      session.receive(Array(report.utf8)[...], at: .now)
      reasons.append(session.ignored.reason)
    }
    let said = "clock went back 3 h"
    #expect(
      reasons == Array(repeating: nil, count: 22) + Array(repeating: said, count: 7)
        + Array(repeating: nil, count: 11))
    let gate = session.totals().gate
    #expect(gate.accepted == 31 && gate.dropped == 9)
  }

  @Test("the status of a phone is that of its positions, and its last fix is one that was used")
  func phone() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: [], device: "phone", source: "x")
    func report(_ second: Double?, latitude: Double = 0) {
      var fix = Fix(
        time: second.map { Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64($0 * 1e9)) },
        coordinate: Coordinate(latitude: latitude, longitude: 1e-5))
      fix.horizontalAccuracy = 5
      session.receive(RecordingHeader.line(fix)[...], at: .now)
    }
    for _ in 0..<9 { report(nil) }
    #expect(session.ownStatus == .connected && session.lastFix == nil)
    report(nil)
    #expect(session.ownStatus == .noTime && session.lastFix == nil && session.timeless == 10)
    report(0)
    #expect(session.ownStatus == .fix && session.lastFix != nil && session.timeless == 0)
    // Another place at the same time, and one without a time, are not used.
    for second in [0.0, nil] {
      report(second, latitude: 1e-5)
      #expect(session.ownStatus == .fix && session.lastFix?.coordinate.latitude == 0)
    }
    report(1, latitude: 1e-5)
    #expect(session.lastFix?.coordinate.latitude == 1e-5)
    for second in [-900.0, -899, -898] { report(second) }
    #expect(session.ownStatus.word == "ignoring" && session.lastFix?.coordinate.latitude == 1e-5)
  }

  @Test("every position of a batch that was used is in the trail, once, until it was shown")
  func trail() throws {
    for keepsTrail in [true, false] {
      var session = LiveSession(
        rules: try Rules.watched(.balanced), kinds: [], device: "phone", source: "x")
      session.keepsTrail = keepsTrail
      func receive(_ seconds: [Int]) {
        var lines: [UInt8] = []
        for second in seconds {
          var fix = Fix(
            time: Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64(second) * 1_000_000_000),
            coordinate: Coordinate(latitude: 1, longitude: Double(second) * 1e-5))
          fix.horizontalAccuracy = 5
          lines += RecordingHeader.line(fix)
        }
        session.receive(lines[...], at: .now)
      }
      let seconds = Array(stride(from: 0, to: 200, by: 5))
      receive(seconds + [195, 190])
      let times = session.trail.compactMap { $0.time?.nanoseconds }
      let expected = seconds.map { 1_741_593_600_000_000_000 + Int64($0) * 1_000_000_000 }
      #expect(times == (keepsTrail ? expected : []))
      session.removeTrail()
      receive([200])
      #expect(session.trail.count == (keepsTrail ? 1 : 0))
    }
  }

  @Test("after a change of the rules, unchanged fences keep their state")
  func reload() throws {
    var session = LiveSession(
      rules: try Rules.watched(.balanced), kinds: [.enter, .exit, .state], device: "van",
      source: "x")
    var text = GPSDSession(seed: 1)
    for second in 0...30 { text.add(GPSDSession.report(Double(second), longitude: 1e-5, speed: 0)) }
    session.receive(Array(text.text.utf8)[...], at: .now)
    #expect(session.takeEntries().map(\.kind) == [.state])
    var rules = try Rules.watched(.balanced)
    rules.fences = try FenceSet(rules.fences + [Fence.center("more", radius: 500)])
    session.adopt(rules)
    var more = ""
    for second in 31...90 {
      more += GPSDSession.report(Double(second), longitude: Double(second - 30) * 1e-4) + "\n"
    }
    session.receive(Array(more.utf8)[...], at: .now)
    let said = session.takeEntries().map { "\($0.kind.rawValue)" }
    #expect(said == ["state", "exit", "exit"])
  }
}
