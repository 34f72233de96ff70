/// Several geocoders: the first with a result answers.
///
/// After ``GeocoderError/noResult`` or ``GeocoderError/network(_:)`` a request goes to the next. Any
/// other error ends it. If no geocoder has a result, the error is that of the last.
public struct GeocoderChain: Geocoder {
  /// The geocoders in the order of their use.
  public let geocoders: [any Geocoder]

  /// Makes a chain; an empty one acts as ``NoGeocoder``.
  public init(_ geocoders: [any Geocoder]) {
    self.geocoders = geocoders.isEmpty ? [NoGeocoder()] : geocoders
  }

  /// The places of the first geocoder with a result.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    var last = GeocoderError.noResult
    for geocoder in geocoders {
      do throws(GeocoderError) {
        return try await geocoder.places(for: request)
      } catch {
        guard Self.continues(after: error) else { throw error }
        last = error
      }
    }
    throw last
  }

  /// The answer of the first geocoder with a result, if all before it answer without waiting.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    var last = GeocoderError.noResult
    for geocoder in geocoders {
      guard let answer = geocoder.answerAtOnce(to: request) else { return nil }
      guard case .failure(let error) = answer, Self.continues(after: error) else { return answer }
      last = error
    }
    return .failure(last)
  }

  /// Whether the next geocoder may know more.
  ///
  /// A request that is wrong is wrong for all of them.
  private static func continues(after error: GeocoderError) -> Bool {
    switch error {
    case .noResult, .network: true
    case .partialResult, .cancelled, .invalidRequest: false
    }
  }
}
