/// When a recording continues in a new file.
package enum RecordingRotation: Sendable, Hashable {
  case never
  /// Before a file exceeds this many bytes; a larger batch of lines is not split.
  case size(Int)
  /// When the day changes in the reports' time, in UTC.
  case day

  /// The accepted forms, for messages.
  package static let form = "a size such as 100MB or 1GB, from 1kB on, or day"

  /// Parses `day`, or a size with its unit: B, kB, MB, GB (powers of 1,000), KiB, MiB, GiB (of 1,024),
  /// in any case; nil for other texts.
  package init?(parsing text: String) {
    let text = text.lowercased()
    if text == "day" {
      self = .day
      return
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...].drop { $0 == " " }
    guard let count = Int(digits), let factor = Self.units[String(unit)] else { return nil }
    let (size, overflow) = count.multipliedReportingOverflow(by: factor)
    guard !overflow, size >= Self.smallestSize else { return nil }
    self = .size(size)
  }

  /// Smaller files would have little more than a header and a report or two.
  private static let smallestSize = 1_000
  private static let units = [
    "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000,
    "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
  ]
}
