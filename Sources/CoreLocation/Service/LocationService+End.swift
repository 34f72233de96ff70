internal import Locking
internal import Services

extension LocationService {
  /// Waits until the recording is over and everybody was told all of it.
  ///
  /// That is the recording that `WAYMARK_SOURCE` names, or one that is replayed. Delegates have been
  /// called then, and tasks that iterate over streams wait for more, if this was called before the
  /// recording began. A recording that cannot be read, or no source at all, is over as soon as
  /// something is started; what is over already is not waited for. A receiver has no end, nor has a
  /// recording that stands still as nobody wants anything any more. When the task is cancelled, it
  /// returns.
  public nonisolated(nonsending) func waitForEnd() async {
    await backpressure.replaying {
      let ender = Mailbox<Void>()
      let isOver = state.withLock { state in
        if !state.isSourceOver { state.enders.append(ender) }
        return state.isSourceOver
      }
      if isOver {
        passEnd(to: [ender])
        settle()
      }
      guard await ender.next() != nil else {
        return state.withLock { state in state.enders.removeAll { $0 === ender } }
      }
      await backpressure.settled()
    }
  }

  /// Says that it is the end as soon as all managers have been told what lies before them now.
  func passEnd(to enders: [Mailbox<Void>]) {
    guard !enders.isEmpty else { return }
    let mark = EndMark { for ender in enders { ender.put(()) } }
    for inbox in inboxes { inbox.put(.call { _ in withExtendedLifetime(mark) {} }) }
  }

  /// Whether a source that says this has nothing more to tell; gpsd may always come back.
  func isOver(_ status: SourceStatus) -> Bool {
    switch status {
    case .reporting: false
    case .ended: true
    case .unavailable: if case .gpsd = setup.source { false } else { true }
    }
  }
}

/// Lies in the managers' inboxes behind everything else, and is gone when the last of them came to it
/// or went itself.
private final class EndMark: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}
