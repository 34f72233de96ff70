internal import Geodesy
internal import Packing

extension FenceMonitor {
  /// Fences that are far away need no bytes.
  static func code<Coder: StateCoder>(
    _ value: inout FenceMonitor, _ coder: inout Coder
  ) {
    // They are computed again.
    if Coder.isReading {
      value.neighbourhood.clear()
      value.clearances.clear()
    }
    coder.code(&value.stays)
    PendingFences.code(&value.pending, &coder)
    coder.code(&value.undecided)
    coder.code(&value.edges)
    coder.code(optional: &value.resolved)
  }
}

extension FenceMonitor.Stay: Packable {
  static var blank: Self { Self(fence: 0, since: .blank) }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(count: &value.fence)
    coder.code(&value.since)
    coder.code(optional: &value.dwelt)
  }
}

extension FenceMonitor.Undecided: Packable {
  static var blank: Self { Self(fence: 0) }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(count: &value.fence)
    coder.code(optional: &value.since)
    coder.code(optional: &value.lost)
  }
}

extension FenceMonitor.LostStay: Packable {
  static var blank: Self { Self(since: .blank, heard: .blank, forgotten: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.since)
    coder.code(optional: &value.dwelt)
    coder.code(&value.heard)
    coder.code(&value.forgotten)
  }
}

extension PendingFences {
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout PendingFences, _ coder: inout Coder
  ) {
    var (areAll, list) = (value.areAll, value.list)
    coder.code(flags: &areAll)
    coder.code(&list)
    coder.require(!areAll || list.isEmpty)
    if Coder.isReading { value = areAll ? .all : PendingFences(list) }
  }
}

extension EdgeState: Packable {
  static var blank: EdgeState { EdgeState(fence: 0, seen: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout EdgeState, _ coder: inout Coder
  ) {
    coder.code(count: &value.fence)
    coder.code(&value.seen)
    var (hasCrossing, hasBack) = (value.crossing != nil, value.back != nil)
    coder.code(flags: &hasCrossing, &hasBack)
    coder.code(&value.crossing, if: hasCrossing)
    coder.code(&value.back, if: hasBack)
    coder.code(&value.peak)
    coder.code(optional: &value.sure)
    coder.code(&value.confidence)
    coder.code(optional: &value.turned)
    coder.code(optional: &value.beyond)
  }
}

extension EdgeState.Candidate: Packable {
  static var blank: Self {
    let fix = Fix(time: .blank, coordinate: .blank)
    return Self(moment: Moment(fix, time: .blank, decided: .blank), timeUncertainty: 0)
  }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.moment.time)
    coder.code(&value.moment.decided)
    coder.code(&value.moment.coordinate)
    coder.code(optional: &value.moment.horizontalAccuracy)
    coder.code(optional: &value.moment.speed)
    coder.code(optional: &value.moment.course)
    coder.code(&value.timeUncertainty)
    coder.code(flags: &value.isLate)
  }
}
