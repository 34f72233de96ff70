import ArgumentParser
import Text
import Tracking

/// A time on the command line: RFC 3339, or a date alone, which is its midnight in UTC.
enum TimeArgument {
  @Sendable static func parse(_ text: String) throws -> Timestamp {
    let full = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    guard let time = RFC3339.parse(Array(full.utf8).span) else {
      let expected = TimeText.expectation(
        for: Array(full.utf8).span, "one like 2025-03-10T08:00:00Z, or a date like 2025-03-10")
      throw ValidationError("'\(text)' is not a time: expected \(expected)")
    }
    return time
  }
}
