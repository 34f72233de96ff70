import Tracking

/// What a fix may state besides time and position.
package enum FixField: String, Sendable, Hashable, CaseIterable {
  case accuracy, speed, course, altitude
}

extension Fix {
  /// The fix without some fields.
  func without(_ fields: Set<FixField>) -> Fix {
    guard !fields.isEmpty else { return self }
    var fix = self
    for field in fields {
      switch field {
      case .accuracy: fix.horizontalAccuracy = nil
      case .speed: fix.speed = nil
      case .course: fix.course = nil
      case .altitude: fix.altitude = nil
      }
    }
    return fix
  }
}
