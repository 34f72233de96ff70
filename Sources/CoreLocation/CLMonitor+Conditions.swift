public import Foundation
internal import Geodesy
internal import Services

extension CLMonitor {
  /// Satisfied while the device is within a circle.
  public struct CircularGeographicCondition: CLCondition {
    /// The centre.
    public let center: CLLocationCoordinate2D
    /// The radius in metres.
    public let radius: CLLocationDistance

    /// Makes a condition; an event reports a circle with an invalid centre or radius as unsupported.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum Key: CodingKey {
      case latitude, longitude, radius
    }

    /// Decodes a condition.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    /// Encodes the condition.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }

  /// Satisfied while a beacon is near; here an event reports it as unsupported.
  public struct BeaconIdentityCondition: CLCondition {
    /// The UUID.
    public let uuid: UUID
    /// The major number; nil for any.
    public let major: UInt16?
    /// The minor number; nil for any.
    public let minor: UInt16?

    /// Any beacon with this UUID.
    public init(uuid: UUID) {
      self.init(uuid, nil, nil)
    }

    /// Any beacon with this UUID and major number.
    public init(uuid: UUID, major: UInt16) {
      self.init(uuid, major, nil)
    }

    /// One beacon.
    public init(uuid: UUID, major: UInt16, minor: UInt16) {
      self.init(uuid, major, minor)
    }

    private init(_ uuid: UUID, _ major: UInt16?, _ minor: UInt16?) {
      self.uuid = uuid
      self.major = major
      self.minor = minor
    }
  }
}

/// A condition of an unknown type, as an earlier launch encoded it.
struct UnknownCondition: CLCondition {
  let encoded: [UInt8]
}

extension Services.Condition {
  init(_ condition: any CLCondition) {
    switch condition {
    case let circle as CLMonitor.CircularGeographicCondition:
      self = .circle(center: Coordinate(circle.center), radius: circle.radius)
    case let unknown as UnknownCondition: self = .unsupported(unknown.encoded)
    default:
      // A condition that cannot be encoded is unsupported like the others.
      self = .unsupported((try? JSONEncoder().encode(condition)).map(Array.init) ?? [])
    }
  }

  /// The condition in the client's form.
  var clientCondition: any CLCondition {
    switch self {
    case .circle(let center, let radius):
      return CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(center), radius: radius)
    case .unsupported(let bytes):
      let beacon = try? JSONDecoder().decode(
        CLMonitor.BeaconIdentityCondition.self, from: Data(bytes))
      return beacon ?? UnknownCondition(encoded: bytes)
    }
  }
}
