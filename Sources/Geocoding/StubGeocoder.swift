internal import Locking

/// A geocoder that answers from a table, for tests and demonstrations.
///
/// The same request always gets the same answer: it neither asks anybody nor looks at a clock. An
/// entry may fail, and it may hold its answer until ``release(_:)`` or until a number of other
/// requests was made, so that a test can look at what happens in the meantime.
public final class StubGeocoder: Geocoder {
  /// The table.
  public let entries: [Entry]
  private let state = Mutex(State())

  /// Makes a geocoder that knows the entries and nothing else.
  public init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// The answer of the table, see ``Entry``, once it is no longer held.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    let entries = entries(for: request)
    let hold = entries.first?.hold ?? .none
    let (ordinal, woken) = state.withLock { $0.count() }
    woken.resume()
    guard await isFree(hold, ordinal), !Task.isCancelled else { throw .cancelled }
    return try answer(of: entries, to: request)
  }

  /// The answer of the table where it is not held.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    let entries = entries(for: request)
    guard (entries.first?.hold ?? Hold.none) == Hold.none else { return nil }
    state.withLock { $0.count() }.1.resume()
    return Result { () throws(GeocoderError) in try answer(of: entries, to: request) }
  }

  /// How many requests were made so far, the held and the cancelled ones included.
  public var requestCount: Int { state.withLock { $0.requests } }

  /// How many answers are held now.
  public var heldCount: Int { state.withLock { $0.held } }

  /// Lets answers go that are held now, the oldest first.
  public func release(_ count: Int = .max) {
    state.withLock { $0.release(count) }.resume()
  }

  /// Waits until at least so many answers are held, or the task is cancelled.
  public func waitUntilHolding(_ count: Int = 1) async {
    _ = await park(.holding(count))
  }

  private func isFree(_ hold: Hold, _ ordinal: Int) async -> Bool {
    switch hold {
    case .none: true
    case .untilReleased: await park(.released)
    case .requests(let more): await park(.requests(ordinal + more))
    }
  }

  /// Suspends until the condition holds; false when the task was cancelled first.
  private func park(_ condition: Condition) async -> Bool {
    let number = state.withLock { $0.takeNumber() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let parked = Parked(number: number, condition: condition, continuation: continuation)
        state.withLock { $0.park(parked) }.resume()
        // A cancellation before the line above found nobody to wake.
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
