// A program that is configured in code, with its own geocoder.
import CoreLocation
import Geocoding
import Geodesy

enum Setup {
  struct Atlas: Geocoder {
    func places(
      for request: GeocoderRequest
    ) async throws(GeocoderError) -> [GeocodedPlace] {
      guard case .coordinate(let coordinate) = request.subject else { throw .noResult }
      return [GeocodedPlace(coordinate: coordinate, name: "here")]
    }
  }

  static func begin() throws {
    var configuration = LocationService.Configuration.fromEnvironment()
    configuration.geocoder = Atlas()
    configuration.source = .gpsd(host: "van", device: "/dev/ttyUSB0")
    configuration.permission = .file("/var/lib/van/permission")
    configuration.purposes = try .init(propertyList: "/usr/share/van/Info.plist")
    configuration.stateFolder = "/var/lib/van"
    configuration.profile = .apple
    do {
      try LocationService.configure(configuration)
    } catch LocationServiceError.configured {
      return
    }
  }

  static func replayed() -> LocationService.Configuration {
    var configuration = LocationService.Configuration(permission: .whenInUse)
    configuration.source = .recording(path: "trip.gpx", speed: 10)
    configuration.purposes = .init(
      whenInUse: "to show the way", temporaryFullAccuracy: ["trip": "to lead you"])
    return configuration
  }
}
