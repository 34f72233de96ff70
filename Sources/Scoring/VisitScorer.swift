/// Holds visits against the true stays.
///
/// A visit is a true stay when their times overlap by half of what they cover together and their
/// centres are within 50 m, one to one, those that overlap most first. A visit without a stay is
/// ignored when more than half of it is time that need not be found, otherwise it is false.
package enum VisitScorer {
  static let leastOverlap = 0.5
  static let farthest = 50.0

  package static func score(_ truth: Truth, _ events: EventList, by: Grouping?) -> ScoreSheet {
    var counts: [String: VisitCounts] = [:]
    for device in truth.devices {
      let group = by.flatMap { $0.group(of: device) } ?? "all"
      let match = VisitMatch(
        stays: truth.visits[device.name] ?? [], visits: events.visits(of: device.name), device)
      counts[group, default: VisitCounts()].add(match, device)
    }
    var sheet = ScoreSheet(kind: .visits)
    let groups = counts.sorted { $0.key < $1.key }
    sheet.scores = groups.map { $0.value.score(group: $0.key) }
    sheet.claims = groups.flatMap(\.value.claims)
    sheet.timeErrors = [
      ("arrivals", groups.flatMap { $0.value.arrivals.map(abs) }),
      ("departures", groups.flatMap { $0.value.departures.map(abs) }),
    ]
    return sheet
  }
}

/// A time from one instant to another, seconds since 1970.
struct Period: Sendable {
  var start: Double
  var end: Double

  var length: Double { end - start }

  /// Seconds that both have, negative when they are apart.
  func overlap(_ other: Period) -> Double { min(end, other.end) - max(start, other.start) }

  /// What both have as a share of what they cover together.
  func agreement(_ other: Period) -> Double {
    let common = overlap(other)
    guard common > 0 else { return 0 }
    return common / (max(end, other.end) - min(start, other.start))
  }
}

/// Which visits of one device are which of its true stays.
struct VisitMatch {
  struct Told {
    let period: Period
    let visit: EventList.Visit
  }

  let stays: [Truth.Visit]
  let told: [Told]
  /// By stay: its visit, and metres between the centres.
  private(set) var hits: [Int: (visit: Int, metres: Double)] = [:]

  /// A visit without an arrival or a departure is taken to begin, or to end, with the device's data.
  init(stays: [Truth.Visit], visits: [EventList.Visit], _ device: ScoredDevice) {
    self.stays = stays
    told = visits.compactMap { visit in
      let period = Period(
        start: visit.arrival ?? device.start, end: visit.departure ?? device.end)
      return period.length > 0 ? Told(period: period, visit: visit) : nil
    }
    pair()
  }

  private struct Candidate {
    let agreement: Double
    let stay: Int
    let visit: Int
    let metres: Double
  }

  private mutating func pair() {
    var candidates: [Candidate] = []
    for (stay, truth) in stays.enumerated() {
      for (visit, told) in told.enumerated() {
        let agreement = truth.period.agreement(told.period)
        guard agreement >= VisitScorer.leastOverlap else { continue }
        let metres = truth.place.distance(to: told.visit.place)
        guard metres <= VisitScorer.farthest else { continue }
        candidates.append(
          Candidate(agreement: agreement, stay: stay, visit: visit, metres: metres))
      }
    }
    candidates.sort { ($0.agreement, $0.stay, $0.visit) > ($1.agreement, $1.stay, $1.visit) }
    var used: Set<Int> = []
    for candidate in candidates
    where hits[candidate.stay] == nil && !used.contains(candidate.visit) {
      hits[candidate.stay] = (candidate.visit, candidate.metres)
      used.insert(candidate.visit)
    }
  }

  /// The visits that are no stay.
  var unmatched: [Told] {
    let used = Set(hits.values.map(\.visit))
    return told.indices.filter { !used.contains($0) }.map { told[$0] }
  }

  /// Whether more than half of a visit is time that need not be found.
  func isOptional(_ told: Told) -> Bool {
    let covered = stays.filter { !$0.isRequired }
      .reduce(0) { $0 + max(0, $1.period.overlap(told.period)) }
    return covered > 0.5 * told.period.length
  }

  /// Whether a visit takes two stays or more, each by more than three fifths, for one.
  func isMerge(_ told: Told) -> Bool {
    stays.filter { stay in
      stay.isRequired && stay.period.overlap(told.period) > 0.6 * stay.period.length
    }.count > 1
  }

  /// How many visits beyond the first a stay is broken into.
  func fragments(of stay: Truth.Visit) -> Int {
    let parts = told.filter { told in
      let common = stay.period.overlap(told.period)
      return common > 0.3 * told.period.length && common > 60
    }
    return max(0, parts.count - 1)
  }
}

extension Truth.Visit {
  var period: Period { Period(start: arrival, end: departure) }
}
