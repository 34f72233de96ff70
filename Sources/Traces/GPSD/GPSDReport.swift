package import Tracking

/// What one line of gpsd's JSON says, as far as it matters here (gpsd_json(5)).
///
/// The numbers are gpsd's own, in its units; ``ReceiverEpochs`` makes fixes out of them.
package enum GPSDReport: Sendable, Hashable {
  /// VERSION: a connection begins, or gpsd answers a question for it.
  case version(GPSDVersion)
  /// TPV: time, position and velocity.
  case position(GPSDPosition)
  /// SKY: satellites and dilution of precision.
  case sky(GPSDSky)
  /// DEVICES: so many receivers are attached.
  case devices(count: Int)
  /// DEVICE: a receiver came, or went when it is not active.
  case device(GPSDDeviceKey, isActive: Bool)
  /// WATCH: gpsd has begun, or ended, to report.
  case watch(isEnabled: Bool)
  /// ERROR: gpsd did not understand a request.
  case error(String)
  /// WAYMARK: the first line of a recording of ours; the name of the device that was watched.
  case recording(device: String?)
  /// A class that is not read.
  case other
}

/// Which receiver a report is of: a hash (FNV-1a) of its path, so that no report needs a String.
package struct GPSDDeviceKey: Sendable, Hashable {
  package let value: UInt64

  /// The key of a receiver that a report does not name.
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

/// TPV; what is unknown is NaN, as in libgps.
///
/// Every number is the double nearest to what the line says.
package struct GPSDPosition: Sendable, Hashable {
  package var device = GPSDDeviceKey.unnamed
  /// 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
  package var mode = 0
  /// 0 not said, 1 plain, 2 differential, 3 RTK fixed, 4 RTK floating, 5 dead reckoning.
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

  package init() {}
}

/// SKY; what is unknown is NaN, or nil.
package struct GPSDSky: Sendable, Hashable {
  package var device = GPSDDeviceKey.unnamed
  package var hdop = Double.nan
  package var vdop = Double.nan
  package var pdop = Double.nan
  /// Satellites used in the solution, and seen; nil in a SKY that tells only of dilution.
  package var satellitesUsed: Int?
  package var satellitesVisible: Int?

  package init() {}
}

/// Reads lines of gpsd's JSON: in Swift (``SwiftGPSDReader``), or with libgps.
package protocol GPSDLineReader: Sendable {
  /// Reads one line, without its line end.
  ///
  /// - Throws: ``JSONError`` when the line is no whole JSON object, or a field that matters is not
  ///   what gpsd writes; a number out of range is no error, the engine judges it.
  mutating func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDReport
}
