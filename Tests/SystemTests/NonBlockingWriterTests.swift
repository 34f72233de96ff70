import Foundation
@testable import System
import TestSupport
import Testing

@Suite("Non-blocking writers", .timeLimit(.minutes(90)))
struct NonBlockingWriterTests {
  /// A writer that takes what the test allows, and keeps it.
  final class Sink {
    var answers: [Int] = []
    var taken: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
      let answer = answers.isEmpty ? bytes.count : answers.removeFirst()
      guard answer > 0 else { return answer }
      taken += bytes.prefix(answer)
      return min(answer, bytes.count)
    }

    var text: String { String(decoding: taken, as: UTF8.self) }
  }

  private static func writer(_ sink: Sink, limit: Int = 100) -> NonBlockingWriter {
    NonBlockingWriter(name: "test", descriptor: 99, isFile: true, limit: limit) { sink.write($1) }
  }

  private static func line(_ text: String) -> ArraySlice<UInt8> { Array((text + "\n").utf8)[...] }

  @Test("output that the system does not accept at once is buffered and written later, in order")
  func backlog() {
    let sink = Sink()
    let writer = Self.writer(sink)
    sink.answers = [3, -Int(EINTR), 2, -Int(EAGAIN)]
    writer.offer(Self.line("one"))
    writer.offer(Self.line("two"))
    writer.flush()
    #expect(sink.text == "one\nt")
    #expect(writer.settled == 1 && writer.wantsToWrite && writer.failure == nil)
    writer.flush()
    #expect(sink.text == "one\ntwo\n")
    #expect(writer.settled == 2 && !writer.wantsToWrite && writer.bytesWritten == 8)
  }

  @Test("lines beyond the limit are dropped whole and counted; those before go out")
  func overflow() {
    let sink = Sink()
    let writer = Self.writer(sink, limit: 10)
    sink.answers = [-Int(EAGAIN)]
    for text in ["1111", "2222", "3333", "4"] { writer.offer(Self.line(text)) }
    writer.flush()
    #expect(writer.dropped == 2 && writer.settled == 0)
    writer.flush()
    #expect(sink.text == "1111\n2222\n")
    #expect(writer.settled == 4)
    writer.offer(Self.line("5"))
    writer.flush()
    #expect(sink.text == "1111\n2222\n5\n" && writer.dropped == 2 && writer.settled == 5)
  }

  @Test("a line that can never fit is dropped and settled at once")
  func huge() {
    let writer = Self.writer(Sink(), limit: 3)
    writer.offer(Self.line("12345"))
    #expect(writer.dropped == 1 && writer.settled == 1 && !writer.wantsToWrite)
  }

  @Test("a full disk loses nothing that fits the buffer: it is written when there is room again")
  func fullDisk() {
    let sink = Sink()
    let writer = Self.writer(sink)
    sink.answers = [2, -Int(ENOSPC)]
    writer.offer(Self.line("event"))
    writer.flush()
    #expect(writer.failure == .refused("no space left on device") && writer.wantsToWrite)
    writer.flush()
    #expect(sink.text == "event\n" && writer.failure == nil)
  }

  @Test("a terminal that is gone is a closed reader, another device with an error is not")
  func terminalGone() throws {
    let terminal = try PseudoTerminal()
    let writer = NonBlockingWriter(
      name: "test", descriptor: terminal.terminal.fileDescriptor, limit: 100)
    writer.offer(Self.line("1"))
    writer.flush()
    #expect(writer.failure == nil)
    terminal.takeAway()
    writer.offer(Self.line("2"))
    writer.flush()
    #expect(writer.failure == .readerGone)
    let sink = Sink()
    sink.answers = [-Int(EIO)]
    let disk = Self.writer(sink)
    disk.offer(Self.line("3"))
    disk.flush()
    #expect(disk.failure == .refused("input/output error"))
  }

  @Test("a closed reader is reported")
  func readerGone() {
    let sink = Sink()
    let writer = Self.writer(sink)
    sink.answers = [-Int(EPIPE)]
    writer.offer(Self.line("event"))
    writer.flush()
    #expect(writer.failure == .readerGone)
  }

  @Test("a long backlog is compacted without losing its position")
  func tidy() {
    let sink = Sink()
    let writer = Self.writer(sink, limit: 64)
    var expected = ""
    for number in 0..<200 {
      writer.offer(Self.line("line \(number)"))
      expected += "line \(number)\n"
      sink.answers = [number % 3 == 0 ? 13 : 9, -Int(EAGAIN)]
      writer.flush()
    }
    sink.answers = []
    writer.flush()
    #expect(sink.text == expected && writer.settled == 200 && writer.dropped == 0)
  }

  @Test("waiting lines can be moved to another writer, each as a whole")
  func takeWaiting() {
    let sink = Sink()
    let writer = Self.writer(sink)
    sink.answers = [5, -Int(ENOSPC)]
    for text in ["one", "two", "three"] { writer.offer(Self.line(text)) }
    writer.flush()
    #expect(
      writer.takeWaiting().map { String(decoding: $0, as: UTF8.self) } == ["two\n", "three\n"])
    #expect(!writer.wantsToWrite && writer.unsettled == 0)
  }

  @Test("a named pipe without a reader does not block, and drops what exceeds the buffer")
  func namedPipe() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/events"
    #expect(mkfifo(path, 0o600) == 0)
    let writer = try NonBlockingWriter(appendingTo: path)
    #expect(!writer.isFile)
    let line = Self.line(String(repeating: "x", count: 9_999))
    for _ in 0..<500 {
      writer.offer(line)
      writer.flush()
    }
    // The pipe holds some 64 KiB, the outlet 4 MiB: of 5 MB, most lines wait.
    #expect(writer.bytesWritten > 0 && writer.failure == nil)
    #expect(writer.dropped > 0 && writer.unsettled > 400)
    #expect(writer.bytesWritten / 10_000 + writer.unsettled + writer.dropped == 500)
  }
}
