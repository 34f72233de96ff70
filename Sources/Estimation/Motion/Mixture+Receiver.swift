extension Mixture {
  /// Takes what another hypothesis has learnt of how the receiver errs.
  @inline(__always)
  mutating func takeReceiver(of other: Mixture) {
    accuracy = other.accuracy
    scatter = other.scatter
  }
}
