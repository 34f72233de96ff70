internal import Session
internal import Traces

/// Which streams are being played, and which one begins next for a device that several traces have.
///
/// Between the last fix of one trace and the first of the next the device is silent, and its events come
/// due in time.
struct StreamSuccession {
  /// The streams that have begun and not ended, by number.
  private(set) var playing: [Int] = []
  /// Of each device with several streams those that have not begun, the next one last.
  private var waiting: [[Int]] = []

  /// Of streams whose first fixes are known, by their numbers.
  init(_ streams: [TraceStream]) {
    // A trace that names devices may have any of them at any time.
    let unnamed = streams.indices.filter {
      !streams[$0].isUsedUp && streams[$0].next.device == nil
    }
    waiting = Dictionary(grouping: unnamed) { streams[$0].owner }.values
      .filter { $0.count > 1 }
      .map { $0.sorted { (streams[$0].turn, $0) > (streams[$1].turn, $1) } }
      .sorted { $0[0] < $1[0] }
  }

  /// Notes that a stream plays its first fix, or the first of a device; streams begin in the order of
  /// their turns.
  mutating func begin(_ stream: Int) {
    let place = playing.firstIndex { $0 >= stream } ?? playing.count
    if place == playing.count || playing[place] != stream { playing.insert(stream, at: place) }
    for device in waiting.indices where waiting[device].last == stream {
      waiting[device].removeLast()
    }
  }

  /// Notes that a stream has ended.
  mutating func end(_ stream: Int) {
    playing.removeAll { $0 == stream }
  }

  /// The next stream of each device.
  var next: [Int] { waiting.compactMap(\.last) }
}
