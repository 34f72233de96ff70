import Foundation
import Glibc
import TestSupport
import Testing

/// kill -9 at random moments: what is written down in the end is what one undisturbed run writes.
@Suite("watch and kill -9", .timeLimit(.minutes(90)))
struct WatchKillTests {
  private static let last = 3_000

  private struct Stand {
    let runner: CommandRunner
    let gpsd: ScriptedGPSD

    init() throws {
      runner = try CommandRunner()
      gpsd = try ScriptedGPSD()
    }

    /// Writes events to a file, or into a pipe.
    func watch(into pipe: Pipe? = nil) throws -> CommandRunner.Running {
      try runner.start(
        [
          "watch", gpsd.address, "--fence", "gate=0,0,150", "--device", "van", "--format", "jsonl",
          "--state", "state", "--include", "fix", "--include", "enter", "--include", "exit",
          "--include", "state", "--include", "visit", "--include", "significant-change",
        ] + (pipe == nil ? ["--output", "events"] : []), output: pipe)
    }

    var log: String { (try? runner.read("events")) ?? "" }

    /// Says everything from a second on, and ends the watch in peace.
    func finish(_ watch: CommandRunner.Running, _ client: ScriptedGPSD.Client, from second: Int)
      throws
    {
      for second in second...WatchKillTests.last { client.say(GateDrive.report(second)) }
      try blockUntil("the last fix in the log") {
        GateDrive.lastFix(log) == WatchKillTests.last
      }
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
    }
  }

  @Test("200 kills at random moments lose and repeat nothing")
  func kills() throws {
    let undisturbed = try Stand()
    let watch = try undisturbed.watch()
    try undisturbed.finish(watch, try undisturbed.gpsd.client(), from: 0)
    let expected = undisturbed.log
    #expect(expected.components(separatedBy: #"{"type":"enter""#).count == 11)

    let seed: UInt64 = 0xC0FF_EE
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let stand = try Stand()
    for round in 0..<200 {
      let watch = try stand.watch()
      if round % 10 != 9 {
        let client = try stand.gpsd.client()
        // By now all that was taken before the kill is told.
        let next = (GateDrive.lastFix(stand.log) ?? -1) + 1
        let count = Int.random(in: 0...25, using: &generator)
        for second in next..<min(next + count, Self.last) { client.say(GateDrive.report(second)) }
      }
      for _ in 0..<Int.random(in: 0...3_000, using: &generator) { sched_yield() }
      watch.send(SIGKILL)
      #expect(try watch.finish().code == 128 + SIGKILL)
      try stand.gpsd.dismissAll()
    }
    let last = try stand.watch()
    let client = try stand.gpsd.client()
    try stand.finish(last, client, from: (GateDrive.lastFix(stand.log) ?? -1) + 1)
    let difference = zip(
      stand.log.split(separator: "\n"), expected.split(separator: "\n")
    ).first { $0 != $1 }
    #expect(difference == nil, "\(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(stand.log.count == expected.count)
  }

  @Test("kills while events go to a pipe lose nothing; repeated events have the same bytes")
  func pipe() throws {
    let undisturbed = try Stand()
    let watch = try undisturbed.watch()
    try undisturbed.finish(watch, try undisturbed.gpsd.client(), from: 0)

    let seed: UInt64 = 0xD1CE
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let stand = try Stand()
    var lines: [Substring] = []
    var isKnown: Set<Substring> = []
    var next = 0
    while next <= Self.last {
      let pipe = Pipe()
      let watch = try stand.watch(into: pipe)
      let client = try stand.gpsd.client()
      let end = min(next + Int.random(in: 50...400, using: &generator), Self.last + 1)
      for second in next..<end { client.say(GateDrive.report(second)) }
      let reader = PipeReader(pipe)
      // Some are killed while they read, the last is not.
      let wanted = end > Self.last ? Self.last : Int.random(in: next..<end, using: &generator)
      try reader.read { GateDrive.lastFix($0).map { $0 >= wanted } ?? false }
      watch.send(end > Self.last ? SIGTERM : SIGKILL)
      _ = try watch.finish()
      try reader.read { _ in false }
      // A line that the kill tore is said again, whole.
      for line in reader.lines where isKnown.insert(line).inserted { lines.append(line) }
      next = (GateDrive.lastFix(lines.suffix(100).joined(separator: "\n")) ?? -1) + 1
      try stand.gpsd.dismissAll()
    }
    let expected = undisturbed.log.split(separator: "\n")
    let difference = zip(lines, expected).first { $0 != $1 }
    #expect(difference == nil, "\(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(lines.count == expected.count)
  }

  /// What comes out of a pipe, read as far as a test wants it.
  private final class PipeReader {
    private let descriptor: Int32
    private let pipe: Pipe
    private var text = ""
    private var isAtEnd = false

    init(_ pipe: Pipe) {
      self.pipe = pipe
      descriptor = pipe.fileHandleForReading.fileDescriptor
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    /// The whole lines so far.
    var lines: [Substring] {
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return text[..<end].split(separator: "\n")
    }

    /// Reads until that is enough, or to the end.
    func read(until isEnough: (String) -> Bool) throws {
      try blockUntil("events in a pipe") {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
        if count == 0 { isAtEnd = true }
        return isAtEnd || isEnough(String(text.suffix(2_000)))
      }
    }
  }
}
