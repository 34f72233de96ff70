internal import Geodesy
internal import Session
internal import Text
internal import Tracking

/// Finds the fixes that several traces have when the traces are read one after the other.
///
/// Traces are taken to be in the order of time: only fixes that a later trace of the same device may have
/// are kept.
struct OverlapFilter {
  private struct Key: Hashable {
    var device: ExactText
    var time: Timestamp
    var latitude: Double
    var longitude: Double
  }

  /// For each trace, the first time of a later trace that may have fixes of the same device.
  private var starts: [Timestamp] = []
  private var trace = -1
  private var earlier: Set<Key> = []
  private var current: Set<Key> = []

  /// Of one trace, which has nothing to share.
  init() {}

  /// - Parameter traces: The device of each trace, nil when the trace names devices itself, and its first
  ///   time.
  init(_ traces: [(device: String?, start: Timestamp?)]) {
    var (all, naming) = (Timestamp.never, Timestamp.never)
    var owned: [ExactText: Timestamp] = [:]
    for (device, start) in traces.reversed() {
      let start = start ?? .distantPast
      if let device = device.map(ExactText.init) {
        starts.append(min(naming, owned[device] ?? .never))
        owned[device] = min(start, owned[device] ?? .never)
      } else {
        starts.append(all)
        naming = min(start, naming)
      }
      all = min(start, all)
    }
    starts.reverse()
  }

  /// Begins the next trace.
  mutating func beginTrace() {
    trace += 1
    earlier.formUnion(current)
    current.removeAll()
  }

  /// Whether an earlier trace had the fix.
  mutating func isDuplicate(_ fix: Fix, of device: String) -> Bool {
    guard let time = fix.time, trace < starts.count else { return false }
    let isShared = time >= starts[trace]
    guard isShared || !earlier.isEmpty else { return false }
    let key = Key(
      device: ExactText(device), time: time, latitude: fix.coordinate.latitude,
      longitude: fix.coordinate.longitude)
    if earlier.contains(key) { return true }
    if isShared { current.insert(key) }
    return false
  }
}
