internal import Foundation
internal import Text
internal import Tracking

// A Date of these years has a resolution of about 120 ns, so a time in whole microseconds survives the
// conversion and back.
extension Date {
  /// The time between the epochs of `Timestamp` (1970) and `Date` (2001).
  private static let referenceNanoseconds: Int64 = 978_307_200_000_000_000

  /// Converts a timestamp to the nearest `Date`.
  init(_ time: Timestamp) {
    let start = Timestamp(nanoseconds: Date.referenceNanoseconds)
    self.init(timeIntervalSinceReferenceDate: time.seconds(since: start))
  }

  /// The timestamp in whole microseconds, clamped to the range of `Timestamp`.
  var time: Timestamp {
    let microseconds = (timeIntervalSinceReferenceDate * 1e6).rounded()
    // NaN becomes the earliest time.
    guard microseconds > -1e16, let whole = Int64(exactly: microseconds), whole < Int64(1e16)
    else { return Timestamp(nanoseconds: microseconds > 0 ? .max : .min) }
    let (offset, overflow) = whole.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return Timestamp(nanoseconds: whole > 0 ? .max : .min) }
    return Timestamp(nanoseconds: Date.referenceNanoseconds).advanced(byNanoseconds: offset)
  }

  /// The date as RFC 3339 in UTC with milliseconds, the same in every locale and zone.
  var spelled: String {
    var bytes: [UInt8] = []
    TimeText.append(time, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
