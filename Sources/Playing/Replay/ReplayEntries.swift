internal import Tracking
internal import Traces

/// Entries of the log with their places in it.
struct ReplayEntries {
  /// Where in the log an entry belongs.
  struct Place {
    /// How far the stream is, and which one that is: it is the turn of the one that is least far.
    var turn: Timestamp
    var stream: Int
    /// The number of the fix; what a device says in silence has that of the fix behind it.
    var step: Int
    /// The instant at which it was due.
    var due: Timestamp
    /// The number of that instant, which may come again later; nil for what is said in silence.
    var instant: Int?
    /// Whether it has its place among the entries of that instant already.
    var isSettled = false

    static func < (a: Place, b: Place) -> Bool {
      (a.turn, a.stream, a.step) < (b.turn, b.stream, b.step)
    }

    /// Whether an entry here is of the same instant as one at `next`, which comes behind it.
    func isWith(_ next: Place) -> Bool {
      guard due == next.due, !isSettled, !next.isSettled else { return false }
      guard let instant, let other = next.instant else { return true }
      return instant == other
    }

    /// Whether what comes at `end` may be of the same instant, which is number `instant` then.
    func mayGoOn(at end: Place, _ instant: Int) -> Bool {
      !isSettled && end.turn == turn && (self.instant ?? instant) == instant
    }
  }

  var entries: [LogEntry] = []
  private(set) var places: [Place] = []

  /// All entries that were added since belong here.
  mutating func place(at place: Place) {
    while places.count < entries.count { places.append(place) }
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}
