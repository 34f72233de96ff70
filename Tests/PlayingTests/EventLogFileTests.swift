import EventLog
import TestSupport
import Foundation
@testable import Playing
@testable import Session
@testable import System
import Testing
import Tracking

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
    try fixture.write("a.csv", table([(0, 0), (60, 0)]))
    var replay = Replay(
      feeds: [try TraceFeed(path: "\(fixture.folder)/a.csv")],
      rules: Rules(fences: try FenceSet([.center()])), device: nil, kinds: [.state],
      output: EventLogFile(file: try OutputFile(path: path), format: .jsonl, fences: FenceSet()))
    _ = try replay.run()
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\"type\":\"state\""))
  }

  @Test("is not a terminal when it is a file")
  func terminal() throws {
    #expect(!(try OutputFile(path: "/dev/null").isTerminal))
  }
}
