public import Foundation
internal import Geodesy
internal import Services

extension CLMonitor {
  /// Satisfied while the device is within a circle.
  public struct CircularGeographicCondition: CLCondition {
    /// The centre.
    public let center: CLLocationCoordinate2D
    /// Metres.
    public let radius: CLLocationDistance

    /// Makes a condition; a circle without a valid centre or radius is reported as unsupported.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum Key: CodingKey {
      case latitude, longitude, radius
    }

    /// Reads a condition.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    /// Writes the condition.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }

  /// Satisfied while a beacon is near, which cannot be watched here: an event says so.
  public struct BeaconIdentityCondition: CLCondition {
    /// The beacons' common identity.
    public let uuid: UUID
    /// The group; nil for any.
    public let major: UInt16?
    /// The one of the group; nil for any.
    public let minor: UInt16?

    /// Any beacon with this identity.
    public init(uuid: UUID) {
      self.init(uuid, nil, nil)
    }

    /// Any beacon of a group.
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

/// A condition of a kind that is not known here, as an earlier launch wrote it.
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
      // A condition that cannot even be written down is as little watched as any other.
      self = .unsupported((try? JSONEncoder().encode(condition)).map(Array.init) ?? [])
    }
  }

  /// The condition as the client gave it.
  var told: any CLCondition {
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
