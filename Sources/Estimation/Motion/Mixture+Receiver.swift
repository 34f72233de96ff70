extension Mixture {
  /// Takes what another hypothesis has learnt of how the receiver errs and repeats positions.
  @inline(__always)
  mutating func takeReceiver(of other: Mixture) {
    accuracy = other.accuracy
    refresh = other.refresh
    scatter = other.scatter
  }
}
