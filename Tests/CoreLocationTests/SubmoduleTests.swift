import CoreLocation
import CoreLocation.CLAvailability
import CoreLocation.CLBackgroundActivitySession
import CoreLocation.CLBeaconIdentityCondition
import CoreLocation.CLBeaconIdentityConstraint
import CoreLocation.CLBeaconRegion
import CoreLocation.CLCircularGeographicCondition
import CoreLocation.CLCircularRegion
import CoreLocation.CLCondition
import CoreLocation.CLError
import CoreLocation.CLErrorDomain
import CoreLocation.CLGeocoder
import CoreLocation.CLHeading
import CoreLocation.CLLocation
import CoreLocation.CLLocationManager
import CoreLocation.CLLocationManagerDelegate
import CoreLocation.CLLocationManager_CLVisitExtensions
import CoreLocation.CLLocationPushServiceError
import CoreLocation.CLLocationPushServiceExtension
import CoreLocation.CLLocationUpdater
import CoreLocation.CLMonitor
import CoreLocation.CLMonitorConfiguration
import CoreLocation.CLMonitoringEvent
import CoreLocation.CLMonitoringRecord
import CoreLocation.CLPlacemark
import CoreLocation.CLRegion
import CoreLocation.CLServiceSession
import CoreLocation.CLUpdate
import CoreLocation.CLVisit
import Testing
import class CoreLocation.CLLocation
import func CoreLocation.CLLocationCoordinate2DIsValid
import struct CoreLocation.CLLocationCoordinate2D

@Suite("submodules as on Apple's systems")
struct SubmoduleTests {
  // The imports above are the test: each must name a module.
  @Test("a submodule has the type that it is named for")
  func types() {
    #expect(CLVisit().departureDate == .distantFuture)
    #expect(CLRegion().identifier.isEmpty)
  }

  @Test("Foundation comes with Core Location")
  func foundation() {
    #expect(Date.distantPast < Date.distantFuture)
  }
}
