internal import Locking

/// A geocoder that answers from a table, for tests and demonstrations.
///
/// The same request always has the same answer; it uses no network and no clock. An entry may fail.
/// It may also delay its answer until ``release(_:)`` or until a number of other requests were made,
/// so a test can check what happens in between.
public final class StubGeocoder: Geocoder {
  /// The table.
  public let entries: [Entry]
  private let state = Mutex(State())

  /// Makes a geocoder with these entries.
  public init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// The answer of the table, see ``Entry``, after its delay.
  ///
  /// - Throws: The error of the first entry that matches, ``GeocoderError/noResult`` when none
  ///   does, ``GeocoderError/cancelled`` when the task is cancelled during the delay.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    let entries = entries(for: request)
    let delay = entries.first?.delay ?? .none
    let (ordinal, resumption) = state.withLock { $0.count() }
    resumption.resume()
    guard await hasPassed(delay, ordinal), !Task.isCancelled else { throw .cancelled }
    return try answer(of: entries, to: request)
  }

  /// The answer of the table if it has no delay.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    let entries = entries(for: request)
    guard (entries.first?.delay ?? Delay.none) == Delay.none else { return nil }
    state.withLock { $0.count() }.1.resume()
    return Result { () throws(GeocoderError) in try answer(of: entries, to: request) }
  }

  /// How many requests were made so far, including delayed and cancelled ones.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// How many answers are delayed now.
  public var pendingCount: Int { state.withLock { $0.pending } }

  /// Ends the delay of pending answers, oldest first.
  public func release(_ count: Int = .max) {
    state.withLock { $0.release(count) }.resume()
  }

  /// Waits until at least so many answers are pending, or the task is cancelled.
  public func waitUntilPending(_ count: Int = 1) async {
    _ = await wait(for: .pending(count))
  }

  /// Waits for the end of a delay; false if the task is cancelled first.
  private func hasPassed(_ delay: Delay, _ ordinal: Int) async -> Bool {
    switch delay {
    case .none: true
    case .untilReleased: await wait(for: .released)
    case .requests(let more): await wait(for: .requests(ordinal + more))
    }
  }

  /// Suspends until the condition holds; false if the task is cancelled first.
  private func wait(for condition: Condition) async -> Bool {
    let number = state.withLock { $0.takeNumber() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(number: number, condition: condition, continuation: continuation)
        state.withLock { $0.add(waiter) }.resume()
        // A cancellation before the line above found no waiter.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.cancel(number) }.resume()
  }
}
