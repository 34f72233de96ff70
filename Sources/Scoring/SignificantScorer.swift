import Glibc
package import Tracking

/// Compares significant changes with the true path.
///
/// An event is false when the device truly moved by less than half of the distance since the
/// previous event. An event is required when, after the least interval, the device is truly the
/// distance away.
/// before. One is needed when, after the least interval, the device is truly the distance away.
package enum SignificantScorer {
  /// Scores the changes of a log that was produced with these rules.
  package static func score(
    _ truth: Truth, _ events: EventList, rules: SignificantChangeRules = SignificantChangeRules(),
    by: Grouping?
  ) -> ScoreSheet {
    var counts: [String: Counts] = [:]
    for device in truth.devices {
      let group = by.flatMap { $0.group(of: device) } ?? "all"
      let track = TrueTrack(truth.tracks[device.name] ?? [])
      counts[group, default: Counts(rules: rules)].add(
        events.changes[device.name] ?? [], track, device)
    }
    var sheet = ScoreSheet(kind: .significant)
    sheet.scores = counts.sorted { $0.key < $1.key }.map { $0.value.score(group: $0.key) }
    return sheet
  }

  private struct Counts {
    let rules: SignificantChangeRules
    var events = 0
    var falses = 0
    var needed = 0
    var missed = 0
    var stale = 0
    var samples = 0
    var days = 0.0
    var latencies: [Double] = []
    var errors: [Double] = []
    var displacements: [Double] = []

    mutating func add(
      _ all: [EventList.SignificantChange], _ track: TrueTrack, _ device: ScoredDevice
    ) {
      days += device.days
      let changes = all.sorted { a, b in
        (a.time, a.position.latitude, a.position.longitude)
          < (b.time, b.position.latitude, b.position.longitude)
      }
      var before: SphericalPosition?
      for (index, change) in changes.enumerated() {
        guard let position = track.position(at: change.time) else { continue }
        events += 1
        errors.append(change.position.distance(to: position))
        if let before {
          let displacement = position.distance(to: before)
          displacements.append(displacement)
          if displacement < rules.distance / 2 { falses += 1 }
        }
        before = position
        let next = index + 1 < changes.count ? changes[index + 1].time : nil
        addInterval(after: change, at: position, until: next, track)
      }
    }

    private mutating func addInterval(
      after change: EventList.SignificantChange, at position: SphericalPosition,
      until next: Double?, _ track: TrueTrack
    ) {
      let end = next ?? track.points.last?.time ?? change.time
      for point in track.points where point.time >= change.time && point.time < end {
        samples += 1
        if point.position.flatDistance(to: change.position) > 2 * rules.distance { stale += 1 }
      }
      let due = track.points.first { point in
        point.time >= change.time + rules.interval
          && point.position.flatDistance(to: position) >= rules.distance
      }
      guard let due else { return }
      needed += 1
      if let next { latencies.append(max(0, next - due.time)) } else { missed += 1 }
    }

    func score(group: String) -> Score {
      var score = Score(group: group)
      score.add("events", events)
      score.add("per_day", Double(events) / max(days, 1e-9), decimals: 2)
      score.add("false", falses)
      score.add("false_per_day", Double(falses) / max(days, 1e-9), decimals: 3)
      score.add("false_rate", Double(falses) / Double(max(1, events)))
      score.add("latency_med", 50, of: latencies)
      score.add("latency_p95", 95, of: latencies)
      score.add("missed", missed)
      score.add("needed", needed)
      score.add("stale_share", Double(stale) / Double(max(1, samples)))
      score.add("pos_err_med", 50, of: errors)
      score.add("pos_err_p95", 95, of: errors)
      score.add("displacement_med", 50, of: displacements)
      return score
    }
  }
}

/// The true position of a device, interpolated between the points of its track.
struct TrueTrack {
  let points: [Truth.TrackPoint]
  /// Longitudes that continue beyond ±180 where the antimeridian is crossed.
  private let longitudes: [Double]

  init(_ points: [Truth.TrackPoint]) {
    self.points = points
    var unwrapped: [Double] = []
    for point in points {
      let last = unwrapped.last ?? point.position.longitude
      unwrapped.append(last + (point.position.longitude - last).remainder(dividingBy: 360))
    }
    longitudes = unwrapped
  }

  /// The position at a time, constant beyond the ends; nil on an empty track.
  func position(at time: Double) -> SphericalPosition? {
    guard let first = points.first, let last = points.last else { return nil }
    if time <= first.time { return first.position }
    if time >= last.time { return last.position }
    var (low, high) = (0, points.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].time <= time { low = middle } else { high = middle }
    }
    let share = (time - points[low].time) / (points[high].time - points[low].time)
    let north = points[high].position.latitude - points[low].position.latitude
    let longitude = longitudes[low] + (longitudes[high] - longitudes[low]) * share
    return SphericalPosition(
      latitude: points[low].position.latitude + north * share,
      longitude: longitude.remainder(dividingBy: 360))
  }
}

extension SphericalPosition {
  /// Metres on a flat map around `other`, accurate to a percent over some kilometres.
  fileprivate func flatDistance(to other: SphericalPosition) -> Double {
    let north = (latitude - other.latitude) * 110_574
    let east =
      (longitude - other.longitude).remainder(dividingBy: 360) * 111_320
      * cos(other.latitude * .pi / 180)
    return (north * north + east * east).squareRoot()
  }
}
