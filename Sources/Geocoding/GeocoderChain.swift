/// Several geocoders of which the first that answers is the one.
///
/// A request goes to the next where there is no result or no way to ask; any other failure is the
/// answer. If none knows, the failure is that of the last.
public struct GeocoderChain: Geocoder {
  /// In the order in which they are asked.
  public let geocoders: [any Geocoder]

  /// Makes a chain; one of no geocoders answers as ``NoGeocoder`` does.
  public init(_ geocoders: [any Geocoder]) {
    self.geocoders = geocoders.isEmpty ? [NoGeocoder()] : geocoders
  }

  /// The places of the first that knows any.
  public func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    var last = GeocoderError.noResult
    for geocoder in geocoders {
      do throws(GeocoderError) {
        return try await geocoder.places(for: request)
      } catch {
        guard Self.goesOn(after: error) else { throw error }
        last = error
      }
    }
    throw last
  }

  /// The answer of the first that does not fail at once, if it knows at once.
  public func answerAtOnce(
    to request: GeocoderRequest
  ) -> Result<[GeocodedPlace], GeocoderError>? {
    var last = GeocoderError.noResult
    for geocoder in geocoders {
      guard let answer = geocoder.answerAtOnce(to: request) else { return nil }
      guard case .failure(let error) = answer, Self.goesOn(after: error) else { return answer }
      last = error
    }
    return .failure(last)
  }

  private static func goesOn(after error: GeocoderError) -> Bool {
    switch error {
    case .noResult, .network: true
    case .partialResult, .cancelled, .invalidRequest: false
    }
  }
}
