internal import Geodesy
internal import Text
internal import Tracking

extension Configuration {
  /// Warnings about valid but surprising settings, for `waymark check`.
  ///
  /// Of each kind the first ``shownDiagnostics`` are listed and the rest counted.
  package var diagnostics: [ConfigurationDiagnostic] {
    smallRadii + unreachedCushions + unreachableDwells + nearlyEqualIDs + wideEdges + overlaps
      + smallVisits + smallChanges + oddGate
      + sections.sorted { $0.key < $1.key }.flatMap(\.value.diagnostics)
  }

  /// How many diagnostics of one kind are listed.
  static let shownDiagnostics = 20

  /// Below this radius, in metres, reception in city streets causes false crossings or hides real ones.
  ///
  /// Consumer receivers are within 4.9 m under open sky (van Diggelen and Enge, ION GNSS+ 2015)
  /// and within 7 to 13 m on average in a town (Merry and Bettinger, PLoS ONE 14(7), 2019); the
  /// 68 % radius in a street between high houses is taken as 20 m.
  static let townAccuracy = 20.0
  /// Below this radius, in metres, even open sky does so: twice the 68 % radius of 5 m.
  static let openSkyReach = 10.0

  /// The fences with a place, and those that fixes place.
  private var allEntries: [FenceEntry] { entries + anchorEntries }

  private var smallRadii: [ConfigurationDiagnostic] {
    let diagnostics = allEntries.compactMap { entry -> ConfigurationDiagnostic? in
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
      return ConfigurationDiagnostic(.warning, entry.place, "\(start) \(limit) \(risk)")
    }
    return Self.shown(diagnostics, rest: "fences have a radius below 20 m")
  }

  private var unreachedCushions: [ConfigurationDiagnostic] {
    let diagnostics = allEntries.compactMap { entry -> ConfigurationDiagnostic? in
      guard entry.fence.decision == .apple, case .circle(let circle) = entry.fence.area,
        circle.radius < Decision.cushion
      else { return nil }
      let radius = Self.metres(circle.radius)
      return ConfigurationDiagnostic(
        .warning, entry.place,
        "the radius of '\(entry.fence.id)', \(radius), is below the cushion of "
          + "\(Self.metres(Decision.cushion)) of the decision 'apple': it reports an enter halfway "
          + "to the centre, and an exit \(Self.metres(Decision.cushion)) outside")
    }
    return Self.shown(diagnostics, rest: "fences are smaller than the cushion of 'apple'")
  }

  private var unreachableDwells: [ConfigurationDiagnostic] {
    let diagnostics = allEntries.filter {
      $0.fence.dwell != nil && !$0.fence.notifications.contains(.dwell)
    }.map {
      ConfigurationDiagnostic(
        .warning, $0.place,
        "the dwell time of '\($0.fence.id)' has no effect, as its notify does not name dwell")
    }
    return Self.shown(diagnostics, rest: "fences have a dwell time without effect")
  }

  private var nearlyEqualIDs: [ConfigurationDiagnostic] {
    var first: [String: FenceEntry] = [:]
    var diagnostics: [ConfigurationDiagnostic] = []
    for entry in entries {
      let key = entry.fence.id.lowercased()
      guard let other = first[key] else {
        first[key] = entry
        continue
      }
      diagnostics.append(
        ConfigurationDiagnostic(
          .warning, entry.place,
          "the ids '\(other.fence.id)' (\(other.place)) and '\(entry.fence.id)' differ only in case"
        ))
    }
    return Self.shown(diagnostics, rest: "ids differ from another only in case")
  }

  private var wideEdges: [ConfigurationDiagnostic] {
    let diagnostics = entries.filter(\.spansWideEdge).map {
      ConfigurationDiagnostic(
        .warning, $0.place,
        "an edge of '\($0.fence.id)' spans more than 180 degrees of longitude and is taken the "
          + "short way round, across the antimeridian")
    }
    return Self.shown(diagnostics, rest: "fences have an edge of more than 180 degrees")
  }

  private var overlaps: [ConfigurationDiagnostic] {
    let overlaps = FenceOverlaps(fences, shown: Self.shownDiagnostics)
    var diagnostics = overlaps.pairs.map { first, second in
      let (one, other) = (entries[first], entries[second])
      return ConfigurationDiagnostic(
        .note, other.place,
        "'\(other.fence.id)' overlaps '\(one.fence.id)' (\(one.place)): a place in both is in two fences"
      )
    }
    let more = overlaps.count - diagnostics.count
    if let last = diagnostics.last, more > 0 {
      let count = "\(overlaps.isComplete ? "" : "at least ")\(more)"
      diagnostics.append(
        ConfigurationDiagnostic(.note, last.place, "and \(count) more pairs of fences overlap"))
    } else if let last = entries.last, !overlaps.isComplete {
      diagnostics.append(
        ConfigurationDiagnostic(
          .note, last.place, "there are too many fences to compare each with each for overlaps"))
    }
    return diagnostics
  }

  /// Stays shorter than this, in seconds, are stops in traffic: a red light takes up to 90 s, a bus stop
  /// up to a minute.
  static let trafficStop = 120.0

  private var smallVisits: [ConfigurationDiagnostic] {
    guard let visits else { return [] }
    var diagnostics: [ConfigurationDiagnostic] = []
    if visits.minimumStay < Self.trafficStop, let place = places["visits.minimum-stay"] {
      diagnostics.append(
        ConfigurationDiagnostic(
          .warning, place,
          "a minimum stay of \(Readable.duration(visits.minimumStay)) is below "
            + "\(Readable.duration(Self.trafficStop)): expect visits to red lights and bus stops"))
    }
    if visits.radius < Self.townAccuracy, let place = places["visits.radius"] {
      diagnostics.append(
        ConfigurationDiagnostic(
          .warning, place,
          "a visit radius of \(Self.metres(visits.radius)) is below "
            + "\(Self.metres(Self.townAccuracy)), a receiver's accuracy between houses: "
            + "expect stays that fall apart"))
    }
    return diagnostics
  }

  private var smallChanges: [ConfigurationDiagnostic] {
    guard let changes = significantChanges, changes.distance < Self.townAccuracy,
      let place = places["significant-changes.distance"]
    else { return [] }
    return [
      ConfigurationDiagnostic(
        .warning, place,
        "a significant distance of \(Self.metres(changes.distance)) is below "
          + "\(Self.metres(Self.townAccuracy)), a receiver's accuracy between houses: "
          + "expect changes where nothing moved")
    ]
  }

  private static func shown(_ diagnostics: [ConfigurationDiagnostic], rest: String)
    -> [ConfigurationDiagnostic]
  {
    guard diagnostics.count > shownDiagnostics else { return diagnostics }
    let next = diagnostics[shownDiagnostics]
    let count = diagnostics.count - shownDiagnostics
    return diagnostics.prefix(shownDiagnostics) + [
      ConfigurationDiagnostic(next.severity, next.place, "and \(count) more \(rest)")
    ]
  }

  /// A length, as a whole number where it is one.
  static func metres(_ length: Double) -> String {
    Int(exactly: length).map { "\($0) m" } ?? "\(length) m"
  }
}
