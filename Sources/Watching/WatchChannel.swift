internal import EventLog
internal import GPSD
internal import Receivers
internal import Session
internal import Traces
internal import Tracking

/// A device of a watch: its engine, and the connection to the gpsd that it has for itself.
struct WatchChannel {
  /// The name of the device.
  let device: String
  /// The connection; nil for a device of an inlet, which sends its positions itself.
  let client: GPSDClient?
  var session: LiveSession
  var check: DeadlineCheck
  /// Which of the reports of all devices that appeared was its last; nil before its first.
  var lastReport: Int?
  private let source: WatchedSource?
  private var changes = LinkChanges()

  /// The channel of a source.
  ///
  /// - Parameters:
  ///   - number: The number of the device in the store.
  ///   - kinds: The kinds of entries that the engine emits.
  init(
    _ source: WatchedSource, _ number: Int, _ plan: WatchRun.Plan, _ kinds: Set<LogEntry.Kind>,
    _ store: StateStore?
  ) {
    self.source = source
    device = source.device
    client = GPSDClient(source.address, options: plan.link)
    check = DeadlineCheck(plan.link)
    session = LiveSession(
      rules: plan.rules, kinds: kinds, device: source.device, source: source.address.description,
      decoder: ReceiverLogDecoder(
        reader: LibgpsReader.orSwift().reader, allowsSimulated: source.allowsSimulated),
      store: store,
      number: number, explains: plan.audience != nil)
    session.names = plan.names
    session.keepsTrail = plan.audience != nil
  }

  /// The channel of a device of an inlet.
  init(
    _ device: String, of inlet: String, _ number: Int, _ plan: WatchRun.Plan,
    _ kinds: Set<LogEntry.Kind>, _ store: StateStore?
  ) {
    self.device = device
    (source, client) = (nil, nil)
    check = DeadlineCheck(plan.link)
    session = LiveSession(
      rules: plan.rules, kinds: kinds, device: device, source: inlet, store: store, number: number)
    session.names = plan.names
    session.keepsTrail = plan.audience != nil
  }

  /// Whether the ships that its gpsd reports are devices too.
  var hasShips: Bool { source?.hasShips ?? false }

  /// Begins to watch, under the current rules.
  mutating func begin(_ rules: Rules, _ anchors: [AnchorPlan]) {
    session.adopt(rules, anchors)
    // A recording begins with it: line numbers are those that a replay sees.
    if let source { session.receive(RecordingHeader([source]).lines()[...], at: .now) }
  }

  var checkpoint: Checkpoint.Device {
    Checkpoint.Device(name: device, tracker: session.tracker)
  }

  /// When something is due; nil for never.
  var deadline: ContinuousClock.Instant? {
    guard let client else { return nil }
    return [client.deadline, check.deadline(session.nextDeadline())].compactMap { $0 }.min()
  }

  /// What to do about a deadline of the engine.
  ///
  /// A device of an inlet may send later what it has seen meanwhile, so only its next position passes one.
  mutating func nextStep(at now: ContinuousClock.Instant) -> DeadlineCheck.Step {
    client == nil ? .wait : check.step(due: session.nextDeadline(), at: now)
  }

  /// The change of the source that a status means; nil when it is none, or was reported.
  mutating func change(
    for status: LinkStatus, at now: ContinuousClock.Instant
  ) -> SourceChange? {
    check.take(status)
    return changes.change(for: status, at: session.time(at: now))
  }
}
