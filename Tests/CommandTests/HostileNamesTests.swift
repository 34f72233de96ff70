import Foundation
import Testing

/// Names that steer a terminal when they are printed as they are.
@Suite("Names with control characters", .timeLimit(.minutes(90)))
struct HostileNamesTests {
  /// ESC, BEL, an end of line, CSI of C1, and marks that turn the direction of writing.
  private static let name = "a\u{1B}]0;pwn\u{7}\u{1B}[2J\r\nb\u{9B}31m\u{202E}c\u{2067}d\u{200F}e"
  /// The same as text in JSON, and in YAML.
  private static let quoted =
    #""a\u001b]0;pwn\u0007\u001b[2J\r\nb\u009b31m\u202ec\u2067d\u200fe""#
  private static let shown = "a?]0;pwn??[2J??b?31m?c?d?e"

  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    let config = """
      device: \(Self.quoted)
      fences:
        - {id: \(Self.quoted), center: [0, 0], radius: 5 m, decision: naive}
        - {id: b, center: [0, 0], radius: 5 m, decision: naive}
      visits: false
      significant-changes: false

      """
    try runner.write("here.yaml", config)
    try runner.write(
      "walk.jsonl",
      (0..<3).map {
        #"{"type":"fix","device":\#(Self.quoted),"time":"2025-03-10T08:0\#($0):00Z","#
          + #""latitude":0,"longitude":\#(Double($0) * 0.001)}"# + "\n"
      }.joined() + #"{"type":"fix","device":"x","time":\#(Self.quoted),"latitude":0}"# + "\n")
    try runner.write(
      "walk.gpx",
      "<gpx><trk><name>a&#x9B;31m&#x202E;c</name><trkseg>"
        + "<trkpt lat='0' lon='0'><time>2025-03-10T08:00:00Z</time></trkpt>"
        + "<trkpt lat='0' lon='&#x9B;31m\u{202E}'/></trkseg></trk></gpx>")
    try runner.write(
      "columns.csv",
      "time,latitude,longitude,device,x\u{9B}31m\n0,1,2,\"\(Self.name)\",3\n0,\u{1B}[2J,3,4,5\n")
    try runner.write("fences.csv", "id,latitude,longitude,radius\n\(Self.name),1,2,3\n")
    try runner.write(
      "fences.geojson", #"{"type":"Feature","geometry":{"type":\#(Self.quoted)},"properties":null}"#
    )
    try runner.write(
      "table.json",
      #"[{"latitude":1,"longitude":2,"name":\#(Self.quoted),"locality":\#(Self.quoted)}]"#)
    try runner.write("geocode.yaml", "geocoder: {provider: stub, table: table.json}\n")
  }

  /// Whether a text holds nothing but what is to be seen, and ends of lines.
  private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A: true
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
  }

  @Test(
    "are shown with '?' in the text and the messages of every command",
    arguments: [
      ("replay walk.jsonl --config here.yaml", 65), ("replay walk.gpx --config here.yaml", 65),
      ("replay walk.gpx --config here.yaml --include fix", 65),
      ("replay walk.jsonl --config here.yaml --format jsonl", 65),
      ("replay columns.csv --config here.yaml", 65), ("info walk.jsonl walk.gpx columns.csv", 65),
      ("check here.yaml", 0), ("check geocode.yaml", 0), ("compile fences.csv -o out.wmf", 65),
      ("compile fences.geojson -o out.wmf", 65), ("geocode 1,2 --config geocode.yaml", 0),
      ("geocode 1,2 --config geocode.yaml --format json", 0),
      ("pipe --in ndjson --config here.yaml", 65),
    ])
  func texts(_ command: String, code: Int32) throws {
    let input = command.hasPrefix("pipe") ? try runner.read("walk.jsonl") : nil
    let outcome = try runner.waymark(command.words, input: input)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(isPlain(outcome.output), "\(outcome.output.debugDescription)")
    #expect(isPlain(outcome.errors), "\(outcome.errors.debugDescription)")
  }

  @Test(
    "are shown with '?' where they come from the command line",
    arguments: [
      ["replay", name], ["info", name], ["check", name], ["compile", name, "-o", "x"],
      ["replay", "walk.gpx", "--fence", name], ["replay", "walk.gpx", "--fence", name + "=1,2,3"],
      ["replay", "walk.gpx", "--output", name + "/x"], ["replay", "walk.gpx", "--config", name],
      [name], ["replay", "--" + name], ["replay", "walk.gpx", "--from", name],
      ["geocode", name], ["watch", name], ["record", "-o", name + "/x", "gpsd://127.0.0.1:1"],
      ["score", "--truth", name, "--events", name], ["simulate", "--out", "here.yaml/" + name],
      ["pipe", "--state", name + "/x"], ["feed", name],
      ["launch", name, "--state", name, "--", name],
    ])
  func arguments(_ words: [String]) throws {
    let outcome = try runner.waymark(words, input: "")
    #expect(isPlain(outcome.output), "\(outcome.output.debugDescription)")
    #expect(isPlain(outcome.errors), "\(outcome.errors.debugDescription)")
    #expect(outcome.code != 0 || outcome.errors.contains("="))
  }

  @Test("are unchanged for programs that read the events")
  func values() throws {
    let outcome = try runner.waymark("replay walk.jsonl --config here.yaml --format jsonl".words)
    let line = try #require(outcome.output.split(separator: "\n").first)
    let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(event?["fence"] as? String == Self.name)
    #expect(outcome.output.contains(Self.quoted))
    let text = try runner.waymark("replay walk.jsonl --config here.yaml".words)
    #expect(text.output.contains("state  \(Self.shown)"))
  }

  @Test("never become a path: files are written only where requested")
  func paths() throws {
    let name = #""../../up/\u0000/etc/x""#
    try runner.write(
      "sub/here.yaml",
      try runner.read("here.yaml").replacing(Self.quoted, with: #""../../up/etc/x""#)
    )
    try runner.write(
      "sub/walk.jsonl", try runner.read("walk.jsonl").replacing(Self.quoted, with: name))
    let outcome = try runner.shell(
      "cd sub && $waymark replay walk.jsonl --config here.yaml --output events; "
        + "$waymark pipe --in ndjson --config here.yaml --state fleet <walk.jsonl >events2; "
        + "ls -A; ls -A .. | grep -c up")
    #expect(outcome.output == "events\nevents2\nfleet\nfleet.lock\nhere.yaml\nwalk.jsonl\n0\n")
  }
}
