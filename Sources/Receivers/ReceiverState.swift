package import Estimation

/// The current state of gpsd and of its receiver, for display.
package struct ReceiverState: Sendable, Hashable {
  /// gpsd's release and protocol; nil before it reported them, and for logs of other programs.
  package internal(set) var version: GPSDVersion?
  /// Path of the followed receiver; nil without one, or without a name.
  package internal(set) var receiver: String?
  /// Whether a receiver is attached; nil when unknown.
  package internal(set) var isAttached: Bool?
  /// gpsd's last error message for a request.
  package internal(set) var error: String?
  /// Mode of the last report: 0 unknown, 1 no fix, 2 or 3 dimensions.
  package internal(set) var mode = 0
  /// Time of the last report that had one.
  package internal(set) var time: Timestamp?
  /// Reports with a position but without a time, in a row.
  ///
  /// Many receivers begin with one or two.
  package internal(set) var timeless = 0
  /// Reports of a fix without its coordinates, in a row: receivers begin so, and gpsd may report an
  /// instant in parts.
  package internal(set) var empty = 0
  /// Reports with a simulated position, which was refused, in a row.
  package internal(set) var simulated = 0
  /// Satellites used and visible, and the horizontal dilution, as last reported; nil when they were
  /// not.
  package internal(set) var satellitesUsed: Int?
  package internal(set) var satellitesVisible: Int?
  package internal(set) var hdop: Double?
  /// Position reports so far, without skipped ones.
  package internal(set) var reports = 0

  package init() {}

  /// The state of a receiver that reported, for tests of what follows from it.
  package init(mode: Int, timeless: Int = 0, empty: Int = 0) {
    (self.mode, self.timeless, self.empty) = (mode, timeless, empty)
  }

  /// - Parameter isRefused: Whether its position is simulated, and refused.
  mutating func take(_ report: GPSDPosition, isRefused: Bool) {
    mode = report.mode
    time = report.time ?? time
    timeless = report.time == nil && report.hasPosition ? timeless + 1 : 0
    empty = report.mode >= 2 && !report.hasPosition ? empty + 1 : 0
    simulated = isRefused ? simulated + 1 : 0
    isAttached = true
    reports += 1
  }

  mutating func take(_ sky: GPSDSky) {
    if !sky.hdop.isNaN { hdop = sky.hdop }
    satellitesUsed = sky.satellitesUsed ?? satellitesUsed
    satellitesVisible = sky.satellitesVisible ?? satellitesVisible
  }

  /// The receiver was removed: its values no longer apply.
  mutating func removeReceiver() {
    (receiver, isAttached, mode) = (nil, false, 0)
    forgetSky()
  }

  mutating func forgetSky() {
    (satellitesUsed, satellitesVisible, hdop) = (nil, nil, nil)
  }
}
