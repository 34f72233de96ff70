public import Foundation

/// Where a device points, as its compass has it.
///
/// There is no compass here: nothing makes a heading but an archive or a subclass of yours.
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

  /// Makes an invalid heading of no time, for test code and for subclasses.
  public override init() {
    (magnetic, geographic, accuracy) = (-1, -1, -1)
    field = .zero
    time = .distantPast
    super.init()
  }

  /// Reads a heading from an archive; nil when one of its parts is not there.
  public required init?(coder: NSCoder) {
    let numbers = Self.keys.compactMap { coder.double(forKey: $0) }
    guard numbers.count == Self.keys.count, let time = coder.date(forKey: Self.timestampKey)
    else { return nil }
    (magnetic, geographic, accuracy) = (numbers[0], numbers[1], numbers[2])
    field = SIMD3(numbers[3], numbers[4], numbers[5])
    self.time = time
    super.init()
  }

  /// Degrees clockwise from magnetic north.
  open var magneticHeading: CLLocationDirection { magnetic }

  /// Degrees clockwise from true north; negative when it is not known.
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

  /// Returns the heading itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the heading to an archive.
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

  /// Directions and time in words.
  open override var description: String {
    String(
      format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f @ ",
      magneticHeading, trueHeading, headingAccuracy, x, y, z) + timestamp.spelled
  }
}
