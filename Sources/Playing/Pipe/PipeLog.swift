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
    }

    var bytes: [UInt8] = []
    private(set) var pieces: [Piece] = []

    /// Ends a piece at a place after those of all earlier pieces.
    mutating func end(at place: Place) {
      guard bytes.count > pieces.last?.end ?? 0 else { return }
      pieces.append(Piece(place: place, end: bytes.count))
    }

    /// Removes all pieces.
    mutating func clear() {
      bytes.removeAll(keepingCapacity: true)
      pieces.removeAll(keepingCapacity: true)
    }
  }

  private var parts: [Part] = []

  /// Adds a part; at the same place it comes after those added before.
  mutating func add(_ part: Part) {
    if !part.pieces.isEmpty { parts.append(part) }
  }

  /// Appends everything in order.
  func write(to buffer: inout [UInt8]) {
    guard parts.count != 1 else { return buffer.append(contentsOf: parts[0].bytes) }
    var pieces: [(place: Place, part: Int, range: Range<Int>)] = []
    for (number, part) in parts.enumerated() {
      var start = 0
      for piece in part.pieces {
        pieces.append((piece.place, number, start..<piece.end))
        start = piece.end
      }
    }
    pieces.sort { $0.place != $1.place ? $0.place < $1.place : $0.part < $1.part }
    for piece in pieces { buffer.append(contentsOf: parts[piece.part].bytes[piece.range]) }
  }
}
