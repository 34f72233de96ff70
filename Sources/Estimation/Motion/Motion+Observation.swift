extension Motion {
  /// Where the device may be now; nil before the first fix.
  package var positions: PositionMixture? { now?.positions }
}
