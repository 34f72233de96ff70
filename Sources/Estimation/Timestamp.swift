/// An instant: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
///
/// It is always the receiver's time, never the time at which something was read. The range is the
/// years 1677 to 2262.
///
/// Arithmetic never traps: results beyond the range are held at its ends. Its coded form is an
/// object with the key `nanoseconds`. All operations take O(1).
public struct Timestamp: Sendable, Hashable, Comparable, Codable, BitwiseCopyable {
  /// Nanoseconds since 1970 in UTC.
  public var nanoseconds: Int64

  /// The earliest instant.
  public static let distantPast = Timestamp(nanoseconds: .min)

  /// Makes an instant from nanoseconds since 1970 in UTC.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether `a` is before `b`.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Seconds from `start` to this instant; negative when `start` is later.
  public func seconds(since start: Timestamp) -> Double {
    // The difference of two Int64 may overflow; as a Double it is right to half a microsecond
    // over the whole range, and to a nanosecond within three months.
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return overflow
      ? (Double(nanoseconds) - Double(start.nanoseconds)) / 1e9 : Double(difference) / 1e9
  }

  /// Nanoseconds from `start` to this instant, held at the ends of what an Int64 holds.
  public func nanoseconds(since start: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return overflow ? (nanoseconds < start.nanoseconds ? .min : .max) : difference
  }

  /// The instant `seconds` later (earlier when negative), to the nearest nanosecond, held at the
  /// ends of the range.
  public func advanced(bySeconds seconds: Double) -> Timestamp {
    let offset = (seconds * 1e9).rounded()
    guard let step = Int64(exactly: offset) else {
      return Timestamp(nanoseconds: offset > 0 ? .max : .min)
    }
    return advanced(byNanoseconds: step)
  }

  /// The instant `step` nanoseconds later, held at the ends of the range.
  public func advanced(byNanoseconds step: Int64) -> Timestamp {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    return Timestamp(nanoseconds: overflow ? (step > 0 ? .max : .min) : sum)
  }
}
