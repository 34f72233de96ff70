import Foundation
import Testing
import WaymarkSettings

@Suite("Stories through the library")
struct StoryTests {
  private static let traces = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("traces").path

  @Test(
    "the library gives the events of replay, byte for byte", arguments: ["commute", "out-and-back"])
  func events(_ story: String) throws {
    let folder = "\(Self.traces)/\(story)"
    let settings = try SettingsFile("\(folder)/waymark.yaml")
    let track = try TrackReader("\(folder)/track.gpx", device: settings.device)
    var (tracker, events) = (Tracker(rules: settings.rules), [Event]())
    var (log, bytes) = (EventLogWriter(.jsonl), [UInt8]())
    for point in track.points {
      events.removeAll(keepingCapacity: true)
      tracker.ingest(point.fix, into: &events)
      for event in events {
        log.append(EventRecord(device: point.device, event: event), to: &bytes)
      }
    }
    try track.finish()
    let golden = try String(contentsOfFile: "\(folder)/events.jsonl", encoding: .utf8)
    let expected = golden.split(separator: "\n").filter { !$0.contains("\"type\":\"problem\"") }
    #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n") == expected)
  }
}
