import Foundation
import Glibc
import TestSupport
import Testing

/// How the process of a command may be started.
@Suite("A process of waymark", .timeLimit(.minutes(90)))
struct ProcessTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.write("walk.csv", Walk.csv)
    try runner.write("here.yaml", Walk.config)
  }

  @Test("reports a file that reaches the limit of file sizes")
  func fileSize() throws {
    // Blocks of 512 bytes; the message is shorter.
    let outcome = try runner.shell(
      """
      trap - XFSZ; ulimit -f 1
      exec $waymark replay walk.csv --config here.yaml --include fix --format jsonl --output events
      """)
    #expect(outcome.errors == "waymark: events: cannot be written: file too large\n")
    #expect(outcome.code == 74)
  }

  @Test("writes no message into a file that was opened while standard error is closed")
  func closed() throws {
    let outcome = try runner.shell(
      """
      echo nonsense >>walk.csv
      $waymark replay - --device walk --config here.yaml --output events <walk.csv 2>&-
      """)
    #expect(outcome.code == 65)
    let events = try runner.read("events")
    #expect(events.hasPrefix(Walk.text) && !events.contains("waymark: "), "\(events)")
  }

  @Test("reports that its output is closed")
  func closedOutput() throws {
    let outcome = try runner.shell("$waymark replay walk.csv --config here.yaml >&-")
    #expect(outcome.errors.hasPrefix("waymark: standard output: "), "\(outcome.errors)")
    #expect(outcome.code == 74)
    let watch = "$waymark watch gpsd://127.0.0.1:1 --no-reconnect --config here.yaml"
    let closed = try runner.shell("\(watch) >&-")
    #expect(closed.errors == outcome.errors)
    #expect(closed.code == 74)
    // Nothing is written there.
    #expect(try runner.shell("\(watch) --output log >&-").code == 69)
  }

  @Test("a mapped file that is truncated while it is in use is named, and the exit code is 74")
  func truncatedMapping() throws {
    let runner = try CommandRunner()
    try runner.write("a.yaml", "fences: [{id: yard, center: [52.5, 13.4], radius: 100 m}]\n")
    try runner.write("b.yaml", "fences: [{include: set.wmf}]\n")
    let compiled = try runner.waymark(["compile", "a.yaml", "-o", "set.wmf"])
    #expect(compiled.code == 0)
    #expect(compiled.errors.hasPrefix("set.wmf: 1 fence, "), "\(compiled.errors)")
    let input = Pipe()
    let pipe = try runner.start(
      ["pipe", "--config", "b.yaml"], errors: "errors", input: input.fileHandleForReading)
    // Its message shows that the fences are open.
    try input.fileHandleForWriting.write(contentsOf: Data("no fix\n".utf8))
    try runner.wait(for: "-:1:1: ", in: "errors")
    #expect(truncate(runner.folder.appendingPathComponent("set.wmf").path, 0) == 0)
    let fix = #"{"type":"fix","device":"van","time":1741593600,"latitude":52.5,"longitude":13.4}"#
    try input.fileHandleForWriting.write(contentsOf: Data((fix + "\n").utf8))
    let outcome = try pipe.finish()
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(
      outcome.errors.hasSuffix(
        "\nwaymark: set.wmf was truncated while it was in use; write another file and rename it to "
          + "this name\n"), "\(outcome.errors)")
  }
}
