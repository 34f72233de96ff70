internal import EventLog
internal import GPSD
internal import Receivers
internal import Session
internal import Traces
internal import Tracking

/// One source of a watch: the connection, and the engine of its device.
struct WatchChannel {
  let source: WatchedSource
  let client: GPSDClient
  var session: LiveSession
  var check: DeadlineCheck
  private var changes = LinkChanges()
  private let kinds: Set<LogEntry.Kind>

  /// - Parameters:
  ///   - number: The number of the device in the store.
  ///   - kinds: The kinds of entries that the engine emits.
  init(
    _ source: WatchedSource, _ number: Int, _ plan: WatchRun.Plan, _ kinds: Set<LogEntry.Kind>,
    _ store: StateStore?
  ) {
    self.source = source
    self.kinds = kinds
    client = GPSDClient(source.address, options: plan.link)
    check = DeadlineCheck(plan.link)
    session = LiveSession(
      rules: plan.rules, kinds: kinds, device: source.device, source: source.address.description,
      decoder: ReceiverLogDecoder(reader: LibgpsReader.orSwift().reader), store: store,
      number: number, explains: plan.audience != nil)
    session.names = plan.names
  }

  /// Begins to watch, under the current rules.
  mutating func begin(_ rules: Rules, _ anchors: [AnchorPlan]) {
    session.adopt(rules, anchors)
    // A recording begins with it: line numbers are those that a replay sees.
    session.receive(RecordingHeader([source]).lines[...], at: .now)
  }

  /// A session of another device with the same settings, which is not kept.
  func session(named device: String, _ plan: WatchRun.Plan) -> LiveSession {
    var session = LiveSession(
      rules: plan.rules, kinds: kinds, device: device, source: source.address.description)
    session.names = plan.names
    return session
  }

  var checkpoint: Checkpoint.Device {
    Checkpoint.Device(name: source.device, tracker: session.tracker)
  }

  /// When something is due; nil for never.
  var deadline: ContinuousClock.Instant? {
    [client.deadline, check.deadline(session.nextDeadline())].compactMap { $0 }.min()
  }

  /// What to do about a deadline of the engine.
  mutating func nextStep(at now: ContinuousClock.Instant) -> DeadlineCheck.Step {
    check.step(due: session.nextDeadline(), at: now)
  }

  /// The change of the source that a status means; nil when it is none, or was reported.
  mutating func change(
    for status: LinkStatus, at now: ContinuousClock.Instant
  ) -> SourceChange? {
    check.take(status)
    return changes.change(for: status, at: session.time(at: now))
  }
}
