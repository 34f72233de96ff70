/// Compares enters and exits with the true crossings.
///
/// A required crossing is matched by an event of its kind within 120 s before and 300 s after it
/// (wider when no fix came around it), one to one, the nearest first. An event without a match is
/// ignored when it is within 120 s of an optional crossing (each explains one event). The first
/// event of a fence is also ignored when it is an enter in the first ten minutes of a device that
/// began inside. Any other event is false.
package enum FenceScorer {
  static let earliest = 120.0
  static let latest = 300.0
  static let optionalReach = 120.0
  static let initialSeconds = 600.0
  /// Times are written to a millisecond.
  static let leastSigma = 0.001

  /// Scores all fences of the truth, including those without an event.
  package static func score(_ truth: Truth, _ events: EventList, by: Grouping?) -> ScoreSheet {
    var counts: [String: Counts] = [:]
    for device in truth.devices {
      for fence in truth.fences[device.exactName] ?? [] {
        let group = by.map { $0.group(of: device) ?? fence.why } ?? "all"
        let key = Truth.Key(device: device.exactName, fence: fence.id)
        let match = FenceMatch(
          truth: truth.crossings[key] ?? [], events: events.crossings[key] ?? [],
          beginsInside: truth.beginsInside(fence, of: device), firstFix: device.firstFix)
        counts[group, default: Counts()].add(match, device)
      }
    }
    var sheet = ScoreSheet(kind: .fences)
    let groups = counts.sorted { $0.key < $1.key }
    sheet.scores = groups.map { $0.value.score(group: $0.key) }
    sheet.predictions = groups.flatMap(\.value.predictions)
    sheet.timeErrors = [("crossings", groups.flatMap { $0.value.offsets.map(abs) })]
    return sheet
  }

  private struct Counts {
    var required = 0
    var falses = ["enter": 0, "exit": 0]
    var ignored = 0
    var offsets: [Double] = []
    var gaplessErrors: [Double] = []
    var latencies: [Double] = []
    /// Errors of times with a stated sigma, in units of it.
    var normalizedErrors: [Double] = []
    var predictions: [Prediction] = []
    var fenceDays = 0.0
    var fences = 0
    var fencesWithFalse = 0
    var perfectFences = 0

    mutating func add(_ match: FenceMatch, _ device: ScoredDevice) {
      required += match.required.count
      ignored += match.ignored
      for event in match.falses { falses[event.kind, default: 0] += 1 }
      for hit in match.hits {
        offsets.append(hit.offset)
        if match.gap(of: hit) <= 2.2 * device.interval + 5 {
          gaplessErrors.append(abs(hit.offset))
        }
        if let sigma = match.events[hit.event].timeUncertainty {
          normalizedErrors.append(abs(hit.offset) / max(sigma, FenceScorer.leastSigma))
        }
        if let decided = match.events[hit.event].decided {
          latencies.append(decided - match.required[hit.crossing].last)
        }
      }
      predictions += match.predictions
      fenceDays += device.days
      fences += 1
      if !match.falses.isEmpty { fencesWithFalse += 1 }
      if match.falses.isEmpty, match.hits.count == match.required.count { perfectFences += 1 }
    }

    func score(group: String) -> Score {
      var score = Score(group: group)
      let allFalse = falses.values.reduce(0, +)
      let errors = offsets.map(abs)
      score.add(required: required, hits: offsets.count, falses: allFalse, ignored: ignored)
      score.add("false_enter_per_fence_day", Double(falses["enter"] ?? 0) / max(fenceDays, 1e-9))
      score.add("false_exit_per_fence_day", Double(falses["exit"] ?? 0) / max(fenceDays, 1e-9))
      score.add("fences_with_false", Double(fencesWithFalse) / Double(max(1, fences)))
      score.add("fences_perfect", Double(perfectFences) / Double(max(1, fences)))
      score.add("time_err_med", 50, of: errors)
      score.add("time_err_p95", 95, of: errors)
      score.add("time_err_med_nogap", 50, of: gaplessErrors)
      score.add("time_err_p95_nogap", 95, of: gaplessErrors)
      score.add("bias_med", 50, of: offsets)
      score.add("within_1_sigma", shareBelow: 1, of: normalizedErrors)
      score.add("within_2_sigma", shareBelow: 2, of: normalizedErrors)
      score.add("latency_med", 50, of: latencies)
      score.add("latency_p95", 95, of: latencies)
      score.add("fence_days", fenceDays, decimals: 1)
      return score
    }
  }
}

extension Truth {
  /// Whether a device is in a fence initially: by its crossings, or by its track when it has none.
  fileprivate func beginsInside(_ fence: Fence, of device: ScoredDevice) -> Bool {
    let key = Key(device: device.exactName, fence: fence.id)
    if let crossings = crossings[key], !crossings.isEmpty {
      return crossings.contains { $0.beginsInside }
    }
    guard let first = tracks[device.exactName]?.first else { return false }
    return fence.position.distance(to: first.position) < fence.radius
  }
}
