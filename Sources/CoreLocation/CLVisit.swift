public import Foundation
internal import Services

/// A stay at one place.
///
/// It is reported twice: after the arrival, with a departure in the distant future, and after the
/// departure.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
  private static let arrivalKey = "kCLVisitCodingKeyArrivalDate"
  private static let departureKey = "kCLVisitCodingKeyDepartureDate"
  private static let coordinateKey = "kCLVisitCodingKeyCoordinate"
  private static let accuracyKey = "kCLVisitCodingKeyHorizontalAccuracy"

  private let arrival: Date
  private let departure: Date
  private let center: CLLocationCoordinate2D
  private let radius: CLLocationAccuracy

  /// Makes a visit without known values, for tests and subclasses: both dates are distant, the
  /// accuracy is invalid.
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

  /// Decodes a visit; values that are missing are those of ``init()``.
  public required init?(coder: NSCoder) {
    arrival = coder.date(forKey: Self.arrivalKey) ?? .distantPast
    departure = coder.date(forKey: Self.departureKey) ?? .distantFuture
    center = coder.coordinate(forKey: Self.coordinateKey) ?? CLLocationCoordinate2D()
    radius = coder.double(forKey: Self.accuracyKey) ?? -1
    super.init()
  }

  /// When it began; `Date.distantPast` if the arrival was not observed.
  open var arrivalDate: Date { arrival }

  /// When it ended; `Date.distantFuture` while it lasts.
  open var departureDate: Date { departure }

  /// The centre of the place; it may differ between the arrival and the departure of a stay.
  open var coordinate: CLLocationCoordinate2D { center }

  /// The radius of the place in metres; negative when the coordinate is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { radius }

  /// Returns the visit itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the visit.
  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate, forKey: Self.arrivalKey)
    coder.encode(departureDate, forKey: Self.departureKey)
    coder.encode(coordinate, forKey: Self.coordinateKey)
    coder.encode(horizontalAccuracy, forKey: Self.accuracyKey)
  }

  /// Whether `object` is a visit with the same dates, coordinate and accuracy.
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

  /// The position, the accuracy and the times in UTC, the same in every locale.
  open override var description: String {
    let arrival = arrivalDate == .distantPast ? "unknown" : arrivalDate.spelled
    let departure = departureDate == .distantFuture ? "not yet" : departureDate.spelled
    let position = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy)
    return "\(position) arrival \(arrival) departure \(departure)"
  }
}
