internal import Geodesy

/// The smoothed estimates at the last fixes, which give the time of a crossing.
///
/// In a live run they are computed from the fixes so far when a crossing is reported. Of a recording
/// they are known, from the fixes on both sides.
struct SmoothedPath: Sendable {
  /// How much of the path is known.
  ///
  /// `end` is from the last fix before an estimated crossing on, `all` is the whole window of the
  /// filter.
  private enum Extent { case nothing, end, all, recording }

  /// By time; empty while nothing is computed.
  private(set) var estimates: [Estimate] = []
  private var extent = Extent.nothing

  /// So many of the last estimates of a recording are kept, at least.
  private static let recordedLength = 256

  /// Whether it is that of a recording.
  var isRecorded: Bool { extent == .recording }

  /// The next fix of a live run: nothing is known of its path.
  @inline(__always)
  mutating func clear() {
    guard extent != .nothing, extent != .recording else { return }
    (estimates, extent) = ([], .nothing)
  }

  /// Computes it from the last fix before a time on, unless some of it is known.
  mutating func compute(_ motion: Motion, since time: Timestamp?) {
    guard extent == .nothing else { return }
    (estimates, extent) = (motion.smoothedPath(since: time), .end)
  }

  /// Computes all of it, unless it is known.
  mutating func computeAll(_ motion: Motion) {
    guard extent == .end else { return }
    (estimates, extent) = (motion.smoothedPath(), .all)
  }

  /// Adds the next estimate of a recording.
  ///
  /// - Complexity: O(1) on average.
  mutating func record(_ estimate: Estimate) {
    extent = .recording
    if estimates.count == 2 * Self.recordedLength { estimates.removeFirst(Self.recordedLength) }
    estimates.append(estimate)
  }

  /// A break in a recording.
  mutating func restartRecording() { (estimates, extent) = ([], .recording) }

  /// The last estimate that is inside an area, or outside; nil when there is none.
  func lastIndex(of area: Area, isInside: Bool) -> Int? {
    estimates.lastIndex { area.contains($0.coordinate) == isInside }
  }
}
