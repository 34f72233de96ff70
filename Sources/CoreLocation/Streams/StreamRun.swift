internal import Locking
internal import Services

/// One run over a stream: it begins when it is made, and ends when its task is cancelled or nobody
/// holds it any more.
///
/// An iterator owns one, so that to begin to iterate is what starts a service, and to leave the loop
/// is what stops it (9.1).
final class StreamRun: Sendable {
  let service: LocationService
  let id: ClientID
  private let mailbox: Mailbox<Notice>
  private let session: ServiceSession.ID
  private let isOver = Mutex(false)

  init(_ kind: ClientKind, in service: LocationService) {
    self.service = service
    let mailbox = Mailbox<Notice>(backpressure: service.backpressure)
    self.mailbox = mailbox
    // First the session: its prompt is up when the stream says why it has nothing to tell.
    session = service.beginImplicitSession()
    id = service.attach(kind) { notice in
      guard case .locations(let reports, let found) = notice else { return mailbox.put(notice) }
      for report in reports { mailbox.put(.locations([report], found)) }
    }
  }

  deinit { end() }

  /// Whether a task waits for what comes next.
  var isAwaited: Bool { mailbox.waiting > 0 }

  /// What the client is told next; nil when the task is cancelled, and from then on.
  func next() async -> Notice? {
    let notice = await mailbox.next()
    if notice == nil { end() }
    return notice
  }

  /// Wants nothing more.
  func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    mailbox.close()
    service.detach(id)
    service.endSession(session)
  }
}
