public import Geodesy

/// One position report of one device.
///
/// A fix holds what the source reported, in this project's units; what it left out is nil. It may be
/// wrong in every way (the engine validates it), so nothing is checked here.
public struct Fix: Sendable, Hashable {
  /// What kind of solution the receiver had.
  public enum Mode: UInt8, Sendable, Hashable, Codable, CaseIterable {
    /// The source did not report it.
    case unknown
    /// The receiver reported that it had no position; the coordinate is stale or made up.
    ///
    /// The gate drops such a fix (``Defect/withoutPosition``).
    case none
    /// Position without altitude.
    case twoD
    /// Position with altitude.
    case threeD
    /// Corrected by a differential source (also RTK).
    case differential
    /// Military signal.
    case precise
  }

  /// The receiver's time of the position, nil when the source gave none.
  public var time: Timestamp?
  /// Where the device was reported, degrees.
  public var coordinate: Coordinate
  /// What kind of solution it was.
  public var mode: Mode
  private var satelliteCount: Int16

  // An optional Double takes 16 bytes; kept like this a fix is 112 bytes and plain memory.
  @usableFromInline var storedAccuracy = Reading<Double>()
  private var storedAltitude = Reading<Double>()
  private var storedVerticalAccuracy = Reading<Double>()
  @usableFromInline var storedSpeed = Reading<Double>()
  private var storedSpeedAccuracy = Reading<Double>()
  @usableFromInline var storedCourse = Reading<Double>()
  private var storedCourseAccuracy = Reading<Double>()
  private var storedHDOP = Reading<Float>()
  private var storedVDOP = Reading<Float>()
  private var storedPDOP = Reading<Float>()
  private var storedEllipsoidalAltitude = Reading<Float>()

  /// Makes a fix of a position and a time; everything else is unknown.
  public init(time: Timestamp?, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
    mode = .unknown
    satelliteCount = -1
  }

  /// Radius in metres that holds the true position with probability 0.68.
  @inlinable public var horizontalAccuracy: Double? {
    get { storedAccuracy.value }
    set { storedAccuracy.value = newValue }
  }
  /// Altitude in metres, above mean sea level unless the source states otherwise.
  public var altitude: Double? {
    get { storedAltitude.value }
    set { storedAltitude.value = newValue }
  }
  /// Altitude above the WGS 84 ellipsoid in metres, kept to a millimetre up to 16 km.
  public var ellipsoidalAltitude: Double? {
    get { storedEllipsoidalAltitude.value }
    set { storedEllipsoidalAltitude.value = newValue.flatMap(Self.storable) }
  }
  /// One sigma of the altitude, metres.
  public var verticalAccuracy: Double? {
    get { storedVerticalAccuracy.value }
    set { storedVerticalAccuracy.value = newValue }
  }
  /// Speed over ground, metres per second.
  @inlinable public var speed: Double? {
    get { storedSpeed.value }
    set { storedSpeed.value = newValue }
  }
  /// One sigma of the speed, metres per second.
  public var speedAccuracy: Double? {
    get { storedSpeedAccuracy.value }
    set { storedSpeedAccuracy.value = newValue }
  }
  /// Direction of motion over ground, degrees clockwise from true north, 0..<360.
  @inlinable public var course: Double? {
    get { storedCourse.value }
    set { storedCourse.value = newValue }
  }
  /// One sigma of the course, degrees.
  public var courseAccuracy: Double? {
    get { storedCourseAccuracy.value }
    set { storedCourseAccuracy.value = newValue }
  }
  /// Horizontal dilution of precision.
  ///
  /// A ratio without a unit: by what factor the geometry of the satellites enlarges the error of a
  /// range. Kept in single precision, as the other two.
  public var hdop: Double? {
    get { storedHDOP.value }
    set { storedHDOP.value = newValue.flatMap(Self.storable) }
  }
  /// Vertical dilution of precision.
  public var vdop: Double? {
    get { storedVDOP.value }
    set { storedVDOP.value = newValue.flatMap(Self.storable) }
  }
  /// Position dilution of precision.
  public var pdop: Double? {
    get { storedPDOP.value }
    set { storedPDOP.value = newValue.flatMap(Self.storable) }
  }
  /// A number too large to store becomes unknown: no checkpoint could hold it.
  private static func storable(_ value: Double) -> Double? {
    value.magnitude < Double(Float.greatestFiniteMagnitude) ? value : nil
  }
  /// Number of satellites used.
  ///
  /// Numbers above 32,767 are kept as that, and negative ones are unknown.
  public var satellites: Int? {
    get { satelliteCount < 0 ? nil : Int(satelliteCount) }
    set { satelliteCount = newValue.map { Int16(clamping: $0) } ?? -1 }
  }
}

/// A number that may be unknown, in the size of the number: unknown is NaN, which no source means.
@usableFromInline
struct Reading<Number: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
  @usableFromInline var stored = Number.nan

  @inlinable init() {}

  @inlinable var value: Double? {
    get { stored.isNaN ? nil : Double(stored) }
    set { stored = newValue.map(Number.init) ?? .nan }
  }

  @usableFromInline static func == (a: Self, b: Self) -> Bool {
    a.stored == b.stored || (a.stored.isNaN && b.stored.isNaN)
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
