internal import Delivering
internal import Services
internal import Tracking

extension CLMonitor {
  /// The events of a monitor's conditions.
  ///
  /// Beginning to iterate starts monitoring and, if the user has not decided yet, requests permission
  /// while in use. Leaving the loop stops it. The loop ends only when its task is cancelled.
  public struct Events: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = CLMonitor.Event
    /// An iterator over the events.
    public typealias AsyncIterator = Iterator

    let name: String
    let service: LocationService
    /// The events of a monitor with an invalid name; nil if the name is valid.
    private let refused: AsyncBuffer<ConditionEvent>?

    init(name: String, service: LocationService) {
      self.name = name
      self.service = service
      refused =
        MonitorName.isValid(name) ? nil : AsyncBuffer(backpressure: service.backpressure)
    }

    var isNameValid: Bool { refused == nil }

    /// Reports that a condition is not monitored because the monitor's name is invalid.
    func refuse(_ identifier: String) {
      var diagnosis = Diagnosis()
      diagnosis.persistenceUnavailable = true
      refused?.put(
        ConditionEvent(
          identifier: identifier, state: .unmonitored,
          time: service.perform(\.now) ?? .distantPast, diagnosis: diagnosis))
    }

    /// Starts monitoring.
    public func makeAsyncIterator() -> Iterator {
      if let refused { return Iterator(source: .refused(refused)) }
      return Iterator(source: .subscription(StreamSubscription(.monitor(name), in: service), name))
    }

    /// An iterator over the events; the conditions are monitored as long as it exists.
    public struct Iterator: AsyncIteratorProtocol {
      /// An event.
      public typealias Element = CLMonitor.Events.Element

      enum Source {
        case subscription(StreamSubscription, String)
        case refused(AsyncBuffer<ConditionEvent>)
      }

      let source: Source

      /// Waits for the next event; nil when the task is cancelled.
      ///
      /// The returned event becomes the last event of its condition's record.
      public mutating func next() async throws -> CLMonitor.Events.Element? {
        switch source {
        case .refused(let buffer): return await buffer.next().map { CLMonitor.Event($0) }
        case .subscription(let subscription, let monitor):
          while let notice = await subscription.next() {
            guard case .condition(let event) = notice else { continue }
            subscription.service.perform { $0.handled(event, of: monitor) }
            return CLMonitor.Event(event)
          }
          return nil
        }
      }
    }
  }
}
