package import Tracking

/// Compares significant changes with the true path.
///
/// An event is false when the device truly moved by less than half of the distance since the
/// previous event. An event is required when, after the least interval, the device is truly the
/// distance away.
package enum SignificantScorer {
  /// Scores the changes of a log that was produced with these rules.
  package static func score(
    _ truth: Truth, _ events: EventList, rules: SignificantChangeRules = SignificantChangeRules(),
    by: Grouping?
  ) -> ScoreSheet {
    var counts: [String: Counts] = [:]
    for device in truth.devices {
      let group = by.flatMap { $0.group(of: device) } ?? "all"
      let track = TrueTrack(truth.tracks[device.exactName] ?? [])
      counts[group, default: Counts(rules: rules)].add(
        events.changes(of: device.name), track, device)
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
      for point in track.points(from: change.time, until: end) {
        samples += 1
        if point.position.flatDistance(to: change.position) > 2 * rules.distance { stale += 1 }
      }
      let due = track.firstPoint(
        from: change.time + rules.interval, atLeast: rules.distance, from: position)
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
