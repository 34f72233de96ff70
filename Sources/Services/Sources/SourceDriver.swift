internal import Locking
internal import Session
internal import System
internal import Traces
package import Tracking

/// Gets fixes from a source, on a thread that lives from ``start()`` to ``stop()``.
///
/// All that it says comes from that thread, one after the other, and never from within a call of
/// the driver, unless the system has no thread to give. Whoever is told may call the driver.
///
/// A stopped gpsd is connected to anew; a stopped trace goes on where it was: no fix of it is lost.
/// When the driver goes, the source stops.
package final class SourceDriver: Sendable {
  private let stage: SourceStage
  private let run = Mutex<SourceRun?>(nil)

  /// A driver that has not begun.
  ///
  /// `deadline` is when the engine would say something by itself, `sink` takes what comes; both are
  /// called on the driver's thread.
  package init(
    _ source: SourceDescription, deadline: @escaping @Sendable () -> Timestamp?,
    sink: @escaping @Sendable (SourceSignal) -> Void
  ) {
    stage = SourceStage(source, deadline: deadline, sink: sink)
  }

  deinit { stop() }

  /// Begins, or goes on; does nothing while the source runs.
  ///
  /// A trace that is over says so again.
  package func start() {
    do throws(SystemError) {
      try run.withLock { (run) throws(SystemError) in
        if let run, !run.isOver { return }
        let next = try SourceRun()
        try DetachedThread.start { [stage] in stage.play(next) }
        run = next
      }
    } catch {
      stage.sink(.status(.unavailable("no thread for the source of locations: \(error)")))
    }
  }

  /// Ends: closes the connection and the thread, without waiting for them.
  ///
  /// What is being said at this moment is the last.
  package func stop() {
    run.withLock { run in
      run?.stop()
      run = nil
    }
  }

  /// Takes note that the deadline may have changed.
  package func poke() {
    run.withLock { $0?.wake() }
  }
}

/// What all runs of a source share; one is on at a time, and the next waits for its end.
private final class SourceStage: Sendable {
  let sink: @Sendable (SourceSignal) -> Void
  private let source: SourceDescription
  private let deadline: @Sendable () -> Timestamp?
  private let memory = Mutex(Memory())

  /// What a run leaves to the next.
  private struct Memory {
    /// A trace, at the place where it was stopped.
    var player: TracePlayer?
    /// The time of a receiver, which goes on.
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

  func play(_ run: SourceRun) {
    memory.withLock { memory in
      guard !run.isStopped else { return }
      switch source {
      case .gpsd(let address):
        var watch = ReceiverWatch(address, run: run, deadline: deadline, sink: sink)
        watch.watch(&memory.clock)
      case .trace(let path, let speed): play(path, speed, &memory.player, run)
      case .none: sink(.status(.unavailable("there is no source of locations (none)")))
      }
    }
    run.end()
  }

  private func play(
    _ path: String, _ speed: Double?, _ player: inout TracePlayer?, _ run: SourceRun
  ) {
    do throws(TraceError) {
      if player == nil {
        player = try TracePlayer(path: path)
        sink(.status(.reporting))
      }
    } catch {
      return sink(.status(.unavailable(error.description)))
    }
    let pace = Pace(speed: speed, now: { .now }, sleep: { run.wait($0) })
    do throws(TraceError) {
      try player?.play(
        pace: pace, isStopped: { run.isStopped }, deadline: deadline, sink: sink)
    } catch {
      sink(.warning(error.description))
      sink(.status(.ended))
    }
  }
}
