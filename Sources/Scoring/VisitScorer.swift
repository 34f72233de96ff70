/// Compares visits with the true stays.
///
/// A visit matches a true stay when the intersection of their times is at least half of their union
/// and their centres are within 50 m; one to one, the largest overlap first. A visit without a stay
/// is ignored when more than half of it is optional time, otherwise it is false.
package enum VisitScorer {
  static let leastOverlap = 0.5
  static let farthest = 50.0

  package static func score(_ truth: Truth, _ events: EventList, by: Grouping?) -> ScoreSheet {
    var counts: [String: VisitCounts] = [:]
    for device in truth.devices {
      let group = by.flatMap { $0.group(of: device) } ?? "all"
      let match = VisitMatch(
        stays: truth.visits[device.exactName] ?? [], visits: events.visits(of: device.name), device)
      counts[group, default: VisitCounts()].add(match, device)
    }
    var sheet = ScoreSheet(kind: .visits)
    let groups = counts.sorted { $0.key < $1.key }
    sheet.scores = groups.map { $0.value.score(group: $0.key) }
    sheet.predictions = groups.flatMap(\.value.predictions)
    sheet.timeErrors = [
      ("arrivals", groups.flatMap { $0.value.arrivals.map(abs) }),
      ("departures", groups.flatMap { $0.value.departures.map(abs) }),
    ]
    return sheet
  }
}

/// A time interval, seconds since 1970.
struct Period: Sendable {
  var start: Double
  var end: Double

  var length: Double { end - start }

  /// Seconds of the intersection, negative when the periods are apart.
  func overlap(_ other: Period) -> Double { min(end, other.end) - max(start, other.start) }

  /// Intersection over union.
  func agreement(_ other: Period) -> Double {
    let common = overlap(other)
    guard common > 0 else { return 0 }
    return common / (max(end, other.end) - min(start, other.start))
  }
}

/// Matches the visits of one device with its true stays.
struct VisitMatch {
  struct ReportedVisit {
    let period: Period
    let visit: EventList.Visit
  }

  let stays: [Truth.Visit]
  let reported: [ReportedVisit]
  /// By stay: its visit, and metres between the centres.
  private(set) var hits: [Int: (visit: Int, metres: Double)] = [:]
  private let staysByTime: PeriodIndex
  private let reportedByTime: PeriodIndex

  /// A visit without an arrival or a departure begins or ends with the device's data.
  init(stays: [Truth.Visit], visits: [EventList.Visit], _ device: ScoredDevice) {
    self.stays = stays
    reported = visits.compactMap { visit in
      let period = Period(
        start: visit.arrival ?? device.start, end: visit.departure ?? device.end)
      return period.length > 0 ? ReportedVisit(period: period, visit: visit) : nil
    }
    staysByTime = PeriodIndex(stays.map(\.period))
    reportedByTime = PeriodIndex(reported.map(\.period))
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
      for visit in reportedByTime.overlapping(truth.period) {
        let reported = reported[visit]
        let agreement = truth.period.agreement(reported.period)
        guard agreement >= VisitScorer.leastOverlap else { continue }
        let metres = truth.position.distance(to: reported.visit.position)
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

  /// The visits that match no stay.
  var unmatched: [ReportedVisit] {
    let used = Set(hits.values.map(\.visit))
    return reported.indices.filter { !used.contains($0) }.map { reported[$0] }
  }

  private func stays(around reported: ReportedVisit) -> [Truth.Visit] {
    staysByTime.overlapping(reported.period).map { stays[$0] }
  }

  /// Whether more than half of a visit is optional time.
  func isOptional(_ reported: ReportedVisit) -> Bool {
    let covered = stays(around: reported).filter { !$0.isRequired }
      .reduce(0) { $0 + max(0, $1.period.overlap(reported.period)) }
    return covered > 0.5 * reported.period.length
  }

  /// Whether a visit covers two stays or more, each by more than three fifths.
  func isMerge(_ reported: ReportedVisit) -> Bool {
    stays(around: reported).filter { stay in
      stay.isRequired && stay.period.overlap(reported.period) > 0.6 * stay.period.length
    }.count > 1
  }

  /// The number of visits beyond the first that a stay is split into.
  func fragments(of stay: Truth.Visit) -> Int {
    let parts = reportedByTime.overlapping(stay.period).filter { visit in
      let reported = reported[visit]
      let common = stay.period.overlap(reported.period)
      return common > 0.3 * reported.period.length && common > 60
    }
    return max(0, parts.count - 1)
  }
}

extension Truth.Visit {
  var period: Period { Period(start: arrival, end: departure) }
}
