package import Tracking

/// A priority queue of streams by the time of their next fix: a binary heap.
///
/// Streams of the same time come in the order of their numbers, so a merge gives the same order
/// every time.
package struct StreamQueue {
  private struct Entry {
    var time: Timestamp
    var stream: Int

    func comes(before other: Entry) -> Bool {
      time != other.time ? time < other.time : stream < other.stream
    }
  }

  private var heap: [Entry] = []

  package init() {}

  /// The first stream and its time; nil when the queue is empty.
  package var first: (stream: Int, time: Timestamp)? {
    heap.first.map { ($0.stream, $0.time) }
  }

  /// Adds a stream.
  /// - Complexity: O(log n).
  package mutating func add(_ stream: Int, at time: Timestamp) {
    heap.append(Entry(time: time, stream: stream))
    var place = heap.count - 1
    while place > 0, heap[place].comes(before: heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Gives the first stream a new time, or removes it when that is nil.
  /// - Complexity: O(log n).
  package mutating func moveFirst(to time: Timestamp?) {
    guard let top = heap.first else { return }
    if let time {
      heap[0] = Entry(time: time, stream: top.stream)
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    sink()
  }

  /// Whether the first stream would stay first with a new time.
  package func staysFirst(at time: Timestamp) -> Bool {
    guard let top = heap.first else { return false }
    let entry = Entry(time: time, stream: top.stream)
    return (heap.count < 2 || entry.comes(before: heap[1]))
      && (heap.count < 3 || entry.comes(before: heap[2]))
  }

  private mutating func sink() {
    guard let entry = heap.first else { return }
    var place = 0
    while true {
      var least = 2 * place + 1
      guard least < heap.count else { break }
      if least + 1 < heap.count, heap[least + 1].comes(before: heap[least]) { least += 1 }
      guard heap[least].comes(before: entry) else { break }
      heap[place] = heap[least]
      place = least
    }
    heap[place] = entry
  }
}

extension Timestamp {
  /// After all times.
  package static let never = Timestamp(nanoseconds: .max)
}
