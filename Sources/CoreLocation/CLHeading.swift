public import Foundation

/// The direction in which a device points, measured by its compass.
///
/// There is no compass here: headings come only from archives and from subclasses of yours.
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

  /// Decodes a heading; values that are missing are those of ``init()``.
  public required init?(coder: NSCoder) {
    let numbers = Self.keys.map { coder.double(forKey: $0) }
    (magnetic, geographic, accuracy) = (numbers[0] ?? -1, numbers[1] ?? -1, numbers[2] ?? -1)
    field = SIMD3(numbers[3] ?? 0, numbers[4] ?? 0, numbers[5] ?? 0)
    time = coder.date(forKey: Self.timestampKey) ?? .distantPast
    super.init()
  }

  /// Degrees clockwise from magnetic north.
  open var magneticHeading: CLLocationDirection { magnetic }

  /// Degrees clockwise from true north; negative when unknown.
  open var trueHeading: CLLocationDirection { geographic }

  /// The largest error in degrees; negative when the heading is invalid.
  open var headingAccuracy: CLLocationDirection { accuracy }

  /// The magnetic field along the device's x axis, microtesla.
  open var x: CLHeadingComponentValue { field.x }

  /// The magnetic field along the device's y axis, microtesla.
  open var y: CLHeadingComponentValue { field.y }

  /// The magnetic field along the device's z axis, microtesla.
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
