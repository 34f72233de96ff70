package import GPSD
internal import Glibc
internal import Locking
package import Session
internal import System
internal import Traces
package import Tracking

/// Launches a program when what it asked to be told of happens while it does not run.
///
/// One thread; it waits for fixes, signals and the program. The program's state folder is the
/// program's while it runs, and for moments the launcher's.
package final class Launcher {
  /// Where fixes come from.
  package enum Source {
    case gpsd(GPSDAddress, LinkOptions)
    case trace(TraceFeed, Pace)
  }

  /// What is to be done.
  package struct Plan {
    package var source: Source
    package var folder: String
    /// The program and its arguments.
    package var program: String
    package var arguments: [String] = []
    /// Whose fixes of a trace are the program's; nil for the first device.
    package var device: String?
    /// Other rules than those of the program's profile.
    package var visits: VisitRules?
    package var significantChanges: SignificantChangeRules?

    package init(source: Source, folder: String, program: String) {
      self.source = source
      self.folder = folder
      self.program = program
    }
  }

  /// What was done.
  package struct Counts: Sendable, Hashable {
    package var fixes = 0
    package var launches = 0
    package var failures = 0
    /// Events for which the program was not launched, as it had failed before.
    package var spared = 0
    /// Faults of a trace.
    package var issues = 0
  }

  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal, or the end of the trace.
    case done
    /// gpsd is gone and not to be tried again, for the reason given.
    case unavailable(String)
  }

  /// Why it cannot go on.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case noProgram(String)
    case cannotStart(String, String)
    case folder(StoreError)
    /// The track has fixes of others only.
    case noDevice(String, found: [String])
    case system(String)

    /// One sentence that says what is wrong.
    package var description: String {
      switch self {
      case .noProgram(let name): "\(name): there is no such program to launch"
      case .cannotStart(let name, let reason): "\(name): the program cannot be started: \(reason)"
      case .folder(let error): "\(error)"
      case .noDevice(let name, let found):
        "--device: the track has no fixes of '\(name)', but of \(found.joined(separator: ", "))"
      case .system(let reason): reason
      }
    }
  }

  package private(set) var counts = Counts()

  private let plan: Plan
  private let path: String
  private let folder: ServiceFolder
  private let signals: Signals
  private let say: @Sendable (String) -> Void
  private var watch: LaunchWatch?
  private var stamp: [Int]?
  private var backOff = LaunchBackOff()
  private var isStopping = false
  /// How often what the engine knows is kept while a receiver is watched.
  private static let checkpointInterval = Duration.seconds(60)
  private var isToldElsewhere = false
  /// Events that the system would not take: they go with the next, and until then the state stays as
  /// it was, so that whoever begins anew finds them.
  private var unwritten: [PendingEvent] = []
  /// Whether the state on the disk is the one in memory.
  private var isSaved = true
  private var isToldIdle = false

  /// Looks whether everything is there that is needed.
  package init(
    _ plan: Plan, say: @escaping @Sendable (String) -> Void
  ) throws(Failure) {
    self.plan = plan
    // What is tried again with every fix is told once.
    let last = LastLine()
    let sayOnce: @Sendable (String) -> Void = { line in if last.isNew(line) { say(line) } }
    self.say = sayOnce
    switch ChildProgram.find(plan.program) {
    case .success(let path): self.path = path
    case .failure(let failure):
      throw failure.code == ENOENT
        ? .noProgram(plan.program) : .cannotStart(plan.program, failure.reason)
    }
    folder = ServiceFolder(plan.folder, say: sayOnce)
    do throws(StoreError) {
      _ = try FolderLock(folder, patience: .zero)
    } catch {
      // One that is in use is the program's, which was started by hand.
      if case .refused = error { throw .folder(error) }
    }
    do throws(SystemError) {
      signals = try Signals(wake: [SIGCHLD])
    } catch {
      throw .system("\(error)")
    }
  }

  /// Watches until a signal, or the end of the trace; what the engine knows then is kept.
  ///
  /// - Throws: ``Failure``, or `TraceError` when the trace cannot be read on.
  package func run() throws -> End {
    defer { keep() }
    switch plan.source {
    case .gpsd(let address, let options): return try follow(address, options)
    case .trace(let feed, let pace): return try play(feed, pace)
    }
  }

  // MARK: Sources

  private func play(_ feed: TraceFeed, _ pace: Pace) throws -> End {
    var pace = pace
    var merge = TraceMerge([feed])
    merge.warn = say
    defer { counts.issues = merge.issues }
    try merge.start()
    while !isStopping, let step = try merge.next() {
      guard merge.devices[step.device].name == plan.device ?? merge.devices[0].name else {
        continue
      }
      if let delay = pace.delay(until: step.due) { wait(until: .now + delay) }
      obeySignals()
      guard !isStopping else { break }
      try take(step.fix, .simulation)
    }
    if let device = plan.device, counts.fixes == 0, !isStopping {
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

  /// Follows a connection until the program was launched, whose own one takes its place; nil then.
  private func follow(_ client: GPSDClient) throws -> End? {
    var decoder = ReceiverLogDecoder()
    var batch = TraceBatch()
    var loss: String?
    let before = counts.launches
    var poller = Poller()
    var nextCheckpoint = ContinuousClock.now + Self.checkpointInterval
    while !client.isOver, counts.launches == before {
      if .now >= nextCheckpoint {
        keep()
        nextCheckpoint = .now + Self.checkpointInterval
      }
      poller.removeAll()
      let source = client.join(&poller)
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: client.deadline)
      obeySignals()
      if isStopping { return .done }
      try client.turn(now: .now, ready: poller.ready(source)) { event in
        switch event {
        case .status(.lost(let reason, let retry)):
          if loss == nil, retry != nil { say("gpsd is lost: \(reason)") }
          loss = "\(reason)"
        case .status(.connected(let version)):
          say("connected to gpsd \(version.release) at \(client.address)")
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
    return client.isOver ? .unavailable(loss ?? "gpsd is gone") : nil
  }

  private func wait(until deadline: ContinuousClock.Instant) {
    var poller = Poller()
    while !isStopping, ContinuousClock.now < deadline {
      poller.removeAll()
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: deadline)
      obeySignals()
    }
  }

  private func obeySignals() {
    if signals.take().contains(.stop) { isStopping = true }
  }

  // MARK: Fixes

  private func take(_ fix: Fix, _ origin: Report.Origin) throws(Failure) {
    counts.fixes += 1
    refresh()
    let events = watch?.ingest(fix, from: origin) ?? []
    guard !events.isEmpty || !unwritten.isEmpty else { return }
    guard leave(events) else { return }
    guard backOff.launches() else {
      counts.spared += 1
      return
    }
    try launch()
  }

  /// Takes up what the program has saved since the last time, if it has.
  private func refresh() {
    let found = folder.stamp
    guard found != stamp, let lock = lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    let state = folder.load()
    stamp = folder.stamp
    watch = state.flatMap {
      LaunchWatch($0, visits: plan.visits, significantChanges: plan.significantChanges)
    }
    guard watch == nil, !isToldIdle else { return }
    isToldIdle = true
    say(Self.idle(state, folder.path))
  }

  private static func idle(_ state: ServiceState?, _ path: String) -> String {
    guard let state else {
      return "\(path): no program has asked for anything there yet; start it once by hand"
    }
    return state.wantsLaunches
      ? "\(path): the program may not be told in the background (that needs always), so it is not "
        + "launched"
      : "\(path): the program has asked for nothing that it is launched for"
  }

  /// Leaves events and all that is known for the program; false when it runs already, and hears of
  /// them itself.
  private func leave(_ events: [PendingEvent]) -> Bool {
    unwritten += events
    guard
      let lock = lock(elsewhere: {
        unwritten = []
        if !isToldElsewhere {
          say("\(folder.path): a program runs there, and is not launched again")
        }
        isToldElsewhere = true
      })
    else { return false }
    isToldElsewhere = false
    defer { withExtendedLifetime(lock) {} }
    return save()
  }

  /// The lock of the folder; nil when a program has it, which `elsewhere` does something about, or when
  /// the system refuses, which is told.
  private func lock(elsewhere: () -> Void = {}) -> FolderLock? {
    do throws(StoreError) {
      return try FolderLock(folder, patience: .zero)
    } catch {
      switch error {
      case .inUse: elsewhere()
      case .refused: say("\(error)")
      }
      return nil
    }
  }

  /// Writes what is to be told, and then the state that knows that it is; false when the former could
  /// not be.
  private func save() -> Bool {
    guard let watch, unwritten.isEmpty || folder.add(unwritten) else {
      isSaved = false
      return false
    }
    unwritten = []
    let wasSaved = isSaved
    isSaved = folder.save(watch.state)
    if isSaved, !wasSaved { say("\(folder.path): the state is kept again") }
    stamp = folder.stamp
    return true
  }

  /// Keeps what the engine knows, unless the program has the folder.
  private func keep() {
    guard watch != nil, folder.stamp == stamp, let lock = lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    _ = save()
  }

  // MARK: The program

  private func launch() throws(Failure) {
    let environment = [
      "WAYMARK_STATE": Self.absolute(folder.path), "WAYMARK_LAUNCHED": "location",
    ]
    let child: ChildProgram
    do throws(WholeFile.Failure) {
      child = try ChildProgram(path, plan.arguments, environment: environment)
    } catch {
      throw .cannotStart(plan.program, error.reason)
    }
    counts.launches += 1
    let end = wait(for: child)
    // What the program has saved is newer; what could not be saved before is newer than the file.
    if isSaved { stamp = nil }
    // Who took what it was launched for did not fail at once.
    let isWell = end == .exit(0) || !folder.hasPending || isStopping
    backOff.ended(well: isWell)
    guard !isWell else { return }
    counts.failures += 1
    say(
      "\(plan.program) \(end.sentence) and took nothing of what it was launched for; it is not "
        + "launched for the next \(Self.events(backOff.toSpare))")
  }

  private static func events(_ count: Int) -> String { count == 1 ? "event" : "\(count) events" }

  private func wait(for child: ChildProgram) -> ChildProgram.End {
    var poller = Poller()
    while true {
      if let end = child.poll() { return end }
      poller.removeAll()
      _ = poller.add(signals.descriptor, .read)
      poller.wait(until: nil)
      let wasStopping = isStopping
      obeySignals()
      if isStopping, !wasStopping { child.stop() }
    }
  }

  private static func absolute(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }
}

/// The line that was said last.
private final class LastLine: Sendable {
  private let line = Mutex("")

  /// Whether it is another one, which is remembered.
  func isNew(_ new: String) -> Bool {
    line.withLock { line in
      defer { line = new }
      return line != new
    }
  }
}
