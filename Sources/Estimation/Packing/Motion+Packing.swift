internal import Geodesy
internal import Packing

extension Motion {
  /// The filter, and the history by which late fixes are inserted in order.
  ///
  /// - Parameters:
  ///   - lastFix: The device's last fix, which is known when this is read.
  ///   - keepsHistory: Whether late fixes can still be inserted; otherwise the history is not written.
  ///     A reader ignores it.
  static func code<Coder: StateCoder>(
    _ value: inout Motion, lastFix: Fix?, keepsHistory: Bool, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (hasFilter, hasMap, hasHorizon) =
      (value.filter != nil, value.map != nil, value.horizon != nil)
    var hasStart = keepsHistory && value.start != nil
    var hasMiddle = keepsHistory && value.middle != nil
    try coder.code(flags: &hasFilter, &hasMap, &hasHorizon, &hasStart, &hasMiddle)
    try coder.code(&value.map, if: hasMap)
    try coder.code(&value.horizon, if: hasHorizon)
    let last = value.measurement(of: lastFix)
    try coder.code(&value.filter, if: hasFilter, lastFix: last)
    var length = keepsHistory ? value.recent.count : 0
    try coder.code(length: &length)
    try coder.code(&value.start, if: hasStart, lastFix: last)
    try coder.code(&value.middle, if: hasMiddle, lastFix: last)
    if length > 0 {
      try coder.code(count: &value.middleCount)
      try coder.require(value.middleCount <= length)
    } else if Coder.isReading {
      value.middleCount = 0
    }
    try coder.code(elements: length, of: &value.recent)
    try SmoothingWindow.code(&value.window, lastFix: last, &coder)
  }

  /// The measurement of a fix; nil without a fix or a map.
  private func measurement(of fix: Fix?) -> FixMeasurement? {
    guard let map, let fix, let time = fix.time else { return nil }
    return FixMeasurement(fix, at: time, place: map.vector(to: fix.coordinate), on: map)
  }
}

extension StateCoder {
  mutating func code(
    _ filter: inout MotionFilter?, if isThere: Bool, lastFix: FixMeasurement?
  ) throws(Failure) {
    guard isThere else {
      if Self.isReading { filter = nil }
      return
    }
    if Self.isReading { filter = MotionFilter(mixture: .blank) }
    // In place: it is large.
    try filter?.code(lastFix: lastFix, &self)
  }
}

extension MotionFilter {
  fileprivate mutating func code<Coder: StateCoder>(
    lastFix: FixMeasurement?, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try Mixture.code(&mixture, lastFix: lastFix, &coder)
    var hasAlternative = !alternative.isEmpty
    try coder.code(flags: &hasAlternative)
    guard hasAlternative else {
      if Coder.isReading { alternative = [] }
      return
    }
    var candidate = alternative.first ?? Alternative(.blank, gap: 0)
    try Mixture.code(&candidate.mixture, lastFix: lastFix, &coder)
    try coder.code(&candidate.last)
    try coder.code(&candidate.since)
    try coder.code(&candidate.gap)
    try coder.code(count: &candidate.count)
    if Coder.isReading { alternative = [candidate] }
  }
}
