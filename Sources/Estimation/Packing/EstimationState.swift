package import Packing

/// The state of a device that follows from its fixes alone, packed as one part.
///
/// Writing and reading are two functions, not a generic one: a generic function that another module
/// calls is not specialised for the two coders, and much slower.
package enum EstimationState {
  /// Writes the state; it changes nothing.
  ///
  /// - Parameter keepsHistory: whether late fixes can still be inserted; otherwise the history for them
  ///   is not written.
  package static func pack(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ contradiction: inout Contradiction?,
    _ wake: inout Wake?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, keepsHistory: Bool,
    into packer: inout Packer
  ) {
    code(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
      keepsHistory: keepsHistory, &packer)
  }

  /// Reads the state.
  ///
  /// - Throws: ``PackedStateError`` when the bytes are no such state; the values may then be half
  ///   read, and the caller drops them.
  package static func unpack(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ contradiction: inout Contradiction?,
    _ wake: inout Wake?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, from unpacker: inout Unpacker
  ) throws(PackedStateError) {
    try code(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
      keepsHistory: true, &unpacker)
  }

  /// The estimate is written only when it does not follow from the filter.
  private static func code<Coder: StateCoder>(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ contradiction: inout Contradiction?,
    _ wake: inout Wake?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, keepsHistory: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try Gate.code(&gate, &coder)
    try coder.code(&rhythm)
    var (isContradicted, isAwake) = (contradiction != nil, wake != nil)
    try coder.code(flags: &isContradicted, &isAwake)
    try coder.code(&contradiction, if: isContradicted)
    try coder.code(&wake, if: isAwake)
    var (hasEstimate, hasDefect) = (estimate != nil, lastDefect != nil)
    var follows = Coder.isReading || !hasEstimate || !keepsHistory
    follows = follows || estimate == motion.estimate
    try coder.code(flags: &hasEstimate, &follows, &hasDefect)
    try Defect.code(&lastDefect, if: hasDefect, &coder)
    try Motion.code(&motion, lastFix: gate.last, keepsHistory: keepsHistory, &coder)
    if follows {
      if Coder.isReading { estimate = hasEstimate ? motion.estimate : nil }
    } else {
      try coder.code(&estimate, if: hasEstimate)
    }
  }
}

extension Defect {
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout Defect?, if isThere: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    guard isThere else {
      if Coder.isReading { value = nil }
      return
    }
    var position = UInt8(truncatingIfNeeded: value?.position ?? 0)
    try coder.code(bits: &position)
    guard Coder.isReading else { return }
    value = allCases.first { $0.position == Int(position) }
    try coder.require(value != nil)
  }
}
