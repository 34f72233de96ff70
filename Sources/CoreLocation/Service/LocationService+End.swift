internal import Delivering
internal import Locking
internal import Services

extension LocationService {
  /// Waits until the recording has ended and all of it has been delivered.
  ///
  /// The recording is the source of the service, or one that is replayed. When this returns, delegates
  /// have been called; if this was called before the recording began, tasks that iterate over streams
  /// also wait for the next element. A recording that cannot be read, or a missing source, ends as soon
  /// as a client starts something. After the end it returns at once. A receiver has no end, and a
  /// recording that is paused because no client needs it does not end. It also returns when the task is
  /// cancelled.
  public nonisolated(nonsending) func waitForEnd() async {
    await backpressure.replaying {
      let waiter = AsyncBuffer<Void>()
      let isOver = state.withLock { state in
        if !state.isSourceOver { state.endWaiters.append(waiter) }
        return state.isSourceOver
      }
      if isOver {
        passEnd(to: [waiter])
        settle()
      }
      guard await waiter.next() != nil else {
        return state.withLock { state in state.endWaiters.removeAll { $0 === waiter } }
      }
      await backpressure.settled()
    }
  }

  /// Wakes `waiters` as soon as all managers have received the deliveries in their queues.
  func passEnd(to waiters: [AsyncBuffer<Void>]) {
    guard !waiters.isEmpty else { return }
    let marker = EndMarker { for waiter in waiters { waiter.put(()) } }
    for queue in managerQueues { queue.put(.call { _ in withExtendedLifetime(marker) {} }) }
  }

  /// Whether no fix comes after the end of the source, so requests are then answered at once.
  ///
  /// gpsd has no end, and an isolated service may play another recording.
  var hasOneEnd: Bool { if case .gpsd = setup.source { false } else { !isIsolated } }

  /// Whether a source with this status has ended; gpsd may always come back.
  func isOver(_ status: SourceStatus) -> Bool {
    switch status {
    case .reporting: false
    case .ended: true
    case .unavailable: if case .gpsd = setup.source { false } else { true }
    }
  }
}

/// The last entry of every manager's queue; it is released when the last manager has reached it or was
/// released.
private final class EndMarker: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}
