/// A warning or note about a valid config.
package struct ConfigurationDiagnostic: Sendable, Hashable, CustomStringConvertible {
  package enum Severity: String, Sendable, Hashable {
    /// Possibly intended.
    case note
    /// Probably not intended.
    case warning
  }

  package var severity: Severity
  package var place: ConfigurationPlace
  /// One sentence without the place and without a full stop.
  package var sentence: String

  package init(_ severity: Severity, _ place: ConfigurationPlace, _ sentence: String) {
    self.severity = severity
    self.place = place
    self.sentence = sentence
  }

  package var description: String { "\(place): \(severity.rawValue): \(sentence)" }
}
