/// The time between two sparse fixes, at the first of which a device was still at a place.
struct SparseGap {
  /// How long it is.
  var seconds: Double
  /// How far from the place the second fix is, metres.
  var distance: Double
  /// The speed of the device there, metres per second; 0 when it is not known.
  var speed: Double

  /// How much faster than it was seen a device may have been: it may have stopped between two fixes.
  private static let fasterBy = 2.0
  /// One sigma of the way, as a share of the time that it takes.
  private static let waySigma = 0.2

  /// When the device left, seconds after the gap began, and one sigma of that.
  ///
  /// It left when it must have to be where the second fix is: not earlier than at ``Rhythm/speedShare`` of the
  /// speed at which it was seen, as ways are longer than the straight line, and not later than at twice that
  /// speed, or twice what is usual for the way.
  var departure: (offset: Double, sigma: Double) {
    let slow = max(Rhythm.speedShare * speed, distance / seconds, 1e-3)
    let fast = Self.fasterBy * max(slow, speed, Rhythm.usualSpeed(over: distance))
    let (first, last) = (seconds - distance / slow, seconds - distance / fast)
    let offset = max(first + last, 0) / 2
    return (offset, max((last - first) / 12.0.squareRoot(), Self.waySigma * (seconds - offset)))
  }
}
