/// Something in a valid config that may surprise.
package struct ConfigurationFinding: Sendable, Hashable, CustomStringConvertible {
  package enum Severity: String, Sendable, Hashable {
    /// It may well be meant so.
    case note
    /// It is hardly meant so.
    case warning
  }

  package var severity: Severity
  package var place: ConfigurationPlace
  /// One sentence without a full stop and without the place.
  package var sentence: String

  package init(_ severity: Severity, _ place: ConfigurationPlace, _ sentence: String) {
    self.severity = severity
    self.place = place
    self.sentence = sentence
  }

  package var description: String { "\(place): \(severity.rawValue): \(sentence)" }
}
