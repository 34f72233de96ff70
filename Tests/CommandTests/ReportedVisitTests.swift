import TestSupport
import Testing

@Suite("Visits that a recording reports", .timeLimit(.minutes(90)))
struct ReportedVisitTests {
  /// Two hours at home and two at work, with a fix a minute; Google's stays are five minutes late.
  private func timeline() -> String {
    func clock(_ minute: Int) -> String {
      let (hour, rest) = (8 + minute / 60, minute % 60)
      return "2026-05-04T\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest):00Z"
    }
    func stay(_ from: Int, _ to: Int, _ place: String) -> String {
      #"{"startTime":"\#(clock(from))","endTime":"\#(clock(to))","visit":{"topCandidate":"#
        + #"{"placeLocation":{"latLng":"\#(place)"}}}}"#
    }
    let signals = (0...300).map { minute in
      let place = minute < 120 ? 0.0 : minute < 150 ? Double(minute - 120) : 30
      return #"{"position":{"LatLng":"\#(52.5 + place / 300)°, 13.4°","accuracyMeters":10,"#
        + #""timestamp":"\#(clock(minute))"}}"#
    }
    let segments = [stay(5, 125, "52.5°, 13.4°"), stay(155, 295, "52.6°, 13.4°")]
    return #"{"semanticSegments":[\#(segments.joined(separator: ","))],"rawSignals":["#
      + signals.joined(separator: ",") + "]}"
  }

  @Test("are written as lines of NDJSON, and compared with ours")
  func compared() throws {
    let runner = try CommandRunner()
    try runner.write("Timeline.json", timeline())
    let written = try runner.waymark(["convert", "Timeline.json", "-o", "google.jsonl"])
    #expect(written.code == 0)
    #expect(written.errors.contains("2 reported visits written"))
    let ours = try runner.waymark([
      "replay", "Timeline.json", "--format", "jsonl", "--output", "ours.jsonl",
    ])
    #expect(ours.code == 0 && ours.errors.contains("2 reported visits not played"))
    let compared = try runner.waymark(["compare", "--log", "google.jsonl", "ours.jsonl"])
    let moved = compared.output.split(separator: "\n").filter { $0.hasPrefix("~ visit") }
    #expect(moved.count == 2 && moved.allSatisfy { $0.contains("(-5 min") }, "\(compared)")
    #expect(compared.errors.isEmpty)
  }

  @Test("have no place in other formats, which is said")
  func otherFormats() throws {
    let runner = try CommandRunner()
    try runner.write("Timeline.json", timeline())
    let written = try runner.waymark(["convert", "Timeline.json", "-o", "track.gpx"])
    #expect(written.code == 0 && written.errors.contains("2 reported visits not written"))
  }
}
