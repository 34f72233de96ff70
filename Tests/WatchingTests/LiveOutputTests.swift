import EventLog
@testable import System
import Foundation
import Geodesy
import TestSupport
import Testing
import Tracking
@testable import Watching

@Suite("Live output", .timeLimit(.minutes(90)))
struct LiveOutputTests {
  private let folder: ScratchFolder
  private var path: String { folder.path + "/events" }

  init() throws { folder = try ScratchFolder() }

  private static func entries(_ count: Int) -> [LogEntry] {
    (0..<count).map { number in
      LogEntry(
        device: "van",
        .problem(
          LogEntry.Problem(
            message: "problem \(number)", decided: Timestamp(nanoseconds: Int64(number)))))
    }
  }

  private func output(_ format: EventFormat = .jsonl) throws -> LiveOutput {
    try LiveOutput(path: path, format: format, fences: FenceSet())
  }

  private var bytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  @Test("a log is appended to, and has one header", arguments: [EventFormat.csv, .jsonl, .text])
  func append(_ format: EventFormat) throws {
    let whole = try output(format)
    whole.write(Self.entries(4))
    whole.writer.flush()
    let expected = try bytes
    try FileManager.default.removeItem(atPath: path)
    for part in [0..<1, 1..<4] {
      let output = try output(format)
      output.write(Self.entries(4)[part])
      output.writer.flush()
    }
    #expect(try bytes == expected)
  }

  @Test(
    "resuming completes the log, whatever part of it was written",
    arguments: [EventFormat.csv, .jsonl, .text])
  func resume(_ format: EventFormat) throws {
    let (before, after) = (Self.entries(2), Array(Self.entries(5).dropFirst(2)))
    let first = try output(format)
    first.write(before)
    first.writer.flush()
    let (length, columns) = (try #require(first.length), first.columns)
    first.write(after)
    first.writer.flush()
    let whole = try bytes
    for cut in length...whole.count {
      try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
      let second = try output(format)
      // What is known to be out is not asked where the file shows it.
      #expect(second.resume(after, known: 0, from: length, columns: columns))
      second.writer.flush()
      #expect(try bytes == whole, "cut at \(cut) of \(whole.count)")
    }
  }

  @Test("what a resumed log had already counts as written", arguments: 0...3)
  func writtenBefore(_ count: Int) throws {
    let entries = Self.entries(3)
    let first = try output()
    first.write(entries.prefix(count))
    first.writer.flush()
    let second = try output()
    #expect(second.resume(entries, known: 0, from: 0, columns: []))
    #expect(second.written == count)
    second.writer.flush()
    #expect(second.written == 3)
    // Of one in the place of a log that was moved away only the number is known.
    try FileManager.default.removeItem(atPath: path)
    let third = try output()
    #expect(third.resume(entries, known: count, from: nil, columns: []))
    third.writer.flush()
    #expect(third.written == 3)
    #expect(try bytes.count { $0 == UInt8(ascii: "\n") } == 3 - count)
  }

  @Test("a log that another program wrote to continues after the entries known to be written")
  func foreign() throws {
    let entries = Self.entries(3)
    let first = try output()
    first.write(entries.prefix(1))
    first.writer.flush()
    let length = try #require(first.length)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    handle.seekToEndOfFile()
    handle.write(Data("a note in the middle".utf8))
    let second = try output()
    #expect(!second.resume(Array(entries.dropFirst()), known: 1, from: length, columns: []))
    second.writer.flush()
    let lines = String(decoding: try bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "a note in the middle" && lines[2].contains("problem 2"))
  }

  @Test("a note before an entry that is known to be written does not hide it")
  func noted() throws {
    let entries = Self.entries(3)
    let first = try output()
    first.write(entries.prefix(1))
    first.writer.flush()
    let length = try #require(first.length)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    handle.seekToEndOfFile()
    handle.write(Data("a note in the middle\n".utf8))
    first.write(entries[1..<2])
    first.writer.flush()
    let second = try output()
    #expect(second.resume(Array(entries.dropFirst()), known: 1, from: length, columns: []))
    second.writer.flush()
    let lines = String(decoding: try bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 && lines[2].contains("problem 1") && lines[3].contains("problem 2"))
  }

  @Test(
    "a log that was moved away is not written again into a new file; one that a power cut emptied is",
    arguments: [EventFormat.csv, .jsonl, .text])
  func moved(_ format: EventFormat) throws {
    let entries = Self.entries(3)
    let first = try output(format)
    first.writer.flush()
    let (length, inode) = (try #require(first.length), try #require(first.inode))
    let head = try bytes
    first.write(entries.prefix(2))
    first.writer.flush()
    #expect(first.written == 2 && first.inode == inode)
    let columns = first.columns
    func resumed() throws -> [Substring] {
      let second = try output(format)
      #expect(second.resume(entries, known: 2, from: length, of: inode, columns: columns))
      second.writer.flush()
      return String(decoding: try bytes.dropFirst(length), as: UTF8.self).split(separator: "\n")
    }
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    // Also when the new file has its header already.
    for start in [nil, head] {
      if let start { try start.write(to: URL(fileURLWithPath: path)) }
      let lines = try resumed()
      #expect(lines.count == 1 && lines[0].contains("problem 2"))
      try FileManager.default.removeItem(atPath: path)
    }
    try FileManager.default.moveItem(atPath: path + ".1", toPath: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: UInt64(length))
    #expect(try resumed().count == 3)
  }

  @Test("a rotated log starts over when it is reopened")
  func reopen() throws {
    let output = try output(.csv)
    output.write(Self.entries(1))
    output.writer.flush()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    try output.reopen()
    output.write(Self.entries(2).dropFirst())
    output.writer.flush()
    let lines = String(decoding: try bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("type,") && lines[1].contains("problem 1"))
  }

  @Test("a header is not an entry, and counting continues in a new file")
  func counting() throws {
    let output = try output(.csv)
    output.write(Self.entries(2))
    output.writer.flush()
    #expect(output.written == 2)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    try output.reopen()
    #expect(output.written == 2)
    output.write(Self.entries(1))
    output.writer.flush()
    #expect(output.written == 3)
    output.markCheckpoint()
    #expect(output.written == 0)
  }
}
