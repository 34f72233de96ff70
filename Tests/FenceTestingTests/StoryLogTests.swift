import Foundation
import TestSupport
import Testing

@testable import FenceTesting

/// Tests made of the logs of the stories: what `replay` printed must be met, and what is changed must
/// fail.
@Suite("Fence tests of a log", .timeLimit(.minutes(90)))
struct StoryLogTests {
  private static let root = Built.package("traces").path
  static let stories = (try? FileManager.default.contentsOfDirectory(atPath: root))?.filter {
    FileManager.default.fileExists(atPath: "\(root)/\($0)/waymark-test.yaml")
  }.sorted()

  /// A fence event of a log.
  private struct Line {
    var kind: String
    var fence: String
    var device: String
    var time: String
    var confidence: Double?

    /// An expectation of it: a log cuts times to milliseconds and rounds confidences.
    var text: String {
      let limit = confidence.map { ", confidence: \(max(0, $0 - 0.001))" } ?? ""
      return
        "      - {\(kind): \(fence), device: \(device), at: \(time), within: 0.001 s\(limit)}\n"
    }
  }

  /// The fence events of a story's golden log.
  private static func log(_ story: String) throws -> [Line] {
    let log = try String(contentsOfFile: "\(root)/\(story)/events.jsonl", encoding: .utf8)
    return try log.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, let kind = object["type"] as? String,
        let fence = object["fence"] as? String,
        let device = object["device"] as? String, let time = object["time"] as? String
      else { return nil }
      let confidence = object["confidence"] as? Double
      return Line(kind: kind, fence: fence, device: device, time: time, confidence: confidence)
    }
  }

  private static func file(_ story: String, _ lines: [String], in folder: ScratchFolder) throws
    -> FenceTestFile
  {
    let track = try #require(
      FileManager.default.contentsOfDirectory(atPath: "\(root)/\(story)").sorted()
        .first { $0.hasPrefix("track.") })
    try folder.write(
      "test.yaml",
      """
      config: \(root)/\(story)/waymark.yaml
      tests:
        - name: \(story)
          track: \(root)/\(story)/\(track)
          only: [enter, exit, dwell, state]
          expect:

      """ + lines.joined())
    var loader = FenceTestLoader(sections: [])
    return try loader.read(folder.file("test.yaml"))
  }

  @Test("all lines of a log are met, to the millisecond", arguments: stories ?? [])
  func exact(_ story: String) throws {
    let folder = try ScratchFolder()
    let lines = try Self.log(story).map(\.text)
    let report = FenceTestRun().run([try Self.file(story, lines, in: folder)])
    #expect(report.results.flatMap(\.failures).map(\.message) == [])
    #expect(!lines.isEmpty)
  }

  @Test(
    "a line that is removed or shifted is one failure, and an update mends the shift",
    arguments: ["commute", "fleet", "decisions", "dwell"])
  func changed(_ story: String) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let log = try Self.log(story)
    let number = Int.random(in: log.indices, using: &random)
    let (line, comment) = (log[number], "seed \(seed), line \(number)")

    var lines = log.map(\.text)
    lines.remove(at: number)
    let removed = FenceTestRun().run([try Self.file(story, lines, in: folder)])
    let found = removed.results.flatMap(\.failures).map(\.message)
    #expect(found.count == 1, "\(comment): \(found)")
    #expect(
      found.first?.hasPrefix(
        "expected nothing else (only), found \(line.kind) \(line.fence)") == true, "\(comment)")

    lines = log.map(\.text)
    // By a year, so it meets no other event.
    lines[number] = line.text.replacing("at: 2026-", with: "at: 2027-")
    let file = try Self.file(story, lines, in: folder)
    var shifted = FenceTestRun().run([file])
    #expect(shifted.results.flatMap(\.failures).count == 1, "\(comment)")
    let update = FenceTestUpdate(of: [file], mending: &shifted)
    #expect(shifted.failed == 0, "\(comment)")
    let mended = try #require(update.files.first, "\(comment)")
    #expect(String(decoding: mended.bytes, as: UTF8.self).contains(line.text), "\(comment)")
  }
}
