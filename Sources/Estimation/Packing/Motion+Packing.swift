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
  ) {
    var (hasMap, hasHorizon) = (value.map != nil, value.horizon != nil)
    var hasFilter = MotionFilter.isThere(&value.filter)
    var hasStart = keepsHistory && MotionFilter.isThere(&value.start)
    var hasMiddle = keepsHistory && MotionFilter.isThere(&value.middle)
    coder.code(flags: &hasFilter, &hasMap, &hasHorizon, &hasStart, &hasMiddle)
    coder.code(&value.map, if: hasMap)
    coder.code(&value.horizon, if: hasHorizon)
    let last = measurement(of: lastFix, on: value.map)
    MotionFilter.code(&value.filter, if: hasFilter, lastFix: last, &coder)
    var length = keepsHistory ? value.recent.count : 0
    coder.code(length: &length)
    MotionFilter.code(&value.start, if: hasStart, lastFix: last, &coder)
    MotionFilter.code(&value.middle, if: hasMiddle, lastFix: last, &coder)
    if length > 0 {
      coder.code(count: &value.middleCount)
      coder.require(value.middleCount <= length)
    } else if Coder.isReading {
      value.middleCount = 0
    }
    coder.code(elements: length, of: &value.recent)
    SmoothingWindow.code(&value.window, lastFix: last, &coder)
  }

  /// The same as ``estimate``; mutating, although it changes nothing, because the state would be copied.
  mutating func estimated() -> Estimate? {
    guard let map else { return nil }
    return filter?.estimate(on: map).0
  }

  /// The measurement of a fix; nil without a fix or a map.
  private static func measurement(of fix: Fix?, on map: LocalFrame?) -> FixMeasurement? {
    guard let map, let fix, let time = fix.time else { return nil }
    return FixMeasurement(fix, at: time, place: map.vector(to: fix.coordinate), on: map)
  }
}

extension MotionFilter {
  /// Whether there is a filter.
  ///
  /// It changes nothing; it is inout, as a filter that is compared with nil is copied.
  @inline(__always)
  fileprivate static func isThere(_ filter: inout MotionFilter?) -> Bool {
    filter?.alternative.isEmpty != nil
  }

  /// A filter that is read goes over the one before: it is large.
  fileprivate static func code<Coder: StateCoder>(
    _ filter: inout MotionFilter?, if isThere: Bool, lastFix: FixMeasurement?, _ coder: inout Coder
  ) {
    if Coder.isReading, isThere != Self.isThere(&filter) {
      filter = isThere ? MotionFilter(mixture: .blank) : nil
    }
    guard isThere else { return }
    filter?.code(lastFix: lastFix, &coder)
  }

  mutating func code<Coder: StateCoder>(
    lastFix: FixMeasurement?, _ coder: inout Coder
  ) {
    Mixture.code(&mixture, lastFix: lastFix, &coder)
    var (hasAlternative, isAsleep) = (!alternative.isEmpty, asleep != nil)
    var wasAsleep = alternative.first?.silence != nil
    coder.code(flags: &hasAlternative, &isAsleep, &wasAsleep)
    coder.code(&asleep, if: isAsleep)
    guard hasAlternative else {
      if Coder.isReading, !alternative.isEmpty { alternative = [] }
      return
    }
    var candidate = alternative.first ?? Alternative(.blank, gap: 0)
    Mixture.code(&candidate.mixture, lastFix: lastFix, &coder)
    coder.code(&candidate.last)
    coder.code(&candidate.since)
    coder.code(&candidate.gap)
    coder.code(&candidate.silence, if: wasAsleep)
    coder.code(count: &candidate.count)
    if Coder.isReading { alternative = [candidate] }
  }
}
