internal import Text
public import Tracking

extension Timestamp: LosslessStringConvertible {
  /// The instant of a text: RFC 3339 with any offset, or seconds since 1970; nil for any other text.
  ///
  /// `2026-05-02T06:31:00Z`, `2026-05-02T08:31:00.250+02:00`, `1777703460`. A number of 13 digits is
  /// milliseconds, one of 16 microseconds, one of 19 nanoseconds.
  public init?(_ text: String) {
    guard let time = TimeText.parse(Array(text.utf8).span) else { return nil }
    self = time
  }

  /// The instant in UTC as RFC 3339, with as many decimals as it needs: 3, 6 or 9.
  public var description: String {
    var bytes: [UInt8] = []
    TimeText.appendExactly(self, to: &bytes)
    return bytes.span.string
  }
}
