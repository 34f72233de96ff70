internal import Session

/// The progress of a replay.
package struct ReplayProgress: Sendable {
  /// Fixes played so far.
  package var fixes: Int
  /// Bytes read, as they lie on disk.
  package var bytesRead: Int
  /// Bytes to read; nil when an input is a pipe.
  package var bytesTotal: Int?

  package init(fixes: Int, bytesRead: Int, bytesTotal: Int?) {
    self.fixes = fixes
    self.bytesRead = bytesRead
    self.bytesTotal = bytesTotal
  }
}

/// The bytes that a replay has read of its traces.
///
/// They are summed up as traces are read: a look at each of thousands in every round would make the cost
/// grow with the square of their number.
struct BytesRead {
  private(set) var read = 0
  /// The bytes of all traces; nil when one of them is a pipe.
  let total: Int?
  /// What was read of each trace.
  private var parts: [Int]

  init(of streams: [TraceStream]) {
    parts = Array(repeating: 0, count: streams.count)
    total = streams.reduce(0) { sum, stream in
      stream.feed.progress.total.flatMap { part in sum.map { $0 + part } }
    }
  }

  /// Notes how far some traces are.
  mutating func note(_ indices: [Int], of streams: [TraceStream]) {
    for index in indices {
      let now = streams[index].feed.progress.read
      read += now - parts[index]
      parts[index] = now
    }
  }
}
