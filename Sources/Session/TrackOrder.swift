internal import Formats
internal import Traces
internal import Tracking

/// Whether the fixes of a trace run forwards, and its tracks and their segments begin in the order of time.
///
/// Only those of one device have an order.
struct TrackOrder {
  /// Whether a track or a segment begins with the next fix.
  var isBeginning = false
  /// Whether one began clearly earlier than the one before it.
  private(set) var isBroken = false
  /// When the last one of each device began.
  private var starts: [Int32: Timestamp] = [:]
  /// How many fixes are earlier than the one before them, of the same device.
  private(set) var backwardCount = 0
  /// Whether one of them is earlier by so much that the engine takes it for another clock.
  private var hasLeap = false
  /// The first time of the trace.
  private var first: Timestamp?
  /// The last fix with a time: when, and of which device.
  private var last: (time: Timestamp, device: Int32)?
  /// Fixes that are late by fewer seconds are put in order by the engine.
  private static let leastStep = 60.0
  /// The number of the device without a name.
  private static let unnamed: Int32 = -1
  /// Fixes that are earlier by more seconds than this are not late: the clock may have been set
  /// (`clock-jump` of the gate).
  private static let leap = 86_400.0

  /// Notes the next fixes.
  mutating func add(_ points: [TracePoint]) {
    for point in points {
      guard let time = point.fix.time else { continue }
      let device = point.device ?? Self.unnamed
      if let last, time < last.time, device == last.device {
        backwardCount += 1
        if !hasLeap { hasLeap = last.time.seconds(since: time) > Self.leap }
      }
      last = (time, device)
      first = first ?? time
    }
  }

  /// Whether most of so many fixes are earlier than the one before them, and not all could be put in order.
  ///
  /// - Parameter late: How many fixes were dropped as they are earlier than others.
  func runsBackwards(_ fixCount: Int, late: Int) -> Bool {
    guard let first, let last, last.time < first, late > 0 || hasLeap else { return false }
    return 2 * backwardCount > fixCount
  }

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
  /// Whether it is a table that names no device.
  package var isTableWithoutDevices: Bool { format == .csv && !namesDevices }

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
    let isLate = 2 * late > fixCount
    if isLate || order.runsBackwards(fixCount, late: late) {
      let count = isLate ? late : order.backwardCount
      return "its fixes run backwards in time (\(count) of \(fixCount))"
    }
    guard order.isBroken else { return nil }
    return "its \(others.tracks > 1 ? "tracks" : "segments") are not in the order of time"
  }
}
