public import Foundation
internal import Traces

/// The direction in which a device points, measured by its compass.
///
/// Headings come from a compass that gpsd reads (class ATT), or from one in a recording of gpsd or of NMEA
/// 0183 (HDG, HDM, HDT, THS). They refer to the axis that the compass calls ahead, usually the bow of a
/// boat, and not to the sides of a screen; see ``CLLocationManager/headingOrientation``.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
  private static let keys = [
    "kCLHeadingCodingKeyMagneticHeading", "kCLHeadingCodingKeyTrueHeading",
    "kCLHeadingCodingKeyHeadingAccuracy", "kCLHeadingCodingKeyX", "kCLHeadingCodingKeyY",
    "kCLHeadingCodingKeyZ",
  ]
  private static let timestampKey = "kCLHeadingCodingKeyTimestamp"

  private let magnetic: CLLocationDirection
  private let geographic: CLLocationDirection
  private let accuracy: CLLocationDirection
  private let field: SIMD3<Double>
  private let time: Date

  /// Makes an invalid heading without a time, for tests and subclasses.
  public override init() {
    (magnetic, geographic, accuracy) = (-1, -1, -1)
    field = .zero
    time = .distantPast
    super.init()
  }

  /// Converts a heading of the source.
  ///
  /// No source reports how accurate a heading is. A negative accuracy would make clients drop it, and a
  /// small one would be invented, so it gets 180 degrees, the largest error there is. With an alarm of the
  /// compass it is negative.
  init(_ heading: Heading) {
    (magnetic, geographic) = (heading.magnetic ?? -1, heading.geographic ?? -1)
    accuracy = heading.isReliable ? Self.unknownAccuracy : -1
    field = heading.field.map { SIMD3($0.x, $0.y, $0.z) } ?? .zero
    time = heading.time.map { Date($0) } ?? .distantPast
    super.init()
  }

  private static let unknownAccuracy: CLLocationDirection = 180

  /// Decodes a heading; values that are missing are those of ``init()``.
  public required init?(coder: NSCoder) {
    let numbers = Self.keys.map { coder.double(forKey: $0) }
    (magnetic, geographic, accuracy) = (numbers[0] ?? -1, numbers[1] ?? -1, numbers[2] ?? -1)
    field = SIMD3(numbers[3] ?? 0, numbers[4] ?? 0, numbers[5] ?? 0)
    time = coder.date(forKey: Self.timestampKey) ?? .distantPast
    super.init()
  }

  /// Degrees clockwise from magnetic north; negative when unknown.
  ///
  /// It is unknown for a compass that reports true north while no position has come with the variation
  /// between the two.
  open var magneticHeading: CLLocationDirection { magnetic }

  /// Degrees clockwise from true north; negative when unknown, and without permission for locations.
  open var trueHeading: CLLocationDirection { geographic }

  /// The largest error in degrees: 180, because no source reports it; negative when the compass reports an
  /// alarm, as for want of calibration.
  open var headingAccuracy: CLLocationDirection { accuracy }

  /// The magnetic field along the device's x axis, in the unit of the compass; 0 when it is not reported.
  open var x: CLHeadingComponentValue { field.x }

  /// The magnetic field along the device's y axis, in the unit of the compass; 0 when it is not reported.
  open var y: CLHeadingComponentValue { field.y }

  /// The magnetic field along the device's z axis, in the unit of the compass; 0 when it is not reported.
  open var z: CLHeadingComponentValue { field.z }

  /// When it was measured.
  open var timestamp: Date { time }

  private var numbers: [Double] { [magneticHeading, trueHeading, headingAccuracy, x, y, z] }

  /// Returns the heading itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the heading.
  open func encode(with coder: NSCoder) {
    for (key, number) in zip(Self.keys, numbers) { coder.encode(number, forKey: key) }
    coder.encode(timestamp, forKey: Self.timestampKey)
  }

  /// Whether `object` is a heading with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLHeading else { return false }
    return self === other || timestamp == other.timestamp && numbers == other.numbers
  }

  /// A hash of the values.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(timestamp)
    hasher.combine(numbers)
    return hasher.finalize()
  }

  /// The directions and the time as text.
  open override var description: String {
    String(
      format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f @ ",
      magneticHeading, trueHeading, headingAccuracy, x, y, z) + timestamp.spelled
  }
}
