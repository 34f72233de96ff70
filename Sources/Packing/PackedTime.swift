/// The last packed time, from which the next one is stored as a difference.
struct PackedTime {
  private var nanoseconds: Int64 = 0

  private static var second: Int64 { 1_000_000_000 }

  // The lowest bits of a code: the unit of the difference, or the mark of a whole time.
  private static var inNanoseconds: UInt64 { 0 }
  private static var inSeconds: UInt64 { 1 }
  private static var whole: UInt64 { 2 }

  /// The code of the next time, and the whole time when it is too far away for a difference.
  mutating func code(_ next: Int64) -> (code: UInt64, whole: Int64?) {
    let (difference, overflows) = next.subtractingReportingOverflow(nanoseconds)
    nanoseconds = next
    if !overflows {
      let (seconds, rest) = difference.quotientAndRemainder(dividingBy: Self.second)
      let code = Self.zigzag(rest == 0 ? seconds : difference)
      if code >> 60 == 0 {
        return (code << 2 | (rest == 0 ? Self.inSeconds : Self.inNanoseconds), nil)
      }
    }
    return (Self.whole, nanoseconds)
  }

  /// The time of a code; nil for an invalid code and when the whole time follows (``set(_:)``).
  mutating func next(_ code: UInt64) -> Int64? {
    let difference = Self.difference(code >> 2)
    switch code & 3 {
    case Self.inNanoseconds: return add(difference)
    case Self.inSeconds:
      let (all, overflows) = difference.multipliedReportingOverflow(by: Self.second)
      return overflows ? nil : add(all)
    default: return nil
    }
  }

  private mutating func add(_ difference: Int64) -> Int64? {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(difference)
    return overflows ? nil : set(sum)
  }

  mutating func set(_ nanoseconds: Int64) -> Int64 {
    self.nanoseconds = nanoseconds
    return nanoseconds
  }

  /// Whether the whole time follows a code.
  static func isWhole(_ code: UInt64) -> Bool { code == whole }

  /// Small for numbers near 0 of both signs.
  private static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  private static func difference(_ zigzag: UInt64) -> Int64 {
    Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }
}
