import EventLog
import Foundation
@testable import Playing
@testable import Session
@testable import System
import TestSupport
import Testing
import Traces
import Tracking

@Suite("A replay on several threads", .timeLimit(.minutes(90)))
struct ReplayThreadsTests {
  static let fences = [Fence.center(dwell: 600), .center("wide", radius: 250)]
  static let kinds: [Set<LogEntry.Kind>] = [
    Set(LogEntry.Kind.allCases), [.enter, .exit, .dwell, .state, .problem],
  ]

  /// A walk to and fro over the fence's edge, with silences longer than the dwell time, and one
  /// fix in fifteen at a wrong time or place.
  private func walk(_ random: inout SeededGenerator, longest: Int) -> [(Int, Double)] {
    var seconds = 30 * Int.random(in: 0...20, using: &random)
    return (0..<Int.random(in: 0...longest, using: &random)).map { _ in
      seconds += Int.random(in: 1...10, using: &random) == 1 ? 2_000 : 30
      let longitude = Double(Int.random(in: -30...30, using: &random)) * 1e-4
      return switch Int.random(in: 0..<60, using: &random) {
      case 0: (seconds + 40_000_000, longitude)
      case 1: (seconds - 90, longitude)
      case 2: (seconds - 30, longitude)
      case 3: (seconds, 500)
      default: (seconds, longitude)
      }
    }
  }

  /// Files as people have them: of one device or several, out of order, with damaged rows, empty,
  /// cut off.
  private func write(
    _ count: Int, longest: Int, on fixture: PlayingFixture, _ random: inout SeededGenerator
  ) throws -> [String] {
    try (0..<count).map { number in
      let name = "d\(number).csv"
      var text = table(
        walk(&random, longest: longest), device: number % 3 == 0 ? "n\(number)" : nil)
      switch Int.random(in: 0...7, using: &random) {
      case 0:
        // Several devices one behind the other, which other files name, too.
        text = table(walk(&random, longest: longest), device: "shared")
        for device in ["other", "n\(number)"] {
          let rows = table(walk(&random, longest: longest), device: device)
          text += rows.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined()
        }
      case 1:
        var lines = text.split(separator: "\n")
        for _ in 0..<lines.count / 5 {
          lines.insert("nonsense", at: Int.random(in: 1...lines.count, using: &random))
        }
        text = lines.map { $0 + "\n" }.joined()
      case 2: text = String(text.dropLast(text.count > 80 ? 7 : 0))
      default: break
      }
      try fixture.write(name, text)
      return name
    }
  }

  @Test("gives the same bytes, warnings and numbers as on one", arguments: 0..<12 as Range<UInt64>)
  func sameBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try PlayingFixture()
    let names = try write(
      Int.random(in: 1...12, using: &random), longest: 400, on: fixture, &random)
    for kinds in Self.kinds {
      let one = try fixture.play(names, fences: Self.fences, kinds: kinds)
      for threads in [2, 4, 7] {
        let many = try fixture.play(names, fences: Self.fences, kinds: kinds, threads: threads)
        #expect(one == many, "seed \(seed), \(threads) threads")
      }
    }
  }

  @Test(
    "gives the same when files are closed in between and read in small pieces",
    arguments: 0..<8 as Range<UInt64>)
  func resting(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try PlayingFixture()
    let names = try write(
      Int.random(in: 1...12, using: &random), longest: 400, on: fixture, &random)
    for kinds in Self.kinds {
      let open = try fixture.play(names, fences: Self.fences, kinds: kinds)
      for threads in [1, 3] {
        let resting = try fixture.play(
          names, fences: Self.fences, kinds: kinds, threads: threads, restingStep: 300)
        #expect(open == resting, "seed \(seed), \(threads) threads")
      }
    }
  }

  @Test("gives the same at any speed", arguments: 0..<8 as Range<UInt64>)
  func pace(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try PlayingFixture()
    let names = (0..<Int.random(in: 1...5, using: &random)).map { "d\($0).csv" }
    for name in names { try fixture.write(name, table(walk(&random, longest: 60))) }
    let now = ContinuousClock.now
    let slow = Pacer(speed: 1, now: { now }, sleep: { _ in })
    for kinds in Self.kinds {
      let fast = try fixture.play(names, fences: Self.fences, kinds: kinds, threads: 2)
      let paced = try fixture.play(
        names, fences: Self.fences, kinds: kinds, pace: slow, threads: 2)
      #expect(fast == paced, "seed \(seed)")
    }
  }

  @Test("one device of many files has the same events")
  func oneDevice() throws {
    let fixture = try PlayingFixture()
    var random = SeededGenerator(seed: 5)
    let names = try write(9, longest: 200, on: fixture, &random)
    let one = try fixture.play(names, fences: Self.fences, device: "van")
    #expect(try fixture.play(names, fences: Self.fences, device: "van", threads: 4) == one)
    #expect(one.lines.count > 100)
  }

  @Test("the first fix with each defect is the first of all", arguments: [1, 4])
  func firstDefects(threads: Int) throws {
    let fixture = try PlayingFixture()
    let names = (0..<20).map { "d\($0).csv" }
    for (number, name) in names.enumerated() {
      // The last of the files has the first fix that is on no Earth.
      let rows = (0..<40).map { ($0 * 60, $0 == 39 - number ? 500.0 : 1.0) }
      try fixture.write(name, table(rows))
    }
    let totals = try fixture.play(names, threads: threads).totals
    #expect(totals.gate[.invalid] == 20)
    #expect(totals.firstDefects[.invalid]?.path == "\(fixture.folder)/d19.csv")
    #expect(totals.firstDefects[.invalid]?.line == 22)
  }

  @Test(
    "a full disk is reported, whatever the round", arguments: [1, 2, 5], [40, 3_000])
  func fullDisk(threads: Int, length: Int) throws {
    let fixture = try PlayingFixture()
    let names = ["a.csv", "b.csv", "c.csv"]
    for name in names { try fixture.write(name, table((0..<length).map { ($0, 1) })) }
    let error = #expect(throws: SessionError.self) {
      try fixture.play(names, kinds: [.fix], threads: threads, log: "/dev/full")
    }
    #expect(error?.description == "/dev/full: cannot be written: no space left on device")
  }

  @Test("entries written by all threads are in order", arguments: [1, 2, 5])
  func manyEntries(threads: Int) throws {
    let fixture = try PlayingFixture()
    for name in ["a", "b", "c"] {
      try fixture.write("\(name).csv", table((0..<3_000).map { ($0, 1) }))
    }
    let log = try fixture.play(["a.csv", "b.csv", "c.csv"], kinds: [.fix], threads: threads)
    #expect(log.values("device") == (0..<9_000).map { ["a", "b", "c"][$0 % 3] })
    #expect(log.values("time") == log.values("time").sorted())
  }
}

