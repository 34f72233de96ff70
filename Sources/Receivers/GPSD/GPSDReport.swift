internal import System
package import Text
package import Traces
package import Estimation

/// The relevant content of one line of gpsd's JSON (gpsd_json(5)).
///
/// The numbers are gpsd's own, in its units; ``ReceiverEpochs`` converts them to fixes.
package enum GPSDReport: Sendable, Hashable {
  /// VERSION: a connection begins, or gpsd answers a request for it.
  case version(GPSDVersion)
  /// TPV: time, position and velocity.
  case position(GPSDPosition)
  /// SKY: satellites and dilution of precision.
  case sky(GPSDSky)
  /// ATT: the direction in which a compass points.
  case attitude(GPSDAttitude)
  /// DEVICES: the number of attached receivers.
  case devices(count: Int)
  /// DEVICE: a receiver was added, or removed when it is not active.
  case device(GPSDDeviceKey, isActive: Bool)
  /// WATCH: gpsd has started, or stopped, reporting.
  case watch(isEnabled: Bool)
  /// ERROR: gpsd did not understand a request.
  case error(String)
  /// AIS: what a ship reports; ``AISReport`` reads it where ships are wanted.
  case ais
  /// WAYMARK: the first line of a recording by `record`.
  case recording(RecordedSource)
  /// WAYMARK: the following lines are of the source of this device, which has been silent until the deadline,
  /// if there is one.
  case source(device: String, deadline: Timestamp?)
  /// WAYMARK: the source was lost or is back, as the program that records has seen.
  case change(SourceChange)
  /// WAYMARK: an anchor was set, moved or taken up while the program watched.
  case anchor(AnchorChange)
  /// WAYMARK: a position that the device of the following lines sent itself, as a phone does.
  case fix(Fix)
  /// WAYMARK: the device of this name was forgotten, and starts over when it reports again.
  case forgotten(device: String)
  /// WAYMARK: a program starts here whose engine knows nothing of what is before.
  case restarted
  /// A class that is not used.
  case other
}

/// A source of a recording, as a line of its header names it.
package struct RecordedSource: Sendable, Hashable {
  /// The name of the watched device; nil for a source whose devices appear while it is watched.
  package var device: String?
  /// Whether the ships that its gpsd reports are devices too.
  package var hasShips = false
  /// Whether simulated positions are used.
  package var allowsSimulated = false
  /// The file of the recording; nil in those of earlier releases.
  package var part: RecordingPart?
  /// A random number of the run of the program; nil in those of earlier releases.
  package var start: UInt64?

  package init(device: String? = nil) {
    self.device = device
  }
}

/// Identifies the receiver of a report: a hash (FNV-1a) of its path, so no report needs a String.
package struct GPSDDeviceKey: Sendable, Hashable {
  package let value: UInt64

  /// The key of a receiver that the report does not name.
  package static let unnamed = GPSDDeviceKey(path: "")

  /// The key of the receiver with this path.
  package init(path: String) {
    var hash = FNV1a()
    hash.add(path)
    value = hash.value
  }

  /// The key of the receiver whose path has these bytes.
  package init(path: Span<UInt8>) {
    var hash = FNV1a()
    hash.add(path)
    value = hash.value
  }
}

/// VERSION.
package struct GPSDVersion: Sendable, Hashable {
  /// Such as `3.22`.
  package var release: String
  package var major: Int
  package var minor: Int

  package init(release: String, major: Int, minor: Int) {
    self.release = release
    self.major = major
    self.minor = minor
  }
}

/// TPV; unknown values are NaN, as in libgps.
///
/// Every number is the double nearest to the text.
package struct GPSDPosition: Sendable, Hashable {
  package var device = GPSDDeviceKey.unnamed
  /// 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
  package var mode = 0
  /// The number of a ``SolutionKind``; 0 unknown.
  package var status = 0
  package var time: Timestamp?
  /// Degrees.
  package var latitude = Double.nan
  package var longitude = Double.nan
  /// Metres above the WGS 84 ellipsoid.
  package var ellipsoidalAltitude = Double.nan
  /// Metres above mean sea level.
  package var altitude = Double.nan
  /// Metres per second over ground.
  package var speed = Double.nan
  /// Degrees clockwise from true north.
  package var course = Double.nan
  /// Metres, 95 %: eph, and epx, epy, epv.
  package var horizontalError = Double.nan
  package var longitudeError = Double.nan
  package var latitudeError = Double.nan
  package var verticalError = Double.nan
  /// Degrees, 95 %: epd.
  package var courseError = Double.nan
  /// Degrees from true to magnetic north, positive to the east: magvar, which gpsd computes where the
  /// receiver does not report it.
  package var variation = Double.nan

  package init() {}
}

/// SKY; unknown values are NaN, or nil.
package struct GPSDSky: Sendable, Hashable {
  package var device = GPSDDeviceKey.unnamed
  package var hdop = Double.nan
  package var vdop = Double.nan
  package var pdop = Double.nan
  /// Satellites used in the solution, and visible; nil in a SKY with only the dilution.
  package var satellitesUsed: Int?
  package var satellitesVisible: Int?

  package init() {}
}

/// ATT; unknown values are NaN, or nil.
///
/// `heading` is from true north, and `mheading`, of gpsd 3.25 and later, from magnetic north
/// (gpsd_json(5)). gpsd fills `heading` from HDT, from the true heading of TrueNorth's compasses
/// (PTNTHTM), from the azimuth of OceanServer's, and from NMEA 2000, to which it adds the deviation and
/// the variation that the network reports. It makes no ATT of HDG and HDM. Objects of class IMU, which have
/// the same fields at times of their own, are not read.
package struct GPSDAttitude: Sendable, Hashable {
  package var device = GPSDDeviceKey.unnamed
  package var time: Timestamp?
  /// Degrees clockwise from true north.
  package var geographic = Double.nan
  /// Degrees clockwise from magnetic north.
  package var magnetic = Double.nan
  /// The magnetic field; nil unless all three axes are reported.
  package var field: Heading.Field?
  /// Whether the magnetometer reports no alarm: of calibration (C), low (L), high (P) or voltage (V).
  package var isReliable = true

  package init() {}
}

/// Reads lines of gpsd's JSON: in Swift (``SwiftGPSDReader``), or with libgps.
package protocol GPSDLineReader: Sendable {
  /// Reads one line, without its line end.
  ///
  /// - Throws: ``JSONError`` when the line is not a complete JSON object, or a relevant field is
  ///   not of the kind that gpsd writes. A number out of range is not an error; the engine
  ///   validates it.
  mutating func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport
}
