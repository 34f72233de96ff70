import EventLog
import Foundation
@testable import Playing
import Session
@testable import System
import TestSupport
import Testing
import Tracking

@Suite("A pipe")
struct PipeProcessorTests {
  /// Enough for several rounds of several blocks.
  private func traffic(seed: UInt64, devices: Int = 7, fixes: Int = 900) -> Traffic {
    var random = SeededGenerator(seed: seed)
    return Traffic(devices: devices, fixes: fixes, using: &random)
  }

  @Test(
    "reports for each device what a replay of its fixes alone reports",
    arguments: [1, 2] as [UInt64])
  func alone(seed: UInt64) throws {
    let (fixture, lines) = (try PlayingFixture(), traffic(seed: seed).lines)
    let rules = try Traffic.rules()
    let all = try fixture.pipe(lines.map(\.text).joined(), rules: rules)
    #expect(all.totals.gate.received == lines.count)
    for device in Set(lines.map(\.device)) {
      let own = lines.filter { $0.device == device }.map(\.text).joined()
      let log = "\(fixture.folder)/log"
      var replay = Replay(
        feeds: [try fixture.feed("own.ndjson", own)], rules: rules, device: nil,
        kinds: Set(LogEntry.Kind.allCases),
        output: EventLogFile(
          file: try OutputFile(path: log), format: .jsonl, fences: rules.fences))
      _ = try replay.run()
      let alone = try String(contentsOfFile: log, encoding: .utf8)
      let here = all.lines.filter { $0.contains("\"device\":\"\(device)\"") }
      #expect(here == alone.split(separator: "\n").map(String.init), "\(device), seed \(seed)")
    }
    let kinds: [LogEntry.Kind] = [.enter, .exit, .dwell, .state, .visit, .significantChange]
    for kind in kinds { #expect(all.totals.events[kind] ?? 0 > 0, "no \(kind), seed \(seed)") }
  }

  @Test("gives the same bytes on any number of threads", arguments: PipeOptions.Order.allCases)
  func threads(order: PipeOptions.Order) throws {
    let fixture = try PlayingFixture()
    var lines = traffic(seed: 3).lines.map(\.text)
    // What is wrong with the input is told in order, too.
    for place in stride(from: 0, to: lines.count, by: 997) { lines.insert("{\"no\"}\n", at: place) }
    lines.swapAt(100, 4_000)
    lines.append(#"{"latitude":1,"longitude":2,"time":1}"#)
    let text = lines.joined()
    let rules = try Traffic.rules()
    let one = try fixture.pipe(text, rules: rules, order: order)
    for threads in [2, 3, 8] {
      let many = try fixture.pipe(text, rules: rules, order: order, threads: threads)
      #expect(many == one, "\(threads) threads")
    }
    #expect(one.totals.lines == lines.count)
    #expect(one.totals.problems >= 7 && !one.warnings.isEmpty)
  }

  @Test(
    "gives the same bytes however few entries are held before the first are written",
    arguments: [1, 3], [0, 1_000, 20_000])
  func held(threads: Int, mostHeldBytes: Int) throws {
    let fixture = try PlayingFixture()
    var lines = traffic(seed: 3).lines.map(\.text)
    for place in stride(from: 0, to: lines.count, by: 997) { lines.insert("{\"no\"}\n", at: place) }
    lines.swapAt(100, 4_000)
    let (text, rules) = (lines.joined(), try Traffic.rules())
    let many = try fixture.pipe(text, rules: rules)
    let few = try fixture.pipe(
      text, rules: rules, threads: threads, mostHeldBytes: mostHeldBytes)
    #expect(few == many)
    #expect(many.totals.problems >= 5)
  }

  @Test("devices with similar names are spread over all shards")
  func shards() {
    var counts = [Int](repeating: 0, count: 16)
    for number in 0..<1_600 {
      counts[PipeShard.number(of: "van-\(number)", of: counts.count)] += 1
    }
    #expect(counts.allSatisfy { (60...140).contains($0) }, "\(counts)")
    #expect(PipeShard.number(of: "van-1", of: 1) == 0)
  }

  @Test("writes the events of a line before those of the next")
  func lineByLine() throws {
    let fixture = try PlayingFixture()
    let lines = traffic(seed: 4, devices: 3, fixes: 60).lines.map(\.text)
    let rules = try Traffic.rules()
    let whole = try fixture.pipe(lines.joined(), rules: rules).log
    for count in stride(from: 0, through: lines.count, by: 13) {
      let part = try fixture.pipe(lines[..<count].joined(), rules: rules).log
      #expect(whole.hasPrefix(part), "\(count) lines")
    }
  }

  @Test("sorts lines by time, as if they had come in order")
  func sorted() throws {
    let fixture = try PlayingFixture()
    var random = SeededGenerator(seed: 5)
    let lines = traffic(seed: 5).lines.filter { $0.text.contains("\"time\"") }
    let ordered = lines.enumerated()
      .sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
      .map(\.element)
    let rules = try Traffic.rules()
    let asTheyCame = try fixture.pipe(ordered.map(\.text).joined(), rules: rules)
    let same = try fixture.pipe(ordered.map(\.text).joined(), rules: rules, order: .sort)
    #expect(same == asTheyCame)
    #expect(same.totals.problems == 0)
    // Lines of the same time keep their order, so that only those of other times are shuffled.
    let groups = Dictionary(grouping: ordered, by: \.seconds).values.shuffled(using: &random)
    let shuffled = try fixture.pipe(
      groups.flatMap { $0 }.map(\.text).joined(), rules: rules, order: .sort, threads: 2)
    #expect(shuffled == asTheyCame)
  }

  @Test("sorts no more fixes than it may hold", arguments: [1, 3])
  func sortLimit(threads: Int) throws {
    let (fixture, rules) = (try PlayingFixture(), try Traffic.rules())
    let lines = traffic(seed: 6, devices: 3, fixes: 60).lines.map(\.text)
    func sort(atMost most: Int) throws -> PlayingFixture.Piped {
      try fixture.pipe(
        lines.joined(), rules: rules, order: .sort, threads: threads,
        state: "at most \(most)", mostSorted: most)
    }
    let most = lines.count - 1
    let error = #expect(throws: SessionError.self) { try sort(atMost: most) }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.hasSuffix(
        "/in: --order sort holds all fixes in memory, and there are more than \(most); "
          + "sort the lines by time first and leave it out, or give some of the devices at a time"))
    #expect(try String(contentsOfFile: "\(fixture.folder)/out", encoding: .utf8).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "\(fixture.folder)/at most \(most)"))
    #expect(try sort(atMost: most + 1).totals.gate.received == lines.count)
  }

