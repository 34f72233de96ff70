internal import Formats
internal import Traces
internal import Tracking

/// Whether the tracks of a trace, and their segments, begin in the order of time.
///
/// Only those of one device have an order.
struct TrackOrder {
  /// Whether a track or a segment begins with the next fix.
  var isBeginning = false
  /// Whether one began clearly earlier than the one before it.
  private(set) var isBroken = false
  /// When the last one of each device began.
  private var starts: [Int32: Timestamp] = [:]
  /// Fixes that are late by fewer seconds are put in order by the engine.
  private static let leastStep = 60.0
  /// The number of the device without a name.
  private static let unnamed: Int32 = -1

  /// Notes the first fixes of a track or a segment.
  mutating func begin(with points: ArraySlice<TracePoint>) {
    isBeginning = false
    guard let first = points.first(where: { $0.fix.time != nil }), let time = first.fix.time else {
      return
    }
    let before = starts.updateValue(time, forKey: first.device ?? Self.unnamed)
    if let before, before.seconds(since: time) > Self.leastStep { isBroken = true }
  }
}

extension TraceFeed {
  /// What the reader noticed, and what to do when the fixes or the tracks are not in the order of time.
  ///
  /// - Parameter late: How many fixes were dropped as they are earlier than others.
  package func remarks(late: Int) -> [String] {
    guard let disorder = disorder(late: late) else { return notes }
    let input = collection ?? self.path
    // A path that a shell may read otherwise is not repeated.
    let isPlain = input.utf8.allSatisfy { $0 > 0x7F || Self.plainBytes.contains($0) }
    let output = format == .gpx ? "sorted.gpx" : "sorted.ndjson"
    let command = "waymark convert \(isPlain ? input : "FILE") -o \(output) --sort"
    return notes + ["\(disorder); put them in order first: \(command)"]
  }

  private static let plainBytes = Set(
    "-+._/,:@%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  private func disorder(late: Int) -> String? {
    if 2 * late > fixCount { return "its fixes run backwards in time (\(late) of \(fixCount))" }
    guard order.isBroken else { return nil }
    return "its \(others.tracks > 1 ? "tracks" : "segments") are not in the order of time"
  }
}
