internal import Delivering
internal import Foundation
internal import Locking
package import Services
package import Tracking

extension LocationService {
  /// The counts of a location service.
  public struct Statistics: Sendable, Hashable {
    /// Fixes taken from the source.
    public internal(set) var fixes = 0
    /// Locations and elements of streams that were not taken in time and dropped for newer ones.
    public internal(set) var dropped = 0
    /// Locations and events that were not delivered because the program was in the background.
    public internal(set) var withheld = 0
  }

  /// The counts so far.
  public var statistics: Statistics {
    let (statistics, managerQueues) = state.withLock { state in
      (
        Statistics(
          fixes: state.fixCount, dropped: state.droppedCount, withheld: state.core.withheld),
        state.recipients.managerQueues
      )
    }
    var sum = statistics
    sum.dropped += managerQueues.reduce(backpressure.droppedCount) { $0 + $1.droppedCount }
    return sum
  }

  /// Whether `waymark launch` started the program for an event.
  ///
  /// The first manager that has a delegate gets the event. This stands for the key
  /// `UIApplication.LaunchOptionsKey.location`; it is false for a program that was started by hand.
  public var wasLaunchedForLocation: Bool {
    !isIsolated && Configuration.isLaunch(ProcessInfo.processInfo.environment)
  }

  /// Whether there is a source of locations, and location services are on.
  ///
  /// An isolated service always has one: it gets fixes by replay.
  var hasSource: Bool { isEnabled && (isIsolated || sources.isAvailable) }

  /// Whether the program was configured to have no source.
  var isWithoutSource: Bool { !isIsolated && setup.source == .none }

  /// Whether headings can be expected of the source.
  var mayHaveCompass: Bool { !isWithoutSource && read(\.core.mayHaveCompass) }

  var managerQueues: [ManagerQueue] { state.withLock { $0.recipients.managerQueues } }
}

extension LocationService: SourceClient {
  package var needsSource: Bool { read(\.isSourceNeeded) }
  package var nextDeadline: Timestamp? { read(\.core.nextDeadline) }
  package func beginTrace() { state.withLock { $0.core.beginTrace() } }

  /// Takes a signal of the source.
  package func receive(_ signal: SourceSignal) {
    switch signal {
    case .began(let time): step(.source) { $0.core.begin(at: time) }
    case .fix(let fix, let origin):
      step(.source) { state in
        state.fixCount += 1
        state.core.ingest(fix, from: origin)
      }
    case .heading(let heading): step(.source) { $0.core.take(heading) }
    case .time(let time): step(.source) { $0.core.advance(to: time) }
    case .clock(let time): step(.source) { $0.core.note(clock: time) }
    case .status(let status):
      let endWaiters = step(.source) { state in
        state.core.sourceChanged(status)
        state.isSourceOver = isOver(status)
        return state.isSourceOver ? state.takeEndWaiters() : []
      }
      if case .unavailable(let reason) = status { setup.log(reason) }
      passEnd(to: endWaiters)
    case .warning(let text): setup.log(text)
    }
  }

  /// Waits until no manager or stream has too much pending for a recording to continue.
  package func waitUntilDrained() {
    if !fullQueues.isZero {
      for queue in managerQueues { queue.waitUntilDrained() }
    }
    backpressure.waitUntilDrained()
  }
}
