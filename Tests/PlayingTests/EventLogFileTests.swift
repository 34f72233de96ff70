import EventLog
import TestSupport
import Foundation
import Geodesy
@testable import Playing
@testable import Session
@testable import System
import Testing
import Traces
@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("The output of events")
struct OutputTests {
  private let entry = LogEntry(device: "a", .problem(.init(message: "something is wrong")))

  private func failure(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "reports why a file cannot be created",
    arguments: [
      ("nosuch/log", "no such file or directory"), ("", "is a directory"),
    ])
  func unmade(name: String, reason: String) throws {
    let fixture = try PlayingFixture()
    let path = "\(fixture.folder)/\(name)"
    #expect(
      failure { _ = try OutputFile(path: path) } == "\(path): cannot be written: \(reason)")
  }

  @Test("a full disk is reported when the buffer is written")
  func full() throws {
    var output = EventLogFile(
      file: try OutputFile(path: "/dev/full"), format: .jsonl, fences: FenceSet())
    try output.write([entry][...])
    #expect(
      failure { try output.flush() } == "/dev/full: cannot be written: no space left on device")
    let many = [LogEntry](repeating: entry, count: 2_000)
    #expect(failure { try output.write(many[...]) } != nil)
  }

  @Test("a file is written whole, whatever its size, and closed", arguments: [0, 1, 5_000])
  func whole(count: Int) throws {
    let fixture = try PlayingFixture()
    let path = "\(fixture.folder)/log"
    let file = try OutputFile(path: path)
    var output = EventLogFile(file: file, format: .csv, fences: FenceSet())
    try output.write([LogEntry](repeating: entry, count: count)[...])
    try output.flush()
    try output.close()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == count + 1)
    #expect(Set(lines.dropFirst()).count == min(count, 1))
  }

  @Test("what was written before an error stays")
  func failingTrace() throws {
    let fixture = try PlayingFixture()
    let path = "\(fixture.folder)/log"
    try fixture.write("a.csv", table([(0, 1e-5), (60, 1e-5)]))
    var replay = Replay(
      feeds: [try TraceFeed(path: "\(fixture.folder)/a.csv")],
      rules: Rules(fences: try FenceSet([.center()])), device: nil, kinds: [.state],
      output: EventLogFile(file: try OutputFile(path: path), format: .jsonl, fences: FenceSet()))
    _ = try replay.run()
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\"type\":\"state\""))
  }

  /// Stays of 40 minutes a kilometre apart, the last of which lasts.
  private func stays(_ count: Int) -> String {
    var rows: [(seconds: Int, longitude: Double)] = []
    for stay in 0..<count {
      let (start, place) = (stay * 3_000, 1 + 0.01 * Double(stay))
      for step in 0..<80 { rows.append((start + 30 * step, place)) }
      for step in 1..<20 {
        rows.append((start + 2_400 + 30 * step, place + 0.01 * Double(step) / 20))
      }
    }
    return table(Array(rows.dropLast(19)))
  }

  @Test("text has a visit once, JSON Lines and live text have every line", arguments: [1, 3])
  func standing(threads: Int) throws {
    let fixture = try PlayingFixture()
    try fixture.write("a.csv", stays(3))
    func play(_ format: EventFormat, isLive: Bool = false) throws -> PlayingFixture.Result {
      try fixture.play(
        ["a.csv"], kinds: [.visit], threads: threads, format: format, isLive: isLive,
        visits: VisitRules())
    }
    let text = try play(.text)
    #expect(text.lines.count == 3)
    #expect(text.lines.map { $0.contains("stayed ") } == [true, true, false])
    #expect(text.lines.map { $0.contains("stays since ") } == [false, false, true])
    let live = try play(.text, isLive: true)
    #expect(live.lines.count == 5)
    #expect(live.lines.filter { $0.contains("stayed ") } == Array(text.lines.prefix(2)))
    #expect(try play(.jsonl).lines.count == 5)
    #expect(try play(.jsonl, isLive: true).lines == play(.jsonl).lines)
    for result in [text, live] { #expect(result.totals.summary[1] == "3 events: 3 visit") }
  }

  @Test("text has what stands before an error, also a visit that lasts")
  func standingBeforeError() throws {
    let fixture = try PlayingFixture()
    let path = "\(fixture.folder)/log"
    var output = EventLogFile(
      file: try OutputFile(path: path), format: .text, fences: FenceSet())
    let visit = Visit(
      arrival: Timestamp(nanoseconds: 0), isArrivalSeen: true, departure: nil, confidence: 0.9)
    let event = Event(
      statement: .visit(visit), time: visit.arrival, decided: visit.arrival,
      coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: nil, speed: nil,
      course: nil)
    try output.write([LogEntry(device: "a", .event(event)), entry][...])
    output.end()
    try output.flush()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.map { $0.contains("stays since") } == [false, true])
  }

  @Test("is not a terminal when it is a file")
  func terminal() throws {
    #expect(!(try OutputFile(path: "/dev/null").isTerminal))
  }
}
