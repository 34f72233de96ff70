public import Foundation
internal import Geodesy
internal import Services

/// A circle on the Earth: all positions within a distance of a centre.
open class CLCircularRegion: CLRegion {
  private static let centerKey = "kCLCircularRegionCodingKeyCenter"
  private static let radiusKey = "kCLCircularRegionCodingKeyRadius"

  private let storedCenter: CLLocationCoordinate2D
  private let storedRadius: CLLocationDistance

  /// Makes an empty circle without an identifier, which cannot be used.
  public override init() {
    storedCenter = CLLocationCoordinate2D()
    storedRadius = 0
    super.init()
  }

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - center: The centre; monitoring fails if it is invalid.
  ///   - radius: Metres; monitoring fails if it is not above 0, or too large.
  ///   - identifier: The identifier of the region.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    storedCenter = center
    storedRadius = radius
    super.init(identifier: identifier)
  }

  /// Decodes a circle; nil when a value is missing.
  public required init?(coder: NSCoder) {
    guard let center = coder.coordinate(forKey: Self.centerKey),
      let radius = coder.double(forKey: Self.radiusKey)
    else { return nil }
    storedCenter = center
    storedRadius = radius
    super.init(coder: coder)
  }

  /// The centre.
  open var center: CLLocationCoordinate2D { storedCenter }

  /// The radius in metres.
  open var radius: CLLocationDistance { storedRadius }

  /// Whether the distance of `coordinate` from the centre is at most the radius.
  ///
  /// The distance is the geodesic on the WGS 84 ellipsoid; the edge is inside. The result is false for
  /// an invalid coordinate, an invalid centre, or a radius not above 0.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let (middle, point) = (Coordinate(center), Coordinate(coordinate))
    guard middle.isValid, point.isValid, radius > 0 else { return false }
    return middle.distance(to: point) <= radius
  }

  override var kind: CLRegion.Type { CLCircularRegion.self }

  override func copyWithDefaults() -> CLRegion {
    CLCircularRegion(center: center, radius: radius, identifier: identifier)
  }

  /// Encodes the circle.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center, forKey: Self.centerKey)
    coder.encode(radius, forKey: Self.radiusKey)
  }

  /// The identifier, the centre and the radius as text.
  open override var description: String {
    String(
      format: "CLCircularRegion (identifier:'\(identifier.replacing("%", with: "%%"))', "
        + "center:<%+.8f,%+.8f>, radius:%.2fm)",
      center.latitude, center.longitude, radius)
  }
}

extension CLCircularRegion {
  convenience init(_ region: Region) {
    self.init(
      center: CLLocationCoordinate2D(region.center), radius: region.radius,
      identifier: region.identifier)
    notifyOnEntry = region.notifiesOnEntry
    notifyOnExit = region.notifiesOnExit
  }
}

extension Region {
  init(_ circle: CLCircularRegion) {
    self.init(
      identifier: circle.identifier, center: Coordinate(circle.center), radius: circle.radius)
    notifiesOnEntry = circle.notifyOnEntry
    notifiesOnExit = circle.notifyOnExit
  }
}
