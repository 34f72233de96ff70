package import Receivers

/// A receiver or a gpsd that is watched, and the name of its device in events.
package struct WatchedSource: Sendable, Hashable {
  package let address: GPSDAddress
  package let device: String

  package init(address: GPSDAddress, device: String) {
    self.address = address
    self.device = device
  }
}
