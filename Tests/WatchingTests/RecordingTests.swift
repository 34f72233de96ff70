import Foundation
@testable import GPSD
import Receivers
import Glibc
import Synchronization
@testable import System
import TestSupport
import Testing
@testable import Watching

@Suite("A recording", .timeLimit(.minutes(90)))
struct RecordingTests {
  private let folder: ScratchFolder
  private let path: String
  private let header = RecordingHeader([WatchedSource(address: .local, device: "van")])
  /// The first line of a new recording.
  private let top = Self.top(#","id":"\#(Self.id)","part":1"#)
  private static let id = "0123456789abcdef"

  /// The line of a header with more members.
  private static func top(_ members: String) -> String {
    #"{"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"\#(members)}"#
      + "\n"
  }

  /// The first line of a file that a rotation began.
  private func top(of part: Int) -> String {
    Self.top(#","id":"\#(Self.id)","part":\#(part),"continued":true"#)
  }

  init() throws {
    folder = try ScratchFolder()
    path = folder.path + "/trip.jsonl"
  }

  private func recording(
    _ rotation: RecordingRotation = .never, disk: Disk? = nil
  ) throws -> RecordingWriter {
    try RecordingWriter(
      path: path, header: header, rotation: rotation, disk: disk?.interface ?? .system,
      id: Self.id)
  }

  private func read(_ name: String = "trip.jsonl") throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  /// The lines of a file, which must end with a line feed.
  private func lines(_ name: String = "trip.jsonl") throws -> [String] {
    let parts = try read(name).utf8.split(separator: 10, omittingEmptySubsequences: false)
    #expect(parts.last?.isEmpty == true)
    return parts.dropLast().map { String(Substring($0)) }
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func report(_ time: String) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":3,"time":"\#(time)","lat":52.5,"lon":13.25}"# + "\r\n"
  }

  @Test("its summary counts in the singular too")
  func summary() throws {
    var recording = try recording()
    recording.append("\n")
    #expect(recording.summary == ["1 line, 1 byte in \(path)"])
    recording.append("a\n")
    #expect(recording.summary == ["2 lines, 3 bytes in \(path)"])
    #expect("\(RecordingNotice.resumed(path: "x", lost: 1))" == "x: writing again; 1 line was lost")
  }

  @Test("names the device wherever the bytes of its name change")
  func forms() throws {
    var recording = try SharedRecording(
      path: path, header: RecordingHeader([], inlets: ["http://127.0.0.1:8090"]))
    for name in ["caf\u{E9}", "cafe\u{301}", "cafe\u{301}", "caf\u{E9}"] {
      recording.append(Array(report("2026-02-02T02:40:10Z").utf8)[...], of: name) { _ in }
    }
    // The header, three names and four reports.
    #expect(try lines().count == 8)
  }

  @Test("is a header and gpsd's bytes, private to its owner")
  func bytes() throws {
    var recording = try recording()
    #expect(try read() == "")
    recording.append("a\r\nb\r\n")
    recording.append("\u{1}\n")
    #expect(try read() == top + "a\r\nb\r\n\u{1}\n")
    #expect((recording.lines, recording.bytes, recording.lost) == (3, 8, 0))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("is appended to, after a truncated line is ended")
  func appending() throws {
    for torn in ["", "{\"class\":\"TP"] {
      try folder.write("trip.jsonl", Self.top("") + torn)
      var recording = try recording()
      recording.append("new\n")
      // A file of an earlier release has no parts.
      let end = torn + (torn == "" ? "" : "\n") + Self.top("") + "new\n"
      #expect(try read() == Self.top("") + end)
    }
  }

  @Test("is appended to, also when the file has a time that no instant has")
  func farFuture() throws {
    try folder.write("trip.jsonl", Self.top(""))
    let time = timespec(tv_sec: 9_400_000_000, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    var recording = try recording()
    recording.append("new\n")
    #expect(try read() == Self.top("") + Self.top("") + "new\n")
  }

  @Test("names each source and its device, and writes every name as JSON")
  func headers() {
    let address = GPSDAddress(host: "boat", port: 1, device: "/dev/\"x")
    let sources = [
      WatchedSource(address: address, device: "bo\"at"),
      WatchedSource(address: .local, device: "van"),
    ]
    #expect(
      String(decoding: RecordingHeader(sources).lines(), as: UTF8.self)
        == #"{"class":"WAYMARK","recording":1,"source":"gpsd://boat:1/dev/\"x","device":"bo\"at"}"#
        + "\n"
        + #"{"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"}"#
        + "\n")
  }

  @Test("leaves the next file alone when another program has it")
  func lockedNext() throws {
    let next = "\(path).new"
    try folder.write("trip.jsonl.new", "another program's\n")
    let lock = try FileLock(next)
    #expect(throws: RecordingError.inUse(path: next)) {
      try RecordingFile(path: next, isEmptied: true, disk: .system)
    }
    #expect(try read("trip.jsonl.new") == "another program's\n")
    withExtendedLifetime(lock) {}
  }

  @Test("removes no next file that another program records to, at a start or a rotation")
  func heldNext() throws {
    let next = "\(path).new"
    #expect(try recording().lines == 0)
    let other = try RecordingWriter(path: next, header: header)
    for round in 0..<2 {
      var (recording, notices) = (try recording(.size(1)), [String]())
      for _ in 0..<2 {
        recording.append(report("2026-11-22T10:15:10.000Z")) { notices.append("\($0)") }
      }
      #expect(
        notices == ["\(RecordingError.inUse(path: next)); recording continues in the old file"])
      #expect(try files == ["trip.jsonl", "trip.jsonl.new"], "round \(round)")
      #expect(recording.lines == 2)
    }
    withExtendedLifetime(other) {}
  }

  @Test("is unlocked once its writer is gone, even if another process has the file open")
  func freed() throws {
    var first: RecordingWriter? = try recording()
    #expect(first?.lines == 0)
    let copies = try Descriptors.copies(of: path)
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    first = nil
    #expect(try recording().lines == 0)
  }

  @Test("is rejected where it cannot be written, or while another one is written")
  func refusals() throws {
    let first = try recording()
    #expect(throws: RecordingError.inUse(path: path)) { try recording() }
    #expect(first.lines == 0)
    let folder = self.folder.path
    let error = #expect(throws: RecordingError.self) {
      try RecordingWriter(path: folder, header: header)
    }
    #expect(error?.description == "\(folder): cannot record: is a directory")
    #expect(throws: RecordingError.cannotOpen(path: "\(folder)/no/x", SystemError(code: ENOENT))) {
      try RecordingWriter(path: "\(folder)/no/x", header: header)
    }
    #expect(throws: RecordingError.notAFile(path: "/dev/null")) {
      try RecordingWriter(path: "/dev/null", header: header)
    }
  }

  @Test("is rotated before a file exceeds its size, without loss")
  func size() throws {
    var (recording, notices) = (try recording(.size(360)), [String]())
    for second in 10..<16 {
      recording.append(report("2026-11-22T10:15:\(second).000Z")) { notices.append("\($0)") }
    }
    #expect(
      try files == [
        "trip-20261122T101511Z.jsonl", "trip-20261122T101513Z.jsonl", "trip.jsonl",
      ])
    #expect(notices == (try files.dropLast().map { "\(folder.path)/\($0) is complete" }))
    #expect(
      try read("trip-20261122T101511Z.jsonl")
        == top + report("2026-11-22T10:15:10.000Z") + report("2026-11-22T10:15:11.000Z"))
    let parts = try zip(1..., files)
    #expect(
      try parts.allSatisfy {
        try read($1).hasPrefix($0 == 1 ? top : top(of: $0)) && read($1).utf8.count <= 360
      })
    #expect(recording.lines == 6)
  }

  @Test("is rotated beside the file that a symbolic link points to", arguments: [false, true])
  func link(isAbsolute: Bool) throws {
    let disk = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    // Its file is made by the recording.
    let target = isAbsolute ? "\(disk)/real.jsonl" : "disk/real.jsonl"
    #expect(symlink(target, path) == 0)
    var recording = try recording(.size(1))
    for second in 10..<12 { recording.append(report("2026-11-22T10:15:\(second).000Z")) }
    #expect(try files == ["disk", "trip.jsonl"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk).sorted() == [
        "real-20261122T101510Z.jsonl", "real.jsonl",
      ])
    #expect(try read() == top(of: 2) + report("2026-11-22T10:15:11.000Z"))
  }

  @Test("does not split a batch that is larger than the size")
  func largeBatch() throws {
    var recording = try recording(.size(100))
    for _ in 0..<2 { recording.append(String(repeating: "line of more\n", count: 20)) }
    #expect(try files.count == 2)
    #expect(try read() == top(of: 2) + String(repeating: "line of more\n", count: 20))
  }

  @Test("never overwrites a file, and has a name without a report too")
  func names() throws {
    try folder.write("trip-20261122T101510Z.jsonl", "mine")
    for round in 0..<3 {
      var recording = try recording(.size(1))
      recording.append(report("2026-11-22T10:15:10.000Z"))
      #expect(recording.lines == 1, "round \(round)")
    }
    #expect(
      try files == [
        "trip-20261122T101510Z-2.jsonl", "trip-20261122T101510Z-3.jsonl",
        "trip-20261122T101510Z.jsonl", "trip.jsonl",
      ])
    #expect(try read("trip-20261122T101510Z.jsonl") == "mine")
    try folder.write("trip.jsonl", Self.top("") + String(repeating: "no report\n", count: 20))
    var times = [
      timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0),
    ]
    #expect(utimes(path, &times) == 0)
    var recording = try recording(.size(1))
    recording.append("more\n")
    #expect(try files.contains("trip-20010909T014640Z.jsonl"))
  }

  @Test(
    "has the time before the extension",
    arguments: [
      ("trip.jsonl", "trip-T.jsonl"), ("trip", "trip-T"), ("a.b/trip", "a.b/trip-T"),
      ("a/.trip", "a/.trip-T"), ("/a/b.c.d", "/a/b.c-T.d"),
    ])
  func nameForms(path: String, name: String) {
    #expect(RecordingRotator.name(of: path, time: "T") == name)
  }

  @Test("is rotated at the first report of another day, in the reports' time")
  func day() throws {
    var recording = try recording(.day)
    let (old, new) = (report("2026-11-22T23:59:59.900Z"), report("2026-11-23T00:00:00.000Z"))
    recording.append("a\r\n" + old + "b\r\n" + new + "c\r\n")
    #expect(try files == ["trip-20261122T235959Z.jsonl", "trip.jsonl"])
    #expect(try read("trip-20261122T235959Z.jsonl") == top + "a\r\n" + old + "b\r\n")
    #expect(try read() == top(of: 2) + new + "c\r\n")
    #expect(recording.lines == 5)
  }

  @Test("is not rotated by reports that are late, nor by those of today after them")
  func lateReports() throws {
    var recording = try recording(.day)
    for day in [22, 23, 22, 22, 23, 21, 21, 20, 23, 22, 23] {
      recording.append(report("2026-11-\(day)T12:00:00.000Z"))
    }
    #expect(try files == ["trip-20261122T120000Z.jsonl", "trip.jsonl"])
    recording.append(report("2026-11-24T12:00:00.000Z"))
    #expect(try files.count == 3)
    // A date that was wrong for long is left.
    for _ in 0..<2 { recording.append(report("2006-04-08T12:00:00.000Z")) }
    #expect(try files.count == 4)
  }

  @Test("continues with the day of an existing file")
  func dayOfFile() throws {
    try folder.write("trip.jsonl", Self.top("") + report("2026-11-22T12:00:00.000Z") + "torn")
    var recording = try recording(.day)
    recording.append(report("2026-11-23T08:00:00.000Z"))
    #expect(try read("trip-20261122T120000Z.jsonl").hasSuffix("torn"))
    // A file of an earlier release has no parts, so a recording begins here.
    #expect(try read().hasSuffix(#","part":1}"# + "\n" + report("2026-11-23T08:00:00.000Z")))
  }

  @Test("is not rotated by one wrong date, but by a repeated one")
  func wrongDates() throws {
    var recording = try recording(.day)
    for day in ["2026-11-22", "2006-04-08", "2026-11-22", "2099-01-01", "2026-11-22"] {
      recording.append(report("\(day)T12:00:00.000Z"))
    }
    #expect(try files == ["trip.jsonl"])
    for _ in 0..<3 { recording.append(report("2026-12-24T12:00:00.000Z")) }
    #expect(try files.count == 2)
  }

  @Test("continues in the old file when no new one can be created, and reports it once")
  func noNewFile() throws {
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: true)
    var (recording, notices) = (try recording(.size(1)), [String]())
    for _ in 0..<3 {
      recording.append(report("2026-11-22T10:15:10.000Z")) { notices.append("\($0)") }
    }
    #expect(
      notices == [
        "\(path).new: cannot record: is a directory; recording continues in the old file"
      ])
    #expect(try files == ["trip.jsonl", "trip.jsonl.new"])
    #expect(recording.lines == 3)
  }

  // MARK: Full disks

  @Test("continues when a full disk has room again, records the loss, and has no truncated line")
  func fullDisk() throws {
    let disk = Disk(room: 0)
    var (recording, notices) = (try recording(disk: disk), [String]())
    func append(_ text: String) { recording.append(text) { notices.append("\($0)") } }
    append("a\n")
    append("b\nc\n")
    #expect(try read() == "")
    let gap = #"{"class":"WAYMARK","lost":3}"# + "\n"
    disk.room = (top + gap).utf8.count + 5
    append("d\ne\n1234567\n")
    #expect(try read() == top + gap + "d\ne\n")
    disk.room = .max
    append("f\n")
    append("g\n")
    #expect(try read() == top + gap + "d\ne\n" + #"{"class":"WAYMARK","lost":1}"# + "\nf\ng\n")
    #expect(
      notices == [
        "\(path): no space left on device: lines are lost until writing succeeds",
        "\(path): writing again; 4 lines were lost",
      ])
    #expect((recording.lines, recording.lost) == (4, 4))
  }

  @Test("has only complete lines wherever the disk was full, and every line is written or counted")
  func fullAnywhere() throws {
    let batch = "first\r\nsecond\r\nthird\r\n"
    for room in 0...(top.utf8.count + batch.utf8.count + 1) {
      try? FileManager.default.removeItem(atPath: path)
      let disk = Disk(room: room)
      var recording = try recording(disk: disk)
      recording.append(batch)
      disk.room = .max
      recording.append("last\n")
      let lines = try lines()
      #expect(lines.last == "last", "room \(room)")
      let known = [String(top.dropLast()), "first\r", "second\r", "third\r", "last"]
      #expect(
        lines.allSatisfy { known.contains($0) || $0.hasPrefix(#"{"class":"WAYMARK","lost":"#) },
        "room \(room)")
      #expect(recording.lines + recording.lost == 4, "room \(room)")
      #expect(try read().contains("\"lost\":\(recording.lost)}") == (recording.lost > 0))
    }
  }

  @Test("ends a truncated line later when it cannot be removed")
  func torn() throws {
    let disk = Disk(room: top.utf8.count + 3)
    disk.isStiff = true
    var (recording, notices) = (try recording(disk: disk), [String]())
    recording.append("12345\n") { notices.append("\($0)") }
    #expect(try read() == top + "123")
    disk.room = 2
    recording.append("6\n") { notices.append("\($0)") }
    disk.room = .max
    recording.append("7\n") { notices.append("\($0)") }
    #expect(try read() == top + "123\n{\n" + #"{"class":"WAYMARK","lost":2}"# + "\n7\n")
    #expect(notices.last == "\(path): writing again; 2 lines were lost")
  }

  @Test("handles short writes and interruptions")
  func shortWrites() throws {
    let disk = Disk(room: .max)
    disk.most = 7
    disk.interrupts = true
    var recording = try recording(disk: disk)
    recording.append("a long line of a report\n")
    #expect(try read() == top + "a long line of a report\n")
    #expect(recording.lost == 0)
  }

  @Test("counts everything that it loses, whatever the disk does")
  func fuzz() throws {
    for seed in UInt64(1)...40 {
      try? FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      var random = SeededGenerator(seed: seed)
      let disk = Disk(room: 400)
      var recording = try recording(.size(500), disk: disk)
      var told = 0
      for _ in 0..<60 {
        let count = Int.random(in: 1...4, using: &random)
        recording.append((told..<told + count).map { "line \($0)\r\n" }.joined())
        told += count
        if Int.random(in: 0..<4, using: &random) == 0 {
          disk.room = Int.random(in: 0...600, using: &random)
        }
      }
      var found: [String] = []
      for name in try files { found += try lines(name) }
      let numbers = found.filter { $0.hasPrefix("line ") }
      #expect(numbers.count == recording.lines, "seed \(seed)")
      #expect(Set(numbers).count == numbers.count, "seed \(seed)")
      #expect(numbers.allSatisfy { $0.utf8.last == 13 }, "seed \(seed)")
      #expect(
        found.allSatisfy { $0.hasPrefix("line ") || $0.hasPrefix(#"{"class":"WAYMARK","#) },
        "seed \(seed)")
      #expect(recording.lines + recording.lost == told, "seed \(seed)")
    }
  }
}

@Suite("When a recording is rotated", .timeLimit(.minutes(90)))
struct RecordingRotationTests {
  @Test(
    "is a size or a day",
    arguments: [
      ("100MB", .size(100_000_000)), ("1GB", .size(1_000_000_000)), ("500 kB", .size(500_000)),
      ("64KiB", .size(65_536)), ("2MiB", .size(2 << 20)), ("1gib", .size(1 << 30)),
      ("1000B", .size(1_000)), ("day", .day), ("Day", .day),
    ] as [(String, RecordingRotation)])
  func forms(text: String, rotation: RecordingRotation) {
    #expect(RecordingRotation(parsing: text) == rotation)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "MB", "100", "0MB", "999B", "-1MB", "1.5GB", "100TB", "hour", "never",
      "9999999999999999999B", "9999999999999GB",
    ])
  func faults(text: String) {
    #expect(RecordingRotation(parsing: text) == nil)
  }
}

