package import Estimation

/// The time zone in which people see times.
package struct DisplayZone: Sendable {
  /// Seconds east of UTC at a time.
  private let offset: @Sendable (Timestamp) -> Int
  /// Whether each time is followed by `Z` instead of an offset such as `+02:00`.
  package let isUTC: Bool

  package static let utc = DisplayZone()

  private init() { (offset, isUTC) = ({ _ in 0 }, true) }

  /// A zone with an offset for each time, in seconds east of UTC.
  package init(offset: @escaping @Sendable (Timestamp) -> Int) {
    (self.offset, isUTC) = (offset, false)
  }

  /// The time whose UTC reading is what a clock of the zone shows.
  func shown(_ time: Timestamp) -> Timestamp { time.advanced(bySeconds: Double(offset(time))) }

  /// `Z`, `+02:00`, `-03:30`.
  package func suffix(at time: Timestamp) -> String {
    guard !isUTC else { return "Z" }
    let minutes = offset(time) / 60
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
  }
}
