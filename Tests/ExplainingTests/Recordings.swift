import EventLog
import Explaining
import Foundation
import Session
import Settings
import Tracking

/// The stories of traces/ as recordings to explain.
enum Recordings {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "traces")

  /// The names of all stories.
  static let stories: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter {
      FileManager.default.fileExists(atPath: root.path + "/\($0)/waymark.yaml")
    }.sorted()
  }()

  /// The devices of a story.
  static func explainers(of story: String) throws -> [Explainer] {
    let folder = root.appending(path: story)
    let configuration = try Configuration(path: folder.appending(path: "waymark.yaml").path)
    let rules = try configuration.rules()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let track = names.first { $0.hasPrefix("track.") } ?? "track.gpx"
    let feed = try TraceFeed(path: folder.appending(path: track).path)
    var merge = TraceMerge([feed], device: configuration.device)
    try merge.start()
    var fixes: [[Fix]] = []
    while let step = try merge.next() {
      while fixes.count < merge.devices.count { fixes.append([]) }
      fixes[step.device].append(step.fix)
    }
    return zip(merge.devices, fixes).map {
      Explainer(device: $0.name, fixes: $1, rules: rules)
    }
  }

  /// The ids in the golden log of a story.
  static func ids(of story: String) throws -> Set<String> {
    let log = try String(
      contentsOf: root.appending(path: "\(story)/events.jsonl"), encoding: .utf8)
    return Set(
      log.split(separator: "\n").filter { !$0.hasPrefix(#"{"type":"problem""#) }
        .compactMap { $0.firstMatch(of: /"id":"([0-9a-f]{16})"/).map { String($0.1) } })
  }
}
