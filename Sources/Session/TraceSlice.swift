package import Traces

/// Consecutive fixes of a trace without a mark between them.
package struct TraceSlice {
  package private(set) var points: [TracePoint] = []
  /// The indices of the fixes that are left.
  package var range = 0..<0

  /// No fixes.
  package init() {}

  init(points: [TracePoint], range: Range<Int>) {
    (self.points, self.range) = (points, range)
  }
}
