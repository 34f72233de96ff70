import EventLog
import Foundation
import Geodesy
import TestSupport
import Testing
import Tracking
@testable import System
@testable import Watching

@Suite("State store")
struct StateStoreTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/van.state" }

  init() throws { folder = try ScratchFolder() }

  private static func fix(_ second: Int64) -> Fix {
    Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_000_000_000 + second * 1_000_000_000),
      coordinate: Coordinate(latitude: 0, longitude: Double(second) * 1e-5))
  }

  private static func tracker(_ seconds: Range<Int64>) throws -> Tracker {
    var tracker = Tracker(rules: Rules(fences: try FenceSet([.center()])))
    var events: [Event] = []
    for second in seconds { tracker.ingest(fix(second), into: &events) }
    return tracker
  }

  private func keep(_ store: StateStore, _ tracker: Tracker) {
    let isWritten = store.checkpoint(
      devices: [Checkpoint.Device(name: "van", tracker: tracker)], outputLength: 12,
      outputInode: UInt64.max, columns: [1, 2])
    #expect(isWritten)
  }

  @Test("a failed checkpoint leaves the old one and its journal valid")
  func refused() throws {
    let tracker = try Self.tracker(0..<5)
    do {
      let store = try StateStore(path: path)
      keep(store, tracker)
      store.add(.fix(Self.fix(6), line: 6))
      store.commit()
      try FileManager.default.createDirectory(
        atPath: path + ".new", withIntermediateDirectories: false)
      let later = store.checkpoint(
        devices: [Checkpoint.Device(name: "van", tracker: try Self.tracker(0..<7))],
        outputLength: 99, columns: [])
      #expect(!later && store.failure == "is a directory" && store.inputCount == 1)
      store.add(.fix(Self.fix(7), line: 7))
      store.commit()
    }
    let kept = try #require(try StateStore(path: path).kept)
    #expect(kept.state.tracker == tracker)
    #expect(kept.inputs == [.fix(Self.fix(6), line: 6), .fix(Self.fix(7), line: 7)])
  }

  @Test("devices that appear are in the journal, also of a state without any device")
  func appearing() throws {
    let rules = Rules(fences: try FenceSet([.center()]))
    do {
      let store = try StateStore(path: path)
      #expect(
        store.checkpoint(
          devices: [], rules: rules, kinds: [.enter, .fix], outputLength: 3, columns: []))
      store.add(.appeared("jane/phone", number: 0))
      store.add(.fix(Self.fix(1), line: 1), of: 0)
      store.add(.appeared("ola", number: 1))
      store.add(.fix(Self.fix(2), line: 1), of: 1)
      store.commit()
      #expect(store.hasAll)
    }
    let kept = try #require(try StateStore(path: path).kept)
    #expect(kept.state.devices.isEmpty && kept.state.outputLength == 3)
    #expect(kept.state.journalRules == rules && kept.state.shownKinds == [.enter, .fix])
    #expect(
      kept.inputs == [
        .appeared("jane/phone", number: 0), .fix(Self.fix(1), line: 1),
        .appeared("ola", number: 1), .device(1), .fix(Self.fix(2), line: 1),
      ])
  }

  @Test("several devices share a journal, which names the device wherever it changes")
  func devices() throws {
    let (van, boat) = (try Self.tracker(0..<5), try Self.tracker(2..<9))
    let devices = [
      Checkpoint.Device(name: "van", tracker: van), Checkpoint.Device(name: "boat", tracker: boat),
    ]
    do {
      let store = try StateStore(path: path)
      #expect(store.checkpoint(devices: devices, outputLength: nil, columns: []))
      for (device, second) in [(0, 9), (1, 9), (1, 10), (0, 10)] {
        store.add(.fix(Self.fix(Int64(second)), line: second), of: device)
      }
      store.commit()
    }
    var inputs: [JournalRecord] = [
      .fix(Self.fix(9), line: 9), .device(1), .fix(Self.fix(9), line: 9),
      .fix(Self.fix(10), line: 10), .device(0), .fix(Self.fix(10), line: 10),
    ]
    do {
      let store = try StateStore(path: path)
      let kept = try #require(store.kept)
      #expect(kept.state.devices.map(\.name) == ["van", "boat"])
      #expect(kept.state.devices.map(\.tracker) == [van, boat])
      #expect(kept.inputs == inputs)
      // A journal that goes on knows whose its last input was.
      store.add(.fix(Self.fix(11), line: 11), of: 1)
      store.commit()
    }
    inputs += [.device(1), .fix(Self.fix(11), line: 11)]
    #expect(try StateStore(path: path).kept?.inputs == inputs)
  }

  @Test("a journal of other devices takes nothing more until the next checkpoint")
  func endedJournal() throws {
    let tracker = try Self.tracker(0..<5)
    let store = try StateStore(path: path)
    keep(store, tracker)
    store.endJournal()
    store.add(.fix(Self.fix(6), line: 6), of: 1)
    store.commit()
    #expect(store.failure != nil)
    keep(store, tracker)
    #expect(store.failure == nil)
    store.add(.fix(Self.fix(7), line: 7), of: 0)
    store.commit()
    let bytes = try WholeFile.readPrivate(path + ".journal")
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    let (records, _) = JournalRecord.read(bytes[(start + 1)...], generation: 2)
    #expect(records == [.fix(Self.fix(7), line: 7)])
  }

  @Test(
    "a write of the journal that fails, whole or in part, leaves no gap", arguments: [0, 5, 40])
  func journalFailure(_ part: Int) throws {
    var failures = 0
    let inputs = (1...9).map { JournalRecord.fix(Self.fix(Int64($0)), line: $0) }
    do {
      let store = try StateStore(path: path) { (bytes, journal) throws(WholeFile.Failure) in
        guard failures > 0 else { return try WholeFile.writeAll(bytes, to: journal) }
        failures -= 1
        try WholeFile.writeAll(bytes.prefix(part), to: journal)
        throw WholeFile.Failure(code: ENOSPC)
      }
      keep(store, try Self.tracker(0..<1))
      for (number, input) in inputs.enumerated() {
        // One fault is got over at once, three with the next inputs.
        failures = [2: 1, 4: 3][number] ?? failures
        store.add(input)
        store.commit()
        #expect((store.failure != nil) == (number == 4))
        if number == 4 { #expect(store.failure == "no space left on device") }
      }
    }
    #expect(try StateStore(path: path).kept?.inputs == inputs)
  }

  @Test("a folder that other users can change is rejected")
  func folderOfOthers() throws {
    let mode = 0o777
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    let error = #expect(throws: StateError.self) { try StateStore(path: path) }
    #expect(
      error?.description
        == "\(path): cannot save the state: other users may write to \(folder.path) (mode 777); run "
        + "'chmod go-w \(folder.path)'")
    #expect(!FileManager.default.fileExists(atPath: path + ".journal"))
  }

  @Test("there is no state at first")
  func first() throws {
    let store = try StateStore(path: path)
    #expect(store.kept == nil && store.notice == nil && store.failure == nil)
  }

  @Test("a checkpoint and the inputs after it are restored, and only those")
  func roundTrip() throws {
    let tracker = try Self.tracker(0..<20)
    do {
      let store = try StateStore(path: path)
      store.add(.fix(Self.fix(1), line: 1))
      store.commit()
      keep(store, tracker)
      #expect(store.inputCount == 0)
      store.add(.fix(Self.fix(20), line: 20))
      store.add(.written(3))
      store.commit()
      store.add(.fix(Self.fix(21), line: 21))
    }
    let kept = try #require(try StateStore(path: path).kept)
    #expect(kept.state.tracker == tracker)
    #expect(kept.state.device == "van")
    #expect(kept.state.outputLength == 12 && kept.state.columns == [1, 2])
    #expect(kept.state.outputInode == UInt64.max)
    #expect(kept.inputs == [.fix(Self.fix(20), line: 20), .written(3)])
  }

  @Test("state and journal are private to their owner")
  func permissions() throws {
    let store = try StateStore(path: path)
    keep(store, try Self.tracker(0..<2))
    for file in [path, path + ".journal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(file)")
    }
  }

  @Test("files with wider permissions become private, and a draft is not reused")
  func widerModes() throws {
    for name in ["", ".journal", ".new"] {
      let isMade = FileManager.default.createFile(
        atPath: path + name, contents: nil, attributes: [.posixPermissions: 0o666])
      #expect(isMade)
    }
    let store = try StateStore(path: path)
    keep(store, try Self.tracker(0..<2))
    for file in [path, path + ".journal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? Int) == 0o600, "\(file)")
    }
  }

  @Test(
    "a link in the place of the state or its journal is not followed", arguments: ["", ".journal"])
  func links(_ name: String) throws {
    let other = folder.path + "/other"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
    try FileManager.default.createSymbolicLink(atPath: path + name, withDestinationPath: other)
    let reason = "it is a symbolic link, which is not followed"
    #expect(throws: StateError.refused(path: path, reason: reason)) {
      _ = try StateStore(path: path)
    }
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
  }

  @Test("a link in the place of the draft is replaced, and its target is unchanged")
  func draftLink() throws {
    let other = folder.path + "/other"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
    try FileManager.default.createSymbolicLink(
      atPath: path + ".new", withDestinationPath: other)
    let store = try StateStore(path: path)
    keep(store, try Self.tracker(0..<2))
    #expect(store.failure == nil)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
  }

  @Test("a folder, a pipe or a device is rejected")
  func notRegular() throws {
    #expect(mkfifo(path + ".journal", 0o600) == 0)
    #expect(throws: StateError.refused(path: path, reason: "it is not a regular file")) {
      _ = try StateStore(path: path)
    }
  }

  @Test("two programs cannot share one state")
  func locked() throws {
    let first = try StateStore(path: path)
    #expect(throws: StateError.inUse(path: path)) { _ = try StateStore(path: path) }
    withExtendedLifetime(first) {}
  }

  // It is so when another thread starts a program at that moment.
  @Test("a state is unlocked once its program is gone, even if another process has the file open")
  func freed() throws {
    var first: StateStore? = try StateStore(path: path)
    #expect(first?.kept == nil)
    let copies = try Descriptors.copies(of: path + ".journal")
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    first = nil
    #expect(try StateStore(path: path).kept == nil)
  }

  @Test("a missing folder is reported")
  func noFolder() {
    let path = folder.path + "/none/van.state"
    #expect(throws: StateError.refused(path: path, reason: "no such file or directory")) {
      _ = try StateStore(path: path)
    }
  }

  @Test("a state with any changed byte is set aside and reported")
  func damage() throws {
    do { keep(try StateStore(path: path), try Self.tracker(0..<5)) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    // Behind the title, without which the file is none of ours, and the version, which may be later.
    for place in stride(from: 16, to: whole.count, by: 97) {
      var bytes = whole
      bytes[place] ^= 4
      try bytes.write(to: URL(fileURLWithPath: path))
      let store = try StateStore(path: path)
      #expect(store.kept == nil, "byte \(place)")
      #expect(store.notice?.contains("renamed to \(path).unusable") == true)
      #expect(FileManager.default.fileExists(atPath: path + ".unusable"))
      unlink(path + ".unusable")
    }
  }

  @Test("an unusable state does not replace an older one")
  func twoUnusable() throws {
    for name in [".unusable", ".unusable-2"] {
      try "waymark-state 0 0\n\(name)".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(try StateStore(path: path).notice?.contains("\(path)\(name), and") == true)
    }
    for name in [".unusable", ".unusable-2"] {
      #expect(try String(contentsOfFile: path + name, encoding: .utf8).hasSuffix(name))
    }
  }

  @Test(
    "a file that is no state, or no journal, is refused and not touched",
    arguments: ["", ".journal"])
  func foreign(_ name: String) throws {
    let text = "my diary\n"
    #expect(
      FileManager.default.createFile(
        atPath: path + name, contents: Data(text.utf8), attributes: [.posixPermissions: 0o644]))
    #expect(throws: StateError.foreign(path: path + name)) { try StateStore(path: path) }
    #expect(try String(contentsOfFile: path + name, encoding: .utf8) == text)
    let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
    #expect((attributes[.posixPermissions] as? Int) == 0o644)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test(
    "an empty file, or zeros of a power cut, are set aside and no obstacle",
    arguments: [(0, "it is empty"), (40, "it is damaged")])
  func zeros(count: Int, reason: String) throws {
    for name in ["", ".journal"] {
      try Data(repeating: 0, count: count).write(to: URL(fileURLWithPath: path + name))
    }
    let store = try StateStore(path: path)
    #expect(
      store.notice
        == "\(path): \(reason); it was renamed to \(path).unusable, and the engine starts over")
    keep(store, try Self.tracker(0..<2))
    #expect(store.failure == nil)
  }

  @Test("a state that ends in its first line is damaged")
  func cutTitle() throws {
    try "waymark-st".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try StateStore(path: path).notice?.contains(": it is damaged; it was renamed") == true)
  }

  @Test("a state of an earlier version is set aside and reported")
  func earlierVersion() throws {
    try "waymark-state 0 0000000000000000\n{}".write(
      toFile: path, atomically: false, encoding: .utf8)
    let notice = try #require(try StateStore(path: path).notice)
    #expect(notice.contains("it has version 0, this program reads version 1"))
  }

  @Test("a state of a later version is refused, and left as it is")
  func laterVersion() throws {
    let text = "waymark-state 99 0000000000000000\n{}"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(
      throws: StateError.newer(
        path: path, reason: "it has version 99, this program reads version 1")
    ) { _ = try StateStore(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test("a journal of another checkpoint is ignored")
  func staleJournal() throws {
    let tracker = try Self.tracker(0..<5)
    do {
      let store = try StateStore(path: path)
      keep(store, tracker)
      store.add(.fix(Self.fix(6), line: 6))
      store.commit()
    }
    let journal = try Data(contentsOf: URL(fileURLWithPath: path + ".journal"))
    do { keep(try StateStore(path: path), tracker) }
    // Killed between the new checkpoint and the new journal: the old journal is still there.
    try journal.write(to: URL(fileURLWithPath: path + ".journal"))
    let kept = try #require(try StateStore(path: path).kept)
    #expect(kept.inputs.isEmpty && kept.state.tracker == tracker)
  }

  @Test("a truncated journal gives the inputs before the cut")
  func cutJournal() throws {
    let records = (1...6).map { JournalRecord.fix(Self.fix(Int64($0)), line: $0) }
    do {
      let store = try StateStore(path: path)
      keep(store, try Self.tracker(0..<1))
      for record in records {
        store.add(record)
        store.commit()
      }
    }
    let url = URL(fileURLWithPath: path + ".journal")
    let whole = try Data(contentsOf: url)
    for length in 0...whole.count {
      try whole.prefix(length).write(to: url)
      let inputs = try #require(try StateStore(path: path).kept).inputs
      #expect(inputs == Array(records.prefix(inputs.count)))
      #expect(length < whole.count || inputs.count == 6)
    }
  }
}
