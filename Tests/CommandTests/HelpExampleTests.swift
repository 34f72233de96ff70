import Foundation
import TestSupport
import Testing

/// Every example of every `--help` is run, on files of the names that it uses.
@Suite("Examples of --help", .timeLimit(.minutes(90)))
struct HelpExampleTests {
  static let commands = [
    "", "demo", "replay", "pipe", "watch", "anchor", "record", "feed", "launch", "init", "check",
    "doctor",
    "compile",
    "outbox", "info", "convert", "report", "explain", "test", "compare", "geocode", "simulate",
    "score",
  ]

  @Test("are all run here, of every command that there is")
  func complete() throws {
    let unknown = try CommandRunner().waymark(["day.gpx"]).errors.prefix { $0 != "\n" }
    let offered = unknown.split(separator: ":").last?.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #expect(offered == Array(Self.commands.dropFirst()))
  }

  @Test("do what they are there for", arguments: commands)
  func examples(of command: String) throws {
    let runner = try Self.runner()
    let examples = try Self.examples(of: command)
    #expect(!examples.isEmpty)
    for example in examples {
      if let folder = example.firstMatch(of: /simulate --out (\w+)/)?.1 {
        try? FileManager.default.removeItem(
          at: runner.folder.appendingPathComponent(String(folder)))
      }
      let outcome = try runner.shell("PATH=\"$PWD/bin:$PATH\"; set -o pipefail; \(example)", "bash")
      // There is no gpsd, and no watch, which is found out when all else of a live command is right.
      let isLive = example.contains(/waymark (watch|anchor|record|launch (?!day))/)
      #expect(outcome.code == (isLive ? 69 : 0), "\(example)\n\(outcome.errors)")
      // An example of fixes out of order, say, ends well and shows nothing.
      #expect(!outcome.errors.contains("out-of-order"), "\(example)")
    }
  }

  /// The lines of the indented paragraphs before the usage.
  private static func examples(of command: String) throws -> [String] {
    let help = try CommandRunner().waymark(command.isEmpty ? ["--help"] : [command, "--help"])
      .output
    let paragraphs = help.components(separatedBy: "\nUSAGE:")[0].components(separatedBy: "\n\n")
    let lines = paragraphs.filter { $0.hasPrefix("  ") }.flatMap { $0.split(separator: "\n") }
    for line in lines {
      #expect(line.hasPrefix("  "), "help wrapped an example of more than 80 columns: \(line)")
    }
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// A program in the place of `waymark`: it takes no time, and finds neither gpsd nor its port.
  private static let stand = #"""
    #!/bin/bash
    name=$1 more=() before=() after=()
    shift
    for word in "$@"; do
      word=${word/#\/var\/lib\//./lib/}
      word=${word/#unix:\/run\/user\/1000\//unix:./}
      case $word in
      --) after=(--) ;;
      /usr/bin/van) after+=(./van) ;;
      gpsd://*|--loop) ;;
      *) if [ ${#after[@]} = 0 ]; then before+=("$word"); else after+=("$word"); fi ;;
      esac
    done
    case "$name ${before[*]}" in
    "launch day"*) more=(--speed max) ;;
    init*) mkdir -p new && rm -f new/* && cd new ;;
    watch*|record*|launch*) more=(gpsd://127.0.0.1:1 --no-reconnect) ;;
    feed*) more=(--listen 127.0.0.1:0 --speed max --no-wait) ;;
    replay*--speed*) more=(--speed max) ;;
    esac
    exec "$waymark" "$name" "${before[@]}" "${more[@]}" "${after[@]}"
    """#

  private static func runner() throws -> CommandRunner {
    let runner = try CommandRunner()
    try runner.write("bin/waymark", stand)
    try runner.write("van", "#!/bin/sh\n")
    let day = "device,time,latitude,longitude,accuracy\n"
    let fixes = (0..<60).map { second in
      "van,2025-03-10T08:00:\(second < 10 ? "0" : "")\(second).000Z,0.0\(second + 100),0,5\n"
    }
    // Two devices, each by time, and the file not.
    try runner.write(
      "day.csv",
      day + (fixes.reversed() + fixes.map { "bus" + $0.dropFirst(3) }).joined())
    try runner.write("van-1.csv", day + fixes.joined())
    try runner.write(
      "fences.geojson",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"a","properties":{},"#
        + #""geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}"#)
    try runner.write(
      "waymark.yaml",
      """
      geocoder: {provider: gazetteer}
      fences:
        - {id: home, center: [52.5163, 13.3777], radius: 100 m}

      """)
    try runner.write(
      "house.yaml",
      """
      fences:
        - {id: home, center: [52.5163, 13.3777], radius: 100 m}
      store: house.gpkg
      deliver: [{name: phone, command: ["true"]}]

      """)
    try runner.write("faults.txt", "at 10 s: silence 30 s\n")
    try runner.write(
      "waymark-test.yaml",
      """
      config: waymark.yaml
      tests:
        - name: from home to the office
          path: {points: [[52.5163, 13.3777], [52.5263, 13.3777]], speed: 20 km/h, noise: normal}
          expect:
            - {exit: home, at: 2026-01-01T00:00:18Z, within: 1 min}

      """)
    let outcome = try runner.shell(
      """
      set -e
      chmod +x bin/waymark van
      cp waymark.yaml fleet.yaml && cp waymark.yaml van.yaml
      cp traces/dwell/events.jsonl old.jsonl && cp old.jsonl new.jsonl
      cp traces/dwell/track.gpx day.gpx
      gzip -k day.gpx
      mkdir -m 700 trips here charts lib lib/van
      cp day.gpx.gz trips
      cp traces/ferry-gpsd/track.jsonl trip.jsonl
      $waymark simulate --out world --devices 2 --format ndjson 2>/dev/null
      $waymark replay world/fixes/*.ndjson --format jsonl >events.jsonl 2>/dev/null
      $waymark replay van-1.csv --include fix --format jsonl >fixes.ndjson 2>/dev/null
      head -n 30 fixes.ndjson >monday.ndjson
      tail -n +31 fixes.ndjson >tuesday.ndjson
      gzip -k fixes.ndjson
      cp fixes.ndjson.gz fleet.ndjson.gz
      $waymark replay day.gpx --config house.yaml --store events.gpkg --deliver >first.txt 2>&1
      $waymark compile fences.geojson -o fences.wmf 2>/dev/null
      """)
    guard outcome.code == 0 else { throw CommandRunner.Failure(description: outcome.errors) }
    return runner
  }
}
