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
    packer.pack { writer in
      EstimationState.pack(
        &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
        keepsHistory: keepsHistory, into: &writer)
      Self.codeMonitors(&self, &writer)
    }
  }

  /// Becomes the tracker that was written, with the rules that it has.
  ///
  /// The rules must be those under which it was written: fences are stored as indices.
  ///
  /// - Throws: when the bytes are not a state under these rules; the tracker is invalid then.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    EstimationState.unpack(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate, from: &unpacker)
    Self.codeMonitors(&self, &unpacker)
    guard unpacker.isComplete else { throw PackedStateError() }
  }

  private static func codeMonitors<Coder: StateCoder>(
    _ value: inout Tracker, _ coder: inout Coder
  ) {
    FenceMonitor.code(&value.fences, &coder)
    coder.require(value.fences.isValid(forFences: value.rules.fences.count))
    SignificantChangeMonitor.code(&value.significantChanges, &coder)
    VisitMonitor.code(&value.visits, like: value.motion.map, &coder)
  }
}
