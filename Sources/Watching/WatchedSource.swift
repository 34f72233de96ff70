package import Receivers

/// A receiver or a gpsd that is watched, and the name of its device in events.
package struct WatchedSource: Sendable, Hashable {
  package let address: GPSDAddress
  package let device: String
  /// Whether the ships that its gpsd reports by AIS are devices too.
  package let hasShips: Bool
  /// Whether positions that its gpsd calls simulated are used.
  package let allowsSimulated: Bool
  /// A random number of the run, by which changes without a time differ from those of other runs; nil for
  /// none.
  package let start: UInt64?

  package init(
    address: GPSDAddress, device: String, hasShips: Bool = false, allowsSimulated: Bool = false,
    start: UInt64? = nil
  ) {
    self.address = address
    self.device = device
    self.hasShips = hasShips
    self.allowsSimulated = allowsSimulated
    self.start = start
  }
}
