import Testing

/// How the process of a command may be started.
@Suite("A process of waymark", .timeLimit(.minutes(30)))
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
  }
}
