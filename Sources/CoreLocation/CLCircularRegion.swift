public import Foundation
internal import Geodesy
internal import Services

/// A circle on the Earth: all places within a distance of a centre.
open class CLCircularRegion: CLRegion {
  private static let centerKey = "kCLCircularRegionCodingKeyCenter"
  private static let radiusKey = "kCLCircularRegionCodingKeyRadius"

  private let storedCenter: CLLocationCoordinate2D
  private let storedRadius: CLLocationDistance

  /// Makes a circle without an identifier and without places, which is of no use.
  public override init() {
    storedCenter = CLLocationCoordinate2D()
    storedRadius = 0
    super.init()
  }

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - center: The centre; an invalid one is refused when the region is registered.
  ///   - radius: Metres; one that is not above 0, or too large, is refused when the region is
  ///     registered.
  ///   - identifier: The name by which the region is known.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    storedCenter = center
    storedRadius = radius
    super.init(identifier: identifier)
  }

  /// Reads a circle from an archive; nil when one of its parts is not there.
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

  /// Metres.
  open var radius: CLLocationDistance { storedRadius }

  /// Whether the distance of `coordinate` from the centre is at most the radius.
  ///
  /// It is the geodesic on the WGS 84 ellipsoid; the edge is inside. An invalid coordinate is in no
  /// circle, and no coordinate is in a circle without a valid centre or with a radius not above 0.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let (middle, place) = (Coordinate(center), Coordinate(coordinate))
    guard middle.isValid, place.isValid, radius > 0 else { return false }
    return middle.distance(to: place) <= radius
  }

  override var kind: CLRegion.Type { CLCircularRegion.self }

  override func twin() -> CLRegion {
    CLCircularRegion(center: center, radius: radius, identifier: identifier)
  }

  /// Writes the circle to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center, forKey: Self.centerKey)
    coder.encode(radius, forKey: Self.radiusKey)
  }

  /// Identifier, centre and radius in words.
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
