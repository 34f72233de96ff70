internal import Services

/// Something a ``LocationService`` finds, for tasks to iterate over; each iterator is a run of its own.
///
/// To begin to iterate starts what is needed and, where nobody decided yet, asks for permission while
/// in use; to leave the loop stops it. A run keeps 10,000 elements for a task that is slow; then the
/// oldest go, and are counted in ``LocationService/statistics``. It ends when its task is cancelled,
/// and not by itself: not for a bad record of a trace, nor at a trace's end, nor while permission is
/// denied.
public struct LocationStream<Element>: AsyncSequence, Sendable {
  /// One run over the stream.
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

  /// Begins a run.
  public func makeAsyncIterator() -> Iterator {
    Iterator(run: StreamRun(.observer(interests), in: service), element: element)
  }

  /// One run over the stream.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let run: StreamRun
    let element: @Sendable (Notice) -> Element?

    /// The next element, as soon as there is one; nil when the task is cancelled.
    public mutating func next() async -> Element? {
      while let notice = await run.next() {
        if let element = element(notice) { return element }
      }
      return nil
    }
  }
}
