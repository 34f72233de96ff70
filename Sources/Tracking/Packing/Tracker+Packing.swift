/// The state of a device as few bytes.
///
/// What can be worked out again is left out: the estimate follows from the filter. The rules are not
/// among them: a fleet has them once.
extension Tracker {
  /// Writes the state.
  ///
  /// - Parameters:
  ///   - keepsHistory: Whether late fixes are still to be put in their place; without that, what is
  ///     kept for them is left out.
  func pack(into packer: inout Packer, keepsHistory: Bool) {
    gate.pack(into: &packer)
    let follows = estimate == nil || !keepsHistory || estimate == motion.estimate
    packer.put(flags: estimate != nil, follows, lastDefect != nil)
    if let lastDefect { packer.put(UInt8(truncatingIfNeeded: lastDefect.position)) }
    motion.pack(into: &packer, keepsHistory: keepsHistory, lastFix: gate.last)
    if !follows { estimate?.pack(into: &packer) }
    fences.pack(into: &packer)
    significantChanges.pack(into: &packer)
    visits.pack(into: &packer)
  }

  /// Becomes the tracker that was written, with the rules that it has.
  ///
  /// - Throws: when no tracker with these rules wrote the bytes; the state is of no use then.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    try gate.unpack(from: &unpacker)
    let flags = try unpacker.takeFlags(3)
    lastDefect = nil
    if flags[2] {
      let position = Int(try unpacker.take(UInt8.self))
      guard let defect = Defect.allCases.first(where: { $0.position == position }) else {
        throw PackedStateError()
      }
      lastDefect = defect
    }
    try motion.unpack(from: &unpacker, lastFix: gate.last)
    if flags[0] {
      estimate = flags[1] ? motion.estimate : try Estimate(unpacking: &unpacker)
    } else {
      estimate = nil
    }
    try fences.unpack(from: &unpacker)
    guard fences.isValid(forFences: rules.fences.count) else { throw PackedStateError() }
    significantChanges = try SignificantChangeMonitor(unpacking: &unpacker)
    try visits.unpack(from: &unpacker)
    guard unpacker.isAtEnd else { throw PackedStateError() }
  }
}
