internal import EventLog
internal import Session
internal import Tracking

/// Entries of the log with their places in it.
struct ReplayEntries {
  /// Where in the log an entry belongs.
  struct Place {
    /// How far the stream is, and its number: the stream that is least far has its turn.
    var turn: Timestamp
    var stream: Int
    /// The number of the fix; for an event in silence, of the fix after it.
    var step: Int
    /// When it was due.
    var due: Timestamp
    /// The number of that instant, which may come again later; nil for events in silence.
    var instant: Int?
    /// Whether it is already in order among the entries of that instant.
    var isSettled = false

    /// After all fixes.
    static let end = Place(turn: .never, stream: .max, step: .min, due: .never)

    static func < (a: Place, b: Place) -> Bool {
      (a.turn, a.stream, a.step) < (b.turn, b.stream, b.step)
    }

    /// Whether an entry here is of the same instant as one at `next`, which comes after it.
    func isWith(_ next: Place) -> Bool {
      guard due == next.due, !isSettled, !next.isSettled else { return false }
      guard let instant, let other = next.instant else { return true }
      return instant == other
    }

    /// Whether entries at `end` may be of the same instant, which then has the number `instant`.
    func mayGoOn(at end: Place, _ instant: Int) -> Bool {
      !isSettled && end.turn == turn && (self.instant ?? instant) == instant
    }
  }

  var entries: [LogEntry] = []
  private(set) var places: [Place] = []

  /// Sets the place of all entries added since the last call.
  mutating func place(at place: Place) {
    while places.count < entries.count { places.append(place) }
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}
