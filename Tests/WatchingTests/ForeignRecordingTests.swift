import Glibc
import Receivers
import System
import TestSupport
import Testing

@testable import Watching

@Suite("A recording to a file that has something else")
struct ForeignRecordingTests {
  private let folder: ScratchFolder
  private let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("trip.jsonl")
  }

  private func recording(_ rotation: RecordingRotation = .never) throws -> RecordingWriter {
    try RecordingWriter(
      path: path, header: RecordingHeader([WatchedSource(address: .local, device: "van")]),
      rotation: rotation)
  }

  @Test(
    "leaves it as it is",
    arguments: [
      "notes\n", "\n{\"class\":\"WAYMARK\"}\n", "n", "{\n}\n", "{\n  \"class\": \"TPV\"\n}\n",
      "{\n\"class\":\"TPV\"}\n", "{\n\n{\"class\":\"TPV\"}\n",
    ])
  func foreign(text: String) throws {
    try folder.write("trip.jsonl", text)
    #expect(chmod(path, 0o644) == 0)
    #expect(throws: RecordingError.foreign(path: path)) { try recording() }
    #expect(try WholeFile.mode(of: path) == 0o644)
    #expect(try folder.read("trip.jsonl") == text)
  }

  @Test(
    "goes on after lines of gpsd, and where a power cut has cut the first one",
    arguments: ["{\"class\":\"TPV\"}\n", "{\"cl", "{\"cl\n{\"class\":\"TPV\"}\n", "{\"cl\n{\"c"])
  func cutTop(text: String) throws {
    try folder.write("trip.jsonl", text)
    var recording = try recording()
    recording.append(Array("new\n".utf8)[...])
    let found = try folder.read("trip.jsonl")
    #expect(found.hasPrefix(text) && found.hasSuffix("}\nnew\n"))
  }

  @Test(
    "is not rotated over it, but over what a rotation left",
    arguments: [
      ("notes\n", false), ("", true), ("{\"cl", true),
      ("{\"class\":\"WAYMARK\",\"recording\":1}\n", true),
    ])
  func next(text: String, isReplaced: Bool) throws {
    var (recording, notices) = (try recording(.size(1)), [String]())
    let next = "\(path).new"
    try folder.write("trip.jsonl.new", text)
    for line in ["a\n", "b\n"] {
      recording.append(Array(line.utf8)[...]) { notices.append("\($0)") }
    }
    #expect(try folder.names().contains("trip.jsonl.new") == !isReplaced)
    #expect(try folder.names().count == 2)
    #expect(recording.lines == 2)
    if !isReplaced {
      #expect(
        notices == ["\(RecordingError.foreign(path: next)); recording continues in the old file"])
      #expect(try folder.read("trip.jsonl.new") == text)
    }
  }

  @Test(
    "is tried to rotate again after a minute of the reports' time",
    arguments: [RecordingRotation.day, .size(1)])
  func retry(rotation: RecordingRotation) throws {
    var (recording, notices) = (try recording(rotation), [String]())
    let next = "\(path).new"
    try folder.write("trip.jsonl.new", "notes\n")
    func append(_ time: String) {
      let line = #"{"class":"TPV","mode":3,"time":"\#(time)","lat":1,"lon":2}"# + "\n"
      recording.append(Array(line.utf8)[...]) { notices.append("\($0)") }
    }
    append("2026-11-22T23:59:59Z")
    // An attempt that is refused creates nothing in the folder, and removes nothing.
    let past = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, folder.path, [past, past], 0) == 0)
    append("2026-11-23T00:00:00Z")
    append("2026-11-22T23:00:00Z")
    var status = stat()
    let code = stat(folder.path, &status)
    #expect(code == 0 && status.st_mtim.tv_sec == past.tv_sec)
    #expect(
      notices == ["\(RecordingError.foreign(path: next)); recording continues in the old file"])
    #expect(unlink(next) == 0)
    append("2026-11-23T00:00:59Z")
    #expect(try folder.names() == ["trip.jsonl"])
    append("2026-11-23T00:01:00Z")
    #expect(try folder.names().sorted() == ["trip-20261123T000059Z.jsonl", "trip.jsonl"])
    #expect(notices.count == 2 && recording.lines == 5)
  }

  @Test("is tried to rotate again after a tenth of the size where the reports have no time")
  func untimedRetry() throws {
    var (recording, notices) = (try recording(.size(1_000)), [String]())
    let next = "\(path).new"
    try folder.write("trip.jsonl.new", "notes\n")
    func append(_ count: Int) {
      let line = String(repeating: "x", count: count - 1) + "\n"
      recording.append(Array(line.utf8)[...]) { notices.append("\($0)") }
    }
    append(950)
    append(50)
    #expect(
      notices == ["\(RecordingError.foreign(path: next)); recording continues in the old file"])
    #expect(unlink(next) == 0)
    append(49)
    append(1)
    #expect(try folder.names() == ["trip.jsonl"])
    append(10)
    #expect(try folder.names().count == 2)
    #expect(notices.count == 2 && recording.lines == 5)
  }

  @Test(
    "does not rotate over a recording of that name, nor remove it",
    arguments: [
      "{\"class\":\"VERSION\"}\n", "{\"cl\n{\"class\":\"TPV\"}\n", "\(top){\"class\":\"TPV\"}\n",
      "\(top)\n{\"class\":\"SKY\"", "\(top){\"class\":\"WAYMARK\",\"status\":\"lost\"}\n",
      "\(top){\"class\":\"WAYMARK\",\"fix\":[]}\n",
    ])
  func finished(text: String) throws {
    let next = "\(path).new"
    try folder.write("trip.jsonl", Self.top.replacing("\"part\":2", with: "\"part\":1"))
    try folder.write("trip.jsonl.new", text)
    var (recording, notices) = (try recording(.size(1)), [String]())
    for line in ["a\n", "b\n", "c\n"] {
      recording.append(Array(line.utf8)[...]) { notices.append("\($0)") }
    }
    #expect(
      notices == ["\(RecordingError.occupied(path: next)); recording continues in the old file"])
    #expect(try folder.read("trip.jsonl.new") == text)
    #expect(try folder.names().count == 2)
    #expect(recording.lines == 3)
    // Nor is it taken for the new file of a rotation that was killed.
    #expect(unlink(path) == 0)
    recording = try self.recording()
    #expect(try folder.read("trip.jsonl.new") == text)
    #expect(try folder.read("trip.jsonl").isEmpty)
  }

  /// The first line of the second file of a recording.
  private static let top = String(
    decoding: RecordingHeader([WatchedSource(address: .local, device: "van")])
      .lines(in: RecordingPart(firstOf: "ab").next), as: UTF8.self)

  @Test(
    "rotates over what a power cut left of a new file",
    arguments: [
      top, String(top.dropLast(5)), "\0\0\0", "\(top){\"class\":\"WAYMARK\",\"dev\0\0",
      "\(top){\"class\":\"WAYMARK\",\"device\":\"van\"}\n",
    ])
  func leftOver(text: String) throws {
    var (recording, notices) = (try recording(.size(1)), [String]())
    recording.append(Array("a\n".utf8)[...])
    try folder.write("trip.jsonl.new", text)
    recording.append(Array("b\n".utf8)[...]) { notices.append("\($0)") }
    #expect(notices.count == 1 && notices[0].hasSuffix(".jsonl is complete"))
    #expect(try folder.names().count == 2)
    #expect(try folder.read("trip.jsonl").hasSuffix("}\nb\n"))
  }
}
