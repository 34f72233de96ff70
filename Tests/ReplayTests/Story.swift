import EventLog
import Foundation
import Playing
import Session
import Settings
import System
import Testing
import Tracking

/// A folder of traces/: a track, its config, what must come out and what truly happened.
struct Story: CustomTestStringConvertible, Sendable {
  let name: String

  var testDescription: String { name }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces")

  static func named(_ name: String) throws -> Story {
    try #require(all.first { $0.name == name })
  }

  /// All of them, in alphabetical order.
  static let all: [Story] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter {
      FileManager.default.fileExists(atPath: root.path + "/\($0)/waymark.yaml")
    }
    .sorted().map(Story.init)
  }()

  func path(_ file: String) -> String { Self.root.appending(path: "\(name)/\(file)").path }

  /// The track, relative to the root of the project, as `make goldens` names it.
  var track: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []
    return names.first { $0.hasPrefix("track.") } ?? "track.gpx"
  }

  var golden: String { (try? String(contentsOfFile: path("events.jsonl"), encoding: .utf8)) ?? "" }

  /// Replays the story, or another track with its config, in the given format.
  func replay(
    track: String? = nil, format: EventFormat = .jsonl, device: String? = nil,
    kinds: Set<LogEntry.Kind> = Set(LogEntry.Kind.allCases).subtracting([.fix]),
    pace: Pacer = .unlimited
  ) throws -> String {
    let configuration = try Configuration(path: path("waymark.yaml"))
    let output = FileManager.default.temporaryDirectory
      .appending(path: "waymark-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: output) }
    let rules = try configuration.rules()
    var replay = Replay(
      feeds: [try TraceFeed(path: track ?? path(self.track))], rules: rules,
      device: device ?? configuration.device, kinds: kinds,
      output: EventLogFile(file: try OutputFile(path: output), format: format, fences: rules.fences)
    )
    replay.pace = pace
    _ = try replay.run()
    // Problems name the track as it was given, which here is an absolute path.
    return try String(contentsOfFile: output, encoding: .utf8)
      .replacingOccurrences(of: Self.root.deletingLastPathComponent().path + "/", with: "")
  }
}
