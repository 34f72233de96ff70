import CoreLocation
import CoreLocation.CLVisit
import Testing

@Test("Foundation comes with Core Location") func foundation() { #expect(Date.distantPast < Date()) }
