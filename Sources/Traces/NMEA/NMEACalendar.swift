internal import Tracking

/// The date that most sentences do not tell.
struct NMEACalendar: Sendable {
  private static let day: Int64 = 86_400_000_000_000

  /// The last day that is known, as days since 1970, and a time of it.
  private var reference: (day: Int, time: Int64)?

  /// Whether any sentence has told a date.
  var isKnown: Bool { reference != nil }

  /// A sentence tells the day and the time of day.
  mutating func set(day: Int, time: Int64) {
    reference = (day, time)
  }

  /// The instant of a time of day: on `day`, or nearest to the last one whose day was known, so
  /// that midnight may pass between two dates; nil when no date was told yet.
  mutating func timestamp(at time: Int64, day: Int?) -> Timestamp? {
    guard let day = day ?? nearestDay(to: time) else { return nil }
    reference = (day, time)
    // Days of the years that a Timestamp holds; the sum may still pass its ends by a day.
    let (start, isFar) = Int64(day).multipliedReportingOverflow(by: Self.day)
    let (sum, isOver) = start.addingReportingOverflow(time)
    return isFar || isOver ? nil : Timestamp(nanoseconds: sum)
  }

  private func nearestDay(to time: Int64) -> Int? {
    guard let reference else { return nil }
    let step = time - reference.time
    if step < -Self.day / 2 { return reference.day + 1 }
    return step > Self.day / 2 ? reference.day - 1 : reference.day
  }
}
