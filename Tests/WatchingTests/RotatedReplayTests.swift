import EventLog
import Foundation
import Glibc
import Receivers
@testable import Session
@testable import System
import TestSupport
import Testing
import Traces
import Tracking
@testable import Watching

/// What the files of a rotated recording replay to.
@Suite("Rotated recordings")
struct RotatedReplayTests {
  private static func report(_ second: Double) -> String {
    GPSDSession.report(second, longitude: (second - 120) * 1e-4) + "\n"
  }

  /// A drive through the fence, recorded in files of some reports.
  private func drive(seconds: Range<Int>, rotation: RecordingRotation) throws -> RecordedWatch {
    let watch = try RecordedWatch(["van"], rotation: rotation)
    watch.hear(RecordedWatch.version, of: 0, at: 0)
    for second in seconds { watch.hear(Self.report(Double(second)), of: 0, at: Double(second)) }
    return watch
  }

  @Test(
    "of several sources replay to the live log, byte for byte, named in any order", arguments: 1...4
  )
  func sources(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let watch = try RecordedWatch(["a", "b", "c"], rotation: .size(9_000))
    watch.hearDrives(seed: seed)
    let expected = watch.end()
    let files = try watch.files
    #expect(files.count > 10, "seed \(seed)")
    expectEqual(try watch.replayed(), expected, "seed \(seed)")
    expectEqual(
      try watch.replayed(threads: 3, files: files.shuffled(using: &generator)), expected,
      "seed \(seed), in any order")
    #expect(watch.totals.files == files.count)
    expectEqual(
      try watch.replayed(files: [watch.folder.path]), expected, "seed \(seed), as a folder")
  }

  @Test("with more files than are held open replay to the live log")
  func manyFiles() throws {
    let watch = try drive(seconds: 0..<300, rotation: .size(1))
    let expected = watch.end()
    #expect(try watch.files.count > 250)
    expectEqual(try watch.replayed(), expected, "300 files")
  }

  @Test("with reports of the day before, which came late, replay to the live log")
  func lateBatch() throws {
    let watch = try RecordedWatch(["van", "boat"], rotation: .size(2_000))
    for second in 0..<60 { watch.hear(Self.report(Double(second) + 86_400), of: 0, at: 0) }
    for second in 0..<200 { watch.hear(Self.report(Double(second)), of: 1, at: 0) }
    for second in 60..<200 { watch.hear(Self.report(Double(second) + 86_400), of: 0, at: 0) }
    expectEqual(try watch.replayed(), watch.end(), "late reports")
  }

  @Test("of a receiver that says 2006 at each start replay to the live log")
  func oldDates() throws {
    let watch = try RecordedWatch(["van"], rotation: .day)
    for start in [0, 86_400.0, 172_800] {
      watch.hear(RecordedWatch.version, of: 0, at: start)
      for second in 0..<3 {
        watch.hear(Self.report(Double(second) - 619_315_200), of: 0, at: start)
      }
      for second in 3..<250 { watch.hear(Self.report(start + Double(second)), of: 0, at: start) }
    }
    #expect(try watch.files.count > 2)
    expectEqual(try watch.replayed(), watch.end(), "2006")
  }

  @Test("that were rotated between the two reports of an instant replay to the live log")
  func instant() throws {
    let watch = try RecordedWatch(["van"], rotation: .size(1))
    for second in 0..<200 {
      let longitude = Double(second - 120) * 1e-4
      // A partial report is held until its instant is complete.
      for isWhole in second == 0 ? [true] : [false, true] {
        let report = GPSDSession.report(Double(second), longitude: longitude, isWhole: isWhole)
        watch.hear(report + "\n", of: 0, at: Double(second))
      }
    }
    expectEqual(try watch.replayed(), watch.end(), "instants")
  }

  @Test("compressed, or put together, replay to the live log")
  func otherForms() throws {
    let watch = try drive(seconds: 0..<200, rotation: .size(3_000))
    let expected = watch.end()
    let files = try watch.files
    let bytes = try files.map { try WholeFile.read($0) }
    try watch.folder.write("all.jsonl", String(decoding: bytes.joined(), as: UTF8.self))
    expectEqual(try watch.replayed(files: [watch.folder.file("all.jsonl")]), expected, "together")
    for (file, bytes) in zip(files, bytes) {
      try Data(Self.gzip(bytes)).write(to: URL(fileURLWithPath: file + ".gz"))
      try FileManager.default.removeItem(atPath: file)
    }
    expectEqual(try watch.replayed(), expected, "compressed")
  }

