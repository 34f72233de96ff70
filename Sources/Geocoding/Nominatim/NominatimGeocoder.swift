internal import Foundation
internal import Geodesy
internal import Locking

/// A geocoder that asks a server that speaks the interface of Nominatim, over the network.
///
/// **Every request tells the server where somebody is or was.** Nothing is asked unless a program
/// makes this geocoder and a request; ``Configuration/rounding`` keeps the exact place back.
///
/// One request is made at a time, in the order in which they came, and none sooner than
/// ``Configuration/interval`` after the one before was answered. A server that is busy (status 429 or
/// 503) is asked again after the time that it gives in `Retry-After`, or after 2, 4, 8… s; requests
/// until then wait as well, or fail where that is more than a minute. Redirects to another scheme,
/// host or port are not followed, nothing is kept but the connection, and an answer has at most 1 MB.
///
/// Say where names come from where they are shown, see ``attribution``. Keep answers: see
/// ``CachedGeocoder``.
public final class NominatimGeocoder: Geocoder {
  /// What is to be said where names of OpenStreetMap are shown: its licence asks for it.
  public static let attribution = "© OpenStreetMap contributors (openstreetmap.org/copyright), ODbL"

  /// Of this program, as servers see it and `waymark --version` says it.
  package static let version = "0.1.0"
  /// The longest answer, bytes.
  ///
  /// One of ten places is some 10 kB long.
  package static let bodyLimit = 1 << 20
  /// A server that wants more time is not waited for.
  package static let patience = Duration.seconds(60)
  /// The wait after the first busy answer that does not say how long to wait; doubled each time.
  private static let firstBackOff = Duration.seconds(2)

  /// What is asked, and how often.
  public let configuration: Configuration
  let transport: any HTTPTransport
  private let clock: AskingClock
  private let turnstile = Turnstile()
  /// The next request is not made before.
  private let next = Mutex(Duration.zero)

  /// Makes a geocoder; it asks nothing by itself.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, transport: CurlTransport(), clock: .system)
  }

  package init(_ configuration: Configuration, transport: any HTTPTransport, clock: AskingClock) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
  }

  /// How many requests wait for one that is being made.
  package var waitingCount: Int { turnstile.waitingCount }

  /// The places that the server knows, the best first; for a text at most ten.
  /// - Throws: ``GeocoderError/network(_:)`` where there is no answer of a Nominatim server.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    let question = NominatimQuestion(request, configuration)
    guard let url = question.url else {
      throw .invalidRequest("the request cannot be written as an address")
    }
    guard await turnstile.enter() else { throw .cancelled }
    defer { turnstile.leave() }
    let response = try await response(to: url, question.headers)
    return try NominatimReading(response, server: name).places(for: request)
  }

  private var name: String { configuration.server.name }

  /// Asks until the server is no longer busy.
  private func response(
    to url: URL, _ headers: [String: String]
  ) async throws(GeocoderError) -> HTTPResponse {
    var (attempt, backOff) = (1, Self.firstBackOff)
    while true {
      try await waitForTurn()
      let response = try await ask(url, headers)
      guard response.status == 429 || response.status == 503 else { return response }
      let delay = RetryAfter.delay(response.headers, now: clock.date()) ?? backOff
      next.withLock { $0 = max($0, clock.now() + delay) }
      guard attempt < configuration.attempts else {
        throw .network(
          "\(name) is busy (status \(response.status), asked \(attempt) times); try again later")
      }
      attempt += 1
      backOff *= 2
    }
  }

  /// Waits until the server may be asked again.
  private func waitForTurn() async throws(GeocoderError) {
    let wait = next.withLock { $0 } - clock.now()
    guard wait <= max(Self.patience, configuration.interval) else {
      throw .network(
        "\(name) is busy and does not want to be asked for another \(wait.components.seconds) s; "
          + "try again then")
    }
    guard wait > .zero else { return }
    do {
      try await clock.sleep(wait)
    } catch {
      throw .cancelled
    }
  }

  private func ask(
    _ url: URL, _ headers: [String: String]
  ) async throws(GeocoderError) -> HTTPResponse {
    // However it ends: a request that was given up has arrived as well.
    defer { next.withLock { $0 = max($0, clock.now() + configuration.interval) } }
    do throws(HTTPFailure) {
      return try await transport.get(url, headers: headers, limit: Self.bodyLimit)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .unreachable(let reason):
        throw .network("\(name) cannot be reached: \(reason); check the address and the network")
      case .tooLong:
        throw .network(
          "\(name) answered more than \(Self.bodyLimit) bytes; check that it is a Nominatim server")
      }
    }
  }
}
