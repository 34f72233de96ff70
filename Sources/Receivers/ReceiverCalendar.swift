package import Estimation

/// Supplies the date, which most sentences of a receiver and fixes of a flight recorder lack.
package struct ReceiverCalendar: Sendable {
  private static let day: Int64 = 86_400_000_000_000

  /// The last known day, as days since 1970, and a time of it.
  private var reference: (day: Int, time: Int64)?

  package init() {}

  /// Whether any sentence has contained a date.
  package var isKnown: Bool { reference != nil }

  /// Sets the day and time of day of a sentence.
  package mutating func set(day: Int, time: Int64) {
    reference = (day, time)
  }

  /// The instant of a time of day: on `day`, or nearest to the last time with a known day, so
  /// midnight may pass between two dates; nil before the first date.
  package mutating func timestamp(at time: Int64, day: Int?) -> Timestamp? {
    guard let day = day ?? nearestDay(to: time) else { return nil }
    reference = (day, time)
    // Days of the years of a Timestamp; the sum may still exceed its ends by a day.
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
