package import Geocoding

/// The validated settings of the config's geocoder.
package struct GeocoderSettings: Sendable, Hashable {
  /// A source of place names.
  package enum Provider: String, Sendable, Hashable, CaseIterable {
    case none, stub, gazetteer, nominatim
  }

  /// The providers in the order of their use; empty for no place names.
  package var providers: [Provider] = []
  /// The path of the gazetteer; nil for the built-in one.
  package var gazetteer: String?
  /// The path of the stub's table.
  package var table: String?
  /// The server; nil without the provider nominatim.
  package var server: NominatimGeocoder.Configuration?
  /// The cache of the server's answers; nil without the provider nominatim.
  package var cache: CachedGeocoder.Configuration?

  /// No place names.
  package init() {}

  /// One provider with its defaults.
  package init(_ provider: Provider) { providers = provider == .none ? [] : [provider] }
}
