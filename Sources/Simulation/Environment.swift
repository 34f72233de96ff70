/// What stands between the receiver and the sky.
package enum Environment: Sendable, Hashable, CaseIterable {
  /// Nothing: a field, the sea, a motorway.
  case open
  /// Low houses and trees.
  case suburb
  /// Streets between tall houses: signals come by way of walls.
  case canyon
  /// In a building.
  case indoor
  /// In a tunnel or a garage: no fix at all.
  case covered

  /// The usual spread of the correlated error here, one sigma an axis, in metres.
  package var usualSigma: Double {
    switch self {
    case .open: 3
    case .suburb: 5
    case .canyon: 12
    case .indoor: 10
    case .covered: 0
    }
  }

  /// How many outliers an hour a receiver gives here, by and large.
  package var usualOutliersPerHour: Double {
    switch self {
    case .open: 0.15
    case .suburb: 0.3
    case .canyon: 2
    case .indoor: 1
    case .covered: 0
    }
  }
}
