import Geocoding
import Geodesy
import Session
import Tracking

/// A way to use a geocoder in a session.
struct StayNames: PlaceNamer {
  let namer: StayNamer

  func name(of visit: Visit, at coordinate: Coordinate, of device: String) -> String? {
    namer.name(
      of: StayNamer.Stay(device: device, arrival: visit.arrival.nanoseconds), at: coordinate)
  }
}
