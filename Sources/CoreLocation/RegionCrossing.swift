public import Foundation

/// A crossing of a region's edge.
public struct RegionCrossing: Sendable {
  /// The direction of the crossing.
  public enum Direction: Sendable, Hashable {
    /// Into the region.
    case entered
    /// Out of the region.
    case exited
  }

  /// The identifier of the region.
  public let region: String
  /// The direction of the crossing.
  public let direction: Direction
  /// When it happened, between the fixes.
  public let time: Date
  /// One sigma of the time, seconds; nil when unknown.
  public let timeUncertainty: TimeInterval?
  /// The probability that it happened; nil if the fixes have no accuracy.
  public let confidence: Double?
  /// Where it happened.
  public let coordinate: CLLocationCoordinate2D

  /// Nil for other events than crossings.
  init?(_ event: LocationEvent) {
    switch event.kind {
    case .entered(let region): (self.region, direction) = (region, .entered)
    case .exited(let region): (self.region, direction) = (region, .exited)
    case .significantChange, .arrived, .departed: return nil
    }
    time = event.time
    timeUncertainty = event.timeUncertainty
    confidence = event.confidence
    coordinate = event.coordinate
  }
}
