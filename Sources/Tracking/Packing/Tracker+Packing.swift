internal import Packing

/// The state of a device as few bytes.
///
/// What can be worked out again is left out: the estimate follows from the filter. The rules are not
/// among them: a fleet has them once.
extension Tracker {
  /// Writes the state.
  ///
  /// It changes nothing, though one function for both ways needs a tracker that it may change.
  /// - Parameters:
  ///   - keepsHistory: Whether late fixes are still to be put in their place; without that, what is
  ///     kept for them is left out.
  mutating func pack(into packer: inout Packer, keepsHistory: Bool) {
    EstimationState.pack(
      &gate, &rhythm, &leap, &lastDefect, &motion, &estimate, keepsHistory: keepsHistory,
      into: &packer)
    Self.codeMonitors(&self, &packer)
  }

  /// Becomes the tracker that was written, with the rules that it has.
  ///
  /// - Throws: when no tracker with these rules wrote the bytes; the state is of no use then.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    try EstimationState.unpack(
      &gate, &rhythm, &leap, &lastDefect, &motion, &estimate, from: &unpacker)
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
