internal import EventLog

/// Merges parts of the log, each in order, into one log in order.
struct PipeLog {
  /// The order in the log: by time when lines are sorted, else by line.
  struct Place: Hashable, Comparable {
    var time = Int64.min
    var line: Int

    static func < (a: Place, b: Place) -> Bool {
      a.time != b.time ? a.time < b.time : a.line < b.line
    }
  }

  /// The entries of one shard.
  struct Part {
    /// The entries of a line: they end at `end` of the bytes, where the next piece begins.
    struct Piece {
      var place: Place
      var end: Int
      /// Where they end among those for a store.
      var storedEnd: Int
    }

    var bytes: [UInt8] = []
    /// The entries for a store.
    var stored: [LogEntry] = []
    private(set) var pieces: [Piece] = []

    /// Ends a piece at a place after those of all earlier pieces.
    mutating func end(at place: Place) {
      guard bytes.count > pieces.last?.end ?? 0 || stored.count > pieces.last?.storedEnd ?? 0
      else { return }
      pieces.append(Piece(place: place, end: bytes.count, storedEnd: stored.count))
    }

    /// Removes the pieces before a line, or all of them for nil.
    mutating func clear(before line: Int?) {
      let count = line.flatMap { line in pieces.firstIndex { $0.place.line >= line } }
      guard let count else {
        bytes.removeAll(keepingCapacity: true)
        stored.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        return
      }
      guard count > 0 else { return }
      let (end, storedEnd) = (pieces[count - 1].end, pieces[count - 1].storedEnd)
      bytes.removeFirst(end)
      stored.removeFirst(storedEnd)
      pieces.removeFirst(count)
      for index in pieces.indices {
        pieces[index].end -= end
        pieces[index].storedEnd -= storedEnd
      }
    }
  }

  private var parts: [Part] = []

  /// Adds a part; at the same place it comes after those added before.
  mutating func add(_ part: Part) {
    if !part.pieces.isEmpty { parts.append(part) }
  }

  /// Appends the pieces before a line, or all of them for nil, in order, and the entries for a store.
  func write(
    before line: Int? = nil, to buffer: inout [UInt8], storing stored: inout [LogEntry]
  ) {
    guard parts.count != 1 || line != nil else {
      buffer.append(contentsOf: parts[0].bytes)
      stored += parts[0].stored
      return
    }
    var pieces: [(place: Place, part: Int, range: Range<Int>, stored: Range<Int>)] = []
    for (number, part) in parts.enumerated() {
      var (start, storedStart) = (0, 0)
      for piece in part.pieces {
        if let line, piece.place.line >= line { break }
        pieces.append((piece.place, number, start..<piece.end, storedStart..<piece.storedEnd))
        (start, storedStart) = (piece.end, piece.storedEnd)
      }
    }
    pieces.sort { $0.place != $1.place ? $0.place < $1.place : $0.part < $1.part }
    for piece in pieces {
      buffer.append(contentsOf: parts[piece.part].bytes[piece.range])
      if !piece.stored.isEmpty { stored += parts[piece.part].stored[piece.stored] }
    }
  }
}
