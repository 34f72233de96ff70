internal import Services

extension LocationService {
  /// Where the device is: the last location that is known, then every fix.
  public var locations: LocationStream<CLLocation> {
    LocationStream(self, .locations) { notice in
      guard case .locations(let reports, _) = notice else { return nil }
      return reports.last.map { CLLocation($0) }
    }
  }

  /// What happens from now on: regions that are entered and left, stays, significant changes.
  ///
  /// Regions are those that managers monitor. Nothing of the past is told.
  public var events: LocationStream<LocationEvent> {
    LocationStream(self, [.events, .visits, .significantChanges]) { LocationEvent($0) }
  }

  /// Stays at a place: the one that goes on, if there is one, then each arrival and departure.
  public var visits: LocationStream<CLVisit> {
    LocationStream(self, .visits) { notice in
      guard case .visit(let stay) = notice else { return nil }
      return CLVisit(stay)
    }
  }
}