@Suite("Many files", .timeLimit(.minutes(90)))
struct ManyFilesTests {
  /// How many files in a folder this process holds open.
  private func open(in folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      return path?.contains((folder as NSString).lastPathComponent) == true
    }
  }

  private func write(_ count: Int, on fixture: PlayingFixture) throws -> [String] {
    try (0..<count).map { try fixture.write("d\($0).csv", table([(0, 1), (60 + $0, 1)])) }
  }

  @Test("are not all open at once", arguments: [1, 3])
  func descriptors(threads: Int) throws {
    let fixture = try PlayingFixture()
    let few = try TraceFeed.open(try write(60, on: fixture), threads: threads) { _ in }
    #expect(try open(in: fixture.folder) == 60)
    withExtendedLifetime(few) {}
    let paths = try write(300, on: fixture)
    let many = try TraceFeed.open(paths, threads: threads) { _ in }
    let before = try open(in: fixture.folder)
    for feed in many {
      #expect(try feed.peek()?.fix.time != nil)
      feed.take()
      #expect(try feed.peek()?.line == 3)
      feed.take()
      #expect(try feed.peek() == nil)
    }
    #expect(try open(in: fixture.folder) <= before)
    #expect(before <= 60)
  }

  @Test("of several invalid files the first is reported", arguments: [1, 4])
  func firstError(threads: Int) throws {
    let fixture = try PlayingFixture()
    var paths = try write(200, on: fixture)
    try fixture.write("d150.csv", "")
    paths[90] = "\(fixture.folder)/nosuch.csv"
    #expect(throws: TraceError.notFound(path: paths[90])) {
      _ = try TraceFeed.open(paths, threads: threads) { _ in }
    }
  }

  @Test("one that was replaced while it was read is reported, and what came before is written")
  func replaced() throws {
    let fixture = try PlayingFixture()
    let rows = (0..<500).map { ($0 * 60, 1.0) }
    let path = try fixture.write("a.csv", table(rows))
    let feed = try TraceFeed(path: path, restingStep: 400)
    _ = try feed.peek()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    try fixture.write("a.csv", table(rows))
    var count = 0
    #expect(
      throws: TraceError.unreadable(
        path: path, reason: "it was replaced by another file while it was read")
    ) {
      while try feed.peek() != nil {
        feed.take()
        count += 1
      }
    }
    #expect(count > 0 && count < 500)
  }

  @Test("a file that cannot be read on ends a replay behind what came before", arguments: [1, 3])
  func unreadable(threads: Int) throws {
    let fixture = try PlayingFixture()
    let rows = (0..<2_000).map { ($0 * 60, 1.0) }
    let paths = try ["a", "b"].map { try fixture.write("\($0).csv", table(rows)) }
    let feeds = try paths.map { try TraceFeed(path: $0, restingStep: 400) }
    try FileManager.default.removeItem(atPath: paths[1])
    let log = "\(fixture.folder)/log"
    var replay = Replay(
      feeds: feeds, rules: Rules(fences: FenceSet()), device: nil, kinds: [.fix],
      output: EventLogFile(file: try OutputFile(path: log), format: .jsonl, fences: FenceSet()),
      threads: threads)
    var failure: SessionError?
    do throws(SessionError) { _ = try replay.run() } catch { failure = error }
    #expect(failure?.description.contains("b.csv") == true)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let devices = lines.map { $0.contains("\"device\":\"a\"") ? "a" : "b" }
    #expect(lines.count > 100 && lines.count < 4_000)
    #expect(devices == devices.indices.map { $0 % 2 == 0 ? "a" : "b" })
  }
}
