import Testing

@Suite("A reader that closes", .timeLimit(.minutes(90)))
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
    let outcome = try CommandRunner().shell(
      """
      mkfifo gate
      { cat gate; $waymark \(command) 2>errors; echo $? >code; } | { exec <&-; : >gate; }
      cat errors code
      """)
    #expect(outcome.output == "0\n")
  }

  @Test("gets whole lines first")
  func head() throws {
    let outcome = try CommandRunner().shell(
      "{ $waymark replay traces/commute/track.gpx --include fix --format jsonl; echo $? >code; } "
        + "| head -1; cat code")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("{\"type\":\"fix\",") == true)
    #expect(lines.last == "0")
    #expect(outcome.errors == "")
  }
}

@Suite("A silent pipe", .timeLimit(.minutes(90)))
struct SilentPipeTests {
  @Test("gets its events before more input is awaited")
  func told() throws {
    // The first line is read while the writer still holds its end open, and only then is it closed.
    let outcome = try CommandRunner().shell(
      """
      mkfifo in out
      echo '{fences: [{id: here, center: [0, 0.001], radius: 50, decision: naive}]}' >naive.yaml
      $waymark replay - --config naive.yaml --include enter --format csv <in >out 2>errors &
      exec 3>in 4<out
      printf 'time,latitude,longitude\n' >&3
      printf '2025-01-01T00:00:0%s,0,0.00%s\n' 0Z 0001 2Z 1 >&3
      timeout 300 head -n 2 <&4 | cut -d, -f1,3,4
      exec 3>&-
      cat <&4
      wait
      """)
    #expect(outcome.output == "type,device,fence\nenter,stdin,here\n")
  }
}
