@testable import Playing
import StateFiles
@testable import System
import Traces
@testable import Watching
import Foundation
import Geodesy

@testable import Services
@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

extension Subject {
  /// What programs keep of themselves, with right sums: those keep out damage, not malice.
  static let kept = [
    Subject(name: "state", decodes: "the state that watch keeps") { try checkState($0) },
    Subject(name: "journal", decodes: "the journal beside it") { try checkJournal($0) },
    Subject(name: "pipe-state", decodes: "the state that pipe keeps") { try checkPipeState($0) },
    Subject(name: "services", decodes: "what services keep between launches") {
      try checkServices($0)
    },
    Subject(name: "permission", decodes: "files of permissions") { try checkPermission($0) },
  ]

  /// A file of a kind, with a right sum.
  private static func write(_ kind: ChecksummedFile, _ content: [UInt8]) -> String {
    var sum = FNV1a()
    sum.add(content.span)
    ScratchFile.shared.write(kind.head(sum) + content)
    return ScratchFile.shared.path
  }

  /// Lets an engine of unknown origin work.
  private static func work(_ tracker: Tracker) {
    var tracker = tracker
    var events: [Event] = []
    _ = tracker.nextDeadline
    let start = tracker.lastTime ?? Timestamp(nanoseconds: 1_741_593_600_000_000_000)
    for number in 1...5 {
      var fix = Fix(
        time: start.advanced(bySeconds: Double(number) * 10),
        coordinate: Coordinate(latitude: 52.5, longitude: 13.4 + Double(number) * 0.001))
      fix.horizontalAccuracy = 10
      tracker.ingest(fix, into: &events)
    }
    tracker.advance(to: start.advanced(bySeconds: 200_000), into: &events)
  }

  /// What kept engines work under.
  private static let rules: Rules = {
    var rules = Rules()
    let circle = Circle(center: Coordinate(latitude: 52.5, longitude: 13.4), radius: 100)
    rules.fences = (try? FenceSet([Fence(id: "a", area: .circle(circle))])) ?? FenceSet()
    (rules.visits, rules.significantChanges) = (VisitRules(), SignificantChangeRules())
    return rules
  }()

