internal import Estimation

/// Chooses which one of several receivers is followed.
///
/// It is the first that has a position with a time. Another replaces it when it is removed, or when
/// it has had no position for ``patience`` of the other's time.
struct ReceiverChoice: Sendable {
  /// What to do with a report.
  enum Decision {
    /// It is of the followed receiver, or of the first one.
    case follow
    /// Its receiver replaces the followed one.
    case change
    /// It is of another receiver.
    case pass
  }

  /// Seconds: the lifetime of a SKY, and longer than a receiver takes to find its satellites again
  /// after a bridge.
  static let patience = 30.0
  /// The most other receivers at a time; gpsd's default build has at most four.
  private static let rivalLimit = 8

  /// The followed receiver.
  private(set) var receiver: GPSDDeviceKey?
  /// Since when the others have had positions while this one had none, by their own clocks.
  private var rivals: [(receiver: GPSDDeviceKey, since: Timestamp)] = []

  /// Decides about a position report.
  mutating func decide(_ report: GPSDPosition) -> Decision {
    guard report.hasPosition, let time = report.time else {
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

  /// Whether reports without a position of a receiver count.
  func follows(_ other: GPSDDeviceKey) -> Bool { receiver == nil || receiver == other }

  /// The receiver was removed.
  mutating func remove(_ gone: GPSDDeviceKey) {
    if receiver == gone { receiver = nil }
    rivals.removeAll { $0.receiver == gone }
  }

  private mutating func isPatienceOver(_ rival: GPSDDeviceKey, _ time: Timestamp) -> Bool {
    guard let index = rivals.firstIndex(where: { $0.receiver == rival }) else {
      if rivals.count < Self.rivalLimit { rivals.append((rival, time)) }
      return false
    }
    // A clock that went back starts over.
    if time < rivals[index].since { rivals[index].since = time }
    return time.seconds(since: rivals[index].since) >= Self.patience
  }
}
