package import Packing

/// What is known of a device from its fixes alone, packed as one.
///
/// Writing and reading are two functions here and not one that is generic: so everything in this module
/// is compiled for the two coders, which a caller in another module could not have done.
package enum EstimationState {
  /// Writes the state; it changes nothing.
  ///
  /// - Parameter keepsHistory: whether late fixes are still to be put in their place; without that, what
  ///   is kept for them is left out.
  package static func pack(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ leap: inout Leap?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, keepsHistory: Bool,
    into packer: inout Packer
  ) {
    code(
      &gate, &rhythm, &leap, &lastDefect, &motion, &estimate, keepsHistory: keepsHistory, &packer)
  }

  /// Reads the state.
  package static func unpack(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ leap: inout Leap?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, from unpacker: inout Unpacker
  ) throws(PackedStateError) {
    try code(&gate, &rhythm, &leap, &lastDefect, &motion, &estimate, keepsHistory: true, &unpacker)
  }

  /// What can be worked out again is left out: the estimate follows from the filter.
  private static func code<Coder: StateCoder>(
    _ gate: inout Gate, _ rhythm: inout Rhythm, _ leap: inout Leap?, _ lastDefect: inout Defect?,
    _ motion: inout Motion, _ estimate: inout Estimate?, keepsHistory: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try Gate.code(&gate, &coder)
    try coder.code(&rhythm)
    try coder.code(optional: &leap)
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
