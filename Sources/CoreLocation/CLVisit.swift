public import Foundation
internal import Services

/// A stay at one place.
///
/// A stay is told of twice: when the device has arrived, with a departure in the distant future, and
/// when it has left.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
  private static let arrivalKey = "kCLVisitCodingKeyArrivalDate"
  private static let departureKey = "kCLVisitCodingKeyDepartureDate"
  private static let coordinateKey = "kCLVisitCodingKeyCoordinate"
  private static let accuracyKey = "kCLVisitCodingKeyHorizontalAccuracy"

  private let arrival: Date
  private let departure: Date
  private let center: CLLocationCoordinate2D
  private let radius: CLLocationAccuracy

  /// Makes a stay of which nothing is known: both dates are distant, the accuracy is invalid.
  ///
  /// It is there for test code and for subclasses.
  public override init() {
    arrival = .distantPast
    departure = .distantFuture
    center = CLLocationCoordinate2D()
    radius = -1
    super.init()
  }

  init(_ stay: Stay) {
    arrival = stay.arrival.map { Date($0) } ?? .distantPast
    departure = stay.departure.map { Date($0) } ?? .distantFuture
    center = CLLocationCoordinate2D(stay.coordinate)
    radius = stay.horizontalAccuracy
    super.init()
  }

  /// Reads a visit from an archive; nil when one of its parts is not there.
  public required init?(coder: NSCoder) {
    guard let arrival = coder.date(forKey: Self.arrivalKey),
      let departure = coder.date(forKey: Self.departureKey),
      let center = coder.coordinate(forKey: Self.coordinateKey),
      let radius = coder.double(forKey: Self.accuracyKey)
    else { return nil }
    self.arrival = arrival
    self.departure = departure
    self.center = center
    self.radius = radius
    super.init()
  }

  /// When it began; `Date.distantPast` when that was not seen.
  open var arrivalDate: Date { arrival }

  /// When it ended; `Date.distantFuture` while it lasts.
  open var departureDate: Date { departure }

  /// The centre of the place; it may differ between the two reports of one stay.
  open var coordinate: CLLocationCoordinate2D { center }

  /// The radius of the place in metres; negative when the coordinate is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { radius }

  /// Returns the visit itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the visit to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate, forKey: Self.arrivalKey)
    coder.encode(departureDate, forKey: Self.departureKey)
    coder.encode(coordinate, forKey: Self.coordinateKey)
    coder.encode(horizontalAccuracy, forKey: Self.accuracyKey)
  }

  /// Whether `object` is a visit with the same dates, place and accuracy.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLVisit else { return false }
    return self === other
      || arrivalDate == other.arrivalDate && departureDate == other.departureDate
        && coordinate.latitude == other.coordinate.latitude
        && coordinate.longitude == other.coordinate.longitude
        && horizontalAccuracy == other.horizontalAccuracy
  }

  /// A hash of the dates.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(arrivalDate)
    hasher.combine(departureDate)
    return hasher.finalize()
  }

  /// Place, accuracy and times, in UTC and the same in every locale.
  open override var description: String {
    let arrival = arrivalDate == .distantPast ? "unknown" : arrivalDate.spelled
    let departure = departureDate == .distantFuture ? "not yet" : departureDate.spelled
    let place = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy)
    return "\(place) arrival \(arrival) departure \(departure)"
  }
}
