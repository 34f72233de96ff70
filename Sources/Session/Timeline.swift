internal import Tracking

/// Streams in the order of what comes next in each: a binary heap of their times.
///
/// Streams of the same time come in the order of their numbers, so that a merge gives the same
/// order in every run.
struct Timeline {
  private struct Entry {
    var time: Timestamp
    var stream: Int

    func comes(before other: Entry) -> Bool {
      time != other.time ? time < other.time : stream < other.stream
    }
  }

  private var heap: [Entry] = []

  /// The stream that comes first, with its time; nil when there is none.
  var first: (stream: Int, time: Timestamp)? {
    heap.first.map { ($0.stream, $0.time) }
  }

  /// Adds a stream.
  /// - Complexity: O(log n).
  mutating func add(_ stream: Int, at time: Timestamp) {
    heap.append(Entry(time: time, stream: stream))
    var place = heap.count - 1
    while place > 0, heap[place].comes(before: heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Gives the first stream a new time, or takes it out when that is nil.
  /// - Complexity: O(log n).
  mutating func moveFirst(to time: Timestamp?) {
    guard let top = heap.first else { return }
    if let time {
      heap[0] = Entry(time: time, stream: top.stream)
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    sink()
  }

  /// Whether the first stream would still come first at a new time.
  func staysFirst(at time: Timestamp) -> Bool {
    guard let top = heap.first else { return false }
    let entry = Entry(time: time, stream: top.stream)
    return (heap.count < 2 || entry.comes(before: heap[1]))
      && (heap.count < 3 || entry.comes(before: heap[2]))
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      let children = 2 * place + 1
      for child in children..<max(children, min(children + 2, heap.count))
      where heap[child].comes(before: heap[least]) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

extension Timestamp {
  /// Behind all times.
  static let never = Timestamp(nanoseconds: .max)
}
