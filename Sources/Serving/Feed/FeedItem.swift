package import Traces
package import Tracking

/// What a feed sends next.
package enum FeedItem: Sendable, Hashable {
  case fix(ServedFix)
  /// A line of a recording, as gpsd sent it.
  case line(RecordedLine)
  /// Bytes without a meaning, for every client that watches.
  case junk([UInt8])
  /// Every client loses its connection, and may connect again.
  case disconnect
}

/// What a server plays: items in the order in which they are due.
package protocol FeedSource {
  /// The time that the first item gets, from which all times are shifted; nil for its own times.
  var begin: Timestamp? { get set }
  /// Errors found in what is played.
  var issues: Int { get }
  /// What is to be said at the end, a line each.
  var remarks: [String] { get }
  /// Whether reading the next item may block.
  var mayWait: Bool { get }
  /// The devices that became known since the last call.
  mutating func takeNewDevices() -> [ServedDevice]
  /// The next item, and when it is due; nil at the end.
  mutating func nextItem() throws(TraceError) -> (item: FeedItem, due: Timestamp)?
}

extension Playback: FeedSource {
  package var remarks: [String] { [] }

  package mutating func nextItem() throws(TraceError) -> (item: FeedItem, due: Timestamp)? {
    guard let step = try next() else { return nil }
    return (.fix(step.served), step.due)
  }
}
