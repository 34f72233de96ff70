public import Foundation
internal import Services
internal import Tracking

/// An event of the engine: a crossing, a stay or a significant change.
public struct LocationEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// The device entered the region with this identifier.
    case entered(region: String)
    /// The device left the region with this identifier.
    case exited(region: String)
    /// The device is far from the position of the last significant change.
    case significantChange
    /// The device stays at a place; the arrival is nil if it was not observed.
    case arrived(arrival: Date?)
    /// The device has left a place; the arrival is nil if it was not observed.
    case departed(arrival: Date?, departure: Date)
  }

  /// What happened.
  public let kind: Kind
  /// When it happened: for a crossing the instant between the fixes, for a stay its beginning or end.
  public let time: Date
  /// When the engine decided it.
  public let decided: Date
  /// One sigma of the time of a crossing, seconds; nil when unknown and for other events.
  public let timeUncertainty: TimeInterval?
  /// The probability of the event; nil if the fixes have no accuracy.
  public let confidence: Double?
  /// Where it happened: the position of the crossing, or the centre of the stay.
  public let coordinate: CLLocationCoordinate2D
  /// The radius in metres that contains the true position with probability 0.68; negative when unknown.
  public let horizontalAccuracy: CLLocationAccuracy

  init?(_ notice: Notice) {
    switch notice {
    case .event(let event): self.init(event)
    case .locations(let locations, .significantChange):
      guard let location = locations.last else { return nil }
      self.init(significant: CLLocation(location))
    default: return nil
    }
  }

  private init(significant location: CLLocation) {
    kind = .significantChange
    time = location.timestamp
    decided = location.timestamp
    timeUncertainty = nil
    confidence = nil
    coordinate = location.coordinate
    horizontalAccuracy = location.horizontalAccuracy
  }

  private init?(_ event: Event) {
    switch event.statement {
    case .enter(let region, let crossing):
      kind = .entered(region: region)
      (timeUncertainty, confidence) = (crossing.timeUncertainty, crossing.confidence)
    case .exit(let region, let crossing, _):
      kind = .exited(region: region)
      (timeUncertainty, confidence) = (crossing.timeUncertainty, crossing.confidence)
    case .visit(let visit):
      let arrival = visit.isArrivalSeen ? Date(visit.arrival) : nil
      kind =
        visit.departure.map { .departed(arrival: arrival, departure: Date($0)) }
        ?? .arrived(arrival: arrival)
      (timeUncertainty, confidence) = (nil, visit.confidence)
    // An initial state is not an event; streams report the others in other ways.
    case .state, .dwell, .significantChange: return nil
    }
    time = Date(event.time)
    decided = Date(event.decided)
    coordinate = CLLocationCoordinate2D(event.coordinate)
    horizontalAccuracy = event.horizontalAccuracy ?? -1
  }
}
