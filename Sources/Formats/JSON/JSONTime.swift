internal import Text
import Tracking

/// How a member spells a time.
enum JSONTime: Sendable {
  /// RFC 3339, or a number whose size shows its unit.
  case automatic
  /// Milliseconds since 1970: before September 2001 they have fewer than 13 digits.
  case milliseconds

  /// The instant; nil when the value is no time.
  func instant(_ value: JSONToken, _ bytes: Span<UInt8>) -> Timestamp? {
    value.plainBytes(bytes) {
      switch self {
      case .automatic: TimeText.parse($0)
      case .milliseconds: TimeText.parseMilliseconds($0)
      }
    }
  }

  /// What was expected in place of a value that is no time, for messages.
  func expectation(for value: JSONToken, _ bytes: Span<UInt8>) -> String {
    value.plainBytes(bytes) {
      TimeText.expectation(for: $0, usual, takesNumbers: true)
    } ?? usual
  }

  private var usual: String {
    switch self {
    case .automatic: FixField.time.expectation
    case .milliseconds: "a number of milliseconds since 1970"
    }
  }
}
