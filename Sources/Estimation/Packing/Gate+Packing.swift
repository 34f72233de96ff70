internal import Geodesy
package import Packing

extension Gate {
  /// The counts come first, so that they can be read alone.
  static func code<Coder: StateCoder>(
    _ value: inout Gate, _ coder: inout Coder
  ) {
    GateCounts.code(&value.counts, &coder)
    var (hasLast, isWaiting) = (value.last != nil, value.waiting != nil)
    var (isClockJump, retreats) = (value.waiting?.reason == .clockJump, value.retreat != nil)
    var hasSeen = !value.seen.marks.isEmpty
    coder.code(flags: &hasLast, &isWaiting, &isClockJump, &retreats, &hasSeen)
    Fix.code(&value.last, if: hasLast, &coder)
    if hasLast { coder.code(&value.interval) }
    var (fix, doubt) = (value.waiting?.fix, value.waiting?.doubt)
    Fix.code(&fix, if: isWaiting, &coder)
    if isClockJump { coder.code(optional: &doubt) }
    coder.code(&value.retreat, if: retreats)
    if hasSeen { coder.code(&value.seen) } else if Coder.isReading { value.seen = .blank }
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
  package init(from unpacker: inout Unpacker) {
    self.init()
    Self.code(&self, &unpacker)
  }

  /// A bit mask of the numbers that are not 0, and these numbers.
  static func code<Coder: StateCoder>(
    _ value: inout GateCounts, _ coder: inout Coder
  ) {
    var (mask, bit): (UInt16, UInt16) = (0, 1)
    if !Coder.isReading {
      value.forEachNumber { number in
        if number != 0 { mask |= bit }
        bit <<= 1
      }
    }
    coder.code(bits: &mask)
    value.forEachNumber { number in
      if mask & 1 == 1 {
        coder.code(count: &number)
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
  ) {
    guard isThere else {
      if Coder.isReading { value = nil }
      return
    }
    let blank = Fix(time: .blank, coordinate: .blank)
    var known = Coder.isReading ? blank : value ?? blank
    code(&known, &coder)
    if Coder.isReading { value = known }
  }

  private static let timeBit: UInt16 = 1 << 13
  private static let satellitesBit: UInt16 = 1 << 14

  /// The known fields; a number that is exact as a Float takes four bytes.
  private static func code<Coder: StateCoder>(
    _ value: inout Fix, _ coder: inout Coder
  ) {
    var (known, short): (UInt16, UInt16) = (0, 0)
    if !Coder.isReading { (known, short) = value.knownNumbers }
    coder.code(bits: &known)
    coder.code(bits: &short)
    var mode = value.mode.rawValue
    coder.code(bits: &mode)
    coder.require(Mode(rawValue: mode) != nil)
    if Coder.isReading { value.mode = Mode(rawValue: mode) ?? .unknown }
    coder.code(&value.coordinate)
    // Only fixes with a time are ever kept.
    coder.require(known & timeBit != 0)
    coder.code(&value.time, if: known & timeBit != 0)
    var satellites = Int16(clamping: value.satellites ?? 0)
    let hasSatellites = known & satellitesBit != 0
    if hasSatellites { coder.code(bits: &satellites) }
    if Coder.isReading { value.satellites = hasSatellites ? Int(satellites) : nil }
    var bit: UInt16 = 1
    value.forEachNumber { number in
      if known & bit != 0 {
        var exact = number ?? 0
        coder.code(&exact, isShort: short & bit != 0)
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
  private mutating func forEachNumber(_ body: (inout Double?) -> Void) {
    body(&horizontalAccuracy)
    body(&altitude)
    body(&ellipsoidalAltitude)
    body(&verticalAccuracy)
    body(&speed)
    body(&speedAccuracy)
    body(&course)
    body(&courseAccuracy)
    body(&hdop)
    body(&vdop)
    body(&pdop)
  }
}
