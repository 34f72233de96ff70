import Traces
import Tracking

/// Puts the fixes of overlapping segments in the order of time, in constant memory.
///
/// Raw signals are better than what Google made of them: between two that are close in time, only they
/// are used.
struct TimelineWindow: Sendable {
  /// What a fix is from, the best first.
  enum Source: Int, Sendable {
    case signal, path
    /// An end of a stay or of a trip.
    case end
  }

  private var held: [(point: TracePoint, time: Timestamp, source: Source)] = []
  private var signalCount = 0
  private var replacedCount = 0
  private var lastTime: Timestamp?

  /// The most fixes that are held.
  ///
  /// Half of them are far more than those of the month for which phones have raw signals, which follow
  /// all segments.
  static let limit = 1 << 16
  /// The longest time between two raw signals that replace what is between them, in minutes.
  private static let mostMinutes = 30

  mutating func add(_ point: TracePoint, from source: Source, into batch: inout TraceBatch) {
    guard let time = point.fix.time else { return batch.points.append(point) }
    if source == .signal { signalCount += 1 }
    held.append((point, time, source))
    if held.count == Self.limit { emit(Self.limit / 2, into: &batch) }
  }

  /// Emits the first fixes in the order of time.
  private mutating func emit(_ count: Int, into batch: inout TraceBatch) {
    held.sort {
      ($0.time, $0.source.rawValue, $0.point.line) < ($1.time, $1.source.rawValue, $1.point.line)
    }
    let isReplaced = isReplaced
    for (index, (point, time, _)) in held.prefix(count).enumerated() {
      if isReplaced[index] {
        replacedCount += 1
      } else if time == lastTime {
        batch.mark(.repeatedReport)
      } else {
        batch.points.append(point)
        lastTime = time
      }
    }
    held.removeFirst(count)
  }

  /// Of each fix in the order of time, whether raw signals replace it.
  private var isReplaced: [Bool] {
    var isReplaced = [Bool](repeating: false, count: held.count)
    var last: Int?
    for index in held.indices where held[index].source == .signal {
      if let last, held[index].time.seconds(since: held[last].time) <= Double(Self.mostMinutes * 60)
      {
        for between in last + 1..<index { isReplaced[between] = true }
      }
      last = index
    }
    return isReplaced
  }

  mutating func finish(into batch: inout TraceBatch) {
    emit(held.count, into: &batch)
    guard signalCount > 0 else { return }
    let signals = signalCount == 1 ? "1 raw signal" : "\(signalCount) raw signals"
    let points = replacedCount == 1 ? "1 other point" : "\(replacedCount) other points"
    batch.mark(
      .note(
        "\(signals); \(points) between those at most \(Self.mostMinutes) min apart left out"))
  }
}
