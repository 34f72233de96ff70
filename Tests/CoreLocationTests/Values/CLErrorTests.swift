import CoreLocation
import Testing

@Suite("errors")
struct CLErrorTests {
  @Test("catch matches a code")
  func pattern() {
    func thrown(_ code: CLError.Code) -> String {
      do {
        throw CLError(code)
      } catch CLError.denied {
        return "denied"
      } catch CLError.locationUnknown {
        return "unknown"
      } catch let error as CLError {
        return "\(error.code.rawValue)"
      } catch {
        return "other"
      }
    }
    #expect(thrown(.denied) == "denied")
    #expect(thrown(.locationUnknown) == "unknown")
    #expect(thrown(.promptDeclined) == "18")
  }

  @Test("an error is an NSError of Apple's domain and numbers")
  func bridging() {
    let error: any Error = CLError(.network, userInfo: ["key": "value"])
    let bridged = error as NSError
    #expect(bridged.domain == "kCLErrorDomain" && bridged.code == 2)
    #expect(bridged.userInfo["key"] as? String == "value")
    #expect(CLError.errorDomain == kCLErrorDomain)
    #expect((error as? CLError)?.errorCode == 2)
    #expect((error as? CLError)?.errorUserInfo["key"] as? String == "value")
  }

  @Test("errors are equal by code and user info, and hash alike")
  func equality() {
    #expect(CLError(.denied) == CLError(.denied))
    #expect(CLError(.denied) != CLError(.network))
    #expect(CLError(.denied) != CLError(.denied, userInfo: ["key": 1]))
    #expect(Set([CLError(.denied), CLError(.denied), CLError(.network)]).count == 2)
  }

  @Test("every code has Apple's number and its name without Code")
  func codes() {
    let codes: [CLError.Code] = [
      CLError.locationUnknown, CLError.denied, CLError.network, CLError.headingFailure,
      CLError.regionMonitoringDenied, CLError.regionMonitoringFailure,
      CLError.regionMonitoringSetupDelayed, CLError.regionMonitoringResponseDelayed,
      CLError.geocodeFoundNoResult, CLError.geocodeFoundPartialResult, CLError.geocodeCanceled,
      CLError.deferredFailed, CLError.deferredNotUpdatingLocation, CLError.deferredAccuracyTooLow,
      CLError.deferredDistanceFiltered, CLError.deferredCanceled, CLError.rangingUnavailable,
      CLError.rangingFailure, CLError.promptDeclined, CLError.historicalLocationError,
    ]
    #expect(codes.map(\.rawValue) == Array(0..<20))
    #expect(codes == (0..<20).compactMap(CLError.Code.init))
    #expect(CLError.Code(rawValue: 20) == nil && CLError.Code(rawValue: -1) == nil)
  }

  @Test("an unknown number is an unknown location")
  func strangeNumber() {
    let error = CLError(_nsError: NSError(domain: kCLErrorDomain, code: 4711))
    #expect(error.code == .locationUnknown && error.errorCode == 4711)
  }

  @Test("the alternate region is in the user info")
  func alternateRegion() {
    let region = RegionTests.circle()
    let error = CLError(
      .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(error.alternateRegion === region)
    #expect(CLError(.denied).alternateRegion == nil)
    #expect(
      CLError(.denied, userInfo: [kCLErrorUserInfoAlternateRegionKey: "x"]).alternateRegion == nil)
  }

  @Test("a text for people names domain and number")
  func text() {
    let error: any Error = CLError(.denied)
    #expect(error.localizedDescription.contains("kCLErrorDomain"))
    let told: any Error = CLError(
      .denied, userInfo: [NSLocalizedDescriptionKey: "Nobody said yes."])
    #expect(told.localizedDescription == "Nobody said yes.")
  }

  @Test("errors of the push service match and bridge alike")
  func pushService() {
    let codes: [CLLocationPushServiceError.Code] = [
      CLLocationPushServiceError.unknown, CLLocationPushServiceError.missingPushExtension,
      CLLocationPushServiceError.missingPushServerEnvironment,
      CLLocationPushServiceError.missingEntitlement,
      CLLocationPushServiceError.unsupportedPlatform,
    ]
    #expect(codes.map(\.rawValue) == Array(0..<5))
    let error: any Error = CLLocationPushServiceError(.unsupportedPlatform)
    #expect((error as NSError).domain == CLLocationPushServiceErrorDomain)
    #expect(CLLocationPushServiceError.errorDomain == CLLocationPushServiceErrorDomain)
    #expect(CLLocationPushServiceError.unsupportedPlatform ~= error)
    #expect(!(CLError.denied ~= error))
  }
}
