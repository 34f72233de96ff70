internal import Delivering

extension UncheckedTransfer where Content: CLRegion {
  /// A copy of `region`, which its owner may change afterwards.
  init(copyOf region: Content) {
    let copy = region.copyWithDefaults() as? Content ?? region
    copy.notifyOnEntry = region.notifyOnEntry
    copy.notifyOnExit = region.notifyOnExit
    self.init(copy)
  }
}
