internal import Foundation
internal import Geodesy
internal import HTTP
internal import Locking
internal import System

/// A geocoder for servers with the interface of Nominatim.
///
/// **Every request reveals where somebody is or was.** There are no requests but those that the program
/// makes. ``Configuration/rounding`` hides the exact position.
///
/// Requests go one at a time, in order, each ``Configuration/interval`` after the end of the previous
/// one. If the server is busy (status 429 or 503), the request is retried after the time of its
/// `Retry-After`, or after 2, 4, 8… s. Other requests wait as well, or fail if that is more than a
/// minute. Redirects to another scheme, host or port are not followed. Nothing is stored but the
/// connection. A response has at most 1 MB.
///
/// Credit the source where its names are shown, see ``attribution``. To store answers, see
/// ``CachedGeocoder``.
public final class NominatimGeocoder: Geocoder {
  /// The credit that the licence of OpenStreetMap requires where its names are shown.
  public static let attribution = "© OpenStreetMap contributors (openstreetmap.org/copyright), ODbL"

  /// The longest response, bytes.
  ///
  /// One with ten places has some 10 kB.
  package static let bodyLimit = 1 << 20
  /// A request fails if a busy server wants more time.
  package static let patience = Duration.seconds(60)
  /// The waits after busy responses without `Retry-After`.
  ///
  /// There are at most ten attempts, so the longest is not reached.
  private static let backOff = BackOff.Limits(first: .seconds(2), longest: .seconds(1024))

  /// The server, and how requests are made.
  public let configuration: Configuration
  let transport: any HTTPTransport
  private let clock: RequestClock
  private let lock = AsyncLock()
  /// The earliest time of the next request.
  private let next = Mutex(Duration.zero)

  /// Makes a geocoder; it makes no requests by itself.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, transport: CurlTransport(), clock: .system)
  }

  package init(_ configuration: Configuration, transport: any HTTPTransport, clock: RequestClock) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
  }

  /// How many requests wait for the current one.
  package var waitingCount: Int { lock.waitingCount }

  /// The places that the server knows, best first; for a text at most ten.
  ///
  /// Several errors are of this kind: the server cannot be reached, is busy after all attempts or
  /// for more than a minute, refuses the request, or sends something else.
  /// ``GeocoderError/noResult`` when it knows nothing, ``GeocoderError/cancelled`` when the task is
  /// cancelled while it waits.
  ///
  /// - Throws: ``GeocoderError/network(_:)`` without a response of a Nominatim server.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    let query = NominatimRequest(request, configuration)
    guard let url = query.url else {
      throw .invalidRequest("the request cannot be written as an address")
    }
    guard await lock.lock() else { throw .cancelled }
    defer { lock.unlock() }
    let response = try await response(to: url, query.headers)
    return try NominatimResponse(response, server: name).places(for: request)
  }

  private var name: String { configuration.server.name }

  /// Retries until the server is no longer busy.
  private func response(
    to url: URL, _ headers: [String: String]
  ) async throws(GeocoderError) -> HTTPResponse {
    var (attempt, backOff) = (1, BackOff(Self.backOff, seed: nil))
    while true {
      try await waitForInterval()
      let response = try await get(url, headers)
      guard response.status == 429 || response.status == 503 else { return response }
      let fallback = backOff.next()
      let delay = RetryAfter.delay(response.headers, now: clock.date()) ?? fallback
      next.withLock { $0 = max($0, clock.now() + delay) }
      guard attempt < configuration.attempts else {
        throw .network(
          "\(name) is busy (status \(response.status), \(attempt) attempts); try again later")
      }
      attempt += 1
    }
  }

  /// Waits until the time of the next request.
  private func waitForInterval() async throws(GeocoderError) {
    let wait = next.withLock { $0 } - clock.now()
    guard wait <= max(Self.patience, configuration.interval) else {
      throw .network(
        "\(name) is busy for another \(wait.components.seconds) s; try again then")
    }
    guard wait > .zero else { return }
    do {
      try await clock.sleep(wait)
    } catch {
      throw .cancelled
    }
  }

  /// Makes one attempt; its end is the start of the interval before the next request.
  private func get(
    _ url: URL, _ headers: [String: String]
  ) async throws(GeocoderError) -> HTTPResponse {
    // However it ends: a failed request may have reached the server too.
    defer { next.withLock { $0 = max($0, clock.now() + configuration.interval) } }
    do throws(HTTPFailure) {
      return try await transport.get(url, headers: headers, limit: Self.bodyLimit)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .unreachable(let reason):
        throw .network("\(name) is unavailable: \(reason); check the address and the network")
      case .tooLong:
        throw .network(
          "\(name) sent more than \(Self.bodyLimit) bytes; check that it is a Nominatim server")
      }
    }
  }
}
