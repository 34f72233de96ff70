internal import Delivering
internal import Services

/// A subscription to the diagnosis of a session: the current one, then every change.
///
/// It ends when it is released.
final class DiagnosisSubscription: Sendable {
  private let service: LocationService
  private let buffer: AsyncBuffer<Diagnosis>

  init(_ subject: SessionRegistry.Subject, in service: LocationService) {
    self.service = service
    let buffer = AsyncBuffer<Diagnosis>(backpressure: service.backpressure)
    self.buffer = buffer
    service.step { $0.sessions.add(buffer, to: subject) }
  }

  deinit { end() }

  /// The next diagnosis; nil when the task is cancelled or the session has ended.
  func next() async -> Diagnosis? {
    let diagnosis = await buffer.next()
    if diagnosis == nil { end() }
    return diagnosis
  }

  private func end() {
    buffer.close()
    service.step { $0.sessions.remove(buffer) }
  }
}
