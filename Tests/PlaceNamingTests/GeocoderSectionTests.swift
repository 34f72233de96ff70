import Geocoding
import PlaceNaming
import TestSupport
import Testing

@testable import Settings

@Suite("The section geocoder of a config") struct GeocoderSectionTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Reads a config in the scratch folder.
  private func configuration(_ text: String) throws(ConfigurationError) -> Configuration {
    let config = Array("geocoder: \(text)".utf8)
    return try Configuration(
      config, file: scratch.file("w.yaml"), sections: [GeocoderSection.self],
      load: ConfigurationFile.read)
  }

  /// The errors of a config, without the scratch folder.
  private func errors(_ text: String) -> [String] {
    do {
      _ = try configuration(text)
      return []
    } catch {
      return error.description.replacing(scratch.file(""), with: "").split(separator: "\n")
        .map(String.init)
    }
  }

  @Test("a server has its settings, and a cache whose folder is relative to the config")
  func server() throws {
    let config = try configuration(
      """

        provider: [gazetteer, nominatim]
        url: https://names.example
        contact: me@names.example
        rounding: 100 m
        cache: kept
        language: de
      """)
    var expected = GeocoderSettings()
    expected.providers = [.gazetteer, .nominatim]
    expected.server = try NominatimGeocoder.Configuration(
      server: "https://names.example", contact: "me@names.example", language: "de", rounding: 100)
    expected.cache = try CachedGeocoder.Configuration(
      folder: scratch.file("kept"), source: "https://names.example/ de 100")
    #expect(config[GeocoderSection.self] == expected)
    #expect(config.summary.contains("geocoder: gazetteer, nominatim"))
    let geocoder = try GeocoderFactory.make(expected) { _ in }
    #expect((geocoder as? GeocoderChain)?.geocoders.count == 2)
  }

  @Test("files are relative to the config") func files() throws {
    try scratch.write("t.json", "[]")
    let settings = try configuration("{provider: stub, table: t.json}")[GeocoderSection.self]
    #expect(settings.providers == [.stub] && settings.table == scratch.file("t.json"))
    #expect(try GeocoderFactory.make(settings) { _ in } is StubGeocoder)
  }

  @Test(
    "without a provider there is no geocoder", arguments: ["{provider: none}", "{provider: []}"])
  func none(text: String) throws {
    let config = try configuration(text)
    #expect(config[GeocoderSection.self] == GeocoderSettings())
    #expect(!config.summary.contains("geocoder"))
    #expect(try GeocoderFactory.make(config[GeocoderSection.self]) { _ in } == nil)
  }

  @Test(
    "every error is found when the config is read, at its line and column",
    arguments: [
      (
        "{provider: stub}",
        [
          "w.yaml:1:11: geocoder: found stub without 'table', expected the key 'table' beside the "
            + "provider"
        ]
      ),
      (
        "{provider: nominatim, contact: a@b.example}",
        [
          "w.yaml:1:11: geocoder: found nominatim without 'url', expected the key 'url' beside the "
            + "provider"
        ]
      ),
      (
        "{provider: gazetteer, cache: kept}",
        [
          "w.yaml:1:33: geocoder.cache: found 'cache' without the provider nominatim, expected it "
            + "beside provider: nominatim"
        ]
      ),
      (
        "{provider: [gazetteer, gazetteer]}",
        [
          "w.yaml:1:34: geocoder.provider[1]: found 'gazetteer' twice, expected each provider once"
        ]
      ),
      (
        "{provider: gazetteer, file: []}",
        [
          "w.yaml:1:39: geocoder.file: found an empty list, expected the path of a gazetteer"
        ]
      ),
      (
        "{provider: nominatim, url: 'file:///etc/passwd', contact: me@b.example}",
        [
          "w.yaml:1:38: geocoder.url: 'file:///etc/passwd' is neither https nor http; expected the "
            + "address of a Nominatim server, such as https://nominatim.example/"
        ]
      ),
      (
        "{provider: nominatim, url: 'https://me:secret@b.example', contact: me@b.example}",
        [
          "w.yaml:1:38: geocoder.url: an address with a name, a password or a fragment cannot be "
            + "used; expected the address of a Nominatim server, such as https://nominatim.example/"
        ]
      ),
      (
        "{provider: nominatim, url: b.example, contact: me, rounding: 0.5 m}",
        [
          "w.yaml:1:38: geocoder.url: 'b.example' is not an address; expected the address of a "
            + "Nominatim server, such as https://nominatim.example/",
          "w.yaml:1:58: geocoder.contact: 'me' is not a contact; expected an e-mail address or a "
            + "URL of yours",
          "w.yaml:1:72: geocoder.rounding: 0.5 m is not within 1 m to 1,000,000 m",
        ]
      ),
      (
        "{provider: nominatim, url: 'https://b.example', contact: b@c.example, rounding: near}",
        [
          "w.yaml:1:91: geocoder.rounding: found 'near', expected a length such as 100 m or 2 km"
        ]
      ),
      (
        #"{provider: nominatim, url: 'https://b.example', contact: b@c.example, cache: "a\0b"}"#,
        ["w.yaml:1:88: geocoder.cache: 'a?b' is not the path of a folder"]
      ),
      (
        "{provider: gazetteer, file: no.wmg}",
        ["w.yaml:1:39: geocoder.file: no.wmg: there is no such file"]
      ),
      (
        "{provider: gazetteer, file: w.json}",
        [
          "w.yaml:1:39: geocoder.file: w.json is not a gazetteer; expected a file that "
            + "'make gazetteer' built"
        ]
      ),
      (
        "{provider: stub, table: no.json}",
        ["w.yaml:1:35: geocoder.table: no.json: there is no such file"]
      ),
      (
        "{provider: stub, table: w.json}", ["w.yaml:1:35: geocoder.table: w.json: invalid JSON"]
      ),
    ] as [(String, [String])])
  func errors(text: String, messages: [String]) throws {
    try scratch.write("w.json", "a text that is neither a table nor a gazetteer")
    let found = errors(text).map { $0.replacing("a\u{0}b", with: "a?b") }
    #expect(found == messages)
  }
}
