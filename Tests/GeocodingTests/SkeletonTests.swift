import Geocoding
import Testing

@Test("errors are told apart") func errors() { #expect(GeocoderError.noResult != .partialResult) }
