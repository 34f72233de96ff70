internal import Text
internal import TrackFiles
internal import Tracking

/// Puts the fixes of tracks in the order of time.
///
/// Fixes of one time keep their order. A fix without a time goes with the one before it. All fixes are in
/// memory, so there is a ``limit``.
struct TrackSorter {
  /// What a segment was a part of.
  fileprivate struct Part {
    let device: Int
    let track: Int
    let name: String?
  }

  fileprivate struct Key {
    let time: Timestamp
    /// Its place among all fixes.
    let fix: Int
    let part: Int
  }

  /// The most fixes: 3 GB for a format with rows, 5 GB for others (Docs/Limits.md).
  static let limit = 10_000_000

  private var fixes: [Fix] = []
  private var keys: [Key] = []
  private var parts: [Part] = []
  private var devices: [String] = []
  private var numbers: [ExactText: Int] = [:]
  private var trackCount = 0

  /// How many fixes there are.
  var count: Int { fixes.count }

  /// Adds a track, in whatever order its fixes are.
  mutating func add(_ track: RecordedTrack) {
    let device = number(of: track.device)
    trackCount += 1
    for segment in track.segments {
      parts.append(Part(device: device, track: trackCount, name: track.name))
      var time = segment.lazy.compactMap(\.time).first ?? keys.last?.time ?? .distantPast
      for fix in segment {
        time = fix.time ?? time
        keys.append(Key(time: time, fix: fixes.count, part: parts.count - 1))
        fixes.append(fix)
      }
    }
  }

  private mutating func number(of device: String) -> Int {
    let name = ExactText(device)
    if let number = numbers[name] { return number }
    numbers[name] = devices.count
    devices.append(device)
    return devices.count - 1
  }

  /// Removes all fixes and gives them in order: a track ends where fixes of another one follow.
  ///
  /// - Parameter mixesDevices: Whether time comes before the device; otherwise the devices follow one
  ///   another, in the order in which they came.
  mutating func take(mixesDevices: Bool) -> SortedTracks {
    let all = self
    self = TrackSorter()
    let sorted = all.keys.sorted { first, second in
      if !mixesDevices {
        let devices = (all.parts[first.part].device, all.parts[second.part].device)
        if devices.0 != devices.1 { return devices.0 < devices.1 }
      }
      return first.time != second.time ? first.time < second.time : first.fix < second.fix
    }
    return SortedTracks(all, sorted)
  }

  /// The tracks in order, one after the other.
  struct SortedTracks: IteratorProtocol {
    private let all: TrackSorter
    private let keys: [Key]
    private var at = 0

    fileprivate init(_ all: TrackSorter, _ keys: [Key]) {
      (self.all, self.keys) = (all, keys)
    }

    mutating func next() -> RecordedTrack? {
      guard at < keys.count else { return nil }
      let first = all.parts[keys[at].part]
      var (segments, segment): ([[Fix]], [Fix]) = ([], [])
      var last = keys[at].part
      while at < keys.count, all.parts[keys[at].part].track == first.track {
        if keys[at].part != last {
          segments.append(segment)
          segment = []
          last = keys[at].part
        }
        segment.append(all.fixes[keys[at].fix])
        at += 1
      }
      segments.append(segment)
      return RecordedTrack(device: all.devices[first.device], name: first.name, segments: segments)
    }
  }
}
