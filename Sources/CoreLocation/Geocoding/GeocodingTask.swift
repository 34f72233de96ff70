internal import Foundation
internal import Geocoding
internal import Locking

/// The one request that a geocoder may have in progress.
///
/// Its handler is called once, on the main queue. It outlives its geocoder until the answer is
/// delivered: a program may release the geocoder earlier.
final class GeocodingTask: Sendable {
  /// A caller's completion handler and the time for its placemarks.
  ///
  /// Unchecked: it moves from the caller's thread to the main queue, where it is called once.
  struct Handler: @unchecked Sendable {
    let call: CLGeocodeCompletionHandler
    /// The timestamp of the placemarks' locations.
    let time: Date
    /// The locale for the names of countries; nil for those of the provider.
    let locale: Locale?
  }

  private enum State {
    case idle
    case running(number: Int, Handler, Task<Void, Never>)
  }

  private struct Storage {
    var state = State.idle
    var lastNumber = 0
  }

  private let storage = Mutex(Storage())
  private let context: GeocodingContext

  init(_ context: GeocodingContext) {
    self.context = context
  }

  /// Whether a request is in progress.
  var isRunning: Bool {
    storage.withLock {
      switch $0.state {
      case .idle: false
      case .running: true
      }
    }
  }

  /// Starts a request; if it is rejected the handler gets the reason.
  func start(_ request: Result<GeocoderRequest, GeocoderError>, _ handler: Handler) {
    let failure = storage.withLock { storage -> GeocodingFailure? in
      if case .running = storage.state { return .busy }
      switch request {
      case .failure(let error): return .provider(error)
      case .success(let request):
        if let failure = context.admit() { return failure }
        storage.lastNumber += 1
        let number = storage.lastNumber
        storage.state = .running(
          number: number, handler, Task { await self.ask(request, number) })
        return nil
      }
    }
    if let failure { deliver(.failure(failure), to: handler) }
  }

  /// Cancels the request in progress, if any.
  func cancel() {
    guard case .running(_, let handler, let task) = takeState(of: nil) else { return }
    task.cancel()
    deliver(.failure(.cancelled), to: handler)
  }

  private func ask(_ request: GeocoderRequest, _ number: Int) async {
    let outcome: Result<[GeocodedPlace], GeocodingFailure>
    do throws(GeocoderError) {
      outcome = .success(try await context.geocoder.places(for: request))
    } catch {
      outcome = .failure(.provider(error))
    }
    // The request is in progress until its handler is called, so it can be cancelled until then.
    DispatchQueue.main.async {
      guard case .running(_, let handler, _) = self.takeState(of: number) else { return }
      handler(outcome)
    }
  }

  /// Returns the state and makes it idle; with a number only if that request is in progress.
  private func takeState(of number: Int?) -> State {
    storage.withLock { storage in
      guard case .running(let running, _, _) = storage.state, number ?? running == running else {
        return .idle
      }
      defer { storage.state = .idle }
      return storage.state
    }
  }

  private func deliver(_ outcome: Result<[GeocodedPlace], GeocodingFailure>, to handler: Handler) {
    DispatchQueue.main.async { handler(outcome) }
  }
}

extension GeocodingTask.Handler {
  fileprivate func callAsFunction(_ outcome: Result<[GeocodedPlace], GeocodingFailure>) {
    switch outcome {
    case .success(let places) where places.isEmpty:
      call(nil, CLError(.provider(.noResult)))
    case .success(let places): call(places.map { CLPlacemark(localized($0), at: time) }, nil)
    case .failure(let failure): call(nil, CLError(failure))
    }
  }

  /// The place with the name of its country in the locale: a gazetteer has one name for each.
  private func localized(_ place: GeocodedPlace) -> GeocodedPlace {
    guard let code = place.isoCountryCode,
      let country = locale?.localizedString(forRegionCode: code)
    else { return place }
    var place = place
    place.country = country
    return place
  }
}
