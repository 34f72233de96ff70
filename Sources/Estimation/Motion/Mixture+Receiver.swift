/// What is learnt of how the receiver errs.
extension Mixture {
  /// At rest the innovation shows how much of the receiver's error is new with every fix.
  ///
  /// The innovation test of adaptive filtering (R. K. Mehra, 1970): the squared innovation over its
  /// expected variance is 1 on average when the noise is right. `n ← n e^(2 r (q − 1))` moves it
  /// there.
  mutating func learnWhiteness(
    _ measurement: FixMeasurement, _ transition: UnsafePointer<TransitionModel>, _ sigma: Double,
    _ noise: Double
  ) {
    let rest = Modes.rest
    guard modes.weight[rest] > 0.95, transition.pointee.elapsed < MotionModel.whitenessGap else {
      return
    }
    let kept = 1 - transition.pointee.bias
    let scale = sigma * kept
    let variance =
      Double(modes.pp[rest]) + MotionModel.restWander * transition.pointee.elapsed
      + 2 * scale * Double(modes.pb[rest]) + scale * scale * Double(modes.bb[rest])
      + sigma * sigma * (1 - kept * kept) + noise
    let dx = measurement.x - Double(modes.px[rest]) - scale * Double(modes.bx[rest])
    let dy = measurement.y - Double(modes.py[rest]) - scale * Double(modes.by[rest])
    let error = min((dx * dx + dy * dy) / (2 * variance), MotionModel.whitenessClip)
    whiteness *= Exponential.of(2 * transition.pointee.whiteness * (error - 1))
    whiteness = min(max(whiteness, MotionModel.leastWhiteness), MotionModel.mostWhiteness)
  }

  /// At rest the fixes show how far they scatter, whether their errors are slow or new with every fix.
  ///
  /// Many receivers claim far more than they err, so fixes that scatter little at a new place are no evidence
  /// that they are off there, if those at the old place scattered as little.
  mutating func learnScatter(
    _ measurement: FixMeasurement, _ sigma: Double, elapsed: Double
  ) {
    guard measurement.accuracy >= MotionModel.strayAccuracy else { return }
    let (rest, off) = (Modes.rest, Modes.off)
    // Fixes that are off by less than a sigma are at the place where the device rests.
    let offset = modes.bx[off] * modes.bx[off] + modes.by[off] * modes.by[off]
    let isHere = offset < Float(sigma * sigma)
    guard modes.weight[rest] + (isHere ? modes.weight[off] : 0) > 0.95 else { return }
    let dx = measurement.x - Double(modes.px[rest])
    let dy = measurement.y - Double(modes.py[rest])
    let variance = 2 * (sigma * sigma + Double(modes.pp[rest]))
    let seen = Float(min((dx * dx + dy * dy) / variance, MotionModel.whitenessClip))
    let known = scatter ?? 1
    scatter = known + Float(1 - Exponential.of(-elapsed / MotionModel.scatterTime)) * (seen - known)
  }

  /// Takes what another hypothesis has learnt of how the receiver errs.
  @inline(__always)
  mutating func takeReceiver(of other: Mixture) {
    accuracy = other.accuracy
    scatter = other.scatter
  }
}
