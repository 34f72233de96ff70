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
    into writer: inout StateWriter
  ) {
    code(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
      keepsHistory: keepsHistory, &writer)
  }

  /// Reads the state.
  ///
  /// When the bytes are no such state, the unpacker is not valid any more, and the caller drops the values.
  package static func unpack(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ contradiction: inout Contradiction?,
    _ wake: inout Wake?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, from unpacker: inout Unpacker
  ) {
    code(
      &gate, &rhythm, &contradiction, &wake, &lastDefect, &motion, &estimate,
      keepsHistory: true, &unpacker)
  }

  /// The estimate is written only when it does not follow from the filter.
  private static func code<Coder: StateCoder>(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ contradiction: inout Contradiction?,
    _ wake: inout Wake?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, keepsHistory: Bool, _ coder: inout Coder
  ) {
    Gate.code(&gate, &coder)
    coder.code(&rhythm)
    var (isContradicted, isAwake) = (contradiction != nil, wake != nil)
    coder.code(flags: &isContradicted, &isAwake)
    coder.code(&contradiction, if: isContradicted)
    coder.code(&wake, if: isAwake)
    var (hasEstimate, hasDefect) = (estimate != nil, lastDefect != nil)
    var follows = Coder.isReading || !hasEstimate || !keepsHistory
    follows = follows || estimate == motion.estimated()
    coder.code(flags: &hasEstimate, &follows, &hasDefect)
    Defect.code(&lastDefect, if: hasDefect, &coder)
    Motion.code(&motion, lastFix: gate.last, keepsHistory: keepsHistory, &coder)
    if follows {
      if Coder.isReading { estimate = hasEstimate ? motion.estimated() : nil }
    } else {
      coder.code(&estimate, if: hasEstimate)
    }
  }
}

extension Defect {
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout Defect?, if isThere: Bool, _ coder: inout Coder
  ) {
    guard isThere else {
      if Coder.isReading { value = nil }
      return
    }
    var position = UInt8(truncatingIfNeeded: value?.position ?? 0)
    coder.code(bits: &position)
    guard Coder.isReading else { return }
    value = allCases.first { $0.position == Int(position) }
    coder.require(value != nil)
  }
}
