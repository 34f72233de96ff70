internal import Traces
internal import Estimation

/// The last satellite report, for the fixes that follow.
///
/// The time of a SKY is not reliable: it is as old as the first position report after it.
struct SkyMemory: Sendable {
  /// The report is valid for so many seconds of report time: gpsd sends a SKY with every fix or
  /// every few, and satellites stay in place longer than that.
  static let lifetime = 30.0

  /// The times at which the two parts were valid; nil for parts that came after the last report.
  private struct Age: Sendable {
    var time: Timestamp?

    func holds(at other: Timestamp?) -> Bool {
      guard let time, let other else { return true }
      return abs(other.seconds(since: time)) <= SkyMemory.lifetime
    }
  }

  private var sky = GPSDSky()
  private var dilution = Age()
  private var counts = Age()

  /// Adds the values of a SKY; a SKY of another receiver replaces all.
  mutating func take(_ later: GPSDSky) {
    if later.device != sky.device {
      self = SkyMemory()
      sky.device = later.device
    }
    if !later.hdop.isNaN || !later.vdop.isNaN || !later.pdop.isNaN {
      (sky.hdop, sky.vdop, sky.pdop) = (later.hdop, later.vdop, later.pdop)
      dilution = Age()
    }
    if later.satellitesUsed != nil || later.satellitesVisible != nil {
      (sky.satellitesUsed, sky.satellitesVisible) = (later.satellitesUsed, later.satellitesVisible)
      counts = Age()
    }
  }

  /// A report of an instant has arrived: new values were valid then.
  mutating func pass(_ time: Timestamp) {
    if dilution.time == nil { dilution.time = time }
    if counts.time == nil { counts.time = time }
  }

  /// Adds missing values to a fix of `receiver`.
  func complete(_ fix: inout Fix, of receiver: GPSDDeviceKey) {
    guard receiver == sky.device else { return }
    if dilution.holds(at: fix.time) {
      fix.hdop = sky.hdop.isNaN ? nil : sky.hdop
      fix.vdop = sky.vdop.isNaN ? nil : sky.vdop
      fix.pdop = sky.pdop.isNaN ? nil : sky.pdop
    }
    if counts.holds(at: fix.time) { fix.satellites = sky.satellitesUsed }
    if fix.horizontalAccuracy == nil, let hdop = fix.hdop, hdop > 0 {
      fix.horizontalAccuracy = Accuracy.radius(hdop: hdop)
    }
  }
}
