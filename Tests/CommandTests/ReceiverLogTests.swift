import Foundation
import Testing

@Suite("Logs of receivers", .timeLimit(.minutes(90)))
struct ReceiverLogTests {
  static let logs = [
    "boat.nmea", "gpspipe-r.nmea", "gpspipe-w.jsonl", "gpspipe-wr.log", "gpspipe-wtu.log",
    "gpxlogger.gpx", "gpxlogger-killed.gpx",
  ]
  /// The boat passes the buoy once: this is when and where it comes near and leaves.
  static let fence = "--fence buoy=54.2003,7.40048,15"

  private func runner() throws -> CommandRunner {
    let runner = try CommandRunner()
    for log in Self.logs {
      try FileManager.default.createSymbolicLink(
        at: runner.folder.appendingPathComponent(log),
        withDestinationURL: CommandRunner.package("Tests/TracesTests/Fixtures/\(log)"))
    }
    return runner
  }

  @Test("each kind of log of one boat plays, with the same passage", arguments: logs)
  func replay(log: String) throws {
    let line = "replay \(log) \(Self.fence) --include fix --format csv"
    let outcome = try runner().waymark(line.words)
    #expect(outcome.code == (log.contains("killed") ? 65 : 0))
    #expect(
      outcome.errors.contains(", 22 used, 2026-11-22 23:59:50.0Z to 2026-11-23 00:00:33.0Z\n"))
    #expect(outcome.errors.contains("3 late fixes put in order"))
    #expect(outcome.output.contains("2026-11-23T00:00:01.000Z,,54.2005500,7.4008800,"))
  }

  @Test("info shows the contents of each", arguments: logs)
  func info(log: String) throws {
    let outcome = try runner().waymark("info \(log)".words)
    #expect(outcome.code == (log.contains("killed") ? 65 : 0))
    #expect(outcome.output.contains("  span         43 s\n"))
    // gpxlogger begins a track after each silence of five seconds, and nothing joins them.
    let length = log.hasSuffix(".gpx") ? "168 m" : "328 m"
    #expect(outcome.output.contains("  length       \(length)\n"))
  }

  @Test("skipped records are counted, whatever the reason")
  func counts() throws {
    let outcome = try runner().waymark("replay gpspipe-wr.log".words)
    #expect(outcome.errors.contains("161 records of other kinds skipped\n"))
    #expect(outcome.errors.contains("3 reports of an instant already reported, skipped\n"))
    let info = try runner().waymark("info gpspipe-wr.log".words)
    #expect(info.output.contains("  other records 161\n"))
    #expect(info.output.contains("  repeated     3 reports of an instant already reported\n"))
  }

  @Test("a second receiver and a bad sentence are reported with their place, the rest plays")
  func faults() throws {
    let runner = try runner()
    let tpv = { (device: String, second: Int) in
      #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-22T12:00:0\#(second)Z","#
        + #""lat":54.2,"lon":7.4}"# + "\n"
    }
    try runner.write("two.jsonl", tpv("/dev/a", 1) + tpv("/dev/b", 1) + tpv("/dev/a", 2))
    let two = try runner.waymark("replay two.jsonl".words)
    #expect(two.code == 65)
    #expect(
      two.errors.contains(
        "waymark: two.jsonl:2:1: found reports of the receiver /dev/b beside those of /dev/a"))
    #expect(two.errors.contains("1 report of other receivers skipped\n"))
    #expect(
      try runner.waymark("info two.jsonl".words).output.contains("1 report of other receivers"))

    let boat = try runner.read("boat.nmea").replacing("GPRMC,235955", with: "GPRMC,235965")
    try runner.write("bad.nmea", boat)
    let bad = try runner.waymark("replay bad.nmea".words)
    #expect(bad.code == 65)
    #expect(bad.errors.contains("bad.nmea:30:68: found the checksum"))
    #expect(bad.errors.contains("expected \"") && bad.errors.contains(", 22 used,"))
  }
}
