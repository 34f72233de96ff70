internal import Services

extension LocationService {
  /// All locations: the last known one, then every fix.
  public var locations: LocationStream<CLLocation> {
    LocationStream(self, .locations) { notice in
      guard case .locations(let locations, _) = notice else { return nil }
      return locations.last.map { CLLocation($0) }
    }
  }

  /// Events from now on: entries and exits of regions, stays, significant changes.
  ///
  /// The regions are those that managers monitor.
  public var events: LocationStream<LocationEvent> {
    LocationStream(self, [.events, .visits, .significantChanges]) { LocationEvent($0) }
  }

  /// Stays at a place: the current one, if any, then each arrival and departure.
  public var visits: LocationStream<CLVisit> {
    LocationStream(self, .visits) { notice in
      guard case .visit(let stay) = notice else { return nil }
      return CLVisit(stay)
    }
  }
}
