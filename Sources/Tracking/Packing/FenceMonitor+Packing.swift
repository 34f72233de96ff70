internal import Geodesy
internal import Packing

extension FenceMonitor {
  /// Fences that are far away need no bytes.
  static func code<Coder: StateCoder>(
    _ value: inout FenceMonitor, _ coder: inout Coder
  ) throws(Coder.Failure) {
    // They are computed again.
    if Coder.isReading {
      value.neighbourhood.clear()
      value.clearances.clear()
    }
    try coder.code(&value.stays)
    try PendingFences.code(&value.pending, &coder)
    try coder.code(&value.undecided)
    try coder.code(&value.edges)
    try coder.code(optional: &value.resolved)
  }
}

extension FenceMonitor.Stay: Packable {
  static var blank: Self { Self(fence: 0, since: .blank) }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(count: &value.fence)
    try coder.code(&value.since)
    try coder.code(optional: &value.dwelt)
  }
}

extension FenceMonitor.Undecided: Packable {
  static var blank: Self { Self(fence: 0) }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(count: &value.fence)
    try coder.code(optional: &value.since)
    try coder.code(optional: &value.lost)
  }
}

extension FenceMonitor.LostStay: Packable {
  static var blank: Self { Self(since: .blank, heard: .blank, forgotten: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.since)
    try coder.code(optional: &value.dwelt)
    try coder.code(&value.heard)
    try coder.code(&value.forgotten)
  }
}

extension PendingFences {
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout PendingFences, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (areAll, list) = (value.areAll, value.list)
    try coder.code(flags: &areAll)
    try coder.code(&list)
    try coder.require(!areAll || list.isEmpty)
    if Coder.isReading { value = areAll ? .all : PendingFences(list) }
  }
}

extension EdgeState: Packable {
  static var blank: EdgeState { EdgeState(fence: 0, seen: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout EdgeState, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(count: &value.fence)
    try coder.code(&value.seen)
    var (hasCrossing, hasBack) = (value.crossing != nil, value.back != nil)
    try coder.code(flags: &hasCrossing, &hasBack)
    try coder.code(&value.crossing, if: hasCrossing)
    try coder.code(&value.back, if: hasBack)
    try coder.code(&value.peak)
    try coder.code(optional: &value.sure)
    try coder.code(&value.confidence)
    try coder.code(optional: &value.turned)
    try coder.code(optional: &value.beyond)
  }
}

extension EdgeState.Candidate: Packable {
  static var blank: Self {
    let fix = Fix(time: .blank, coordinate: .blank)
    return Self(moment: Moment(fix, time: .blank, decided: .blank), timeUncertainty: 0)
  }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.moment.time)
    try coder.code(&value.moment.decided)
    try coder.code(&value.moment.coordinate)
    try coder.code(optional: &value.moment.horizontalAccuracy)
    try coder.code(optional: &value.moment.speed)
    try coder.code(optional: &value.moment.course)
    try coder.code(&value.timeUncertainty)
    try coder.code(flags: &value.isLate)
  }
}
