public import Tracking

/// How a device stands to a fence at its last fix.
public struct FenceStanding: Sendable, Hashable {
  /// The id of the fence.
  public var fence: String
  /// The probability that the device is in the fence, 0...1.
  public var probability: Double
  /// Since when the events have it inside: the time of the enter, or when it was first seen inside; nil
  /// while they do not.
  ///
  /// Events wait for evidence, so this may be nil although the probability is high, and the other way
  /// round.
  public var since: Timestamp?

  /// Makes a standing, such as one that a test gives to a handler.
  ///
  /// - Parameters:
  ///   - fence: The id of the fence.
  ///   - probability: 0...1.
  ///   - since: Since when the events have the device inside.
  public init(fence: String, probability: Double, since: Timestamp?) {
    (self.fence, self.probability, self.since) = (fence, probability, since)
  }
}
