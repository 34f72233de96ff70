internal import Services

/// One entry of a manager's queue, handled on the manager's thread.
enum Delivery: Sendable {
  /// Locations for the delegate, oldest first.
  case locations([CLLocation], Notice.Service)
  /// A notice of the core for the delegate, other than locations; see ``DeliveryConverter``.
  case notice(Notice)
  /// A call for requests that the core does not handle.
  case call(@Sendable (CLLocationManager) -> Void)

  /// The number of locations of standard updates in it.
  var standardCount: Int {
    if case .locations(let locations, .standard) = self { locations.count } else { 0 }
  }

  /// How much of a queue's capacity it takes: its locations, or one.
  var weight: Int {
    if case .locations(let locations, _) = self { locations.count } else { 1 }
  }

  /// Whether it is a heading.
  var isHeading: Bool { if case .notice(.heading) = self { true } else { false } }

  /// Whether it is about the region with this identifier.
  func isAbout(region identifier: String) -> Bool {
    guard case .notice(let notice) = self else { return false }
    return switch notice {
    case .state(_, let region), .entered(let region), .exited(let region):
      region.identifier == identifier
    default: false
    }
  }

  /// Appends the locations of `next` if both are of standard updates; false if they are not.
  mutating func merge(_ next: Delivery) -> Bool {
    guard case .locations(let new, .standard) = next,
      case .locations(var locations, .standard) = self,
      locations.count + new.count <= Self.longestBatch
    else { return false }
    // With a single reference the array grows in place.
    self = .locations([], .standard)
    locations += new
    self = .locations(locations, .standard)
    return true
  }

  /// Drops its oldest location.
  mutating func dropFirstLocation() {
    guard case .locations(var locations, let service) = self else { return }
    locations.removeFirst()
    self = .locations(locations, service)
  }

  /// Most locations in one call of a delegate.
  ///
  /// More are split over several calls; dropping the oldest of a batch then moves few others.
  private static let longestBatch = 1_000
}
