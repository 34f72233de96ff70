import CoreLocation
import Geometry

// It compiles only if the library's coordinates are those of Core Location.
let way = [
  CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4),
  CLLocationCoordinate2D(latitude: 52.6, longitude: 13.4),
]
print("\(centre(of: way).latitude)")
