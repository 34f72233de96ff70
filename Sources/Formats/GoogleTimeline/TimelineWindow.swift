internal import Text
import Traces
import Tracking

/// Puts the fixes of overlapping segments in the order of time, in constant memory.
///
/// Raw signals are better than what Google made of them: within their span, only they are used.
struct TimelineWindow: Sendable {
  /// What a fix is from, the best first.
  enum Source: Int, Sendable {
    case signal, path
    /// An end of a stay or of a trip.
    case end
  }

  private var held: [(point: TracePoint, time: Timestamp, source: Source)] = []
  private var signals: ClosedRange<Timestamp>?
  private var signalCount = 0
  private var replacedCount = 0
  private var lastTime: Timestamp?

  /// The most fixes that are held.
  ///
  /// Half of them are far more than those of the month for which phones have raw signals, which follow
  /// all segments.
  static let limit = 1 << 16

  mutating func add(_ point: TracePoint, from source: Source, into batch: inout TraceBatch) {
    guard let time = point.fix.time else { return batch.points.append(point) }
    if source == .signal {
      signalCount += 1
      signals = signals.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }
    held.append((point, time, source))
    if held.count == Self.limit { emit(Self.limit / 2, into: &batch) }
  }

  /// Emits the first fixes in the order of time.
  private mutating func emit(_ count: Int, into batch: inout TraceBatch) {
    held.sort {
      ($0.time, $0.source.rawValue, $0.point.line) < ($1.time, $1.source.rawValue, $1.point.line)
    }
    for (point, time, source) in held.prefix(count) {
      if source != .signal, signals?.contains(time) == true {
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

  mutating func finish(into batch: inout TraceBatch) {
    emit(held.count, into: &batch)
    guard let signals, signalCount > 0 else { return }
    var text = Array("raw signals are read from ".utf8)
    TimeText.append(signals.lowerBound, to: &text)
    text.append(contentsOf: " to ".utf8)
    TimeText.append(signals.upperBound, to: &text)
    let points = replacedCount == 1 ? "1 other point" : "\(replacedCount) other points"
    let rest = "; \(points) of that time left out"
    batch.mark(.note(text.span.string + rest))
  }
}
