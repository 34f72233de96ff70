package import Text

/// The events of a log that can be scored.
///
/// Times are seconds since 1970.
package struct EventList: Sendable {
  struct Crossing: Sendable {
    let kind: String
    let time: Double
    let decided: Double?
    let confidence: Double?
    /// One sigma of the time, as the event states it.
    let timeUncertainty: Double?
  }

  struct Visit: Sendable {
    /// Nil when it was not observed.
    let arrival: Double?
    /// Nil while the visit lasts.
    let departure: Double?
    let position: SphericalPosition
    /// When the visit was first reported, and when last.
    let firstDecided: Double?
    let decided: Double?
    let confidence: Double?
  }

  struct SignificantChange: Sendable {
    let time: Double
    let position: SphericalPosition
  }

  private(set) var crossings: [Truth.Key: [Crossing]] = [:]
  private var changes: [ExactText: [SignificantChange]] = [:]
  private var stays: [ExactText: VisitLog] = [:]
  /// Lines of a type that no event log has, or of none, and the type of the first of them.
  package private(set) var unknownTypes: (count: Int, first: String?) = (0, nil)

  /// The types of a log that are not scored.
  static let otherTypes: Set = [
    "dwell", "state", "fix", "problem", "status", "device-state", "trailer",
  ]

  /// Reads an event log in JSON Lines; skips lines of other types, and counts those of unknown ones.
  package init(_ bytes: [UInt8], file: String) throws(RecordError) {
    for record in try JSONRecord.lines(of: bytes, file: file) {
      let type = record.textIfAny("type")
      switch type {
      case "enter", "exit": try addCrossing(record)
      case "visit": try stays[try record.device, default: VisitLog()].add(record)
      case "significant-change", "significant": try addChange(record)
      case let other? where Self.otherTypes.contains(other): continue
      default:
        if unknownTypes.count == 0 { unknownTypes.first = type }
        unknownTypes.count += 1
      }
    }
  }

  /// The fences of a truth's devices that the truth does not have, and how many events they have.
  package func unknownFences(in truth: Truth) -> (fences: [Truth.Key], events: Int) {
    let known = truth.fences.mapValues { Set($0.map(\.id)) }
    let unknown = crossings.filter { key, _ in known[key.device]?.contains(key.fence) == false }
    return (
      unknown.keys.sorted { ($0.device, $0.fence) < ($1.device, $1.fence) },
      unknown.values.reduce(0) { $0 + $1.count }
    )
  }

  /// The kinds that occur among the events.
  package var kinds: Set<ScoreKind> {
    var kinds: Set<ScoreKind> = []
    if !crossings.isEmpty { kinds.insert(.fences) }
    if !stays.isEmpty { kinds.insert(.visits) }
    if !changes.isEmpty { kinds.insert(.significant) }
    return kinds
  }

  /// The devices that events name.
  package var devices: Set<ExactText> {
    Set(crossings.keys.map(\.device)).union(stays.keys).union(changes.keys)
  }

  func visits(of device: String) -> [Visit] { stays[ExactText(device)]?.visits ?? [] }

  func changes(of device: String) -> [SignificantChange] { changes[ExactText(device)] ?? [] }

  private mutating func addCrossing(_ record: JSONRecord) throws(RecordError) {
    let key = Truth.Key(device: try record.device, fence: try record.text("fence"))
    crossings[key, default: []].append(
      Crossing(
        kind: try record.text("type"), time: try record.time("time"),
        decided: try record.decided, confidence: try record.numberIfAny("confidence"),
        timeUncertainty: try record.numberIfAny("timeUncertainty")))
  }

  private mutating func addChange(_ record: JSONRecord) throws(RecordError) {
    changes[try record.device, default: []].append(
      SignificantChange(time: try record.time("time"), position: try SphericalPosition(record)))
  }
}

/// What can be scored.
package enum ScoreKind: String, Sendable, Hashable, CaseIterable {
  case fences, visits, significant
}

/// The visits of one device: a later line of the same visit replaces the earlier one.
private struct VisitLog: Sendable {
  private enum Key: Hashable, Sendable {
    case id(String)
    /// Whole seconds since 1970.
    case arrival(Int)
  }

  /// The visits with the number of the line that first reported each.
  private var known: [Key: (visit: EventList.Visit, number: Int)] = [:]
  private var lines = 0

  /// In order of arrival; visits with equal arrivals in the order in which they were first
  /// reported.
  var visits: [EventList.Visit] {
    known.values.sorted { a, b in
      let times = (a.visit.arrival ?? -.infinity, b.visit.arrival ?? -.infinity)
      return (times.0, a.number) < (times.1, b.number)
    }.map(\.visit)
  }

  mutating func add(_ record: JSONRecord) throws(RecordError) {
    let arrival = try record.timeIfAny("arrival")
    let key = key(record.textIfAny("id"), arrival)
    if record.flag("retracted") {
      known[key] = nil
      return
    }
    let decided = try record.decided
    lines += 1
    let visit = EventList.Visit(
      arrival: arrival, departure: try record.timeIfAny("departure"),
      position: try SphericalPosition(record),
      firstDecided: known[key].map(\.visit.firstDecided) ?? decided, decided: decided,
      confidence: try record.numberIfAny("confidence"))
    known[key] = (visit, known[key]?.number ?? lines)
  }

  /// Without an id, an arrival within a second is the same visit.
  private func key(_ id: String?, _ arrival: Double?) -> Key {
    if let id { return .id(id) }
    let second = arrival.flatMap { Int(exactly: $0.rounded(.toNearestOrEven)) } ?? 0
    for near in [second + 1, second - 1] where known[.arrival(near)] != nil {
      return .arrival(near)
    }
    return .arrival(second)
  }
}

extension JSONRecord {
  /// When the event was reported.
  fileprivate var decided: Double? {
    get throws(RecordError) {
      if let reported = try timeIfAny("reported") { return reported }
      return try timeIfAny("decided")
    }
  }
}
