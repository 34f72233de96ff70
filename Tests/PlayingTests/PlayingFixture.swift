import EventLog
import Formats
import Foundation
import Geodesy
@testable import Playing
@testable import Session
@testable import System
import Tracking

/// A temporary folder with traces, and the means to play them.
final class PlayingFixture {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "waymark-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The result of a replay: the lines of the log without the folder, the warnings and the totals.
  struct Result: Equatable {
    var lines: [String]
    var warnings: [String]
    var totals: SessionTotals

    /// The values of a key, of the lines that have it.
    func values(_ key: String) -> [String] {
      lines.compactMap { line in
        let parts = line.components(separatedBy: "\"\(key)\":\"")
        return parts.count > 1 ? parts[1].components(separatedBy: "\"").first : nil
      }
    }
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  func feed(_ name: String, _ text: String) throws -> TraceFeed {
    try TraceFeed(path: try write(name, text))
  }

  /// Plays files in the folder.
  func play(
    _ names: [String], fences: [Fence] = [], device: String? = nil,
    kinds: Set<LogEntry.Kind> = Set(LogEntry.Kind.allCases).subtracting([.fix]),
    pace: Pacer = .unlimited, from: Timestamp? = nil, until: Timestamp? = nil, threads: Int = 1,
    restingStep: Int? = nil, log: String? = nil, format: EventFormat = .jsonl,
    isLive: Bool = false, visits: VisitRules? = nil, options: ReadingOptions = ReadingOptions()
  ) throws -> Result {
    let log = log ?? "\(folder)/log-\(UUID().uuidString)"
    let fences = try FenceSet(fences)
    var rules = Rules(fences: fences)
    rules.visits = visits
    var warnings: [String] = []
    let paths = names.map { "\(folder)/\($0)" }
    let feeds =
      if let restingStep {
        try paths.map { try TraceFeed(path: $0, restingStep: restingStep) }
      } else {
        try TraceFeed.open(paths, options: options, threads: threads) { warnings.append($0) }
      }
    var replay = Replay(
      feeds: feeds,
      rules: rules, device: device, kinds: kinds,
      output: EventLogFile(
        file: try OutputFile(path: log), format: format, fences: fences, isLive: isLive),
      threads: threads)
    replay.warn = { warnings.append($0) }
    replay.pace = pace
    replay.from = from
    replay.until = until
    let totals = try replay.run()
    let text = try String(contentsOfFile: log, encoding: .utf8)
      .replacingOccurrences(of: folder + "/", with: "")
    return Result(
      lines: text.split(separator: "\n").map(String.init),
      warnings: warnings.map { $0.replacingOccurrences(of: folder + "/", with: "") },
      totals: totals)
  }
}

/// A table of fixes: seconds after 2025-03-10T08:00:00Z and a longitude on the equator.
func table(_ rows: [(seconds: Int, longitude: Double)], device: String? = nil) -> String {
  let header = "time,latitude,longitude" + (device == nil ? "" : ",device") + "\n"
  return header
    + rows.map { row in
      "\(1_741_593_600 + row.seconds),0,\(row.longitude)" + (device.map { ",\($0)" } ?? "") + "\n"
    }.joined()
}
