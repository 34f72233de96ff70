internal import Services

/// A stream of locations, events or visits of a ``LocationService``; each iterator is a client of its own.
///
/// Beginning to iterate starts the required services and, if the user has not decided yet, requests
/// permission while in use. Leaving the loop stops them. An iterator buffers 10,000 elements for a slow
/// task; after that the oldest are dropped, and counted in ``LocationService/statistics``. A stream ends
/// only when its task is cancelled: not at an invalid record or the end of a trace, and not while
/// permission is denied.
public struct LocationStream<Element>: AsyncSequence, Sendable {
  /// An iterator over the stream.
  public typealias AsyncIterator = Iterator

  private let service: LocationService
  private let interests: Interests
  private let element: @Sendable (Notice) -> Element?

  init(
    _ service: LocationService, _ interests: Interests,
    _ element: @escaping @Sendable (Notice) -> Element?
  ) {
    self.service = service
    self.interests = interests
    self.element = element
  }

  /// Starts the required services.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: StreamSubscription(.observer(interests), in: service), element: element)
  }

  /// An iterator over the stream.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let subscription: StreamSubscription
    let element: @Sendable (Notice) -> Element?

    /// Waits for the next element; nil when the task is cancelled.
    public mutating func next() async -> Element? {
      while let notice = await subscription.next() {
        if let element = element(notice) { return element }
      }
      return nil
    }
  }
}
