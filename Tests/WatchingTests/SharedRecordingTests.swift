import EventLog
import GPSD
import Geodesy
@testable import Playing
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Tracking
@testable import Watching

/// Several sources in one watch: what their recording replays to.
@Suite("Shared recordings")
struct SharedRecordingTests {
  @Test(
    "three drives whose lines come in any order replay to the live log, byte for byte",
    arguments: 1...8)
  func interleaved(seed: UInt64) throws {
    let stand = try RecordedWatch(["a", "b", "c"])
    stand.hearDrives(seed: seed)
    let expected = stand.end()
    expectEqual(try stand.replayed(), expected, "seed \(seed)")
    expectEqual(try stand.replayed(threads: 3), expected, "seed \(seed), three threads")
    #expect(expected.count { $0.hasPrefix(#"{"type":"enter""#) } >= 3, "seed \(seed)")
    let events = RecordedWatch.kinds.subtracting([.fix, .status])
    expectEqual(
      try stand.replayed(events), loggedLines(stand.entries.filter { events.contains($0.kind) }),
      "seed \(seed), events alone")
  }

  @Test("what falls due while a source hangs has its place among the reports of the others")
  func hanging() throws {
    let stand = try RecordedWatch(["boat", "van"])
    // The van's clock is an hour behind.
    func report(_ second: Int, of source: Int, longitude: Double = 1e-5) {
      let time = Double(second) - (source == 1 ? 3_600 : 0)
      stand.hear(
        GPSDSession.report(time, longitude: longitude, speed: 0) + "\n", of: source,
        at: Double(second))
    }
    stand.hear(RecordedWatch.version, of: 0, at: 0)
    stand.hear(RecordedWatch.version, of: 1, at: 0)
    for second in 0..<300 {
      report(second, of: 0)
      report(second, of: 1, longitude: 0.01)
    }
    // The boat's gpsd hangs, inside the fence.
    for second in 300..<700 {
      report(second, of: 1, longitude: 0.01 + Double(second) * 1e-5)
      stand.wait(until: Double(second))
    }
    for second in 700..<720 { report(second, of: 0, longitude: 0.02) }
    let expected = stand.end()
    let dwell = try #require(expected.firstIndex { $0.hasPrefix(#"{"type":"dwell""#) })
    #expect(expected[dwell].contains(#""device":"boat""#))
    #expect(expected[dwell + 1].contains(#""device":"van""#))
    #expect(expected[dwell - 1].contains("07:10:02"))
    expectEqual(try stand.replayed(), expected, "all kinds")
    let events = RecordedWatch.kinds.subtracting([.fix, .status])
    expectEqual(
      try stand.replayed(events), loggedLines(stand.entries.filter { events.contains($0.kind) }),
      "events alone")
  }

  @Test("a dwell at the end of a recording is in the log though no fix comes after it")
  func lastDeadline() throws {
    let stand = try RecordedWatch(["boat", "van"])
    for second in 0..<300 {
      for source in 0...1 {
        stand.hear(
          GPSDSession.report(Double(second), longitude: source == 0 ? 1e-5 : 0.01, speed: 0) + "\n",
          of: source, at: Double(second))
      }
    }
    stand.wait(until: 620)
    let expected = stand.end()
    #expect(expected.last?.hasPrefix(#"{"type":"dwell""#) == true)
    for kinds in [RecordedWatch.kinds, RecordedWatch.kinds.subtracting([.fix, .status])] {
      let log = try stand.replayed(kinds)
      expectEqual(
        log, loggedLines(stand.entries.filter { kinds.contains($0.kind) }), "\(kinds.count) kinds")
    }
  }

  @Test("a loss of one source is an event of its device, between the reports of the others")
  func losses() throws {
    let stand = try RecordedWatch(["boat", "van"])
    var changes = LinkChanges()
    for second in 0..<60 {
      if second != 30 {
        stand.hear(
          GPSDSession.report(Double(second), longitude: 1e-5) + "\n", of: 1, at: Double(second))
      } else {
        let time = stand.sessions[0].time(at: stand.start + .seconds(30))
        let found = changes.change(for: .lost(.closed, retry: .zero), at: time)
        let change = try #require(found)
        stand.hear(
          String(decoding: RecordingHeader.line(change), as: UTF8.self), of: 0, at: 30)
      }
      if second < 25 {
        stand.hear(
          GPSDSession.report(Double(second), longitude: 2e-5) + "\n", of: 0, at: Double(second))
      }
    }
    let expected = stand.end()
    let lost = try #require(expected.first { $0.contains(#""state":"lost""#) })
    #expect(lost.contains(#""device":"boat""#))
    expectEqual(try stand.replayed(), expected, "with the loss")
  }

  @Test("a new file of a rotation and a gap name the source again")
  func rotation() throws {
    let stand = try RecordedWatch(["a", "b"], rotation: .size(1_200))
    for second in 0..<20 {
      stand.hear(GPSDSession.report(Double(second), longitude: 0) + "\n", of: second / 10, at: 0)
    }
    let text = try String(decoding: WholeFile.read(stand.folder.file("trip.jsonl")), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines[0].contains(#""recording":1"#) && lines[0].contains(#""device":"a","#))
    #expect(lines[1].contains(#""recording":1"#) && lines[1].contains(#""device":"b","#))
    #expect(lines[2] == #"{"class":"WAYMARK","device":"b"}"#)
    #expect(lines[3].hasPrefix(#"{"class":"TPV""#))
  }

  @Test("the recording of one source has no line of ours but its header")
  func alone() throws {
    let stand = try RecordedWatch(["van"])
    for second in 0..<3 {
      stand.hear(GPSDSession.report(Double(second), longitude: 0) + "\n", of: 0, at: 0)
    }
    stand.wait(until: 1e6)
    let text = try String(decoding: WholeFile.read(stand.folder.file("trip.jsonl")), as: UTF8.self)
    #expect(
      text.split(separator: "\n").map { $0.prefix(17) } == [
        #"{"class":"WAYMARK"#, #"{"class":"TPV","d"#, #"{"class":"TPV","d"#, #"{"class":"TPV","d"#,
      ])
  }
}
