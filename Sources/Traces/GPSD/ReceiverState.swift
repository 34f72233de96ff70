package import Tracking

/// What is known of gpsd and of its receiver at a moment, for people to look at.
package struct ReceiverState: Sendable, Hashable {
  /// gpsd's release and protocol; nil before it told them, and for what gpsd did not write.
  package internal(set) var version: GPSDVersion?
  /// Path of the receiver that is followed; nil when there is none, or none with a name.
  package internal(set) var receiver: String?
  /// Whether a receiver is attached; nil when nothing was said of it.
  package internal(set) var isAttached: Bool?
  /// What gpsd last said to a request that it did not understand.
  package internal(set) var error: String?
  /// Mode of the last report: 0 unknown, 1 no fix, 2 or 3 dimensions.
  package internal(set) var mode = 0
  /// Time of the last report that had one.
  package internal(set) var time: Timestamp?
  /// Reports with a position but without a time, in a row.
  ///
  /// Many receivers begin with one or two.
  package internal(set) var timeless = 0
  /// Satellites used and seen, and the horizontal dilution, as last told; nil when they were not.
  package internal(set) var satellitesUsed: Int?
  package internal(set) var satellitesVisible: Int?
  package internal(set) var hdop: Double?
  /// Position reports so far, those that were passed over left out.
  package internal(set) var reports = 0

  package init() {}

  mutating func take(_ report: GPSDPosition) {
    mode = report.mode
    time = report.time ?? time
    timeless = report.time == nil && report.hasPlace ? timeless + 1 : 0
    isAttached = true
    reports += 1
  }

  mutating func take(_ sky: GPSDSky) {
    if !sky.hdop.isNaN { hdop = sky.hdop }
    satellitesUsed = sky.satellitesUsed ?? satellitesUsed
    satellitesVisible = sky.satellitesVisible ?? satellitesVisible
  }

  /// The receiver is gone: what it said says nothing any more.
  mutating func removeReceiver() {
    (receiver, isAttached, mode) = (nil, false, 0)
    forgetSky()
  }

  mutating func forgetSky() {
    (satellitesUsed, satellitesVisible, hdop) = (nil, nil, nil)
  }
}
