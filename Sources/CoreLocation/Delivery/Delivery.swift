internal import Services

/// Something a manager is to do on its thread.
enum Delivery: Sendable {
  /// Tell its delegate of locations, oldest first.
  case locations([CLLocation], Notice.Service)
  /// Tell its delegate what the core found, other than locations; see ``Telling``.
  case notice(Notice)
  /// What the shell itself has to say: answers to requests that no core knows of.
  case call(@Sendable (CLLocationManager) -> Void)

  /// How many locations of standard updates it holds.
  var standardCount: Int {
    if case .locations(let locations, .standard) = self { locations.count } else { 0 }
  }

  /// How much room it takes: a location each, or one.
  var weight: Int {
    if case .locations(let locations, _) = self { locations.count } else { 1 }
  }

  /// Whether it is about the region with this identifier.
  func isAbout(region identifier: String) -> Bool {
    guard case .notice(let notice) = self else { return false }
    return switch notice {
    case .state(_, let region), .entered(let region), .exited(let region):
      region.identifier == identifier
    default: false
    }
  }

  /// Takes in the locations of `next`, if both are of standard updates; false when they are not.
  mutating func merge(_ next: Delivery) -> Bool {
    guard case .locations(let new, .standard) = next,
      case .locations(var locations, .standard) = self,
      locations.count + new.count <= Self.longestBatch
    else { return false }
    // Not referred to twice, the array grows where it is.
    self = .locations([], .standard)
    locations += new
    self = .locations(locations, .standard)
    return true
  }

  /// Loses its oldest location.
  mutating func dropFirstLocation() {
    guard case .locations(var locations, let service) = self else { return }
    locations.removeFirst()
    self = .locations(locations, service)
  }

  /// Most locations in one call of a delegate.
  ///
  /// More come in several calls, so that to lose the oldest of a batch moves few others.
  private static let longestBatch = 1_000
}
