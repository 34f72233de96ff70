import EventLog
import Foundation
import Glibc
@testable import Playing
import Synchronization
import TestSupport
import Testing

@Suite("A replay of a pipe", .timeLimit(.minutes(90)))
struct ReplayPipeTests {
  @Test("writes all that is known before it waits, on any number of threads", arguments: [1, 2, 3])
  func waits(threads: Int) throws {
    let fixture = try PlayingFixture()
    // Longer than a round, so part of it was put in order before the pipe was silent.
    try fixture.write("a.csv", table((0..<20_000).map { ($0, 1) }))
    let (pipe, log) = ("\(fixture.folder)/pipe", "\(fixture.folder)/log")
    #expect(mkfifo(pipe, 0o600) == 0)
    let writer = open(pipe, O_RDWR)
    let first = Array(table([(12_000, 1)]).utf8)
    #expect(Glibc.write(writer, first, first.count) == first.count)
    let rest = Array(table([(30_000, 1)]).split(separator: "\n")[1].utf8) + [UInt8(ascii: "\n")]
    let flag = Flag()
    Thread {
      // The pipe goes on when the fixes before its next one are in the log.
      let isThere: ()? = try? blockUntil("12,000 fixes") {
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return text.map { $0.utf8.count { $0 == UInt8(ascii: "\n") } >= 12_000 } ?? false
      }
      flag.isSet.withLock { $0 = isThere != nil }
      _ = Glibc.write(writer, rest, rest.count)
      close(writer)
    }.start()
    let played = try fixture.play(
      ["a.csv", "pipe"], kinds: [LogEntry.Kind.fix], threads: threads, log: log)
    #expect(flag.isSet.withLock { $0 })
    #expect(played.lines.count == 20_002)
  }

  private final class Flag: Sendable {
    let isSet = Mutex(false)
  }
}
