internal import EventLog
internal import Playing
internal import Session
internal import Settings
internal import Traces
internal import Tracking

/// Plays the track of a test, as `replay` does.
struct PlayedTest {
  let test: FenceTest
  let file: FenceTestFile
  /// The seed of the noise.
  let seed: UInt64
  /// What standard error says of the track.
  private(set) var warnings: [String] = []
  /// The number of errors in the track.
  private(set) var issues = 0
  /// The names of the devices in the track, in order.
  private(set) var devices: [String] = []
  /// The times of the first and the last fix that was used; nil when none was.
  private(set) var span: ClosedRange<Timestamp>?

  init(_ test: FenceTest, in file: FenceTestFile, seed: UInt64) {
    (self.test, self.file, self.seed) = (test, file, seed)
  }

  /// The device of fixes that name none.
  var device: String? { test.device ?? file.configuration.device }

  /// The track, opened from its start.
  func feeds(remark: (String) -> Void) throws(TraceError) -> [TraceFeed] {
    switch test.source {
    case .tracks(let paths): try TraceFeed.open(paths, options: file.tables, remark: remark)
    case .path(let path): [TraceFeed(path: "path", fixes: path.fixes(seed: seed))]
    }
  }

  /// The events that stand, in the order in which `replay` prints them.
  mutating func events() throws(SessionError) -> [LogEntry] {
    let events = try play(file.rules, Set(FenceTestReader.kinds))
    return StandingVisits.standing(of: events)
  }

  /// Enters, exits and first sides of some fences, whatever they report otherwise.
  ///
  /// - Parameter events: The events of the track, which are enough when the fences report all of these.
  mutating func sides(
    of ids: Set<String>, in events: [LogEntry]
  ) throws(SessionError) -> [LogEntry] {
    var rules = file.rules
    let fences = ids.sorted().compactMap(rules.fences.index(ofID:)).map { rules.fences[$0] }
    let watched = fences.map { fence in
      var fence = fence
      fence.notifications.formUnion([.enter, .exit])
      fence.initial = .state
      return fence
    }
    // A set of fences of another set has no id twice.
    guard watched != fences, let set = try? FenceSet(watched) else { return events }
    (rules.fences, rules.visits, rules.significantChanges) = (set, nil, nil)
    return try play(rules, [.enter, .exit, .state])
  }

  private mutating func play(
    _ rules: Rules, _ kinds: Set<LogEntry.Kind>
  ) throws(SessionError) -> [LogEntry] {
    let feeds: [TraceFeed]
    var messages: [String] = []
    do throws(TraceError) {
      feeds = try self.feeds { messages.append($0) }
    } catch {
      throw .trace(error)
    }
    let kept = KeptEntries(kinds: kinds)
    var replay = Replay(
      feeds: feeds, rules: rules, device: device, kinds: kinds, output: EventLogFile(store: kept))
    replay.warn = { messages.append($0) }
    let totals = try replay.run()
    (warnings, issues, devices) = (messages, totals.issues, replay.deviceNames)
    span = totals.span
    return kept.entries
  }
}

/// Keeps the entries of a log in memory.
private final class KeptEntries: EntryStore {
  let kinds: Set<LogEntry.Kind>
  private(set) var entries: [LogEntry] = []

  init(kinds: Set<LogEntry.Kind>) { self.kinds = kinds }

  func keep(_ entries: [LogEntry]) throws(EntryStoreError) { self.entries += entries }

  func keep(_ fences: FenceSet) throws(EntryStoreError) {}
}
