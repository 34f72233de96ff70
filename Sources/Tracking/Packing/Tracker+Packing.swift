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
    Self.code(&self, keepsHistory: keepsHistory, &packer)
  }

  /// Becomes the tracker that was written, with the rules that it has.
  ///
  /// - Throws: when no tracker with these rules wrote the bytes; the state is of no use then.
  mutating func unpack(from unpacker: inout Unpacker) throws(PackedStateError) {
    try Self.code(&self, keepsHistory: true, &unpacker)
    guard unpacker.isAtEnd else { throw PackedStateError() }
  }

  private static func code<Coder: StateCoder>(
    _ value: inout Tracker, keepsHistory: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try Gate.code(&value.gate, &coder)
    try coder.code(&value.rhythm)
    try coder.code(optional: &value.leap)
    var (hasEstimate, hasDefect) = (value.estimate != nil, value.lastDefect != nil)
    var follows = Coder.isReading || !hasEstimate || !keepsHistory
    follows = follows || value.estimate == value.motion.estimate
    try coder.code(flags: &hasEstimate, &follows, &hasDefect)
    try coder.code(&value.lastDefect, if: hasDefect)
    try Motion.code(
      &value.motion, lastFix: value.gate.last, keepsHistory: keepsHistory, &coder)
    if follows {
      if Coder.isReading { value.estimate = hasEstimate ? value.motion.estimate : nil }
    } else {
      try coder.code(&value.estimate, if: hasEstimate)
    }
    try FenceMonitor.code(&value.fences, &coder)
    try coder.require(value.fences.isValid(forFences: value.rules.fences.count))
    try SignificantChangeMonitor.code(&value.significantChanges, &coder)
    try VisitMonitor.code(&value.visits, &coder)
  }
}

extension Leap: Packable {
  static var blank: Leap { Leap(start: .blank, time: .blank, coordinate: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Leap, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.start)
    try coder.code(&value.time)
    try coder.code(&value.coordinate)
  }
}

extension Rhythm: Packable {
  static var blank: Rhythm { Rhythm() }

  static func code<Coder: StateCoder>(
    _ value: inout Rhythm, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(count: &value.count)
    if value.count > 0 {
      try coder.code(&value.moving)
    } else if Coder.isReading {
      value.moving = 0
    }
    try coder.code(optional: &value.start)
  }
}

extension Rhythm.Start: Packable {
  static var blank: Self { Self(coordinate: .blank, accuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.coordinate)
    try coder.code(&value.accuracy)
    try coder.code(&value.seconds)
    try coder.code(count: &value.fixes)
  }
}

extension Defect: Packable {
  static var blank: Defect { .timeless }

  static func code<Coder: StateCoder>(
    _ value: inout Defect, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var position = UInt8(truncatingIfNeeded: value.position)
    try coder.code(bits: &position)
    guard Coder.isReading else { return }
    let defect = allCases.first { $0.position == Int(position) }
    try coder.require(defect != nil)
    value = defect ?? value
  }
}