/// A disk that takes so many bytes, and then is full.
private final class Disk: Sendable {
  private struct State {
    var room: Int
    var most = Int.max
    var interrupts = false
    var isInterrupted = false
    var isStiff = false
  }

  private let state: Mutex<State>

  init(room: Int) { state = Mutex(State(room: room)) }

  var room: Int {
    get { state.withLock { $0.room } }
    set { state.withLock { $0.room = newValue } }
  }
  /// Most bytes of one write.
  var most: Int {
    get { state.withLock { $0.most } }
    set { state.withLock { $0.most = newValue } }
  }
  /// Whether each write is cut short once before it does anything.
  var interrupts: Bool {
    get { state.withLock { $0.interrupts } }
    set { state.withLock { $0.interrupts = newValue } }
  }

  /// Whether files cannot be shortened.
  var isStiff: Bool {
    get { state.withLock { $0.isStiff } }
    set { state.withLock { $0.isStiff = newValue } }
  }

  var interface: RecordingDisk {
    RecordingDisk(
      write: { self.write($0, $1) },
      truncate: { !self.isStiff && RecordingDisk.system.truncate($0, $1) })
  }

  private func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    state.withLock { state in
      if state.interrupts {
        state.isInterrupted.toggle()
        if state.isInterrupted { return -Int(EINTR) }
      }
      let count = min(bytes.count, state.room, state.most)
      guard count > 0 else { return -Int(ENOSPC) }
      if state.room < .max { state.room -= count }
      return RecordingDisk.system.write(
        descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
}

extension RecordingWriter {
  /// Adds text, without or with someone to tell.
  fileprivate mutating func append(
    _ text: String, report: (RecordingNotice) -> Void = { _ in }
  ) {
    append(Array(text.utf8)[...], report: report)
  }
}
