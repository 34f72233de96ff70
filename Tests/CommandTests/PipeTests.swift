import Testing

@Suite("A reader that goes away")
struct PipeTests {
  @Test(
    "is no error",
    arguments: [
      "replay traces/commute/track.gpx --include fix --format jsonl", "replay --help", "--version",
      "info traces/dwell/track.gpx", "check traces/dwell/waymark.yaml",
      "replay traces/dwell/track.gpx --config traces/dwell/waymark.yaml",
    ])
  func goneAtOnce(_ command: String) throws {
    // waymark begins when the reader has closed its end, so that the first write fails every time.
    let outcome = try Desk().shell(
      """
      mkfifo gate
      { cat gate; $waymark \(command) 2>errors; echo $? >code; } | { exec <&-; : >gate; }
      cat errors code
      """)
    #expect(outcome.output == "0\n")
  }

  @Test("gets whole lines first")
  func head() throws {
    let outcome = try Desk().shell(
      "{ $waymark replay traces/commute/track.gpx --include fix --format jsonl; echo $? >code; } "
        + "| head -1; cat code")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("{\"type\":\"fix\",") == true)
    #expect(lines.last == "0")
    #expect(outcome.errors == "")
  }
}
