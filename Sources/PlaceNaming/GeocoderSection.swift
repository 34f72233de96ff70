internal import Geocoding
package import Settings

/// The section `geocoder` of the config.
package enum GeocoderSection: ConfigurationSection {
  package static let key = "geocoder"
  package static let keys = [
    "provider", "file", "table", "url", "contact", "rounding", "cache", "language",
  ]
  package static let form = "{provider: PROVIDER}, one of none, stub, gazetteer, nominatim"
  package static let defaultValue = GeocoderSettings()

  /// The provider of each other key.
  private static let owners: [String: GeocoderSettings.Provider] = [
    "file": .gazetteer, "table": .stub, "url": .nominatim, "contact": .nominatim,
    "rounding": .nominatim, "cache": .nominatim, "language": .nominatim,
  ]

  package static func summary(_ settings: GeocoderSettings) -> String? {
    let providers = settings.providers.map(\.rawValue)
    return providers.isEmpty ? nil : "geocoder: \(providers.joined(separator: ", "))"
  }

  package static func read(_ section: inout ConfigurationSectionReader) -> GeocoderSettings? {
    guard section.has("provider") else {
      section.note(found: "no provider", expected: form)
      return nil
    }
    guard let providers: [GeocoderSettings.Provider] = section.choices("provider", allowsNone: true)
    else {
      return nil
    }
    for key in keys {
      guard let owner = owners[key], section.has(key), !providers.contains(owner) else { continue }
      section.note(
        key: key, found: "'\(key)' without the provider \(owner.rawValue)",
        expected: "it beside provider: \(owner.rawValue)")
    }
    var settings = GeocoderSettings()
    settings.providers = providers.filter { $0 != .none }
    settings.gazetteer = gazetteer(&section)
    if providers.contains(.stub) { settings.table = table(&section) }
    if providers.contains(.nominatim) {
      settings.server = server(&section)
      settings.cache = cache(&section, of: settings.server)
    }
    return settings
  }

  /// The path of a gazetteer that can be opened.
  private static func gazetteer(_ section: inout ConfigurationSectionReader) -> String? {
    guard let path = section.path("file", expected: "the path of a gazetteer") else { return nil }
    do {
      _ = try Gazetteer(contentsOf: path)
    } catch {
      section.note(valueOf: "file", found: error.description)
    }
    return path
  }

  /// The path of a table that can be read.
  private static func table(_ section: inout ConfigurationSectionReader) -> String? {
    let expected = "the path of a table such as places.json"
    require(["table"], of: .stub, &section)
    guard let path = section.path("table", expected: expected) else { return nil }
    do {
      _ = try StubGeocoder(contentsOf: path)
    } catch {
      section.note(valueOf: "table", found: error.description)
    }
    return path
  }

  private static func server(
    _ section: inout ConfigurationSectionReader
  ) -> NominatimGeocoder.Configuration? {
    require(["url", "contact"], of: .nominatim, &section)
    let url = section.text(
      "url", expected: "the address of a server such as https://nominatim.example")
    let contact = section.text("contact", expected: "an e-mail address or a web page of yours")
    let language = section.text("language", expected: "a language such as de or pt-BR")
    // To find all errors, a valid value takes the place of each invalid one.
    var server = url ?? "https://nominatim.example/"
    var person = contact ?? "https://nominatim.example/"
    var rounding = section.length("rounding")
    while true {
      do {
        return try NominatimGeocoder.Configuration(
          server: server, contact: person, language: language, rounding: rounding)
      } catch {
        switch error.setting {
        case "server":
          section.note(valueOf: "url", found: error.reason)
          server = "https://nominatim.example/"
        case "contact":
          section.note(valueOf: "contact", found: error.reason)
          person = "https://nominatim.example/"
        case "rounding":
          section.note(valueOf: "rounding", found: error.reason)
          rounding = nil
        default:
          section.note(found: error.description)
          return nil
        }
      }
    }
  }

  private static func cache(
    _ section: inout ConfigurationSectionReader, of server: NominatimGeocoder.Configuration?
  ) -> CachedGeocoder.Configuration? {
    let folder = section.path("cache", expected: "a folder")
    do {
      return try CachedGeocoder.Configuration(folder: folder, source: server?.source ?? "")
    } catch {
      section.note(valueOf: "cache", found: error.reason)
      return nil
    }
  }

  private static func require(
    _ keys: [String], of provider: GeocoderSettings.Provider,
    _ section: inout ConfigurationSectionReader
  ) {
    for key in keys where !section.has(key) {
      section.note(
        found: "\(provider.rawValue) without '\(key)'",
        expected: "the key '\(key)' beside the provider")
    }
  }
}
