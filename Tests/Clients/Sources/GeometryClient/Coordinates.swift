// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A library that has its own coordinate if Core Location is missing, and adds conformances to Core
// Location's.
#if canImport(CoreLocation)
  import CoreLocation

  public typealias Coordinate = CLLocationCoordinate2D
#else
  #error("Core Location must be found")
#endif

extension CLLocationCoordinate2D: Equatable {
  public static func == (a: CLLocationCoordinate2D, b: CLLocationCoordinate2D) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }
}

extension CLLocationCoordinate2D: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }
}

extension CLLocationCoordinate2D: Codable {
  public init(from decoder: Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let longitude = try container.decode(CLLocationDegrees.self)
    self.init(latitude: try container.decode(CLLocationDegrees.self), longitude: longitude)
  }

  public func encode(to encoder: Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(longitude)
    try container.encode(latitude)
  }
}

public struct Line: Hashable, Codable {
  public var coordinates: [Coordinate]

  /// Metres along the line.
  public var length: CLLocationDistance {
    zip(coordinates, coordinates.dropFirst()).reduce(0) { sum, pair in
      sum
        + CLLocation(latitude: pair.0.latitude, longitude: pair.0.longitude)
        .distance(from: CLLocation(latitude: pair.1.latitude, longitude: pair.1.longitude))
    }
  }
}

extension CLLocationCoordinate2D: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: CLLocationDegrees...) {
    self.init(latitude: elements[0], longitude: elements[1])
  }
}

extension CLLocation {
  public convenience init(_ coordinate: CLLocationCoordinate2D) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension CLPlacemark {
  public var address: String {
    [thoroughfare, locality, postalCode, country].compactMap { $0 }.joined(separator: ", ")
  }
}

extension CLAuthorizationStatus: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notDetermined: "not determined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorizedAlways: "always"
    case .authorizedWhenInUse: "when in use"
    @unknown default: "unknown"
    }
  }
}