  /// gzip of bytes that are not compressed (RFC 1952, with one stored block of RFC 1951).
  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let size = UInt16(bytes.count)
    var sum = CRC32()
    bytes.withUnsafeBytes { sum.add($0) }
    func little(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + little(size) + little(~size) + bytes
      + little(sum.value) + little(UInt32(bytes.count))
  }

  @Test("of which one ends in a line that is cut, or in one that is too long, lose that line alone")
  func cutLines() throws {
    let watch = try drive(seconds: 0..<100, rotation: .size(3_000))
    let files = try watch.files
    let fixes = try watch.replayed([.fix])
    for rest in ["{\"class\":\"TP", String(repeating: "x", count: 70_000)] {
      let whole = try WholeFile.read(files[1])
      try watch.folder.write(
        Folder.name(of: files[1]), String(decoding: whole, as: UTF8.self) + rest)
      var messages: [String] = []
      expectEqual(try watch.replayed([.fix], warn: { messages.append($0) }), fixes, "\(rest.count)")
      let line = whole.count { $0 == UInt8(ascii: "\n") } + 1
      #expect(messages.count == 1 && messages.allSatisfy { $0.hasPrefix("\(files[1]):\(line):") })
      try watch.folder.write(Folder.name(of: files[1]), String(decoding: whole, as: UTF8.self))
    }
  }

