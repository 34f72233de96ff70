internal import Tracking

/// Which one of several receivers is followed.
///
/// It is the first that has a position with a time. Another takes its place when it is gone, or
/// when it has given no position for ``patience`` of the other's time.
struct ReceiverChoice: Sendable {
  /// What is to be done with a report.
  enum Verdict {
    /// It is of the receiver that is followed, or none is yet.
    case follow
    /// Its receiver takes the place of another.
    case change
    /// It is of another receiver.
    case pass
  }

  /// Seconds: as long as a SKY holds, and longer than a receiver needs to find its satellites
  /// again behind a bridge.
  static let patience = 30.0
  /// So many other receivers are known at a time; gpsd has four at most as it is built.
  private static let rivalLimit = 8

  /// The one that is followed.
  private(set) var receiver: GPSDDeviceKey?
  /// Since when the others have had positions while this one had none, by their own clocks.
  private var rivals: [(receiver: GPSDDeviceKey, since: Timestamp)] = []

  /// Judges a position report.
  mutating func judge(_ report: GPSDPosition) -> Verdict {
    guard report.hasPlace, let time = report.time else {
      return receiver == nil || receiver == report.device ? .follow : .pass
    }
    if receiver == nil { receiver = report.device }
    if receiver == report.device {
      rivals.removeAll(keepingCapacity: true)
      return .follow
    }
    guard isPatienceOver(report.device, time) else { return .pass }
    receiver = report.device
    rivals.removeAll(keepingCapacity: true)
    return .change
  }

  /// Whether reports of a receiver that give no position matter.
  func follows(_ other: GPSDDeviceKey) -> Bool { receiver == nil || receiver == other }

  /// The receiver is gone.
  mutating func remove(_ gone: GPSDDeviceKey) {
    if receiver == gone { receiver = nil }
    rivals.removeAll { $0.receiver == gone }
  }

  private mutating func isPatienceOver(_ rival: GPSDDeviceKey, _ time: Timestamp) -> Bool {
    guard let index = rivals.firstIndex(where: { $0.receiver == rival }) else {
      if rivals.count < Self.rivalLimit { rivals.append((rival, time)) }
      return false
    }
    // A clock that went back starts again.
    if time < rivals[index].since { rivals[index].since = time }
    return time.seconds(since: rivals[index].since) >= Self.patience
  }
}
