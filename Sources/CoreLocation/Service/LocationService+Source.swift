internal import Foundation
internal import Locking
internal import Services

extension LocationService {
  /// What came about through a location service.
  public struct Statistics: Sendable, Hashable {
    /// Fixes taken.
    public internal(set) var fixes = 0
    /// Locations and elements of streams that nobody took in time, so that they went for newer ones.
    public internal(set) var dropped = 0
    /// Locations and events that were not told as the program was in the background.
    public internal(set) var withheld = 0
  }

  /// The numbers so far.
  public var statistics: Statistics {
    let (statistics, inboxes) = state.withLock { state in
      (
        Statistics(
          fixes: state.fixCount, dropped: state.droppedCount, withheld: state.core.withheld),
        state.recipients.inboxes
      )
    }
    var sum = statistics
    sum.dropped += inboxes.reduce(backpressure.droppedCount) { $0 + $1.droppedCount }
    return sum
  }

  /// Whether `waymark launch` started the program as something happened while it did not run.
  ///
  /// What happened is told to the first manager that has a delegate. It stands for the key
  /// `UIApplication.LaunchOptionsKey.location`; of a program that was started by hand it is false.
  public var wasLaunchedForLocation: Bool {
    !isIsolated && Configuration.isLaunch(ProcessInfo.processInfo.environment)
  }

  /// Whether there is a source of locations, and location services are on.
  ///
  /// An isolated service is played to by hand, which is a source too.
  var hasSource: Bool { isEnabled && (isIsolated || sources.isAvailable) }

  /// Takes what a source says.
  func receive(_ signal: SourceSignal) {
    switch signal {
    case .began(let time): step(.source) { $0.core.begin(at: time) }
    case .fix(let fix, let origin):
      step(.source) { state in
        state.fixCount += 1
        state.core.ingest(fix, from: origin)
      }
    case .time(let time): step(.source) { $0.core.advance(to: time) }
    case .clock(let time): step(.source) { $0.core.note(clock: time) }
    case .status(let status):
      let enders = step(.source) { state in
        state.core.sourceChanged(status)
        state.isSourceOver = isOver(status)
        return state.isSourceOver ? state.takeEnders() : []
      }
      if case .unavailable(let reason) = status { setup.log(reason) }
      passEnd(to: enders)
    case .warning(let text): setup.log(text)
    }
  }

  /// Waits until everybody has room for what a recording says next.
  func waitForRoom() {
    if !room.isEverywhere {
      for inbox in inboxes { inbox.waitForRoom() }
    }
    backpressure.waitForRoom()
  }

  var inboxes: [Inbox] { state.withLock { $0.recipients.inboxes } }
}
