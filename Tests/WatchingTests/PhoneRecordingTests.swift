import EventLog
import Foundation
import Geodesy
@testable import Playing
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Traces
import Tracking
@testable import Watching

/// Devices that appear while they are watched, and what their recording replays to.
@Suite("Recordings of phones")
struct PhoneRecordingTests {
  private static let kinds = Set(LogEntry.Kind.allCases).subtracting([.problem])

  @Test("a position read from its line is the same, to the bit")
  func lines() throws {
    var generator = SeededGenerator(seed: 27)
    for number in 0..<2_000 {
      func value() -> Double? {
        guard Bool.random(using: &generator) else { return nil }
        return number % 3 == 0
          ? Double.random(in: -1e-9...1e-9, using: &generator)
          : Double.random(in: -1e6...1e6, using: &generator)
      }
      var fix = Fix(
        time: number % 7 == 0
          ? nil
          : Timestamp(
            nanoseconds: 1_000_000 * .random(in: 0...4_000_000_000_000, using: &generator)),
        coordinate: Coordinate(
          latitude: .random(in: -90...90, using: &generator), longitude: value() ?? -0.0))
      for (_, path) in SwiftGPSDReader.fixNumbers { fix[keyPath: path] = value() }
      fix.satellites = number % 5 == 0 ? nil : number % 40
      var (decoder, batch) = (ReceiverLogDecoder(), TraceBatch())
      _ = decoder.decode(RecordingHeader.line(fix).span, isFinal: false, into: &batch)
      #expect(batch.points.map(\.fix) == [fix] && batch.marks.isEmpty)
      let read = try #require(batch.points.first?.fix.coordinate)
      #expect(read.longitude.sign == fix.coordinate.longitude.sign)
    }
  }

  /// A watch of phones without sockets.
  private struct Stand {
    let folder: ScratchFolder
    var sessions: [String: LiveSession] = [:]
    var recording: SharedRecording
    var entries: [LogEntry] = []

    init() throws {
      folder = try ScratchFolder()
      recording = try SharedRecording(
        path: folder.file("trip.jsonl"),
        header: RecordingHeader([], inlets: ["http://127.0.0.1:8090"]))
    }

    mutating func hear(_ fixes: [Fix], of device: String) throws {
      let bytes = fixes.flatMap { RecordingHeader.line($0) }
      recording.append(bytes[...], of: device) { Issue.record("\($0.description)") }
      var session =
        try sessions[device]
        ?? LiveSession(
          rules: Rules.watched(), kinds: PhoneRecordingTests.kinds, device: device,
          source: "http")
      session.receive(bytes[...], at: .now)
      entries += session.takeEntries()
      sessions[device] = session
    }

    mutating func forget(_ device: String) {
      recording.forget(device) { Issue.record("\($0.description)") }
      sessions[device] = nil
    }

    func log() -> [UInt8] {
      var bytes: [UInt8] = []
      for entry in entries { JSONLinesWriter.append(entry, to: &bytes) }
      return bytes
    }

    func replayed(threads: Int) throws -> (log: [UInt8], totals: SessionTotals) {
      let path = folder.path + "/log"
      let rules = try Rules.watched()
      var replay = Replay(
        feeds: [try TraceFeed(path: folder.file("trip.jsonl"))], rules: rules, device: nil,
        kinds: kinds,
        output: EventLogFile(
          file: try OutputFile(path: path), format: .jsonl, fences: rules.fences), threads: threads)
      let totals = try replay.run()
      return (try WholeFile.read(path), totals)
    }
  }

  @Test(
    "devices that appear, come late, repeat themselves and are forgotten replay to the live log",
    arguments: 1...6)
  func replay(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var stand = try Stand()
    var (sent, seconds, forgotten) = (0, [Double](repeating: 0, count: 5), 0)
    while sent < 1_500 {
      let phone = Int.random(in: 0..<5, using: &generator)
      var batch: [Fix] = []
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        seconds[phone] += Double.random(in: 1...90, using: &generator).rounded()
        let east = sin(seconds[phone] / 900 + Double(phone)) * 0.004
        var fix = Fix(
          time: Timestamp(nanoseconds: 1_770_000_000_000_000_000).advanced(
            bySeconds: seconds[phone] + Double(phone) * 1e5),
          coordinate: Coordinate(latitude: 0, longitude: east))
        fix.horizontalAccuracy = 8
        batch.append(fix)
      }
      if Bool.random(using: &generator) { batch.swapAt(0, batch.count - 1) }
      if Int.random(in: 0..<5, using: &generator) == 0 { batch += batch }
      sent += batch.count
      try stand.hear(batch, of: "phone \(phone)")
      if Int.random(in: 0..<12, using: &generator) == 0 {
        let gone = Int.random(in: 0..<5, using: &generator)
        if stand.sessions["phone \(gone)"] != nil { forgotten += 1 }
        stand.forget("phone \(gone)")
      }
    }
    let log = stand.log()
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
    #expect(forgotten > 3 && lines.count { $0.hasPrefix(#"{"type":"enter""#) } > 10)
    #expect(lines.count { $0.hasPrefix(#"{"type":"state""#) } > 5)
    for threads in [1, 3] {
      let (found, totals) = try stand.replayed(threads: threads)
      let replayed = String(decoding: found, as: UTF8.self).split(separator: "\n")
      let difference = zip(lines, replayed).first { $0 != $1 }
      #expect(difference == nil, "\(difference?.0 ?? "") live, \(difference?.1 ?? "") replayed")
      #expect(replayed.count == lines.count)
      #expect(totals.gate.received == sent)
    }
  }
}
