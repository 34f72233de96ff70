/// The speed at which to play a recording, as the user gives it.
package enum PlaySpeed: Sendable, Hashable {
  case max
  /// Trace seconds a second, above 0.
  case times(Double)

  /// Parses `max` or a number above 0; nil for anything else.
  package init?(argument: String) {
    if argument == "max" {
      self = .max
    } else if let factor = Double(argument), factor > 0, factor.isFinite {
      self = .times(factor)
    } else {
      return nil
    }
  }

  /// Trace seconds a second, nil for no limit.
  package var factor: Double? {
    switch self {
    case .max: nil
    case .times(let factor): factor
    }
  }
}
