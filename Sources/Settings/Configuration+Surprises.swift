internal import Geodesy
internal import Traces
internal import Tracking

extension Configuration {
  /// What may surprise in this config though it is valid, for `waymark check`.
  ///
  /// Of each kind of surprise the first ``shownFindings`` are said and the rest counted.
  package var surprises: [ConfigurationFinding] {
    smallRadii + unreachedCushions + unreachableDwells + nearlyEqualIDs + wideEdges + overlaps
      + smallVisits + smallChanges
      + sections.sorted { $0.key < $1.key }.flatMap(\.value.findings)
  }

  /// How many findings of one kind are said.
  static let shownFindings = 20

  /// Below this radius, in metres, city streets make up crossings, or hide them.
  ///
  /// Consumer receivers are within 4.9 m under open sky (van Diggelen and Enge, ION GNSS+ 2015)
  /// and within 7 to 13 m on average in a town (Merry and Bettinger, PLoS ONE 14(7), 2019); the
  /// 68 % radius in a street between high houses is taken as 20 m.
  static let townAccuracy = 20.0
  /// Below this radius, in metres, even open sky does: twice the 68 % radius of 5 m.
  static let openSkyReach = 10.0

  private var smallRadii: [ConfigurationFinding] {
    let findings = entries.compactMap { entry -> ConfigurationFinding? in
      guard case .circle(let circle) = entry.fence.area, circle.radius < Self.townAccuracy else {
        return nil
      }
      let start = "the radius of '\(entry.fence.id)', \(Self.metres(circle.radius)), is below"
      let limit =
        circle.radius < Self.openSkyReach
        ? "10 m: even under open sky" : "20 m, a receiver's accuracy between houses:"
      let risk =
        entry.fence.decision == .naive
        ? "a receiver at rest will seem to enter and leave"
        : "it may never be sure that a device is inside"
      return ConfigurationFinding(.warning, entry.place, "\(start) \(limit) \(risk)")
    }
    return Self.shown(findings, rest: "fences have a radius below 20 m")
  }

  private var unreachedCushions: [ConfigurationFinding] {
    let findings = entries.compactMap { entry -> ConfigurationFinding? in
      guard entry.fence.decision == .apple, case .circle(let circle) = entry.fence.area,
        circle.radius < Decision.cushion
      else { return nil }
      let radius = Self.metres(circle.radius)
      return ConfigurationFinding(
        .warning, entry.place,
        "the radius of '\(entry.fence.id)', \(radius), is below the cushion of "
          + "\(Self.metres(Decision.cushion)) of the decision 'apple': it tells an enter halfway "
          + "to the centre, and an exit \(Self.metres(Decision.cushion)) outside")
    }
    return Self.shown(findings, rest: "fences are smaller than the cushion of 'apple'")
  }

  private var unreachableDwells: [ConfigurationFinding] {
    let findings = entries.filter {
      $0.fence.dwell != nil && !$0.fence.notifications.contains(.dwell)
    }.map {
      ConfigurationFinding(
        .warning, $0.place,
        "the dwell time of '\($0.fence.id)' has no effect, as its notify does not name dwell")
    }
    return Self.shown(findings, rest: "fences have a dwell time without effect")
  }

  private var nearlyEqualIDs: [ConfigurationFinding] {
    var first: [String: FenceEntry] = [:]
    var findings: [ConfigurationFinding] = []
    for entry in entries {
      let key = entry.fence.id.lowercased()
      guard let other = first[key] else {
        first[key] = entry
        continue
      }
      findings.append(
        ConfigurationFinding(
          .warning, entry.place,
          "the ids '\(other.fence.id)' (\(other.place)) and '\(entry.fence.id)' differ only in case"
        ))
    }
    return Self.shown(findings, rest: "ids differ from another only in case")
  }

  private var wideEdges: [ConfigurationFinding] {
    let findings = entries.filter(\.spansWideEdge).map {
      ConfigurationFinding(
        .warning, $0.place,
        "an edge of '\($0.fence.id)' spans more than 180 degrees of longitude and is taken the "
          + "short way round, across the antimeridian")
    }
    return Self.shown(findings, rest: "fences have an edge of more than 180 degrees")
  }

  private var overlaps: [ConfigurationFinding] {
    let overlaps = FenceOverlaps(fences, shown: Self.shownFindings)
    var findings = overlaps.pairs.map { first, second in
      let (one, other) = (entries[first], entries[second])
      return ConfigurationFinding(
        .note, other.place,
        "'\(other.fence.id)' overlaps '\(one.fence.id)' (\(one.place)): a place in both is in two fences"
      )
    }
    let more = overlaps.count - findings.count
    if let last = findings.last, more > 0 {
      let count = "\(overlaps.isComplete ? "" : "at least ")\(more)"
      findings.append(
        ConfigurationFinding(.note, last.place, "and \(count) more pairs of fences overlap"))
    } else if let last = entries.last, !overlaps.isComplete {
      findings.append(
        ConfigurationFinding(
          .note, last.place, "there are too many fences to compare each with each for overlaps"))
    }
    return findings
  }

  /// Shorter stays than this, in seconds, are those of traffic: a red light takes up to 90 s, a bus
  /// halts for up to a minute.
  static let trafficStop = 120.0

  private var smallVisits: [ConfigurationFinding] {
    guard let visits else { return [] }
    var findings: [ConfigurationFinding] = []
    if visits.minimumStay < Self.trafficStop, let place = places["visits.minimum-stay"] {
      findings.append(
        ConfigurationFinding(
          .warning, place,
          "a minimum stay of \(Readable.duration(visits.minimumStay)) is below "
            + "\(Readable.duration(Self.trafficStop)): expect visits to red lights and bus stops"))
    }
    if visits.radius < Self.townAccuracy, let place = places["visits.radius"] {
      findings.append(
        ConfigurationFinding(
          .warning, place,
          "a visit radius of \(Self.metres(visits.radius)) is below "
            + "\(Self.metres(Self.townAccuracy)), a receiver's accuracy between houses: "
            + "expect stays that fall apart"))
    }
    return findings
  }

  private var smallChanges: [ConfigurationFinding] {
    guard let changes = significantChanges, changes.distance < Self.townAccuracy,
      let place = places["significant-changes.distance"]
    else { return [] }
    return [
      ConfigurationFinding(
        .warning, place,
        "a significant distance of \(Self.metres(changes.distance)) is below "
          + "\(Self.metres(Self.townAccuracy)), a receiver's accuracy between houses: "
          + "expect changes where nothing moved")
    ]
  }

  private static func shown(_ findings: [ConfigurationFinding], rest: String)
    -> [ConfigurationFinding]
  {
    guard findings.count > shownFindings else { return findings }
    let next = findings[shownFindings]
    let count = findings.count - shownFindings
    return findings.prefix(shownFindings) + [
      ConfigurationFinding(next.severity, next.place, "and \(count) more \(rest)")
    ]
  }

  /// A length without a fraction when it has none.
  static func metres(_ length: Double) -> String {
    Int(exactly: length).map { "\($0) m" } ?? "\(length) m"
  }
}
