internal import Foundation
internal import Geocoding
internal import Locking

/// The one request that a geocoder may have under way, and the promise that its handler is called
/// once, on the main queue.
///
/// It outlives its geocoder until the answer is delivered, as a program may drop a geocoder that it
/// has asked something.
final class GeocodingRun: Sendable {
  /// A caller's handler and how to make placemarks for it.
  ///
  /// Unchecked: it goes from the thread that asks to the main queue and is called there, once.
  struct Handler: @unchecked Sendable {
    let call: CLGeocodeCompletionHandler
    /// When the placemarks' locations were known.
    let time: Date
  }

  private enum State {
    case idle
    case running(number: Int, Handler, Task<Void, Never>)
  }

  private struct Line {
    var state = State.idle
    var numbers = 0
  }

  private let line = Mutex(Line())
  private let desk: GeocodingDesk

  init(_ desk: GeocodingDesk) {
    self.desk = desk
  }

  /// Whether a request waits for its answer.
  var isRunning: Bool {
    line.withLock {
      switch $0.state {
      case .idle: false
      case .running: true
      }
    }
  }

  /// Asks; what stands against it is an answer too.
  func start(_ request: Result<GeocoderRequest, GeocoderError>, _ handler: Handler) {
    let failure = line.withLock { line -> GeocodingFailure? in
      if case .running = line.state { return .busy }
      switch request {
      case .failure(let error): return .provider(error)
      case .success(let request):
        if let failure = desk.admit() { return failure }
        line.numbers += 1
        let number = line.numbers
        line.state = .running(
          number: number, handler, Task { await self.ask(request, number) })
        return nil
      }
    }
    if let failure { deliver(.failure(failure), to: handler) }
  }

  /// Ends the request under way, if any.
  func cancel() {
    guard case .running(_, let handler, let task) = takeState(of: nil) else { return }
    task.cancel()
    deliver(.failure(.cancelled), to: handler)
  }

  private func ask(_ request: GeocoderRequest, _ number: Int) async {
    let outcome: Result<[GeocodedPlace], GeocodingFailure>
    do throws(GeocoderError) {
      outcome = .success(try await desk.geocoder.places(for: request))
    } catch {
      outcome = .failure(.provider(error))
    }
    // Still under way until the handler is called, so that it can be cancelled as long.
    DispatchQueue.main.async {
      guard case .running(_, let handler, _) = self.takeState(of: number) else { return }
      handler(outcome)
    }
  }

  /// Makes the line free, and what was in it: of the request with a number only, if one is given.
  private func takeState(of number: Int?) -> State {
    line.withLock { line in
      guard case .running(let running, _, _) = line.state, number ?? running == running else {
        return .idle
      }
      defer { line.state = .idle }
      return line.state
    }
  }

  private func deliver(_ outcome: Result<[GeocodedPlace], GeocodingFailure>, to handler: Handler) {
    DispatchQueue.main.async { handler(outcome) }
  }
}

extension GeocodingRun.Handler {
  fileprivate func callAsFunction(_ outcome: Result<[GeocodedPlace], GeocodingFailure>) {
    switch outcome {
    case .success(let places) where places.isEmpty:
      call(nil, CLError(.provider(.noResult)))
    case .success(let places): call(places.map { CLPlacemark($0, at: time) }, nil)
    case .failure(let failure): call(nil, CLError(failure))
    }
  }
}
