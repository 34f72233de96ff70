internal import EventLog
internal import Session
internal import Tracking

/// Puts the entries of a replay in order and writes them: by turns, and entries of one instant by
/// decision, then by occurrence.
///
/// A class, because one thread writes the entries of a round while others play the next round.
final class ReplayLog {
  private var output: EventLogFile
  private let threads: Int
  /// The entries that are not written yet.
  private var given: Given?
  /// Why they could not be written.
  private var failure: SessionError?
  /// The entries of the last instant, which may get more.
  private var open = ReplayEntries()

  private struct Given {
    var parts: [ReplayEntries]
    var end: ReplayEntries.Place
    var instant: Int
  }

  init(_ output: EventLogFile, threads: Int) {
    self.output = output
    self.threads = threads
  }

  /// Takes all entries before `end`, for ``write()``.
  ///
  /// - Parameter instant: The number of the last instant, which may get more entries at `end`.
  func take(
    _ parts: [ReplayEntries], until end: ReplayEntries.Place, instant: Int
  ) throws(SessionError) {
    try finish()
    guard parts.contains(where: { !$0.entries.isEmpty }) else { return }
    given = Given(parts: parts, end: end, instant: instant)
  }

  /// Whether there are entries to write.
  var hasMore: Bool { given != nil }

  /// Writes the entries of instants that are over; an error is thrown by the next call.
  func write() {
    guard let given, failure == nil else { return }
    self.given = nil
    var order = ReplayOrder([open] + given.parts)
    let settled = order.settle { $0.mayGoOn(at: given.end, given.instant) }
    do throws(SessionError) {
      try output.write(settled, threads: threads) { order[$0] }
    } catch {
      failure = error
    }
    open = order.part(from: settled)
  }

  private func finish() throws(SessionError) {
    write()
    if let failure { throw failure }
  }

  /// Writes the entries of the last instant, which is over.
  func settle() throws(SessionError) {
    try finish()
    guard !open.entries.isEmpty else { return }
    var order = ReplayOrder([open])
    try output.write(order.settle { _ in false }, threads: 1) { order[$0] }
    open.clear()
  }

  /// Does so when the next input is due at another time than the last one.
  func settle(before due: Timestamp) throws(SessionError) {
    try finish()
    if let last = open.places.last, last.due != due { try settle() }
  }

  /// Writes all entries, and what stands at the end of the log.
  func end() throws(SessionError) {
    try settle()
    output.end()
    try output.flush()
  }

  /// Writes all entries of instants that are over, and the output's buffer.
  func flush() throws(SessionError) {
    try finish()
    try output.flush()
  }

  /// Closes the output.
  func close() throws(SessionError) { try output.close() }
}

/// The entries of parts in the order of their places.
private struct ReplayOrder {
  private struct Reference {
    var part: Int
    var entry: Int
  }

  private let parts: [ReplayEntries]
  private var references: [Reference] = []

  init(_ parts: [ReplayEntries]) {
    self.parts = parts
    for (part, content) in parts.enumerated() {
      for entry in content.entries.indices {
        references.append(Reference(part: part, entry: entry))
      }
    }
    // The sort is stable: entries of a part at one place keep their order.
    references = references.sorted { place(of: $0) < place(of: $1) }
  }

  subscript(index: Int) -> LogEntry {
    parts[references[index].part].entries[references[index].entry]
  }

  /// Puts the entries of each instant in order: by decision, then by occurrence.
  ///
  /// - Parameter mayGoOn: Whether the instant that ends with a place may get more entries.
  /// - Returns: The number of entries of instants that are over.
  mutating func settle(_ mayGoOn: (ReplayEntries.Place) -> Bool) -> Int {
    var start = 0
    while start < references.count {
      var end = start + 1
      while end < references.count, place(at: end - 1).isWith(place(at: end)) { end += 1 }
      if end == references.count, mayGoOn(place(at: end - 1)) { break }
      if end - start > 1 { sort(start..<end) }
      start = end
    }
    return start
  }

  /// The entries from `start` on.
  func part(from start: Int) -> ReplayEntries {
    var part = ReplayEntries()
    for index in start..<references.count {
      part.entries.append(self[index])
      part.place(at: place(at: index))
    }
    return part
  }

  private func place(of reference: Reference) -> ReplayEntries.Place {
    parts[reference.part].places[reference.entry]
  }

  private func place(at index: Int) -> ReplayEntries.Place { place(of: references[index]) }

  private mutating func sort(_ range: Range<Int>) {
    let sorted = range.sorted { first, second in
      let (a, b) = (self[first], self[second])
      return (a.decided ?? .distantPast, a.time ?? .distantPast, first)
        < (b.decided ?? .distantPast, b.time ?? .distantPast, second)
    }
    references.replaceSubrange(range, with: sorted.map { references[$0] })
  }
}
