internal import Delivering
internal import Locking
internal import Services

/// A client of the service for one iteration over a stream.
///
/// It starts when it is made, and ends when its task is cancelled or it is released. The iterator owns
/// it, so beginning to iterate starts the service, and leaving the loop stops it (9.1).
final class StreamSubscription: Sendable {
  let service: LocationService
  let id: ClientID
  private let buffer: AsyncBuffer<Notice>
  private let session: ServiceSession.ID
  private let isOver = Mutex(false)

  init(_ kind: ClientKind, in service: LocationService) {
    self.service = service
    let buffer = AsyncBuffer<Notice>(backpressure: service.backpressure)
    self.buffer = buffer
    // The session first: its prompt must be up before the stream reports why it has no locations.
    session = service.beginImplicitSession()
    id = service.attach(kind) { notice in
      guard case .locations(let locations, let found) = notice else { return buffer.put(notice) }
      for location in locations { buffer.put(.locations([location], found)) }
    }
  }

  deinit { end() }

  /// Whether a task is waiting for the next notice.
  var isAwaited: Bool { buffer.waiting > 0 }

  /// The next notice; nil when the task is cancelled, and from then on.
  func next() async -> Notice? {
    let notice = await buffer.next()
    if notice == nil { end() }
    return notice
  }

  /// Ends the subscription.
  func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    buffer.close()
    service.detach(id)
    service.endSession(session)
  }
}
