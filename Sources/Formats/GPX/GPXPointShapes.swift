internal import Geodesy
internal import Text
internal import Traces

/// Reads the points of a segment with the shape of earlier points (``RecordShapes``).
///
/// It reads only complete points, and only those in which ``XMLScanner`` would find no error: plain
/// ASCII without references, and valid values. It leaves all others to the scanner, from the end of
/// the last point on.
///
/// A node stands for the open elements, and inside a tag also for the attributes before, because
/// neither may occur twice.
struct GPXPointShapes: Sendable {
  /// The kind of a value: one of these, or ``field`` and more for a ``GPXVocabulary/Field``.
  enum Kind {
    static let latitude: UInt8 = 1
    static let longitude: UInt8 = 2
    /// An unused text or attribute, up to the byte that ends it.
    static let text: UInt8 = 3
    static let quoted: UInt8 = 4
    static let doubleQuoted: UInt8 = 5
    static let field: UInt8 = 8
  }

  /// Where reading stopped: the offset after a point, and its line.
  struct Stop {
    var offset: Int
    var line: Int
  }

  var shapes = RecordShapes()

  /// Reads points from `start` on, where the last one ended, as far as their shapes are known.
  ///
  /// - Parameter last: Has the device of the points, and the habits of the document.
  mutating func read(
    _ bytes: borrowing Span<UInt8>, from start: Stop, after last: GPXPoint,
    into batch: inout TraceBatch
  ) -> Stop {
    guard shapes.isWorthTrying() else { return start }
    let stop = follow(bytes, from: start, last, &batch)
    shapes.note(hasRead: stop.offset > start.offset)
    return stop
  }

  private func follow(
    _ bytes: borrowing Span<UInt8>, from start: Stop, _ last: GPXPoint,
    _ batch: inout TraceBatch
  ) -> Stop {
    var stop = start
    var (at, line, node) = (start.offset, start.line, 0)
    var point = last
    var (latitude, longitude) = (0.0, 0.0)
    while let link = shapes.link(from: node, bytes, at) {
      if node == 0 { point.begin(line: line &+ link.lineFeedsBeforeTag) }
      at &+= link.length
      line &+= link.lineFeeds
      node = link.node
      guard node != 0 else {
        point.coordinate = Coordinate(latitude: latitude, longitude: longitude)
        if let point = point.finished { batch.points.append(point) }
        stop = Stop(offset: at, line: line)
        continue
      }
      let kind = shapes.kind(node)
      switch kind {
      case Kind.latitude:
        guard let number = DecimalNumber.scan(bytes, &at) else { return stop }
        latitude = number
      case Kind.longitude:
        guard let number = DecimalNumber.scan(bytes, &at) else { return stop }
        longitude = number
      case Kind.text: at = Self.plainEnd(bytes, at, 0x3C)
      case Kind.quoted: at = Self.plainEnd(bytes, at, 0x27)
      case Kind.doubleQuoted: at = Self.plainEnd(bytes, at, 0x22)
      default:
        guard let field = GPXVocabulary.Field(rawValue: kind &- Kind.field),
          point.scan(field, bytes, &at)
        else { return stop }
      }
    }
    return stop
  }

  /// The end of plain text from `at` on: `last`, or a byte that is not plain.
  @inline(__always)
  private static func plainEnd(_ bytes: borrowing Span<UInt8>, _ at: Int, _ last: UInt8) -> Int {
    let pattern = Bytes.ones &* UInt64(last)
    var at = at
    while at &+ 8 <= bytes.count {
      let word = Bytes.word(bytes, at)
      // `<`, `&`, `]` and controls may be valid or not: the scanner decides.
      let found =
        Bytes.equal(word, pattern) | Bytes.equal(word, Bytes.ones &* 0x3C)
        | Bytes.equal(word, Bytes.ones &* 0x26) | Bytes.equal(word, Bytes.ones &* 0x5D)
        | Bytes.unusual(word)
      if found != 0 { return at &+ found.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    while at < bytes.count, bytes[at] != last, isPlain(bytes[at]) { at &+= 1 }
    return at
  }

  /// Whether all bytes of a value are plain, as in ``plainEnd(_:_:_:)``.
  static func isPlain(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    for offset in range where !isPlain(bytes[offset]) { return false }
    return true
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != 0x3C && byte != 0x26 && byte != 0x5D
  }
}