  /// Engines after some fixes.
  private static let trackers = [0, 1, 3, 20].map { count in
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for number in 0..<count {
      var fix = Fix(
        time: Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64(number) * 30_000_000_000),
        coordinate: Coordinate(latitude: 52.5, longitude: 13.4 + 0.000_3 * Double(number % 7)))
      fix.horizontalAccuracy = 8
      tracker.ingest(fix, into: &events)
    }
    return tracker
  }

  /// With its keys in order, so that an input that changes a byte changes the same one in every run.
  private static func encoded(_ state: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(state)).map(Array.init) ?? []
  }

  /// What a file has of them.
  private static let states = trackers.map { tracker in
    let state = Checkpoint(generation: 1, device: "a", tracker: tracker, columns: [])
    return encoded(state)
  }

  /// An input is something itself, or says which bytes of a good one are others: a place and a byte
  /// each.
  private static func changed(_ goods: [[UInt8]], by input: [UInt8]) -> [UInt8] {
    var reader = ByteReader(input)
    guard reader.below(4) > 0 else { return reader.rest }
    let good = reader.one(of: goods)
    return reader.changed(good)
  }

  private static func checkState(_ bytes: [UInt8]) throws -> Bool {
    let content = changed(states, by: bytes)
    let path = write(Checkpoint.file, content)
    guard let state = try? Checkpoint.file.read(Checkpoint.self, from: path) else { return false }
    if let tracker = state.tracker { work(tracker) }
    let again = try JSONDecoder().decode(Checkpoint.self, from: JSONEncoder().encode(state))
    try hold("a state is read as it was written", again.tracker == state.tracker)
    return true
  }

  private static func checkJournal(_ bytes: [UInt8]) throws -> Bool {
    var journal = bytes
    mendSums(&journal)
    let records = JournalRecord.read(journal[...]).records
    var written: [UInt8] = []
    for record in records {
      record.append(to: &written)
      if case .issue(let issue, _) = record, issue.message.utf8.count > 4_000 { return true }
    }
    var again: [UInt8] = []
    for record in JournalRecord.read(written[...]).records { record.append(to: &again) }
    try hold("a journal is read as it was written", written == again, "\(records)")
    return !records.isEmpty
  }

  /// Behind each length comes the sum of so many bytes.
  private static func mendSums(_ journal: inout [UInt8]) {
    var start = 0
    while start + 8 <= journal.count {
      // Short lengths, so that there are several records.
      let length = Int(journal[start])
      for place in 1..<4 { journal[start + place] = 0 }
      guard start + 8 + length <= journal.count else { return }
      var hash = FNV1a()
      hash.add(journal.span.extracting(start + 8..<start + 8 + length))
      let sum = UInt32(truncatingIfNeeded: hash.value ^ (hash.value >> 32))
      for place in 0..<4 {
        journal[start + 4 + place] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * place))
      }
      start += 8 + length
    }
  }

  /// Of both versions.
  private static let pipeFiles = (
    ChecksummedFile("pipe", version: 1), ChecksummedFile("pipe", version: 2)
  )

  /// What a run says of itself.
  private static let origin: [UInt8] = {
    var mark = PipeInputMark()
    mark.add(Array("time,latitude,longitude\n".utf8)[...])
    return PipeState.bytes(of: PipeState.Origin(base: 1, input: mark))
  }()

  /// What a file has of some devices.
  private static let pipeStates = [[], [0], [1, 3], [3, 2, 1, 0]].map { members in
    var content: [UInt8] = []
    for member in members {
      var (packer, tracker) = (Packer(), trackers[member])
      tracker.pack(into: &packer, keepsHistory: false)
      packer.bytes.withUnsafeBytes { PipeState.append("device \(member)", $0, to: &content) }
    }
    return content
  }

  private static func checkPipeState(_ bytes: [UInt8]) throws -> Bool {
    let content = changed(pipeStates, by: bytes)
    let head = PipeState.head(rules: rules)
    let names = [
      resumed(write(pipeFiles.0, head + content)),
      resumed(write(pipeFiles.1, head + origin + content)),
    ]
    try hold("both versions have the same devices", names[0] == names[1], "\(names)")
    // The input is also what the second version says of its run.
    _ = resumed(write(pipeFiles.1, head + content))
    return !names[0].isEmpty
  }

  /// The devices in a state, which then go on.
  private static func resumed(_ path: String) -> [String] {
    var fleet = Fleet(rules: rules, activeLimit: 1, keepsHistory: false)
    var names: [String] = []
    try? PipeStateFile(path, rules: rules)?.forEachDevice { name, state in
      guard !names.contains(name) else { return false }
      names.append(name)
      return state.withUnsafeBytes { fleet.resume(name, from: $0) }
    }
    var events: [Event] = []
    for name in names {
      let fix = Fix(
        time: Timestamp(nanoseconds: 1_741_593_600_000_000_000),
        coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
      fleet.ingest(fix, of: fleet.index(of: name), into: &events)
    }
    return names
  }

  /// What a file has of a program, with engines.
  private static let services = trackers.map { tracker in
    var registrations = Registrations()
    (registrations.hasVisits, registrations.hasSignificantChanges) = (true, true)
    registrations.states["a"] = .inside
    registrations.lastFix = tracker.lastFix
    let state = ServiceState(registrations, engine: tracker, grant: Authorization(.always))
    return encoded(state)
  }

  private static func checkServices(_ bytes: [UInt8]) throws -> Bool {
    var reader = ByteReader(bytes)
    switch reader.below(3) {
    case 0:
      let file = ChecksummedFile("services", version: 1)
      let state = try? file.read(
        ServiceState.self, from: write(file, changed(services, by: reader.rest)))
      guard let engine = state?.engine else { return state != nil }
      work(engine)
      return true
    case 1: return try checkRoundTrip([ConditionRecord].self, "monitor", reader.rest)
    default: return try checkRoundTrip([PendingEvent].self, "pending", reader.rest)
    }
  }

  private static func checkRoundTrip<Content: Codable & Equatable>(
    _ type: Content.Type, _ name: String, _ bytes: [UInt8]
  ) throws -> Bool {
    let file = ChecksummedFile(name, version: 1)
    guard let content = try? file.read(type, from: write(file, bytes)) else { return false }
    let again = try JSONDecoder().decode(type, from: JSONEncoder().encode(content))
    try hold("what is kept is read as it was written", again == content, "\(content)")
    return true
  }

  private static func checkPermission(_ bytes: [UInt8]) throws -> Bool {
    ScratchFile.shared.write(bytes)
    let file = PermissionFile(path: ScratchFile.shared.path, program: "fuzz")
    do throws(PermissionFileError) {
      return try file.read() != nil
    } catch {
      try hold("a refusal says something", !error.description.isEmpty)
      return false
    }
  }
}
