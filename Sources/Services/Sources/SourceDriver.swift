internal import Locking
internal import Session
internal import System
internal import Traces
package import Tracking

/// Gets fixes from a source, on a thread that lives from ``start()`` to ``stop()``.
///
/// All signals come from that thread, one after the other, and never from within a call of the driver,
/// unless the system refuses a thread. The sink may call the driver.
///
/// After a stop it reconnects to gpsd, and continues a trace where it was: no fix is lost. The source
/// stops when the driver is deallocated.
package final class SourceDriver: Sendable {
  private let context: SourceContext
  private let session = Mutex<SourceSession?>(nil)

  /// Creates a driver, which does not start yet.
  ///
  /// `deadline` returns the engine's next deadline, `sink` receives the signals; both are called on the
  /// driver's thread.
  package init(
    _ source: SourceDescription, deadline: @escaping @Sendable () -> Timestamp?,
    sink: @escaping @Sendable (SourceSignal) -> Void
  ) {
    context = SourceContext(source, deadline: deadline, sink: sink)
  }

  deinit { stop() }

  /// Starts or continues; no effect while the source runs.
  ///
  /// A trace that is over reports its end again.
  package func start() {
    do throws(SystemError) {
      try session.withLock { (session) throws(SystemError) in
        if let session, !session.isOver { return }
        let next = try SourceSession()
        try DetachedThread.start { [context] in context.play(next) }
        session = next
      }
    } catch {
      context.sink(
        .status(.unavailable("cannot start a thread for the source of locations: \(error)")))
    }
  }

  /// Stops: closes the connection and ends the thread, without waiting for them.
  ///
  /// A signal that is being sent at this moment is the last one.
  package func stop() {
    session.withLock { session in
      session?.stop()
      session = nil
    }
  }

  /// Notes that the deadline may have changed.
  package func poke() {
    session.withLock { $0?.wake() }
  }
}

/// What all sessions of a source share; one runs at a time, and the next waits for its end.
private final class SourceContext: Sendable {
  let sink: @Sendable (SourceSignal) -> Void
  private let source: SourceDescription
  private let deadline: @Sendable () -> Timestamp?
  private let state = Mutex(State())

  /// What a session leaves to the next.
  private struct State {
    /// A trace, at the fix where it was stopped.
    var player: TracePlayer?
    /// The clock of a receiver, which continues.
    var clock = LiveClock()
  }

  init(
    _ source: SourceDescription, deadline: @escaping @Sendable () -> Timestamp?,
    sink: @escaping @Sendable (SourceSignal) -> Void
  ) {
    self.source = source
    self.deadline = deadline
    self.sink = sink
  }

  func play(_ session: SourceSession) {
    state.withLock { state in
      guard !session.isStopped else { return }
      switch source {
      case .gpsd(let address):
        var reader = ReceiverReader(address, session: session, deadline: deadline, sink: sink)
        reader.read(&state.clock)
      case .trace(let path, let speed, let device, let isNow):
        play(&state.player, speed, session) { () throws(TraceError) in
          try TracePlayer(path: path, device: device, startTime: isNow ? { .ofSystem } : nil)
        }
      case .none: sink(.status(.unavailable("there is no source of locations (none)")))
      }
    }
    session.end()
  }

  private func play(
    _ player: inout TracePlayer?, _ speed: Double?, _ session: SourceSession,
    open: () throws(TraceError) -> TracePlayer
  ) {
    do throws(TraceError) {
      if player == nil {
        player = try open()
        sink(.status(.reporting))
      }
    } catch {
      return sink(.status(.unavailable(error.description)))
    }
    let pace = Pacer(speed: speed, now: { .now }, sleep: { session.wait($0) })
    do throws(TraceError) {
      try player?.play(
        pace: pace, isStopped: { session.isStopped }, deadline: deadline, sink: sink)
    } catch {
      sink(.warning(error.description))
      sink(.status(.ended))
    }
  }
}
