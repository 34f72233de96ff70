internal import Delivering
public import Foundation
internal import Services
internal import Session
internal import Traces
internal import Tracking

extension LocationService {
  /// Plays a recording on this thread, as fast as possible.
  ///
  /// The effects of a fix are delivered before the next fix: to all managers of an isolated service,
  /// otherwise to the managers made on this thread; managers of other threads get theirs there. At the
  /// end everything is delivered. Afterwards the service continues, and another recording may begin at an
  /// earlier time; the position of the device is then unknown.
  /// - Parameter path: A recording of any format that `waymark replay` reads. If it has several devices,
  ///   the first is played.
  /// - Throws: ``LocationServiceError`` when the recording cannot be read to its end, after the part
  ///   before is delivered. Also when called from within a delegate's method, or during another replay.
  public func replay(_ path: String) throws(LocationServiceError) {
    try beginReplay()
    defer { endReplay() }
    var trace = try open(path)
    while let signal = try next(of: &trace) {
      take(signal)
      deliverHere()
    }
    finishReplay()
  }

  /// Plays a recording as ``replay(_:)`` does, and waits before each fix until tasks that iterate over
  /// streams have processed the one before.
  ///
  /// - Throws: The same as ``replay(_:)``, and `CancellationError`.
  public nonisolated(nonsending) func replay(_ path: String) async throws {
    try beginReplay()
    defer { endReplay() }
    var trace = try open(path)
    try await backpressure.replaying {
      while let signal = try next(of: &trace) {
        try Task.checkCancellation()
        take(signal)
        deliverHere()
        await backpressure.settled()
      }
      finishReplay()
      await backpressure.settled()
    }
  }

  /// Feeds fixes, oldest first, and delivers their effects.
  ///
  /// Locations of one call are delivered together. From within a delegate's method they are delivered
  /// after the method returns.
  public func deliver(_ locations: [CLLocation]) {
    let fixes = locations.map { location in
      (Fix(location), location.sourceInformation?.isProducedByAccessory ?? false)
    }
    step(.source) { state in
      for (fix, isReceived) in fixes {
        state.fixCount += 1
        state.core.ingest(fix, from: isReceived ? .receiver : .simulation)
      }
    }
    settle()
  }

  /// Advances the clock without a fix and delivers the events that have come due.
  public func advance(to date: Date) {
    let time = date.time
    while advance(before: time) { settle() }
    step(.source) { $0.core.advance(to: time) }
    settle()
  }

  /// Delivers everything that is pending to the managers of an isolated service, otherwise to those made
  /// on this thread.
  ///
  /// Within a delegate's method it does nothing: the rest is delivered after the method returns. While
  /// another thread delivers to the managers of an isolated service, it waits for that thread.
  public func settle() {
    guard !isDeliveringHere else { return }
    deliverHere()
  }

  // MARK: Steps of a replay

  private func beginReplay() throws(LocationServiceError) {
    guard !isDeliveringHere, scheduler.beginReplay() else { throw .busy }
  }

  private func endReplay() {
    scheduler.deliver()
    scheduler.endReplay()
  }

  private func open(_ path: String) throws(LocationServiceError) -> TracePlayer {
    do {
      let trace = try TracePlayer(path: path)
      step(.source) { state in
        state.core.beginTrace()
        state.core.sourceChanged(.reporting)
        state.isSourceOver = false
      }
      return trace
    } catch {
      throw .trace(error.description)
    }
  }

  private func next(of trace: inout TracePlayer) throws(LocationServiceError) -> SourceSignal? {
    do {
      return try trace.nextSignal()
    } catch {
      finishReplay()
      throw .trace(error.description)
    }
  }

  private func finishReplay() {
    take(.status(.ended))
    deliverHere()
  }

  /// Takes a signal of a recording, after the deadlines before it, one by one: clients react to a
  /// deadline before the next fix.
  private func take(_ signal: SourceSignal) {
    if case .fix(let fix, _) = signal, let time = fix.time {
      while advance(before: time) { deliverHere() }
    }
    receive(signal)
  }

  /// Advances to the next deadline before `time`; false when there is none.
  ///
  /// A time too far ahead may be wrong; the engine decides about it.
  private func advance(before time: Timestamp) -> Bool {
    step(.source) { state in
      guard let now = state.core.now, let deadline = state.core.nextDeadline, deadline < time,
        deadline > now, time.seconds(since: now) <= Pacer.longestStep
      else { return false }
      state.core.advance(to: deadline)
      return true
    }
  }

  /// Whether this is called within a delegate's method.
  private var isDeliveringHere: Bool {
    !isIsolated && managerQueues.contains { $0.target.isHere && $0.isDelivering }
  }

  private func deliverHere() {
    if isIsolated {
      // Whether the state could be saved is reported at the same point in every replay.
      archive.flush()
      return scheduler.deliver()
    }
    for queue in managerQueues {
      if queue.target.isHere { queue.drain() } else { queue.waitUntilDrained() }
    }
  }
}