  @Test("skips and reports lines out of order, and uses the rest")
  func disorder() throws {
    let fixture = try PlayingFixture()
    let text = { (device: String, second: Int) in
      #"{"device":"\#(device)","time":\#(1_741_593_600 + second),"latitude":0,"longitude":1e-5}"#
        + "\n"
    }
    let lines = [text("a", 60), text("b", 0), text("a", 0), text("b", 0), text("a", 120)]
    let rules = Rules(fences: try FenceSet([.center()]))
    let checked = try fixture.pipe(lines.joined(), rules: rules)
    #expect(
      checked.warnings == [
        "in:3:1: \"a\" has a fix of 2025-03-10T08:00:00.000Z behind one of "
          + "2025-03-10T08:01:00.000Z, expected the order of time; use --order sort, or trust for "
          + "a few"
      ])
    #expect(checked.totals.problems == 1 && checked.totals.disordered == 1)
    #expect(checked.totals.gate.received == 4 && checked.totals.gate[.duplicate] == 1)
    let without = try fixture.pipe(
      (lines[..<2] + lines[3...]).joined(), rules: rules, kinds: [.state, .fix])
    let kept = checked.lines.filter { !$0.contains("problem") }
    #expect(kept.count == without.lines.count + 1)
    // Trusted, the same fix is late, and put in its place.
    let trusted = try fixture.pipe(lines.joined(), rules: rules, order: .trust)
    #expect(trusted.totals.problems == 0 && trusted.totals.gate.reordered == 1)
  }

  @Test("counts every line, and every fix once")
  func counts() throws {
    let fixture = try PlayingFixture()
    var lines = traffic(seed: 6, devices: 4, fixes: 200).lines.map(\.text)
    let fixes = lines.count
    lines += ["\n", #"{"type":"enter","device":"x"}"# + "\n", "{\n", "[]"]
    let piped = try fixture.pipe(lines.joined(), rules: try Traffic.rules())
    #expect(piped.totals.lines == lines.count)
    #expect(piped.totals.others == 1 && piped.totals.problems == 2)
    let gate = piped.totals.gate
    #expect(gate.received == fixes)
    #expect(gate.received == gate.accepted + gate.dropped + gate.waiting)
    #expect(gate[.timeless] > 0 && gate[.duplicate] > 0)
    #expect(piped.totals.devices == 4)
    let trailer = String(decoding: piped.totals.trailer, as: UTF8.self)
    #expect(trailer.hasPrefix(#"{"type":"trailer","lines":\#(lines.count),"fixes":\#(fixes),"#))
    #expect(trailer.contains(#""dropped":{"timeless":\#(gate[.timeless]),"#))
  }

  @Test("reports a hundred problems and counts the others")
  func manyProblems() throws {
    let fixture = try PlayingFixture()
    let text = String(repeating: "{\n", count: 250)
    let piped = try fixture.pipe(text, rules: Rules(), threads: 2)
    #expect(piped.warnings.count == 101)
    #expect(piped.warnings.first?.hasPrefix("in:1:") == true)
    #expect(piped.warnings.last == "in: 150 more problems like these")
    #expect(piped.lines.count == 100 && piped.totals.problems == 250)
  }

  @Test(
    "says once that its lines are no NDJSON, and what reads them",
    arguments: [
      (PipeTableTests.header + PipeTableTests.row, "CSV, expected NDJSON; --in csv reads it"),
      ("\u{FEFF}\nzeit;lat;lon\n1;2;3\n", "CSV, expected NDJSON; --in csv reads it"),
      (
        "<?xml version=\"1.0\"?>\n<gpx>\n",
        "XML, expected NDJSON; waymark replay reads GPX and the like"
      ),
      ("$GPRMC,,V,,\n$GPGGA,,\n", "NMEA 0183, expected NDJSON; waymark replay reads it"),
    ])
  func otherFormat(text: String, says: String) throws {
    let piped = try PlayingFixture().pipe(text, rules: Rules(), threads: 2)
    #expect(piped.warnings.first == "in: the input looks like \(says)")
    #expect(piped.warnings.count == 3 && piped.totals.problems == 2, "\(piped.warnings)")
  }

  @Test("names a compressed file, which may contain commas")
  func compressed() throws {
    let piped = try PlayingFixture().pipe("BZh91AY,a,b\n,c,d\n", rules: Rules())
    #expect(
      piped.warnings.first
        == "in: the input is a bzip2 file, expected NDJSON; unpack it, or write it as NDJSON")
  }

  @Test(
    "says nothing of the kind of a bad line",
    arguments: [
      "hello\n", "[1,2]\n", "{,\n", "\n", "started, pid 7\n",
      "\"device\":\"a\",\"latitude\":52.5}\n",
    ])
  func badFirstLine(text: String) throws {
    let fix = #"{"latitude":1,"longitude":2,"time":1741593600}"#
    let piped = try PlayingFixture().pipe(text + fix, rules: Rules())
    #expect(piped.warnings.count == piped.totals.problems && piped.totals.gate.received == 1)
  }

  @Test("reports an early end behind any number of other problems", arguments: [1, 2])
  func earlyEnd(threads: Int) throws {
    let text = String(repeating: "{\n", count: 250) + #"{"latitude":1"#
    let piped = try PlayingFixture().pipe(text, rules: Rules(), threads: threads)
    #expect(piped.warnings.count == 102 && piped.totals.problems == 251)
    #expect(piped.warnings.dropLast().last?.hasPrefix("in:251:14: the text ends") == true)
    #expect(piped.warnings.last == "in: 150 more problems like these")
  }
}
