public import Foundation

/// A crossing of a region's edge.
public struct RegionCrossing: Sendable {
  /// Which way.
  public enum Direction: Sendable, Hashable {
    /// Into the region.
    case entered
    /// Out of the region.
    case exited
  }

  /// The identifier of the region.
  public let region: String
  /// Which way.
  public let direction: Direction
  /// When it happened, between the fixes.
  public let time: Date
  /// One sigma of the time, seconds; nil when unknown.
  public let timeUncertainty: TimeInterval?
  /// The probability that it happened; nil when the fixes gave no accuracy.
  public let confidence: Double?
  /// Where it happened.
  public let coordinate: CLLocationCoordinate2D

  /// Nil for events that are no crossings.
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
