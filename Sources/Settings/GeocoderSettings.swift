/// What a config says of naming places.
package struct GeocoderSettings: Sendable, Hashable {
  /// What names a place.
  package enum Provider: String, Sendable, Hashable, CaseIterable {
    case none, stub, gazetteer, nominatim
  }

  /// Who is asked, in this order, until one knows; nobody when it is empty.
  package var providers: [Provider] = []
  /// The file of the gazetteer; nil for the one that is part of the program.
  package var gazetteer: String?
  /// The table of the stub.
  package var table: String?
  /// The server that speaks Nominatim's language, and whom its operator may write to.
  package var url: String?
  package var contact: String?
  /// The side of the squares to which places are rounded before the server is asked, metres.
  package var rounding: Double?
  /// The folder where answers of the server are kept.
  package var cache: String?
  /// The language of the names, where there is a choice.
  package var language: String?

  /// Nobody is asked.
  package init() {}

  /// One provider, with what it is by itself.
  package init(_ provider: Provider) { providers = provider == .none ? [] : [provider] }
}
