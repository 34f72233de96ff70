internal import Text
import Traces

/// Notes once that times without a zone are read as UTC, which the formats require of all times.
struct ZoneNote: Sendable {
  private var isNoted = false

  /// Looks at a time that was read.
  mutating func look(at time: borrowing Span<UInt8>, into batch: inout TraceBatch) {
    guard !isNoted, RFC3339.isWithoutZone(time) else { return }
    isNoted = true
    batch.mark(.note("times without a zone are read as UTC"))
  }
}
