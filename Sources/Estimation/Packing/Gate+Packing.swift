internal import Geodesy
package import Packing

extension Gate {
  /// The counts come first, so that they can be read alone.
  static func code<Coder: StateCoder>(
    _ value: inout Gate, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try GateCounts.code(&value.counts, &coder)
    var (hasLast, isWaiting) = (value.last != nil, value.waiting != nil)
    var (isClockJump, retreats) = (value.waiting?.reason == .clockJump, value.retreat != nil)
    var hasSeen = !value.seen.marks.isEmpty
    try coder.code(flags: &hasLast, &isWaiting, &isClockJump, &retreats, &hasSeen)
    try Fix.code(&value.last, if: hasLast, &coder)
    if hasLast { try coder.code(&value.interval) }
    var (fix, doubt) = (value.waiting?.fix, value.waiting?.doubt)
    try Fix.code(&fix, if: isWaiting, &coder)
    if isClockJump { try coder.code(optional: &doubt) }
    try coder.code(&value.retreat, if: retreats)
    if hasSeen { try coder.code(&value.seen) } else if Coder.isReading { value.seen = .blank }
    if Coder.isReading {
      value.waiting = fix.map {
        isClockJump
          ? Waiting(fix: $0, reason: .clockJump, doubt: doubt)
          : Waiting(fix: $0, reason: .teleport, doubt: $0.time)
      }
    }
  }
}

extension GateCounts {
  /// Reads the counts that a state begins with.
  package init(from unpacker: inout Unpacker) throws(PackedStateError) {
    self.init()
    try Self.code(&self, &unpacker)
  }

  /// A bit mask of the numbers that are not 0, and these numbers.
  static func code<Coder: StateCoder>(
    _ value: inout GateCounts, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (mask, bit): (UInt16, UInt16) = (0, 1)
    if !Coder.isReading {
      value.forEachNumber { number in
        if number != 0 { mask |= bit }
        bit <<= 1
      }
    }
    try coder.code(bits: &mask)
    try value.forEachNumber { (number) throws(Coder.Failure) in
      if mask & 1 == 1 {
        try coder.code(count: &number)
      } else if Coder.isReading {
        number = 0
      }
      mask >>= 1
    }
  }
}

extension Fix {
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout Fix?, if isThere: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    guard isThere else {
      if Coder.isReading { value = nil }
      return
    }
    let blank = Fix(time: .blank, coordinate: .blank)
    var known = Coder.isReading ? blank : value ?? blank
    try code(&known, &coder)
    if Coder.isReading { value = known }
  }

  private static let timeBit: UInt16 = 1 << 13
  private static let satellitesBit: UInt16 = 1 << 14

  /// The known fields; a number that is exact as a Float takes four bytes.
  private static func code<Coder: StateCoder>(
    _ value: inout Fix, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (known, short): (UInt16, UInt16) = (0, 0)
    if !Coder.isReading { (known, short) = value.knownNumbers }
    try coder.code(bits: &known)
    try coder.code(bits: &short)
    var mode = value.mode.rawValue
    try coder.code(bits: &mode)
    try coder.require(Mode(rawValue: mode) != nil)
    if Coder.isReading { value.mode = Mode(rawValue: mode) ?? .unknown }
    try coder.code(&value.coordinate)
    // Only fixes with a time are ever kept.
    try coder.require(known & timeBit != 0)
    try coder.code(&value.time, if: known & timeBit != 0)
    var satellites = Int16(clamping: value.satellites ?? 0)
    let hasSatellites = known & satellitesBit != 0
    if hasSatellites { try coder.code(bits: &satellites) }
    if Coder.isReading { value.satellites = hasSatellites ? Int(satellites) : nil }
    var bit: UInt16 = 1
    try value.forEachNumber { (number) throws(Coder.Failure) in
      if known & bit != 0 {
        var exact = number ?? 0
        try coder.code(&exact, isShort: short & bit != 0)
        if Coder.isReading { number = exact }
      } else if Coder.isReading {
        number = nil
      }
      bit <<= 1
    }
  }

  /// Bits of the known fields, and of the numbers that are exact as a Float.
  private var knownNumbers: (known: UInt16, short: UInt16) {
    mutating get {
      var (known, short, bit): (UInt16, UInt16, UInt16) = (0, 0, 1)
      forEachNumber { number in
        if let number {
          known |= bit
          if Double(Float(number)) == number { short |= bit }
        }
        bit <<= 1
      }
      if time != nil { known |= Self.timeBit }
      if satellites != nil { known |= Self.satellitesBit }
      return (known, short)
    }
  }

  /// Every number that may be unknown.
  @inline(__always)
  private mutating func forEachNumber<Failure: Error>(
    _ body: (inout Double?) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&horizontalAccuracy)
    try body(&altitude)
    try body(&ellipsoidalAltitude)
    try body(&verticalAccuracy)
    try body(&speed)
    try body(&speedAccuracy)
    try body(&course)
    try body(&courseAccuracy)
    try body(&hdop)
    try body(&vdop)
    try body(&pdop)
  }
}
