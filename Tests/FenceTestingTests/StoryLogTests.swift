import EventLog
import Foundation
import Settings
import TestSupport
import Text
import Testing

@testable import FenceTesting

/// Tests made of the logs of the stories: what `replay` printed must be met, and what is changed must
/// fail.
@Suite("Fence tests of a log", .timeLimit(.minutes(30)))
struct StoryLogTests {
  private static let root = Built.package("traces").path
  static let stories = (try? FileManager.default.contentsOfDirectory(atPath: root))?.filter {
    FileManager.default.fileExists(atPath: "\(root)/\($0)/waymark-test.yaml")
  }.sorted()

  /// A line of a log as an expectation.
  private struct Line {
    var kind: String
    var fence: String
    var device: String
    var time: String
    var confidence: String?

    func text(time: String) -> String {
      let limit = confidence.map { ", confidence: \($0)" } ?? ""
      return "      - {\(kind): \(fence), device: \(device), at: \(time), within: 0 s\(limit)}\n"
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
      let confidence = line.firstMatch(of: /"confidence":([0-9.]+)/).map { String($0.1) }
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
    // A confidence is rounded in the log, and a time is cut: half of the last digit is allowed.
    let lines = try Self.log(story).map { line in
      var line = line
      line.confidence = line.confidence.flatMap { Double($0) }.map { "\(max(0, $0 - 0.001))" }
      return line.text(time: line.time).replacing("within: 0 s", with: "within: 0.001 s")
    }
    let report = FenceTestRun().run([try Self.file(story, lines, in: folder)])
    #expect(report.results.flatMap(\.failures).map(\.message) == [])
    #expect(!lines.isEmpty)
  }

  @Test("a line that is removed or shifted is one failure, and an update mends the shift")
  func changed() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    for story in ["commute", "fleet", "decisions", "dwell"] {
      let folder = try ScratchFolder()
      let log = try Self.log(story)
      let within = { (line: Line) in
        var line = line
        line.confidence = nil
        return line.text(time: line.time).replacing("within: 0 s", with: "within: 0.001 s")
      }
      let number = Int.random(in: log.indices, using: &random)
      var lines = log.map(within)
      lines.remove(at: number)
      let removed = FenceTestRun().run([try Self.file(story, lines, in: folder)])
      let found = removed.results[0].failures.map(\.message)
      let missing = "nothing else (only), found \(log[number].kind) \(log[number].fence)"
      #expect(
        found.count == 1 && found[0].contains(missing),
        "seed \(seed), \(story) without \(log[number]): \(found)")

      lines = log.map(within)
      // By a year, so it meets no other event.
      lines[number] = within(log[number]).replacing("at: 2026-", with: "at: 2027-")
      let file = try Self.file(story, lines, in: folder)
      var shifted = FenceTestRun().run([file])
      #expect(shifted.results[0].failures.count == 1, "seed \(seed), \(story): \(log[number])")
      let update = FenceTestUpdate(of: [file], mending: &shifted)
      #expect(shifted.failed == 0, "seed \(seed), \(story): \(log[number])")
      let mended = try #require(update.files.first)
      #expect(
        String(decoding: mended.bytes, as: UTF8.self).contains(within(log[number])),
        "seed \(seed), \(story): \(log[number])")
    }
  }
}
