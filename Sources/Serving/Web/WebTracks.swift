internal import Text

/// The last positions of devices, each a JSON array.
///
/// Of more than a limit for all together, the longest tracks lose their oldest positions.
struct WebTracks: Sendable {
  private var tracks: [ExactText: [[UInt8]]] = [:]
  /// The positions of all devices.
  private(set) var count = 0
  private let most: Int

  init(most: Int) { self.most = most }

  mutating func append(_ position: [UInt8], of device: String) {
    tracks[ExactText(device), default: []].append(position)
    count += 1
    // In steps, so that not every position moves all others.
    if count > most + most / 10 { trim() }
  }

  mutating func remove(_ device: String) {
    count -= tracks.removeValue(forKey: ExactText(device))?.count ?? 0
  }

  /// The devices and their positions within the limit, the oldest first.
  func all() -> [ExactText: ArraySlice<[UInt8]>] {
    let share = share
    return tracks.mapValues { $0.suffix(share) }
  }

  private mutating func trim() {
    let share = share
    for (device, positions) in tracks where positions.count > share {
      tracks[device]?.removeFirst(positions.count - share)
      count -= positions.count - share
    }
  }

  /// The most positions that a device may have; each keeps its last one.
  private var share: Int {
    var (rest, left) = (most, tracks.count)
    for count in tracks.values.map(\.count).sorted() {
      guard count <= rest / left else { return max(rest / left, 1) }
      (rest, left) = (rest - count, left - 1)
    }
    return .max
  }
}
