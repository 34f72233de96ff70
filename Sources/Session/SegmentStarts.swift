package import Geodesy
internal import Traces
package import Tracking

/// Where the segments and tracks of a trace begin: nothing joins a fix to one of a segment before.
package struct SegmentStarts: Sendable {
  /// A fix with which a device begins a segment.
  package struct Start: Sendable {
    package let time: Timestamp
    package let coordinate: Coordinate
  }

  package private(set) var all: [Start] = []
  /// The devices that have a fix in this segment; -1 stands for the one without a name.
  private var devices: Set<Int32> = []

  /// No segment so far.
  package init() {}

  mutating func beginSegment() { devices.removeAll(keepingCapacity: true) }

  /// Takes the next fixes of a segment; those without a time or a position begin nothing.
  mutating func note(_ points: ArraySlice<TracePoint>) {
    for point in points {
      guard let time = point.fix.time, point.fix.coordinate.isValid,
        devices.insert(point.device ?? -1).inserted
      else { continue }
      all.append(Start(time: time, coordinate: point.fix.coordinate))
    }
  }
}
