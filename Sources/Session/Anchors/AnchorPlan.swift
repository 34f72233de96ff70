internal import Geodesy
package import Tracking

/// A fence whose place is that of the device when it is set: `center: here`.
package struct AnchorPlan: Sendable, Hashable, Codable {
  /// When a device counts as under way.
  package struct UnderWay: Sendable, Hashable, Codable {
    /// Metres per second that must be exceeded.
    package var speed = 1.5
    /// For how long, seconds.
    package var duration = 300.0

    package init() {}
  }

  /// The longest settling time, seconds.
  package static let longestSettling = 86_400.0

  /// Everything about the fence but its place.
  package var fence: Fence
  /// Metres.
  package var radius: Double
  /// How long fixes are collected whose median is the centre, seconds.
  package var settle = 30.0
  /// Takes the fence away under way; nil for never.
  package var underWay: UnderWay?

  package init(_ fence: Fence, radius: Double) {
    (self.fence, self.radius) = (fence, radius)
  }

  /// A plan with the usual settings.
  package init(id: String, radius: Double) {
    let nowhere = Circle(center: Coordinate(latitude: 0, longitude: 0), radius: radius)
    self.init(Fence(id: id, area: .circle(nowhere)), radius: radius)
  }
}
