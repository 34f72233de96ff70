package import GPSD
internal import Glibc
internal import Locking
package import Receivers
package import Session
internal import System
internal import Text
internal import Traces
package import Tracking

/// Launches a program when an event that it requested happens while it does not run.
///
/// A single thread waits for fixes, signals and the program. The program holds the lock of its state
/// folder while it runs; the launcher holds it for moments.
package final class Launcher {
  /// The source of fixes.
  package enum Source {
    case gpsd(GPSDAddress, LinkOptions)
    case trace(TraceFeed, Pacer)
  }

  /// The options of `launch`.
  package struct Options {
    package var source: Source
    package var folder: String
    /// The program and its arguments.
    package var program: String
    package var arguments: [String] = []
    /// The device of a trace whose fixes count; nil for the first.
    package var device: String?
    /// Rules in place of those of the program's profile.
    package var visits: VisitRules?
    package var significantChanges: SignificantChangeRules?

    package init(source: Source, folder: String, program: String) {
      self.source = source
      self.folder = folder
      self.program = program
    }
  }

  /// Counts for the summary.
  package struct Counts: Sendable, Hashable {
    package var fixes = 0
    package var launches = 0
    package var failures = 0
    /// Events without a launch, because the program had failed before.
    package var skipped = 0
    /// Errors in a trace.
    package var issues = 0
  }

  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal, or the end of the trace.
    case done
    /// gpsd is unavailable and reconnecting is off, for the reason given.
    case unavailable(String)
  }

  /// Why it cannot continue.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case noProgram(String)
    case cannotStart(String, String)
    case folder(StoreError)
    /// The track has no fixes of the device.
    case noDevice(String, found: [String])
    case system(String)

    /// What is wrong, in one sentence.
    package var description: String {
      switch self {
      case .noProgram(let name): "\(name): no such program"
      case .cannotStart(let name, let reason): "\(name): the program cannot be started: \(reason)"
      case .folder(let error): "\(error)"
      case .noDevice(let name, let found):
        "--device: the track has no fixes of '\(name)'; it has \(found.joined(separator: ", "))"
      case .system(let reason): reason
      }
    }
  }

  package private(set) var counts = Counts()

  private let options: Options
  private let path: String
  private let folder: ServiceFolder
  private let signals: Signals
  private let log: @Sendable (String) -> Void
  private var detector: LaunchDetector?
  private var stamp: [Int]?
  private var backOff = EventBackOff()
  private var isStopping = false
  /// The interval of checkpoints with a live receiver.
  private static let checkpointInterval = Duration.seconds(60)
  private var isElsewhereReported = false
  /// Events that could not be written: they are written with the next ones.
  ///
  /// Until then the saved state stays as it was, so a new start finds them again.
  private var unwritten: [PendingEvent] = []
  /// Whether the state in memory is saved.
  private var isSaved = true
  private var isIdleReported = false

  /// Checks the program, the folder and the signals.
  package init(
    _ options: Options, log: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    self.options = options
    // A message that repeats with every fix is logged once.
    let last = LastLine()
    let logOnce: @Sendable (String) -> Void = { line in if last.isNew(line) { log(line) } }
    self.log = logOnce
    switch ChildProcess.find(options.program) {
    case .success(let path): self.path = path
    case .failure(let failure):
      throw failure.code == ENOENT
        ? .noProgram(options.program) : .cannotStart(options.program, failure.reason)
    }
    folder = ServiceFolder(options.folder, log: logOnce)
    do throws(StoreError) {
      _ = try FolderLock(folder, patience: .zero)
    } catch {
      // A folder in use belongs to the program, which was started by hand.
      if case .refused = error { throw .folder(error) }
    }
    do throws(SystemError) {
      signals = try Signals(wake: [SIGCHLD])
    } catch {
      throw .system("\(error)")
    }
  }

  /// Runs until a signal or the end of the trace, and saves the engine's state then.
  ///
  /// - Throws: ``Failure``, or `TraceError` when the trace cannot be read on.
  package func run() throws -> End {
    defer { checkpoint() }
    switch options.source {
    case .gpsd(let address, let options): return try follow(address, options)
    case .trace(let feed, let pace): return try play(feed, pace)
    }
  }

  // MARK: Sources

  private func play(_ feed: TraceFeed, _ pace: Pacer) throws -> End {
    var pace = pace
    var merge = TraceMerge([feed])
    merge.warn = log
    defer { counts.issues = merge.issues }
    try merge.start()
    var followed: ExactText?
    while !isStopping, let step = try merge.next() {
      let name = merge.devices[step.device].name
      let wanted = options.device ?? merge.devices[0].name
      if followed == nil, name == wanted {
        // Of the names that are read so far: the track is played while it is read.
        let known = feed.devices + [name]
        followed = ExactText.firstIndex(of: wanted, in: known).map { ExactText(known[$0]) }
      }
      guard ExactText(name) == followed else { continue }
      if let delay = pace.delay(until: step.due) { wait(until: .now + delay) }
      takeSignals()
      guard !isStopping else { break }
      try take(step.fix, .simulation)
    }
    if let device = options.device, counts.fixes == 0, !isStopping {
      throw Failure.noDevice(device, found: merge.devices.map(\.name))
    }
    return .done
  }

  private func follow(_ address: GPSDAddress, _ options: LinkOptions) throws -> End {
    while true {
      let link = GPSDClient(address, options: options)
      defer { link.close() }
      if let end = try follow(link) { return end }
    }
  }

  /// Follows a connection until the program is launched, which connects by itself; nil then.
  private func follow(_ client: GPSDClient) throws -> End? {
    var decoder = ReceiverLogDecoder(allowsSimulated: true)
    var batch = TraceBatch()
    var loss: String?
    let before = counts.launches
    var poller = Poller()
    var nextCheckpoint = ContinuousClock.now + Self.checkpointInterval
    while !client.isOver, counts.launches == before {
      if .now >= nextCheckpoint {
        checkpoint()
        nextCheckpoint = .now + Self.checkpointInterval
      }
      poller.removeAll()
      let source = client.join(&poller)
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: client.deadline)
      takeSignals()
      if isStopping { return .done }
      try client.turn(now: .now, ready: poller.ready(source)) { event in
        switch event {
        case .status(.lost(let reason, let retry)):
          if loss == nil, retry != nil { log("connection to gpsd lost: \(reason)") }
          loss = "\(reason)"
        case .status(.connected(let version)):
          log("connected to gpsd \(version.release) at \(client.address)")
          loss = nil
        case .bytes(let bytes):
          batch.removeAll()
          _ = decoder.decode(bytes.span, isFinal: false, into: &batch)
          for point in batch.points where counts.launches == before {
            try take(point.fix, .receiver)
          }
        case .status, .answered, .ended: break
        }
      }
    }
    return client.isOver ? .unavailable(loss ?? "gpsd is unavailable") : nil
  }

  private func wait(until deadline: ContinuousClock.Instant) {
    var poller = Poller()
    while !isStopping, ContinuousClock.now < deadline {
      poller.removeAll()
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: deadline)
      takeSignals()
    }
  }

  private func takeSignals() {
    if signals.take().contains(.stop) { isStopping = true }
  }

  // MARK: Fixes

  private func take(_ fix: Fix, _ origin: Location.Origin) throws(Failure) {
    counts.fixes += 1
    refresh()
    let events = detector?.ingest(fix, from: origin) ?? []
    guard !events.isEmpty || !unwritten.isEmpty else { return }
    guard leave(events) else { return }
    guard backOff.attempts() else {
      counts.skipped += 1
      return
    }
    try launch()
  }

  /// Reads the state if the program has saved it since.
  private func refresh() {
    let found = folder.stamp
    guard found != stamp, let lock = lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    let state = folder.load()
    stamp = folder.stamp
    detector = state.flatMap {
      LaunchDetector($0, visits: options.visits, significantChanges: options.significantChanges)
    }
    guard detector == nil, !isIdleReported else { return }
    isIdleReported = true
    log(Self.idle(state, folder.path))
  }

  private static func idle(_ state: ServiceState?, _ path: String) -> String {
    guard let state else {
      return "\(path): no program has made requests there yet; start it once by hand"
    }
    return state.wantsLaunches
      ? "\(path): the program is not launched, because it has no permission for the background; it needs "
        + "always"
      : "\(path): the program is not launched, because it has no requests for regions, visits, "
        + "significant changes or conditions"
  }

  /// Saves events and the state for the program; false when the program runs already, and receives the
  /// events itself.
  private func leave(_ events: [PendingEvent]) -> Bool {
    unwritten += events
    guard
      let lock = lock(elsewhere: {
        unwritten = []
        if !isElsewhereReported {
          log("\(folder.path): the program runs already, so it is not launched")
        }
        isElsewhereReported = true
      })
    else { return false }
    isElsewhereReported = false
    defer { withExtendedLifetime(lock) {} }
    return save()
  }

  /// The lock of the folder; nil when a program has it, after a call of `elsewhere`, or when the system
  /// refuses, which is logged.
  private func lock(elsewhere: () -> Void = {}) -> FolderLock? {
    do throws(StoreError) {
      return try FolderLock(folder, patience: .zero)
    } catch {
      switch error {
      case .inUse: elsewhere()
      case .refused: log("\(error)")
      }
      return nil
    }
  }

  /// Writes the pending events and then the state that includes them; false when the events could not be
  /// written.
  private func save() -> Bool {
    guard let detector, unwritten.isEmpty || folder.add(unwritten) else {
      isSaved = false
      return false
    }
    unwritten = []
    let wasSaved = isSaved
    isSaved = folder.save(detector.state)
    if isSaved, !wasSaved { log("\(folder.path): saving the state again") }
    stamp = folder.stamp
    return true
  }

  /// Saves the engine's state, unless the program has the folder.
  private func checkpoint() {
    guard detector != nil, folder.stamp == stamp, let lock = lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    _ = save()
  }

  // MARK: The program

  private func launch() throws(Failure) {
    let environment = [
      "WAYMARK_STATE": Self.absolute(folder.path), "WAYMARK_LAUNCHED": "location",
    ]
    let child: ChildProcess
    do throws(WholeFile.Failure) {
      child = try ChildProcess(path, options.arguments, environment: environment)
    } catch {
      throw .cannotStart(options.program, error.reason)
    }
    counts.launches += 1
    let end = wait(for: child)
    // Read what the program has saved, unless the state in memory is newer because it was not saved.
    if isSaved { stamp = nil }
    // A program that took its events did not fail at once.
    let isWell = end == .exit(0) || !folder.hasPending || isStopping
    backOff.ended(well: isWell)
    guard !isWell else { return }
    counts.failures += 1
    log(
      "\(options.program) \(end.sentence) without taking the events that it was launched for; it is not "
        + "launched for the next \(Self.events(backOff.eventsToSkip))")
  }

  private static func events(_ count: Int) -> String { count == 1 ? "event" : "\(count) events" }

  private func wait(for child: ChildProcess) -> ChildProcess.End {
    var poller = Poller()
    while true {
      if let end = child.poll() { return end }
      poller.removeAll()
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: nil)
      let wasStopping = isStopping
      takeSignals()
      if isStopping, !wasStopping { child.stop() }
    }
  }

  private static func absolute(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }
}

/// The last line logged.
private final class LastLine: Sendable {
  private let line = Mutex("")

  /// Whether the line differs from the last one, which it replaces.
  func isNew(_ new: String) -> Bool {
    line.withLock { line in
      defer { line = new }
      return line != new
    }
  }
}
