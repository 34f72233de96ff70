internal import Services
internal import Tracking

extension CLMonitor {
  /// What becomes of a monitor's conditions.
  ///
  /// To begin to iterate starts to watch and, where nobody decided yet, asks for permission while in
  /// use; to leave the loop stops it. The loop ends when its task is cancelled, and not by itself.
  public struct Events: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = CLMonitor.Event
    /// One run over the events.
    public typealias AsyncIterator = Iterator

    let name: String
    let service: LocationService
    /// Conditions of a monitor that cannot be kept; nil when it can.
    private let refused: Mailbox<ConditionEvent>?

    init(name: String, service: LocationService) {
      self.name = name
      self.service = service
      refused =
        ServiceFolder.isMonitorName(name) ? nil : Mailbox(backpressure: service.backpressure)
    }

    var isNameValid: Bool { refused == nil }

    /// A condition of a monitor that cannot be kept.
    func refuse(_ identifier: String) {
      var diagnosis = Diagnosis()
      diagnosis.persistenceUnavailable = true
      refused?.put(
        ConditionEvent(
          identifier: identifier, state: .unmonitored,
          time: service.perform(\.now) ?? .distantPast, diagnosis: diagnosis))
    }

    /// Starts to watch.
    public func makeAsyncIterator() -> Iterator {
      if let refused { return Iterator(source: .refused(refused)) }
      return Iterator(source: .run(StreamRun(.monitor(name), in: service), name))
    }

    /// One run over the events; the conditions are watched as long as it is there.
    public struct Iterator: AsyncIteratorProtocol {
      /// What is told.
      public typealias Element = CLMonitor.Events.Element

      enum Source {
        case run(StreamRun, String)
        case refused(Mailbox<ConditionEvent>)
      }

      let source: Source

      /// The next event, as soon as there is one; nil when the task is cancelled.
      ///
      /// With that the program has taken it: it is its condition's last event.
      public mutating func next() async throws -> CLMonitor.Events.Element? {
        switch source {
        case .refused(let mailbox): return await mailbox.next().map { CLMonitor.Event($0) }
        case .run(let run, let monitor):
          while let notice = await run.next() {
            guard case .condition(let event) = notice else { continue }
            run.service.perform { $0.handled(event, of: monitor) }
            return CLMonitor.Event(event)
          }
          return nil
        }
      }
    }
  }
}
