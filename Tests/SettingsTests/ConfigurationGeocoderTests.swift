@testable import Settings
import Testing

@Suite("The geocoder in a config") struct ConfigurationGeocoderTests {
  @Test("one provider or several, with their keys; paths are relative to the config")
  func settings() throws {
    let config = try configuration(
      """
      geocoder:
        provider: [gazetteer, nominatim]
        file: places.wmg
        url: https://names.example
        contact: me@names.example
        rounding: 100 m
        cache: kept
        language: de
      """)
    var expected = GeocoderSettings()
    expected.providers = [.gazetteer, .nominatim]
    expected.gazetteer = "places.wmg"
    expected.url = "https://names.example"
    expected.contact = "me@names.example"
    expected.rounding = 100
    expected.cache = "kept"
    expected.language = "de"
    #expect(config.geocoder == expected)
    #expect(config.summary.contains("geocoder: gazetteer, nominatim"))
    #expect(try configuration("geocoder: {provider: none}").geocoder.providers.isEmpty)
    #expect(try configuration("geocoder: {provider: none}").summary.contains("geocoder") == false)
    let stub = try configuration("geocoder: {provider: stub, table: t.json}").geocoder
    #expect(stub.providers == [.stub] && stub.table == "t.json")
  }

  @Test(
    "what is missing or has no use is told",
    arguments: [
      (
        "geocoder: {provider: stub}",
        "w.yaml:1:11: geocoder: found stub without 'table', expected the key 'table' beside the "
          + "provider"
      ),
      (
        "geocoder: {provider: nominatim, contact: a@b.example}",
        "w.yaml:1:11: geocoder: found nominatim without 'url', expected the key 'url' beside the "
          + "provider"
      ),
      (
        "geocoder: {provider: gazetteer, cache: kept}",
        "w.yaml:1:33: geocoder.cache: found 'cache' without the provider nominatim, expected it "
          + "beside provider: nominatim"
      ),
      (
        "geocoder: {provider: [gazetteer, gazetteer]}",
        "w.yaml:1:34: geocoder.provider[1]: found 'gazetteer' twice, expected each provider once"
      ),
      (
        "geocoder: {provider: gazetteer, file: []}",
        "w.yaml:1:39: geocoder.file: found an empty list, expected the path of a gazetteer"
      ),
      (
        "geocoder: {provider: nominatim, url: a, contact: b, rounding: near}",
        "w.yaml:1:63: geocoder.rounding: found 'near', expected a length such as 100 m or 2 km"
      ),
    ])
  func faults(_ text: String, _ message: String) {
    #expect(complaint(text) == message)
  }
}
