package import Geocoding

/// Makes the geocoder of a config.
package enum GeocoderFactory {
  /// A file that cannot be used: the text names it and the reason.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The geocoder of validated settings; nil without providers.
  /// - Parameters:
  ///   - settings: The settings of the config.
  ///   - report: Called with sentences for the user, without their full stop: which server is used,
  ///     and what is wrong with the cache.
  /// - Throws: ``Failure`` if a file has changed since the settings were read.
  package static func make(
    _ settings: GeocoderSettings, report: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> (any Geocoder)? {
    var geocoders: [any Geocoder] = []
    for provider in settings.providers {
      switch provider {
      case .none: break
      case .gazetteer: geocoders.append(try gazetteer(settings.gazetteer))
      case .stub: geocoders.append(try stub(settings.table))
      case .nominatim:
        guard let server = settings.server, let cache = settings.cache else { break }
        let geocoder = NominatimGeocoder(server)
        report(geocoder.warning)
        geocoders.append(CachedGeocoder(geocoder, cache, report: report))
      }
    }
    return geocoders.count > 1 ? GeocoderChain(geocoders) : geocoders.first
  }

  /// The gazetteer of a file, or the built-in one.
  package static func gazetteer(_ path: String?) throws(Failure) -> Gazetteer {
    guard let path else { return Gazetteer() }
    do {
      return try Gazetteer(contentsOf: path)
    } catch {
      throw Failure(description: error.description)
    }
  }

  private static func stub(_ path: String?) throws(Failure) -> StubGeocoder {
    guard let path else { return StubGeocoder([]) }
    do {
      return try StubGeocoder(contentsOf: path)
    } catch {
      throw Failure(description: error.description)
    }
  }
}
