package import EventLog
package import Scoring
package import Text
internal import Traces

/// The events of a log by subject, for ``Comparison``: of each visit what stands in the end.
///
/// Fixes and problems, whose messages name files, are no events and are left out, and so is a status
/// without a time. With the comparison it uses about
/// 300 bytes an event, whatever the length of its line.
package struct ComparedLog: Sendable {
  /// The kinds of entries of played tracks that are compared; of a log also ``LogEntry/Kind/status``.
  package static let kinds = LogEntry.Kind.ofTracks.subtracting([.problem])

  private var events: [EventSubject: [ComparedEvent]] = [:]
  /// By device and id: the lines of one visit have the same id in a log.
  private var visits: [ExactText: [String: ComparedEvent]] = [:]

  package init() {}

  /// Reads a whole log.
  package init(_ bytes: [UInt8], file: String) throws(RecordError) {
    for record in try JSONRecord.lines(of: bytes, file: file) { try add(record) }
  }

  /// Adds an event.
  package mutating func add(_ event: ComparedEvent, of subject: EventSubject) {
    events[subject, default: []].append(event)
  }

  /// Adds a line of a log.
  package mutating func add(_ record: JSONRecord) throws(RecordError) {
    let kind = try Self.kind(of: record)
    let isTimedStatus = kind == .status && record.textIfAny("time") != nil
    guard isTimedStatus || Self.kinds.contains(kind) else { return }
    let device = try record.text("device")
    var event = try ComparedEvent(record, isVisit: kind == .visit)
    switch kind {
    case .visit:
      let id = record.textIfAny("id") ?? "\(event.time)"
      let name = ExactText(device)
      if let first = visits[name]?[id] { event.decided = first.decided }
      visits[name, default: [:]][id] = record.flag("retracted") ? nil : event
    case .significantChange: add(event, of: EventSubject(device: device, kind: kind))
    case .status:
      add(event, of: EventSubject(device: device, kind: kind, state: try record.text("state")))
    default:
      let state = kind == .state ? try record.text("state") : nil
      add(
        event,
        of: EventSubject(
          device: device, kind: kind, fence: try record.text("fence"), state: state))
    }
  }

  private static func kind(of record: JSONRecord) throws(RecordError) -> LogEntry.Kind {
    let word = try record.text("type")
    // What a recording reports is held against what the engine found.
    if word == ReportedVisit.type { return .visit }
    if let kind = LogEntry.Kind(rawValue: word) { return kind }
    let known = LogEntry.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    throw record.error("found '\(word)' as type, expected one of \(known)")
  }

  /// The devices that events name.
  package var devices: Set<ExactText> { Set(subjects.map { ExactText($0.device) }) }

  /// What the events are about.
  var subjects: Set<EventSubject> {
    // All visits of a device may have been retracted.
    let devices = visits.filter { !$0.value.isEmpty }.keys
    return Set(events.keys).union(devices.map { EventSubject(device: $0.text, kind: .visit) })
  }

  /// The events of a subject in order of time.
  /// - Complexity: O(n log n) for n events.
  func events(of subject: EventSubject) -> [ComparedEvent] {
    let all =
      subject.kind == .visit
      ? Array(visits[ExactText(subject.device), default: [:]].values) : events[subject] ?? []
    return all.sorted(by: ComparedEvent.isBefore)
  }

  /// The events of some of the groups.
  func only(_ isWanted: (EventGroup) -> Bool) -> ComparedLog {
    var part = ComparedLog()
    part.events = events.filter { isWanted($0.key.group) }
    if isWanted(.visits) { part.visits = visits }
    return part
  }
}
