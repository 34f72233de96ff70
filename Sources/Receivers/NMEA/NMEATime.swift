/// A time of day of a sentence, and the form in which it is written.
struct NMEATime: Sendable {
  /// Nanoseconds from midnight.
  let nanoseconds: Int64
  /// Whether it is written in milliseconds, as hhmmss.sss.
  let isInMilliseconds: Bool

  private static let wholeDay: Int64 = 86_400_000_000_000
  private static let hundredth: Int64 = 10_000_000

  /// Whether two times are equal, or one in two forms, of which one is rounded.
  ///
  /// Rounding may lead across midnight: 235959.996 is 000000.00.
  func isSame(as other: NMEATime) -> Bool {
    if nanoseconds == other.nanoseconds { return true }
    guard isInMilliseconds != other.isInMilliseconds else { return false }
    let step = abs(nanoseconds - other.nanoseconds)
    return min(step, abs(Self.wholeDay - step)) < Self.hundredth
  }

  /// The day of this time when `other`, the same one in another form, is of `day`.
  func day(_ day: Int, of other: NMEATime) -> Int {
    let step = nanoseconds - other.nanoseconds
    if step > Self.wholeDay / 2 { return day - 1 }
    return step < -Self.wholeDay / 2 ? day + 1 : day
  }
}
