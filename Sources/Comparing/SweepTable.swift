internal import EventLog
package import Scoring
internal import Text
package import Tracking

/// What the values of a sweep are compared with.
package enum SweepReference: Sendable {
  /// The log of the config as it is; events further apart than the limit, in seconds, are different.
  case log(ComparedLog, limit: Double)
  case truth(Truth)
}

/// The figures of one value of a sweep.
package struct SweepRow: Sendable, Hashable {
  package let value: String
  /// Events that the reference has too.
  package let right: Int
  /// Events that it does not have.
  package let falses: Int
  /// Events that only it has.
  package let missed: Int
  /// Seconds from the truth, or from the report in the reference, to the report: the median and the
  /// 95th percentile; nil without right events.
  package let delay: Double?
  package let longDelay: Double?
}

/// Counts the events that a sweep is about: those of its fence, visits, significant changes, or all.
package struct SweepScorer: Sendable {
  private enum Subject: Sendable, Hashable {
    case fence(String)
    case visits, significantChanges, all
  }

  private let subject: Subject
  private let reference: SweepReference

  /// Makes a scorer for a setting, which decides what is counted.
  package init(key: String, reference: SweepReference) {
    self.reference = reference
    let parts = key.split(separator: ".")
    subject =
      switch parts.first {
      case "fences" where parts.count > 2:
        .fence(parts.dropFirst().dropLast().joined(separator: "."))
      case "visits": .visits
      case "significant-changes": .significantChanges
      default: .all
      }
  }

  /// Scores what the engine reported under a value.
  package func row(
    _ value: String, _ outcome: Playback.Outcome, _ rules: Rules
  ) throws -> SweepRow {
    switch reference {
    case .log(let old, let limit):
      let new = try ComparedLog(outcome.log, file: value)
      return row(value, Comparison(old.only(isCounted), new.only(isCounted), limit: limit))
    case .truth(let truth):
      return try row(value, sheet(truth, outcome, rules), outcome.devices)
    }
  }

  private func isCounted(_ group: EventGroup) -> Bool {
    switch subject {
    case .fence(let id): group == .fence(id)
    case .visits: group == .visits
    case .significantChanges: group == .significantChanges
    case .all: true
    }
  }

  private func row(_ value: String, _ comparison: Comparison) -> SweepRow {
    let counts = comparison.total
    return SweepRow(
      value: value, right: counts.same + counts.moved, falses: counts.added,
      missed: counts.removed, delay: Percentile.of(comparison.delays, 50),
      longDelay: Percentile.of(comparison.delays, 95))
  }

  // MARK: Against the truth

  private func sheet(
    _ truth: Truth, _ outcome: Playback.Outcome, _ rules: Rules
  ) throws -> ScoreSheet {
    let events = try EventList(outcome.log, file: "the event log")
    switch subject {
    case .fence(let id):
      return FenceScorer.score(truth.only(outcome.devices, fence: id), events, by: nil)
    case .all: return FenceScorer.score(truth.only(outcome.devices), events, by: nil)
    case .visits: return VisitScorer.score(truth.only(outcome.devices), events, by: nil)
    case .significantChanges:
      return SignificantScorer.score(
        truth.only(outcome.devices), events,
        rules: rules.significantChanges ?? SignificantChangeRules(), by: nil)
    }
  }

  private func row(
    _ value: String, _ sheet: ScoreSheet, _ devices: Set<ExactText>
  ) throws -> SweepRow {
    guard let score = sheet.scores.first else { throw SweepTruthError(subject: what, devices) }
    func count(_ name: String) -> Int { Int(score[name]?.value ?? 0) }
    func seconds(_ name: String) -> Double? { score[name]?.value }
    switch sheet.kind {
    case .fences:
      return SweepRow(
        value: value, right: count("tp"), falses: count("fp"), missed: count("fn"),
        delay: seconds("latency_med"), longDelay: seconds("latency_p95"))
    case .visits:
      return SweepRow(
        value: value, right: count("tp"), falses: count("fp"), missed: count("fn"),
        delay: seconds("lat_arr_med"), longDelay: seconds("lat_arr_p95"))
    case .significant:
      return SweepRow(
        value: value, right: count("needed") - count("missed"), falses: count("false"),
        missed: count("missed"), delay: seconds("latency_med"),
        longDelay: seconds("latency_p95"))
    }
  }

  private var what: String {
    if case .fence(let id) = subject { "fence '\(id)'" } else { "device" }
  }
}

/// A truth that does not belong to the tracks.
package struct SweepTruthError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(subject: String, _ devices: Set<ExactText>) {
    let names = devices.sorted().prefix(3).map { "'\($0.text)'" }.joined(separator: ", ")
    description =
      "the truth has no \(subject) of the devices that were played (\(names)); "
      + "name devices as devices.json does"
  }
}
