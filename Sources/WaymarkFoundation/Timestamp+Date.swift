public import Foundation
public import WaymarkKit

extension Timestamp {
  /// The instant of a date, held at the ends of the range (the years 1677 and 2262); nil for a date that
  /// is not a number.
  ///
  /// A `Date` of these years is exact to about 0.1 µs.
  public init?(_ date: Date) {
    // Seconds of 2001, which a date keeps, have more digits than those of 1970.
    let seconds = date.timeIntervalSinceReferenceDate
    guard !seconds.isNaN else { return nil }
    self = Self.referenceDate.advanced(bySeconds: seconds)
  }

  /// 2001-01-01T00:00:00Z.
  static let referenceDate = Timestamp(nanoseconds: 978_307_200_000_000_000)
}

extension Date {
  /// The date of an instant, to about 0.1 µs.
  public init(_ time: Timestamp) {
    self.init(timeIntervalSinceReferenceDate: time.seconds(since: Timestamp.referenceDate))
  }
}

extension Fix {
  /// Makes a fix of a position and a date; everything else is unknown, also the time for a date that is
  /// not a number.
  public init(date: Date, coordinate: Coordinate) {
    self.init(time: Timestamp(date), coordinate: coordinate)
  }
}
