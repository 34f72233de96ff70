package import Geodesy
package import Tracking

/// A fence whose true crossings are computed.
package struct ReferenceFence: Sendable, Hashable {
  package var id: String
  package var area: ReferenceArea
  /// Seconds inside after which a dwell is due, nil for no dwell.
  package var dwell: Double?

  package init(id: String, area: ReferenceArea, dwell: Double? = nil) {
    self.id = id
    self.area = area
    self.dwell = dwell
  }
}

/// A true crossing or dwell at a fence.
package struct TrueCrossing: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case enter, exit, dwell
  }

  package var kind: Kind
  package var fence: String
  package var time: Timestamp
  package var coordinate: Coordinate
}

extension TruePath {
  /// The true crossings of the fences, in order of time; starting inside is not an enter.
  ///
  /// The path is sampled 10 times a second, or less often where no crossing can be missed, and
  /// every crossing is refined to a microsecond by bisection.
  package func crossings(of fences: [ReferenceFence]) -> [TrueCrossing] {
    fences.flatMap(crossings(of:)).sorted { a, b in
      (a.time, a.fence, a.kind.rawValue) < (b.time, b.fence, b.kind.rawValue)
    }
  }

  private static var step: Double { 0.1 }
  private static var resolution: Double { 1e-6 }

  private func crossings(of fence: ReferenceFence) -> [TrueCrossing] {
    var found: [TrueCrossing] = []
    guard var isInside = contains(at: 0, fence.area) else { return found }
    var second = 0.0
    while second < duration {
      let next = nextSample(after: second, at: fence.area)
      guard let after = contains(at: next, fence.area) else { break }
      if after != isInside {
        let moment = change(between: second, and: next, to: after, of: fence.area)
        report(after ? .enter : .exit, of: fence, at: moment, into: &found)
      }
      (isInside, second) = (after, next)
    }
    return fence.dwell.map { addingDwells(after: $0, of: fence, to: found) } ?? found
  }

  private func contains(at second: Double, _ area: ReferenceArea) -> Bool? {
    state(at: second).map { area.contains($0.coordinate) }
  }

  private func nextSample(after second: Double, at area: ReferenceArea) -> Double {
    guard let state = state(at: second), let (end, topSpeed) = motionBound(at: second) else {
      return duration
    }
    guard topSpeed > 0 else { return end }
    let sure = area.leastDistanceToEdge(from: state.coordinate) / topSpeed
    return min(second + max(sure, Self.step), max(end, second + Self.step), duration)
  }

  private func change(
    between start: Double, and end: Double, to after: Bool, of area: ReferenceArea
  ) -> Double {
    var (low, high) = (start, end)
    while high - low > Self.resolution {
      let middle = (low + high) / 2
      if contains(at: middle, area) == after { high = middle } else { low = middle }
    }
    return (low + high) / 2
  }

  private func report(
    _ kind: TrueCrossing.Kind, of fence: ReferenceFence, at second: Double,
    into found: inout [TrueCrossing]
  ) {
    guard let state = state(at: second) else { return }
    found.append(
      TrueCrossing(
        kind: kind, fence: fence.id, time: start.advanced(bySeconds: second),
        coordinate: state.coordinate))
  }

  /// A dwell is due when neither an exit nor the end of the path follows the enter within the dwell
  /// time.
  private func addingDwells(
    after dwell: Double, of fence: ReferenceFence, to crossings: [TrueCrossing]
  ) -> [TrueCrossing] {
    var all: [TrueCrossing] = []
    for (index, crossing) in crossings.enumerated() {
      all.append(crossing)
      guard crossing.kind == .enter else { continue }
      let due = crossing.time.seconds(since: start) + dwell
      let leaves =
        index + 1 < crossings.count
        ? crossings[index + 1].time.seconds(since: start) : duration
      if due <= leaves { report(.dwell, of: fence, at: due, into: &all) }
    }
    return all
  }
}
