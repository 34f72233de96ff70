import ArgumentParser
import Text

/// Lengths and times on the command line, as in a config: a number, or one with its unit.
enum MeasureArgument {
  /// Metres, above 0.
  @Sendable static func length(_ text: String) throws -> Double {
    guard let metres = Measure.length(text), metres > 0 else {
      throw ValidationError("'\(text)' is not a length: expected one above 0 such as 500m or 2km")
    }
    return metres
  }

  /// Seconds, 0 or more.
  @Sendable static func duration(_ text: String) throws -> Double {
    guard let seconds = Measure.duration(text), seconds >= 0 else {
      throw ValidationError("'\(text)' is not a time: expected one such as 300s or 5min")
    }
    return seconds
  }
}
