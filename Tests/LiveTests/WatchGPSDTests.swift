import Foundation
import Testing

@Suite(
  "watch, at a real gpsd,", .serialized, .timeLimit(.minutes(90)),
  .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct WatchGPSDTests {
  private static let ferry = Program.package("traces/ferry-nmea/track.nmea")
  private static let config = ["--config", Program.package("traces/ferry-nmea/waymark.yaml")]
  private static let lastFix = "2026-07-01T00:18:38.979Z"

  /// The sentences of a log, those of one time together.
  private static func epochs() throws -> [(clock: Substring, text: String)] {
    var epochs: [(clock: Substring, text: String)] = []
    let text = try String(contentsOfFile: ferry, encoding: .utf8)
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("$") {
      let clock = line.split(separator: ",", maxSplits: 2)[1]
      if epochs.last?.clock == clock {
        epochs[epochs.count - 1].text += line + "\r\n"
      } else {
        epochs.append((clock, line + "\r\n"))
      }
    }
    return epochs
  }

  /// Checks events that gpsd made of the ferry's sentences against those of a replay of the
  /// sentences.
  ///
  /// Kinds, fences and order are the same. Times and places are nearly so: gpsd takes no accuracy
  /// from GST, but makes one up of the dilution of GGA, and events lie where the accuracies of
  /// fixes put them. Problems are those of the sentences, which gpsd passes over in silence.
  private func compare(_ events: [String]) throws {
    let replay = try Program(
      Program.waymark(), ["replay", Self.ferry, "--format", "jsonl"] + Self.config)
    let expected = replay.output.rest().filter { $0.kind != "problem" }
    // Two of the sentences have wrong checksums.
    #expect(try replay.end() == 65)
    let names = { (event: String) in [event.kind, event.field("fence"), event.field("state")] }
    #expect(events.map(names) == expected.map(names))
    let seconds = { (event: String) -> Double in
      let time = try Date(
        #require(event.time), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      return time.timeIntervalSince1970
    }
    for (event, other) in zip(events, expected) {
      #expect(abs(try seconds(event) - seconds(other)) < 2, "\(event) against \(other)")
    }
    #expect(events.count == 17)
  }

  @Test(
    "has the same events from NMEA over UDP as replay of the sentences, and so has the recording")
  func datagrams() throws {
    let stand = try LiveStand(engine: Self.config, device: "ferry")
    for (place, epoch) in try Self.epochs().enumerated() {
      stand.receiver.say(epoch.text)
      guard place % 20 == 19 else { continue }
      let clock = Array(epoch.clock)
      try stand.folder.wait(
        for: "T\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4...]))Z",
        in: "recording")
    }
    try stand.reach(Self.lastFix)
    let outcome = try stand.finish()
    // One instant had its RMC spoilt, which gpsd 3.22 needs for the time.
    #expect(outcome.fixes.count >= 464)
    try compare(outcome.events)
  }

  @Test("has the same events from a file as gpsd's receiver as replay of the file")
  func file() throws {
    let folder = try Folder()
    try FileManager.default.copyItem(atPath: Self.ferry, toPath: folder.path("track.nmea"))
    // Read once the first client watches, so that there can be one only.
    let gpsd = try RealGPSD(["-b", folder.path("track.nmea")])
    let watch = try Program(
      Program.waymark(),
      ["watch", gpsd.address, "--output", folder.path("events")] + Self.config + LiveStand.log)
    try folder.wait(for: Self.lastFix, in: "events")
    watch.signal(SIGTERM)
    #expect(try watch.end() == 0)
    try compare(folder.lines("events").filter { $0.kind != "fix" })
  }

  @Test(
    "continues when gpsd is killed or stopped and restarted, and so does the recording",
    arguments: [SIGKILL, SIGTERM])
  func restart(_ signal: Int32) throws {
    let stand = try LiveStand()
    try stand.play((0..<90).map { Epoch($0) })
    try stand.reach(Epoch(89).time)
    try stand.restart(signal)
    // A gpsd that begins does not know yet which sentence ends a second.
    try stand.play((90..<180).map { Epoch($0) })
    try stand.reach(Epoch(179).time)
    let outcome = try stand.finish()
    #expect(outcome.passages == ["state", "enter", "exit"])
    #expect(outcome.fixes.suffix(85) == (95..<180).map { Epoch($0).time }[...])
  }
}
