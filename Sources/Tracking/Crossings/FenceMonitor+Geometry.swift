internal import Geodesy

/// The naive rule: inside is where the last fix lies in the area or on its edge.
///
/// Between two fixes the device went along the geodesic at even speed, so a crossing has a place and
/// a time, and a fence that was passed between two fixes gives its enter and its exit.
extension FenceMonitor {
  /// Crossings of one fence's edge on the way between two fixes.
  ///
  /// Over a gap of more than ``Rules/passageGap`` only a change of side is reported
  /// (Docs/Decisions/0009-passages-and-gaps.md).
  mutating func follow(
    _ step: Step, _ index: Int, _ fence: FenceSet.Member, _ rules: Rules, _ events: inout [Event]
  ) {
    fence.area.crossings(
      from: step.from.coordinate, to: step.to.coordinate, into: &fractions.value)
    if step.duration > rules.passageGap { keepChangeOfSide(index) }
    guard !fractions.value.isEmpty else { return }
    cross(step, index, fence, rules.fences, &events)
    fractions.value.removeAll(keepingCapacity: true)
  }

  /// Over a gap in which anything may have happened, the crossing that led to where the device is:
  /// the last way in or the first way out.
  private mutating func keepChangeOfSide(_ index: Int) {
    guard let first = fractions.value.first, let last = fractions.value.last else { return }
    let isChange = fractions.value.count % 2 == 1
    let wasInside = stay(of: index) != nil
    fractions.value.removeAll(keepingCapacity: true)
    if isChange { fractions.value.append(wasInside ? first : last) }
  }

  /// Turns the crossings of one fence into events.
  private mutating func cross(
    _ step: Step, _ index: Int, _ fence: FenceSet.Member, _ set: FenceSet, _ events: inout [Event]
  ) {
    let way = GeodesicStep(step)
    for position in firstCrossing(step, index)..<fractions.value.count {
      let fraction = fractions.value[position]
      let place = way.crossing(fractions.value, at: position, of: fence.area)
      if let stay = stay(of: index) {
        let time = max(step.time(at: fraction), stays[stay].dwelt ?? stays[stay].since)
        reportDwell(stay, by: time, set, &events, at: way.moment)
        leave(stay, fence, place, Moment(way, fraction, time: time), &events)
      } else {
        enter(index, fence, place, Moment(way, fraction, time: step.time(at: fraction)), &events)
      }
    }
  }

  /// The first crossing that can be reported.
  ///
  /// A dwell that was reported in a silence stays valid: the device was inside until then. Earlier pairs
  /// of exit and enter are skipped; a last exit is reported.
  private func firstCrossing(_ step: Step, _ index: Int) -> Int {
    guard let stay = stay(of: index), let dwelt = stays[stay].dwelt, dwelt > step.start else {
      return 0
    }
    let early = fractions.value.prefix { step.time(at: $0) < dwelt }.count
    return early - early % 2
  }

}
