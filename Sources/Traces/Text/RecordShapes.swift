/// What stands between the values of the records of one trace.
///
/// Whoever writes a trace writes its records alike: the same names and blanks in the same order,
/// with other values between them. Once a record has been read with all checks, what stood between
/// its values need not be taken apart again: it is enough that the bytes of the next one are the
/// same. The checks are not left out by that, they are remembered.
///
/// The shapes are a graph. A node is a place where a value stands; it is so made that what may
/// follow a value depends on its node alone. A link leads from a node to the next by the bytes
/// between their values, its literal. Node 0 is the place between two records.
struct RecordShapes: Sendable {
  /// A way from a value to the next.
  struct Link: Sendable {
    /// Where the literal begins in ``literals``; behind it are at least seven bytes.
    fileprivate var start: Int32 = 0
    fileprivate var count: Int32 = 0
    fileprivate var target: Int32 = 0
    fileprivate var feeds: Int16 = 0
    fileprivate var feedsBeforeTag: Int16 = 0

    /// How many bytes the literal has, at least one.
    @inline(__always) var length: Int { Int(count) }
    /// The node to which it leads.
    @inline(__always) var node: Int { Int(target) }
    /// How many line feeds the literal has, and how many of them are before its first `<`.
    @inline(__always) var lineFeeds: Int { Int(feeds) }
    @inline(__always) var lineFeedsBeforeTag: Int { Int(feedsBeforeTag) }
  }

  private struct Node: Sendable {
    var kind: UInt8 = 0
    var linkCount = 0
  }

  /// The graph is bounded, so that a hostile trace cannot make it grow: nodes, links of a node,
  /// bytes of a literal.
  private static let nodeLimit = 64
  private static let linkLimit = 8
  private static let literalLimit = 1 << 10

  /// What nodes stand for, for ``node(_:kind:)`` alone.
  private var keys: [[UInt8]] = [[]]
  private var nodes = [Node()]
  /// ``linkLimit`` places a node.
  private var links = [Link](repeating: Link(), count: linkLimit)
  private var literals: [UInt8] = []
  /// So many records more are learned from: those of a trace have few shapes, or too many.
  private var lessons = 1_000
  /// So many records are left to others before the next attempt, as the last ones failed.
  private var pause = 0
  private var failures = 0

  /// What kind of value stands at a node, as the caller has it.
  @inline(__always)
  func kind(_ node: Int) -> UInt8 { nodes[node].kind }

  /// The link from `node` whose literal stands at `at`; nil when there is none.
  @inline(__always)
  func link(from node: Int, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Link? {
    let first = node &* Self.linkLimit
    for place in first..<first &+ nodes[node].linkCount
    where isLiteral(of: links[place], bytes, at) {
      return links[place]
    }
    return nil
  }

  @inline(__always)
  private func isLiteral(of link: Link, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Bool {
    guard at &+ link.length &+ 8 <= bytes.count else { return isAtEnd(link, bytes, at) }
    let literals = literals.span
    let (start, length) = (Int(link.start), link.length)
    precondition(at >= 0 && start &+ length &+ 8 <= literals.count)
    var place = 0
    // Within both by the lines above: no word begins behind a literal, and eight bytes follow it.
    while place &+ 8 < length {
      let word = Bytes.uncheckedWord(literals, start &+ place)
      if Bytes.uncheckedWord(bytes, at &+ place) != word { return false }
      place &+= 8
    }
    // The last one to eight bytes; what is behind them is shifted out.
    let rest = UInt64(truncatingIfNeeded: (64 &- 8 &* (length &- place)) & 63)
    let word = Bytes.uncheckedWord(literals, start &+ place)
    return (Bytes.uncheckedWord(bytes, at &+ place) ^ word) &<< rest == 0
  }

  /// The same near the end of the bytes.
  @inline(never)
  private func isAtEnd(_ link: Link, _ bytes: borrowing Span<UInt8>, _ at: Int) -> Bool {
    guard at + link.length <= bytes.count else { return false }
    let start = Int(link.start)
    for place in 0..<link.length where bytes[at + place] != literals[start + place] {
      return false
    }
    return true
  }

  // MARK: Trying

  /// Whether to look at the next records: not before there is a shape, and seldom when the records
  /// have others.
  mutating func isWorthTrying() -> Bool {
    guard nodes[0].linkCount > 0 else { return false }
    guard pause == 0 else {
      pause -= 1
      return false
    }
    return true
  }

  /// Takes note of whether a record was read by its shape.
  mutating func note(hasRead: Bool) {
    failures = hasRead ? 0 : min(failures + 1, 6)
    pause = hasRead ? 0 : (1 << failures) - 2
  }

  // MARK: Learning

  /// Whether to learn from one more record.
  mutating func beginLesson() -> Bool {
    lessons -= lessons > 0 ? 1 : 0
    return lessons > 0
  }

  /// The node that `key` stands for, which is made when it is new; nil when there are too many.
  mutating func node(_ key: [UInt8], kind: UInt8) -> Int? {
    if let node = keys.firstIndex(of: key) { return node }
    guard nodes.count < Self.nodeLimit else { return nil }
    keys.append(key)
    nodes.append(Node(kind: kind))
    links.append(contentsOf: repeatElement(Link(), count: Self.linkLimit))
    return nodes.count - 1
  }

  /// Adds a link from a node to another by the bytes of `literal`, unless it is known; false when
  /// there are too many.
  mutating func add(
    from node: Int, _ bytes: borrowing Span<UInt8>, _ literal: Range<Int>, to target: Int
  ) -> Bool {
    let first = node * Self.linkLimit
    for place in first..<first + nodes[node].linkCount
    where isEqual(links[place], bytes, literal) {
      return links[place].node == target
    }
    guard nodes[node].linkCount < Self.linkLimit, 1...Self.literalLimit ~= literal.count else {
      return false
    }
    var link = Link(
      start: Int32(literals.count), count: Int32(literal.count), target: Int32(target))
    var isBeforeTag = true
    for offset in literal {
      let byte = bytes[offset]
      literals.append(byte)
      if byte == UInt8(ascii: "<") { isBeforeTag = false }
      guard byte == UInt8(ascii: "\n") else { continue }
      link.feeds += 1
      if isBeforeTag { link.feedsBeforeTag += 1 }
    }
    literals.append(contentsOf: repeatElement(0, count: 8))
    links[first + nodes[node].linkCount] = link
    nodes[node].linkCount += 1
    return true
  }

  private func isEqual(
    _ link: Link, _ bytes: borrowing Span<UInt8>, _ literal: Range<Int>
  ) -> Bool {
    link.length == literal.count && isAtEnd(link, bytes, literal.lowerBound)
  }
}
