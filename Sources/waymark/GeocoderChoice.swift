import Geocoding
import Settings

/// Makes the geocoder that a config asks for.
enum GeocoderChoice {
  /// Why there is none.
  struct Failure: Error {
    let description: String
    /// Whether the config is to blame, and not a file.
    let isConfiguration: Bool
  }

  /// The geocoder of a config; nil when it names none.
  static func make(_ settings: GeocoderSettings) throws(Failure) -> (any Geocoder)? {
    var geocoders: [any Geocoder] = []
    for provider in settings.providers {
      geocoders.append(contentsOf: try make(provider, settings))
    }
    return geocoders.count > 1 ? GeocoderChain(geocoders) : geocoders.first
  }

  private static func make(
    _ provider: GeocoderSettings.Provider, _ settings: GeocoderSettings
  ) throws(Failure) -> [any Geocoder] {
    switch provider {
    case .none: return []
    case .gazetteer: return [try gazetteer(settings.gazetteer)]
    case .stub: return [try stub(settings.table)]
    case .nominatim: return [try server(settings)]
    }
  }

  /// The gazetteer of a file, or the one that is part of the program.
  static func gazetteer(_ path: String?) throws(Failure) -> Gazetteer {
    guard let path else { return Gazetteer() }
    do {
      return try Gazetteer(contentsOf: path)
    } catch {
      throw Failure(description: error.description, isConfiguration: false)
    }
  }

  /// A server, which is told to the user: coordinates leave the machine.
  private static func server(_ settings: GeocoderSettings) throws(Failure) -> any Geocoder {
    do {
      let server = NominatimGeocoder(
        try .init(
          server: settings.url ?? "", contact: settings.contact ?? "",
          language: settings.language, rounding: settings.rounding))
      Terminal.say("waymark: \(server.warning)")
      let kept = try CachedGeocoder.Configuration(folder: settings.cache, source: server.source)
      return CachedGeocoder(server, kept) { Terminal.say("waymark: \($0)") }
    } catch {
      throw Failure(description: "geocoder: \(error)", isConfiguration: true)
    }
  }

  private static func stub(_ path: String?) throws(Failure) -> StubGeocoder {
    do {
      return try path.map { path throws(GeocoderTableError) in try StubGeocoder(contentsOf: path) }
        ?? StubGeocoder([])
    } catch {
      throw Failure(description: error.description, isConfiguration: false)
    }
  }
}
