package import Geodesy
package import Tracking

/// Finds the fixes that several traces have: of one device, at one time, at one position.
///
/// Fixes must come in the order in which traces are merged, so copies of a fix come together. Equal fixes
/// of one trace are left to the engine. Memory: that of the last fixes of each device.
package struct DuplicateFilter {
  /// The fixes of a device at one place of the merge.
  private struct Recent {
    var turn: Timestamp
    var fixes: [(time: Timestamp, coordinate: Coordinate, source: Int)] = []
  }

  private var recent: [Recent] = []

  /// The most fixes compared: a trace that goes back in time has all of the rest in one place.
  private static let most = 256

  package init() {}

  /// Whether another trace had the fix.
  ///
  /// - Parameter turn: The place of the fix in the merge, which never decreases.
  package mutating func isDuplicate(
    _ time: Timestamp?, _ coordinate: Coordinate, of device: Int, from source: Int,
    at turn: Timestamp
  ) -> Bool {
    guard let time else { return false }
    while recent.count <= device { recent.append(Recent(turn: turn)) }
    if recent[device].turn != turn {
      recent[device].turn = turn
      recent[device].fixes.removeAll(keepingCapacity: true)
    }
    for fix in recent[device].fixes
    where fix.source != source && fix.time == time && fix.coordinate == coordinate {
      return true
    }
    if recent[device].fixes.count < Self.most {
      recent[device].fixes.append((time, coordinate, source))
    }
    return false
  }
}
