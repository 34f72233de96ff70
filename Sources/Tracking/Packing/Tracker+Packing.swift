internal import Packing

/// The state of a device as few bytes.
///
/// Values that follow from others are omitted. The rules are not part of it: a fleet has them once.
extension Tracker {
  /// Writes the state.
  ///
  /// It changes nothing; it is mutating because one function reads and writes.
  /// - Parameters:
  ///   - keepsHistory: Whether late fixes can still be inserted; otherwise the history for them is
  ///     not written.
  mutating func pack(into packer: inout Packer, keepsHistory: Bool) {
    EstimationState.pack(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
      keepsHistory: keepsHistory, into: &packer)
    Self.codeMonitors(&self, &packer)
  }

  /// Becomes the tracker that was written, with the rules that it has.
  ///
  /// The rules must be those under which it was written: fences are stored as indices.
  ///
  /// - Throws: when the bytes are not a state under these rules; the tracker is invalid then.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    try EstimationState.unpack(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate, from: &unpacker)
    try Self.codeMonitors(&self, &unpacker)
    guard unpacker.isAtEnd else { throw PackedStateError() }
  }

  private static func codeMonitors<Coder: StateCoder>(
    _ value: inout Tracker, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try FenceMonitor.code(&value.fences, &coder)
    try coder.require(value.fences.isValid(forFences: value.rules.fences.count))
    try SignificantChangeMonitor.code(&value.significantChanges, &coder)
    try VisitMonitor.code(&value.visits, &coder)
  }
}
