internal import Foundation
internal import Tracking
internal import Traces

// A Date of these years tells some 120 ns apart, so a time that came in whole microseconds comes
// back as it was.
extension Date {
  /// Between 1970, from where a `Timestamp` counts, and 2001, from where a `Date` does.
  private static let referenceNanoseconds: Int64 = 978_307_200_000_000_000

  /// The instant, to the nearest number that a `Date` holds.
  init(_ time: Timestamp) {
    let start = Timestamp(nanoseconds: Date.referenceNanoseconds)
    self.init(timeIntervalSinceReferenceDate: time.seconds(since: start))
  }

  /// The instant in whole microseconds, held at the ends of what a `Timestamp` holds.
  var time: Timestamp {
    let microseconds = (timeIntervalSinceReferenceDate * 1e6).rounded()
    // NaN is no time at all.
    guard microseconds > -1e16, let whole = Int64(exactly: microseconds), whole < Int64(1e16)
    else { return Timestamp(nanoseconds: microseconds > 0 ? .max : .min) }
    let (offset, overflow) = whole.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return Timestamp(nanoseconds: whole > 0 ? .max : .min) }
    return Timestamp(nanoseconds: Date.referenceNanoseconds).advanced(byNanoseconds: offset)
  }

  /// The instant as RFC 3339 in UTC with milliseconds, the same in every locale and zone.
  var spelled: String {
    var bytes: [UInt8] = []
    TimeText.append(time, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
