public import Geodesy

/// One position report of one device.
///
/// A fix holds what the source said, in this project's units; what the source did not say is nil.
/// It may be wrong in every way (the ``Gate`` judges it), so nothing here is checked.
public struct Fix: Sendable, Hashable {
  /// What kind of solution the receiver had.
  public enum Mode: UInt8, Sendable, Hashable, Codable, CaseIterable {
    /// The source did not say.
    case unknown
    /// The receiver said that it had no position; the coordinate is stale or made up.
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

  // Absent numbers are NaN inside, so that a fix is 112 bytes and copies as plain memory; the
  // accessors below turn them into nil, which is all that anyone outside can see.
  private var storedAccuracy, storedAltitude, storedVerticalAccuracy: Double
  private var storedSpeed, storedSpeedAccuracy, storedCourse, storedCourseAccuracy: Double
  private var storedHDOP, storedVDOP, storedPDOP: Float

  /// Makes a fix of a place and a time; everything else is unknown.
  public init(time: Timestamp?, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
    mode = .unknown
    satelliteCount = -1
    (storedAccuracy, storedAltitude, storedVerticalAccuracy) = (.nan, .nan, .nan)
    (storedSpeed, storedSpeedAccuracy) = (.nan, .nan)
    (storedCourse, storedCourseAccuracy) = (.nan, .nan)
    (storedHDOP, storedVDOP, storedPDOP) = (.nan, .nan, .nan)
  }

  /// Radius in metres that holds the true place with probability 0.68.
  public var horizontalAccuracy: Double? {
    get { storedAccuracy.known }
    set { storedAccuracy = newValue ?? .nan }
  }
  /// Altitude in metres, above mean sea level unless the source says otherwise.
  public var altitude: Double? {
    get { storedAltitude.known }
    set { storedAltitude = newValue ?? .nan }
  }
  /// One sigma of the altitude, metres.
  public var verticalAccuracy: Double? {
    get { storedVerticalAccuracy.known }
    set { storedVerticalAccuracy = newValue ?? .nan }
  }
  /// Speed over ground, metres per second.
  public var speed: Double? {
    get { storedSpeed.known }
    set { storedSpeed = newValue ?? .nan }
  }
  /// One sigma of the speed, metres per second.
  public var speedAccuracy: Double? {
    get { storedSpeedAccuracy.known }
    set { storedSpeedAccuracy = newValue ?? .nan }
  }
  /// Direction of motion over ground, degrees clockwise from true north, 0..<360.
  public var course: Double? {
    get { storedCourse.known }
    set { storedCourse = newValue ?? .nan }
  }
  /// One sigma of the course, degrees.
  public var courseAccuracy: Double? {
    get { storedCourseAccuracy.known }
    set { storedCourseAccuracy = newValue ?? .nan }
  }
  /// Horizontal dilution of precision.
  public var hdop: Double? {
    get { storedHDOP.known }
    set { storedHDOP = newValue.map(Float.init) ?? .nan }
  }
  /// Vertical dilution of precision.
  public var vdop: Double? {
    get { storedVDOP.known }
    set { storedVDOP = newValue.map(Float.init) ?? .nan }
  }
  /// Position dilution of precision.
  public var pdop: Double? {
    get { storedPDOP.known }
    set { storedPDOP = newValue.map(Float.init) ?? .nan }
  }
  /// Number of satellites used.
  public var satellites: Int? {
    get { satelliteCount < 0 ? nil : Int(satelliteCount) }
    set { satelliteCount = newValue.map { Int16(clamping: $0) } ?? -1 }
  }
}

extension BinaryFloatingPoint {
  /// The number, or nil when it is NaN.
  fileprivate var known: Double? { isNaN ? nil : Double(self) }
}
