/// What stands between the receiver and the sky.
package enum Environment: Sendable, Hashable, CaseIterable {
  /// Nothing: a field, the sea, a motorway.
  case open
  /// Low houses and trees.
  case suburb
  /// Streets between tall houses: signals arrive by reflection.
  case canyon
  /// On foot outside a building, at rest: a park, a schoolyard.
  case outdoor
  /// In a building.
  case indoor
  /// Deep in a large building: a mall, a gym in a cellar.
  case deepIndoor
  /// In a building whose wifi networks are familiar: positions come from these.
  case wifi
  /// In a tunnel or a garage: no fix at all.
  case covered

  /// Whether a roof blocks the sky, so only echoes are received.
  var isIndoor: Bool { self == .indoor || self == .deepIndoor || self == .wifi }

  /// The usual standard deviation of the correlated error here, per axis, in metres.
  package var usualSigma: Double {
    switch self {
    case .open: 3
    case .suburb: 5
    case .canyon: 12
    case .outdoor: 4
    case .indoor: 10
    case .deepIndoor: 22
    case .wifi: 4
    case .covered: 0
    }
  }

  /// The usual number of outliers per hour here.
  package var usualOutliersPerHour: Double {
    switch self {
    case .open: 0.15
    case .suburb: 0.3
    case .canyon: 2
    case .outdoor: 0.3
    case .indoor: 1
    case .deepIndoor: 2
    case .wifi: 0.2
    case .covered: 0
    }
  }
}
