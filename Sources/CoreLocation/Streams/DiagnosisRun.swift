internal import Services

/// Listens to how a session is, from what it is now on, while somebody holds it.
final class DiagnosisRun: Sendable {
  private let service: LocationService
  private let mailbox: Mailbox<Diagnosis>

  init(_ subject: SessionDesk.Subject, in service: LocationService) {
    self.service = service
    let mailbox = Mailbox<Diagnosis>(backpressure: service.backpressure)
    self.mailbox = mailbox
    service.step { $0.sessions.add(mailbox, to: subject) }
  }

  deinit { end() }

  /// The next change; nil when the task is cancelled or the session over.
  func next() async -> Diagnosis? {
    let diagnosis = await mailbox.next()
    if diagnosis == nil { end() }
    return diagnosis
  }

  private func end() {
    mailbox.close()
    service.step { $0.sessions.remove(mailbox) }
  }
}