  @Test("of which one is missing are reported, and each side is read")
  func missing() throws {
    let watch = try drive(seconds: 0..<200, rotation: .size(3_000))
    var files = try watch.files
    let before = try TraceFeed.open(files) { Issue.record("\($0)") }
    #expect(before.count == 1 && before[0].fileCount == files.count)
    let (gone, next) = (files.remove(at: 3), files[3])
    var remarks: [String] = []
    let feeds = try TraceFeed.open(files) { remarks.append($0) }
    #expect(feeds.map(\.fileCount) == [3, files.count - 3])
    #expect(
      remarks == [
        "\(next): part 4 of its recording is missing before it, so it is read as a recording of its own"
      ])
    let left = try files.reduce(0) { try $0 + Self.reports(in: $1) }
    #expect(try Self.reports(in: gone) > 0)
    let played = try watch.replayed([.fix], files: files)
    #expect(played.count == left)
    files.removeSubrange(4...5)
    remarks = []
    _ = try TraceFeed.open(files) { remarks.append($0) }
    #expect(remarks.last?.contains(": parts 6 to 7 of its recording are missing before it") == true)
  }

  private static func reports(in file: String) throws -> Int {
    try String(decoding: WholeFile.read(file), as: UTF8.self).split(separator: "\n")
      .count { $0.contains("TPV") }
  }

  @Test("beside a copy of one give each fix once")
  func copy() throws {
    let watch = try drive(seconds: 0..<200, rotation: .size(3_000))
    let expected = watch.end()
    let files = try watch.files
    try watch.folder.write("copy.jsonl", String(decoding: WholeFile.read(files[2]), as: UTF8.self))
    let feeds = try TraceFeed.open(files + [watch.folder.file("copy.jsonl")]) { _ in }
    #expect(feeds.map(\.fileCount) == [files.count, 1])
    let fixes = expected.count { $0.hasPrefix(#"{"type":"fix""#) }
    let played = try watch.replayed([.fix], files: files + [watch.folder.file("copy.jsonl")])
    #expect(played.count == fixes)
  }

  @Test("are read one by one where they are described")
  func apart() throws {
    let watch = try drive(seconds: 0..<100, rotation: .size(3_000))
    let files = try watch.files
    let feeds = try TraceFeed.open(files, joinsParts: false) { Issue.record("\($0)") }
    #expect(feeds.map(\.path) == files && feeds.allSatisfy { $0.fileCount == 1 })
  }

  @Test("say in which file and line a problem is, and where a fix was that was not used")
  func places() throws {
    let watch = try drive(seconds: 0..<30, rotation: .size(3_000))
    watch.hear("garbage\n", of: 0, at: 30)
    watch.hear(GPSDSession.report(31, longitude: 900) + "\n", of: 0, at: 31)
    for second in 32..<60 { watch.hear(Self.report(Double(second)), of: 0, at: Double(second)) }
    var place: String?
    var wrong: String?
    for file in try watch.files {
      let lines = String(decoding: try WholeFile.read(file), as: UTF8.self).split(separator: "\n")
      if let line = lines.firstIndex(of: "garbage") { place = "\(file):\(line + 1):1: " }
      if let line = lines.firstIndex(where: { $0.contains(#""lon":900"#) }) {
        wrong = "\(file):\(line + 1)"
      }
    }
    var messages: [String] = []
    _ = try watch.replayed(warn: { messages.append($0) })
    let found = try #require(place)
    #expect(messages.count == 1 && messages.allSatisfy { $0.hasPrefix(found) })
    let unused = try #require(wrong)
    #expect(watch.totals.firstDefects.values.map(\.description) == [unused])
  }

  @Test("of a program that was started again replay to both logs, one after the other")
  func restart() throws {
    for rotation in [RecordingRotation.size(3_000), .day] {
      let watch = try drive(seconds: 0..<150, rotation: rotation)
      // The next program begins on the next day, so its first report begins a file.
      let header = RecordingHeader(watch.sources)
      // The first program's lock goes with it.
      watch.recording = try SharedRecording(path: watch.folder.file("none"), header: header)
      watch.recording = try SharedRecording(
        path: watch.folder.file("trip.jsonl"), header: header, rotation: rotation)
      watch.sessions[0].receive(RecordingHeader(watch.sources).lines()[...], at: watch.start)
      for second in 86_400..<86_600 { watch.hear(Self.report(Double(second)), of: 0, at: 0) }
      expectEqual(try watch.replayed(), watch.end(), "\(rotation)")
      #expect(try TraceFeed.open(watch.files) { Issue.record("\($0)") }.count == 1)
    }
  }

  @Test(
    "of a program that was started again without its state replay to both logs, one after the other",
    arguments: [["van"], ["van", "boat"]])
  func restartWithoutState(names: [String]) throws {
    for rotation in [RecordingRotation.never, .size(3_000)] {
      let watch = try RecordedWatch(names, rotation: rotation)
      for start in [0, 300] {
        if start > 0 { try watch.restart(rotation: rotation) }
        for second in start..<start + 150 {
          for source in names.indices {
            watch.hear(Self.report(Double(second)), of: source, at: Double(second))
          }
        }
      }
      let expected = watch.end()
      let states = expected.count { $0.hasPrefix(#"{"type":"state""#) }
      #expect(states > names.count)
      for threads in [1, 3] {
        expectEqual(try watch.replayed(threads: threads), expected, "\(rotation), \(threads)")
      }
      let events = watch.entries.filter { $0.kind != .fix && $0.kind != .status }
      expectEqual(
        try watch.replayed(RecordedWatch.kinds.subtracting([.fix, .status])), loggedLines(events),
        "\(rotation), events alone")
      #expect(try TraceFeed.open(watch.files) { Issue.record("\($0)") }.count == 1)
    }
  }

  @Test(
    "that were full when a program started again without its state replay to both logs",
    arguments: [["van"], ["van", "boat"]])
  func restartWhereFull(names: [String]) throws {
    let watch = try RecordedWatch(names)
    for start in [0, 300] {
      // The first lines of the second program do not fit into the file of the first.
      if start > 0 {
        try watch.restart(rotation: .size(WholeFile.read(watch.folder.file("trip.jsonl")).count))
      }
      for second in start..<start + 150 {
        for source in names.indices {
          watch.hear(Self.report(Double(second)), of: source, at: Double(second))
        }
      }
    }
    let expected = watch.end()
    let files = try watch.files
    #expect(files.count > 1)
    let first = String(decoding: try WholeFile.read(files[0]), as: UTF8.self)
    #expect(first.split(separator: "\n").count { $0.contains("restarted") } == 1)
    for threads in [1, 3] {
      expectEqual(try watch.replayed(threads: threads), expected, "\(names), \(threads)")
    }
    #expect(try TraceFeed.open(files) { Issue.record("\($0)") }.count == 1)
  }

  @Test("of one source whose device gets other names replay to all logs, one after the other")
  func renamedDevice() throws {
    let watch = try RecordedWatch(["van"])
    for (number, name) in ["van", "boat", "boat", "van"].enumerated() {
      if number > 0 { try watch.restart(rotation: .never, names: [name]) }
      for second in number * 300..<number * 300 + 150 {
        watch.hear(Self.report(Double(second)), of: 0, at: Double(second))
      }
    }
    let expected = watch.end()
    for threads in [1, 3] {
      expectEqual(try watch.replayed(threads: threads), expected, "\(threads)")
    }
  }

  @Test("go on where a program was killed between the renames of a rotation")
  func killed() throws {
    let watch = try drive(seconds: 0..<30, rotation: .size(3_000))
    let path = watch.folder.file("trip.jsonl")
    let part = try #require(RecordingPart(top: WholeFile.read(path)))
    let top = RecordingHeader(watch.sources).lines(in: part.next)
    // Before the renames: the next file has its first line alone.
    try watch.folder.write("trip.jsonl.new", String(decoding: top, as: UTF8.self))
    let header = RecordingHeader(watch.sources)
    var released: RecordingWriter?
    // The lock is the watch's.
    watch.recording = try SharedRecording(path: watch.folder.file("other"), header: header)
    released = try RecordingWriter(path: path, header: header)
    #expect(released?.lines == 0 && access(path + ".new", F_OK) != 0)
    released = nil
    // Between them.
    try watch.folder.write("trip.jsonl.new", String(decoding: top, as: UTF8.self))
    #expect(rename(path, watch.folder.file("trip-old.jsonl")) == 0)
    released = try RecordingWriter(path: path, header: header)
    released?.append(Array(Self.report(30).utf8)[...])
    #expect(released?.lines == 1 && access(path + ".new", F_OK) != 0)
    #expect(try RecordingPart(top: WholeFile.read(path)) == part.next)
    let feeds = try TraceFeed.open([path, watch.folder.file("trip-old.jsonl")]) {
      Issue.record("\($0)")
    }
    #expect(feeds.map(\.fileCount) == [2])
  }

  @Test("leave a new file alone that another program writes")
  func killedElsewhere() throws {
    let watch = try drive(seconds: 0..<3, rotation: .never)
    let header = RecordingHeader(watch.sources)
    let other = try FileLock(watch.folder.file("new.jsonl.new"))
    #expect(throws: RecordingError.inUse(path: watch.folder.file("new.jsonl.new"))) {
      try RecordingWriter(path: watch.folder.file("new.jsonl"), header: header)
    }
    withExtendedLifetime(other) {}
    // What is not ours stays.
    try watch.folder.write("mine.jsonl.new", "mine\n")
    _ = try RecordingWriter(path: watch.folder.file("mine.jsonl"), header: header)
    #expect(try WholeFile.read(watch.folder.file("mine.jsonl.new")) == Array("mine\n".utf8))
  }

  @Test("of earlier releases, without parts, are read as before")
  func withoutParts() throws {
    let watch = try drive(seconds: 0..<100, rotation: .size(3_000))
    for file in try watch.files {
      let text = String(decoding: try WholeFile.read(file), as: UTF8.self)
      let bare = text.replacing(/,"id":"[0-9a-f]{16}","part":[0-9]+(,"continued":true)?/, with: "")
      #expect(bare != text)
      try Data(bare.utf8).write(to: URL(fileURLWithPath: file))
    }
    let feeds = try TraceFeed.open(watch.files) { Issue.record("\($0)") }
    let count = try watch.files.count
    #expect(feeds.count == count)
  }

  @Test(
    "have no part where a header names none, or one that cannot be",
    arguments: [
      "", "{", #"{"class":"TPV"}"#, #"{"class":"WAYMARK","recording":1,"source":"x","device":"v"}"#,
      #"{"class":"WAYMARK","recording":1,"id":"a","part":0}"#,
      #"{"class":"WAYMARK","recording":1,"id":"a"}"#,
      #"{"class":"WAYMARK","recording":1,"id":"a","part":9223372036854775807}"#,
      #"{"class":"WAYMARK","recording":1,"id":"","part":1}"#,
      #"{"class":"WAYMARK","device":"a","id":"a","part":1}"#,
      #"{"class":"WAYMARK","recording":1,"id":"a","part":1"#,
    ])
  func faultyParts(line: String) {
    #expect(RecordingPart(top: Array((line + "\n").utf8)) == nil)
  }
}
