import Geodesy
import Traces
import Tracking

/// Puts the fixes of overlapping segments in the order of time, in constant memory.
///
/// Raw signals are better than what Google made of them: between two that are close in time, only they
/// are used.
///
/// The beginning of a stay is followed by fixes at its place, and its end is preceded by them
/// (``part``): two fixes alone, hours apart and equal to the last digit, are what a receiver reports that
/// repeats an old position.
struct TimelineWindow: Sendable {
  /// What a fix is from, the best first.
  enum Source: Int, Sendable {
    case signal, path
    /// An end of a stay or of a trip.
    case end
  }

  private struct Held {
    let point: TracePoint
    let time: Timestamp
    let source: Source
    /// When the stay began of which it is the end; nil for all others.
    let arrival: Timestamp?
  }

  private var held: [Held] = []
  private var signalCount = 0
  private var replacedCount = 0
  private var lastTime: Timestamp?
  private var lastPlace: Coordinate?

  /// The most fixes that are held.
  ///
  /// Half of them are far more than those of the month for which phones have raw signals, which follow
  /// all segments.
  static let limit = 1 << 16
  /// The longest time between two raw signals that replace what is between them, in minutes.
  private static let mostMinutes = 30
  /// How long after the beginning and before the end of a stay fixes at its place are given, and how far
  /// apart, in minutes.
  ///
  /// The timeline says that the person was there. The engine doubts a repeated position for half an hour
  /// after a silence of ten minutes (`Wake`), and an arrival that one fix alone shows.
  static let part = (minutes: 35, step: 5)

  /// Adds a fix.
  ///
  /// - Parameter arrival: When the stay began of which the fix is the end; nil for all others.
  mutating func add(
    _ point: TracePoint, from source: Source, since arrival: Timestamp? = nil,
    into batch: inout TraceBatch
  ) {
    guard let time = point.fix.time else { return batch.points.append(point) }
    if source == .signal { signalCount += 1 }
    held.append(Held(point: point, time: time, source: source, arrival: arrival))
    if held.count == Self.limit { emit(Self.limit / 2, into: &batch) }
  }

  /// Emits the first fixes in the order of time.
  private mutating func emit(_ count: Int, into batch: inout TraceBatch) {
    held.sort {
      ($0.time, $0.source.rawValue, $0.point.line) < ($1.time, $1.source.rawValue, $1.point.line)
    }
    let isReplaced = isReplaced
    for (index, next) in held.prefix(count).enumerated() {
      if isReplaced[index] {
        replacedCount += 1
      } else if next.time == lastTime {
        batch.mark(.repeatedReport)
      } else {
        emitStay(before: next, into: &batch)
        batch.points.append(next.point)
        (lastTime, lastPlace) = (next.time, next.point.fix.coordinate)
      }
    }
    held.removeFirst(count)
  }

  /// Emits the fixes of a stay before its end, where the timeline has nothing else.
  private func emitStay(before end: Held, into batch: inout TraceBatch) {
    guard let arrival = end.arrival, let lastTime, lastTime >= arrival,
      lastPlace == end.point.fix.coordinate
    else { return }
    let (most, step) = (Self.part.minutes, Self.part.step)
    func emit(at time: Timestamp) {
      var point = end.point
      point.fix.time = time
      batch.points.append(point)
    }
    let lastPart = end.time.advanced(bySeconds: -60 * Double(most))
    if lastTime == arrival {
      for minutes in stride(from: step, through: most, by: step) {
        let time = arrival.advanced(bySeconds: 60 * Double(minutes))
        if time < lastPart { emit(at: time) }
      }
    }
    for minutes in stride(from: most, to: 0, by: -step) {
      let time = end.time.advanced(bySeconds: -60 * Double(minutes))
      if time > lastTime { emit(at: time) }
    }
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
