package import Estimation
package import Geodesy

/// A stay as the maker of a trace reports it, which is not one that the engine found.
package struct ReportedVisit: Sendable, Hashable {
  /// The type of its line in a log.
  package static let type = "reported visit"

  package var arrival: Timestamp
  /// Nil when it is not known.
  package var departure: Timestamp?
  package var coordinate: Coordinate

  package init(arrival: Timestamp, departure: Timestamp?, coordinate: Coordinate) {
    self.arrival = arrival
    self.departure = departure
    self.coordinate = coordinate
  }
}
