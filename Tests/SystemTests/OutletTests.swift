import Foundation
@testable import System
import TestSupport
import Testing

@Suite("Outlets", .timeLimit(.minutes(30)))
struct OutletTests {
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

  private static func outlet(_ sink: Sink, limit: Int = 100) -> Outlet {
    Outlet(name: "test", descriptor: 99, isFile: true, limit: limit) { sink.write($1) }
  }

  private static func line(_ text: String) -> ArraySlice<UInt8> { Array((text + "\n").utf8)[...] }

  @Test("what the system does not take at once is kept and goes out later, in order")
  func backlog() {
    let sink = Sink()
    let outlet = Self.outlet(sink)
    sink.answers = [3, -Int(EINTR), 2, -Int(EAGAIN)]
    outlet.offer(Self.line("one"))
    outlet.offer(Self.line("two"))
    outlet.flush()
    #expect(sink.text == "one\nt")
    #expect(outlet.settled == 1 && outlet.wantsToWrite && outlet.failure == nil)
    outlet.flush()
    #expect(sink.text == "one\ntwo\n")
    #expect(outlet.settled == 2 && !outlet.wantsToWrite && outlet.bytesWritten == 8)
  }

  @Test("lines beyond the limit are dropped whole and counted; those before go out")
  func overflow() {
    let sink = Sink()
    let outlet = Self.outlet(sink, limit: 10)
    sink.answers = [-Int(EAGAIN)]
    for text in ["1111", "2222", "3333", "4"] { outlet.offer(Self.line(text)) }
    outlet.flush()
    #expect(outlet.dropped == 2 && outlet.settled == 0)
    outlet.flush()
    #expect(sink.text == "1111\n2222\n")
    #expect(outlet.settled == 4)
    outlet.offer(Self.line("5"))
    outlet.flush()
    #expect(sink.text == "1111\n2222\n5\n" && outlet.dropped == 2 && outlet.settled == 5)
  }

  @Test("a line that can never fit is dropped and settled at once")
  func huge() {
    let outlet = Self.outlet(Sink(), limit: 3)
    outlet.offer(Self.line("12345"))
    #expect(outlet.dropped == 1 && outlet.settled == 1 && !outlet.wantsToWrite)
  }

  @Test("a full disk loses nothing that fits: it is written when there is room again")
  func fullDisk() {
    let sink = Sink()
    let outlet = Self.outlet(sink)
    sink.answers = [2, -Int(ENOSPC)]
    outlet.offer(Self.line("event"))
    outlet.flush()
    #expect(outlet.failure == .refused("no space left on device") && outlet.wantsToWrite)
    outlet.flush()
    #expect(sink.text == "event\n" && outlet.failure == nil)
  }

  @Test("a reader that went away is told")
  func readerGone() {
    let sink = Sink()
    let outlet = Self.outlet(sink)
    sink.answers = [-Int(EPIPE)]
    outlet.offer(Self.line("event"))
    outlet.flush()
    #expect(outlet.failure == .readerGone)
  }

  @Test("a long backlog is tidied up without losing its place")
  func tidy() {
    let sink = Sink()
    let outlet = Self.outlet(sink, limit: 64)
    var expected = ""
    for number in 0..<200 {
      outlet.offer(Self.line("line \(number)"))
      expected += "line \(number)\n"
      sink.answers = [number % 3 == 0 ? 13 : 9, -Int(EAGAIN)]
      outlet.flush()
    }
    sink.answers = []
    outlet.flush()
    #expect(sink.text == expected && outlet.settled == 200 && outlet.dropped == 0)
  }

  @Test("lines that wait can be taken elsewhere, each as a whole")
  func takeWaiting() {
    let sink = Sink()
    let outlet = Self.outlet(sink)
    sink.answers = [5, -Int(ENOSPC)]
    for text in ["one", "two", "three"] { outlet.offer(Self.line(text)) }
    outlet.flush()
    #expect(
      outlet.takeWaiting().map { String(decoding: $0, as: UTF8.self) } == ["two\n", "three\n"])
    #expect(!outlet.wantsToWrite && outlet.unsettled == 0)
  }

  @Test("a named pipe that nobody reads makes nobody wait, and drops what is too much")
  func namedPipe() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/events"
    #expect(mkfifo(path, 0o600) == 0)
    let outlet = try Outlet(appendingTo: path)
    #expect(!outlet.isFile)
    let line = Self.line(String(repeating: "x", count: 9_999))
    for _ in 0..<500 {
      outlet.offer(line)
      outlet.flush()
    }
    // The pipe holds some 64 KiB, the outlet 4 MiB: of 5 MB, most lines wait.
    #expect(outlet.bytesWritten > 0 && outlet.failure == nil)
    #expect(outlet.dropped > 0 && outlet.unsettled > 400)
    #expect(outlet.bytesWritten / 10_000 + outlet.unsettled + outlet.dropped == 500)
  }
}
