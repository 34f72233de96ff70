public import Foundation
internal import Services
internal import Session
internal import Tracking
internal import Traces

extension LocationService {
  /// Plays a recording, as fast as it goes, on this thread.
  ///
  /// What a fix says is told before the next fix: to all managers of an isolated service, else to
  /// those that were made on this thread, while managers of other threads are told there. At the end
  /// everything is told. Afterwards the service goes on, and another recording may begin at an earlier
  /// time: then it is not known any more where the device is.
  /// - Parameter path: A recording of any format that `waymark replay` reads. Of a recording of several
  ///   devices the first is played.
  /// - Throws: ``LocationServiceError`` when the recording cannot be read to its end; what came before
  ///   is told. Also when it is called from within a delegate's method, or while another is played.
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

  /// Plays a recording, as ``replay(_:)`` does, and lets tasks that iterate over streams keep up: they
  /// have done with what a fix says before the next fix.
  ///
  /// - Throws: as ``replay(_:)``; also `CancellationError`.
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

  /// Takes fixes by hand, oldest first, and tells what they say.
  ///
  /// Locations that come together are told together. From within a delegate's method they are told
  /// when that is over.
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

  /// Lets time pass without a fix: tells what is true by then.
  public func advance(to date: Date) {
    let time = date.time
    while advance(before: time) { settle() }
    step(.source) { $0.core.advance(to: time) }
    settle()
  }

  /// Tells what has not been told yet to the managers of an isolated service; else to those that were
  /// made on this thread.
  ///
  /// Within a delegate's method it does nothing: what there is comes when that is over. While another
  /// thread tells the managers of an isolated service, it waits until they have been told.
  public func settle() {
    guard !isTellingHere else { return }
    deliverHere()
  }

  // MARK: Steps of a replay

  private func beginReplay() throws(LocationServiceError) {
    guard !isTellingHere, deliveries.beginReplay() else { throw .busy }
  }

  private func endReplay() {
    deliveries.deliver()
    deliveries.endReplay()
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

  /// Takes what a recording says, deadlines before it one by one: what a client does when told of one
  /// comes before the next fix.
  private func take(_ signal: SourceSignal) {
    if case .fix(let fix, _) = signal, let time = fix.time {
      while advance(before: time) { deliverHere() }
    }
    receive(signal)
  }

  /// Advances to the next deadline before `time`; false when there is none.
  ///
  /// A time that is too far away may be a wrong one, which the engine judges.
  private func advance(before time: Timestamp) -> Bool {
    step(.source) { state in
      guard let now = state.core.now, let deadline = state.core.nextDeadline, deadline < time,
        deadline > now, time.seconds(since: now) <= Pace.longestStep
      else { return false }
      state.core.advance(to: deadline)
      return true
    }
  }

  /// Whether this is within a delegate's method.
  private var isTellingHere: Bool {
    !isIsolated && inboxes.contains { $0.target.isHere && $0.isTelling }
  }

  private func deliverHere() {
    if isIsolated {
      // Whether it could be kept is told in the same place in every run.
      archive.flush()
      return deliveries.deliver()
    }
    for inbox in inboxes {
      if inbox.target.isHere { inbox.drain() } else { inbox.waitForRoom() }
    }
  }
}
